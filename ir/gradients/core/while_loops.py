"""The derivative of `scf.while`: its iterations are counted, and run through backwards."""

from __future__ import annotations

from typing import Any

from agir.ir.building.cells import Scope
from agir.ir.gradients.core import checkpoints, counting, graph, room
from agir.ir.gradients.core.bodies import Body, carried
from agir.ir.gradients.core.branches import close
from agir.ir.gradients.core.expressions import Expression, carries, zeros_like
from agir.ir.gradients.core.sweep import Sweep

_INITIAL = 16
"""How many iterations there is room for at first."""


def backward(sweep: Sweep, operation: Any, cotangents: list[Any]) -> None:
    """The rule of ``scf.while``."""
    trace = sweep.trace
    test, block = operation.blocks
    initial = [sweep.resolve(value) for value in operation.operands]
    forwarded = list(graph.terminator(test).operands)[1:]
    if _computes(list(test.arguments), forwarded):
        _peel(sweep, operation, cotangents)
        return
    count = counting.count_of(operation)
    if count is not None and count.is_all:
        _instead(sweep, operation, *counting.as_for(sweep, operation, count), cotangents)
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
    kind = checkpoints.kind_of(operation) if body.stacks else None
    made, iterations, states = _forward(sweep, operation, body, count, initial, kind is None)
    trace.supersede(operation, made)
    starts = []
    for number in chosen:
        found = received[number]
        starts.append(zeros_like(trace, made[order[number]]) if found is None else found)
    if kind is None:
        results = body.backward(iterations, states, starts, outside, lambda iteration: [])
    else:
        handed = _handed(sweep, test)
        steps = checkpoints.Steps(sweep, operation, body, block, handed)
        results = checkpoints.backward(kind, steps, iterations, initial, starts, outside)
    body.settle(results, [initial[n] for n in chosen], outside)


def _handed(sweep: Sweep, test: Any) -> Any:
    """From the variables that an iteration begins with to what the test hands on to it."""
    forwarded = list(graph.terminator(test).operands)[1:]
    places = {value: at for at, value in enumerate(test.arguments)}

    def handed(iteration: Any, state: Any) -> list[Any]:
        mapping = dict(zip(test.arguments, state, strict=True))
        if not all(v in places or graph.block_of(v) != test for v in forwarded):
            for each in graph.operations(test):
                graph.copy(sweep.trace, each, mapping)
        return [mapping.get(v, sweep.resolve(v)) for v in forwarded]

    return handed


def _join_equal(sweep: Sweep, block: Any, forwarded: list[Any], cotangents: list[Any]) -> None:
    """Let a value that the test hands on several times be one value."""
    for at, value in enumerate(forwarded):
        first = forwarded.index(value)
        if first == at:
            continue
        block.replace({block.arguments[at]: block.arguments[first]})
        if cotangents[at] is not None:
            mine = Expression(sweep.trace, cotangents[at])
            before = cotangents[first]
            total = mine if before is None else Expression(sweep.trace, before) + mine
            cotangents[first], cotangents[at] = total.ssa, None


