"""Sums over the dimensions of a tensor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.ir.building import attributes, bindings
from agir.ir.building.types import float32
from agir.ir.emission import emit
from agir.ir.gradients.core.expressions import (
    Expression,
    dimension_size,
    dtype_of,
    shaped,
)
from agir.ir.ops.core.folding import SUM
from agir.ir.tracing.trace import Trace


def summed(trace: Trace, value: Any, axes: Sequence[int] | None = None) -> Any:
    """The sum over the axes, over all where none are given: a scalar, or a tensor."""
    tensor = shaped(value.type)
    rank = tensor.rank
    over = range(rank) if axes is None else axes
    dtype = dtype_of(value.type)
    assert dtype is not None
    if dtype.is_storage_only:
        wide = Expression(trace, value).converted(float32).ssa
        total = summed(trace, wide, axes)
        return Expression(trace, total).converted(dtype).ssa
    element = dtype.mlir()
    if not rank:
        return trace.op("tensor.extract", element, value)
    init = zeros(trace, value, [axis for axis in range(rank) if axis not in over])
    operation = trace.create(
        "linalg.reduce",
        (init.type,),
        (value, init),
        {"dimensions": attributes.i64_array(list(over))},
    )
    name = SUM[dtype.kind][0]
    emit.body(trace, operation, [element] * 2, lambda a, b: (trace.op(name, element, a, b),))
    if axes is None:
        return trace.op("tensor.extract", element, operation.result)
    return operation.result


def zeros(trace: Trace, value: Any, axes: Sequence[int]) -> Any:
    """A tensor of zeros with the sizes that a tensor has along the axes."""
    ir = bindings.ir
    tensor = shaped(value.type)
    dtype = dtype_of(value.type)
    assert dtype is not None
    kind = ir.RankedTensorType.get([tensor.shape[axis] for axis in axes], dtype.mlir())
    scalar = trace.constant(dtype, 0)
    if not axes:
        return trace.op("tensor.from_elements", kind, scalar)
    sizes = [dimension_size(trace, value, axis) for axis in axes if tensor.is_dynamic_dim(axis)]
    return trace.op("tensor.splat", kind, scalar, *sizes)
