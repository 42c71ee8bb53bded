"""Python's numbers of the run time, where an array of integers is to hold them.

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
    """The number, checked to fit the dtype; 0 in the place of one that does not."""
    if not dtype.is_integer or number.dtype.kind not in "if":
        return number
    limits = np.iinfo(dtype.numpy)
    if number.dtype.is_floating:
        return _whole(number, float(limits.min), float(limits.max + 1), dtype)
    known = ranges.interval(number.recorder, number.ssa)
    if dtype == int64 or (known and limits.min <= known[0] and known[1] <= limits.max):
        return number
    inside = dispatch.call("greater_equal", number, int(limits.min))
    if limits.max < np.iinfo(np.int64).max:
        low = inside
        inside = dispatch.call("logical_and", low, dispatch.call("less_equal", number, limits.max))
    return _checked(number, inside, OverflowError(f"Python integer out of bounds for {dtype}"))


def _whole(number: SymbolicTensor, low: float, high: float, dtype: DType) -> SymbolicTensor:
    """The same of a float, whose fraction is dropped: ``low <= whole < high``."""
    some = dispatch.call("logical_not", dispatch.call("isnan", number))
    number = _checked(number, some, ValueError("cannot convert float NaN to integer"))
    whole = dispatch.call("trunc", number)
    inside = dispatch.call(
        "logical_and",
        dispatch.call("greater_equal", whole, low),
        dispatch.call("less", whole, high),
    )
    return _checked(number, inside, OverflowError(f"Python number out of bounds for {dtype}"))


def _checked(number: SymbolicTensor, ok: Any, error: Exception) -> SymbolicTensor:
    trace = number.recorder
    with trace.at_user_line():
        trace.guard(ok.ssa, trace.site(RAISE, error))
        zero = emit.constant_like(trace, number.dtype, (), 0)
        ssa = emit.select(trace, ok.ssa, number.ssa, zero)
    return trace.make(ssa, number.dtype, (), weak=True)
