"""Python's floats of the run time, where an array of integers is to hold them.

NumPy refuses those that do not fit, where it would convert an array's elements without a word.  Ints
of the run time are not looked at: a check at each ``counts[i] = n`` would keep loops from being
vectorised, so they wrap around.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir import dispatch, emit
from agir.ir.failing import RAISE
from agir.ir.symbolic import SymbolicTensor
from agir.ir.types import DType


def fitted(number: SymbolicTensor, dtype: DType) -> SymbolicTensor:
    """The number, checked to fit the dtype if it is a float; 0 in the place of one that does not."""
    if not (dtype.is_integer and number.dtype.is_floating):
        return number
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
