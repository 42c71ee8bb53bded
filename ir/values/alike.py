"""Extents that variables of one branch or loop share, although only the run time knows them.

``x, y = x[keep], y[keep]`` in a loop leaves two arrays of one unknown length.  Were that forgotten
where the loop closes, each ``x * y`` in it would have to compare lengths and be ready to repeat one
of the two.  So the unknown dimensions of `Typed` slots carry *marks*: those with one mark are of one
extent, on every path that comes together there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from agir.ir.values.slots import Slot, Structure, Typed


class Mark:
    """An extent that only the run time knows; it is itself and no other."""

    __slots__ = ()


Key = tuple[Any, ...]
"""The extents of one dimension on each path: ints, ``Dim`` objects and marks."""


def has_unknown(slot: Slot) -> bool:
    """Whether a slot has a dimension that marks are for."""
    if isinstance(slot, Structure):
        return any(map(has_unknown, slot.items))
    return type(slot) is Typed and None in slot.dims


def share_extents(slots: Sequence[Slot], paths: Sequence[Sequence[Slot]]) -> list[Slot]:
    """The slots of a statement, with marks; ``paths`` are those of its variables on each path.

    The unknown dimensions of two slots get one mark where they are of one extent on the first path,
    of one on the second, and so on.  A mark that is there already, because a loop has been recorded
    with it, stays where all that have it agree once more.
    """
    keys: dict[Key, None] = {}
    _visit(slots, paths, lambda key: keys.setdefault(key))
    followers: dict[Mark, int] = {}
    for first, *_ in keys:
        if isinstance(first, Mark):
            followers[first] = followers.get(first, 0) + 1
    marks = {
        key: key[0] if isinstance(key[0], Mark) and followers[key[0]] == 1 else Mark()
        for key in keys
    }
    return _visit(slots, paths, lambda key: marks[key])


def _visit(
    slots: Sequence[Slot], paths: Sequence[Sequence[Slot]], marked: Callable[[Key], Mark | None]
) -> list[Slot]:
    return [_marked(slot, parts, marked) for slot, *parts in zip(slots, *paths, strict=True)]


def _marked(slot: Slot, paths: Sequence[Slot], marked: Callable[[Key], Mark | None]) -> Slot:
    if isinstance(slot, Structure):
        held = [each.items for each in paths if isinstance(each, Structure)]
        if len(held) < len(paths) or any(len(items) != len(slot.items) for items in held):
            return slot
        return replace(slot, items=tuple(_visit(slot.items, held, marked)))
    if not paths or not has_unknown(slot) or not isinstance(slot, Typed):
        return slot
    arrays = [each.by_value() for each in paths]
    alike = tuple(
        None if dim is not None or (key := _key(arrays, axis)) is None else marked(key)
        for axis, dim in enumerate(slot.dims)
    )
    return replace(slot, alike=alike)


def _key(arrays: Sequence[Slot], axis: int) -> Key | None:
    found = []
    for each in arrays:
        if type(each) is not Typed or (each.dims[axis] is None and not each.alike):
            return None
        found.append(each.alike[axis] if each.dims[axis] is None else each.dims[axis])
    return None if None in found else tuple(found)
