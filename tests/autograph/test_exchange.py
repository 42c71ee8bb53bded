"""Trees of Python's become those of `gast`, and back, as `gast` makes them."""

from __future__ import annotations

import ast
import inspect
import json
import typing
from collections.abc import Sequence
from typing import Any

import gast
import pytest

from agir.autograph.pyct.exchange import to_ast, to_gast

SOURCE = '''
async def f(a, /, b: int = 1, *c, d, e=2, **g) -> str:
    """A text."""
    global h
    x: int = a[1:2, ::3]
    try:
        async with b as (i, j), c:
            x += -a @ b if not c and d else lambda k=1: k
    except ValueError as error:
        raise error from None
    else:
        return [y async for y in x if y < 1 <= 2]
    finally:
        del x, a.b
    match a:
        case {"k": [1, *rest], **others}:
            pass
        case C(2, z=None) | None:
            await g(*a, k=3, **b)
        case str() as s if (t := s):
            print(f"{a!r:>{b}}" "u")

@property
class D(A, metaclass=B):
    async def m(self): ...
    for i in range(3):
        continue
'''


def trees() -> Sequence[str]:
    texts = [inspect.getsource(module) for module in (ast, inspect, json, typing)]
    return [*texts, SOURCE]


@pytest.mark.parametrize("text", trees(), ids=["ast", "inspect", "json", "typing", "all"])
def test_as_gast_does(text: str) -> None:
    def shown(tree: Any) -> str:
        return ast.dump(tree, include_attributes=True)

    tree = ast.parse(text)
    ours, theirs = to_gast(tree), gast.ast_to_gast(tree)
    assert shown(ours) == shown(theirs)
    assert shown(to_ast(ours)) == shown(gast.gast_to_ast(theirs))
    assert shown(to_ast(to_gast(tree))) == shown(tree)
    compile(to_ast(ours), "text", "exec")
