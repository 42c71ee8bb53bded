"""The derivative of `scf.for`: a loop from the last turn to the first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agir.ir import emit
from agir.ir.cells import Scope
from agir.ir.gradients.core import graph
from agir.ir.gradients.core.branches import close
from agir.ir.gradients.core.expressions import carries
from agir.ir.gradients.core.joint import Joint
from agir.ir.gradients.core.stacks import Stack, stack_for
from agir.ir.gradients.core.sweep import Sweep
from agir.ir.trace import Trace


def carried(
    sweep: Sweep,
    operations: Sequence[Any],
    outside: Sequence[Any],
    initial: Sequence[Any],
    arguments: Sequence[Any],
    yielded: Sequence[Any],
    cotangents: Sequence[Any],
) -> list[int]:
    """The numbers of the loop's variables that have cotangents."""
    active = {n for n, value in enumerate(initial) if value in sweep.active}
    useful = {n for n, cotangent in enumerate(cotangents) if cotangent is not None}
    while True:
        local = {value for value in outside if value in sweep.active}
        local |= {arguments[n] for n in active}
        graph.spread(operations, local)
        reached = active | {n for n, value in enumerate(yielded) if value in local}
        if reached == active:
            break
        active = reached
    while True:
        needed = graph.reaching(operations, {yielded[n] for n in useful})
        reached = useful | {n for n, argument in enumerate(arguments) if argument in needed}
        if reached == useful:
            break
        useful = reached
    return sorted(n for n in active & useful if carries(arguments[n]))


class Body:
    """A loop's body and its sweep, cut apart."""

    def __init__(
        self,
        sweep: Sweep,
        block: Any,
        variables: Sequence[Any],
        carried: Sequence[int],
        outside: Sequence[Any],
        free: int,
    ) -> None:
        """``variables`` are the block's arguments in the order of what it yields; the first
        ``free`` arguments of the block are known in any turn."""
        self.sweep = sweep
        self.joint = joint = Joint(sweep)
        trace = self.trace = sweep.trace
        yielded = list(graph.terminator(block).operands)
        with trace.inside(joint.scope):
            mapping = {old: joint.argument(old.type) for old in block.arguments}
            own = [mapping[argument] for argument in block.arguments]
            copies = joint.body(block, mapping)
            inner = sweep.inner(
                copies, [mapping[variables[n]] for n in carried if variables[n] in mapping]
            )
            self.received = [joint.argument(yielded[n].type) for n in carried]
            self.totals = [joint.argument(value.type) for value in outside]
            inner.cotangents = dict(zip(outside, self.totals, strict=True))
            for number, cotangent in zip(carried, self.received, strict=True):
                value = yielded[number]
                inner.add(mapping.get(value, value), cotangent)
            inner.run(copies)
            found = [inner.accumulated(mapping[variables[n]]) for n in carried]
            found += [inner.cotangents[value] for value in outside]
            self.masked = [value for value in outside if value in inner.masked]
            self.mask_carried = any(mapping[variables[n]] in inner.masked for n in carried)
        self.yielded = [trace.replacement(mapping.get(v, v)) for v in yielded]
        self.arguments = own
        self.leaving = joint.cut(found)
        self.changed = [
            at for at, total in enumerate(self.totals) if self.leaving[len(carried) + at] != total
        ]
        self.crossing = joint.crossing(self.leaving, own[:free])
        self.stacks: list[Stack] = [stack_for(value) for value in self.crossing.saved]

    def begin(self, capacity: Any) -> list[list[Any]]:
        """The state of each stack before the loop."""
        return [stack.begin(self.trace, capacity) for stack in self.stacks]

    def grown(self, states: list[list[Any]], count: Any, capacity: Any) -> list[list[Any]]:
        """The stacks, which hold so many values, with more room."""
        pairs = zip(self.stacks, states, strict=True)
        return [stack.grown(self.trace, state, count, capacity) for stack, state in pairs]

    def forward(self, arguments: Sequence[Any], turn: Any, states: list[list[Any]]) -> list[Any]:
        """Record the body with saving; gives what it yields, then the stacks."""
        trace = self.trace
        mapping = dict(zip(self.arguments, arguments, strict=True))
        for operation in self.joint.first:
            graph.copy(trace, operation, mapping)
        pushed: list[Any] = []
        for stack, value, state in zip(self.stacks, self.crossing.saved, states, strict=True):
            pushed += stack.push(trace, state, turn, mapping[value])
        return [*(mapping.get(v, v) for v in self.yielded), *pushed]

    def split(self, flat: Sequence[Any], states: list[list[Any]]) -> list[list[Any]]:
        """The values of each stack's state, from all of them in a row."""
        flat = list(flat)
        found = []
        for state in states:
            found.append(flat[: len(state)])
            flat = flat[len(state) :]
        return found

    def backward(
        self,
        turns: Any,
        states: list[list[Any]],
        initial: Sequence[Any],
        outside: Sequence[Any],
        known: Callable[[Any], list[Any]],
    ) -> list[Any]:
        """Record the loop over the turns, from the last one to the first.

        Gives the cotangents of the variables, then those of the values of outside.  ``known`` gives
        the free arguments of the body in a turn.
        """
        trace, count = self.trace, len(initial)
        pairs = [stack.kept(state) for stack, state in zip(self.stacks, states, strict=True)]
        counted = [value for _, values in pairs for value in values]
        totals = [self.sweep.accumulated(outside[at]) for at in self.changed]
        start = [*initial, *totals, *counted]
        index = trace.index_type()
        bounds = [trace.index(0), turns, trace.index(1)]
        with trace.inside(Scope(trace.scope)) as scope:
            position, *values = [
                scope.block.add_argument(kind, trace.location)
                for kind in (index, *(value.type for value in start))
            ]
            last = trace.op("arith.subi", index, turns, trace.index(1))
            turn = trace.op("arith.subi", index, last, position)
            mapping = dict(zip(self.arguments, known(turn), strict=False))
            mapping.update(zip(self.received, values, strict=False))
            inner_totals = values[count : count + len(totals)]
            mapping.update(zip([self.totals[at] for at in self.changed], inner_totals, strict=True))
            rest = iter(values[count + len(totals) :])
            lowered: list[Any] = []
            for stack, value, (kept, down) in zip(
                self.stacks, self.crossing.saved, pairs, strict=True
            ):
                mine = [next(rest) for _ in down]
                mapping[value], left = stack.pop(trace, kept, mine, turn)
                lowered += left
            self.crossing.restore(trace, mapping)
            for operation in self.joint.second:
                graph.copy(trace, operation, mapping)
            out = [*self.leaving[:count], *(self.leaving[count + at] for at in self.changed)]
            trace.create("scf.yield", (), [*(mapping.get(v, v) for v in out), *lowered])
        made = close(trace, "scf.for", [v.type for v in start], [*bounds, *start], [scope])
        return list(made.results)[: count + len(totals)]

    def settle(
        self, results: Sequence[Any], initial: Sequence[Any], outside: Sequence[Any]
    ) -> None:
        """Give the values outside the cotangents that the backward loop has computed."""
        sweep, count = self.sweep, len(initial)
        if self.mask_carried:
            sweep.mask()
        for at, total in zip(self.changed, results[count:], strict=True):
            sweep.cotangents[outside[at]] = total
            if outside[at] in self.masked:
                sweep.masked.add(outside[at])
        for value, cotangent in zip(initial, results, strict=False):
            sweep.add(value, cotangent)
        self.joint.discard()


