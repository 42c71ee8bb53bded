"""Arrays of the caller's are written in place, and are as they were if the call fails.

Where a function can fail, what is in such an array is saved before it is first written to, and put back
if the error record says so.  Mostly that can be foreseen: loops whose places are checked before them
cannot fail where these checks hold.  So they are made before the first write, and nothing is saved
where all of them hold.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes.analysis.error_records import LENGTH
from agir.backends.cpu.passes.analysis.failing_checks import failing_conditions
from agir.backends.cpu.passes.analysis.functions import DESTINATIONS, functions, is_public
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.making import compare, constant, i1, number_attribute, op, unknown_sizes
from agir.backends.mlir.modules import children, in_block
from agir.ir.building import bindings
from agir.ir.building.attributes import NOT_RESTORED, RECORD

_UNKNOWN = "builtin.unrealized_conversion_cast"
"""Makes a value of nothing: it is not known yet, and no pass makes anything of it."""
_READ = ("memref.load", "memref.dim")
_ALIGNMENT = 64
"""Of copies, in bytes."""
_COSTLY = ("arith.div", "arith.rem", "arith.ceildiv", "arith.floordiv")
"""Operations that are not done before it is known that they are needed."""


class _UnknownError(Exception):
    """What a function's success depends on is not known before it writes."""


def save_for_rollback(module: Any) -> None:
    """Save arguments that a function writes into where it begins; put them back if it has failed."""
    for function in functions(module):
        if is_public(function) and _is_restored(function):
            positions = function.attributes.get(DESTINATIONS, ())
            if positions and Graph(function).number(_code(function)) != 0:
                _save(function, list(positions))


def version_loops_with_rollback(module: Any) -> None:
    """Save them right before they are written to, and only where the function may still fail."""
    for function in functions(module):
        if is_public(function) and RECORD in function.attributes:
            graph = Graph(function)
            for unknown in graph.find(_UNKNOWN):
                _delay(function, unknown, graph)


def _is_restored(function: Any) -> bool:
    return RECORD in function.attributes and NOT_RESTORED not in function.attributes


def _end(function: Any) -> Any:
    return children(function)[-1]


def _code(function: Any) -> Any:
    """The number of what has failed first, zero for nothing."""
    operands = list(_end(function).operands)
    return operands[len(operands) - LENGTH]


# Saving.


def _save(function: Any, positions: list[int]) -> None:
    ir = bindings.ir
    block = function.regions[0].blocks[0]
    buffers = [block.arguments[n] for n in positions]
    with ir.InsertionPoint.at_block_begin(block), function.location:
        foreseen = op(_UNKNOWN, i1())
        saved = _saved(buffers, foreseen)
    code = _code(function)
    with ir.InsertionPoint(_end(function)), function.location:
        branch = ir.Operation.create("scf.if", operands=[foreseen], regions=2)
        with ir.InsertionPoint(branch.regions[0].blocks.append()):
            ir.Operation.create("scf.yield")
        with ir.InsertionPoint(branch.regions[1].blocks.append()):
            failed = compare(code, "ne", _zero(code))
            put_back = ir.Operation.create("scf.if", operands=[failed], regions=2)
            for each in saved:
                ir.Operation.create("memref.dealloc", operands=[each])
            ir.Operation.create("scf.yield")
        with ir.InsertionPoint(put_back.regions[0].blocks.append()):
            for buffer, each in zip(buffers, saved, strict=True):
                ir.Operation.create("memref.copy", operands=[each, buffer])
            ir.Operation.create("scf.yield")


def _saved(buffers: list[Any], foreseen: Any) -> list[Any]:
    """Copies of arrays, or these themselves where success is foreseen; at the insertion point."""
    ir = bindings.ir
    kinds = [each.type for each in buffers]
    branch = ir.Operation.create("scf.if", results=kinds, operands=[foreseen], regions=2)
    with ir.InsertionPoint(branch.regions[0].blocks.append()):
        ir.Operation.create("scf.yield", operands=buffers)
    with ir.InsertionPoint(branch.regions[1].blocks.append()):
        ir.Operation.create("scf.yield", operands=[_copy(each) for each in buffers])
    return list(branch.results)


def _copy(buffer: Any) -> Any:
    copy = _empty_like(buffer)
    bindings.ir.Operation.create("memref.copy", operands=[buffer, copy])
    return copy if copy.type == buffer.type else op("memref.cast", buffer.type, copy)


