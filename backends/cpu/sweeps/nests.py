"""The loops of a group, and in them its statements on parts of the buffers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.backends.cpu.sweeps.buffers import Buffers, Extent
from agir.backends.cpu.sweeps.emission import computed, inside, loop
from agir.backends.cpu.sweeps.groups import Group
from agir.backends.cpu.sweeps.parts import Parts
from agir.backends.cpu.sweeps.sizes import Sizes
from agir.backends.cpu.sweeps.temporaries import smaller, temporaries
from agir.backends.cpu.sweeps.turns import Turn
from agir.backends.cpu.sweeps.views import is_view
from agir.backends.mlir.modules import walk
from agir.ir import bindings


class Nests:
    """Puts a group's loops where its last statement is."""

    def __init__(self, group: Group, sizes: Sizes, buffers: Buffers, block: list[Any]) -> None:
        self._group = group
        self._sizes = sizes
        self._buffers = buffers
        self._temporaries = temporaries(group, sizes, buffers)
        self._parts = Parts(group, sizes, buffers, self._temporaries)
        self._leaves = {leaf.operation: n for n, leaf in enumerate(group.leaves)}
        self._smaller: dict[Any, Any] = {}
        self._freed = [operation for operation in block if operation.name == "memref.dealloc"]
        self._extents = {number: extent_of(number, group, buffers) for number in sizes.loops}

    def make(self) -> None:
        """Make them, and remove the statements."""
        ir = bindings.ir
        last = self._group.statements[-1].operation
        self._make_smaller_buffers()
        with ir.InsertionPoint(last), last.location:
            self._make(self._sizes.loops, Turn({}, {}, dict(self._smaller)))
        self._free_later(last)
        for statement in self._group.statements:
            statement.operation.erase()
        for base in self._smaller:
            _erase_with_views(self._temporaries[base].allocation)

    def _make_smaller_buffers(self) -> None:
        for base, temporary in self._temporaries.items():
            allocation = temporary.allocation
            if not self._is_repeated(allocation):
                with bindings.ir.InsertionPoint(allocation):
                    new = smaller(temporary, self._sizes, list(allocation.operands))
                self._smaller[base] = new
                for user, position in self._buffers.graph.uses(base):
                    if user.name == "memref.dealloc":
                        user.operands[position] = new

    def _is_repeated(self, operation: Any) -> bool:
        holders = {statement.operation for statement in self._group.statements}
        while operation is not None:
            if operation in holders:
                return True
            operation = operation.parent
        return False

    def _free_later(self, last: Any) -> None:
        """What is freed before the last statement is freed after it."""
        bases = {*self._group.bases, *self._smaller.values()}
        after = last
        for operation in self._freed:
            if operation.is_before_in_block(last) and operation.operands[0] in bases:
                operation.move_after(after)
                after = operation

    def _make(self, loops: Sequence[int], turn: Turn) -> None:
        """These loops, and the statements in the last of them."""
        if not loops:
            for statement in self._group.statements:
                self._statement(statement.operation, turn)
            return
        number, *inner = loops
        extent = turn.number(self._extents[number])
        if number == self._sizes.blocked:
            self._make_blocks(number, extent, inner, turn)
            return
        made = loop(0, extent, 1)
        with inside(made):
            self._make(inner, turn.at(number, made.regions[0].blocks[0].arguments[0], None))

    def _make_blocks(self, number: int, extent: Any, inner: Sequence[int], turn: Turn) -> None:
        """A loop over blocks of turns: all of one size, or the last one smaller or by itself."""
        size = self._sizes.size
        if isinstance(extent, int):
            rest: Any = extent % size
            whole: Any = extent - rest
        else:
            rest = computed("arith.remui", extent, size)
            whole = computed("arith.subi", extent, rest)
        apart = self._sizes.split or rest == 0
        end = whole if apart else extent
        if end != 0:
            made = loop(0, end, size)
            with inside(made):
                start = made.regions[0].blocks[0].arguments[0]
                turns: Any = size
                if not apart:
                    turns = computed("arith.minsi", computed("arith.subi", extent, start), size)
                self._make(inner, turn.at(number, start, turns))
        if apart and rest != 0:
            self._make(inner, turn.at(number, whole, rest))

    def _statement(self, operation: Any, turn: Turn) -> None:
        with operation.location:
            if operation in self._leaves:
                self._parts.write(self._leaves[operation], turn)
            elif operation.name == "scf.for":
                self._repeated(operation, turn)
            else:
                self._copied(operation, turn)

    def _repeated(self, old: Any, turn: Turn) -> None:
        ir = bindings.ir
        operands = [turn.value(value) for value in old.operands]
        made = ir.Operation.create("scf.for", operands=operands, regions=1)
        block = old.regions[0].blocks[0]
        new = made.regions[0].blocks.append(ir.IndexType.get())
        turn.values[block.arguments[0]] = new.arguments[0]
        with ir.InsertionPoint(new):
            for operation in _operations(block, old):
                self._statement(operation, turn)

    def _copied(self, operation: Any, turn: Turn) -> None:
        """Anything else in a loop, of which there is a copy in each nest."""
        ir = bindings.ir
        temporary = self._temporaries.get(operation.results[0]) if operation.results else None
        if temporary is not None:
            extents = [turn.value(value) for value in operation.operands]
            new = smaller(temporary, self._sizes, extents)
            turn.values[operation.results[0]] = new
            return
        if is_view(operation) and self._is_of_temporary(operation):
            return
        copy = operation.clone(ip=ir.InsertionPoint.current)
        turn.replace_in(copy)
        for result, new in zip(operation.results, copy.results, strict=True):
            turn.values[result] = new

    def _is_of_temporary(self, view: Any) -> bool:
        return self._buffers.base_of(view.results[0]) in self._temporaries


def _operations(block: Any, holder: Any) -> list[Any]:
    return [operation for operation in walk(holder) if operation.block == block]


def _erase_with_views(operation: Any) -> None:
    for use in list(operation.results[0].uses):
        _erase_with_views(use.owner.operation)
    operation.erase()


def extent_of(number: int, group: Group, buffers: Buffers) -> Extent | None:
    """The number of turns of a shared loop, as it is known before the loops; None if it is not."""
    around = [statement.operation for statement in group.statements]
    known = [
        extent
        for leaf, own in zip(group.leaves, group.loops[number], strict=True)
        for extent in leaf.extents[own]
        if buffers.lasts(extent, around)
    ]
    return min(known, key=lambda each: not isinstance(each, int), default=None)
