"""Calls with arrays that share memory, of a function that writes into one of them.

Such a call is traced on the arrays whose views the arguments are, each of them once: the arguments
are views while tracing, too, and see each other's writes as NumPy's do.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from math import gcd
from typing import Any

import numpy as np

from agir import autograph
from agir.ir.ops.core.rearranged import seen_through
from agir.ir.plain.entering import OfArrays
from agir.ir.tensors import structure
from agir.runtime.signatures.conforming import Conformed
from agir.runtime.signatures.trace_types import static_key
from agir.runtime.state.data import OF_ARRAYS

_Array = np.ndarray[Any, Any]
Subscript = tuple["int | slice | None", ...]


@dataclass(frozen=True)
class Part:
    """How an argument is seen: a basic subscript of a root, and then the order of its axes.

    ``fixed`` tells that nothing is written into it, though something may be into the root.
    """

    root: int
    subscript: Subscript
    order: tuple[int, ...]
    fixed: bool

    def of(self, roots: Sequence[Any]) -> Any:
        """The argument, of the arrays or what stands for them in a trace."""
        whole = all(part == slice(None) for part in self.subscript)
        taken = roots[self.root] if whole else roots[self.root][self.subscript]
        if self.order != tuple(range(len(self.order))):
            taken = taken.transpose(self.order)
        return seen_through(taken, lambda x: x, _as_it_lies) if self.fixed else taken

    def key(self) -> Any:
        """The same to be looked up by."""
        return (self.root, tuple(map(repr, self.subscript)), self.order, self.fixed)


def _as_it_lies(layout: Any, dims: Any) -> Any:
    """The layout of an array that is seen as it is, of the same dimensions."""
    return layout


def call(function: Any, arguments: dict[str, Any]) -> Callable[[], Any] | None:
    """The call on the arrays that the arguments are views of; None where they are no such views."""
    if function._traced.options.finish is not None:
        return None  # what it gives is no result yet
    signature = function._signature
    fixed = {name: arguments[name] for name in arguments if name in signature.static}
    leaves, key = structure.flatten({n: v for n, v in arguments.items() if n not in fixed}, _parts)
    leaves = [leaf.value if isinstance(leaf, Conformed) else leaf for leaf in leaves]
    roots, views = _views(leaves)
    if not views:
        return None
    given = list(leaves)
    for position in views:
        leaves[position] = None
    kind = (
        tuple((position, part.key()) for position, part in views.items()),
        tuple((name, static_key(value)) for name, value in fixed.items()),
    )
    variants = function._variants
    if kind not in variants:
        variants[kind] = _on_roots(function, views, fixed)
    rest = structure.unflatten(key, iter(leaves))

    def run() -> Any:
        result, own = variants[kind](roots, rest)
        return _with_own(result, own, given)

    return run


def _parts(value: Any) -> Any:
    """What a value consists of; objects that are made of arrays are not looked into."""
    is_whole = type(value) in OF_ARRAYS or isinstance(value, OfArrays)
    return None if is_whole else structure.children(value)


def _with_own(result: Any, own: tuple[int, ...], given: list[Any]) -> Any:
    """The result with the caller's own arrays where the function returns its arguments."""
    if not any(position >= 0 for position in own):
        return result
    leaves, key = structure.flatten(result)
    found = [given[p] if p >= 0 else leaf for p, leaf in zip(own, leaves, strict=True)]
    return structure.unflatten(key, iter(found))


def _on_roots(function: Any, views: dict[int, Part], fixed: Any) -> Any:
    """The function of the arrays that arguments are views of, and of the other arguments.

    It gives the result too with -1, or the number of the argument that it is, for each leaf.
    """
    signature, traced = function._signature, function._traced
    converted = autograph.convert(traced.python_function)

    @functools.wraps(traced.python_function)
    def on_roots(roots: list[Any], rest: dict[str, Any]) -> Any:
        leaves, key = structure.flatten(rest, _parts)
        for position, part in views.items():
            leaves[position] = part.of(roots)
        given = structure.unflatten(key, iter(leaves)) | fixed
        result = signature.apply(
            converted, {name: given[name] for name in signature.python.parameters}
        )
        places = {id(leaves[position]): position for position in views}
        returned, shape = structure.flatten(result)
        own = tuple(places.get(id(leaf), -1) for leaf in returned)
        kept = [0 if p >= 0 else leaf for p, leaf in zip(own, returned, strict=True)]
        return structure.unflatten(shape, iter(kept)), own

    del on_roots.__wrapped__  # the parameters are others
    options = replace(traced.options, static=(), input_signature=None, convert=False, is_inner=True)
    return type(function)(on_roots, options)


