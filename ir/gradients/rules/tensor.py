"""Derivatives of the `tensor` dialect: mostly the same positions, read instead of written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.ir.building import attributes, bindings
from agir.ir.gradients.core import graph, nests
from agir.ir.gradients.core.expressions import (
    Expression,
    dimension_size,
    element_type,
    shaped,
    with_element,
    zeros_like,
)
from agir.ir.gradients.core.slices import SLICE, box_of
from agir.ir.gradients.core.sums import summed
from agir.ir.gradients.core.sweep import RULES, Sweep, refuse
from agir.ir.gradients.rules.elementwise import without_derivative
from agir.ir.tracing.trace import Trace


def _plus(trace: Trace, left: Any, right: Any) -> Any:
    return (Expression(trace, left) + Expression(trace, right)).ssa


# Elements.


def _extract(sweep: Sweep, operation: Any, cotangents: list[Any]) -> None:
    tensor, *indices = operation.operands
    trace = sweep.trace
    where = [sweep.resolve(index) for index in indices]

    def change(total: Any) -> Any:
        before = trace.op("tensor.extract", cotangents[0].type, total, *where)
        new = _plus(trace, before, cotangents[0])
        return trace.op("tensor.insert", total.type, new, total, *where)

    sweep.update(tensor, change)


def _insert(sweep: Sweep, operation: Any, cotangents: list[Any]) -> None:
    scalar, tensor, *indices = operation.operands
    trace = sweep.trace
    (received,) = cotangents
    where = [sweep.resolve(index) for index in indices]
    if sweep.wants(scalar):
        sweep.add(scalar, trace.op("tensor.extract", scalar.type, received, *where))
    if sweep.wants(tensor):
        zero = zeros_like(trace, scalar)
        sweep.add(tensor, trace.op("tensor.insert", received.type, zero, received, *where))


def _from_elements(sweep: Sweep, operation: Any, cotangents: list[Any]) -> None:
    trace = sweep.trace
    (received,) = cotangents
    shape = list(shaped(received.type).shape)
    for number, scalar in enumerate(operation.operands):
        if sweep.wants(scalar):
            indices = []
            for size in reversed(shape):
                indices.append(trace.index(number % size))
                number //= size
            found = trace.op("tensor.extract", scalar.type, received, *reversed(indices))
            sweep.add(scalar, found)


def _splat(sweep: Sweep, operation: Any, cotangents: list[Any]) -> None:
    sweep.add(operation.operands[0], summed(sweep.trace, cotangents[0]))


RULES["tensor.extract"] = _extract
RULES["tensor.insert"] = _insert
RULES["tensor.from_elements"] = _from_elements
RULES["tensor.splat"] = _splat


# Slices.


def _segments(operation: Any) -> list[int]:
    return list(bindings.ir.DenseI32ArrayAttr(operation.attributes["operandSegmentSizes"]))


def _sliced(operation: Any, leading: int) -> dict[str, Any]:
    """The attributes of a slice of the same positions, with so many operands before these."""
    segments = _segments(operation)[-3:]
    made = {name: operation.attributes[name] for name in SLICE}
    return made | {"operandSegmentSizes": attributes.i32_array([*([1] * leading), *segments])}


def _extract_slice(sweep: Sweep, operation: Any, cotangents: list[Any]) -> None:
    tensor, *where = operation.operands
    trace = sweep.trace
    where = [sweep.resolve(value) for value in where]
    (received,) = cotangents
    box = box_of(operation, received, tensor)
    if box is not None:
        sweep.add_to_slice(tensor, box, received)
        return

    def change(total: Any) -> Any:
        before = trace.create(
            "tensor.extract_slice", (received.type,), [total, *where], _sliced(operation, 1)
        ).result
        new = _plus(trace, before, received)
        found = _sliced(operation, 2)
        return trace.create(
            "tensor.insert_slice", (total.type,), [new, total, *where], found
        ).result

    def only(total: Any) -> Any:
        found = _sliced(operation, 2)
        operands = [received, total, *where]
        return trace.create("tensor.insert_slice", (total.type,), operands, found).result

    first = sweep.cotangent(tensor) is None
    sweep.update(tensor, only if first else change)


def _insert_slice(sweep: Sweep, operation: Any, cotangents: list[Any]) -> None:
    part, tensor, *where = operation.operands
    trace = sweep.trace
    where = [sweep.resolve(value) for value in where]
    (received,) = cotangents
    if sweep.wants(part):
        found = _sliced(operation, 1)
        made = trace.create("tensor.extract_slice", (part.type,), [received, *where], found)
        sweep.add(part, made.result)
    box = box_of(operation, part, tensor)
    if sweep.wants(tensor) and not (box and sweep.add_around(tensor, box, received)):
        zeros = zeros_like(trace, sweep.resolve(part))
        found = _sliced(operation, 2)
        operands = [zeros, received, *where]
        made = trace.create("tensor.insert_slice", (received.type,), operands, found)
        sweep.add(tensor, made.result)


RULES["tensor.extract_slice"] = _extract_slice
RULES["tensor.insert_slice"] = _insert_slice


def piece(trace: Trace, whole: Any, like: Any, offsets: Sequence[Any]) -> Any:
    """The part of a tensor that begins there and has the dimensions of another tensor."""
    tensor = shaped(like.type)
    sizes = [
        dimension_size(trace, like, axis) if tensor.is_dynamic_dim(axis) else tensor.shape[axis]
        for axis in range(tensor.rank)
    ]
    kind = with_element(like.type, element_type(whole.type))
    part = attributes.slicing([whole], offsets, sizes)
    return trace.create("tensor.extract_slice", (kind,), *part).result


def _concat(sweep: Sweep, operation: Any, cotangents: list[Any]) -> None:
    trace = sweep.trace
    (received,) = cotangents
    axis = bindings.ir.IntegerAttr(operation.attributes["dim"]).value
    rank = shaped(received.type).rank
    start: Any = 0
    for each in operation.operands:
        operand = sweep.resolve(each)
        if sweep.wants(operand):
            offsets: list[Any] = [0] * rank
            offsets[axis] = start
            sweep.add(operand, piece(trace, received, operand, offsets))
        tensor = shaped(operand.type)
        if isinstance(start, int) and not tensor.is_dynamic_dim(axis):
            start += tensor.shape[axis]
        else:
            begin = trace.index(start) if isinstance(start, int) else start
            start = trace.op("arith.addi", begin.type, begin, dimension_size(trace, operand, axis))


def _pad(sweep: Sweep, operation: Any, cotangents: list[Any]) -> None:
    trace = sweep.trace
    (received,) = cotangents
    operands = [sweep.resolve(value) for value in operation.operands]
    source = operands[0]
    marker = bindings.ir.ShapedType.get_dynamic_size()
    dynamic = iter(operands[1:])
    low = list(bindings.ir.DenseI64ArrayAttr(operation.attributes["static_low"]))
    offsets = [next(dynamic) if each == marker else each for each in low]
    inner = piece(trace, received, source, offsets)
    sweep.add(source, inner)
    (block,) = operation.blocks
    (filling,) = graph.terminator(block).operands
    if any(sweep.wants(value) for value in graph.captured(operation)):
        if not sweep.wants(filling):
            raise refuse(operation, "the padding is computed from its position")
        around = Expression(trace, summed(trace, received)) - Expression(
            trace, summed(trace, inner)
        )
        sweep.add(filling, around)


RULES["tensor.concat"] = _concat
RULES["tensor.pad"] = _pad


# Shapes.


def _expand_shape(sweep: Sweep, operation: Any, cotangents: list[Any]) -> None:
    source = operation.operands[0]
    groups = operation.attributes["reassociation"]
    (received,) = cotangents
    name = "tensor.collapse_shape"
    sweep.add(source, sweep.trace.op(name, source.type, received, reassociation=groups))


def _collapse_shape(sweep: Sweep, operation: Any, cotangents: list[Any]) -> None:
    trace = sweep.trace
    source = sweep.resolve(operation.operands[0])
    tensor = shaped(source.type)
    marker = bindings.ir.ShapedType.get_dynamic_size()
    open_axes = [axis for axis in range(tensor.rank) if tensor.is_dynamic_dim(axis)]
    sizes = [dimension_size(trace, source, axis) for axis in open_axes]
    static = [marker if a in open_axes else tensor.shape[a] for a in range(tensor.rank)]
    found = {
        "reassociation": operation.attributes["reassociation"],
        "static_output_shape": attributes.i64_array(static),
    }
    operands = [cotangents[0], *sizes]
    made = trace.create("tensor.expand_shape", (source.type,), operands, found)
    sweep.add(source, made.result)


RULES["tensor.expand_shape"] = _expand_shape
RULES["tensor.collapse_shape"] = _collapse_shape
RULES["tensor.cast"] = lambda sweep, operation, cotangents: sweep.add(
    operation.operands[0], cotangents[0]
)


# Elements by their position.


def _generate(sweep: Sweep, operation: Any, cotangents: list[Any]) -> None:
    trace = sweep.trace
    (received,) = cotangents
    (block,) = operation.blocks
    sizes = [dimension_size(trace, received, axis) for axis in range(shaped(received.type).rank)]
    wanted = [value for value in graph.captured(operation) if sweep.wants(value)]

    def seed(inner: Sweep, indices: list[Any], mapping: dict[Any, Any]) -> None:
        (element,) = graph.terminator(block).operands
        found = trace.op("tensor.extract", element_type(received.type), received, *indices)
        inner.add(mapping.get(element, element), found)

    def arguments(indices: list[Any]) -> dict[Any, Any]:
        return dict(zip(block.arguments, indices, strict=True))

    nests.backward(sweep, block, sizes, wanted, arguments, seed)


RULES["tensor.generate"] = _generate
without_derivative("tensor.empty", "tensor.dim", "tensor.rank")
