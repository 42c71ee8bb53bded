"""Sizes that variables of one branch or loop share, although only the run time knows them.

``x, y = x[keep], y[keep]`` in a loop leaves two arrays of one unknown length.  Were that forgotten
where the loop closes, each ``x * y`` in it would have to compare lengths and be ready to repeat one
of the two.  So the unknown dimensions of `Typed` abstract values carry *marks*: those with one mark
are of one size, on every path that comes together there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from agir.ir.values.abstract_values import AbstractValue, Structure, Typed


class Mark:
    """A size that only the run time knows; it is itself and no other."""

    __slots__ = ()


Key = tuple[Any, ...]
"""The sizes of one dimension on each path: ints, ``Dim`` objects and marks."""


def has_unknown(abstract: AbstractValue) -> bool:
    """Whether an abstract value has a dimension that marks are for."""
    if isinstance(abstract, Structure):
        return any(map(has_unknown, abstract.items))
    return type(abstract) is Typed and None in abstract.dims


def share_sizes(
    abstract_values: Sequence[AbstractValue], paths: Sequence[Sequence[AbstractValue]]
) -> list[AbstractValue]:
    """The abstract values of a statement, with marks; ``paths`` has those of each path.

    The unknown dimensions of two abstract values get one mark where they are of one size on the
    first path, of one on the second, and so on.  A mark that is there already, because a loop has
    been recorded with it, stays where all that have it agree once more.
    """
    keys: dict[Key, None] = {}
    _visit(abstract_values, paths, lambda key: keys.setdefault(key))
    followers: dict[Mark, int] = {}
    for first, *_ in keys:
        if isinstance(first, Mark):
            followers[first] = followers.get(first, 0) + 1
    marks = {
        key: key[0] if isinstance(key[0], Mark) and followers[key[0]] == 1 else Mark()
        for key in keys
    }
    return _visit(abstract_values, paths, lambda key: marks[key])


def _visit(
    abstract_values: Sequence[AbstractValue],
    paths: Sequence[Sequence[AbstractValue]],
    marked: Callable[[Key], Mark | None],
) -> list[AbstractValue]:
    return [
        _marked(abstract, parts, marked)
        for abstract, *parts in zip(abstract_values, *paths, strict=True)
    ]


def _marked(
    abstract: AbstractValue, paths: Sequence[AbstractValue], marked: Callable[[Key], Mark | None]
) -> AbstractValue:
    if isinstance(abstract, Structure):
        held = [each.items for each in paths if isinstance(each, Structure)]
        if len(held) < len(paths) or any(len(items) != len(abstract.items) for items in held):
            return abstract
        return replace(abstract, items=tuple(_visit(abstract.items, held, marked)))
    if not paths or not has_unknown(abstract) or not isinstance(abstract, Typed):
        return abstract
    arrays = [each.by_value() for each in paths]
    alike = tuple(
        None if dim is not None or (key := _key(arrays, axis)) is None else marked(key)
        for axis, dim in enumerate(abstract.dims)
    )
    return replace(abstract, alike=alike)


def _key(arrays: Sequence[AbstractValue], axis: int) -> Key | None:
    found = []
    for each in arrays:
        if type(each) is not Typed or (each.dims[axis] is None and not each.alike):
            return None
        found.append(each.alike[axis] if each.dims[axis] is None else each.dims[axis])
    return None if None in found else tuple(found)