def _views(leaves: list[Any]) -> tuple[list[_Array], dict[int, Part]]:
    """The arrays that leaves are views of, and by leaf how, where they share memory."""
    owners: dict[int, list[int]] = {}
    for position, leaf in enumerate(leaves):
        if type(leaf) is np.ndarray and leaf.size:
            owners.setdefault(id(_root(leaf)), []).append(position)
    roots: list[_Array] = []
    views: dict[int, Part] = {}
    for positions in owners.values():
        group = [leaves[position] for position in positions]
        if len(group) < 2:
            continue
        found = next(filter(None, (_seen_from(root, group) for root in _candidates(group))), None)
        if found is None:
            return [], {}
        root, parts = found
        views |= {
            p: Part(len(roots), *each, not leaves[p].flags.writeable)
            for p, each in zip(positions, parts, strict=True)
        }
        roots.append(root if root.flags.writeable else _as_writable_as(group, root))
    return roots, views


class _Memory:
    """The memory of an array, which may be written into."""

    def __init__(self, array: _Array) -> None:
        self._array = array
        found = array.__array_interface__
        self.__array_interface__ = {**found, "data": (found["data"][0], False)}


def _as_writable_as(group: list[_Array], root: _Array) -> _Array:
    """The array that is read-only itself, for views that may be written into."""
    if any(each.flags.writeable for each in group):
        return np.asarray(_Memory(root))
    return root


def _candidates(group: list[_Array]) -> Iterator[_Array]:
    """Arrays that all of them may be views of: their base, one of them, the base in their shape."""
    base = _root(group[0])
    base = base if base.flags.c_contiguous else base.T
    yield base
    yield from group
    steps_of = [_steps(each) for each in group]
    rank = max(map(len, steps_of))
    if not base.flags.c_contiguous or not rank:
        return
    widest = [steps for steps in steps_of if len(steps) == rank]
    strides = [gcd(*along) for along in zip(*widest, strict=True)]
    for steps in (strides, [*strides, base.itemsize]):
        with suppress(ValueError):  # it has no such shape
            yield base.reshape([-1, *(a // b if b else 0 for a, b in pairwise(steps))])


def _in_order(view: _Array) -> tuple[_Array, tuple[int, ...]]:
    """The view with the axes of the longest steps first, and the order that undoes that."""
    order = sorted(range(view.ndim), key=lambda i: (view.shape[i] == 1, -abs(view.strides[i])))
    return view.transpose(order), tuple(order.index(axis) for axis in range(view.ndim))


def _steps(view: _Array) -> list[int]:
    """The steps along the axes of more than one element, the longest first."""
    turned = _in_order(view)[0]
    return [s for n, s in zip(turned.shape, turned.strides, strict=True) if n != 1]


def _seen_from(
    root: _Array, group: list[_Array]
) -> tuple[_Array, list[tuple[Subscript, tuple[int, ...]]]] | None:
    found = [_part(root, each) for each in group]
    parts = [each for each in found if each is not None]
    return (root, parts) if len(parts) == len(group) else None


def _part(root: _Array, view: _Array) -> tuple[Subscript, tuple[int, ...]] | None:
    """The subscript that takes the view from the root, and the order of axes after that."""
    for turned, back in ((view, tuple(range(view.ndim))), _in_order(view)):
        subscript = _subscript(root, turned)
        if subscript is not None:
            return subscript, back
    return None


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
    parts: list[int | slice | None] = []
    for size, stride in zip(root.shape, root.strides, strict=True):
        start, offset = divmod(offset, stride) if stride else (0, offset)
        inside = axes and stride and axes[0][1] % stride == 0 and start < size
        step = axes[0][1] // stride if inside else 0
        if inside and (step or axes[0][0] == 1) and abs(step) * (axes[0][0] - 1) < size:
            count, _ = axes.pop(0)
            parts.append(_slice(start, count, step or 1, size))
        else:
            parts.append(start)
    if offset or any(size != 1 for size, _ in axes):
        return None
    subscript = (*parts, *[None] * len(axes))
    try:
        taken = root[subscript]
    except IndexError:
        return None
    return subscript if _is_same(taken, view) else None


def _slice(start: int, count: int, step: int, size: int) -> slice:
    if (start, count, step) == (0, size, 1):
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
