"""What the nests of shared loops are written with: numbers, loops, parts of buffers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from agir.backends.mlir.making import index_constant, op
from agir.errors import LoweringError
from agir.ir.building import attributes, bindings


def computed(name: str, *operands: Any) -> Any:
    """The result of an operation on indices."""
    return op(name, bindings.ir.IndexType.get(), *map(as_value, operands))


def as_value(number: Any) -> Any:
    """A number as an SSA value."""
    return index_constant(number) if isinstance(number, int) else number


def loop(start: Any, end: Any, step: int) -> Any:
    """An empty ``scf.for``, with its ``scf.yield``."""
    ir = bindings.ir
    operands = [as_value(start), as_value(end), index_constant(step)]
    made = ir.Operation.create("scf.for", operands=operands, regions=1)
    block = made.regions[0].blocks.append(ir.IndexType.get())
    ir.Operation.create("scf.yield", ip=ir.InsertionPoint(block))
    return made


def inside(made: Any) -> Any:
    """The insertion point at the end of a loop's body."""
    block = made.regions[0].blocks[0]
    return bindings.ir.InsertionPoint.at_block_terminator(block)


def part(source: Any, offsets: Sequence[Any], sizes: Sequence[Any], dropped: set[int]) -> Any:
    """A ``memref.subview`` with steps of 1, without the dimensions `dropped`."""
    ir = bindings.ir
    unknown = ir.ShapedType.get_dynamic_stride_or_offset()
    strides, start = source.type.get_strides_and_offset()
    for offset, stride in zip(offsets, strides, strict=True):
        known = isinstance(offset, int) and unknown not in (stride, start)
        start = start + offset * stride if known or offset == 0 else unknown
    operands, found = attributes.slicing([source], offsets, sizes)
    for without in _choices(sizes, dropped):
        kept = [axis for axis in range(len(sizes)) if axis not in without]
        layout = ir.StridedLayoutAttr.get(start, [strides[axis] for axis in kept])
        shape = attributes.static(sizes[axis] for axis in kept)
        kind = ir.MemRefType.get(shape, source.type.element_type, layout)
        made = ir.Operation.create(
            "memref.subview", results=[kind], operands=operands, attributes=found
        )
        if _is_valid(made):
            return made.results[0]
        made.erase()
    raise LoweringError(f"there is no view of {sizes} in {source.type} without {sorted(dropped)}")


def _choices(sizes: Sequence[Any], dropped: set[int]) -> list[set[int]]:
    """Which dimensions may be dropped: where several are of size 1, MLIR decides which of them."""
    units = [axis for axis, size in enumerate(sizes) if size == 1 and isinstance(size, int)]
    if not dropped or len(units) == len(dropped):
        return [dropped]
    shape = [n for axis, n in enumerate(sizes) if axis not in dropped]
    others = (set(chosen) for chosen in combinations(units, len(dropped)))
    same = [o for o in others if [n for a, n in enumerate(sizes) if a not in o] == shape]
    return [dropped, *(each for each in same if each != dropped)]


def _is_valid(operation: Any) -> bool:
    try:
        operation.verify()
    except bindings.ir.MLIRError:
        return False
    return True