def _empty_like(buffer: Any) -> Any:
    ir = bindings.ir
    kind = buffer.type
    sizes = unknown_sizes(buffer)
    plain = ir.MemRefType.get(kind.shape, kind.element_type)
    segments = ir.DenseI32ArrayAttr.get([len(sizes), 0])
    aligned = number_attribute(_ALIGNMENT)
    return op("memref.alloc", plain, *sizes, operandSegmentSizes=segments, alignment=aligned)


# Foreseeing.


def _delay(function: Any, unknown: Any, graph: Graph) -> None:
    """Move what saves arrays to right before the first write, behind what foresees success."""
    foreseen = unknown.results[0]
    users = [user for user, _ in graph.uses(foreseen)]
    saving = next((each for each in users if list(each.results)), None)
    if saving is None:  # nothing is written: what puts back was joined with it
        with bindings.ir.InsertionPoint(unknown), unknown.location:
            foreseen.replace_all_uses_with(constant(foreseen.type, True))
        graph.erase(unknown)
        return
    write = _first_write(function, saving, graph)
    for each in users:  # what puts arrays without elements back does not write to them
        if each != saving and each.is_before_in_block(write):
            write = each
    foreseeing = _Foreseeing(write, graph)
    try:
        foreseeing.zero(_code(function))
    except _UnknownError:
        foreseeing = _Foreseeing(write, graph)
    known = foreseeing.emitted()
    saving.move_before(write)
    foreseen.replace_all_uses_with(known)
    graph.erase(unknown)


def _first_write(function: Any, saving: Any, graph: Graph) -> Any:
    """The first operation of a function in which an argument may be written to."""
    block = function.regions[0].blocks[0]
    first = _end(function)
    names = [block.arguments[n] for n in function.attributes[DESTINATIONS]]
    for name in names:  # which become more
        for user, _ in graph.uses(name):
            at = in_block(user, block)
            if user.name in _READ or at == saving:
                continue
            if user.name.startswith("memref.") and len(user.results) == 1:
                names.extend(user.results)
            elif at is not None and at.is_before_in_block(first):
                first = at
    return first


class _Foreseeing:
    """What says before an operation that nothing fails, after it or before."""

    def __init__(self, write: Any, graph: Graph) -> None:
        self._write = write
        self._graph = graph
        self._conditions: dict[tuple[Any, bool], None] = {}
        self._moved: dict[Any, None] = {}

    def zero(self, value: Any) -> None:
        """Take note of what makes a number zero."""
        source = self._graph.producer(value)
        if self._graph.number(value) == 0:
            return
        if source is None or self._is_known(value):
            self._conditions[value, True] = None
        elif source.name == "scf.if":
            ends = [each for each in children(source) if each.name == "scf.yield"]
            number = list(source.results).index(value)
            self._need(source.operands[0], True)
            self.zero(ends[0].operands[number])
        elif source.name == "arith.select" and (bad := failing_conditions([source], self._graph)):
            self._need(bad[0], False)
            self.zero(source.operands[2])
        else:
            raise _UnknownError

    def _need(self, condition: Any, holds: bool) -> None:
        self._compute(condition)
        self._conditions[condition, holds] = None

    def _compute(self, value: Any) -> None:
        """Take note of the operations that have to be done earlier for a value to be known."""
        if self._is_known(value):
            return
        source = self._graph.producer(value)
        assert source is not None  # arguments are known
        is_cheap = source.name.startswith("arith.") and not source.name.startswith(_COSTLY)
        if source.block != self._write.block or not is_cheap:
            raise _UnknownError
        for each in source.operands:
            self._compute(each)
        self._moved[source] = None

    def _is_known(self, value: Any) -> bool:
        """Whether a value is there before the write."""
        source = self._graph.producer(value)
        if source is None or source.block != self._write.block:
            return source is None and value.owner == self._write.block
        return source in self._moved or source.is_before_in_block(self._write)

    def emitted(self) -> Any:
        """Whether nothing fails, right before the write."""
        for each in self._moved:
            each.move_before(self._write)
        bit = i1()
        with bindings.ir.InsertionPoint(self._write), self._write.location:
            fine = constant(bit, bool(self._conditions))
            for value, holds in self._conditions:
                each = value if value.type == bit else compare(value, "eq", _zero(value))
                if not holds:
                    each = op("arith.xori", bit, each, constant(bit, True))
                fine = op("arith.andi", bit, fine, each)
        return fine


def _zero(like: Any) -> Any:
    return constant(like.type, 0)
