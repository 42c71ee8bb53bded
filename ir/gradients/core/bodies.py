"""A loop's body and its reverse sweep, cut apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agir.ir.gradients.core import graph, linear, room, sizes
from agir.ir.gradients.core.expressions import carries
from agir.ir.gradients.core.joint import Joint, size_of
from agir.ir.gradients.core.stacks import Rows, Stack, stack_for
from agir.ir.gradients.core.sweep import Sweep
from agir.ir.tracing import loops

_OPEN = 1024
"""What a size that only the run time knows counts as where memory is made for it."""


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
        ``free`` arguments of the block are known in any iteration."""
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
            inner.in_loop = True
            self.received = [joint.argument(yielded[n].type) for n in carried]
            self.totals = [joint.argument(value.type) for value in outside]
            inner.cotangents = dict(zip(outside, self.totals, strict=True))
            for number, cotangent in zip(carried, self.received, strict=True):
                value = yielded[number]
                inner.add(mapping.get(value, value), cotangent)
            inner.run(copies)
            found = [inner.accumulated(mapping[variables[n]]) for n in carried]
            found = linear.shortened(trace, joint.swept(), self.received, found)
            found += [inner.accumulated(value) for value in outside]
            self.masked = [value for value in outside if value in inner.masked]
            self.mask_carried = any(mapping[variables[n]] in inner.masked for n in carried)
        self.yielded = [trace.replacement(mapping.get(v, v)) for v in yielded]
        self.arguments = own
        self.leaving = joint.cut(found)
        joint.prune(self.leaving)
        self.changed = [
            at for at, total in enumerate(self.totals) if self.leaving[len(carried) + at] != total
        ]
        self.crossing = joint.crossing(self.leaving, own[:free])
        self.free = free
        saved, inside = self.crossing.saved, joint.scope.block
        self.stacks: list[Stack] = [stack_for(v, sizes.known(v, inside)) for v in saved]
        self._rooms = {
            array: (stack, number)
            for number, array in sizes.written_arrays(saved, inside)
            if isinstance(stack := self.stacks[number], Rows)
        }

    @property
    def saved_bytes(self) -> int:
        """About how many bytes are saved of an iteration; sizes that are not known count as large."""
        return sum(size_of(value, _OPEN) for value in self.crossing.saved)

    def has_room(self, rows: Any, states: Sequence[Sequence[Any]] = ()) -> Any:
        """Whether there is memory for what so many iterations save; None where that is little.

        A loop in a loop is not asked before it begins: the one around it keeps what it saves.
        Of stacks that are there already it is asked for what growing copies, too.
        """
        if self.sweep.in_loop and not states:
            return None
        count, factor = room.counted(self.trace, rows), room.GROWING if states else 1.0
        rows_ = [[factor, *stack.row(self.trace)] for stack in self.stacks]
        sizes = [room.product([count, *each]) for each in rows_]
        for stack, state in zip(self.stacks, states, strict=False):
            sizes.append(stack.copied(self.trace, state))
        return room.is_there(self.trace, sizes)

    def are_whole(self, states: list[list[Any]]) -> Any:
        """Whether there was memory for what every iteration has saved (i1); None for yes."""
        pairs = zip(self.stacks, states, strict=True)
        every = [stack.is_whole(self.trace, state) for stack, state in pairs]
        return room.both(self.trace, every)

    def begin(self, capacity: Any, grows: bool = True) -> list[list[Any]]:
        """The state of each stack before the loop."""
        return [stack.begin(self.trace, capacity, grows) for stack in self.stacks]

    def grown(self, states: list[list[Any]], count: Any, capacity: Any) -> list[list[Any]]:
        """The stacks, which hold so many values, with more room."""
        pairs = zip(self.stacks, states, strict=True)
        return [stack.grown(self.trace, state, count, capacity) for stack, state in pairs]

    def forward(
        self, arguments: Sequence[Any], iteration: Any, states: list[list[Any]]
    ) -> list[Any]:
        """Record the body with saving; gives what it yields, then the stacks."""
        trace = self.trace
        mapping = dict(zip(self.arguments, arguments, strict=True))
        for operation in self.joint.first:
            array = operation.results[0] if len(operation.results) else None
            if array in self._rooms:
                rows, number = self._rooms[array]
                mapping[array] = rows.room(trace, states[number], iteration)
            else:
                graph.copy(trace, operation, mapping)
        pushed: list[Any] = []
        for stack, value, state in zip(self.stacks, self.crossing.saved, states, strict=True):
            pushed += stack.push(trace, state, iteration, mapping[value])
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
        iterations: Any,
        states: list[list[Any]],
        initial: Sequence[Any],
        outside: Sequence[Any],
        known: Callable[[Any], list[Any]],
    ) -> list[Any]:
        """Record the loop over the iterations, from the last one to the first.

        Gives the cotangents of the variables, then those of the values of outside.  ``known`` gives
        the free arguments of the body in an iteration.
        """
        totals = [self.sweep.accumulated(outside[at]) for at in self.changed]
        return self.reversed(iterations, states, initial, totals, known)

    def reversed(
        self,
        iterations: Any,
        states: list[list[Any]],
        initial: Sequence[Any],
        totals: Sequence[Any],
        known: Callable[[Any], list[Any]],
    ) -> list[Any]:
        """The same with the cotangents so far of the values of outside that the body changes."""
        trace, count = self.trace, len(initial)
        pairs = [stack.kept(state) for stack, state in zip(self.stacks, states, strict=True)]
        counted = [value for _, values in pairs for value in values]
        start = [*initial, *totals, *counted]

        def iteration_back(indices: list[Any], values: list[Any]) -> list[Any]:
            last = trace.op("arith.subi", iterations.type, iterations, trace.index(1))
            iteration = trace.op("arith.subi", iterations.type, last, indices[0])
            mapping = dict(zip(self.arguments, known(iteration), strict=False))
            rest = iter(values[count + len(totals) :])
            lowered: list[Any] = []
            for stack, value, (kept, down) in zip(
                self.stacks, self.crossing.saved, pairs, strict=True
            ):
                mine = [next(rest) for _ in down]
                mapping[value], left = stack.pop(trace, kept, mine, iteration)
                lowered += left
            self.crossing.restore(trace, mapping)
            own = values[: count + len(totals)]
            return [*self.backwards_once(mapping, own[:count], own[count:]), *lowered]

        return loops.nest(trace, [iterations], start, iteration_back)[: count + len(totals)]

    def backwards_once(
        self, mapping: dict[Any, Any], received: Sequence[Any], totals: Sequence[Any]
    ) -> list[Any]:
        """Record the sweep of one iteration, whose values the mapping knows."""
        mapping.update(zip(self.received, received, strict=True))
        mapping.update(zip([self.totals[at] for at in self.changed], totals, strict=True))
        for operation in self.joint.second:
            graph.copy(self.trace, operation, mapping)
        count = len(self.received)
        out = [*self.leaving[:count], *(self.leaving[count + at] for at in self.changed)]
        return [mapping.get(v, v) for v in out]

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
