"""Where lists lie that are items of lists: side by side in one column, each with room to grow.

A pool belongs to a kind of lists (``kinds``).  Of each list it has where its items start, how many
there are and for how many there is room; a list that outgrows its room moves to the end, where it
gets twice as much.  All that is in cells, which branches and loops hand on as they do arrays.  The
list number 0 has no items: it is what stands where a failed check has left no list.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agir.ir.building import bindings
from agir.ir.building.cells import Cell
from agir.ir.building.types import int64
from agir.ir.emission import emit
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing import loops
from agir.ir.tracing.trace import Trace
from agir.ir.values import columns
from agir.ir.values.abstract_values import AbstractValue
from agir.ir.values.heap.items import ASSIGNED, Items
from agir.ir.values.heap.kinds import PointsToClass, PointsToClasses
from agir.ir.values.heap.pool_rows import Row
from agir.records import dataclass

_LEAST = 4
"""For so many items there is room in a list that has grown."""


class Beginnings:
    """Makes what cells begin with, before everything that is recorded."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace

    def make(self, name: str, kind: Any, *operands: Any, **attributes: Any) -> Any:
        trace = self._trace
        return trace.root.block.begin(name, kind, operands, trace.location, **attributes)

    def number(self, kind: Any, value: int) -> Any:
        attribute = bindings.ir.IntegerAttr.get(kind, value)
        return self.make("arith.constant", kind, value=attribute)


