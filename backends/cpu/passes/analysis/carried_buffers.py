"""The buffers that a loop hands from iteration to iteration, and the cycles in which it does.

A loop like ``u = f(u)`` gets a buffer, writes the next value into one that it allocates, hands that
one on, and has no more use for the first.  One more buffer, allocated before the loop, is all that
it needs: the two change places in each iteration.  With several variables (``x, y = y, f(x)``) more of
them go round, and where the old value's last use is before the new one's first, no other is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.backends.cpu.dependence.arrays import SELECT
from agir.backends.cpu.passes.analysis.buffer_sizes import Sizes, values_in
from agir.backends.cpu.passes.analysis.loop_carried import Slot, end_of, slots_of
from agir.backends.cpu.passes.analysis.memory_uses import is_buffer, uses_of_memory
from agir.backends.mlir.graph import Graph, Use
from agir.backends.mlir.reached import reached
from agir.ir.building import bindings
from agir.records import dataclass


@dataclass(eq=False)
class Cycle:
    """Slots whose memory goes round: what one holds in an iteration, the next one gets.

    The first one gets the buffer that is `made` in the iteration: memory that the last one has had or,
    where it still has it then, a spare buffer, whose place the last one's takes.  Without `made`,
    the first gets what the last has had.  With two spare buffers the only slot alternates between
    those, and what it begins with is not written to.
    """

    slots: Sequence[Slot]
    made: Any
    spares: int
    sizes: Sequence[Any]
    """How long the buffers are, in the words of `Sizes`."""

    @property
    def states(self) -> int:
        """In how many ways the memory can be distributed."""
        return len(self.slots) + self.spares

    def after(self, state: int) -> int:
        """The way in the next iteration."""
        return (state + 1) % self.states or int(self.spares == 2)

    def held(self, buffers: Sequence[Any], position: int) -> list[Any]:
        """What a slot has in each state; ``len(slots)`` is the position of what is made.

        The buffers are those that the slots begin with, and the spare ones.
        """
        if self.spares == 2:
            start, one, other = buffers
            return [start, one, other] if position == 0 else [one, other, one]
        place = position if self.spares else min(position, len(buffers) - 1)
        return [buffers[(place - state) % len(buffers)] for state in range(len(buffers))]


class Carried:
    """What one loop carries."""

    def __init__(self, loop: Any, graph: Graph) -> None:
        self._loop = loop
        self._graph = graph
        self._leave = end_of(loop, "scf.yield", graph)
        self._slots = list(slots_of(loop, graph))

    def cycles(self) -> list[Cycle]:
        """The cycles that need no other memory than what there can be before the loop."""
        found: list[Cycle] = []
        taken: set[Slot] = set()
        for slot in self._slots:
            cycle = None if slot in taken else self._alternating(slot) or self._cycle(slot)
            cycle = cycle and self._possible(cycle)
            if cycle is not None:
                found.append(cycle)
                taken.update(cycle.slots)
        return found

    def _alternating(self, slot: Slot) -> Cycle | None:
        """A slot that gets a new buffer in some iterations, and keeps its own in the others."""
        leaves = leaves_of(slot.following, self._graph)
        others = [value for value in leaves if value != slot.argument]
        if len(leaves) != 2 or len(others) != 1 or not self._goes_to(slot.argument, [slot]):
            return None
        made = self._allocation(others[0], slot)
        return None if made is None else Cycle([slot], made, 1, ())

    def _cycle(self, first: Slot) -> Cycle | None:
        """The cycle that begins with a slot."""
        made = self._allocation(first.following, first)
        slots = [first]
        while (after := self._after(slots[-1])) is not None and after not in slots:
            slots.append(after)
        last = slots[-1].argument
        if made is None:
            return Cycle(slots, None, 0, ()) if after is first else None
        if after is not None or not self._goes_to(last, []):
            return None
        return Cycle(slots, made, int(not self._is_over(last, made.results[0])), ())

    def _after(self, slot: Slot) -> Slot | None:
        """The slot that gets what this one has."""
        for each in self._slots:
            if each.following == slot.argument and self._goes_to(slot.argument, [each]):
                return each
        return None

    def _allocation(self, value: Any, slot: Slot) -> Any:
        """The allocation in the body that makes a buffer, if only this slot gets it."""
        made = self._graph.producer(value, "memref.alloc")
        if made is None or made.name != "memref.alloc" or made.block != self._leave.block:
            return None
        return made if self._goes_to(value, [slot]) else None

    def _goes_to(self, value: Any, slots: Sequence[Slot]) -> bool:
        """Whether a buffer, under whatever name, is yielded to these slots and used by nothing else."""
        uses = self._uses(value)
        if uses is None:
            return False
        numbers = [use.position for use in uses if use.user == self._leave]
        return numbers == [slot.number for slot in slots]

    def _uses(self, value: Any) -> list[Use] | None:
        return uses_of_memory(value, self._graph, [self._leave])

    def _is_over(self, old: Any, new: Any) -> bool:
        """Whether the last use of a buffer comes before the first one of another one."""
        last, first = (
            {self._in_body(use.user) for use in self._uses(each) or ()} for each in (old, new)
        )
        return all(a != b and a.is_before_in_block(b) for a in last for b in first)

    def _in_body(self, operation: Any) -> Any:
        while operation.block != self._leave.block:
            operation = operation.parent
        return operation

    def _possible(self, cycle: Cycle) -> Cycle | None:
        """The cycle, or another one that makes no use of what the loop begins with."""
        buffers = [slot.argument for slot in cycle.slots]
        starts = [slot.start for slot in cycle.slots]
        if cycle.made is not None:
            buffers.append(cycle.made.results[0])
        if len({buffer.type for buffer in buffers}) > 1:
            return None
        if self._are_of_equal_sizes(cycle, buffers) and self._are_its_own(starts):
            return cycle
        if len(starts) > 1 or cycle.made is None:
            return None
        sizes = Sizes(self._graph).of(buffers[-1])
        if any(self._graph.is_inside(value, self._loop) for value in values_in(sizes)):
            return None
        return Cycle(cycle.slots, cycle.made, 2, sizes)

    def _are_of_equal_sizes(self, cycle: Cycle, buffers: Sequence[Any]) -> bool:
        """Whether all buffers of a cycle are as long as each other if they are so in one iteration."""
        starts = {slot.argument: slot.start for slot in cycle.slots}
        starts |= {slot.tested: slot.start for slot in cycle.slots if slot.tested is not None}
        sizes = Sizes(self._graph, starts)
        cycle.sizes = sizes.of(buffers[0])
        return all(sizes.of(buffer) == cycle.sizes for buffer in buffers)

    def _are_its_own(self, starts: Sequence[Any]) -> bool:
        return len(set(starts)) == len(starts) and all(map(self._is_its_own, starts))

    def _is_its_own(self, start: Any) -> bool:
        """Whether nothing looks at a buffer any more once the loop has begun with it."""
        return self._is_there_once(start) and self._has_no_later_use(start)

    def _is_there_once(self, start: Any) -> bool:
        """Whether the buffer is another one each time that the loop begins."""
        owner = start.owner
        block = owner if isinstance(owner, bindings.ir.Block) else owner.operation.block
        around = self._loop
        while around.block != block:
            around = around.parent
            if around.name != "scf.if":
                return False
        return True

    def _has_no_later_use(self, value: Any) -> bool:
        source = self._graph.producer(value)
        if source is not None and source.name in ("memref.cast", "memref.subview"):
            return False
        return all(
            use.user == self._loop or self._is_earlier(use.user) for use in self._graph.uses(value)
        )

    def _is_earlier(self, user: Any) -> bool:
        """Whether an operation, and what names it makes for the buffer, is before the loop."""
        if any(is_buffer(result) for result in user.results):
            return all(
                self._is_earlier(use.user)
                for result in user.results
                for use in self._graph.uses(result)
            )
        around = self._loop
        while around.block != user.block:
            around = around.parent
            if around.name == "func.func":
                around, user = self._loop, user.parent
                if user.name == "func.func":
                    return False
        return bool(around != user and user.is_before_in_block(around))


def leaves_of(value: Any, graph: Graph) -> list[Any]:
    """The buffers of which a value is one, by selections."""

    def chosen(selected: Any) -> list[Any]:
        source = graph.producer(selected, SELECT)
        return [] if source is None else list(source.operands)[1:]

    return [each for each in reached([value], chosen) if graph.producer(each, SELECT) is None]
