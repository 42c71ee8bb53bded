"""What is read beside what has just been written is read from the array as it was before.

``c[:, k] = a; ...; c[:, k - 1]; ...; c[:, k] = b``: canonicalization lets the second write begin with
the array before the first one, which is then kept, as a copy, for the read alone.  The read does not
need it.
"""

from __future__ import annotations

from typing import Any

from agir.backends.mlir.graph import Producers
from agir.ir.building import bindings

Position = tuple[Any, int]
"""An offset: an SSA value, or None, and a constant that is added to it."""

_READS = ("tensor.extract_slice", "tensor.extract")
_WRITES = ("tensor.insert_slice", "tensor.insert")


def forward_past_disjoint_writes(module: Any) -> None:
    """Let reads look through writes to other places of the array."""
    graph = Producers(module)
    for name in _READS:
        for read in graph.find(name):
            source = read.operands[0]
            write = graph.producer(source)
            while write is not None and write.name in _WRITES and _are_apart(read, write, graph):
                source = write.operands[1]
                write = graph.producer(source)
            if source != read.operands[0] and _is_written_anew(source):
                read.operands[0] = source


def _is_written_anew(array: Any) -> bool:
    """Whether another write begins with the array as well; else nothing of it needs to be kept."""
    return sum(use.owner.name in _WRITES for use in array.uses) > 1


def _are_apart(read: Any, write: Any, graph: Producers) -> bool:
    pairs = zip(_sizes(read, 1, graph), _sizes(write, 2, graph), strict=True)
    return any(_is_apart(one, other) for one, other in pairs)


def _is_apart(one: Any, other: Any) -> bool:
    (base, offset), size = one
    (other_base, other_offset), other_size = other
    known = base is not None and other_base is not None
    same = base == other_base if known else base is other_base
    if not same or size is None or other_size is None:
        return False
    return bool(offset + size <= other_offset or other_offset + other_size <= offset)


def _sizes(operation: Any, first: int, graph: Producers) -> list[tuple[Position, int | None]]:
    """Along each dimension the offset, and how far the slice goes; None where that is not known."""
    operands = list(operation.operands)[first:]
    if "static_offsets" not in operation.attributes:
        return [(_position(index, graph), 1) for index in operands]
    unknown = bindings.ir.ShapedType.get_dynamic_stride_or_offset()
    supply = iter(operands)
    offsets = [
        _position(next(supply), graph) if number == unknown else (None, number)
        for number in operation.attributes["static_offsets"]
    ]
    sizes = operation.attributes["static_sizes"]
    strides = operation.attributes["static_strides"]
    reach = [
        None if unknown in (n, s) or s < 0 else (n - 1) * s + 1
        for n, s in zip(sizes, strides, strict=True)
    ]
    return list(zip(offsets, reach, strict=True))


def _position(value: Any, graph: Producers) -> Position:
    """The value as another one plus a constant."""
    constant = 0
    while (operation := graph.producer(value)) is not None:
        if operation.name == "arith.constant":
            return None, constant + operation.attributes["value"].value
        if operation.name == "arith.index_cast":
            value = operation.operands[0]
            continue
        if operation.name not in ("arith.addi", "arith.subi"):
            break
        number = graph.number(operation.operands[1])
        if number is None:
            break
        sign = 1 if operation.name == "arith.addi" else -1
        constant += sign * number
        value = operation.operands[0]
    return value, constant
