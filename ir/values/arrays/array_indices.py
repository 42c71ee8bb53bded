"""Indices and sizes of a TensorArray of a traced function, checked where nothing proves them right.

Negative indices are errors, as in TensorFlow.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.errors import OperandTypeError, RuntimeIndexError
from agir.ir.emission import emit, inequalities
from agir.ir.tensors.symbolic import Dim, SymbolicTensor
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing import ranges
from agir.ir.tracing.trace import Trace
from agir.ir.values.arrays.tensor_array_types import LIMIT


def dimension_size(trace: Trace, size: Any) -> int | Dim:
    """A size as a dimension: an int wherever the value is known."""
    if isinstance(size, SymbolicTensor):
        if size.dims or not size.dtype.is_integer:
            raise OperandTypeError(
                trace.explain(f"the size of a TensorArray is an integer scalar, not {size!r}")
            )
        known = emit.constant_value(size.ssa)
        return emit.dim_of(trace, size) if known is None else int(known)
    return int(size)


def inside(trace: Trace, index: Any, size: int | Dim) -> tuple[Any, Any]:
    """(an SSA ``index``, i1 where it may only be used if that holds), checked."""
    number = _number(trace, index)
    if isinstance(number, int):
        if number < 0 or (isinstance(size, int) and number >= size):
            count = size if isinstance(size, int) else "its"
            raise RuntimeIndexError(
                trace.explain(
                    f"index {number} is out of range for {count} elements of a TensorArray"
                )
            )
        if isinstance(size, int):
            return trace.index(number), None
    key = ("element", number if isinstance(number, int) else number.ssa, size)
    found = trace.scope.recall("memo", key)
    if found is None:
        found = trace.scope.memo[key] = _checked(trace, number, size)
    return found  # type: ignore[no-any-return]


def _checked(trace: Trace, number: Any, size: int | Dim) -> tuple[Any, Any]:
    position, count = emit.to_index(trace, number), emit.dim_value(trace, size)
    if ranges.is_below(trace, position, count) or inequalities.is_inside(trace, position, count):
        return position, None
    known = ranges.interval(trace, position)
    if known and isinstance(size, int) and known[0] >= 0 and known[1] < size:
        return position, None
    fits = _below(trace, position, count, "element")
    if isinstance(size, int) and size > 0:
        return emit.select(trace, fits, position, trace.index(0)), None
    return position, fits


def reached(trace: Trace, index: Any, size: int | Dim) -> tuple[Any, Dim]:
    """(an SSA ``index``, the size of an array that grows to reach that far), checked."""
    number = _number(trace, index)
    if isinstance(number, int) and not 0 <= number < LIMIT:
        raise RuntimeIndexError(
            trace.explain(f"index {number} is out of range for a TensorArray that grows")
        )
    position = emit.to_index(trace, number)
    known = ranges.interval(trace, position)
    if known is None or known[0] < 0 or known[1] >= LIMIT:
        fits = _below(trace, position, trace.index(LIMIT), "growth")
        position = emit.select(trace, fits, position, trace.index(0))
    before = emit.dim_value(trace, size)
    after = trace.op("arith.addi", before.type, position, trace.index(1))
    return position, Dim(value=trace.op("arith.maxsi", before.type, before, after))


def _below(trace: Trace, position: Any, bound: Any, kind: str) -> Any:
    """Whether a position lies in ``0..bound - 1``, which a check of that kind reports."""
    fits = trace.compare("ult", position, bound)
    given = [emit.from_index(trace, value) for value in (position, bound)]
    trace.guard(fits, trace.site(kind), *given)
    return fits


def _number(trace: Trace, index: Any) -> Any:
    """An index as an int, or as an integer scalar of the trace."""
    if isinstance(index, Tensor | np.ndarray | np.generic):
        number = emit.lift(trace, index)
        if number.dtype.is_integer and not number.dims:
            known = emit.constant_value(number.ssa)
            return number if known is None else int(known)
    elif isinstance(index, int) and not isinstance(index, bool):
        return index
    raise OperandTypeError(
        trace.explain(f"an index of a TensorArray is an integer scalar, not {index!r}")
    )