class Pool:
    """The lists of one kind."""

    def __init__(self, trace: Trace, kind: PointsToClass) -> None:
        self.trace = trace
        self.kind = kind
        begin, i64 = Beginnings(trace), int64.mlir()
        one, zero = begin.number(trace.index_type(), 1), begin.number(i64, 0)
        numbers = columns.column_type(i64)
        nothing = begin.make("tensor.splat", numbers, zero, one)

        def cell(initial: Any) -> Cell:
            return Cell(trace.root, initial, grows=True)

        self._starts, self._lengths, self._rooms = (cell(nothing) for _ in range(3))
        self._count = cell(begin.number(i64, 1))
        self._used = cell(zero)
        self._data: tuple[AbstractValue, list[Cell]] | None = None

    @property
    def data(self) -> list[Cell]:
        """A column for each component of an item, of all lists."""
        element = self.kind.element
        if self._data is None or self._data[0] != element:
            begin = Beginnings(self.trace)
            one = begin.number(self.trace.index_type(), 1)
            types = map(columns.column_type, element.types())
            made = [begin.make("tensor.empty", each, one) for each in types]
            self._data = element, [Cell(self.trace.root, each, grows=True) for each in made]
        return self._data[1]

    def contents(self) -> list[Any]:
        """What a caller needs in order to make lists: starts, lengths, and the items."""
        return [self._read(each) for each in (self._starts, self._lengths, *self.data)]

    def last(self) -> Any:
        """The number of the last list."""
        return before(self.trace, self._read(self._count))

    # One list.

    def row(self, number: Any) -> Row:
        """What is in a list now."""
        current = self.trace
        start, length = (self._of(cell, number) for cell in (self._starts, self._lengths))
        stored = tuple(map(self._read, self.data))
        counted = current.make(emit.from_index(current, length), int64, (), weak=True)
        return Row(current, current.scope, self.kind.element, counted, stored, None, start)

    def new(self, items: Items | None) -> Any:
        """The number of a new list, of these items."""
        current = self.trace
        count = current.index(0) if items is None else items.index()
        start = self._index(self._used)
        if items is not None:
            used = current.op("arith.addi", start.type, start, count)
            self._keep(columns.roomy(current, start, used, self._values()))
            self._store(items, start, count)
            self._write(self._used, emit.from_index(current, used))
        return self._noted(start, count)

    def enter(self, items: Items | None, starts: Any, lengths: Any) -> Any:
        """Take many lists, whose items lie one behind the other: the number of the first of them."""
        current, index = self.trace, self.trace.index_type()
        count = current.op("tensor.dim", index, lengths, current.index(0))
        first, used, at = self._read(self._count), self._index(self._used), self._index(self._count)
        if items is not None:
            end = current.op("arith.addi", index, used, items.index())
            self._keep(columns.roomy(current, used, end, self._values()))
            self._store(items.converted(self.kind.element), used, items.index())
            self._write(self._used, emit.from_index(current, end))
        after = current.op("arith.addi", index, at, count)
        cells = [self._starts, self._lengths, self._rooms]
        noted = columns.roomy(current, at, after, list(map(self._read, cells)))
        begun = columns.items(current, self._moved_on(starts, used, count), 0, count)
        values = [begun, lengths, lengths]
        for cell, column, value in zip(cells, noted, values, strict=True):
            self._write(cell, columns.put(current, value, column, at, count))
        self._write(self._count, emit.from_index(current, after))
        return first

    def _moved_on(self, starts: Any, used: Any, count: Any) -> Any:
        """Where lists start whose items come behind those that there are."""
        current = self.trace
        return columns.mapped(
            current,
            starts,
            count,
            lambda start: current.op(
                "arith.addi", start.type, start, emit.from_index(current, used)
            ),
        )

    def append(self, number: Any, components: Sequence[Any]) -> None:
        """Put one more item at the end of a list."""
        current = self.trace
        length = self._of(self._lengths, number)
        longer = current.op("arith.addi", length.type, length, current.index(1))
        self._make_room(number, longer)
        start = self._of(self._starts, number)
        place = current.op("arith.addi", start.type, start, length)
        self._put(place, components)
        self.shorten(number, longer)

    def put(
        self,
        number: Any,
        row: Row,
        index: Any,
        components: Sequence[Any],
        is_inside: bool = False,
    ) -> None:
        """Put an item at an index of a list, which is checked, but if it is known to be inside."""
        current = self.trace
        position, inside = row.position(index) if is_inside else row.checked(index, ASSIGNED)
        place = current.op("arith.addi", position.type, row.start, position)
        values = self._values()

        def store() -> list[Any]:
            pairs = zip(values, components, strict=True)
            return [columns.write(current, column, place, part) for column, part in pairs]

        if values:
            self._keep(loops.either(current, inside, store, lambda: values, likely=True))

    def replace(self, number: Any, items: Items) -> None:
        """Give a list other items."""
        count = items.index()
        self._make_room(number, count)
        self._store(items, self._of(self._starts, number), count)
        self.shorten(number, count)

    def shorten(self, number: Any, count: Any) -> None:
        """Have a list end after so many of the items for which there is room."""
        self._set(self._lengths, number, count)

    # The parts.

    def _read(self, cell: Cell) -> Any:
        return self.trace.scope.read(cell)

    def _write(self, cell: Cell, value: Any) -> None:
        self.trace.scope.write(cell, value)

    def _index(self, cell: Cell) -> Any:
        trace = self.trace
        return emit.as_index(trace, self._read(cell))

    def _of(self, cell: Cell, number: Any) -> Any:
        """What is noted of a list, as an ``index``."""
        current, noted = self.trace, self._read(cell)
        key = ("of a list", noted, number)
        found = current.scope.recall("memo", key)
        if found is None:
            at = emit.as_index(current, number)
            value = columns.read(current, noted, at)
            found = emit.as_index(current, value)
            current.scope.memo[key] = found
        return found

    def _set(self, cell: Cell, number: Any, value: Any) -> None:
        current = self.trace
        at = emit.as_index(current, number)
        changed = columns.write(current, self._read(cell), at, emit.from_index(current, value))
        self._write(cell, changed)

    def _values(self) -> list[Any]:
        return list(map(self._read, self.data))

    def _keep(self, values: Sequence[Any]) -> None:
        for cell, value in zip(self.data, values, strict=True):
            self._write(cell, value)

    def _put(self, place: Any, components: Sequence[Any]) -> None:
        pairs = zip(self._values(), components, strict=True)
        self._keep([columns.write(self.trace, column, place, part) for column, part in pairs])

    def _store(self, items: Items, start: Any, count: Any) -> None:
        """Put so many items where there is room for them."""
        current = self.trace
        pairs = zip(items.columns, self._values(), strict=True)
        self._keep(
            [
                columns.put(current, columns.items(current, part, 0, count), column, start, count)
                for part, column in pairs
            ]
        )

    def _noted(self, start: Any, count: Any) -> Any:
        """The number of a new list that lies there, and has no more room."""
        current = self.trace
        cells = (self._starts, self._lengths, self._rooms)
        values = [emit.from_index(current, each) for each in (start, count, count)]
        end = self._index(self._count)
        roomy = columns.grown(current, list(map(self._read, cells)), end, values)
        for cell, column, value in zip(cells, roomy, values, strict=True):
            self._write(cell, columns.write(current, column, end, value))
        number = self._read(self._count)
        one = current.constant(int64, 1)
        self._write(self._count, current.op("arith.addi", number.type, number, one))
        return number

    def _make_room(self, number: Any, needed: Any) -> None:
        """Move a list to the end where it has no room for so many items."""
        current, index = self.trace, self.trace.index_type()
        room, start, length = (
            self._of(cell, number) for cell in (self._rooms, self._starts, self._lengths)
        )
        used = self._index(self._used)
        cells = [self._starts, self._rooms, self._used, *self.data]
        before = list(map(self._read, cells))

        def moved() -> list[Any]:
            size = current.op("arith.addi", index, room, room)
            for least in (needed, current.index(_LEAST)):
                size = current.op("arith.maxsi", index, size, least)
            end = current.op("arith.addi", index, used, size)
            values = [
                columns.repeated(current, c, start, length, used)
                for c in columns.roomy(current, used, end, before[3:])
            ]
            at = emit.as_index(current, number)
            starts = columns.write(current, before[0], at, emit.from_index(current, used))
            rooms = columns.write(current, before[1], at, emit.from_index(current, size))
            return [starts, rooms, emit.from_index(current, end), *values]

        full = current.compare("sgt", needed, room)
        for cell, value in zip(
            cells, loops.either(current, full, moved, lambda: before), strict=True
        ):
            self._write(cell, value)