def backward(sweep: Sweep, operation: Any, cotangents: list[Any]) -> None:
    """The rule of ``scf.for``."""
    trace = sweep.trace
    (block,) = operation.regions[0].blocks
    lower, upper, step, *initial = (sweep.resolve(value) for value in operation.operands)
    variables = list(block.arguments)[1:]
    used = list(dict.fromkeys(sweep.resolve(v) for v in graph.captured(operation)))
    yielded = list(graph.terminator(block).operands)
    chosen = carried(sweep, graph.operations(block), used, initial, variables, yielded, cotangents)
    outside = [value for value in used if sweep.wants(value)]
    body = Body(sweep, block, variables, chosen, outside, free=1)
    with sweep.before(operation):
        turns = _turns(trace, lower, upper, step)
        states = body.begin(turns) if body.stacks else []
        if body.stacks:
            made = _forward(trace, body, (lower, upper, step), initial, states)
    if body.stacks:
        count = len(initial)
        states = body.split(list(made.results)[count:], states)
        trace.supersede(operation, made, list(made.results)[:count])

    def known(turn: Any) -> list[Any]:
        index = trace.index_type()
        if lower.type != index:
            turn = trace.op("arith.index_cast", lower.type, turn)
        scaled = trace.op("arith.muli", turn.type, turn, step)
        return [trace.op("arith.addi", turn.type, lower, scaled)]

    starts = []
    for number in chosen:
        found = cotangents[number]
        like = operation.results[number]
        starts.append(zeros(trace, sweep, like) if found is None else found)
    results = body.backward(turns, states, starts, outside, known)
    body.settle(results, [initial[n] for n in chosen], outside)


def zeros(trace: Trace, sweep: Sweep, value: Any) -> Any:
    """A cotangent of zero."""
    from agir.ir.gradients.core.expressions import zeros_like

    return zeros_like(trace, sweep.resolve(value))


def _turns(trace: Trace, lower: Any, upper: Any, step: Any) -> Any:
    """How many turns a loop takes, an ``index``."""
    index = trace.index_type()
    kind = lower.type
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
        turn = _turn(trace, own[0], lower, step)
        inner = body.split(arguments[len(own) :], states)
        trace.create("scf.yield", (), body.forward(own, turn, inner))
    return close(trace, "scf.for", kinds[1:], [*bounds, *operands], [scope])


def _turn(trace: Trace, position: Any, lower: Any, step: Any) -> Any:
    if (emit.constant_value(lower), emit.constant_value(step)) != (0, 1):
        offset = trace.op("arith.subi", position.type, position, lower)
        position = trace.op("arith.divui", position.type, offset, step)
    index = trace.index_type()
    return position if position.type == index else trace.op("arith.index_cast", index, position)
