"""Functions end early where there is no memory, and where the user interrupts a loop.

A function that may have to gets three further results, all zero where it comes to its end: why it has
left, a number that goes with that, and the number of the place, which the attribute ``agir.left_at``
of a branch says.  Nothing else that it returns means anything then, and its caller leaves as well,
with the same numbers.

Loops count their iterations down, in a register.  At zero the function of `iterations` looks at the
clock, so that some ten times a second it takes the interpreter's lock and has Python handle signals.

Buffers that are there when a function leaves are lost.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import count, islice
from typing import Any

from agir.backends.cpu.calling.leaving import COUNT, INTERRUPTED, LEFT_AT, NO_MEMORY
from agir.backends.cpu.calling.pool import most_bytes
from agir.backends.cpu.library import iterations
from agir.backends.cpu.passes.analysis.functions import LEAVES, PREFIX, RUN
from agir.backends.cpu.passes.checks.iteration_counting import ITERATIONS, LEFT
from agir.backends.cpu.passes.lowering import further_results
from agir.backends.cpu.passes.lowering.further_results import Added
from agir.backends.cpu.passes.lowering.instructions import Instructions
from agir.backends.cpu.passes.lowering.outer_loops import begin_anew
from agir.backends.mlir.graph import Producers
from agir.backends.mlir.making import number_attribute
from agir.backends.mlir.modules import children, symbols
from agir.ir.building import bindings
from agir.ir.building.attributes import SIGNATURE

_MOST = float(1 << 46)
_CHECKED = 1 << 16
"""From how many bytes on it is looked at whether there is memory."""


def insert_early_returns(module: Any) -> None:
    """Have functions leave that may have to; of the LLVM dialect."""
    known = symbols(module)
    graph = Producers(module)
    marks = [call for call in graph.find("llvm.call") if _callee(call) in (LEFT, ITERATIONS)]
    leaving = _those_that_leave(known, graph)
    added = {name: further_results.add(each, COUNT) for name, each in leaving.items()}
    places = count()
    for name, function in leaving.items():
        if added[name].early is not None:
            _Function(function, added, graph, places).write(added[name].early)
    for call in reversed(marks):
        call.erase()
    if ITERATIONS in known:
        known[ITERATIONS].erase()
        known[LEFT].erase()
        [called] = symbols(_what_loops_call()).values()
        called.clone(ip=bindings.ir.InsertionPoint(module.body))


@cache
def _what_loops_call() -> Any:
    """The module that declares the function of `iterations`, parsed once: a copy costs less."""
    return bindings.ir.Module.parse(iterations.declaration())


def _those_that_leave(known: dict[str, Any], graph: Producers) -> dict[str, Any]:
    """The functions that something in them may end, and those that call such ones."""
    callers: defaultdict[str, list[str]] = defaultdict(list)
    work = []
    for call in graph.find("llvm.call"):
        name = call.parent.attributes["sym_name"].value
        callers[_callee(call)].append(name)
        if _may_end(call, graph):
            work.append(name)
    for name in known:
        if name.startswith(PREFIX) and name.endswith(RUN):
            callers[name.removesuffix(RUN)].append(name)
    found: dict[str, Any] = {}
    while work:
        name = work.pop()
        if name not in found:
            found[name] = known[name]
            work += callers[name]
    return found


def _callee(call: Any) -> str:
    return call.attributes["callee"].value if "callee" in call.attributes else ""


def _may_end(call: Any, graph: Producers) -> bool:
    """Whether a call may find that there is no memory, or that the user interrupts."""
    callee = _callee(call)
    large = callee == "malloc" and most_bytes(call.operands[0], graph) >= _CHECKED
    return large or callee == ITERATIONS


class _Function:
    """A function that may leave.

    Its calls are seen to from the last to the first, so that each operation moves to another block
    once.
    """

    def __init__(
        self, function: Any, leaving: Mapping[str, Added], graph: Producers, places: Iterator[int]
    ) -> None:
        self.function = function
        self.leaving = leaving
        self.graph = graph
        self.places = places
        self.operations: list[Any] = []
        self.made: list[Any] = []
        self.to = Instructions(self.made)
        self.leave: Any = None

    def write(self, leave: Any) -> None:
        """Have it leave where it may have to, by a block that takes why."""
        self.leave = leave
        with self.function.location:
            self.operations = children(self.function)
            leaving = [at for at, each in enumerate(self.operations) if self._may_leave(each)]
            for position in reversed(leaving):
                self._at(position)
        if SIGNATURE in self.function.attributes:
            self.function.attributes[LEAVES] = bindings.ir.UnitAttr.get()

    def _may_leave(self, each: Any) -> bool:
        if each.name != "llvm.call":
            return False
        return _callee(each) in self.leaving or _may_end(each, self.graph)

    def _at(self, position: int) -> None:
        call = self.operations[position]
        self.made.clear()
        after = self._rest(position)
        if _callee(call) in self.leaving:
            block = call.block
            self._call(call, after)
            self.operations[position : position + 1] = [e for e in self.made if e.block == block]
            return
        write = self._iteration if _callee(call) == ITERATIONS else self._allocation
        write(position, after)
        here = [each for each in self.made if each.block == call.block]
        before = [each for each in here if each.is_before_in_block(call)]
        self.operations[position : position + 1] = [*before, call, *here[len(before) :]]

    def _rest(self, position: int) -> Any:
        """A new block, with what follows an operation in its own."""
        block = self.operations[position].block
        after = block.create_after(arg_locs=[])
        for each in islice(self.operations, position + 1, None):
            if each.block != block:
                break
            after.append(each)
        return after

    def _leave_if(self, bad: Any, reason: int, number: Any, after: Any) -> None:
        place = next(self.places)
        values = [self.to.number(reason), number, self.to.number(place)]
        branch = self.to.jump(bad, self.leave, values, after)
        branch.attributes[LEFT_AT] = number_attribute(place)

    # Functions that have left.

    def _call(self, call: Any, after: Any) -> None:
        """Leave where the function that is called has left."""
        ir, to = bindings.ir, self.to
        with ir.InsertionPoint(call), call.location:
            values = further_results.call(call, self.leaving[_callee(call)], COUNT, to)
            bad = to.seldom(to.compare("!=", values[0], to.number(0)))
            to.jump(bad, self.leave, values, after)
        self.graph.forget(call)
        call.erase()

    # Memory.

    def _allocation(self, position: int, after: Any) -> None:
        """Leave where there is no memory, or where the bytes are too many for their number."""
        call, to = self.operations[position], self.to
        with bindings.ir.InsertionPoint(call), call.location:
            wanted = self._wanted(call.operands[0])
            much = to.compare("f>", wanted, to.real(_MOST))
            call.operands[0] = to.select(much, to.number(1 << 62), call.operands[0])
        with bindings.ir.InsertionPoint(call.block), call.location:
            bad = to.compare("==", call.results[0], to.null())
            self._leave_if(bad, NO_MEMORY, to.bits(wanted), after)

    def _wanted(self, size: Any) -> Any:
        """The bytes as a float64, of factors whose product may not go into an integer."""
        source = self.graph.producer(size, "llvm.add")
        source = self.graph.producer(source.operands[0] if source else size, "llvm.ptrtoint")
        source = source and self.graph.producer(source.operands[0], "llvm.getelementptr")
        if source is None or len(source.operands) < 2:
            return self.to.as_real(size)
        total = self.to.real(_bytes_of(source.attributes["elem_type"]))
        for factor in self._factors(source.operands[1]):
            total = self.to.times(total, self.to.as_real(factor))
        return total

    def _factors(self, count: Any) -> list[Any]:
        product = self.graph.producer(count, "llvm.mul")
        if product is None:
            return [count]
        return [each for operand in product.operands for each in self._factors(operand)]

    # Iterations.

    def _iteration(self, position: int, after: Any) -> None:
        """Count iterations down; at zero look at the clock, and leave if there is an exception."""
        ir, call, to = bindings.ir, self.operations[position], self.to
        asked = self.graph.producer(call.operands[0], "llvm.call")
        assert asked is not None
        iterations_first = _constant(asked.operands[0], self.graph)
        first_block = self.function.regions[0].blocks[0]
        again = begin_anew(self.operations, position + 1, to) or after
        with ir.InsertionPoint.at_block_begin(first_block), call.location:
            left = to.cell(iterations_first)
            state = to.cell(iterations_first, 0)
        ask = call.block.create_after(arg_locs=[])
        with ir.InsertionPoint(asked), asked.location:
            asked.results[0].replace_all_uses_with(Instructions([]).load(left))
        with ir.InsertionPoint(call), call.location:
            now = to.minus(call.operands[0], call.operands[1])
            to.store(now, left)
            to.jump(to.seldom(to.compare("==", now, to.number(0))), ask, [], after)
        with ir.InsertionPoint(ask), call.location:
            given = to.call(iterations.NAME, state)
            to.store(given, left)
            bad = to.compare("<", given, to.number(0))
            self._leave_if(bad, INTERRUPTED, to.minus(to.number(0), given), again)


def _constant(value: Any, graph: Producers) -> int:
    source = graph.producer(value, "llvm.mlir.constant")
    assert source is not None
    return int(source.attributes["value"].value)


def _bytes_of(kind: Any) -> float:
    """The size of an element, a number or a complex one."""
    bits = [int(each) for each in re.findall(r"\d+", str(kind.value))]
    return max(sum(bits) / 8, 1.0)
