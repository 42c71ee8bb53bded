"""Lists of traced functions, whose length may be known only at run time.

A list that converted code makes while it is traced is a :class:`TracedList`: an ordinary list until
a staged branch or loop leaves it with a number of items that depends on run-time values.  From then
on its items are in `columns`, and what is done with it is recorded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn, SupportsIndex

from agir.autograph.operators import Contents, writing
from agir.errors import InaccessibleTensorError, OperatorNotAllowedInGraphError, StagingError
from agir.ir import bindings, columns, dispatch, emit, markers, text, trace
from agir.ir.cells import Scope
from agir.ir.slots import (
    JOINS,
    KINDS,
    JoinError,
    Slot,
    Structure,
    Take,
    Typed,
    Wrap,
    join,
    slot_of,
)
from agir.ir.staged import Staged
from agir.ir.symbolic import Dim, SymbolicTensor
from agir.ir.trace import Trace
from agir.ir.types import DType, bool_, int64


@dataclass(frozen=True, eq=False)
class Items(Staged):
    """What is in a list of unknown length: a column for each component of an item."""

    trace: Trace
    home: Scope
    element: Slot
    length: SymbolicTensor
    columns: tuple[Any, ...]

    def index(self) -> Any:
        """The length as an SSA ``index``."""
        return emit.to_index(self.trace, self.length)

    def item(self, index: Any) -> Any:
        """The item at an SSA ``index`` that is known to be inside."""
        parts = [columns.read(self.trace, column, index) for column in self.columns]
        return self.element.unpack(self.trace, parts)

    def checked(self, index: Any) -> tuple[Any, Any]:
        """(an SSA ``index``, whether it is inside): from the end where it is negative."""
        current = self.trace
        number = index if isinstance(index, SymbolicTensor) else emit.lift(current, index)
        if number.dtype.kind not in "iu" or number.dims:
            raise TypeError(current.explain("list indices must be integers or slices"))
        position, length = emit.to_index(current, number), self.index()
        zero = current.index(0)
        negative = current.compare("slt", position, zero)
        from_end = current.op("arith.addi", position.type, position, length)
        position = emit.select(current, negative, from_end, position)
        low = current.compare("sge", position, zero)
        high = current.compare("slt", position, length)
        inside = current.op("arith.andi", low.type, low, high)
        given = emit.convert(current, number.ssa, number.dtype, int64, ())
        current.guard(inside, current.site("list_index"), given, self.length.ssa)
        return position, inside

    def get(self, index: Any) -> Any:
        """The item at a Python or run-time index, checked."""
        position, inside = self.checked(index)
        parts = columns.either(
            self.trace,
            inside,
            lambda: [columns.read(self.trace, column, position) for column in self.columns],
            lambda: self.element.placeholder(self.trace),
        )
        return self.element.unpack(self.trace, parts)

    def put(self, index: Any, value: Any) -> Items:
        """With the item at an index replaced."""
        whole = self.holding(value)
        position, inside = whole.checked(index)
        current, parts = self.trace, whole.element.pack(self.trace, value)
        pairs = list(zip(whole.columns, parts, strict=True))
        fits = whole.fitting(parts, inside)
        changed = columns.either(
            current,
            fits,
            lambda: [columns.write(current, c, position, part) for c, part in pairs],
            lambda: whole.columns,
        )
        return whole.with_columns(changed, whole.length)

    def append(self, value: Any) -> Items:
        """With one more item."""
        whole = self.holding(value)
        current, parts = self.trace, whole.element.pack(self.trace, value)
        longer = whole.length + 1
        if not whole.columns:
            return whole.with_columns((), longer)
        end = whole.index()
        roomy = columns.grown(current, whole.columns, end, parts)
        found = whole.with_columns(roomy, whole.length)
        fits = found.fitting(parts, None)
        pairs = list(zip(roomy, parts, strict=True))

        def store() -> list[Any]:
            return [columns.write(current, c, end, part) for c, part in pairs]

        changed = store() if fits is None else columns.either(current, fits, store, lambda: roomy)
        return whole.with_columns(changed, longer)

    def fitting(self, parts: list[Any], inside: Any) -> Any:
        """An SSA ``i1`` that is false where an item has another shape than the rest; checked."""
        current, fine = self.trace, inside
        for column, part in zip(self.columns, parts, strict=True):
            if not isinstance(part.type, bindings.ir.RankedTensorType):
                continue
            for axis in range(part.type.rank):
                ours, theirs = (
                    columns.extent(current, column, axis + 1),
                    columns.extent(current, part, axis),
                )
                if isinstance(ours, int):
                    continue
                theirs = current.index(theirs) if isinstance(theirs, int) else theirs
                same = current.compare("eq", ours, theirs)
                site = current.site("shape", "items of a list of run-time length differ in shape")
                current.guard(
                    same, site, emit.from_index(current, ours), emit.from_index(current, theirs)
                )
                fine = same if fine is None else current.op("arith.andi", same.type, fine, same)
        return fine

    def pop(self, index: Any = -1) -> tuple[Any, Items]:
        """(the item at an index, the rest)."""
        current = self.trace
        zero, length = current.index(0), self.index()
        some = current.compare("sgt", length, zero)
        current.guard(some, current.site("pop"))
        value = self.get(index)
        if not (isinstance(index, int) and index == -1):
            return value, self.without(index)
        shorter = current.op("arith.subi", length.type, length, current.index(1))
        shorter = current.op("arith.maxsi", length.type, shorter, zero)
        return value, self.with_columns(self.columns, self.number(shorter))

    def without(self, index: Any) -> Items:
        """Without the item at an index."""
        position, _ = self.checked(index)
        number = self.number(position)
        return self.part(0, number).joined(self.part(number + 1, self.length))

    def number(self, index: Any) -> SymbolicTensor:
        """An SSA ``index`` as a Python number of the trace."""
        return self.trace.make(emit.from_index(self.trace, index), int64, (), weak=True)

    def part(self, start: Any, stop: Any) -> Items:
        """The items between two bounds, which are brought inside."""
        current = self.trace
        low = dispatch.call("maximum", dispatch.call("minimum", start, self.length), 0)
        high = dispatch.call("maximum", dispatch.call("minimum", stop, self.length), low)
        first = emit.to_index(current, low)
        count = current.op("arith.subi", first.type, emit.to_index(current, high), first)
        parts = [columns.items(current, column, first, count) for column in self.columns]
        return self.with_columns(parts, self.number(count))

    def slice(self, key: slice) -> Items:
        """``items[start:stop:step]``."""
        if key.step not in (None, 1):
            raise StagingError(
                self.trace.explain("a list of run-time length can be sliced with step 1 only")
            )
        start = self.bound(0 if key.start is None else key.start)
        stop = self.length if key.stop is None else self.bound(key.stop)
        return self.part(start, stop)

    def bound(self, value: Any) -> Any:
        """A bound of a slice, from the end where it is negative."""
        if isinstance(value, int):
            return value if value >= 0 else self.length + value
        return dispatch.call("where", value < 0, value + self.length, value)

    def joined(self, other: Items) -> Items:
        """These items and then those of another list."""
        element = join("the items of a list", self.element, other.element)
        left, right = self.converted(element), other.converted(element)
        current, a, b = self.trace, self.index(), other.index()
        total = current.op("arith.addi", a.type, a, b)

        def both(one: Any, two: Any) -> Any:
            like = columns.read(current, two, current.index(0)) if _dynamic(one) else None
            new = columns.empty(current, one.type, total, like)
            new = columns.put(current, columns.items(current, one, 0, a), new, 0, a)
            return columns.put(current, columns.items(current, two, 0, b), new, a, b)

        pairs = zip(left.columns, right.columns, strict=True)
        return left.with_columns([both(one, two) for one, two in pairs], self.number(total))

    def holding(self, value: Any) -> Items:
        """As items of a type that the value has, too."""
        current = self.trace
        try:
            element = join("an item of the list", self.element, _element_slot(current, value))
        except JoinError as error:
            raise StagingError(current.explain(str(error))) from None
        return self.converted(element)

    def converted(self, element: Slot) -> Items:
        """As items of a wider type."""
        if element == self.element:
            return self
        current, kinds = self.trace, element.types()
        if len(kinds) != len(self.columns):
            raise StagingError(
                current.explain(
                    f"a list of run-time length holds {self.element.describe()}, and then "
                    f"{element.describe()}: give its items one type"
                )
            )
        new = [
            _converted_column(current, column, kind, old, wide)
            for column, kind, old, wide in zip(
                self.columns, kinds, self.element.dtypes(), element.dtypes(), strict=True
            )
        ]
        return Items(current, current.scope, element, self.length, tuple(new))

    def with_columns(self, new: Iterable[Any], length: SymbolicTensor) -> Items:
        """The same kind of list with other contents."""
        return Items(self.trace, self.trace.scope, self.element, length, tuple(new))

    def tensor(self) -> SymbolicTensor:
        """The items as one array, the number of the item first."""
        current, element = self.trace, self.element
        if not isinstance(element, Typed):
            raise StagingError(
                current.explain(
                    f"a list of run-time length whose items are {element.describe()} is no array"
                )
            )
        length = self.index()
        key = ("items", self.columns[0], length)
        column = current.scope.recall("memo", key)
        if column is None:
            column = columns.items(current, self.columns[0], 0, length)
            current.scope.memo[key] = column
        dims = [d if isinstance(d, int) else Dim(source=column, axis=n + 1)
                for n, d in enumerate(element.dims)]  # fmt: skip
        return current.make(column, element.dtype, (Dim(value=length), *dims))


def _dynamic(column: Any) -> bool:
    shaped = bindings.ir.RankedTensorType(column.type)
    return any(shaped.is_dynamic_dim(axis) for axis in range(1, shaped.rank))


def _converted_column(current: Trace, column: Any, item: Any, old: DType, new: DType) -> Any:
    """A column of items of a wider type."""
    shaped = bindings.ir.RankedTensorType(column.type)
    dims = tuple(
        Dim(source=column, axis=axis) if shaped.is_dynamic_dim(axis) else shaped.shape[axis]
        for axis in range(shaped.rank)
    )
    changed = emit.convert(current, column, old, new, dims)
    target = columns.column_type(item)
    return changed if changed.type == target else current.op("tensor.cast", target, changed)


def _element_slot(current: Trace, value: Any) -> Slot:
    """The slot of an item, whose dynamic extents belong to no tensor in particular."""
    return _general(slot_of(current, value))


def _general(slot: Slot) -> Slot:
    if isinstance(slot, Typed):
        dims = tuple(d if isinstance(d, int) else None for d in slot.dims)
        return Typed(slot.dtype, dims, slot.weak)
    if isinstance(slot, Structure):
        return Structure(slot.key, tuple(map(_general, slot.items)))
    return slot.of_item()


class TracedList(list[Any], Staged):
    """A list of a function that is being traced."""

    def __init__(self, values: Iterable[Any] = ()) -> None:
        super().__init__(values)
        self.items: Items | None = None

    # What the journal and control flow see.

    @property
    def is_staged(self) -> bool:
        """True where the length is known only at run time."""
        return self.items is not None

    def snapshot(self) -> Any:
        """The contents, to be given to `restore` later."""
        return list(super().__iter__()) if self.items is None else self.items

    def restore(self, contents: Any) -> None:
        """Have these contents again."""
        if isinstance(contents, TracedList):
            contents = contents.snapshot()
        if isinstance(contents, Items):
            super().__setitem__(slice(None), ())
            self.items = contents
        else:
            self.items = None
            super().__setitem__(slice(None), contents)

    def frozen(self) -> Any:
        """A list with what is in this one now."""
        return _of(self.snapshot())

    def truth(self, trace: Trace) -> Any:
        """Whether there are items."""
        items = self._here()
        if items is None:
            return trace.constant(bool_, len(self) > 0)
        return trace.compare("sgt", items.index(), trace.index(0))

    def operand(self) -> Any:
        """The items as an array."""
        items = self._here()
        return self if items is None else items.tensor()

    def _here(self) -> Items | None:
        """The run-time contents, if they can be used where recording stands."""
        items = self.items
        if items is not None and not items.trace.scope.encloses(items.home):
            raise InaccessibleTensorError(
                items.trace.explain(
                    "a list made inside a loop body or a branch is used outside of it; assign it "
                    "to a variable that the loop or branch carries"
                )
            )
        return items

    def _change(self) -> None:
        writing(Contents(self))

    def staged(self, current: Trace) -> Items:
        """The contents as run-time items, whatever they are now."""
        items = self._here()
        return staged_items(current, list(super().__iter__())) if items is None else items

    # Python's list.

    def append(self, value: Any) -> None:
        """Add an item at the end."""
        self._change()
        if (items := self._here()) is None:
            super().append(value)
        else:
            self.restore(_recorded(items, lambda: items.append(value)))

    def extend(self, values: Iterable[Any]) -> None:
        """Add the items of an iterable at the end."""
        self._change()
        items, more = self._here(), run_time_items(values)
        if items is None and more is None:
            super().extend(values)
        elif more is None:
            for value in values:
                self.append(value)
        else:
            whole = self.staged(more.trace)
            self.restore(_recorded(more, lambda: whole.joined(more)))

    def __iadd__(self, values: Iterable[Any]) -> TracedList:  # type: ignore[override]
        self.extend(values)
        return self

    def pop(self, index: Any = -1) -> Any:
        """Remove the item at an index and give it."""
        self._change()
        if self._here() is None and not isinstance(index, SymbolicTensor):
            return super().pop(index)
        whole = self.staged(_trace())
        with whole.trace.at_user_line():
            value, rest = whole.pop(index)
        self.restore(rest)
        return value

    def insert(self, index: Any, value: Any) -> None:
        """Put an item before that index."""
        self._change()
        if (items := self._here()) is None:
            super().insert(index, value)
            return
        with items.trace.at_user_line():
            position = items.bound(index)
            first = items.part(0, position).append(value)
            self.restore(first.joined(items.part(first.length - 1, items.length)))

    def clear(self) -> None:
        """Remove all items."""
        self._change()
        self.restore([])

    def copy(self) -> TracedList:
        """Another list of the same items."""
        return _of(self.snapshot())

    def reverse(self) -> None:
        """Turn the order round."""
        self._change()
        if (items := self._here()) is None:
            super().reverse()
        else:
            self._rearrange(items, lambda tensor: dispatch.call("flip", tensor, 0))

    def sort(self, *, key: Any = None, reverse: bool = False) -> None:
        """Order the items."""
        self._change()
        if (items := self._here()) is None:
            super().sort(key=key, reverse=reverse)
            return
        if key is not None:
            raise StagingError(
                items.trace.explain("a list of run-time length cannot be sorted with a key")
            )
        self._rearrange(items, lambda tensor: dispatch.call("sort", tensor))
        if reverse:
            self.reverse()

    def _rearrange(self, items: Items, function: Any) -> None:
        tensor = function(items.tensor())
        self.restore(items.with_columns([tensor.ssa], items.length))

    def remove(self, value: Any) -> None:
        """Remove the first item that is equal to a value."""
        if self._here() is None:
            self._change()
            super().remove(value)
        else:
            self._refuse("remove")

    def index(self, value: Any, *bounds: SupportsIndex) -> int:
        """Where the first item is that is equal to a value."""
        return super().index(value, *bounds) if self._here() is None else self._refuse("index")

    def count(self, value: Any) -> Any:
        """How many items are equal to a value."""
        if (items := self._here()) is None:
            return super().count(value)
        return dispatch.call("sum", dispatch.call("cast", items.tensor() == value, int64))

    def __getitem__(self, key: Any) -> Any:
        items = self._here()
        if items is None and not has_symbols(key):
            found = super().__getitem__(key)
            return _of(found) if isinstance(key, slice) else found
        whole = self.staged(_trace()) if items is None else items
        with whole.trace.at_user_line():
            if isinstance(key, slice):
                return _of(whole.slice(key))
            return whole.get(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._change()
        items = self._here()
        if items is None and not has_symbols(key):
            super().__setitem__(key, value)
            return
        whole = self.staged(_trace()) if items is None else items
        if isinstance(key, slice):
            raise StagingError(
                whole.trace.explain("a slice of a list of run-time length is assigned to")
            )
        self.restore(_recorded(whole, lambda: whole.put(key, value)))

    def __delitem__(self, key: Any) -> None:
        self._change()
        if self._here() is None and not has_symbols(key):
            super().__delitem__(key)
            return
        whole = self.staged(_trace())
        self.restore(_recorded(whole, lambda: whole.without(key)))

    def __len__(self) -> int:
        return super().__len__() if self._here() is None else self._refuse("len")

    def __iter__(self) -> Iterator[Any]:
        return super().__iter__() if self._here() is None else self._refuse("iteration")

    def __reversed__(self) -> Iterator[Any]:
        return super().__reversed__() if self._here() is None else self._refuse("reversed")

    def __contains__(self, value: object) -> bool:
        return super().__contains__(value) if self._here() is None else self._refuse("in")

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other) if self._here() is None else self._refuse("==")

    def __ne__(self, other: object) -> bool:
        return super().__ne__(other) if self._here() is None else self._refuse("!=")

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Any) -> TracedList:  # type: ignore[override]
        new = self.copy()
        new.extend(other)
        return new

    def __radd__(self, other: Any) -> TracedList:
        new = _of(list(other))
        new.extend(self)
        return new

    def __mul__(self, count: Any) -> TracedList:
        if self._here() is None and not has_symbols(count):
            return _of(super().__mul__(count))
        return self._refuse("*")

    __rmul__ = __mul__

    def __staged_text__(self, conversion: str, spec: str) -> Any:
        items = self._here()
        if items is None:
            return NotImplemented
        if spec and not conversion:
            self._refuse("a format of a list")
        weak = isinstance(items.element, Typed) and items.element.weak
        return text.field(text.listed(items.tensor(), weak), "", spec)

    def __repr__(self) -> str:
        if self.items is None:
            return list.__repr__(self)
        if markers.is_collecting():
            return text.answer(text.text_of(self, "r", ""), markers.collecting())
        return f"<list of run-time length of {self.items.element.describe()}>"

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        return (list, (list(self),))

    def _refuse(self, what: str) -> NoReturn:
        assert self.items is not None
        raise OperatorNotAllowedInGraphError(
            self.items.trace.explain(
                f"{what} of a list whose length is known only at run time, where Python needs its "
                "value; use it in converted code, or make an array of it with agir.stack"
            )
        )


def _recorded(items: Items, make: Any) -> Any:
    with items.trace.at_user_line():
        return make()


def _trace() -> Trace:
    current = trace.current()
    assert current is not None, "run-time values exist only in a trace"
    return current


def _of(contents: Any) -> TracedList:
    """A new list with these contents."""
    new = TracedList()
    new.restore(contents)
    current = trace.current()
    if current is not None:
        current.journal.made(new)
    return new


def has_symbols(key: Any) -> bool:
    """True for a key that is, or holds, a run-time value."""
    if isinstance(key, slice):
        return any(map(has_symbols, (key.start, key.stop, key.step)))
    if isinstance(key, tuple):
        return any(map(has_symbols, key))
    return isinstance(key, SymbolicTensor)


def run_time_items(value: Any) -> Items | None:
    """The items of a list or tensor whose length is known only at run time; else None."""
    if isinstance(value, TracedList):
        return value._here()
    if isinstance(value, SymbolicTensor) and value.dims and not isinstance(value.dims[0], int):
        current = value.trace
        element = _general(Typed(value.dtype, value.dims[1:], value.weak))
        column = value.ssa
        target = columns.column_type(element.types()[0])
        if column.type != target:
            column = current.op("tensor.cast", target, column)
        length = current.make(
            emit.from_index(current, value.dims[0].value(current)), int64, (), weak=True
        )
        return Items(current, current.scope, element, length, (column,))
    return None


def staged_items(current: Trace, values: list[Any], element: Slot | None = None) -> Items:
    """Known items as run-time items."""
    try:
        for value in values:
            slot = _element_slot(current, value)
            element = slot if element is None else join("an item of the list", element, slot)
    except JoinError as error:
        raise StagingError(current.explain(str(error))) from None
    if element is None:
        raise StagingError(
            current.explain("an empty list is indexed with a run-time value: it has no items")
        )
    packed = [element.pack(current, value) for value in values]
    capacity = current.index(len(values))
    made = []
    for number, kind in enumerate(element.types()):
        like = packed[0][number] if packed else None
        like = like if isinstance(kind, bindings.ir.RankedTensorType) else None
        column = columns.empty(current, columns.column_type(kind), capacity, like)
        for position, parts in enumerate(packed):
            column = columns.write(current, column, current.index(position), parts[number])
        made.append(column)
    length = current.make(current.constant(int64, len(values)), int64, (), weak=True)
    return Items(current, current.scope, element, length, tuple(made))


@dataclass(frozen=True)
class Listed(Slot):
    """A list of unknown length: the length, and a column for each component of an item."""

    element: Slot

    def types(self) -> list[Any]:
        return [int64.mlir(), *(columns.column_type(kind) for kind in self.element.types())]

    def dtypes(self) -> list[DType]:
        return [int64, *self.element.dtypes()]

    def pack(self, trace: Trace, value: Any) -> list[Any]:
        if isinstance(value, TracedList):
            value = value.snapshot()
        if isinstance(value, Items):
            items = value.converted(self.element)
        else:
            items = staged_items(trace, list(value), self.element)
        return [items.length.ssa, *items.columns]

    def unpack(self, trace: Trace, carried: list[Any]) -> Any:
        length = trace.make(carried.pop(0), int64, (), weak=True)
        count = len(self.element.types())
        found, carried[:count] = tuple(carried[:count]), []
        return _of(Items(trace, trace.scope, self.element, length, found))

    def placeholder(self, trace: Trace) -> list[Any]:
        items = staged_items(trace, [], self.element)
        return [items.length.ssa, *items.columns]

    def assemble(self, take: Take, wrap: Wrap) -> Any:
        length = int(take())
        parts = [take() for _ in self.element.types()]
        return [
            self.element.assemble(iter([part[n] for part in parts]).__next__, wrap)
            for n in range(length)
        ]

    def describe(self) -> str:
        return f"a list of {self.element.describe()}"

    def outside(self, scope: Scope) -> Slot:
        return Listed(_general(self.element.outside(scope)))

    def absorb(self, name: str, other: Slot, strict: bool) -> Slot | None:
        if isinstance(other, Listed):
            return Listed(join(name, self.element, other.element))
        if isinstance(other, Structure) and other.key[0] is list:
            return Listed(_united(name, [self.element, *map(_general, other.items)]))
        return None


def _united(name: str, items: list[Slot]) -> Slot:
    element = items[0]
    for each in items[1:]:
        element = join(name, element, each)
    return element


def _of_unequal_lists(name: str, left: Slot, right: Slot, strict: bool) -> Slot | None:
    """Two lists that differ in length."""
    both = isinstance(left, Structure) and isinstance(right, Structure)
    if not both or left.key[0] is not list or right.key[0] is not list:  # type: ignore[union-attr]
        return None
    return Listed(_united(name, [_general(item) for item in (*left.items, *right.items)]))  # type: ignore[union-attr]


def _slot_of_items(current: Trace, value: Items, around: Scope | None) -> Slot:
    return Listed(value.element)


def _slot_of_list(current: Trace, value: TracedList, around: Scope | None) -> Slot:
    if value.items is not None:
        return Listed(value.items.element)
    items = tuple(slot_of(current, item, around) for item in list.__iter__(value))
    return Structure((list, len(items)), items)


KINDS[Items] = _slot_of_items
KINDS[TracedList] = _slot_of_list
JOINS.insert(0, _of_unequal_lists)
trace.REPRESENTED[list] = lambda current, value: TracedList(value)
