"""Whether there is memory for what a loop keeps of its iterations: asked before it is taken.

Compiled code that gets no memory ends the process, and so does a system that has promised more than
it has.  What the host answers with no is the error of the call, which says the line of the loop; the
loop ends then.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

from agir.ir.building import locations
from agir.ir.building.types import bool_, float64, int64
from agir.ir.emission import emit
from agir.ir.gradients.core.expressions import Expression, shaped, zeros_like
from agir.ir.host import callbacks
from agir.ir.tracing import loops
from agir.ir.tracing.trace import Trace

_ASKED = 1 << 26
"""From how many bytes on the host is asked."""

GROWING = 3.0
"""How many times what a buffer grows to is asked for: it is copied, and others grow as well."""

Number = float | Expression
"""A number that is known, or a float64."""


def counted(trace: Trace, number: Any) -> Number:
    """An ``index`` as a number, which may be too large for an integer later."""
    known = emit.constant_value(number)
    if known is not None:
        return float(known)
    wide = trace.op("arith.index_cast", int64.mlir(), number)
    return Expression(trace, trace.op("arith.sitofp", float64.mlir(), wide))


def product(numbers: Sequence[Number]) -> Number:
    """The product of numbers."""
    total: Number = 1.0
    for each in numbers:
        total = each * total if isinstance(each, Expression) else total * each
    return total


def is_there(trace: Trace, sizes: Sequence[Number]) -> Any:
    """Whether there is memory for these bytes (i1); None where they are few."""
    known = sum(size for size in sizes if not isinstance(size, Expression))
    total: Number = known
    for size in sizes:
        total = size + total if isinstance(size, Expression) else total
    if not isinstance(total, Expression):
        if total < _ASKED:
            return None
        total = Expression(trace, trace.constant(float64, total))
    few = total < float(_ASKED)
    return loops.if_ok(
        trace, few.ssa, lambda: trace.constant(bool_, True), lambda: _asked(trace, total.ssa)
    )


def _asked(trace: Trace, size: Any) -> Any:
    found = callbacks.ask_for_memory(trace, size, locations.with_source(trace.location))
    return trace.compare("ne", found, trace.constant(int64, 0))


def both(trace: Trace, conditions: Sequence[Any]) -> Any:
    """Whether there is memory by all of these; None where there is for sure."""
    known = [each for each in conditions if each is not None]
    if not known:
        return None
    return reduce(lambda one, other: trace.op("arith.andi", one.type, one, other), known)


def shaped_as_before(trace: Trace, ok: Any, value: Any, before: Any) -> Any:
    """A loop's result; of the sizes that it began with where the sweep goes back no iteration."""
    tensor = shaped(value.type)
    if ok is None or tensor is None or tensor.has_static_shape:
        return value
    return loops.if_ok(trace, ok, lambda: value, lambda: _like(trace, value.type, before))


def _like(trace: Trace, kind: Any, before: Any) -> Any:
    found = zeros_like(trace, before)
    return found if found.type == kind else trace.op("tensor.cast", kind, found)


def chosen(trace: Trace, ok: Any, number: Any, instead: Any) -> Any:
    """A number where there is memory; ``ok`` is None where there is for sure."""
    if ok is None:
        return number
    return trace.op("arith.select", number.type, ok, number, instead)
