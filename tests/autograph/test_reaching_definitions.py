"""Which variables have a value at the marks of small functions: surely, or on some ways there."""

from __future__ import annotations

import random
from typing import Any

import hypothesis
import hypothesis.strategies as st
import pytest

from .analyses import Analysed

# The source, what is surely bound at "here", and what may be.
CASES = {
    "parameters": ('def f(a, *b, c=1, **d): "here"', "a b c d", ""),
    "assignment": ("""
        def f():
            a, (b, *c) = d = 1
            "here"
        """, "a b c d", ""),
    "one branch": ("""
        def f(x):
            if x:
                a = b = 1
            else:
                a = 2
            "here"
        """, "a x", "b"),
    "a branch that leaves does not count": ("""
        def f(x):
            if x:
                return
            else:
                a = 1
            "here"
        """, "a x", ""),
    "a loop may not run": ("""
        def f(x):
            for i in x:
                a = 1
            "here"
        """, "x", "a i"),
    "else runs unless the loop was left": ("""
        def f(x):
            for i in x:
                if i:
                    a = 1
                    break
            else:
                a = 2
            "here"
        """, "a x", "i"),
    "the body has the target": ("""
        def f(x):
            for i, j in x:
                "here"
                a = 1
        """, "i j x", "a"),
    "continue": ("""
        def f(x):
            while x:
                if x > 1:
                    continue
                a = 1
                "here"
        """, "a x", ""),
    "an endless loop is left by break": ("""
        def f(x):
            while True:
                a = 1
                if x:
                    break
            "here"
        """, "x", "a"),  # a condition is not looked at
    "del": ("""
        def f(a, b):
            if a:
                del b
            "here"
        """, "a", "b"),
    "a handler knows of nothing in the block": ("""
        def f():
            try:
                a = 1
                b = 2
            except ValueError:
                "here"
        """, "", "a b"),
    "else of try knows of all": ("""
        def f():
            try:
                a = 1
            except ValueError:
                pass
            else:
                "here"
        """, "a", ""),
    "after a handler that leaves": ("""
        def f():
            try:
                a = 1
            except ValueError:
                return
            "here"
        """, "a", ""),
    "finally": ("""
        def f():
            try:
                a = 1
            finally:
                b = 2
                "here"
        """, "b", "a"),
    "the name of an exception is gone after its handler": ("""
        def f(e):
            try:
                g()
            except ValueError as e:
                a = e
            "here"
        """, "", "a e"),
    "with may swallow an exception": ("""
        def f(m):
            with m as a:
                b = 1
            "here"
        """, "a m", "b"),
    "walrus in a test": ("""
        def f(x):
            while (a := x) and (b := a):
                pass
            "here"
        """, "a x", "b"),
    "walrus in a comprehension": ("""
        def f(x):
            [(a := y) for y in x]
            "here"
        """, "x", "a"),
    "match": ("""
        def f(x):
            match x:
                case [a, *b]:
                    c = 1
                case {"k": a}:
                    c = 2
                case _:
                    c = 3
            "here"
        """, "x", "a b c"),  # that a case always fits is not looked at
    "a case has what its pattern binds": ("""
        def f(x):
            match x:
                case [a, b] if a:
                    "here"
        """, "a b x", ""),
    "functions and classes are bound like variables": ("""
        def f(x):
            if x:
                def g(): pass
                class C: pass
            "here"
        """, "x", "C g"),
    "a class body has its own names": ("""
        def f():
            class C:
                a = 1
            "here"
        """, "C", ""),
    "import": ("""
        def f():
            import a.b as c, d.e
            "here"
        """, "c d", ""),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_bound(case: str) -> None:
    source, surely, maybe = CASES[case]
    analysed = Analysed(source)
    assert analysed.surely_bound() == {"here": surely}
    assert analysed.maybe_bound() == {"here": maybe}


NAMES = ("a", "b", "c")


class Writer:
    """A function that marks its way and takes its branches at random."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines = ["def f(a):"]
        self.marks = 0
        self.loops = 0
        self.block(1)

    def line(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def block(self, depth: int) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.random.choice(self.SIMPLE + (self.COMPOUND if depth < 4 else []))(self, depth)
            self.mark(depth)

    def mark(self, depth: int) -> None:
        self.marks += 1
        self.line(depth, f"'m{self.marks}'")
        self.line(depth, f"see({self.marks}, locals())")

    def bind(self, depth: int) -> None:
        name = self.random.choice(NAMES)
        forms = (f"{name} = 1", f"if ({name} := flip()): pass", f"flip() and ({name} := 1)")
        self.line(depth, self.random.choice(forms))

    def delete(self, depth: int) -> None:
        self.line(depth, f"del {self.random.choice(NAMES)}")

    def jump(self, depth: int) -> None:
        kinds = ["return", "raise ValueError"] + ["break", "continue"] * bool(self.loops)
        self.line(depth, f"if flip(): {self.random.choice(kinds)}")

    def branch(self, depth: int) -> None:
        self.line(depth, "if flip():")
        self.block(depth + 1)
        self.line(depth, "else:")
        self.block(depth + 1)

    def loop(self, depth: int) -> None:
        name = self.random.choice(NAMES)
        self.line(depth, self.random.choice(["while flip():", f"for {name} in range(flip() * 2):"]))
        self.loops += 1
        self.block(depth + 1)
        self.loops -= 1
        if self.random.random() < 0.4:
            self.line(depth, "else:")
            self.block(depth + 1)

    def attempt(self, depth: int) -> None:
        self.line(depth, "try:")
        self.block(depth + 1)
        if self.random.random() < 0.7:
            name = self.random.choice(NAMES)
            self.line(
                depth, self.random.choice(["except ValueError:", f"except NameError as {name}:"])
            )
            self.block(depth + 1)
        self.line(depth, "finally:")
        loops, self.loops = self.loops, 0
        self.line(depth + 1, "pass")
        self.mark(depth + 1)
        self.loops = loops

    SIMPLE = [bind, bind, delete, jump]
    COMPOUND = [branch, loop, attempt]


@hypothesis.given(st.integers(0, 10**9))
@hypothesis.settings(max_examples=150, deadline=None)
def test_what_is_said_to_be_bound_is(seed: int) -> None:
    """No run of a program finds a variable without the value that it surely has, or with one
    that it cannot have."""
    source = "\n".join(Writer(seed).lines)
    analysed = Analysed(source)
    surely, maybe = analysed.surely_bound(), analysed.maybe_bound()
    chance = random.Random(seed)
    steps = [0]

    def see(mark: int, found: dict[str, Any]) -> None:
        steps[0] += 1
        assert steps[0] < 500
        here = f"m{mark}"
        assert set(surely[here].split()) <= set(found), (mark, found, source)
        assert set(found) <= {*surely[here].split(), *maybe[here].split()}, (mark, found, source)

    namespace: dict[str, Any] = {"see": see, "flip": lambda: chance.random() < 0.5}
    exec(source, namespace)
    for _ in range(10):
        steps[0] = 0
        try:
            namespace["f"](1)
        except (ValueError, NameError):
            pass
