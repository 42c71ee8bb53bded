"""Numba's ``stencil``: kernels that read beside the element that they compute."""

from __future__ import annotations

import ast
import functools
import inspect
import textwrap
from collections.abc import Callable
from typing import Any

from agir.numba.stencil_loops import applied
from agir.runtime.blame import at_caller

Neighbourhood = tuple[tuple[int, int], ...]


def stencil(func_or_mode: Any = "constant", **options: Any) -> Any:
    """Make a function of arrays of a kernel with relative indices; a decorator (`numba.stencil`).

    ``neighborhood``: the least and largest index of each dimension, where the kernel's text does not
    have them.  ``standard_indexing``: the names of arrays that are indexed as usual.  ``cval``: what
    the border gets.
    """
    if callable(func_or_mode):
        return _made(func_or_mode, **options)
    if func_or_mode != "constant":
        raise ValueError(at_caller(f"stencil: there is no mode {func_or_mode!r}, only 'constant'"))
    return functools.partial(_made, **options)


def _made(
    func: Callable[..., Any],
    neighborhood: Neighbourhood | None = None,
    standard_indexing: tuple[str, ...] = (),
    cval: Any = 0,
    **_: Any,
) -> Callable[..., Any]:
    usual = tuple(standard_indexing)
    names = tuple(inspect.signature(func).parameters)
    reach = neighborhood or _reach(func, names, usual)
    return functools.wraps(func)(applied(func, names, usual, tuple(reach), cval))


def _reach(func: Any, names: tuple[str, ...], usual: tuple[str, ...]) -> Neighbourhood:
    """The least and largest index of each dimension in a kernel's text."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(func)))
    found: list[tuple[int, ...]] = []
    relative = set(names) - set(usual)
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name)):
            continue
        if node.value.id in relative:
            index = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            found.append(tuple(map(_constant, index)))
    if not found:
        raise ValueError(at_caller(f"{func.__name__} reads no array by relative indices"))
    return tuple((min(0, *each), max(0, *each)) for each in zip(*found, strict=True))


def _constant(node: ast.expr) -> int:
    try:
        return int(ast.literal_eval(node))
    except (ValueError, TypeError, SyntaxError):
        text = ast.unparse(node)
        raise ValueError(
            at_caller(f"the index {text} of a stencil is no constant: give neighborhood=")
        ) from None
