"""Lists of traced functions, whose length may be known only at run time.

A list that converted code makes while it is traced is a :class:`TracedList`: an ordinary list until
a staged branch or loop leaves it with a number of items that depends on run-time values.  From then
on its contents are `items`, and what is done with it is recorded.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, NoReturn, SupportsIndex

import numpy as np

from agir.autograph.operators import (
    Contents,
    LoopOptions,
    call,
    find,
    for_stmt,
    no_state,
    not_,
    of_method,
    writing,
)
from agir.autograph.operators.generators import Producer
from agir.errors import InaccessibleTensorError, OperatorNotAllowedInGraphError, StagingError
from agir.ir import hooks
from agir.ir.building.types import bool_
from agir.ir.plain import searching, stepped
from agir.ir.tensors import dispatch, markers
from agir.ir.tensors.staged import Staged, known_as
from agir.ir.tensors.symbolic import SymbolicTensor, holds_run_time, is_run_time
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing import trace
from agir.ir.tracing.trace import Copies, Trace
from agir.ir.values import text
from agir.ir.values.abstract_values import Typed, frozen
from agir.ir.values.alternatives.equality import equal
from agir.ir.values.heap import references
from agir.ir.values.heap.items import Items, staged_items
from agir.ir.values.heap.kinds import Lengths
from agir.ir.values.heap.pools import Reference
from agir.ir.values.sequences import list_order
from agir.ir.values.sequences.rows import Rows

_WHOLE = slice(None)


def _is_computed_with(value: Any) -> bool:
    """Whether to compare it with others gives what only the run time knows."""
    return holds_run_time(value) or text.is_of_run_time(value)


def _is_array(value: Any) -> bool:
    """True for what computes with a list as with an array, and not for Python's numbers."""
    if isinstance(value, SymbolicTensor):
        return bool(value.dims) or not value.weak
    return isinstance(value, (Tensor, np.ndarray))


