"""Functions end early where there is no memory, and where the user interrupts a loop without end.

The *entry*, a function that is called from outside, gets three further results, all zero where it
comes to its end: why it has left, a number that goes with that, and the number of the place, which
the attribute ``agir.left_at`` of a branch says.  Nothing else that it returns means anything then.

A ``while`` loop counts its turns down, in a register.  At zero the function of `turns` looks at the
clock, so that some ten times a second it takes the interpreter's lock and has Python handle signals.

Buffers that are there when a function leaves are lost.  In functions that entries call nothing of
this is done.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from itertools import islice
from typing import Any

from agir.backends.cpu.calling.leaving import COUNT, INTERRUPTED, LEFT_AT, NO_MEMORY
from agir.backends.cpu.calling.pool import most_bytes
from agir.backends.cpu.library import turns
from agir.backends.cpu.passes import further_results
from agir.backends.cpu.passes.functions import LEAVES, SIGNATURE, functions, is_public
from agir.backends.cpu.passes.instructions import Instructions, number_attribute
from agir.backends.cpu.passes.outer_loops import begin_anew
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.modules import children, find, symbols
from agir.ir import bindings

__all__ = ["count_turns", "leave_early"]

_MOST = float(1 << 46)
_CHECKED = 1 << 20
"""From how many bytes on it is looked at whether there is memory."""
_TURN = "agir_turn"
_LIGHT, _HEAVY = 1 << 16, 1 << 5
"""After how many turns the clock is looked at first: of loops of scalars, and of those with loops."""


def count_turns(module: Any) -> None:
    """Mark the turns of ``while`` loops in functions that are called from outside."""
    entries = filter(is_public, functions(module))
    loops = [loop for entry in entries for loop in find(entry, "scf.while")]
    if not loops or sys.platform == "win32":
        return
    ir = bindings.ir
    i64 = ir.IntegerType.get_signless(64)
    for loop in loops:
        count = _HEAVY if _has_loops(loop) else _LIGHT
        with ir.InsertionPoint(_end_of_turn(loop)), loop.location:
            number = ir.Operation.create(
                "arith.constant", [i64], attributes={"value": ir.IntegerAttr.get(i64, count)}
            )
            callee = ir.FlatSymbolRefAttr.get(_TURN)
            ir.Operation.create("func.call", [], number.results, {"callee": callee})
    module.body.append(ir.Operation.parse(f"func.func private @{_TURN}(i64)"))


def _has_loops(loop: Any) -> bool:
    inner = find(loop, "scf.while", "scf.for", "func.call")
    return any(each != loop for each in inner)


def _end_of_turn(loop: Any) -> Any:
    body = loop.regions[1].blocks[0]
    return next(each for each in children(loop) if each.name == "scf.yield" and each.block == body)


def leave_early(module: Any) -> None:
    """Have functions that are called from outside leave; of the LLVM dialect."""
    known = symbols(module)
    graph = Graph(module)
    calls = graph.find("llvm.call")
    called = set(map(_callee, calls))
    marks = [call for call in calls if _callee(call) == _TURN]
    for name, function in known.items():
        is_defined = SIGNATURE in function.attributes and bool(function.regions[0].blocks)
        if is_defined and name not in called:
            _Entry(function, graph).write()
    for call in marks:
        call.erase()
    if _TURN in known:
        known[_TURN].erase()
        _append(module, _what_loops_call())


@cache
def _what_loops_call() -> Any:
    """The module with the function of `turns`; parsed once, because copying it takes less."""
    return bindings.ir.Module.parse(turns.text())


def _append(module: Any, source: Any) -> None:
    present = symbols(module)
    with bindings.ir.InsertionPoint(module.body):
        for name, operation in symbols(source).items():
            if name not in present:
                operation.clone()


def _callee(call: Any) -> str:
    return call.attributes["callee"].value if "callee" in call.attributes else ""


class _Entry:
    """A function that is called from outside.

    Its calls are seen to from the last to the first, so that each operation moves to another block
    once.
    """

    def __init__(self, function: Any, graph: Graph) -> None:
        self.function = function
        self.graph = graph
        self.operations: list[Any] = []
        self.made: list[Any] = []
        self.to = Instructions(self.made)
        self.places = 0
        self.leave: Any = None

    def write(self) -> None:
        """Have it leave where it may have to."""
        if not any(map(self._may_leave, children(self.function))):
            return
        with self.function.location:
            self.leave = further_results.add(self.function, COUNT)
            self.operations = children(self.function)
            leaving = [at for at, each in enumerate(self.operations) if self._may_leave(each)]
            for position in reversed(leaving):
                self._at(position)
        self.function.attributes[LEAVES] = bindings.ir.UnitAttr.get()

    def _may_leave(self, each: Any) -> bool:
        if each.name != "llvm.call":
            return False
        callee = _callee(each)
        large = callee == "malloc" and most_bytes(each.operands[0], self.graph) >= _CHECKED
        return callee == _TURN or large

    def _at(self, position: int) -> None:
        call = self.operations[position]
        self.made.clear()
        after = self._rest(position)
        write = self._turn if _callee(call) == _TURN else self._allocation
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
        values = [self.to.number(reason), number, self.to.number(self.places)]
        branch = self.to.jump(bad, self.leave, values, after)
        branch.attributes[LEFT_AT] = number_attribute(self.places)
        self.places += 1

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

    # Turns.

    def _turn(self, position: int, after: Any) -> None:
        """Count a turn down; at zero look at the clock, and leave if there is an exception."""
        ir, call, to = bindings.ir, self.operations[position], self.to
        turns_first = _constant(call.operands[0], self.graph)
        first_block = self.function.regions[0].blocks[0]
        again = begin_anew(self.operations, position + 1, to) or after
        with ir.InsertionPoint.at_block_begin(first_block), call.location:
            left = to.cell(turns_first)
            state = to.cell(turns_first, 0)
        ask = call.block.create_after(arg_locs=[])
        with ir.InsertionPoint(call), call.location:
            now = to.minus(to.load(left), to.number(1))
            to.store(now, left)
            to.jump(to.seldom(to.compare("==", now, to.number(0))), ask, [], after)
        with ir.InsertionPoint(ask), call.location:
            given = to.call(turns.NAME, state)
            to.store(given, left)
            bad = to.compare("<", given, to.number(0))
            self._leave_if(bad, INTERRUPTED, to.minus(to.number(0), given), again)


def _constant(value: Any, graph: Graph) -> int:
    source = graph.producer(value, "llvm.mlir.constant")
    assert source is not None
    return int(source.attributes["value"].value)


def _bytes_of(kind: Any) -> float:
    """The size of an element, a number or a complex one."""
    bits = [int(each) for each in re.findall(r"\d+", str(kind.value))]
    return max(sum(bits) / 8, 1.0)
