"""Which variables may still be read, at the marks of small functions."""

from __future__ import annotations

import pytest

from .analyses import Analysed

CASES = {
    "straight line": ("""
        def f(a, b):
            "start"
            c = a
            "middle"
            a = b
            return c
        """, {"start": "a b", "middle": "b c"}),
    "what is overwritten is dead": ("""
        def f(a):
            "start"
            a = 1
            return a
        """, {"start": ""}),
    "augmented assignment reads": ("""
        def f(a):
            "start"
            a += 1
            return a
        """, {"start": "a"}),
    "a branch that reads is enough": ("""
        def f(a, b):
            "start"
            if a:
                "then"
                c = b
            else:
                "else"
                c = 1
            return c
        """, {"start": "a b", "then": "b", "else": ""}),
    "a branch that assigns does not kill": ("""
        def f(a, b):
            "start"
            if a:
                b = 1
            return b
        """, {"start": "a b"}),
    "a loop reads in the next iteration": ("""
        def f(n):
            a = 0
            while n:
                "body"
                b = a
                a = n
                "end"
                n = b
            "after"
        """, {"body": "a n", "end": "a b", "after": ""}),
    "the target of a loop is bound anew": ("""
        def f(n):
            i = 0
            for i in n:
                "body"
                i
                "end"
            "after"
            return i
        """, {"body": "i", "end": "i", "after": "i"}),
    "break leaves, continue goes on": ("""
        def f(n, a, b, c):
            while n:
                if a:
                    "break"
                    break
                if b:
                    "continue"
                    continue
                n = c
            else:
                "else"
                return a
            "after"
            return n
        """, {"break": "n", "continue": "a b c n", "else": "a", "after": "n"}),
    "return leaves at once": ("""
        def f(a, b):
            if a:
                "leaving"
                return 1
            return b
        """, {"leaving": ""}),
    "a handler may run after any step": ("""
        def f(a, b, c):
            try:
                "start"
                a = b
                "end"
                b = 1
            except ValueError:
                return a, c
            return b
        """, {"start": "a b c", "end": "a c"}),
    "finally is on every way out": ("""
        def f(a, b):
            try:
                "returns"
                return a
            finally:
                "finally"
                b
        """, {"returns": "a b", "finally": "b"}),
    "what a nested function refers to is always live": ("""
        def f(a, b):
            def g():
                return a
            "after"
            a = 1
            return g
        """, {"after": "a g"}),
    "comprehensions read": ("""
        def f(a, b):
            "start"
            return [a + b for a in b]
        """, {"start": "b"}),
    "an operand that may not be evaluated does not kill": ("""
        def f(a, b):
            "start"
            a and (b := 1)
            return b
        """, {"start": "a b"}),
    "an operand that is evaluated does": ("""
        def f(a, b):
            "start"
            (b := 1) and a
            return b
        """, {"start": "a"}),
    "del needs a value, and kills nothing that is read before": ("""
        def f(a):
            "start"
            del a
            "after"
        """, {"start": "a", "after": ""}),
    "a pattern may bind": ("""
        def f(a, b):
            "start"
            match a:
                case [b]:
                    "case"
            return b
        """, {"start": "a b", "case": "b"}),
    "with": ("""
        def f(a, b):
            "start"
            with a as b:
                "body"
                b
            return b
        """, {"start": "a", "body": "b"}),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_live(case: str) -> None:
    source, expected = CASES[case]
    assert Analysed(source).live() == expected
