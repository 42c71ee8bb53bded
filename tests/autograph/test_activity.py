"""Which names a piece of code reads, binds, may bind, deletes and shares with nested functions."""

from __future__ import annotations

import textwrap
from typing import Any

import gast
import pytest

from agir.autograph.pyct.activity import access_of, is_generator, scope_of


def access(source: str) -> dict[str, str]:
    """What statements do, each set as names in alphabetical order; empty ones are left out."""
    found = access_of(*gast.parse(textwrap.dedent(source)).body)
    sets = {
        "reads": {node.id for node in found.reads},
        "inner": {node.id for node in found.inner_reads},
        "late": {node.id for node in found.late_reads},
        "binds": found.binds,
        "may": found.may_bind,
        "deletes": found.deletes,
        "captured": found.captured,
        "shared": found.shared,
        "globals": found.declared_global,
        "nonlocals": found.declared_nonlocal,
    }
    return {kind: " ".join(sorted(names)) for kind, names in sets.items() if names}


def function(source: str) -> Any:
    return gast.parse(textwrap.dedent(source)).body[0]


TARGETS = [
    ("x = y", {"reads": "y", "binds": "x"}),
    ("x = y = z", {"reads": "z", "binds": "x y"}),
    ("x, (y, *z) = w", {"reads": "w", "binds": "x y z"}),
    ("x.a = y", {"reads": "x y"}),
    ("x[i], y = z", {"reads": "i x z", "binds": "y"}),
    ("x += y", {"reads": "x y", "binds": "x"}),
    ("x[i] += y", {"reads": "i x y"}),
    ("x: int = y", {"reads": "y", "binds": "x"}),
    ("x: int", {}),
    ("del x, y[i]", {"reads": "i y", "deletes": "x"}),
    ("import a.b, c as d", {"binds": "a d"}),
    ("from a import b, c as d", {"binds": "b d"}),
    ("global x; x = 1", {"binds": "x", "globals": "x"}),
    ("nonlocal x; x += 1", {"reads": "x", "binds": "x", "nonlocals": "x"}),
]

EXPRESSIONS = [
    ("f(x, *y, k=z)", {"reads": "f x y z"}),
    ("(x := y)", {"reads": "y", "binds": "x"}),
    ("x and (y := z)", {"reads": "x z", "may": "y"}),
    ("(x := y) and z", {"reads": "y z", "binds": "x"}),
    ("a < (b := c) < (d := e)", {"reads": "a c e", "binds": "b", "may": "d"}),
    ("(x := a) if (y := b) else c", {"reads": "a b c", "binds": "y", "may": "x"}),
    ("assert x, (y := z)", {"reads": "x z", "may": "y"}),
    ("f'{x!r:>{y}}'", {"reads": "x y"}),
]

COMPREHENSIONS = [
    # The first iterable is evaluated outside, the rest in a function of its own.
    ("[x + y for x in z]", {"reads": "z", "inner": "y"}),
    ("[x for x in x]", {"reads": "x"}),
    ("{k: v for k in a for v in k + b if c}", {"reads": "a", "inner": "b c"}),
    ("[(n := x) for x in y]", {"reads": "y", "may": "n"}),
    ("list(x + y for x in z)", {"reads": "list z", "inner": "y", "late": "y", "captured": "y"}),
    ("[[x + y for y in x] for x in z]", {"reads": "z"}),
]

FUNCTIONS = [
    ("def g(x=y): return x + z", {"reads": "y", "binds": "g", "captured": "z"}),
    ("lambda x=y: x + z", {"reads": "y", "captured": "z"}),
    ("@d\ndef g(x: t) -> r: pass", {"reads": "d r t", "binds": "g"}),
    ("def g():\n x = 1\n return x", {"binds": "g"}),
    ("def g():\n nonlocal x\n x = 1", {"binds": "g", "captured": "x", "shared": "x"}),
    (
        "def g():\n def h():\n  nonlocal x\n  x = y",
        {"binds": "g", "captured": "x y", "shared": "x"},
    ),
    ("def g():\n x = 1\n def h():\n  nonlocal x\n  x = 2", {"binds": "g"}),
    ("def g():\n global x\n x = 1", {"binds": "g"}),
    (
        "class C(b):\n y = x\n def m(self): return z",
        {"reads": "b", "binds": "C", "captured": "x z"},
    ),
    ("[lambda: x for x in y]", {"reads": "y"}),
    ("[lambda: x + w for x in y]", {"reads": "y", "captured": "w"}),
]


@pytest.mark.parametrize(
    ("source", "expected"), [*TARGETS, *EXPRESSIONS, *COMPREHENSIONS, *FUNCTIONS]
)
def test_what_a_statement_does(source: str, expected: dict[str, str]) -> None:
    assert access(source) == expected


PATTERNS = {
    "case x: pass": "x",
    "case [x, *y]: pass": "x y",
    "case {'k': x, **y}: pass": "x y",
    "case C(a=x) as y: pass": "x y",
    "case 1 | 2 | None: pass": "",
    "case a.b: pass": "",
}


@pytest.mark.parametrize("case", PATTERNS)
def test_a_pattern_may_bind(case: str) -> None:
    (match,) = gast.parse(f"match s:\n {case}").body
    assert " ".join(sorted(access_of(match.cases[0].pattern).may_bind)) == PATTERNS[case]


def test_the_scope_of_a_function() -> None:
    scope = scope_of(
        function("""
        def f(a, /, b, *c, d=0, **e):
            global g
            g, h = a, outside
            def inner():
                nonlocal h
                h = b + elsewhere
            for i in c:
                pass
            try:
                pass
            except ValueError as error:
                pass
            with d as j:
                pass
            return [k for k in e]
        """)
    )
    assert scope.params == ("a", "b", "c", "d", "e")
    assert list(scope.locals) == ["a", "b", "c", "d", "e", "h", "inner", "i", "error", "j"]
    assert scope.globals == {"g"}
    assert scope.captured == {"h", "b"}
    assert scope.shared == {"h"}
    assert scope.free == {"outside", "elsewhere", "ValueError"}


def test_a_nonlocal_variable_is_free_and_outer() -> None:
    scope = scope_of(function("def f():\n nonlocal x\n x = 1"))
    assert scope.outer == {"x"} == scope.free
    assert not scope.locals


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f(): yield 1", True),
        ("def f(): x = yield from y", True),
        ("async def f(): pass", True),
        ("def f(): return (x for x in y)", False),
        ("def f():\n def g(): yield 1", False),
        ("def f(): return lambda: (yield)", False),
    ],
)
def test_generators(source: str, expected: bool) -> None:
    assert is_generator(function(source)) is expected
