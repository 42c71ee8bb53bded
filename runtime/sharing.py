"""Calls with arrays that share memory, of a function that writes into one of them.

Such a call is traced on the arrays whose views the arguments are, each of them once: the arguments
are views while tracing, too, and see each other's writes as NumPy's do.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from math import gcd
from typing import Any

import numpy as np

from agir import autograph
from agir.ir import structure
from agir.runtime.signatures.trace_types import static_key

_Array = np.ndarray[Any, Any]
Subscript = tuple["int | slice", ...]


def call(function: Any, arguments: dict[str, Any]) -> Callable[[], Any] | None:
    """The call on the arrays that the arguments are views of; None where they are no such views."""
    signature = function._signature
    fixed = {name: arguments[name] for name in arguments if name in signature.static}
    leaves, key = structure.flatten({n: v for n, v in arguments.items() if n not in fixed})
    roots, views = _views(leaves)
    if not views:
        return None
    for position in views:
        leaves[position] = None
    kind = (_hashable(views), tuple((name, static_key(value)) for name, value in fixed.items()))
    variants = function._variants
    if kind not in variants:
        variants[kind] = _on_roots(function, views, fixed)
    rest = structure.unflatten(key, iter(leaves))
    return lambda: variants[kind](roots, rest)


def _on_roots(function: Any, views: dict[int, tuple[int, Subscript]], fixed: Any) -> Any:
    """The function of the arrays that arguments are views of, and of the other arguments."""
    signature, traced = function._signature, function._traced
    converted = autograph.convert(traced.python_function)

    @functools.wraps(traced.python_function)
    def on_roots(roots: list[Any], rest: dict[str, Any]) -> Any:
        leaves, key = structure.flatten(rest)
        for position, (root, subscript) in views.items():
            whole = all(part == slice(None) for part in subscript)
            leaves[position] = roots[root] if whole else roots[root][subscript]
        given = structure.unflatten(key, iter(leaves)) | fixed
        return signature.apply(
            converted, {name: given[name] for name in signature.python.parameters}
        )

    del on_roots.__wrapped__  # the parameters are others
    options = replace(traced.options, static=(), input_signature=None, convert=False)
    return type(function)(on_roots, options)


def _views(leaves: list[Any]) -> tuple[list[_Array], dict[int, tuple[int, Subscript]]]:
    """The arrays that several leaves are views of, and by leaf which one and how."""
    owners: dict[int, list[int]] = {}
    for position, leaf in enumerate(leaves):
        if type(leaf) is np.ndarray and leaf.size:
            owners.setdefault(id(_root(leaf)), []).append(position)
    roots: list[_Array] = []
    views: dict[int, tuple[int, Subscript]] = {}
    for positions in owners.values():
        if len(positions) < 2:
            continue
        group = [leaves[position] for position in positions]
        found = next(filter(None, (_seen_from(root, group) for root in _candidates(group))), None)
        if found is None:
            return [], {}
        root, subscripts = found
        views |= {p: (len(roots), each) for p, each in zip(positions, subscripts, strict=True)}
        roots.append(root)
    return roots, views


def _candidates(group: list[_Array]) -> Iterator[_Array]:
    """Arrays that all of them may be views of: their base, one of them, the base in their shape."""
    base = _root(group[0])
    yield base
    yield from group
    rank = max(each.ndim for each in group)
    if not base.flags.c_contiguous or not rank:
        return
    widest = [each.strides for each in group if each.ndim == rank]
    strides = [gcd(*along) for along in zip(*widest, strict=True)]
    extents = [-1, *(a // b if b else 0 for a, b in pairwise(strides))]
    with suppress(ValueError):  # it has no such shape
        yield base.reshape(extents)


def _seen_from(root: _Array, group: list[_Array]) -> tuple[_Array, list[Subscript]] | None:
    found = [_subscript(root, each) for each in group]
    subscripts = [each for each in found if each is not None]
    return (root, subscripts) if len(subscripts) == len(group) else None


def _root(array: _Array) -> _Array:
    while type(array.base) is np.ndarray:
        array = array.base
    return array


def _subscript(root: _Array, view: _Array) -> Subscript | None:
    """The basic subscript that takes the view from the array; None where there is none."""
    if root.dtype != view.dtype or not root.flags.c_contiguous:
        return None
    first = root.__array_interface__["data"][0]
    offset = view.__array_interface__["data"][0] - first
    axes = list(zip(view.shape, view.strides, strict=True))
    parts: list[int | slice] = []
    for extent, stride in zip(root.shape, root.strides, strict=True):
        start, offset = divmod(offset, stride) if stride else (0, offset)
        inside = axes and stride and axes[0][1] % stride == 0 and start < extent
        step = axes[0][1] // stride if inside else 0
        if inside and (step or axes[0][0] == 1) and abs(step) * (axes[0][0] - 1) < extent:
            count, _ = axes.pop(0)
            parts.append(_slice(start, count, step or 1, extent))
        else:
            parts.append(start)
    subscript = tuple(parts)
    if axes or offset:
        return None
    try:
        taken = root[subscript]
    except IndexError:
        return None
    return subscript if _is_same(taken, view) else None


def _slice(start: int, count: int, step: int, extent: int) -> slice:
    if (start, count, step) == (0, extent, 1):
        return slice(None)
    stop = start + count * step
    return slice(start, None if stop < 0 else stop, step)


def _is_same(one: Any, other: _Array) -> bool:
    if not isinstance(one, np.ndarray) or one.shape != other.shape:
        return False
    moves = [s for n, s in zip(one.shape, one.strides, strict=True) if n > 1]
    others = [s for n, s in zip(other.shape, other.strides, strict=True) if n > 1]
    places = (one.__array_interface__["data"][0], other.__array_interface__["data"][0])
    return moves == others and places[0] == places[1]


def _hashable(views: dict[int, tuple[int, Subscript]]) -> Any:
    return tuple(
        (position, root, tuple(repr(part) for part in subscript))
        for position, (root, subscript) in views.items()
    )
