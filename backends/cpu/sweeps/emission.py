"""What the nests of shared loops are written with: numbers, loops, parts of buffers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.ir import bindings


def constant(number: int) -> Any:
    """A constant index."""
    ir = bindings.ir
    index = ir.IndexType.get()
    value = {"value": ir.IntegerAttr.get(index, number)}
    return ir.Operation.create("arith.constant", results=[index], attributes=value).results[0]


def computed(name: str, *operands: Any) -> Any:
    """The result of an operation on indices."""
    index = bindings.ir.IndexType.get()
    return bindings.ir.Operation.create(
        name, results=[index], operands=[as_value(each) for each in operands]
    ).results[0]


def as_value(number: Any) -> Any:
    """A number as an SSA value."""
    return constant(number) if isinstance(number, int) else number


def loop(start: Any, end: Any, step: int) -> Any:
    """An empty ``scf.for``, with its ``scf.yield``."""
    ir = bindings.ir
    operands = [as_value(start), as_value(end), constant(step)]
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
    kept = [axis for axis in range(len(sizes)) if axis not in dropped]
    shape = [_static(sizes[axis]) for axis in kept]
    layout = ir.StridedLayoutAttr.get(start, [strides[axis] for axis in kept])
    kind = ir.MemRefType.get(shape, source.type.element_type, layout)
    dynamic = [[n for n in numbers if not isinstance(n, int)] for numbers in (offsets, sizes)]
    attributes = {
        "static_offsets": ir.DenseI64ArrayAttr.get([_static(n) for n in offsets]),
        "static_sizes": ir.DenseI64ArrayAttr.get([_static(n) for n in sizes]),
        "static_strides": ir.DenseI64ArrayAttr.get([1] * len(sizes)),
        "operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, *map(len, dynamic), 0]),
    }
    return ir.Operation.create(
        "memref.subview",
        results=[kind],
        operands=[source, *dynamic[0], *dynamic[1]],
        attributes=attributes,
    ).results[0]


def _static(number: Any) -> int:
    return number if isinstance(number, int) else bindings.ir.ShapedType.get_dynamic_size()
