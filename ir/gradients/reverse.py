"""Gradients of what a trace has recorded so far."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from agir.ir.building import bindings
from agir.ir.building.cells import Scope
from agir.ir.emission import emit
from agir.ir.gradients import rules as _rules  # noqa: F401 - fills the table
from agir.ir.gradients.core import expressions, graph
from agir.ir.gradients.core.dual import Dual
from agir.ir.gradients.core.sweep import Sweep
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing.trace import Trace


def recorded(trace: Trace) -> list[Any]:
    """The operations of the regions that are open, the outermost first."""
    scopes = []
    scope: Scope | None = trace.scope
    while scope is not None:
        scopes.append(scope)
        scope = scope.parent
    return [operation for each in reversed(scopes) for operation in graph.operations(each.block)]


def backward(
    trace: Trace,
    targets: Sequence[Any],
    cotangents: Sequence[Any],
    sources: Sequence[Any],
    passed_over: Collection[Any] = (),
) -> list[Any]:
    """The cotangents of the sources, all SSA values; None for one that no target depends on.

    ``passed_over`` holds the results of operations that count as constants.
    """
    operations = _without(recorded(trace), passed_over)
    active = {trace.replacement(source) for source in sources}
    graph.spread(operations, active)
    sweep = Sweep(trace, active)
    for target, cotangent in zip(targets, cotangents, strict=True):
        sweep.add(target, cotangent)
    if sweep.cotangents:
        sweep.run(operations)
    return [sweep.cotangent(source) for source in sources]


def forward(
    trace: Trace,
    start: int,
    targets: Sequence[Any],
    sources: Sequence[Any],
    tangents: Sequence[Any],
) -> list[Any]:
    """The changes of the targets in the direction of the sources' tangents; None for no change.

    Of what was recorded since the block had so many operations.
    """
    dual = Dual(trace, dict(zip(sources, tangents, strict=True)), {})
    dual.run(graph.operations(trace.scope.block)[start:])
    return [dual.tangent(target) for target in targets]


def forward_beside(
    trace: Trace,
    targets: Sequence[Any],
    sources: Sequence[Any],
    tangents: Sequence[Any],
    passed_over: Collection[Any] = (),
) -> list[Any]:
    """The same of all that was recorded in the regions that are open, recorded here.

    What was recorded stays as it is; of a loop or a branch that has changes both are computed again.
    """
    given = dict(zip(map(trace.replacement, sources), tangents, strict=True))
    dual = Dual(trace, given, {})
    dual.beside(_without(recorded(trace), passed_over))
    return [dual.tangent(target) for target in targets]


def depends(
    trace: Trace, value: Any, sources: Sequence[Any], passed_over: Collection[Any] = ()
) -> bool:
    """Whether a value is computed from one of the sources."""
    active = {trace.replacement(source) for source in sources}
    graph.spread(_without(recorded(trace), passed_over), active)
    return trace.replacement(value) in active


def _without(operations: list[Any], passed_over: Collection[Any]) -> list[Any]:
    if not passed_over:
        return operations
    return [
        each for each in operations if not len(each.results) or each.results[0] not in passed_over
    ]


def separate(
    trace: Trace, tensor: SymbolicTensor, attributes: dict[str, Any] | None = None
) -> SymbolicTensor:
    """A tensor of the same value that is an SSA value of its own."""
    made = expressions.separate(trace, tensor.ssa, attributes)
    return trace.make(made, tensor.dtype, tensor.dims, tensor.weak)


def stand_in(trace: Trace, value: Any) -> SymbolicTensor:
    """A tensor of its own for one with a value, or for an array, which a tape watches."""
    return separate(trace, emit.lift(trace, value))


def stopped(trace: Trace, tensor: SymbolicTensor) -> SymbolicTensor:
    """A tensor of the same value through which no cotangents flow."""
    return separate(trace, tensor, {graph.STOPPED: bindings.ir.UnitAttr.get()})
