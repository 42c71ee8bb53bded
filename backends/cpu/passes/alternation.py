"""Loops write what they carry into buffers that are there before them, and copy nothing.

Where buffers go round (`carried`), the loop no longer carries them but the number of the turn, as
far as it matters: which buffer a variable is in is selected by it.  For two buffers that is a bit.
Deallocation knows these buffers as it knows all others, and what comes later sees that the ones
selected by the same number are different ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.backends.cpu.passes.carried import BOUNDS, LOOPS, Carried, Cycle, Slot, end_of
from agir.backends.cpu.passes.memory_uses import SELECT
from agir.backends.mlir.graph import Graph
from agir.ir import bindings


def alternate_between_buffers(module: Any) -> None:
    """Take buffers that go round out of what loops carry."""
    graph = Graph(module)
    for loop in reversed(graph.find(*LOOPS)):  # inner ones first
        cycles = Carried(loop, graph).cycles()
        if cycles:
            _Rewriting(loop, cycles, graph).run()
            graph = Graph(module)


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
                spare = [_like(cycle)] if cycle.has_spare else []
                self._buffers[cycle] = [*spare, *(slot.start for slot in cycle.slots)]
            counters = [_number(0, len(cycle)) for cycle in self._turning()]
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
        return [cycle for cycle in self._cycles if len(cycle) > 1]

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
        return [
            block.add_argument(_kind(len(cycle)), location) for cycle in self._turning()
        ]

    def _select(self, names: dict[Slot, Any], counters: Sequence[Any], in_body: bool = False) -> None:
        """Give the buffers of the slots, in this turn, to those who use these names for them."""
        counter = dict(zip(self._turning(), counters, strict=True))
        for cycle in self._cycles:
            holds = _Holds(self._buffers[cycle], counter.get(cycle))
            for position, slot in enumerate(cycle.slots, start=int(cycle.has_spare)):
                holds.replace(names[slot], position)
            if in_body and cycle.made is not None:
                holds.replace(cycle.made.results[0], 0 if cycle.has_spare else len(cycle) - 1)
                cycle.made.erase()


class _Holds:
    """Which of some buffers each position of a cycle has: in each turn the one before it had it."""

    def __init__(self, buffers: Sequence[Any], counter: Any) -> None:
        self._buffers = buffers
        self._counter = counter
        self._tests: list[Any] = []

    def replace(self, name: Any, position: int) -> None:
        """Replace a name by the buffer that a position has."""
        if any(True for _ in name.uses):
            name.replace_all_uses_with(self._at(position))

    def _at(self, position: int) -> Any:
        value = self._buffers[position - len(self._buffers) + 1]
        for turn in reversed(range(len(self._buffers) - 1)):
            value = _chosen(self._test(turn), self._buffers[position - turn], value)
        return value

    def _test(self, turn: int) -> Any:
        """Whether this is such a turn; for two buffers that is the counter itself, see `_kind`."""
        if len(self._buffers) == 2:
            return self._counter
        if not self._tests:
            count = len(self._buffers)
            self._tests = [_equal(self._counter, _number(n, count)) for n in range(count - 1)]
        return self._tests[turn]


def _kind(count: int) -> Any:
    """The type of a counter: for two buffers a bit, which is set in turn 0."""
    ir = bindings.ir
    return ir.IntegerType.get_signless(1) if count == 2 else ir.IndexType.get()


def _number(turn: int, count: int) -> Any:
    kind = _kind(count)
    number = int(turn == 0) if count == 2 else turn
    value = {"value": bindings.ir.IntegerAttr.get(kind, number)}
    return bindings.ir.Operation.create("arith.constant", results=[kind], attributes=value).results[0]


def _next(cycle: Cycle, counter: Any, graph: Graph) -> Any:
    """The counter of the next turn."""
    count = len(cycle)
    if count == 2:
        moved = _moved(cycle.slots[0].following, cycle, graph)
        return counter if moved is None else _arithmetic("arith.xori", counter, moved)
    more = _arithmetic("arith.addi", counter, _number(1, count))
    last = _equal(counter, _number(count - 1, count))
    return _chosen(last, _number(0, count), more)


def _moved(value: Any, cycle: Cycle, graph: Graph) -> Any:
    """A bit: whether a slot gets another buffer in the next turn, as its selections have it."""
    source = graph.producer(value, SELECT)
    if source is None:
        ir = bindings.ir
        keeps = cycle.has_spare and value == cycle.slots[0].argument
        one = {"value": ir.IntegerAttr.get(_kind(2), int(not keeps))}
        return ir.Operation.create("arith.constant", results=[_kind(2)], attributes=one).results[0]
    condition, *values = source.operands
    return _chosen(condition, *(_moved(each, cycle, graph) for each in values))


def _like(cycle: Cycle) -> Any:
    """One more buffer for a cycle, made here."""
    ir = bindings.ir
    start, kind = cycle.slots[0].start, cycle.made.results[0].type
    extents = [_extent(start, axis) for axis in range(kind.rank) if kind.is_dynamic_dim(axis)]
    return ir.Operation.create(
        "memref.alloc",
        results=[kind],
        operands=extents,
        attributes=dict(cycle.made.attributes.items()),
    ).results[0]


def _extent(buffer: Any, axis: int) -> Any:
    position = _number(axis, 0)
    kind = bindings.ir.IndexType.get()
    made = bindings.ir.Operation.create("memref.dim", results=[kind], operands=[buffer, position])
    return made.results[0]


def _arithmetic(name: str, one: Any, other: Any) -> Any:
    return bindings.ir.Operation.create(name, results=[one.type], operands=[one, other]).results[0]


def _equal(one: Any, other: Any) -> Any:
    ir = bindings.ir
    equal = {"predicate": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 0)}
    made = ir.Operation.create(
        "arith.cmpi", results=[_kind(2)], operands=[one, other], attributes=equal
    )
    return made.results[0]


def _chosen(condition: Any, one: Any, other: Any) -> Any:
    operands = [condition, one, other]
    return bindings.ir.Operation.create(SELECT, results=[one.type], operands=operands).results[0]


def _drop(block: Any, positions: Sequence[int]) -> None:
    for position in sorted(positions, reverse=True):
        block.erase_argument(position)
