"""The derivative of `scf.while`: its turns are counted, and run through backwards."""

from __future__ import annotations

from typing import Any

from agir.ir.cells import Scope
from agir.ir.gradients.core import graph
from agir.ir.gradients.core.branches import close
from agir.ir.gradients.core.expressions import Expression, carries, zeros_like
from agir.ir.gradients.core.for_loops import Body, carried
from agir.ir.gradients.core.sweep import Sweep

_INITIAL = 16
"""How many turns there is room for at first."""


def backward(sweep: Sweep, operation: Any, cotangents: list[Any]) -> None:
    """The rule of ``scf.while``."""
    trace = sweep.trace
    test, block = (region.blocks[0] for region in operation.regions)
    initial = [sweep.resolve(value) for value in operation.operands]
    forwarded = list(graph.terminator(test).operands)[1:]
    if _computes(sweep, list(test.arguments), forwarded, cotangents):
        _peel(sweep, operation, cotangents)
        return
    cotangents = list(cotangents)
    _join_equal(sweep, block, forwarded, cotangents)
    order = _order(list(test.arguments), forwarded)
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


def _join_equal(sweep: Sweep, block: Any, forwarded: list[Any], cotangents: list[Any]) -> None:
    """Let a value that the test hands on several times be one value."""
    for at, value in enumerate(forwarded):
        first = forwarded.index(value)
        if first == at:
            continue
        block.arguments[at].replace_all_uses_with(block.arguments[first])
        if cotangents[at] is not None:
            mine = Expression(sweep.trace, cotangents[at])
            before = cotangents[first]
            total = mine if before is None else Expression(sweep.trace, before) + mine
            cotangents[first], cotangents[at] = total.ssa, None


def _computes(
    sweep: Sweep, arguments: list[Any], forwarded: list[Any], cotangents: list[Any]
) -> bool:
    """Whether the test hands on numbers that it has computed."""
    return any(
        carries(value) and value not in arguments and not _is_outside(value, arguments)
        for value in forwarded
    )


def _is_outside(value: Any, arguments: list[Any]) -> bool:
    """Whether a value is none of the test's block."""
    return bool(arguments) and graph.block_of(value) != graph.block_of(arguments[0])


def _order(arguments: list[Any], forwarded: list[Any]) -> dict[int, int]:
    """Which of the values handed on each variable is."""
    order: dict[int, int] = {}
    for at, value in enumerate(forwarded):
        if value in arguments:
            order.setdefault(arguments.index(value), at)
    return order


def _peel(sweep: Sweep, operation: Any, cotangents: list[Any]) -> None:
    """Replace the loop by one whose test only looks at whether to go on.

    What the test computes is computed before the loop, and at the end of each turn.
    """
    trace = sweep.trace
    test, block = (region.blocks[0] for region in operation.regions)
    with sweep.before(operation):
        recorded = trace.scope.recorded
        mapping = dict(zip(test.arguments, map(sweep.resolve, operation.operands), strict=True))
        start = _tested(trace, test, mapping)
        kinds = [value.type for value in start]
        with trace.inside(Scope(trace.scope)) as before:
            arguments = [before.block.add_argument(kind, trace.location) for kind in kinds]
            trace.create("scf.condition", (), [arguments[-1], *arguments])
        with trace.inside(Scope(trace.scope)) as after:
            arguments = [after.block.add_argument(kind, trace.location) for kind in kinds]
            mapping = dict(zip(block.arguments, arguments, strict=False))
            for each in graph.operations(block):
                graph.copy(trace, each, mapping)
            left = [mapping.get(v, v) for v in graph.terminator(block).operands]
            following = _tested(trace, test, dict(zip(test.arguments, left, strict=True)))
            trace.create("scf.yield", (), following)
        made = close(trace, "scf.while", kinds, start, [before, after])
        new = list(recorded)
    results = list(made.results)[: len(operation.results)]
    graph.spread(new, sweep.active)
    trace.supersede(operation, made, results)
    for result, cotangent in zip(results, cotangents, strict=True):
        if cotangent is not None:
            sweep.cotangents[result] = cotangent
            if sweep.visits_masked:
                sweep.masked.add(result)
    sweep.run(new)


