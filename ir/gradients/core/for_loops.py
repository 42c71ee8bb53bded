"""The derivative of `scf.for`: a loop from the last iteration to the first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.ir.building.cells import Scope
from agir.ir.emission import emit
from agir.ir.gradients.core import checkpoints, graph, room
from agir.ir.gradients.core.bodies import Body, carried
from agir.ir.gradients.core.branches import close
from agir.ir.gradients.core.sweep import Sweep
from agir.ir.tracing.trace import Trace


def backward(sweep: Sweep, operation: Any, cotangents: list[Any]) -> None:
    """The rule of ``scf.for``."""
    trace = sweep.trace
    (block,) = operation.blocks
    lower, upper, step, *initial = (sweep.resolve(value) for value in operation.operands)
    variables = list(block.arguments)[1:]
    used = list(dict.fromkeys(sweep.resolve(v) for v in graph.captured(operation)))
    yielded = list(graph.terminator(block).operands)
    chosen = carried(sweep, graph.operations(block), used, initial, variables, yielded, cotangents)
    outside = [value for value in used if sweep.wants(value)]
    body = Body(sweep, block, variables, chosen, outside, free=1)
    kind = checkpoints.kind_of(operation) if body.stacks else None
    states: list[list[Any]] = []
    with sweep.before(operation):
        iterations = _iterations(trace, lower, upper, step)
        if body.stacks and kind is None:
            ok = body.has_room(iterations)
            iterations = room.chosen(trace, ok, iterations, trace.index(0))
            upper = room.chosen(trace, ok, upper, lower)
            states = body.begin(iterations, grows=False)
            made = _forward(trace, body, (lower, upper, step), initial, states)
            count = len(initial)
            ok = body.are_whole(body.split(list(made.results)[count:], states))
            iterations = room.chosen(trace, ok, iterations, trace.index(0))
            pairs = zip(made.results, initial, strict=False)
            results = [room.shaped_as_before(trace, ok, *each) for each in pairs]
    if states:
        states = body.split(list(made.results)[count:], states)
        trace.supersede(operation, results)

    def known(iteration: Any) -> list[Any]:
        index = trace.index_type()
        if lower.type != index:
            iteration = trace.op("arith.index_cast", lower.type, iteration)
        scaled = trace.op("arith.muli", iteration.type, iteration, step)
        return [trace.op("arith.addi", iteration.type, lower, scaled)]

    starts = []
    for number in chosen:
        found = cotangents[number]
        like = operation.results[number]
        starts.append(zeros(trace, sweep, like) if found is None else found)
    if kind is None:
        results = body.backward(iterations, states, starts, outside, known)
    else:
        steps = checkpoints.Steps(
            sweep, operation, body, block, lambda iteration, state: [*known(iteration), *state]
        )
        results = checkpoints.backward(kind, steps, iterations, initial, starts, outside)
    body.settle(results, [initial[n] for n in chosen], outside)


def zeros(trace: Trace, sweep: Sweep, value: Any) -> Any:
    """A cotangent of zero."""
    from agir.ir.gradients.core.expressions import zeros_like

    return zeros_like(trace, sweep.resolve(value))


def _iterations(trace: Trace, lower: Any, upper: Any, step: Any) -> Any:
    """How many iterations a loop takes, an ``index``."""
    index = trace.index_type()
    kind = lower.type
    numbers = [emit.constant_value(each) for each in (lower, upper, step)]
    if None not in numbers:
        return trace.index(len(range(*numbers)))
    if (emit.constant_value(lower), emit.constant_value(step)) == (0, 1):
        found = upper
    else:
        span = trace.op("arith.subi", kind, upper, lower)
        found = trace.op("arith.ceildivsi", kind, span, step)
    if kind != index:
        found = trace.op("arith.index_cast", index, found)
    return trace.op("arith.maxsi", index, found, trace.index(0))


def _forward(
    trace: Trace,
    body: Body,
    bounds: tuple[Any, Any, Any],
    initial: Sequence[Any],
    states: list[list[Any]],
) -> Any:
    """The loop with saving."""
    lower, _, step = bounds
    flat = [value for state in states for value in state]
    operands = [*initial, *flat]
    with trace.inside(Scope(trace.scope)) as scope:
        kinds = [lower.type, *(value.type for value in operands)]
        arguments = [scope.block.add_argument(kind, trace.location) for kind in kinds]
        own = arguments[: 1 + len(initial)]
        iteration = _iteration(trace, own[0], lower, step)
        inner = body.split(arguments[len(own) :], states)
        trace.create("scf.yield", (), body.forward(own, iteration, inner))
    return close(trace, "scf.for", kinds[1:], [*bounds, *operands], [scope])


def _iteration(trace: Trace, position: Any, lower: Any, step: Any) -> Any:
    if (emit.constant_value(lower), emit.constant_value(step)) != (0, 1):
        offset = trace.op("arith.subi", position.type, position, lower)
        position = trace.op("arith.divui", position.type, offset, step)
    index = trace.index_type()
    return position if position.type == index else trace.op("arith.index_cast", index, position)
