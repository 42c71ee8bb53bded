"""Python's numbers of the run time, where an array of integers is to hold them or to meet them.

NumPy refuses those that do not fit, where it would convert an array's elements without a word.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir.building.types import DType, float32, int64, uint64
from agir.ir.emission import emit
from agir.ir.emission.failing import RAISE
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing import ranges
from agir.ir.tracing.trace import Trace


def fitted(number: SymbolicTensor, dtype: DType, error: str = "") -> SymbolicTensor:
    """The number, checked to fit the dtype if that is one of integers.

    With an ``error`` one that does not is a ValueError that says so.
    """
    if not dtype.is_integer:
        return number
    if number.dtype.is_floating:
        return _fitted_float(number, dtype, error)
    return fitted_int(number, dtype, error)


def fitted_int(number: SymbolicTensor, dtype: DType, error: str = "") -> SymbolicTensor:
    """An integer, checked to fit a dtype of integers; no check where it surely does.

    One comparison, of how far it is above the least integer, which the back end knows again in loops.
    """
    trace, limits = number.recorder, np.iinfo(dtype.numpy)
    fits = np.can_cast(number.dtype.numpy, dtype.numpy) if number.dtype.is_integer else True
    if fits or number.dims or not trace.convention.arrays_are_mutable:
        return number
    low, high = int(limits.min), min(int(limits.max), int(np.iinfo(np.int64).max))
    low = 0 if number.dtype.kind == "u" else low
    wide = emit.convert(trace, number.ssa, number.dtype, int64, ())
    known = ranges.interval(trace, wide) if number.dtype != uint64 else None
    if known is not None and low <= known[0] and known[1] <= high:
        return number
    with trace.at_user_line():
        above = wide
        if low:
            above = trace.op("arith.addi", above.type, above, trace.constant(int64, -low))
        ok = trace.compare("ule", above, trace.constant(int64, high - low))
        site = trace.site("argument", error) if error else trace.site("fits", str(dtype))
        trace.guard(ok, site, wide)
    return number


TOO_LARGE = "the number is too large for an int64"


def as_int(number: SymbolicTensor) -> SymbolicTensor:
    """An integer, or a bool, as an int of Python's, which has 64 bits at run time."""
    trace: Trace = number.recorder
    if number.dtype == uint64:
        with trace.at_user_line():
            fits = trace.compare("sge", number.ssa, trace.constant(int64, 0))
            trace.guard(fits, trace.refusal("overflow", TOO_LARGE))
    return trace.make(dispatch.call("cast", number, int64).ssa, int64, (), weak=True)


def is_run_time_int(value: Any) -> bool:
    """Whether it is an int of Python's that only the run time knows."""
    return (
        isinstance(value, SymbolicTensor) and value.weak and not value.dims and value.dtype == int64
    )


def _fitted_float(number: SymbolicTensor, dtype: DType, error: str) -> SymbolicTensor:
    """A float, checked; 0 in the place of one that does not fit."""
    if not number.recorder.convention.math_fails:
        return number
    if number.dtype.is_storage_only:  # to which the limits may be infinite
        number = dispatch.call("cast", number, float32)
    some = dispatch.call("logical_not", dispatch.call("isnan", number))
    no_number = ValueError(error or "cannot convert float NaN to integer")
    too_large = OverflowError(f"Python number out of bounds for {dtype}")
    number = _checked(number, some, no_number)
    limits, whole = np.iinfo(dtype.numpy), dispatch.call("trunc", number)
    inside = dispatch.call(
        "logical_and",
        dispatch.call("greater_equal", whole, float(limits.min)),
        dispatch.call("less", whole, float(limits.max + 1)),
    )
    return _checked(number, inside, ValueError(error) if error else too_large)


def _checked(number: SymbolicTensor, ok: Any, error: Exception) -> SymbolicTensor:
    trace: Trace = number.recorder
    with trace.at_user_line():
        trace.guard(ok.ssa, trace.site(RAISE, error))
        zero = emit.constant_like(trace, number.dtype, (), 0)
        ssa = emit.select(trace, ok.ssa, number.ssa, zero)
    return trace.make(ssa, number.dtype, (), weak=True)
