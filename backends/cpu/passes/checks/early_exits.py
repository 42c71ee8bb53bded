"""A check that fails ends the loops around it.

What a loop does after a check has failed matters to nobody: its results are thrown away.  So there
is no need to go on with a safe value, nor to hand the error record from iteration to iteration:
control goes to behind the loops at once.  What a check has found then holds in all that comes after
it, and a check costs a comparison and a branch that is foreseen.

There are no such branches among structured loops.  So ``exit_loops_on_failure`` marks where they begin
and end, and ``lower_loop_exits`` writes them when loops have become jumps.  Behind a loop the values
are those with which its last iteration began.

Loops that have memory to free stay as they are, and functions that handle failures.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from agir.backends.cpu.passes.analysis.error_records import (
    Check,
    ErrorRecord,
    is_argument,
    loops_around,
)
from agir.backends.cpu.passes.analysis.failing_checks import BEYOND, counts_from_the_end, opposites
from agir.backends.cpu.passes.analysis.functions import functions
from agir.backends.cpu.passes.analysis.loop_carried import BOUNDS, LOOPS
from agir.backends.cpu.passes.analysis.signs import Signs
from agir.backends.cpu.passes.analysis.yielded_values import YieldedValues
from agir.backends.cpu.passes.checks.iteration_counting import is_sure_to_run
from agir.backends.cpu.passes.lowering.instructions import Instructions
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.making import (
    called,
    compare,
    constant,
    expected,
    i1,
    i64,
    number_attribute,
    op,
    predicate,
)
from agir.backends.mlir.modules import children, find, in_block, symbols, walk
from agir.ir.building import bindings
from agir.ir.building.attributes import RECORD

LEAVE, LEFT = "agir_leave_loop", "agir_left_loop"
"""What stands where a loop is left, and right behind it."""
_LOOP = "agir.loop"
"""The number of that loop, an attribute of both."""
_ALLOCATIONS = ("memref.alloc", "memref.realloc")
_BOUNDED = ("arith.", "memref.dim")
"""What the bounds of a loop are made of that ends soon, whatever has failed; of constants, arguments,
and of the bounds of loops around."""


def exit_loops_on_failure(module: Any) -> None:
    """Mark the ends of loops that checks in them have, and let what follows a check rely on it."""
    marked = 0
    for function in functions(module):
        if RECORD in function.attributes:
            marked = _Function(function, marked).write()
    if marked:
        for name in (LEAVE, LEFT):
            module.body.append(bindings.ir.Operation.parse(f"func.func private @{name}()"))


class _Subscript(NamedTuple):
    """A subscript of an array that is checked."""

    index: Any
    size: Any
    chosen: Any
    """The place where the index may count from the end; None where it may not."""


class _Function:
    """A function with an error record."""

    def __init__(self, function: Any, marked: int) -> None:
        self._function = function
        self._graph = Graph(function)
        self._marked = marked
        self._cells: list[Any] = []
        self._left: list[Any] = []
        self._needless: list[Any] = []
        self._loops = self._graph.find(*LOOPS)

    def write(self) -> int:
        """Mark its loops; gives how many loops are marked now."""
        yielded = YieldedValues(self._graph)
        self._signs = Signs(self._graph, yielded)
        record = ErrorRecord(self._function, self._graph, yielded)
        if record.is_looked_at():
            return self._marked
        chosen = self._chosen(record)
        self._left = [loop for loop, _ in chosen]
        for loop, checks in chosen:
            self._leave(loop, checks, record)
        if self._left:
            self._end_soon()
        for selection in self._needless:
            selection.erase()
        return self._marked

    # What can be left.

    def _chosen(self, record: ErrorRecord) -> list[tuple[Any, list[Check]]]:
        """The loops that can be left, outer ones rather than those in them, with their checks.

        All are chosen before anything is changed: the hash of an operation is made of its operands.
        """
        checks: defaultdict[Any, list[Check]] = defaultdict(list)
        for check in record.checks():
            for loop in loops_around(check.selection):
                checks[loop].append(check)
        found: list[tuple[Any, list[Check]]] = []
        for loop in self._loops:
            if loop not in checks or any(_is_in(loop, other) for other, _ in found):
                continue
            if record.at_begin(loop) and self._can_be_left(loop, checks[loop], record):
                found.append((loop, checks[loop]))
        return found

    def _can_be_left(self, loop: Any, checks: Sequence[Check], record: ErrorRecord) -> bool:
        inside = walk(loop)
        if any(each.name in _ALLOCATIONS or _gives_memory(each) for each in inside):
            return False
        if not all(_is_ready(check, self._graph) for check in checks):
            return False
        return loop.name == "scf.for" or self._is_known_in_test(loop, checks, record)

    def _is_known_in_test(self, loop: Any, checks: Sequence[Check], record: ErrorRecord) -> bool:
        """Whether what a while passes on is known wherever in its test it may be left."""
        test = loop.regions[0].blocks[0]
        if all(in_block(check.selection, test) is None for check in checks):
            return True
        leave = next(each for each in children(loop) if each.name == "scf.condition")
        numbers = [chain.values for chain in record.chains]
        for result, value in zip(loop.results, list(leave.operands)[1:], strict=True):
            is_known = is_argument(value) and value.owner == test
            is_known = is_known or not self._graph.is_inside(value, loop)
            is_known = is_known or any(result in each for each in numbers)
            if not is_known and self._graph.uses(result):
                return False
        return True

    # Leaving.

    def _leave(self, loop: Any, checks: Sequence[Check], record: ErrorRecord) -> None:
        ir, to = bindings.ir, Instructions([])
        begin = record.at_begin(loop)
        assert begin is not None
        if not self._cells:
            first = self._function.regions[0].blocks[0]
            with ir.InsertionPoint.at_block_begin(first), self._function.location:
                self._cells = [to.cell(0) for _ in record.chains]
        with ir.InsertionPoint(loop), loop.location:
            for number, cell in zip(begin, self._cells, strict=True):
                if number is not None:
                    to.store(number, cell)
            is_new = compare(begin[0], "eq", constant(i64(), 0))
        for check in checks:
            self._end_at(check, begin, is_new)
        self._mark_end(loop, record)
        for number, values in zip(begin, record.inside(loop), strict=True):
            for value in values:
                if number is not None:
                    value.replace_all_uses_with(number)
        self._needless += [
            each
            for chain in record.chains
            for each in chain.selections
            if self._graph.is_inside(each.results[0], loop) and each not in self._needless
        ]
        self._marked += 1

    def _mark_end(self, loop: Any, record: ErrorRecord) -> None:
        """Mark what is behind a loop, where its record is that of the cells."""
        ir = bindings.ir
        after = _following(loop)
        with ir.InsertionPoint(after), loop.location:
            called(LEFT, [], []).attributes[_LOOP] = number_attribute(self._marked)
            for result in loop.results:
                for chain, cell in zip(record.chains, self._cells, strict=True):
                    if result in chain.values and self._graph.uses(result):
                        result.replace_all_uses_with(Instructions([]).load(cell))
                        break

    def _end_at(self, check: Check, begin: list[Any], is_new: Any) -> None:
        """Leave where a check fails."""
        ir = bindings.ir
        point, bad = check.selection, check.bad
        with ir.InsertionPoint(point), point.location:
            if bad is None:
                self._leave_if(constant(i1(), True), check, begin, is_new)
                return
            place = self._place(bad)
            if place is None:
                self._leave_if(expected(bad, False), check, begin, is_new)
            elif self._signs.is_not_negative(place.index):
                beyond = compare(place.index, "sge", place.size)
                self._leave_if(expected(beyond, False), check, begin, is_new)
                usual = place.index
            else:
                usual = self._leave_unusual(place, check, begin, is_new)
        self._settle(bad, point)
        if place is not None and place.chosen is not None:
            self._replace_after(place.chosen, usual, point)

    def _place(self, bad: Any) -> _Subscript | None:
        """The place that is checked, if it is one."""
        compared = self._graph.producer(bad, "arith.cmpi")
        if compared is None or predicate(compared) != BEYOND:
            return None
        place, size = compared.operands
        chosen = self._graph.producer(place, "arith.select")
        if chosen is not None and counts_from_the_end(chosen, size, self._graph):
            return _Subscript(chosen.operands[2], size, place)
        return _Subscript(place, size, None) if self._signs.is_not_negative(size) else None

    def _leave_if(self, bad: Any, check: Check, begin: list[Any], is_new: Any) -> None:
        ir, to = bindings.ir, Instructions([])
        branch = ir.Operation.create("scf.if", operands=[bad], regions=2)
        with ir.InsertionPoint(branch.regions[0].blocks.append()):
            for noted, before, cell in zip(check.noted, begin, self._cells, strict=True):
                if noted is not None and before is not None:
                    to.store(op("arith.select", i64(), is_new, noted, before), cell)
            called(LEAVE, [], []).attributes[_LOOP] = number_attribute(self._marked)
            ir.Operation.create("scf.yield")

    def _leave_unusual(self, place: _Subscript, check: Check, begin: list[Any], is_new: Any) -> Any:
        """Leave where there is no such place; gives the place, that counts from the end if need be."""
        ir = bindings.ir
        if place.chosen is None:
            self._leave_if(expected(check.bad, False), check, begin, is_new)
            return place.index
        unusual = expected(compare(place.index, BEYOND, place.size), False)
        branch = ir.Operation.create("scf.if", [place.index.type], [unusual], regions=2)
        with ir.InsertionPoint(branch.regions[0].blocks.append()):
            self._leave_if(expected(check.bad, False), check, begin, is_new)
            ir.Operation.create("scf.yield", operands=[place.chosen])
        with ir.InsertionPoint(branch.regions[1].blocks.append()):
            ir.Operation.create("scf.yield", operands=[place.index])
        return branch.results[0]

    def _settle(self, bad: Any, point: Any) -> None:
        """After a check, what it asks is known."""
        ir = bindings.ir
        with ir.InsertionPoint(point), point.location:
            known = {holds: constant(i1(), holds) for holds in (True, False)}
        self._replace_after(bad, known[False], point)
        for each in opposites(bad, self._graph):
            self._replace_after(each, known[True], point)

    def _replace_after(self, value: Any, known: Any, point: Any) -> None:
        for user, position in self._graph.uses(value):
            here = in_block(user, point.block)
            if here is not None and here != point and point.is_before_in_block(here):
                user.operands[position] = known

    # What is done behind a loop that was left.

    def _end_soon(self) -> None:
        """Have loops that may take long end at once behind one that was left.

        What that would have put into arrays decides how many iterations they make.
        """
        guarded: list[Any] = []
        for loop in self._loops:
            around = [loop, *loops_around(loop)]
            if any(each in self._left for each in around) or self._ends_soon(loop):
                continue
            outer = [
                each
                for each in around
                if not any(_is_in(left, each) for left in self._left) and not is_sure_to_run(each)
            ]
            chosen = outer[-1] if outer else loop
            if chosen not in guarded and not is_sure_to_run(chosen):
                guarded.append(chosen)
                self._guard(chosen)

    def _ends_soon(self, loop: Any) -> bool:
        if loop.name == "scf.while":
            # One that carries nothing but positions is of ours, and ends when it has gone through an
            # array.  What it leaves may be positions that nothing checks.
            index = bindings.ir.IndexType.get()
            return all(operand.type == index for operand in loop.operands)
        return all(map(self._is_bounded, list(loop.operands)[:BOUNDS]))

    def _is_bounded(self, value: Any) -> bool:
        work, seen = [value], 0
        while work:
            each = work.pop()
            seen += 1
            source = self._graph.producer(each)
            if seen > 64 or (source is not None and not source.name.startswith(_BOUNDED)):
                return False
            if source is None:
                if not isinstance(each, bindings.ir.BlockArgument):
                    return False  # read from memory, by what this pass has put there
                around = each.owner.owner.operation
                is_counter = around.name == "scf.for" and each.arg_number == 0
                if around.name != "func.func" and not is_counter:
                    return False
            elif source.name != "memref.dim":
                work += source.operands
        return True

    def _guard(self, loop: Any) -> None:
        ir = bindings.ir
        with ir.InsertionPoint(loop), loop.location:
            fine = compare(Instructions([]).load(self._cells[0]), "eq", constant(i64(), 0))
            if loop.name == "scf.for":
                low, high = list(loop.operands)[:2]
                loop.operands[1] = op("arith.select", low.type, fine, high, low)
        if loop.name == "scf.while":
            leave = next(each for each in children(loop) if each.name == "scf.condition")
            with ir.InsertionPoint(leave), loop.location:
                leave.operands[0] = op("arith.andi", i1(), leave.operands[0], fine)


def _gives_memory(operation: Any) -> bool:
    """Whether an operation calls a function that gives memory."""
    ir = bindings.ir
    results = operation.results if operation.name == "func.call" else ()
    return any(isinstance(each.type, ir.MemRefType) for each in results)


def _is_in(operation: Any, around: Any) -> bool:
    return operation == around or around in loops_around(operation)


def _following(operation: Any) -> Any:
    """The next operation in the same block."""
    inside = iter(children(operation.parent))
    for each in inside:
        if each == operation:
            return next(inside)
    raise AssertionError("a block ends with an operation that is no loop")


def _is_ready(check: Check, graph: Graph) -> bool:
    """Whether all that a check needs is known where it stands."""
    values = [each for each in check.noted if each is not None]
    values += [check.bad] if check.bad is not None else []
    return all(_is_before(each, check.selection, graph) for each in values)


def _is_before(value: Any, point: Any, graph: Graph) -> bool:
    source = graph.producer(value)
    if source is None or source.block != point.block:
        return True
    return bool(source.is_before_in_block(point))


def lower_loop_exits(module: Any) -> None:
    """Write the jumps that are marked, among blocks."""
    calls = [each for each in find(module, "func.call") if _LOOP in each.attributes]
    blocks: defaultdict[Any, list[Any]] = defaultdict(list)
    for function in {each.parent for each in calls}:
        for each in children(function):
            blocks[each.block].append(each)
    ends = {_number(each): each for each in calls if _callee(each) == LEFT}
    targets = {number: _block_from(each, blocks) for number, each in reversed(ends.items())}
    for each in calls:
        if _callee(each) == LEAVE:
            _jump(each, targets[_number(each)], blocks[each.block])
    for each in calls:
        each.erase()
    known = symbols(module)
    for name in (LEAVE, LEFT):
        if name in known:
            known[name].erase()


def _number(call: Any) -> int:
    return int(call.attributes[_LOOP].value)


def _callee(call: Any) -> str:
    return str(call.attributes["callee"].value)


def _block_from(operation: Any, blocks: dict[Any, list[Any]]) -> Any:
    """A block that begins with an operation; `blocks` say what is in each, and are kept up to date."""
    block = operation.block
    inside = blocks[block]
    if inside[0] == operation and not len(block.arguments):
        return block
    after = block.create_after(arg_locs=[])
    place = inside.index(operation)
    blocks[after] = inside[place:]
    del inside[place:]
    for each in blocks[after]:
        after.append(each)
    with bindings.ir.InsertionPoint(block), operation.location:
        bindings.ir.Operation.create("cf.br", successors=[after])
    return after


def _jump(operation: Any, block: Any, inside: list[Any]) -> None:
    """Go on in another block from here, where these operations are in this one."""
    with bindings.ir.InsertionPoint(operation), operation.location:
        bindings.ir.Operation.create("cf.br", successors=[block])
    for each in reversed(inside[inside.index(operation) + 1 :]):
        each.erase()