def before(trace: Trace, number: Any) -> Any:
    """A number less one."""
    return trace.op("arith.subi", number.type, number, trace.constant(int64, 1))


@dataclass(frozen=True)
class Reference:
    """A list that lies in a pool: its kind, and its number at run time."""

    kind: PointsToClass
    number: SymbolicTensor


class Pools:
    """The pools of a trace."""

    def __init__(self, trace: Trace, kinds: PointsToClasses) -> None:
        self.kinds = kinds
        self._trace = trace
        self._made: dict[int, tuple[PointsToClass, Any]] = {}
        kinds.begin()
        trace.codes_text |= kinds.texts_grow and trace.convention.arrays_are_mutable

    def of(self, kind: PointsToClass) -> Any:
        """The pool of a kind of lists, or the table of a kind of objects."""
        found = self._made.get(id(kind))
        if found is None:
            found = self._made[id(kind)] = kind, POOLS[type(kind)](self._trace, kind)
        return found[1]

    def has(self, kind: PointsToClass) -> bool:
        """Whether there are perhaps lists or objects of a kind."""
        return id(kind) in self._made

    def enter(self, kind: PointsToClass, items: Items | None) -> Reference:
        """A new list of that kind."""
        number = self.of(kind).new(items)
        return Reference(kind, self._trace.make(number, int64, ()))


POOLS: dict[type[PointsToClass], Callable[[Trace, Any], Any]] = {PointsToClass: Pool}
"""By the class of kinds, where those of one kind lie."""
