"""Slices whose step only the run time knows: where they begin, how far they go, which way."""

from __future__ import annotations

from typing import Any

from agir.ir.building.types import bool_
from agir.ir.emission import emit
from agir.ir.emission.views import Axis
from agir.ir.tensors.symbolic import Dim, SymbolicTensor
from agir.ir.tracing import ranges
from agir.ir.tracing.trace import Trace


def axis(trace: Trace, start: Any, stop: Any, step: SymbolicTensor, dim_size: int | Dim) -> Axis:
    """What ``start:stop:step`` takes of an axis, as ``slice.indices`` has it, for either sign."""
    index = trace.index_type()

    def op(name: str, left: Any, right: Any) -> Any:
        return trace.op(f"arith.{name}", index, left, right)

    stride, backwards = _stride(trace, step)

    def either(forth: Any, back: Any) -> Any:
        return emit.select(trace, backwards, back, forth)

    size, zero, one = emit.dim_value(trace, dim_size), trace.index(0), trace.index(1)
    low = either(zero, trace.index(-1))
    high = either(size, op("subi", size, one))
    edges = (0, dim_size - 1 if isinstance(dim_size, int) else dim_size)
    first = bound(trace, start, size, edges, low, high, either(low, high))
    last = bound(trace, stop, size, edges, low, high, either(high, low))
    span = either(op("subi", last, first), op("subi", first, last))
    some = trace.compare("sgt", span, zero)
    steps = op("divui", op("subi", emit.select(trace, some, span, one), one), stride)
    count = emit.select(trace, some, op("addi", steps, one), zero)
    offset = either(first, op("subi", first, op("muli", steps, stride)))
    # An empty slice may start outside; nothing is read, but the offset must stay valid.
    offset = op("maxsi", op("minsi", offset, size), zero)
    reverse = emit.constant_value(backwards)
    # Where there are not two elements, how far apart they are has no meaning, and must stay inside.
    stride = emit.select(trace, trace.compare("sgt", count, one), stride, one)
    return Axis(
        offset, count, stride, Dim(value=count), backwards if reverse is None else bool(reverse)
    )


def _stride(trace: Trace, step: SymbolicTensor) -> tuple[Any, Any]:
    """(the distance of two elements, i1: whether they are taken from behind); 0 is an error."""
    value = emit.to_index(trace, step)
    zero = trace.index(0)
    known = (0, 1) if step.dtype.kind in "ub" else ranges.interval(trace, step.ssa)
    if known is None or known[0] <= 0 <= known[1]:
        nonzero = trace.compare("ne", value, zero)
        trace.guard(nonzero, trace.site("argument", "slice step cannot be zero"))
        value = emit.select(trace, nonzero, value, trace.index(1))
    if known is not None and known[0] >= 0:
        return value, trace.constant(bool_, False)
    size = trace.op("arith.subi", value.type, zero, value)
    if known is not None and known[1] < 0:
        return size, trace.constant(bool_, True)
    backwards = trace.compare("slt", value, zero)
    return emit.select(trace, backwards, size, value), backwards


def bound(
    trace: Trace, given: Any, size: Any, edges: Any, low: Any, high: Any, default: Any
) -> Any:
    """A bound wrapped and clamped as ``slice.indices`` does, in recorded arithmetic."""
    if given is None:
        return default
    ssa = emit.to_index(trace, given)
    index = ssa.type
    known = ranges.interval(trace, ssa)
    if (
        known
        and isinstance(edges[1], int)
        and max(edges[0], 0) <= known[0]
        and known[1] <= edges[1]
    ):
        return ssa  # neither from the end nor beyond it
    if not isinstance(given, int) or given < 0:
        negative = trace.compare("slt", ssa, trace.index(0))
        ssa = emit.select(trace, negative, trace.op("arith.addi", index, ssa, size), ssa)
    return trace.op("arith.maxsi", index, trace.op("arith.minsi", index, ssa, high), low)