def _computes(arguments: list[Any], forwarded: list[Any]) -> bool:
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

    What the test computes is computed before the loop, and at the end of each iteration.
    """
    trace = sweep.trace
    test, block = operation.blocks
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
        checkpoints.copy_kind(operation, made)
        new = list(recorded)
    _instead(sweep, operation, new, list(made.results)[: len(operation.results)], cotangents)


def _instead(
    sweep: Sweep,
    operation: Any,
    new: list[Any],
    results: list[Any],
    cotangents: list[Any],
) -> None:
    """Let operations that were recorded before the loop take its place, and visit them."""
    graph.spread(new, sweep.active)
    sweep.trace.supersede(operation, results)
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
    sweep: Sweep, operation: Any, body: Body, count: Any, initial: list[Any], saves: bool
) -> tuple[list[Any], Any, list[list[Any]]]:
    """The loop with saving: what it hands on, the number of its iterations, and the stacks.

    Buffers that were replaced inside the loop would be copied in every iteration.  So the loop ends
    when they are full, and a loop around it makes larger ones and goes on.  It ends with no room
    for iterations where there is no memory for larger ones.
    """
    trace = sweep.trace
    test = operation.blocks[0]
    with sweep.before(operation):
        zero, limit = trace.index(0), trace.index(_INITIAL)
        if count is not None and body.stacks:
            limit = counting.room(trace, operation, count, _INITIAL, body.saved_bytes)
        if saves:
            ok = body.has_room(limit)
            limit = room.chosen(trace, ok, limit, zero)
        states = body.begin(limit) if saves else []
        flat = [value for state in states for value in state]
        forwarded = list(graph.terminator(test).operands)[1:]
        size, handed = len(flat), len(forwarded)
        if not states:
            made = _Loop(sweep, operation, body, [], None)
            made.record([], zero, initial)
            return made.handed, made.iterations, []
        carried = [*flat, zero, limit, *initial]
        with trace.inside(Scope(trace.scope)) as before:
            arguments = [before.block.add_argument(v.type, trace.location) for v in carried]
            limit = arguments[size + 1]
            made = _Loop(sweep, operation, body, states, limit)
            made.record(arguments[:size], arguments[size], arguments[size + 2 :])
            full = trace.compare("sge", made.iterations, limit)
            may_go_on = trace.compare("sgt", limit, zero)
            full = trace.op("arith.andi", full.type, full, may_go_on)
            leaving = [*made.flat, made.iterations, limit, *made.handed, *made.others]
            trace.create("scf.condition", (), [full, *leaving])
        kinds = [value.type for value in leaving]
        with trace.inside(Scope(trace.scope)) as after:
            arguments = [after.block.add_argument(kind, trace.location) for kind in kinds]
            iteration, limit, *rest = arguments[size:]
            twice = trace.op("arith.addi", limit.type, limit, limit)
            before_growth = body.split(arguments[:size], states)
            ok = body.has_room(twice, before_growth)
            count = room.chosen(trace, ok, iteration, zero)
            capacity = room.chosen(trace, ok, twice, trace.index(1))
            larger = body.grown(before_growth, count, capacity)
            flat = [value for state in larger for value in state]
            following = room.chosen(trace, ok, twice, zero)
            trace.create("scf.yield", (), [*flat, iteration, following, *made.left(rest)])
        results = list(close(trace, "scf.while", kinds, carried, [before, after]).results)
        states = body.split(results[:size], states)
        is_kept = trace.compare("sgt", results[size + 1], zero)
        ok = room.both(trace, [is_kept, body.are_whole(states)])
        left = results[size + 2 :][:handed]
        for number, at in _order(list(test.arguments), forwarded).items():
            left[at] = room.shaped_as_before(trace, ok, left[at], initial[number])
        return left, room.chosen(trace, ok, results[size], zero), states


class _Loop:
    """The loop until its test fails, or there is no more room.

    What it hands on stands at the place of the variable that it is: only then is an array not
    copied that bufferization cannot tell from another one.
    """

    def __init__(
        self, sweep: Sweep, operation: Any, body: Body, states: list[list[Any]], room: Any
    ) -> None:
        test, self._block = operation.blocks
        self._test = test
        self._sweep, self._body = sweep, body
        self._states, self._room = states, room
        forwarded = list(graph.terminator(test).operands)[1:]
        self._unforwarded = [n for n, v in enumerate(test.arguments) if v not in forwarded]
        if room is None:
            self._unforwarded = []
        self._where = [
            forwarded.index(v) if v in forwarded else len(forwarded) + self._unforwarded.index(n)
            for n, v in enumerate(test.arguments)
            if room is not None
        ]
        self._count = len(forwarded)
        self.flat: list[Any] = []
        """The stacks in the end."""
        self.iterations: Any = None
        """How many iterations there have been."""
        self.handed: list[Any] = []
        """What the test hands on."""
        self.others: list[Any] = []
        """The variables that it does not hand on."""

    def left(self, values: list[Any]) -> list[Any]:
        """The variables, of what was handed on and the others."""
        return [values[at] for at in self._where]

    def record(self, flat: list[Any], iteration: Any, initial: list[Any]) -> None:
        """Record the loop."""
        trace, body, carried = self._sweep.trace, self._body, [*flat, iteration, *initial]
        count = len(flat)
        with trace.inside(Scope(trace.scope)) as before:
            arguments = [before.block.add_argument(v.type, trace.location) for v in carried]
            own = arguments[count + 1 :]
            mapping = dict(zip(self._test.arguments, own, strict=True))
            for each in graph.operations(self._test):
                graph.copy(trace, each, mapping)
            condition, *handed = [mapping.get(v, v) for v in graph.terminator(self._test).operands]
            if self._room is not None:
                has_room = trace.compare("slt", arguments[count], self._room)
                condition = trace.op("arith.andi", condition.type, condition, has_room)
            others = [own[n] for n in self._unforwarded]
            leaving = [*arguments[: count + 1], *handed, *others]
            trace.create("scf.condition", (), [condition, *leaving])
        kinds = [value.type for value in leaving]
        with trace.inside(Scope(trace.scope)) as after:
            arguments = [after.block.add_argument(kind, trace.location) for kind in kinds]
            iteration, *rest = arguments[count:]
            states = body.split(arguments[:count], self._states)
            given = rest[: self._count]
            if states:
                out = body.forward(given, iteration, states)
            else:
                out = graph.inlined(trace, self._block, given)
            following = trace.op("arith.addi", iteration.type, iteration, trace.index(1))
            trace.create("scf.yield", (), [*out[len(initial) :], following, *out[: len(initial)]])
        results = list(close(trace, "scf.while", kinds, carried, [before, after]).results)
        self.flat, self.iterations, rest = results[:count], results[count], results[count + 1 :]
        self.handed, self.others = rest[: self._count], rest[self._count :]
