"""The derivative of `scf.while`: its turns are counted, and run through backwards."""

from __future__ import annotations

from typing import Any

from agir.ir.cells import Scope
from agir.ir.gradients.core import graph
from agir.ir.gradients.core.branches import close
from agir.ir.gradients.core.expressions import zeros_like
from agir.ir.gradients.core.for_loops import Body, carried
from agir.ir.gradients.core.sweep import Sweep, refuse

_INITIAL = 16
"""How many turns there is room for at first."""


def backward(sweep: Sweep, operation: Any, cotangents: list[Any]) -> None:
    """The rule of ``scf.while``."""
    trace = sweep.trace
    test, block = (region.blocks[0] for region in operation.regions)
    initial = [sweep.resolve(value) for value in operation.operands]
    forwarded = list(graph.terminator(test).operands)[1:]
    order = _order(sweep, operation, list(test.arguments), forwarded, cotangents)
    variables, received = [], []
    for number in range(len(initial)):
        at = order.get(number)
        variables.append(test.arguments[number] if at is None else block.arguments[at])
        received.append(None if at is None else cotangents[at])
    used = list(dict.fromkeys(sweep.resolve(v) for v in graph.captured(operation)))
    yielded = list(graph.terminator(block).operands)
    chosen = carried(sweep, graph.operations(block), used, initial, variables, yielded, received)
    chosen = [n for n in chosen if n in order]
    outside = [value for value in used if sweep.wants(value)]
    body = Body(sweep, block, variables, chosen, outside, free=0)
    made, states = _forward(sweep, operation, body, test, initial)
    count = len(operation.results)
    turns = made.results[count]
    states = body.split(list(made.results)[count + 1 :], states)
    trace.supersede(operation, made, list(made.results)[:count])
    starts = []
    for number in chosen:
        found = received[number]
        starts.append(
            zeros_like(trace, initial_like(made, order[number])) if found is None else found
        )
    results = body.backward(turns, states, starts, outside, lambda turn: [])
    body.settle(results, [initial[n] for n in chosen], outside)


def initial_like(made: Any, number: int) -> Any:
    """The value that a variable has in the end."""
    return made.results[number]


def _order(
    sweep: Sweep, operation: Any, arguments: list[Any], forwarded: list[Any], cotangents: list[Any]
) -> dict[int, int]:
    """Which of the values handed on each variable is; the test may compute no numbers of its own."""
    order: dict[int, int] = {}
    for at, value in enumerate(forwarded):
        if value in arguments:
            order.setdefault(arguments.index(value), at)
        elif cotangents[at] is not None:
            raise refuse(operation, "the test of the loop assigns to a variable that is returned")
    return order


def _forward(
    sweep: Sweep, operation: Any, body: Body, test: Any, initial: list[Any]
) -> tuple[Any, list[list[Any]]]:
    """The loop with saving, which also counts its turns."""
    trace = sweep.trace
    with sweep.before(operation):
        zero = trace.index(0)
        states = body.begin(trace.index(_INITIAL))
        extra = [zero, *(value for state in states for value in state)]
        with trace.inside(Scope(trace.scope)) as before:
            kinds = [v.type for v in (*initial, *extra)]
            arguments = [before.block.add_argument(kind, trace.location) for kind in kinds]
            own, more = arguments[: len(initial)], arguments[len(initial) :]
            mapping = dict(zip(test.arguments, own, strict=True))
            for each in graph.operations(test):
                graph.copy(trace, each, mapping)
            handed = [mapping.get(v, v) for v in graph.terminator(test).operands]
            trace.create("scf.condition", (), [*handed, *more])
        with trace.inside(Scope(trace.scope)) as after:
            kinds = [v.type for v in (*handed[1:], *more)]
            arguments = [after.block.add_argument(kind, trace.location) for kind in kinds]
            own, (turn, *flat) = arguments[: len(handed) - 1], arguments[len(handed) - 1 :]
            out = body.forward(own, turn, body.split(flat, states), grows=True)
            following = trace.op("arith.addi", turn.type, turn, trace.index(1))
            out.insert(len(initial), following)
            trace.create("scf.yield", (), out)
        made = close(trace, "scf.while", kinds, [*initial, *extra], [before, after])
    return made, states
