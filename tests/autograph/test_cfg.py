"""Which steps may follow which, and the places of compound statements."""

from __future__ import annotations

import pytest

from .analyses import Analysed


def ways(source: str) -> set[str]:
    """The marks that may follow each other, with no other mark between; exceptions apart."""
    analysed = Analysed(source)
    marks = {node: mark for mark, node in analysed.marks()}
    marks[analysed.graph.exit] = "end"
    found = set()
    for start, mark in [*marks.items(), (analysed.graph.entry, "start")]:
        pending, seen = list(start.successors), set()
        while pending:
            node = pending.pop()
            if node in seen:
                continue
            seen.add(node)
            if node in marks:
                found.add(f"{mark}-{marks[node]}")
            else:
                pending += node.successors
    return found


CASES = {
    "sequence": ("""
        def f():
            "1"
            "2"
        """, "start-1 1-2 2-end"),
    "if": ("""
        def f(x):
            if x:
                "1"
            elif x > 1:
                "2"
            "3"
        """, "start-1 start-2 start-3 1-3 2-3 3-end"),
    "while": ("""
        def f(x):
            while x:
                "1"
            else:
                "2"
            "3"
        """, "start-1 start-2 1-1 1-2 2-3 3-end"),
    "break and continue": ("""
        def f(x):
            for i in x:
                if i:
                    "1"
                    continue
                "2"
                break
                "never"
            else:
                "3"
            "4"
        """, "start-1 start-2 start-3 1-1 1-2 1-3 2-4 3-4 4-end never-1 never-2 never-3"),
    "return goes through finally": ("""
        def f(x):
            try:
                if x:
                    "1"
                    return
                "2"
            finally:
                "3"
            "4"
        """, "start-1 start-2 1-3 2-3 3-4 3-end 4-end"),
    "break goes through finally": ("""
        def f(x):
            while x:
                try:
                    "1"
                    break
                finally:
                    "2"
                "3"
            "4"
        """, "start-1 start-4 1-2 2-3 2-4 3-1 3-4 4-end"),
    "match": ("""
        def f(x):
            match x:
                case 1:
                    "1"
                case y if y:
                    "2"
            "3"
        """, "start-1 start-2 start-3 1-3 2-3 3-end"),
    "with": ("""
        def f(x):
            with x:
                "1"
            "2"
        """, "start-1 1-2 2-end"),
    "raise ends": ("""
        def f(x):
            "1"
            raise x
            "never"
        """, "start-1 never-end"),
    "raise in a branch ends the way": ("""
        def f(x):
            if x:
                "1"
                raise x
            "2"
        """, "start-1 start-2 2-end"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_ways(case: str) -> None:
    source, expected = CASES[case]
    assert ways(source) == set(expected.split())


def test_exceptions_lead_to_the_nearest_handler() -> None:
    analysed = Analysed("""
        def f():
            "outside"
            try:
                "body"
            except ValueError:
                "handler"
            else:
                "else"
            finally:
                "finally"
        """)
    at = dict(analysed.marks())
    assert at["outside"].raises is None
    caught = at["body"].raises
    final = at["handler"].raises
    assert caught is not None
    assert final is not None
    assert final is at["else"].raises
    assert final in caught.successors
    assert at["finally"].raises is None


def test_a_statement_is_a_range_of_steps() -> None:
    analysed = Analysed("""
        def f(x):
            "before"
            while x:
                "body"
            "after"
        """)
    at = {mark: node.index for mark, node in analysed.marks()}
    (place,) = analysed.graph.places.values()
    assert at["before"] < place.enter.index < place.decide.index
    assert at["body"] in place.body
    assert at["before"] not in place.body
    assert at["after"] not in place.body
    assert place.leave is not None
    assert place.decide.index < at["body"] < place.leave.index < at["after"]


def test_depth_counts_the_statements_that_may_be_recorded() -> None:
    analysed = Analysed("""
        def f(x):
            "0"
            if x:
                "1"
                for i in x:
                    "2"
            with x:
                "0 again"
        """)
    assert {mark: node.depth for mark, node in analysed.marks()} == {
        "0": 0, "1": 1, "2": 2, "0 again": 0,
    }  # fmt: skip
