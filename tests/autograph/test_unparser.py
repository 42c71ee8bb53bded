"""The unparser writes what Python reads back as the same tree."""

from __future__ import annotations

import ast
import sys
import sysconfig
from pathlib import Path

import pytest

from agir.autograph.pyct.unparser import unparse

LIBRARY = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))


def same(source: str | bytes) -> bool:
    tree = ast.parse(source)
    return ast.dump(ast.parse(unparse(tree))) == ast.dump(tree)


@pytest.mark.parametrize("path", LIBRARY[::9], ids=lambda path: path.name)
def test_the_standard_library(path: Path) -> None:
    assert same(path.read_bytes())


STATEMENTS = [
    "def f(a, /, b: int = 1, *args: str, c, d=2, **k: float) -> None: pass",
    "def f(*, a): pass",
    "@(x := y)\nclass A(B, metaclass=C): x: int; (y): int = 1",
    "async def f():\n async with a as b, (c, d): pass\n async for i in x: await y",
    "async def f(): return [z async for z in w]",
    "match x:\n case [1, *_] | {'a': b, **rest} if (y := b): pass\n case _: pass",
    "match x, y:\n case P(1, q=None) as z: pass\n case -1 | a.b | 1+2j: pass",
    "a, *b = c, = d[1:2, ::3] = e[f:=1] = g[()]",
    "x = yield\ny = yield from z\nreturn_ = (yield)",
    "f(*a, c=(yield), *d, **b)",
    "assert (a, b), (c := d)",
    "with (a := b), (c, d) as [e, f]: pass",
    "del a, b[0], (c.d, e)",
    "raise A from B",
    "from . import a as b, c\nfrom ..d import *",
    "try: pass\nexcept A as b: pass\nexcept: pass\nelse: pass\nfinally: pass",
    "while (x := f()): break\nelse: continue_",
    "lambda: 0\nlambda a, *b, c=1, **d: (yield)",
    "x: int\nx.y: int = 1\n",
    "a[b, *c] = 1" if sys.version_info >= (3, 11) else "a",
    "try: pass\nexcept* A: pass" if sys.version_info >= (3, 11) else "a",
    "def f[T: int, *U, **P](x: T): pass\nclass A[T]: pass\ntype B[T] = list[T]"
    if sys.version_info >= (3, 12)
    else "a",
    "def f[T = int, *U = *tuple[int], **P = [int]](): pass"
    if sys.version_info >= (3, 13)
    else "a",
]  # fmt: skip
EXPRESSIONS = [
    "-x ** -y ** z",
    "(-x) ** y",
    "(a ** b) ** c",
    "not (a and b or not c)",
    "a - (b - c) - d",
    "(a < b) < c",
    "a if (b if c else d) else (e if f else g)",
    "(lambda: a)()",
    "(await_ := 1, 2)",
    "1 .real + 1.0.real + 1j.imag + (-1).real",
    "1e999 + 1e999j",
    r"""'\'"\n\\\x00\ud800' """,
    r"""b'\xff\'"'""",
    "u'a'",
    "{**a, 'b': c, **(d or e)}",
    "{*a, b}",
    "[*a, *(b or c)]",
    "(*a,)",
    "(x for x in (y if z else w) if (lambda: x) if a or b)",
    "[a for b, in c for d in e]",
    "{a: b for c in d}",
    "f'{a}{b!r:>{w}.{p}}{{}}' 'x'",
    "f'{a[\"k\"]} {b} \\' \\n'",
    "f'''{x['a']} \"{y[\"b\"]}\"\n'''",
    "f'{(lambda: 1)} { {1: 2} } {(x := 1)} {a!s} {a=} {y:{z}}'",
    "f'{x:%H:%M}'",
    "a[b][c:d][e, f][...]",
    "... .real",
    "a @ b // c % d << e >> f & g | h ^ ~i",
    "a is not b not in c",
    "not a == b",
    "(not a) == b",
    "a and (b and c) and d",
]


@pytest.mark.parametrize("source", STATEMENTS)
def test_statements(source: str) -> None:
    if "yield" in source or "return" in source:
        source = (
            "async def g():\n " + source.replace("\n", "\n ")
            if "from" not in source
            else ("def g():\n " + source.replace("\n", "\n "))
        )
    assert same(source)


@pytest.mark.parametrize("source", EXPRESSIONS)
def test_expressions(source: str) -> None:
    assert same(source)


def test_parentheses_are_few() -> None:
    source = "x = a + b * c if not d < e else f(g, h=-i)[j + 1:]\n"
    assert unparse(ast.parse(source)) == source