def _tested(trace: Any, test: Any, mapping: dict[Any, Any]) -> list[Any]:
    """Record the test; gives what it hands on, then whether to go on."""
    for each in graph.operations(test):
        graph.copy(trace, each, mapping)
    condition, *handed = graph.terminator(test).operands
    return [mapping.get(v, v) for v in (*handed, condition)]


def _forward(
    sweep: Sweep, operation: Any, body: Body, test: Any, initial: list[Any]
) -> tuple[Any, list[list[Any]]]:
    """The loop with saving, which also counts its turns.

    Buffers that were replaced inside the loop would be copied in every turn.  So the loop ends when
    they are full, and a loop around it makes larger ones and goes on.
    """
    trace = sweep.trace
    with sweep.before(operation):
        zero = trace.index(0)
        states = body.begin(zero)
        flat = [value for state in states for value in state]
        if not states:
            return _loop(sweep, body, test, initial, [zero], states, None), states
        carried = [*initial, trace.index(_INITIAL), zero, *flat]
        kinds = [value.type for value in carried]
        with trace.inside(Scope(trace.scope)) as before:
            arguments = [before.block.add_argument(kind, trace.location) for kind in kinds]
            own, (room, turn, *rest) = arguments[: len(initial)], arguments[len(initial) :]
            larger = body.grown(body.split(rest, states), turn, room)
            extra = [turn, *(value for state in larger for value in state)]
            inner = _loop(sweep, body, test, own, extra, states, room)
            out = list(inner.results)
            count = len(graph.terminator(test).operands) - 1
            handed, left, end = out[:count], out[count : count + len(initial)], out[-len(extra) :]
            full = trace.compare("sge", end[0], room)
            twice = trace.op("arith.addi", room.type, room, room)
            trace.create("scf.condition", (), [full, *handed, *end, *left, twice])
        kinds = [v.type for v in (*handed, *end, *left, room)]
        with trace.inside(Scope(trace.scope)) as after:
            arguments = [after.block.add_argument(kind, trace.location) for kind in kinds]
            end = arguments[count : count + len(extra)]
            left = arguments[count + len(extra) : -1]
            trace.create("scf.yield", (), [*left, arguments[-1], *end])
        return close(trace, "scf.while", kinds, carried, [before, after]), states


def _loop(
    sweep: Sweep,
    body: Body,
    test: Any,
    initial: list[Any],
    extra: list[Any],
    states: list[list[Any]],
    room: Any,
) -> Any:
    """The loop until its test fails, or there is no more room.

    Gives what the test hands on, the variables where there may be no room, the number of turns and
    the stacks.
    """
    trace = sweep.trace
    with trace.inside(Scope(trace.scope)) as before:
        kinds = [v.type for v in (*initial, *extra)]
        arguments = [before.block.add_argument(kind, trace.location) for kind in kinds]
        own, more = arguments[: len(initial)], arguments[len(initial) :]
        mapping = dict(zip(test.arguments, own, strict=True))
        for each in graph.operations(test):
            graph.copy(trace, each, mapping)
        condition, *handed = [mapping.get(v, v) for v in graph.terminator(test).operands]
        kept: list[Any] = []
        if room is not None:
            has_room = trace.compare("slt", more[0], room)
            condition = trace.op("arith.andi", condition.type, condition, has_room)
            kept = own
        trace.create("scf.condition", (), [condition, *handed, *kept, *more])
    with trace.inside(Scope(trace.scope)) as after:
        kinds = [v.type for v in (*handed, *kept, *more)]
        arguments = [after.block.add_argument(kind, trace.location) for kind in kinds]
        turn, *flat = arguments[len(handed) + len(kept) :]
        out = body.forward(arguments[: len(handed)], turn, body.split(flat, states))
        following = trace.op("arith.addi", turn.type, turn, trace.index(1))
        out.insert(len(initial), following)
        trace.create("scf.yield", (), out)
    return close(trace, "scf.while", kinds, [*initial, *extra], [before, after])
