"""Python's numbers of the run time, where an array of integers is to hold them or to meet them.

NumPy refuses those that do not fit, where it would convert an array's elements without a word.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir import dispatch, emit, ranges
from agir.ir.failing import RAISE
from agir.ir.symbolic import SymbolicTensor
from agir.ir.types import DType, int64


def fitted(number: SymbolicTensor, dtype: DType) -> SymbolicTensor:
    """The number, checked to fit the dtype if that is one of integers."""
    if not dtype.is_integer:
        return number
    if number.dtype.is_floating:
        return _fitted_float(number, dtype)
    return fitted_int(number, dtype)


def fitted_int(number: SymbolicTensor, dtype: DType, error: str = "") -> SymbolicTensor:
    """An int, checked to fit a dtype of integers; no check where it surely does.

    One comparison, of how far it is above the least integer, which the back end knows again in loops.
    With an ``error`` it is a ValueError that says so.
    """
    trace, limits = number.recorder, np.iinfo(dtype.numpy)
    low, high = int(limits.min), min(int(limits.max), int(np.iinfo(np.int64).max))
    if number.dtype != int64 or number.dims or not trace.convention.arrays_are_mutable:
        return number
    known = ranges.interval(trace, number.ssa)
    if dtype == int64 or (known is not None and low <= known[0] and known[1] <= high):
        return number
    with trace.at_user_line():
        above = number.ssa
        if low:
            above = trace.op("arith.addi", above.type, above, trace.constant(int64, -low))
        ok = trace.compare("ule", above, trace.constant(int64, high - low))
        site = trace.site("argument", error) if error else trace.site("fits", str(dtype))
        trace.guard(ok, site, number.ssa)
    return number


def is_run_time_int(value: Any) -> bool:
    """Whether it is an int of Python's that only the run time knows."""
    return (
        isinstance(value, SymbolicTensor) and value.weak and not value.dims and value.dtype == int64
    )


def _fitted_float(number: SymbolicTensor, dtype: DType) -> SymbolicTensor:
    """A float, checked; 0 in the place of one that does not fit."""
    some = dispatch.call("logical_not", dispatch.call("isnan", number))
    number = _checked(number, some, ValueError("cannot convert float NaN to integer"))
    limits, whole = np.iinfo(dtype.numpy), dispatch.call("trunc", number)
    inside = dispatch.call(
        "logical_and",
        dispatch.call("greater_equal", whole, float(limits.min)),
        dispatch.call("less", whole, float(limits.max + 1)),
    )
    return _checked(number, inside, OverflowError(f"Python number out of bounds for {dtype}"))


def _checked(number: SymbolicTensor, ok: Any, error: Exception) -> SymbolicTensor:
    trace = number.recorder
    with trace.at_user_line():
        trace.guard(ok.ssa, trace.site(RAISE, error))
        zero = emit.constant_like(trace, number.dtype, (), 0)
        ssa = emit.select(trace, ok.ssa, number.ssa, zero)
    return trace.make(ssa, number.dtype, (), weak=True)