@known_as("list")
class TracedList(list[Any], Staged):
    """A list of a function that is being traced."""

    stands_for: type = list
    """Python's class."""
    parts_kind: type = list
    """The class of slices and multiples."""
    empty = "empty list"
    """What Python calls one without items."""
    is_of_table = False
    """Whether it is a part of a dict or set whose keys only the run time knows."""

    def __init__(self, values: Iterable[Any] = ()) -> None:
        super().__init__(values)
        self._items: Items | Reference | None = None
        """What is in it, where only the run time knows how much: or where it lies."""

    # What the journal and control flow see.

    @property
    def is_staged(self) -> bool:
        """True where the length is known only at run time."""
        return self._items is not None

    @property
    def reference(self) -> Reference | None:
        """Where it lies, if it is an item of lists and known by itself."""
        return self._items if isinstance(self._items, Reference) else None

    @property
    def is_known_by_itself(self) -> bool:
        """Whether it is not copied where it is put into a list of run-time length."""
        return self.reference is not None

    @property
    def items(self) -> Items | None:
        """What is in it now, where only the run time knows how much."""
        found = self._items
        if not isinstance(found, Reference):
            return found
        row: Items = _pool(found).row(found.number.ssa)
        return row

    @property
    def holds_pythons(self) -> bool:
        """Whether its numbers, or those of the lists in it, are Python's and not NumPy's."""
        kind: Any = None if self.items is None else self.items.element
        while isinstance(kind, references.AbstractReference):
            kind = kind.kind.known
        return not isinstance(kind, Typed) or kind.weak

    def snapshot(self) -> Any:
        """The contents, to be given to `restore` later."""
        return list(super().__iter__()) if self._items is None else self._items

    def restore(self, contents: Any) -> None:
        """Have these contents again."""
        if isinstance(contents, TracedList):
            contents = contents.snapshot()
        if isinstance(contents, Items | Reference):
            super().__setitem__(slice(None), ())
            self._items = contents
        else:
            self._items = None
            super().__setitem__(slice(None), contents)

    def _become(self, contents: Any) -> None:
        """Hold other items, which all see who know the list."""
        found = self._items
        if not isinstance(found, Reference):
            self.restore(contents)
        elif isinstance(contents, Items):
            references.refill(_trace(), found, contents)
        else:
            _pool(found).shorten(found.number.ssa, _trace().index(0))
            self.extend(contents)

    def become_item(self, trace: Trace, abstract: Any, path: tuple[Any, ...]) -> None:
        """It is put into a list of run-time length: known by itself from now on."""
        if self.reference is not None or self.stands_for is not list:
            return
        found = references.as_reference(trace, self.snapshot(), abstract, path)
        if found is not None:
            writing(Contents(self))
            self.restore(found)

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
        found = self._items
        if found is None:
            return None
        home = found.number.storage.home if isinstance(found, Reference) else found.home
        if not _trace().scope.encloses(home):
            raise InaccessibleTensorError(
                _trace().explain(
                    "a list made inside a loop body or a branch is used outside of it; assign it "
                    "to a variable that the loop or branch carries"
                )
            )
        return self.items

    def frozen(self) -> TracedList:
        """A list of its own of the present items."""
        contents = self.snapshot()
        if isinstance(contents, (list, tuple)):
            contents = type(contents)(map(frozen, contents))
        made = traced_list(contents, self.stands_for)
        if (current := trace.current()) is not None:
            current.journal.stands(self, made)
        return made

    def _change(self) -> None:
        found = self.reference
        writing(Contents(self) if found is None else Lengths(found.kind))

    def is_same(self, other: TracedList) -> Any:
        """Whether two names are of one list; None where Python knows."""
        one, two = self.reference, other.reference
        if one is None or two is None:
            return None
        return one.kind is two.kind and one.number == two.number

    def changes_with(self, owner: object) -> bool:
        """Whether a write to something is, perhaps, one to the list."""
        found = self.reference
        return owner is self or (found is not None and owner is found.kind)

    def staged(self, current: Trace) -> Items:
        """The contents as run-time items, whatever they are now."""
        items = self._here()
        return staged_items(current, list(super().__iter__())) if items is None else items

    def staged_like(self, current: Trace, others: Iterable[list[Any]]) -> Items | None:
        """The contents as items that can be compared; None for no items of unknown type."""
        if self.items is not None or len(self):
            return self.staged(current)
        elements = [each.items.element for each in others
                    if isinstance(each, TracedList) and each.items is not None]  # fmt: skip
        return staged_items(current, [], elements[0])

    # Python's list.

    def append(self, value: Any) -> None:
        """Add an item at the end."""
        self._change()
        if (items := self._here()) is None:
            super().append(value)
        elif (found := self.reference) is None:
            self.restore(_recorded(items, lambda: items.append(value)))
        else:
            with items.trace.at_user_line():
                parts = references.components(_trace(), found, value)
                _pool(found).append(found.number.ssa, parts)

    def extend(self, values: Iterable[Any]) -> None:
        """Add the items of an iterable at the end."""
        if isinstance(values, Staged) and hooks.values.alternatives(values):
            values.each(self.extend)  # type: ignore[attr-defined]
            return
        if isinstance(values, Producer):  # it may look at the list that grows
            for_stmt(values, self.append, None, no_state, LoopOptions())
            return
        self._change()
        values = characters_of(values)
        items, more = self._here(), _collected(values)
        if not isinstance(more, Items):
            known = values if more is None else more
            if items is None:
                super().extend(known)
                return
            for value in iter(known):
                self.append(value)
        else:
            whole = self.staged(more.trace) if items is not None or len(self) else None
            self._become(more if whole is None else _recorded(more, lambda: whole.extended(more)))

    def __iadd__(self, values: Iterable[Any]) -> Any:  # type: ignore[misc]
        if _is_array(values):  # Python asks the array first, which adds up
            return dispatch.call("add", self, values)
        self.extend(values)
        return self

    def pop(self, index: Any = -1) -> Any:
        """Remove the item at an index and give it."""
        self._change()
        if self._here() is None and (not isinstance(index, SymbolicTensor) or not len(self)):
            return super().pop(0 if isinstance(index, SymbolicTensor) else index)
        whole = self.staged(_trace())
        with whole.trace.at_user_line():
            value, rest = whole.pop(index, self.empty)
        if type(index) is int and index == -1:
            self._end_as(rest)
        else:
            self._become(rest)
        return value

    def _end_as(self, first: Items) -> None:
        """Have only these first ones of the items, which stay where they are."""
        if (found := self.reference) is not None:
            _pool(found).shorten(found.number.ssa, first.index())
        else:
            self._become(first)

    def insert(self, index: Any, value: Any) -> None:
        """Put an item before that index."""
        self._change()
        if self._here() is None and not (has_symbols(index) and len(self)):
            super().insert(0 if has_symbols(index) else index, value)
            return
        items = self.staged(_trace())
        with items.trace.at_user_line():
            position = items.bound(index)
            first = items.part(0, position).append(value)
            self._become(first.joined(items.part(first.length - 1, items.length)))

    def clear(self) -> None:
        """Remove all items."""
        self._change()
        self._become([])

    def copy(self) -> TracedList:
        """Another list of the same items."""
        if self.reference is not None:
            items = self.staged(_trace())
            return traced_list(_recorded(items, items.held), self.stands_for)
        return traced_list(self.snapshot(), self.stands_for)

    def reverse(self) -> None:
        """Turn the order round."""
        self._change()
        if (items := self._here()) is None:
            super().reverse()
        else:
            self._become(_recorded(items, lambda: items.sliced(slice(None, None, -1))))

    def sort(self, *, key: Any = None, reverse: bool = False) -> None:
        """Order the items."""
        self._change()
        if (items := self._here()) is not None:
            ranks = items
            if key is not None:
                ranks = list_order.ranked(items.trace, traced_list(items), key)
            self._become(list_order.ordered(items.trace, items, ranks, reverse))
        elif trace.current() is None or not (key is not None or any(map(_is_computed_with, self))):
            super().sort(key=key, reverse=reverse)
        else:
            values = list(super().__iter__())
            self._become(list_order.of_known_number(_trace(), values, key, reverse))

    def remove(self, value: Any) -> None:
        """Remove the first item that is equal to a value."""
        self._change()
        if (items := self._comparing(value)) is None:
            super().remove(value)
            return
        with items.trace.at_user_line():
            name = self.stands_for.__name__
            place = self._found(items, value, f"{name}.remove(x): x not in {name}")
            self._become(items.without(place))

    def index(self, value: Any, *bounds: SupportsIndex) -> Any:
        """Where the first item is that is equal to a value."""
        if (items := self._comparing(value)) is None:
            return super().index(value, *bounds)
        if bounds and self.items is None and all(type(each) is int for each in bounds):
            first, last, _ = slice(*bounds, *[None] * (2 - len(bounds))).indices(len(self))
            return traced_list(list(self)[first:last]).index(value) + first
        if bounds:
            return call(searching.index, (self, value, *bounds))
        with items.trace.at_user_line():
            absent = f"the value is not in the {self.stands_for.__name__}"
            return self._found(items, value, absent)

    def _found(self, items: Items, value: Any, absent: str) -> Any:
        """The position of a value, which is checked to be there."""
        position, current = items.find(value), items.trace
        inside = current.compare("slt", position.ssa, items.length.ssa)
        current.guard(inside, current.site("argument", absent))
        return position

    def count(self, value: Any) -> Any:
        """How many items are equal to a value."""
        if (items := self._comparing(value)) is None:
            return super().count(value)
        return items.count(value)

    def _comparing(self, value: Any) -> Items | None:
        """The items, where comparing them with a value gives run-time values."""
        if self.items is None and not (
            len(self) and any(map(_is_computed_with, (value, *super().__iter__())))
        ):
            return None
        return self.staged(_trace())

    def __getitem__(self, key: Any) -> Any:
        items = self._here()
        if items is None and (not has_symbols(key) or not len(self)):
            found = super().__getitem__(_of_none(key))
            return traced_list(found) if isinstance(key, slice) else found
        whole = self.staged(_trace()) if items is None else items
        with whole.trace.at_user_line():
            if isinstance(key, slice):
                return traced_list(whole.sliced(key).held(), self.parts_kind)
            return whole.get(key, is_inside=self.is_of_table, of=self.stands_for.__name__)

    def __setitem__(self, key: Any, value: Any) -> None:
        items, found = self._here(), self.reference
        if found is not None and not isinstance(key, slice):
            with _trace().at_user_line():
                parts = references.components(_trace(), found, value)
                _pool(found).put(found.number.ssa, self.items, key, parts, self.is_of_table)
            return
        if isinstance(key, slice) and isinstance(value, Producer):
            made = traced_list([])
            made.extend(value)
            value = made
        self._change()
        if isinstance(value, TracedList) and isinstance(key, slice) and key == _WHOLE:
            self._become(value.copy().snapshot())
            return
        if items is None and (not has_symbols(key) or not len(self)):
            # Python would tell of any error in a value that is staged as of what is no iterable.
            is_items = isinstance(key, slice) and isinstance(value, Staged)
            super().__setitem__(_of_none(key), list(iter(value)) if is_items else value)
            return
        if _is_stepped(key):
            call(stepped.assign, (self, key, value))
            return
        whole = self.staged(_trace()) if items is None else items
        if isinstance(key, slice):
            new = _of(value).staged(whole.trace)
            self._become(_recorded(whole, lambda: whole.replaced(key, new)))
            return
        self._become(_recorded(whole, lambda: whole.put(key, value, self.is_of_table)))

    def __delitem__(self, key: Any) -> None:
        self._change()
        if self._here() is None and (not has_symbols(key) or not len(self)):
            super().__delitem__(_of_none(key))
            return
        if _is_stepped(key):
            call(stepped.delete, (self, key))
            return
        whole = self.staged(_trace())
        if isinstance(key, slice) and key.stop is None:
            with whole.trace.at_user_line():
                self._end_as(whole.until(key.start))
        elif isinstance(key, slice):
            self._become(_recorded(whole, lambda: whole.replaced(key, None)))
        else:
            self._become(_recorded(whole, lambda: whole.without(key)))

    def __len__(self) -> int:
        return super().__len__() if self._here() is None else self._refuse("len")

    def __iter__(self) -> Iterator[Any]:
        if self._here() is not None:
            self._refuse("iteration")
        return self._each()

    def _each(self) -> Iterator[Any]:
        """Each item, as long as Python knows how many there are."""
        position = 0
        while position < len(self):
            yield super().__getitem__(position)
            position += 1
            if (items := self.items) is not None:
                raise StagingError(
                    items.trace.explain(
                        "the list that a loop iterates over gets a length that is known only at "
                        "run time; iterate over a copy, or write a while loop with an index"
                    )
                )

    def __reversed__(self) -> Iterator[Any]:
        if self._here() is not None:
            self._refuse("reversed")
        return (self[-1 - place] for place in range(len(self)))

    def __contains__(self, value: object) -> bool:
        return super().__contains__(value) if self._here() is None else self._refuse("in")

    def is_comparable(self, other: object) -> bool:
        """Whether the other one may be equal, and has an order with this one."""
        return isinstance(other, list) and class_of(other) is self.stands_for

    def __eq__(self, other: object) -> Any:
        if not self.is_comparable(other):
            return NotImplemented
        if (found := self._compared(other)) is None:
            return super().__eq__(other)
        return found

    def __ne__(self, other: object) -> Any:
        if not self.is_comparable(other):
            return NotImplemented
        if (found := self._compared(other)) is None:
            return super().__ne__(other)
        return not_(found)

    def _compared(self, other: Any) -> Any:
        """Whether the items are equal; None where Python can tell."""
        lists = (self, other)
        if any(isinstance(each, TracedList) and each.items is not None for each in lists):
            current = _trace()
            with current.at_user_line():
                one, two = (_of(each).staged_like(current, lists) for each in lists)
                return False if one is None or two is None else one.equals(two)
        if trace.current() is None or not any(map(holds_run_time, (*self, *other))):
            return None
        return equal(_trace(), list(self), list(other))

    def __lt__(self, other: Any) -> Any:
        return self._ordered("lt", other)

    def __le__(self, other: Any) -> Any:
        return self._ordered("le", other)

    def __gt__(self, other: Any) -> Any:
        return self._ordered("gt", other)

    def __ge__(self, other: Any) -> Any:
        return self._ordered("ge", other)

    def _ordered(self, name: str, other: Any) -> Any:
        """Which of two lists comes first."""
        lists = (self, other)
        if not self.is_comparable(other):
            return NotImplemented
        if not any(isinstance(each, TracedList) and each.is_staged for each in lists):
            return getattr(list, f"__{name}__")(self, other)
        current = _trace()
        with current.at_user_line():
            one, two = (_of(each).staged_like(current, lists) for each in lists)
            if one is None or two is None:  # nothing is known of what is in the other one
                return getattr(operator, name)(*(0 if n is None else n.length for n in (one, two)))
            return one.compares(name, two)

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Any) -> Any:
        if _is_array(other):
            return dispatch.call("add", self, other)
        _check_joined(self, other)
        new = self.copy()
        new.extend(other)
        return new

    def __radd__(self, other: Any) -> TracedList:
        _check_joined(other, self)
        new = traced_list(list(other), class_of(other))
        new.extend(self)
        return new

    def __mul__(self, count: Any) -> Any:
        if isinstance(count, SymbolicTensor) and count.is_count:
            count.check_count()
        elif _is_array(count):
            return dispatch.call("multiply", self, count)
        if self._here() is None and not has_symbols(count):
            return traced_list(super().__mul__(count), self.parts_kind)
        if not self.is_staged and not len(self):
            return self.copy()
        items = self.staged(_trace())
        return traced_list(_recorded(items, lambda: items.repeated(count)), self.parts_kind)

    __rmul__ = __mul__

    def unset(self, count: Any) -> TracedList:
        """So many items like these, each of which is to get its value before it is asked for."""
        return traced_list(self.staged(_trace()).unset(count), self.parts_kind)

    def __staged_text__(self, conversion: str, spec: str) -> Any:
        items = self._here()
        if items is None:
            return NotImplemented
        if spec and not conversion:
            self._refuse("a format of a list")
        if not isinstance(items.element.by_value(), Typed) or self.stands_for is not list:
            return hooks.texts.of_list(self, conversion, spec)
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
        self.items.trace.ask(self.items.index())
        raise OperatorNotAllowedInGraphError(
            self.items.trace.explain(
                f"{what} of a list whose length is known only at run time, where Python needs its "
                "value; use it in converted code, or make an array of it with agir.stack"
            )
        )


