"""Arrays combined along axes by one operation: what reductions and others are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from agir.ir.building import attributes
from agir.ir.building.types import DType
from agir.ir.emission import broadcast, emit
from agir.ir.tensors.symbolic import Dims
from agir.ir.tracing.trace import Trace


def fold(
    trace: Trace, ssa: Any, dtype: DType, dims: Dims, axes: Sequence[int], name: str, identity: Any
) -> Any:
    """Combine the elements along the axes with the MLIR operation; a scalar where all are folded."""
    if not axes:
        return ssa
    kept = tuple(d for axis, d in enumerate(dims) if axis not in axes)
    init = initial(trace, dtype, kept, identity)
    operation = trace.create(
        "linalg.reduce",
        (init.type,),
        (ssa, init),
        {"dimensions": attributes.i64_array(axes)},
    )
    element = dtype.mlir()
    emit.body(trace, operation, [element] * 2, lambda a, b: (trace.op(name, element, a, b),))
    return operation.result if kept else first(trace, operation.result, dtype)


def initial(trace: Trace, dtype: DType, dims: Dims, value: Any) -> Any:
    """What a reduction starts from: a tensor, without dimensions where none are kept."""
    if dims:
        return emit.constant_like(trace, dtype, dims, value)
    scalar = trace.constant(dtype, value)
    return trace.op("tensor.from_elements", broadcast.tensor0(dtype), scalar)


def first(trace: Trace, ssa: Any, dtype: DType) -> Any:
    """The element of a tensor without dimensions."""
    return trace.op("tensor.extract", dtype.mlir(), ssa)


Combiner = dict[str, tuple[str, Any]]
"""For each kind of dtype the MLIR operation that combines two elements, and its identity."""


SUM: Combiner = {
    "b": ("arith.ori", False),
    "i": ("arith.addi", 0),
    "u": ("arith.addi", 0),
    "f": ("arith.addf", 0.0),
    "c": ("complex.add", 0),
}


def least(dtype: DType) -> Any:
    """The least number of an integer or floating-point dtype."""
    return -np.inf if dtype.is_floating else int(np.iinfo(dtype.numpy).min)


def greatest(dtype: DType) -> Any:
    """The greatest number of an integer or floating-point dtype."""
    return np.inf if dtype.is_floating else int(np.iinfo(dtype.numpy).max)


MAX: Combiner = {
    "b": ("arith.ori", False),
    "i": ("arith.maxsi", least),
    "u": ("arith.maxui", 0),
    "f": ("arith.maximumf", -np.inf),
}
