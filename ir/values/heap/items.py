"""What is in a list whose length is known only at run time: a column for each component of an item.

Columns always have room for one item more than there are, so that no position up to the end lies
outside of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from agir.autograph.operators import LoopOptions, State, and_, compare, if_exp, not_, while_stmt
from agir.errors import StagingError
from agir.ir.building import attributes, bindings
from agir.ir.building.cells import Scope
from agir.ir.building.types import DType, bool_, int64, is_python_number
from agir.ir.emission import emit
from agir.ir.tensors import dispatch
from agir.ir.tensors.staged import Staged
from agir.ir.tensors.symbolic import Dim, SymbolicTensor
from agir.ir.tracing import loops
from agir.ir.tracing.trace import Copies, Trace
from agir.ir.values import columns
from agir.ir.values.abstract_values import AbstractValue, JoinError, Structure, Typed
from agir.ir.values.alternatives.equality import equal
from agir.ir.values.alternatives.mixed_numbers import Mixed, MixedNumber, as_index, is_number
from agir.ir.values.heap.abstract_items import (
    ITEM,
    abstract_element,
    as_items,
    check_item,
    copied,
    from_list,
    general,
    is_columnwise,
    is_entered,
    joined,
    listed,
    taken_out,
)

ASSIGNED = "list assignment"
"""What Python says an index is of that is assigned to."""
_FEW = 8
"""So many known numbers are put into a list one by one; more are one constant."""
_SEARCH = 8
"""To look through a list is as much to record as so many calls of functions that search."""
_UNLIKE = "items of a list of run-time length differ in shape"


@dataclass(frozen=True, eq=False)
class Items(Staged):
    """What is in a list of unknown length: a column for each component of an item."""

    trace: Trace
    home: Scope
    element: AbstractValue
    length: SymbolicTensor
    stored: tuple[Any, ...]
    copies: Copies | None = None
    """The arrays that only these items, in a list that may be gone soon, are copies of."""

    @property
    def columns(self) -> tuple[Any, ...]:
        """A column for each component of an item."""
        return self.stored

    def index(self) -> Any:
        """The length as an SSA ``index``."""
        return emit.to_index(self.trace, self.length)

    def item(self, index: Any) -> Any:
        """The item at an SSA ``index`` that is known to be inside."""
        value = self.element.unpack(self.trace, self._parts(index))
        self.trace.keep_copies(self.copies)
        copied(self.trace, value, self.element)
        from_list(self.trace, value, self.element)
        return value

    def _parts(self, index: Any) -> list[Any]:
        """The components of the item at an SSA ``index`` that is known to be inside."""
        return [columns.read(self.trace, column, index) for column in self.columns]

    def held(self) -> Items:
        """The items in columns that nothing else writes to."""
        return self

    def checked(self, index: Any, of: str = "list") -> tuple[Any, Any]:
        """(an SSA ``index``, whether it is inside): from the end where it is negative."""
        current = self.trace
        index = as_index(index, f"{of} indices must be integers or slices, not float")
        number = index if isinstance(index, SymbolicTensor) else emit.lift(current, index)
        if number.dtype.kind not in "iu" or number.dims:
            raise TypeError(current.explain(f"{of} indices must be integers or slices"))
        position, length = emit.to_index(current, number), self.index()
        zero = current.index(0)
        negative = current.compare("slt", position, zero)
        from_end = current.op("arith.addi", position.type, position, length)
        position = emit.select(current, negative, from_end, position)
        low = current.compare("sge", position, zero)
        high = current.compare("slt", position, length)
        mark = {attributes.INSIDE: bindings.ir.UnitAttr.get()}
        inside = current.op("arith.andi", low.type, low, high, **mark)
        given = emit.convert(current, number.ssa, number.dtype, int64, ())
        current.guard(inside, current.site("list_index", of), given, self.length.ssa)
        return position, inside

    def get(
        self, index: Any, taken: bool = False, is_inside: bool = False, of: str = "list"
    ) -> Any:
        """The item at a Python or run-time index; ``taken`` out of the list, or a copy.

        The index is checked; ``is_inside`` says that it is one of the list unless a check has failed.
        """
        position, inside = self.position(index) if is_inside else self.checked(index, of)
        parts = loops.either(
            self.trace,
            inside,
            lambda: self._parts(position),
            lambda: self.element.placeholder(self.trace),
            likely=is_inside,
        )
        value = self.element.unpack(self.trace, parts)
        self.trace.keep_copies(self.copies)
        (taken_out if taken else copied)(self.trace, value, self.element)
        from_list(self.trace, value, self.element)
        return value

    def position(self, index: Any) -> tuple[Any, Any]:
        """An index as an SSA ``index``, and whether it is one of the list, as an ``i1``."""
        position = emit.to_index(self.trace, emit.lift(self.trace, index))
        return position, self.trace.compare("ult", position, self.index())

    def put(self, index: Any, value: Any, is_inside: bool = False) -> Items:
        """With the item at an index replaced."""
        whole = self.holding(value)
        position, inside = whole.position(index) if is_inside else whole.checked(index, ASSIGNED)
        return whole.written(position, whole.element.pack(self.trace, value), inside)

    def written(self, position: Any, components: list[Any], inside: Any) -> Items:
        """With the components of one item at a position, where ``inside`` (i1, or None) allows."""
        current, pairs = self.trace, list(zip(self.columns, components, strict=True))

        def store() -> list[Any]:
            return [columns.write(current, c, position, part) for c, part in pairs]

        fits = self.fitting(components, inside)
        if fits is None:
            return self.with_columns(store(), self.length)
        changed = loops.either(current, fits, store, lambda: self.columns)
        return self.with_columns(changed, self.length)

    def append(self, value: Any) -> Items:
        """With one more item."""
        whole = self.holding(value)
        components = whole.element.pack(self.trace, value)
        longer = whole.length + 1
        if not whole.columns:
            return whole.with_columns((), longer)
        end = whole.index()
        roomy = columns.grown(self.trace, whole.columns, end, components)
        found = whole.with_columns(roomy, whole.length).written(end, components, None)
        return found.with_columns(found.columns, longer)

    def fitting(self, parts: list[Any], inside: Any) -> Any:
        """An SSA ``i1`` that is false where an item has another shape than the rest; checked."""
        current, fine = self.trace, inside
        for column, part in zip(self.columns, parts, strict=True):
            if not isinstance(part.type, bindings.ir.RankedTensorType):
                continue
            for axis in range(part.type.rank):
                ours, theirs = (
                    columns.dimension_size(current, column, axis + 1),
                    columns.dimension_size(current, part, axis),
                )
                if isinstance(ours, int):
                    continue
                theirs = current.index(theirs) if isinstance(theirs, int) else theirs
                same = current.compare("eq", ours, theirs)
                site = current.refusal("shape", _UNLIKE)
                current.guard(
                    same, site, emit.from_index(current, ours), emit.from_index(current, theirs)
                )
                fine = emit.both(current, fine, same)
        return fine

    def pop(self, index: Any = -1, of: str = "empty list") -> tuple[Any, Items]:
        """(the item at an index, the rest); ``of`` is what nothing is taken from."""
        current = self.trace
        zero, length = current.index(0), self.index()
        some = current.compare("sgt", length, zero)
        current.guard(some, current.site("pop", f"pop from {of}"))
        value = self.get(index, taken=True, of="pop")
        if not (isinstance(index, int) and index == -1):
            return value, self.without(index, "pop")
        shorter = current.op("arith.subi", length.type, length, current.index(1))
        shorter = current.op("arith.maxsi", length.type, shorter, zero)
        return value, self.first(emit.counted(self.trace, shorter))

    def first(self, count: SymbolicTensor) -> Items:
        """The first items, of which there are so many."""
        return self.with_columns(self.columns, count)

    def until(self, end: Any) -> Items:
        """The items before a bound of a slice."""
        _, count = self.inside(0, self.bound(0 if end is None else end))
        return self.first(count)

    def without(self, index: Any, of: str = ASSIGNED) -> Items:
        """Without the item at an index."""
        position, _ = self.checked(index, of)
        number = emit.counted(self.trace, position)
        return self.part(0, number).joined(self.part(number + 1, self.length))

    def search(self, holds: Callable[[Any, Any], Any], end: Any = None) -> SymbolicTensor:
        """The first position of which ``holds(position, item)`` is true, or else the length.

        Or else another ``end``, which is not beyond it.
        """
        current, end = self.trace, self.length if end is None else end
        place: list[Any] = [current.make(current.constant(int64, 0), int64, (), weak=True)]

        def restore(values: tuple[Any, ...]) -> None:
            place[0] = values[0]

        def here() -> Any:
            found = holds(place[0], self.item(emit.to_index(current, place[0])))
            return not_(found)

        def go_on() -> Any:
            return and_(place[0] < end, here)

        def step() -> None:
            place[0] = place[0] + 1

        state = State(lambda: (place[0],), restore, ("position",))
        while_stmt(go_on, step, state, LoopOptions())
        found: SymbolicTensor = place[0]
        return found

    def modulo(self, number: Any) -> Any:
        """A number modulo how many items there are; 0 where there are none."""
        return number % dispatch.call("maximum", self.length, 1)

    def find(self, value: Any) -> SymbolicTensor:
        """The position of the first item that is equal to a value, or else the length."""
        self.trace.count_searches(_SEARCH)
        return self.search(lambda _, item: equal(self.trace, item, value))

    def contains(self, value: Any) -> Any:
        """Whether an item is equal to a value."""
        if is_number(self.element) and _is_scalar(value):
            return dispatch.call("any", self.tensor() == value)
        return self.find(value) < self.length

    def count(self, value: Any) -> Any:
        """How many items are equal to a value."""
        if not (is_number(self.element) and _is_scalar(value)):
            return self._counted(value)
        total = dispatch.call("sum", dispatch.call("cast", self.tensor() == value, int64))
        return self.trace.make(total.ssa, int64, (), weak=True)

    def _counted(self, value: Any) -> Any:
        """How many items are equal to a value that is no number."""
        current = self.trace
        zero = current.make(current.constant(int64, 0), int64, (), weak=True)
        held: list[Any] = [zero, zero]

        def restore(values: tuple[Any, ...]) -> None:
            held[:] = values

        def step() -> None:
            count, place = held
            here = equal(current, self.item(emit.to_index(current, place)), value)
            more = if_exp(here, lambda: count + 1, lambda: count)
            held[:] = more, place + 1

        state = State(lambda: tuple(held), restore, ("count", "position"))
        while_stmt(lambda: held[1] < self.length, step, state, LoopOptions())
        return held[0]

    def equals(self, other: Items) -> Any:
        """Whether two lists have equal items."""

        def differ(position: Any, item: Any) -> Any:
            return not_(equal(self.trace, item, other.item(emit.to_index(self.trace, position))))

        def all_equal() -> Any:
            return self.search(differ) == self.length

        return and_(self.length == other.length, all_equal)

    def compares(self, name: str, other: Items) -> Any:
        """``<`` and its like: the first items that differ decide, or else the lengths do."""
        shorter = dispatch.call("minimum", self.length, other.length)

        def pair(position: Any) -> tuple[Any, Any]:
            index = emit.to_index(self.trace, position)
            return self.item(index), other.item(index)

        def differ(position: Any, _: Any) -> Any:
            return not_(equal(self.trace, *pair(position)))

        place = self.search(differ, shorter)
        return if_exp(
            place < shorter,
            lambda: compare(name, *pair(place)),
            lambda: compare(name, self.length, other.length),
        )

    def part(self, start: Any, stop: Any) -> Items:
        """The items between two bounds, which are brought inside."""
        current = self.trace
        first, high = (emit.to_index(current, each) for each in self.inside(start, stop))
        count = current.op("arith.subi", first.type, high, first)
        size = columns.with_spare(current, count)
        found = [columns.items(current, column, first, size) for column in self.columns]
        return self.with_columns(found, emit.counted(self.trace, count))

    def inside(self, start: Any, stop: Any) -> tuple[Any, Any]:
        """Two bounds as positions in order, between none and all items."""
        low = dispatch.call("maximum", dispatch.call("minimum", start, self.length), 0)
        return low, dispatch.call("maximum", dispatch.call("minimum", stop, self.length), low)

    def sliced(self, key: slice) -> Items:
        """``items[start:stop:step]``."""
        if key.step not in (None, 1):
            return self.rearranged(lambda tensor: dispatch.call("getitem", tensor, key))
        return self.part(*self.bounds(key))

    def bounds(self, key: slice) -> tuple[Any, Any]:
        """The bounds of a slice with step 1."""
        start = self.bound(0 if key.start is None else key.start)
        return start, self.length if key.stop is None else self.bound(key.stop)

    def replaced(self, key: slice, new: Items | None) -> Items:
        """``items[start:stop] = new``; None deletes."""
        start, stop = self.bounds(key)
        low = dispatch.call("maximum", start, 0)
        first = self.part(0, low) if new is None else self.part(0, low).joined(new)
        return first.joined(self.part(dispatch.call("maximum", stop, low), self.length))

    def rearranged(self, function: Callable[[SymbolicTensor], Any]) -> Items:
        """The items in the order that a function gives to each column as an array."""
        current = self.trace
        kinds = self.element.types()
        made = [function(self.array(n)).ssa for n in range(len(kinds))]
        if not made:  # items that are all the same: what there is of them is their number
            made.append(function(self._alike()).ssa)
        count = columns.dimension_size(current, made[0], 0)
        count = current.index(count) if isinstance(count, int) else count
        found = [columns.spacious(current, ssa, count) for ssa, _ in zip(made, kinds, strict=False)]
        return self.with_columns(found, emit.counted(self.trace, count))

    def _alike(self) -> SymbolicTensor:
        """As many equal numbers as there are items."""
        dims = (Dim(value=self.index()),)
        zeros = emit.splat(self.trace, self.trace.constant(int64, 0), int64, dims)
        return self.trace.make(zeros, int64, dims)

    def repeated(self, count: Any) -> Items:
        """``items * count``."""
        current, length = self.trace, self.index()
        times = self._times(count)
        total = current.op("arith.muli", length.type, length, times)
        new = self._unset_columns(total)

        def copy(indices: list[Any], made: list[Any]) -> list[Any]:
            start = current.op("arith.muli", length.type, indices[0], length)
            whole = [columns.items(current, column, 0, length) for column in self.columns]
            pairs = zip(whole, made, strict=True)
            return [columns.put(current, one, new, start, length) for one, new in pairs]

        return self.with_columns(
            loops.nest(current, [times], new, copy), emit.counted(self.trace, total)
        )

    def unset(self, count: Any) -> Items:
        """So many items of this kind, each of which is to get its value before it is asked for."""
        total = self._times(count)
        return self.with_columns(self._unset_columns(total), emit.counted(self.trace, total))

    def _times(self, count: Any) -> Any:
        """A count of repetitions, none if it is negative."""
        times = dispatch.call("maximum", emit.lift(self.trace, count), 0)
        return emit.to_index(self.trace, times)

    def _unset_columns(self, count: Any) -> list[Any]:
        """Columns with room for so many items."""
        current, size = self.trace, columns.with_spare(self.trace, count)
        return [
            columns.empty(current, c.type, size, columns.sizes_of(current, c, c.type, 1))
            for c in self.columns
        ]

    def bound(self, value: Any) -> Any:
        """A bound of a slice, from the end where it is negative."""
        if isinstance(value, int):
            return value if value >= 0 else self.length + value
        return dispatch.call("where", value < 0, value + self.length, value)

    def joined(self, other: Items) -> Items:
        """These items and then those of another list."""
        element = joined(self.trace, "the items of a list", self.element, other.element)
        self.trace.keep_copies(other.copies)
        left, right = self.converted(element), other.converted(element)
        current, a, b = self.trace, self.index(), other.index()
        total = current.op("arith.addi", a.type, a, b)
        size = columns.with_spare(current, total)

        def both(one: Any, two: Any) -> Any:
            others = columns.sizes_of(current, two, two.type, 1)
            sizes = columns.either_sizes(current, a, one, others)
            new = columns.empty(current, one.type, size, sizes)
            new = columns.put(current, columns.items(current, one, 0, a), new, 0, a)
            return columns.put(current, columns.items(current, two, 0, b), new, a, b)

        pairs = zip(left.columns, right.columns, strict=True)
        return left.with_columns(
            [both(one, two) for one, two in pairs], emit.counted(self.trace, total)
        )

    def extended(self, other: Items) -> Items:
        """These items and then those of another list, in the columns of these if they have room."""
        element = joined(self.trace, "the items of a list", self.element, other.element)
        if any(isinstance(kind, bindings.ir.RankedTensorType) for kind in element.types()):
            return self.joined(other)
        self.trace.keep_copies(other.copies)
        left, right = self.converted(element), other.converted(element)
        current, a, b = self.trace, self.index(), other.index()
        total = current.op("arith.addi", a.type, a, b)
        roomy = columns.roomy(current, a, total, left.columns)
        pairs = zip(roomy, right.columns, strict=True)
        found = [columns.put(current, columns.items(current, m, 0, b), c, a, b) for c, m in pairs]
        return left.with_columns(found, emit.counted(current, total))

    def holding(self, value: Any) -> Items:
        """As items of a type that the value has, too."""
        current = self.trace
        as_items(current, value, self.element)
        try:
            abstract = abstract_element(current, value)
            element = joined(current, ITEM, self.element, abstract)
        except JoinError as error:
            raise StagingError(current.explain(str(error))) from None
        copied(current, value, element)
        listed(current, value, element)
        return self.converted(element)

    def converted(self, element: AbstractValue) -> Items:
        """As items of a wider type."""
        check_item(self.trace, element)
        if element == self.element:
            return self
        current, kinds = self.trace, element.types()
        if is_entered(self.element, element):
            return self._entered(element)
        if not is_columnwise(self.element, element):
            return self.repacked(element)
        new = [
            _converted_column(current, column, kind, old, wide)
            for column, kind, old, wide in zip(
                self.columns, kinds, self.element.dtypes(), element.dtypes(), strict=True
            )
        ]
        return Items(current, current.scope, element, self.length, tuple(new), self.copies)

    def repacked(self, element: AbstractValue) -> Items:
        """The items carried in another way: arrays by themselves as copies, say."""
        current, count = self.trace, self.index()
        new = self._room_for(element)

        def move(indices: list[Any], made: list[Any]) -> list[Any]:
            *into, fine = made
            parts = element.pack(current, self._unpacked(indices[0]))
            fits = columns.agree(current, into, parts)

            def store() -> list[Any]:
                pairs = zip(into, parts, strict=True)
                return [columns.write(current, c, indices[0], part) for c, part in pairs]

            if fits is None:
                return [*store(), fine]
            stored = loops.either(current, fits, store, lambda: into)
            return [*stored, current.op("arith.andi", fits.type, fine, fits)]

        *found, fine = loops.nest(current, [count], [*new, current.constant(bool_, True)], move)
        if emit.constant_value(fine) is None:
            current.guard(fine, current.refusal("argument", _UNLIKE))
        return Items(current, current.scope, element, self.length, tuple(found), self.copies)

    def _entered(self, element: AbstractValue) -> Items:
        """The items with lists in them that are known by themselves from now on."""
        current = self.trace
        zero = current.make(current.constant(int64, 0), int64, (), weak=True)
        held: list[Any] = [staged_items(current, [], element), zero]

        def restore(values: tuple[Any, ...]) -> None:
            held[:] = values

        def step() -> None:
            made, place = held
            value = self._unpacked(emit.to_index(current, place))
            parts = element.pack(current, value)
            whole = made if isinstance(made, Items) else made.items
            held[:] = whole.append(element.unpack(current, parts)), place + 1

        state = State(lambda: tuple(held), restore, ("the items", "position"))
        while_stmt(lambda: held[1] < self.length, step, state, LoopOptions())
        made: Items = held[0].items
        return made

    def _room_for(self, element: AbstractValue) -> list[Any]:
        """Columns for as many items of another type, with the open sizes of the first one."""
        current, zero = self.trace, self.trace.index(0)
        kinds = [columns.column_type(kind) for kind in element.types()]
        counts = [sum(map(shape.is_dynamic_dim, range(1, shape.rank)))
                  for shape in map(bindings.ir.RankedTensorType, kinds)]  # fmt: skip

        def first() -> list[Any]:
            parts = element.pack(current, self._unpacked(zero))
            pairs = zip(parts, kinds, counts, strict=True)
            return [e for part, kind, n in pairs if n
                    for e in columns.sizes_of(current, part, kind, 0)]  # fmt: skip

        sizes: list[Any] = []
        if any(counts):
            some = current.compare("sgt", self.index(), zero)
            sizes = loops.either(current, some, first, lambda: [zero] * sum(counts))
        size = columns.with_spare(current, self.index())
        return [
            columns.empty(current, kind, size, [sizes.pop(0) for _ in range(n)])
            for kind, n in zip(kinds, counts, strict=True)
        ]

    def _unpacked(self, index: Any) -> Any:
        """The item at an SSA ``index`` that is known to be inside, which goes nowhere else."""
        return self.element.unpack(self.trace, self._parts(index))

    def with_columns(self, new: Iterable[Any], length: SymbolicTensor) -> Items:
        """The same kind of list with other contents."""
        return Items(self.trace, self.trace.scope, self.element, length, tuple(new), self.copies)

    @property
    def may_be_array(self) -> bool:
        """Whether the items are not such as no array holds: objects, or lists of any lengths."""
        element = general(self.element.by_value())
        return not isinstance(element, Structure) or _is_row(element)

    def tensor(self) -> SymbolicTensor:
        """The items as one array, the number of the item first."""
        current, element = self.trace, self.element.by_value()
        if element is not self.element:
            return self.converted(general(element)).tensor()
        if isinstance(element, Structure) and _is_row(element):
            return self._stacked(element, iter(range(len(self.columns))))
        whole: SymbolicTensor | None = element.as_array(self)
        if whole is not None:
            return whole
        if not isinstance(element, Typed):
            raise StagingError(
                current.explain(
                    f"a list of run-time length whose items are {element.describe()} is no array"
                )
            )
        return self.array(0)

    def _stacked(self, element: AbstractValue, numbers: Iterator[int]) -> SymbolicTensor:
        """Columns as an array: those of lists in lists side by side."""
        if not isinstance(element, Structure):
            number = next(numbers)
            for _ in element.types()[1:]:
                next(numbers)
            return self.array(number)
        parts = [self._stacked(item, numbers) for item in element.items]
        stacked: SymbolicTensor = dispatch.call("stack", parts, 1)
        return stacked

    def array(self, number: int) -> SymbolicTensor:
        """A column as an array."""
        current, length = self.trace, self.index()
        key = ("items", self.columns[number], length)
        column = current.scope.recall("memo", key)
        if column is None:
            column = columns.items(current, self.columns[number], 0, length)
            current.scope.memo[key] = column
        shaped = bindings.ir.RankedTensorType(column.type)
        dims = [
            Dim(source=column, axis=axis) if shaped.is_dynamic_dim(axis) else shaped.shape[axis]
            for axis in range(1, shaped.rank)
        ]
        dtype = self.element.dtypes()[number]
        return current.make(column, dtype, (Dim(value=length), *dims))


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


def _is_row(element: AbstractValue) -> bool:
    """Whether items of that type are lists of numbers, or of such lists."""
    if not isinstance(element, Structure):
        return isinstance(element, Typed | Mixed)
    kinds = element.key[0] in (list, tuple)
    return kinds and bool(element.items) and all(map(_is_row, element.items))


def _is_scalar(value: Any) -> bool:
    if isinstance(value, SymbolicTensor):
        return type(value) in (SymbolicTensor, MixedNumber) and not value.dims
    return is_python_number(value) or isinstance(value, np.generic)


def _of_constants(current: Trace, values: list[Any], element: Typed) -> Items:
    """Numbers that are known, as run-time items."""
    array = np.asarray(values, element.dtype.numpy)
    column = current.dense(element.dtype, array.shape, array)
    made = columns.spacious(current, column, current.index(len(values)))
    length = current.make(current.constant(int64, len(values)), int64, (), weak=True)
    return Items(current, current.scope, element, length, (made,))


def staged_items(current: Trace, values: list[Any], element: AbstractValue | None = None) -> Items:
    """Known items as run-time items."""
    for value in values:
        as_items(current, value, element)
    try:
        for value in values:
            abstract = abstract_element(current, value)
            element = abstract if element is None else joined(current, ITEM, element, abstract)
    except JoinError as error:
        raise StagingError(current.explain(str(error))) from None
    if element is None:
        raise StagingError(
            current.explain("an empty list is indexed with a run-time value: it has no items")
        )
    check_item(current, element)
    if len(values) > _FEW and isinstance(element, Typed) and all(map(is_python_number, values)):
        return _of_constants(current, values, element)
    packed = [element.pack(current, value) for value in values]
    for value in values:
        copied(current, value, element)
        listed(current, value, element)
    length = current.make(current.constant(int64, len(values)), int64, (), weak=True)
    ranked = bindings.ir.RankedTensorType
    if len(values) > _FEW and not any(isinstance(kind, ranked) for kind in element.types()):
        of_numbers = [columns.of_numbers(current, parts) for parts in zip(*packed, strict=True)]
        return Items(current, current.scope, element, length, tuple(of_numbers))
    capacity, made = current.index(len(values) + 1), []
    for number, kind in enumerate(element.types()):
        target = columns.column_type(kind)
        like = columns.sizes_of(current, packed[0][number], target, 0) if packed else None
        made.append(columns.empty(current, target, capacity, like))
    found = Items(current, current.scope, element, length, tuple(made))
    for position, components in enumerate(packed):
        found = found.written(current.index(position), components, None)
    return found
