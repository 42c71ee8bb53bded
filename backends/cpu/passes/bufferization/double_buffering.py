"""Loops write what they carry into buffers that are there before them, and copy nothing.

Where buffers go round (`carried`), the loop no longer carries them but the number of the iteration, as
far as it matters: which buffer a variable is in is selected by it.  For two buffers that is a bit.
Deallocation knows these buffers as it knows all others, and what comes later sees that the ones
selected by the same number are different ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from agir.backends.cpu.dependence.arrays import SELECT
from agir.backends.cpu.passes.analysis.carried_buffers import Carried, Cycle
from agir.backends.cpu.passes.analysis.loop_carried import BOUNDS, LOOPS, Slot, end_of
from agir.backends.cpu.passes.analysis.memory_uses import is_buffer
from agir.backends.cpu.passes.bufferization.branch_buffers import select_buffers
from agir.backends.mlir.graph import Graph, Producers
from agir.backends.mlir.making import compare, constant, i1, index_constant, op, size_of
from agir.ir.building import bindings


def double_buffer_loops(module: Any) -> None:
    """Take buffers out of what loops carry, and out of what branches in them give."""
    known, graph = Producers(module), None
    for operation in reversed(known.find(*LOOPS, "scf.if")):  # inner ones first
        if operation.name == "scf.if":
            if select_buffers(operation, known):
                graph = None
        elif any(map(is_buffer, operation.results)):
            graph = graph or Graph(module)
            if _alternate(operation, graph):
                known, graph = Producers(module), None


def _alternate(loop: Any, graph: Graph) -> bool:
    cycles = Carried(loop, graph).cycles()
    if cycles:
        _Rewriting(loop, cycles, graph).run()
    return bool(cycles)


class _Rewriting:
    """One loop, which is replaced by one that carries counters in the place of buffers."""

    def __init__(self, loop: Any, cycles: Sequence[Cycle], graph: Graph) -> None:
        self._loop = loop
        self._graph = graph
        self._cycles = cycles
        self._gone = [slot for cycle in cycles for slot in cycle.slots]
        self._buffers: dict[Cycle, list[Any]] = {}
        self._leave = end_of(loop, "scf.yield", graph)

    def run(self) -> None:
        """Put the new loop in the place of the old one."""
        ir = bindings.ir
        with ir.InsertionPoint(self._loop), self._loop.location:
            for cycle in self._cycles:
                spares = [_like(cycle) for _ in range(cycle.spares)]
                self._buffers[cycle] = [*(slot.start for slot in cycle.slots), *spares]
            counters = [_number(0, cycle.states) for cycle in self._turning()]
            made = self._new_loop(counters)
        self._change_body(made)
        if self._loop.name == "scf.while":
            self._change_test(made)
        rest = self._without(self._loop.results, "passed")
        for old, new in zip(rest, made.results, strict=False):
            old.replace_all_uses_with(new)
        with ir.InsertionPoint.after(made), self._loop.location:
            names = {slot: self._loop.results[slot.passed] for slot in self._gone}
            self._select(names, list(made.results)[len(rest) :])
        self._loop.erase()

    def _turning(self) -> list[Cycle]:
        return [cycle for cycle in self._cycles if cycle.states > 1]

    def _without(self, values: Any, place: str) -> list[Any]:
        gone = {getattr(slot, place) for slot in self._gone}
        return [value for n, value in enumerate(values) if n not in gone]

    def _new_loop(self, counters: Sequence[Any]) -> Any:
        loop = self._loop
        bounds = BOUNDS if loop.name == "scf.for" else 0
        operands = list(loop.operands)
        starts = self._without(operands[bounds:], "number")
        results = self._without(loop.results, "passed")
        made = bindings.ir.Operation.create(
            loop.name,
            results=[value.type for value in (*results, *counters)],
            operands=[*operands[:bounds], *starts, *counters],
            attributes=dict(loop.attributes.items()),
            regions=len(loop.regions),
        )
        for old, new in zip(loop.regions, made.regions, strict=True):
            old.blocks[0].append_to(new)
        return made

    def _change_body(self, made: Any) -> None:
        ir = bindings.ir
        block = made.regions[len(made.regions) - 1].blocks[0]
        counters = self._new_arguments(block)
        leave = self._leave
        with ir.InsertionPoint(leave), leave.location:
            following = [
                _next(cycle, counter, self._graph)
                for cycle, counter in zip(self._turning(), counters, strict=True)
            ]
            kept = self._without(leave.operands, "number")
            ir.Operation.create("scf.yield", operands=[*kept, *following])
        leave.erase()
        with ir.InsertionPoint.at_block_begin(block), self._loop.location:
            self._select({slot: slot.argument for slot in self._gone}, counters, in_body=True)
        for cycle in self._cycles:
            if cycle.made is not None:
                cycle.made.erase()
        counter = 1 if made.name == "scf.for" else 0
        _drop(block, [counter + slot.passed for slot in self._gone])

    def _change_test(self, made: Any) -> None:
        ir = bindings.ir
        block = made.regions[0].blocks[0]
        counters = self._new_arguments(block)
        leave = end_of(made, "scf.condition", Graph(made))
        condition, *passed = leave.operands
        with ir.InsertionPoint(leave), leave.location:
            kept = self._without(passed, "passed")
            ir.Operation.create("scf.condition", operands=[condition, *kept, *counters])
        leave.erase()
        with ir.InsertionPoint.at_block_begin(block), self._loop.location:
            self._select({slot: slot.tested for slot in self._gone}, counters)
        _drop(block, [slot.number for slot in self._gone])

    def _new_arguments(self, block: Any) -> list[Any]:
        location = self._loop.location
        return [block.add_argument(_kind(cycle.states), location) for cycle in self._turning()]

    def _select(
        self, names: dict[Slot, Any], counters: Sequence[Any], in_body: bool = False
    ) -> None:
        """Give the buffers of the slots, in this iteration, to those who use these names for them."""
        counter = dict(zip(self._turning(), counters, strict=True))
        for cycle in self._cycles:
            state = _State(counter.get(cycle), cycle.states)
            held = partial(cycle.held, self._buffers[cycle])
            for position, slot in enumerate(cycle.slots):
                state.replace(names[slot], held(position))
            if in_body and cycle.made is not None:
                state.replace(cycle.made.results[0], held(len(cycle.slots)))


class _State:
    """What depends on the state of a cycle, in one block."""

    def __init__(self, counter: Any, count: int) -> None:
        self._counter = counter
        self._count = count
        self._tests = [counter] if count == 2 else []

    def replace(self, name: Any, values: Sequence[Any]) -> None:
        """Replace a name by what it stands for, of which there is one value for each state."""
        if any(True for _ in name.uses):
            name.replace_all_uses_with(self.pick(values))

    def pick(self, values: Sequence[Any]) -> Any:
        """The value of the present state."""
        *others, found = values
        if others and not self._tests:
            numbers = (_number(state, self._count) for state in range(self._count - 1))
            self._tests = [compare(self._counter, "eq", number) for number in numbers]
        for test, value in reversed(list(zip(self._tests, others, strict=True))):
            found = _chosen(test, value, found)
        return found


def _kind(count: int) -> Any:
    """The type of a counter: for two states a bit, which is set in the first one."""
    return i1() if count == 2 else bindings.ir.IndexType.get()


def _number(state: int, count: int) -> Any:
    kind = _kind(count)
    number = int(state == 0) if count == 2 else state
    return constant(kind, number)


def _next(cycle: Cycle, counter: Any, graph: Graph) -> Any:
    """The counter of the next iteration."""
    moved = _moved(cycle.slots[0].following, cycle, graph)
    if cycle.states == 2:
        return op("arith.xori", counter.type, counter, moved)
    numbers = [_number(cycle.after(state), cycle.states) for state in range(cycle.states)]
    return _chosen(moved, _State(counter, cycle.states).pick(numbers), counter)


def _moved(value: Any, cycle: Cycle, graph: Graph) -> Any:
    """A bit: whether the slots get other buffers in the next iteration, as selections have it."""
    source = graph.producer(value, SELECT)
    if source is not None:
        condition, *values = source.operands
        return _chosen(condition, *(_moved(each, cycle, graph) for each in values))
    keeps = cycle.made is not None and value == cycle.slots[0].argument
    return constant(i1(), int(not keeps))


def _like(cycle: Cycle) -> Any:
    """One more buffer for a cycle, made here."""
    kind = cycle.made.results[0].type
    sizes = [_value(size) for n, size in enumerate(cycle.sizes) if kind.is_dynamic_dim(n)]
    return op("memref.alloc", kind, *sizes, **dict(cycle.made.attributes.items()))


def _value(size: Any) -> Any:
    if isinstance(size, int):
        return index_constant(size)
    return size_of(*size) if isinstance(size, tuple) else size


def _chosen(condition: Any, one: Any, other: Any) -> Any:
    return op(SELECT, one.type, condition, one, other)


def _drop(block: Any, positions: Sequence[int]) -> None:
    for position in sorted(positions, reverse=True):
        block.erase_argument(position)
