"""Which part of which buffer a value of a ``memref`` type is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from agir.backends.mlir.graph import Producers
from agir.ir.building import bindings


class Subscript(NamedTuple):
    """Where along one dimension of a buffer: at ``offset + step * counter``.

    The counter is that of a dimension of the view (later of a loop), or None: the offset alone.
    The offset is a number, an SSA value, or None where nothing is known of the place.
    """

    offset: Any
    step: int
    counter: int | None


ANYWHERE = Subscript(None, 0, None)


class View(NamedTuple):
    """The buffer, and one place for each of its dimensions."""

    base: Any
    places: list[Subscript]


def view_of(value: Any, graph: Producers) -> View:
    """What a value is a view of; of itself, if nothing is known of where it comes from."""
    source = graph.producer(value)
    step = _STEPS.get(source.name) if source is not None else None
    if source is None or step is None:
        return View(value, [Subscript(0, 1, axis) for axis in range(value.type.rank)])
    base, places = view_of(source.operands[0], graph)
    inner = step(source)
    return View(base, [_composed(place, inner) for place in places])


def is_view(operation: Any) -> bool:
    """Whether an operation only gives a buffer, or a part of it, another name."""
    return operation.name in _STEPS


def _composed(place: Subscript, inner: Sequence[Subscript]) -> Subscript:
    if place.counter is None:
        return place
    offset, step, counter = inner[place.counter]
    if offset is None or place.offset is None:
        return ANYWHERE
    if isinstance(offset, int) and isinstance(place.offset, int):
        return Subscript(place.offset + place.step * offset, place.step * step, counter)
    if isinstance(offset, int) and offset == 0:
        return Subscript(place.offset, place.step * step, counter)
    if isinstance(place.offset, int) and place.offset == 0 and place.step == 1:
        return Subscript(offset, step, counter)
    return ANYWHERE


def _whole(cast: Any) -> list[Subscript]:
    return [Subscript(0, 1, axis) for axis in range(cast.results[0].type.rank)]


def part_sizes(subview: Any) -> list[Any]:
    """The sizes of a subview, numbers or SSA values."""
    _, sizes, _ = _numbers(subview)
    kept = _kept(sizes, subview.results[0].type)
    return [size for size, axis in zip(sizes, kept, strict=True) if axis is not None]


def _numbers(subview: Any) -> list[list[Any]]:
    numbers = iter(list(subview.operands)[1:])
    unknown = bindings.ir.ShapedType.get_dynamic_stride_or_offset()
    return [
        [next(numbers) if n == unknown else n for n in subview.attributes[name]]
        for name in ("static_offsets", "static_sizes", "static_strides")
    ]


def _part(subview: Any) -> list[Subscript]:
    offsets, sizes, steps = _numbers(subview)
    kept = iter(_kept(sizes, subview.results[0].type))
    return [
        Subscript(offset, step, counter) if isinstance(step, int) else ANYWHERE
        for offset, step, counter in zip(offsets, steps, kept, strict=True)
    ]


def _kept(sizes: Sequence[Any], result: Any) -> list[int | None]:
    """For each dimension of a subview's source the one of its result, or None if it is dropped.

    Which of several loop_sizes of 1 is dropped makes no difference to what is at which place.
    """
    surplus = len(sizes) - result.rank
    found: list[int | None] = []
    axis = 0
    for size in sizes:
        if surplus and isinstance(size, int) and size == 1:
            surplus -= 1
            found.append(None)
        else:
            found.append(axis)
            axis += 1
    return found


def _expanded(operation: Any) -> list[Subscript]:
    shape = operation.results[0].type.shape
    return [_only(shape, group) for group in _groups(operation)]


def _collapsed(operation: Any) -> list[Subscript]:
    shape = operation.operands[0].type.shape
    places = []
    for axis, group in enumerate(_groups(operation)):
        large = [each for each in group if shape[each] != 1] or group[:1]
        for each in group:
            if len(large) > 1:
                places.append(ANYWHERE)
            else:
                places.append(Subscript(0, 1, axis if each in large else None))
    return places


def _only(shape: Sequence[int], group: Sequence[int]) -> Subscript:
    large = [axis for axis in group if shape[axis] != 1] or list(group[:1])
    return Subscript(0, 1, large[0]) if len(large) == 1 else ANYWHERE


def _groups(operation: Any) -> list[list[int]]:
    return [[axis.value for axis in group] for group in operation.attributes["reassociation"]]


_STEPS = {
    "memref.subview": _part,
    "memref.cast": _whole,
    "memref.expand_shape": _expanded,
    "memref.collapse_shape": _collapsed,
}
