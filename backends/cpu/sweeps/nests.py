"""The loops of a group, and in them its statements on parts of the buffers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from agir.backends.cpu.sweeps.buffers import Buffers, LoopSize
from agir.backends.cpu.sweeps.emission import computed, inside, loop
from agir.backends.cpu.sweeps.groups import Group
from agir.backends.cpu.sweeps.iterations import Iteration
from agir.backends.cpu.sweeps.parts import Parts
from agir.backends.cpu.sweeps.sizes import Sizes
from agir.backends.cpu.sweeps.statements import Statement
from agir.backends.cpu.sweeps.temporaries import smaller, temporaries
from agir.backends.cpu.sweeps.views import is_view
from agir.backends.mlir.modules import walk
from agir.ir.building import bindings


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
        self._loop_sizes = {number: loop_size_of(number, group, buffers) for number in sizes.loops}

    @property
    def statements(self) -> list[Statement]:
        """What the loops take the place of."""
        return self._group.statements

    def make(self) -> None:
        """Make them, and remove the statements."""
        last = self._group.statements[-1].operation
        with bindings.ir.InsertionPoint(last), last.location:
            self._make(self._sizes.loops, Iteration({}, {}))
        move_after(self._freed, last)
        for statement in self._group.statements:
            statement.operation.erase()
        for temporary in self._outer:
            erase_with_users(temporary.allocation)

    def _with_buffers(self, iteration: Iteration, make: Callable[[Iteration], None]) -> None:
        """Outermost loops, with smaller buffers before and their end after them.

        Each nest has its own, so that each thread can have its own.
        """
        ir = bindings.ir
        values = {}
        for temporary in self._outer:
            loop_sizes = list(temporary.allocation.operands)
            values[temporary.allocation.results[0]] = smaller(temporary, self._sizes, loop_sizes)
        make(Iteration(iteration.offsets, iteration.sizes, {**iteration.values, **values}))
        for value in values.values():
            ir.Operation.create("memref.dealloc", operands=[value])

    def _is_repeated(self, operation: Any) -> bool:
        holders = {statement.operation for statement in self._group.statements}
        while operation is not None:
            if operation in holders:
                return True
            operation = operation.parent
        return False

    def _make(self, loops: Sequence[int], iteration: Iteration) -> None:
        """These loops, and the statements in the last of them."""
        if not loops:
            for statement in self._group.statements:
                self._statement(statement.operation, iteration)
            return
        if not iteration.offsets and loops[0] != self._sizes.blocked:
            self._with_buffers(iteration, lambda iteration: self._make_loop(loops, iteration))
        else:
            self._make_loop(loops, iteration)

    def _make_loop(self, loops: Sequence[int], iteration: Iteration) -> None:
        number, *inner = loops
        loop_size = iteration.number(self._loop_sizes[number])
        if number == self._sizes.blocked:
            self._make_blocks(number, loop_size, inner, iteration)
            return
        made = loop(0, loop_size, 1)
        with inside(made):
            self._make(inner, iteration.at(number, made.regions[0].blocks[0].arguments[0], None))

    def _make_blocks(
        self, number: int, loop_size: Any, inner: Sequence[int], iteration: Iteration
    ) -> None:
        """A loop over blocks of iterations, and the iterations that remain.

        So the blocks' loop_sizes are constants, and the loop over them can be divided among threads.
        """
        size = self._sizes.size
        if isinstance(loop_size, int):
            rest: Any = loop_size % size
            whole: Any = loop_size - rest
        else:
            rest = computed("arith.remui", loop_size, size)
            whole = computed("arith.subi", loop_size, rest)

        def blocks(iteration: Iteration) -> None:
            made = loop(0, whole, size)
            with inside(made):
                start = made.regions[0].blocks[0].arguments[0]
                self._make(inner, iteration.at(number, start, size))

        def remaining(iteration: Iteration) -> None:
            self._make(inner, iteration.at(number, whole, rest))

        for part, iterations in ((blocks, whole), (remaining, rest)):
            if iterations != 0 and iteration.offsets:
                part(iteration)
            elif iterations != 0:
                self._with_buffers(iteration, part)

    def _statement(self, operation: Any, iteration: Iteration) -> None:
        with operation.location:
            if operation in self._leaves:
                self._parts.write(self._leaves[operation], iteration)
            elif operation.name == "scf.for":
                self._repeated(operation, iteration)
            else:
                self._copied(operation, iteration)

    def _repeated(self, old: Any, iteration: Iteration) -> None:
        ir = bindings.ir
        operands = [iteration.value(value) for value in old.operands]
        made = ir.Operation.create("scf.for", operands=operands, regions=1)
        block = old.regions[0].blocks[0]
        new = made.regions[0].blocks.append(ir.IndexType.get())
        iteration.values[block.arguments[0]] = new.arguments[0]
        with ir.InsertionPoint(new):
            for operation in _operations(block, old):
                self._statement(operation, iteration)

    def _copied(self, operation: Any, iteration: Iteration) -> None:
        """Anything else in a loop, of which there is a copy in each nest."""
        ir = bindings.ir
        temporary = self._temporaries.get(operation.results[0]) if operation.results else None
        if temporary is not None:
            loop_sizes = [iteration.value(value) for value in operation.operands]
            new = smaller(temporary, self._sizes, loop_sizes)
            iteration.values[operation.results[0]] = new
            return
        if is_view(operation) and self._is_of_temporary(operation):
            return
        copy = operation.clone(ip=ir.InsertionPoint.current)
        iteration.replace_in(copy)
        for result, new in zip(operation.results, copy.results, strict=True):
            iteration.values[result] = new

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


def loop_size_of(number: int, group: Group, buffers: Buffers) -> LoopSize | None:
    """The number of iterations of a shared loop, as it is known before the loops; None if it is not."""
    around = [statement.operation for statement in group.statements]
    known = [
        loop_size
        for leaf, own in zip(group.leaves, group.loops[number], strict=True)
        for loop_size in leaf.loop_sizes[own]
        if buffers.lasts(loop_size, around)
    ]
    return min(known, key=lambda each: not isinstance(each, int), default=None)
