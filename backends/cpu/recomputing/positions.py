"""Which elements of a tensor a loop reads, through slices of slices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from agir.backends.cpu.dependence.constants import number_of
from agir.backends.cpu.dependence.linear import ZERO, Linear, linear
from agir.backends.mlir.graph import Producers
from agir.ir.building import bindings


class Index(NamedTuple):
    """Where along one dimension: ``offset + step * counter``, or the offset alone.

    The counter is the number of a dimension, later of a loop.
    """

    offset: Linear
    step: int
    counter: int | None


Position = tuple[Index, ...]
"""An index for each dimension of a tensor."""


def whole(rank: int) -> Position:
    """Each element at its own place."""
    return tuple(Index(ZERO, 1, axis) for axis in range(rank))


def composed(outer: Position, inner: Position) -> Position:
    """`outer`, whose counters are dimensions that are themselves at `inner`."""
    return tuple(
        each
        if each.counter is None
        else Index(
            each.offset + inner[each.counter].offset * each.step,
            each.step * inner[each.counter].step,
            inner[each.counter].counter,
        )
        for each in outer
    )


def read_through(value: Any, graph: Producers) -> tuple[Any, Position]:
    """The tensor that a value is a slice of, and where in it the value's elements are."""
    source = graph.producer(value, "tensor.extract_slice")
    inner = None if source is None else _of_slice(source, graph)
    if source is None or inner is None:
        return value, whole(value.type.rank)
    base, outer = read_through(source.operands[0], graph)
    return base, composed(outer, inner)


def dimension_size(value: Any, axis: int, graph: Producers) -> Any:
    """How long a tensor is: a number, an SSA value, or None if no value outside of it says so."""
    if not value.type.is_dynamic_dim(axis):
        return value.type.get_dim_size(axis)
    source = graph.producer(value)
    if source is None:
        return None
    if source.name == "tensor.empty":
        dynamic = [each for each in range(value.type.rank) if value.type.is_dynamic_dim(each)]
        return source.operands[dynamic.index(axis)]
    if source.name == "tensor.extract_slice":
        sizes = _numbers(source, "sizes")
        return [n for n, kept in zip(sizes, _kept(source), strict=True) if kept is not None][axis]
    if source.name == "tensor.cast":
        return dimension_size(source.operands[0], axis, graph)
    if source.name.startswith("linalg."):
        inputs = len(source.operands) - len(source.results)
        target = source.operands[inputs + list(source.results).index(value)]
        return dimension_size(target, axis, graph)
    return None


def _of_slice(extract: Any, graph: Producers) -> Position | None:
    steps = _numbers(extract, "strides")
    if not all(isinstance(step, int) for step in steps):
        return None
    offsets = _numbers(extract, "offsets")
    source = extract.operands[0]
    return tuple(
        Index(_offset(offset, source, axis, graph), step if counter is not None else 0, counter)
        for axis, (offset, step, counter) in enumerate(
            zip(offsets, steps, _kept(extract), strict=True)
        )
    )


def _numbers(extract: Any, what: str) -> list[Any]:
    """The offsets, sizes or strides of a slice: numbers, or SSA values."""
    kinds = ("offsets", "sizes", "strides")
    segments = list(extract.attributes["operandSegmentSizes"])
    start = 1 + sum(segments[1 : 1 + kinds.index(what)])
    given = iter(list(extract.operands)[start:])
    unknown = bindings.ir.ShapedType.get_dynamic_stride_or_offset()
    return [next(given) if n == unknown else n for n in extract.attributes[f"static_{what}"]]


def _kept(extract: Any) -> Iterator[int | None]:
    """For each dimension of the source the slice's own, or None for one that is dropped.

    Of several sizes of 1 it makes no difference which is dropped.
    """
    sizes = extract.attributes["static_sizes"]
    surplus = len(sizes) - extract.results[0].type.rank
    axis = 0
    for size in sizes:
        if surplus and size == 1:
            surplus -= 1
            yield None
        else:
            yield axis
            axis += 1


def _offset(offset: Any, source: Any, axis: int, graph: Producers) -> Linear:
    """Where a slice begins, if it has any elements.

    Then the beginning is inside of the array, and a bound by the array's size says nothing.
    """
    if isinstance(offset, int):
        return Linear(offset)
    return linear(_unbounded(offset, source, axis, graph))


def _unbounded(offset: Any, source: Any, axis: int, graph: Producers) -> Any:
    operation = graph.producer(offset)
    if operation is None or operation.name not in ("arith.minsi", "arith.maxsi"):
        return offset
    values: Sequence[Any] = operation.operands
    for value, bound in (values, values[::-1]):
        inner = _unbounded(value, source, axis, graph)
        number = number_of(inner)
        if operation.name == "arith.minsi" and _is_size(bound, source, axis, graph):
            return inner
        if (
            operation.name == "arith.maxsi"
            and number_of(bound) == 0
            and number is not None
            and number >= 0
        ):
            return inner
    return offset


def _is_size(value: Any, source: Any, axis: int, graph: Producers) -> bool:
    known = dimension_size(source, axis, graph)
    if known is not None:
        return bool(known == value)
    dim = graph.producer(value, "tensor.dim")
    return dim is not None and dim.operands[0] == source and number_of(dim.operands[1]) == axis
