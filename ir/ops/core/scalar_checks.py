"""Small questions that emissions ask of their operands."""

from __future__ import annotations

from typing import Any

from agir.ir.building import attributes
from agir.ir.building.types import bool_
from agir.ir.emission import broadcast, emit
from agir.ir.tensors.symbolic import Dims
from agir.ir.tracing.trace import Trace


def is_python_int(value: Any) -> bool:
    """True for a Python int that is not a bool."""
    return type(value) is int


def all_true(trace: Trace, ssa: Any, dims: Dims) -> Any:
    """``i1``: whether every element of the i1 tensor is true."""
    if not dims:
        return ssa
    init = trace.op("tensor.from_elements", broadcast.tensor0(bool_), trace.constant(bool_, True))
    operation = trace.create(
        "linalg.reduce",
        (init.type,),
        (ssa, init),
        {"dimensions": attributes.i64_array(range(len(dims)))},
    )
    i1 = bool_.mlir()
    emit.body(trace, operation, [i1, i1], lambda a, b: (trace.op("arith.andi", i1, a, b),))
    return trace.op("tensor.extract", i1, operation.result)
