"""Mutable state while tracing: cells, and the scopes that thread them through regions.

A cell stands for something that the traced program can change: an array that is assigned into, the
record of the first run-time error.  Its current SSA value depends on where recording stands, so it
is kept by the :class:`Scope` of each region.  A loop body that touches a cell of an outer region
gets it as a block argument; what turns out to be read only is taken out again when the loop is
closed; what was written is yielded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.ir.building.program import Before, Block, Operation, Value


class Cell:
    """One mutable abstract value, created in ``home`` with the SSA value ``initial``."""

    __slots__ = ("grows", "home", "initial")

    def __init__(self, home: Scope, initial: Any, grows: bool = False) -> None:
        self.home = home
        self.initial = initial
        self.grows = grows
        """Whether it may come to hold a larger array than at first, in other memory."""


class Scope:
    """A region that is being recorded: its block, and the value of every cell inside it."""

    keeps: frozenset[str] = frozenset()
    """The tables of which it has its own, without those of the scopes around."""

    def __init__(self, parent: Scope | None) -> None:
        self.parent = parent
        self.block = Block()
        self.point: Block | Before = self.block
        """Where operations are appended."""
        self.values: dict[Cell, Any] = {}
        self.written: dict[Cell, None] = {}
        self.constants: dict[Any, Any] = {}
        self.memo: dict[Any, Any] = {}
        self.effects = 0
        """How many calls of the host were recorded here and in the regions inside."""
        self.assured: Any = None
        """Up to which check of which ``try`` nothing has failed where this region runs."""

    @property
    def recorded(self) -> list[Operation]:
        """The operations that were appended where recording stands."""
        return self.point.body

    def encloses(self, home: Scope) -> bool:
        """True where a value made in ``home`` may be used in this scope."""
        scope: Scope | None = self
        while scope is not None:
            if scope is home:
                return True
            scope = scope.parent
        return False

    def repeats_since(self, home: Scope) -> bool:
        """True where a loop lies between a scope around and this one."""
        scope: Scope | None = self
        while scope is not None and scope is not home:
            if isinstance(scope, LoopScope):
                return True
            scope = scope.parent
        return False

    def read(self, cell: Cell) -> Any:
        """The cell's current SSA value; raises ``LookupError`` for a cell of another region."""
        if cell in self.values:
            return self.values[cell]
        if cell.home is self:
            return cell.initial
        if self.parent is None:
            raise LookupError
        value = self.enter(cell, self.parent.read(cell))
        self.values[cell] = value
        return value

    def write(self, cell: Cell, value: Any) -> None:
        """Make ``value`` the cell's current value."""
        self.read(cell)
        self.values[cell] = value
        self.written[cell] = None

    def has_written(self, cell: Cell) -> bool:
        """Whether a cell of a scope around has been written since one of the regions inside began."""
        scope: Scope | None = self
        while scope is not None and scope is not cell.home:
            if cell in scope.written:
                return True
            scope = scope.parent
        return False

    def enter(self, cell: Cell, outer: Any) -> Any:
        """How the value of an outer cell is seen in this region: as it is, in a branch."""
        return outer

    def recall(self, table: str, key: Any) -> Any:
        """What this scope or one around it has noted under ``key``; None where nothing."""
        scope: Scope | None = self
        while scope is not None:
            found = getattr(scope, table).get(key)
            if found is not None:
                return found
            scope = None if table in scope.keeps else scope.parent
        return None

    def snapshot(self) -> tuple[Any, ...]:
        """What :meth:`restore` needs in order to forget everything recorded from here on."""
        return (
            len(self.recorded),
            dict(self.values),
            dict(self.written),
            dict(self.constants),
            dict(self.memo),
            self.effects,
        )

    def restore(self, snapshot: tuple[Any, ...]) -> None:
        """Forget what was recorded in this block since the snapshot was taken."""
        count, self.values, self.written, self.constants, self.memo, self.effects = snapshot
        del self.recorded[count:]


class LoopScope(Scope):
    """A loop region: an outer cell comes in as a block argument when it is first touched."""

    def __init__(self, parent: Scope) -> None:
        super().__init__(parent)
        self.entered: dict[Cell, tuple[Any, Any]] = {}

    def enter(self, cell: Cell, outer: Any) -> Any:
        """Append a block argument that carries the cell.

        It may be there already, from an attempt that was taken back.
        """
        if cell in self.entered:
            return self.entered[cell][0]
        argument = self.block.add_argument(outer.type, outer.location)
        self.entered[cell] = (argument, outer)
        return argument

    def renew(self) -> None:
        """Begin with what cells hold now: packing what the loop begins with may have written some."""
        parent = self.parent
        assert parent is not None, "a loop is a region of another one"
        for cell, (argument, _) in list(self.entered.items()):
            self.entered[cell] = argument, parent.read(cell)

    def drop_read_only(self, carried: set[Cell], held: Sequence[Any] = ()) -> list[Any]:
        """Replace the arguments of cells that are not carried by the values outside the loop.

        Gives the SSA values ``held``, which no operation uses yet, with these replaced as well, as they
        are where another cell holds one: ``a[:] = b`` in the loop.
        """
        outside: dict[Value, Value] = {}
        gone: list[Value] = []
        for cell in [c for c in self.entered if c not in carried]:
            argument, outer = self.entered.pop(cell)
            outside[argument] = outer
            gone.append(argument)
            if self.values.get(cell) is argument:
                del self.values[cell]
        if not gone:
            return list(held)
        for cell, value in self.values.items():
            self.values[cell] = outside.get(value, value)
        self.block.replace(outside)
        for argument in reversed(gone):
            self.block.erase_argument(argument.number)
        return [outside.get(value, value) for value in held]


class FunctionScope(LoopScope):
    """The body of a function that is recorded where it is called.

    It is cut off from the regions around it at the end, so it makes its constants itself.
    """

    keeps = frozenset({"constants"})
