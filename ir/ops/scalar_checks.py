"""Small questions that emissions ask of their operands."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir import attributes, broadcast, emit
from agir.ir.symbolic import Dims, SymbolicTensor
from agir.ir.trace import Trace
from agir.ir.types import bool_


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
        regions=1,
    )
    i1 = bool_.mlir()
    emit.body(trace, operation, [i1, i1], lambda a, b: (trace.op("arith.andi", i1, a, b),))
    return trace.op("tensor.extract", i1, operation.result)


def require(condition: Any, message: str) -> Any:
    """``ValueError`` unless all of the condition holds, at once or when the function runs.

    Gives the condition, for the value that takes the place of a wrong one.
    """
    if not isinstance(condition, SymbolicTensor):
        if not np.all(np.asarray(condition)):
            raise ValueError(message)
        return condition
    trace = condition.trace
    with trace.at_user_line():
        ok = all_true(trace, condition.ssa, condition.dims)
        trace.guard(ok, trace.site("argument", message))
    return condition
