"""The loops of a group, and in them its statements on parts of the buffers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from agir.backends.cpu.sweeps.buffers import Buffers, Extent
from agir.backends.cpu.sweeps.emission import computed, inside, loop
from agir.backends.cpu.sweeps.groups import Group
from agir.backends.cpu.sweeps.parts import Parts
from agir.backends.cpu.sweeps.sizes import Sizes
from agir.backends.cpu.sweeps.statements import Statement
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
        self._outer = [
            temporary
            for temporary in self._temporaries.values()
            if not self._is_repeated(temporary.allocation)
        ]
        self._freed = freed(block, group.bases - set(self._temporaries))
        self._extents = {number: extent_of(number, group, buffers) for number in sizes.loops}

    @property
    def statements(self) -> list[Statement]:
        """What the loops take the place of."""
        return self._group.statements

    def make(self) -> None:
        """Make them, and remove the statements."""
        last = self._group.statements[-1].operation
        with bindings.ir.InsertionPoint(last), last.location:
            self._make(self._sizes.loops, Turn({}, {}))
        move_after(self._freed, last)
        for statement in self._group.statements:
            statement.operation.erase()
        for temporary in self._outer:
            erase_with_users(temporary.allocation)

    def _with_buffers(self, turn: Turn, make: Callable[[Turn], None]) -> None:
        """Outermost loops, with smaller buffers before and their end after them.

        Each nest has its own, so that each thread can have its own.
        """
        ir = bindings.ir
        values = {}
        for temporary in self._outer:
            extents = list(temporary.allocation.operands)
            values[temporary.allocation.results[0]] = smaller(temporary, self._sizes, extents)
        make(Turn(turn.offsets, turn.sizes, {**turn.values, **values}))
        for value in values.values():
            ir.Operation.create("memref.dealloc", operands=[value])

    def _is_repeated(self, operation: Any) -> bool:
        holders = {statement.operation for statement in self._group.statements}
        while operation is not None:
            if operation in holders:
                return True
            operation = operation.parent
        return False

    def _make(self, loops: Sequence[int], turn: Turn) -> None:
        """These loops, and the statements in the last of them."""
        if not loops:
            for statement in self._group.statements:
                self._statement(statement.operation, turn)
            return
        if not turn.offsets and loops[0] != self._sizes.blocked:
            self._with_buffers(turn, lambda turn: self._make_loop(loops, turn))
        else:
            self._make_loop(loops, turn)

    def _make_loop(self, loops: Sequence[int], turn: Turn) -> None:
        number, *inner = loops
        extent = turn.number(self._extents[number])
        if number == self._sizes.blocked:
            self._make_blocks(number, extent, inner, turn)
            return
        made = loop(0, extent, 1)
        with inside(made):
            self._make(inner, turn.at(number, made.regions[0].blocks[0].arguments[0], None))

    def _make_blocks(self, number: int, extent: Any, inner: Sequence[int], turn: Turn) -> None:
        """A loop over blocks of turns, and the turns that remain.

        So the blocks' extents are constants, and the loop over them can be divided among threads.
        """
        size = self._sizes.size
        if isinstance(extent, int):
            rest: Any = extent % size
            whole: Any = extent - rest
        else:
            rest = computed("arith.remui", extent, size)
            whole = computed("arith.subi", extent, rest)

        def blocks(turn: Turn) -> None:
            made = loop(0, whole, size)
            with inside(made):
                start = made.regions[0].blocks[0].arguments[0]
                self._make(inner, turn.at(number, start, size))

        def remaining(turn: Turn) -> None:
            self._make(inner, turn.at(number, whole, rest))

        for part, turns in ((blocks, whole), (remaining, rest)):
            if turns != 0 and turn.offsets:
                part(turn)
            elif turns != 0:
                self._with_buffers(turn, part)

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


def freed(block: list[Any], bases: Collection[Any]) -> list[Any]:
    """The operations of a block that free these buffers."""
    return [
        operation
        for operation in block
        if operation.name == "memref.dealloc" and operation.operands[0] in bases
    ]


def move_after(operations: Sequence[Any], last: Any) -> None:
    """Move what stands before an operation of the same block behind it, in the same order."""
    after = last
    for operation in operations:
        if operation.is_before_in_block(last):
            operation.move_after(after)
            after = operation


def erase_with_users(operation: Any) -> None:
    """Remove an allocation with its views and its end."""
    for result in operation.results:
        for use in list(result.uses):
            erase_with_users(use.owner.operation)
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