def _recorded(items: Items, make: Any) -> Any:
    with items.trace.at_user_line():
        return make()


def _pool(found: Reference) -> Any:
    """Where a list lies."""
    return _trace().pools.of(found.kind)


def _trace() -> Trace:
    current = trace.current()
    assert current is not None, "run-time values exist only in a trace"
    return current


def traced_list(contents: Any, kind: type = list) -> TracedList:
    """A new list with these contents, or what stands for another class of Python's."""
    current = trace.current()
    new = STANDING[kind]()
    new.restore(contents)
    if current is not None:
        current.journal.made(new)
    return new


def class_of(value: Any) -> type:
    """Python's class of a list or tuple, or of what stands for one."""
    found: type = getattr(type(value), "stands_for", type(value))
    return found


def _check_joined(one: Any, other: Any) -> None:
    """``one + other``: a list and a tuple do not go together."""
    left, right = class_of(one).__name__, class_of(other).__name__
    if "tuple" in (left, right) and left != right:
        raise TypeError(f'can only concatenate {left} (not "{right}") to {left}')


def _of(values: Any) -> TracedList:
    """A list of those values: itself, if it is one of ours."""
    if isinstance(values, TracedList):
        return values
    new = traced_list([])
    new.extend(values)
    return new


def _of_none(key: Any) -> Any:
    """A key of an empty list: no index is inside of it, and every slice is the whole."""
    if not has_symbols(key):
        return key
    return slice(None) if isinstance(key, slice) else 0


def _is_stepped(key: Any) -> bool:
    """Whether a key is a slice with a step that is not 1."""
    step = key.step if isinstance(key, slice) else None
    return step is not None and not (type(step) is int and step == 1)


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
        return Rows.of(value.recorder, value)
    return None


def characters_of(values: Any) -> Any:
    """What there is in a text of the run time; anything else as it is."""
    if isinstance(values, text.StagedText):
        values = text.looked_into(values, "iteration over text")
    return of_method(values) if text.is_coded(values) else values


def _collected(values: Any) -> Items | TracedList | None:
    """What there is in an iterable that only a trace can go through; None for one of Python's."""
    values = characters_of(values)
    found = run_time_items(values)
    if found is not None or is_run_time(values) or find(values) is None:
        return found
    new, current, copies = traced_list([]), _trace(), Copies()

    def append(value: Any) -> None:
        with current.copying(copies):
            new.append(value)

    for_stmt(values, append, None, no_state, LoopOptions(collects=True))
    return replace(new.staged(current), copies=copies) if new.is_staged else new


STANDING: dict[type, type[TracedList]] = {list: TracedList}
"""What stands for lists, and for sequences of other classes of Python's."""
trace.REPRESENTED[list] = lambda current, value: TracedList(value)
