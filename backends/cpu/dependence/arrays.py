"""Which array a buffer is a part of, and where in it a subscript points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agir.backends.cpu.dependence.linear import ZERO, Linear, linear
from agir.backends.mlir.reached import reached
from agir.ir.building import bindings

Place = list[Linear] | None
"""A form for each dimension of the array; None where nothing is known."""

_CASTS = ("memref.cast", "memref.memory_space_cast")
ALLOCATIONS = ("memref.alloc", "memref.alloca")
SELECT = "arith.select"
SCRATCH = "agir.scratch"
"""On an allocation: each iteration of the loops around fills it before it is read."""


def array_of(buffer: Any) -> Any:
    """The buffer that another one is a view of: an allocation, an argument, or anything else."""
    while not isinstance(buffer.owner, bindings.ir.Block):
        operation = buffer.owner.operation
        if operation.name not in (*_CASTS, *_VIEWS):
            break
        buffer = operation.operands[0]
    return buffer


def pairs(one: Any, other: Any) -> Iterator[tuple[Any, Any]]:
    """The arrays that two arrays can be at the same time, where they are selected from others."""
    for pair in reached([(one, other)], _chosen):
        if not any(map(_selection, pair)):
            yield pair


def _chosen(pair: tuple[Any, Any]) -> list[tuple[Any, Any]]:
    """The pairs of which two arrays are one, by the first selection; none where nothing is selected."""
    one, other = pair
    first, second = _selection(one), _selection(other)
    if first is not None and second is not None and first.operands[0] == second.operands[0]:
        return list(zip(_choices(first), _choices(second), strict=True))
    if first is not None:
        return [(each, other) for each in _choices(first)]
    return [(one, each) for each in _choices(second)] if second is not None else []


def _selection(array: Any) -> Any:
    if isinstance(array.owner, bindings.ir.Block):
        return None
    operation = array.owner.operation
    return operation if operation.name == SELECT else None


def _choices(selection: Any) -> list[Any]:
    return [array_of(each) for each in list(selection.operands)[1:]]


def place_in_array(buffer: Any, subscripts: Place) -> Place:
    """Where in the array of a buffer an element of it lies."""
    while not isinstance(buffer.owner, bindings.ir.Block):
        operation = buffer.owner.operation
        if operation.name == "memref.subview":
            subscripts = None if subscripts is None else _of_subview(operation, subscripts)
        elif operation.name in _VIEWS:
            subscripts = None
        elif operation.name not in _CASTS:
            break
        buffer = operation.operands[0]
    return subscripts


_VIEWS = (
    "memref.subview",
    "memref.collapse_shape",
    "memref.expand_shape",
    "memref.reinterpret_cast",
    "memref.transpose",
    "memref.view",
    "memref.reshape",
)


def _of_subview(operation: Any, subscripts: list[Linear]) -> Place:
    operands = list(operation.operands)[1:]
    unknown = bindings.ir.ShapedType.get_dynamic_stride_or_offset()
    counts = [
        sum(n == unknown for n in operation.attributes[f"static_{kind}"])
        for kind in ("offsets", "sizes", "strides")
    ]
    if counts[2]:
        return None
    dynamic = iter(operands)
    offsets = [
        linear(next(dynamic)) if n == unknown else Linear(n)
        for n in operation.attributes["static_offsets"]
    ]
    kept = iter(_kept(operation, len(subscripts), len(offsets)))
    position = iter(subscripts)
    places = []
    strides = operation.attributes["static_strides"]
    for offset, stride, keep in zip(offsets, strides, kept, strict=True):
        inside = next(position) if keep else ZERO
        places.append(offset + inside * stride)
    return places


def _kept(operation: Any, rank: int, full: int) -> list[bool]:
    """Which dimensions of the array a subview still has: those of size 1 may be dropped."""
    if rank == full:
        return [True] * full
    source, result = operation.operands[0].type, operation.results[0].type
    sizes = list(operation.attributes["static_sizes"])
    kept: list[bool] = []
    wanted = 0
    for axis, size in enumerate(sizes):
        left = full - axis
        needed = rank - wanted
        take = needed > 0 and (size != 1 or left == needed or _fits(source, result, axis, wanted))
        kept.append(take)
        wanted += take
    return kept


def _fits(source: Any, result: Any, axis: int, wanted: int) -> bool:
    """Whether a dimension of size 1 is the one that the result has next: by its stride."""
    strides, of_result = (kind.get_strides_and_offset()[0] for kind in (source, result))
    size_one = not result.is_dynamic_dim(wanted) and result.get_dim_size(wanted) == 1
    return size_one and strides[axis] == of_result[wanted]
