"""What a staged ``for`` can run over: counted progressions, rows of tensors, and their combinations.

Each has a ``count`` (an int, or an SSA ``index``) and gives the item at a position, which the loop
that asks knows to be inside.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from agir.autograph.operators import Attribute, get_item, of_method, writing
from agir.errors import OperatorNotAllowedInGraphError, StagingError
from agir.ir.building.types import int64, is_python_number
from agir.ir.emission import emit
from agir.ir.emission.views import Axis, Selection, extract
from agir.ir.tensors import dispatch
from agir.ir.tensors.staged import Staged, known_as
from agir.ir.tensors.symbolic import SymbolicTensor, holds_run_time
from agir.ir.tracing import ranges
from agir.ir.tracing.trace import Trace
from agir.ir.values import text
from agir.ir.values.sequences.counted import Counted
from agir.ir.values.sequences.lists import TracedList
from agir.ir.values.sequences.progressions import Progression, trace_index

EXHAUSTED = 2**62
"""Taken by an iterator that has come to its end, even if a list of it grows after that."""


class Once(Counted):
    """One that is an iterator in Python, too: what has been taken from it does not come again."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.taken: Any = 0
        """How many items have been taken: an int, or an integer of the trace."""
        trace.journal.made(self)

    def take(self, taken: Any) -> None:
        """So many items have been taken now."""
        writing(Attribute(self, "taken"))
        self.taken = taken

    def begin(self) -> None:
        """A loop or `next` is about to take items."""

    def upcoming(self) -> tuple[Any, Callable[[], Any]]:
        """Whether there is a next item, and what takes it."""
        return self.advance(), self.given

    def advance(self) -> Any:
        """Whether there is a next item."""
        if self._is_known():
            if self._goes_on(self.taken):
                return True
            self.begin()
            self.take(EXHAUSTED)
            return False
        with self.trace.at_user_line():
            self.begin()
            return self.has(self._position())

    def given(self) -> Any:
        """The next item, which is there, and is taken."""
        if self._is_known():
            return next(self)
        position = self._position()
        self.take(self.taken + 1)
        with self.trace.at_user_line():
            return self.item(emit.to_index(self.trace, position))

    def _is_known(self) -> bool:
        return isinstance(self.taken, int) and isinstance(self.count, int)

    def _position(self) -> SymbolicTensor:
        taken = self.taken
        return taken if isinstance(taken, SymbolicTensor) else _number(self.trace, taken)

    def _goes_on(self, taken: int) -> bool:
        """Whether there is an item for Python after so many."""
        return taken < self._known_count()

    def __iter__(self) -> Iterator[Any]:
        return self

    def __length_hint__(self) -> Any:
        count, taken = self.count, self.taken
        if not isinstance(count, int) or not isinstance(taken, int):
            return NotImplemented
        return count if count == EXHAUSTED else max(count - taken, 0)

    def __ag_ahead__(self) -> Iterator[tuple[Any, Callable[[], None]]]:
        """The items to come, each with what takes it, for a loop that may end before."""
        position = self.taken
        while self._goes_on(position):
            yield self.at(position), functools.partial(self.take, position + 1)
            position += 1

    def __next__(self) -> Any:
        self.begin()
        if not isinstance(self.taken, int):
            raise OperatorNotAllowedInGraphError(
                self.trace.explain(
                    "an item is taken from an iterator that a recorded loop has left at a place "
                    "known only at run time; go on with a for loop"
                )
            )
        if not self._goes_on(self.taken):
            self.take(EXHAUSTED)
            raise StopIteration
        item = self.at(self.taken)
        self.take(self.taken + 1)
        return item


def _number(trace: Trace, value: int) -> SymbolicTensor:
    return trace.make(trace.constant(int64, value), int64, (), weak=True)


class Rows(Counted):
    """The rows of a tensor: ``x[0], x[1], ...``, each a view."""

    def __init__(self, trace: Trace, tensor: SymbolicTensor) -> None:
        self.trace = trace
        self.tensor = tensor

    @property
    def count(self) -> Any:
        """The size of the first dimension."""
        size = self.tensor.dims[0]
        return size if isinstance(size, int) else size.value(self.trace)

    def item(self, position: Any) -> Any:
        """The row at the position."""
        trace, tensor = self.trace, self.tensor
        if len(tensor.dims) > 1:
            return dispatch.call("getitem", tensor, self._inside(position))
        selection = Selection([Axis(position, 1, 1, None)], [])
        scalar = extract(trace, tensor.ssa, tensor.dtype, selection)
        return trace.make(scalar, tensor.dtype, ())

    def _inside(self, position: Any) -> SymbolicTensor:
        number = emit.from_index(self.trace, position)
        size = self.tensor.dims[0]
        if isinstance(size, int):
            ranges.assume(self.trace, number, 0, size - 1)
        return self.trace.make(number, int64, ())


class Listing(Counted):
    """The items of a list, which a loop may change on the way, or of a tuple."""

    def __init__(self, trace: Trace, values: Sequence[Any]) -> None:
        self.trace = trace
        self.values = values

    @property
    def holds_run_time(self) -> bool:
        """Whether one of the items is, or holds, what only the run time knows."""
        return holds_run_time(self.values)

    @property
    def is_staged(self) -> bool:
        """Whether it is a list whose length is known only at run time."""
        return isinstance(self.values, TracedList) and self.values.is_staged

    @property
    def is_recordable(self) -> bool:
        """False: Python gives each item as what it is."""
        return False

    def lists(self) -> list[TracedList]:
        """The list."""
        return [self.values] if isinstance(self.values, TracedList) else []

    @property
    def count(self) -> Any:
        """The length of the list now."""
        if isinstance(self.values, TracedList) and self.values.is_staged:
            return self.values.staged(self.trace).index()
        return len(self.values)

    def item(self, position: Any) -> Any:
        """The item at the position."""
        values = self.values
        if not self.is_staged and are_numbers(values):
            row = Rows(self.trace, emit.lift(self.trace, list(values))).item(position)
            return self.trace.make(row.ssa, row.dtype, (), weak=True)
        if isinstance(values, TracedList):
            return values.staged(self.trace).item(position)
        return get_item(values, emit.counted(self.trace, position))

    def at(self, position: int) -> Any:
        """The item at a position that is known; it is checked."""
        return self.values[position]


@known_as("zip")
class Combined(Once):
    """Several iterables side by side: ``zip``; with a progression first, ``enumerate``."""

    def __init__(self, trace: Trace, parts: Sequence[Any]) -> None:
        super().__init__(trace)
        self.parts = _in_turn(trace, parts)

    def take(self, taken: Any) -> None:
        """So many have been taken, and so have been items of the parts that are iterators."""
        moving = [part for part in self.parts if isinstance(part, Iteration)]
        ended = type(taken) is int and taken == EXHAUSTED
        for part in moving:
            part.advance(self._ended(part) if ended else taken * part.step)
        super().take(taken)

    def beside(self) -> list[Once]:
        """Those of the parts."""
        return [each for part in self.parts for each in part.beside()]

    def begin(self) -> None:
        """Check that nothing else has taken items of the parts that are iterators."""
        for part in self.parts:
            if isinstance(part, Iteration):
                part.check(self.taken)

    def _ended(self, part: Iteration) -> Any:
        """How many items a part has given when the shortest of all has ended."""
        counts = [_counted(self.trace, each.count) for each in self.parts]
        shortest = functools.reduce(lambda a, b: dispatch.call("minimum", a, b), counts)
        given: Any = shortest * part.step
        goes_on: Any = True
        for each, count in zip(self.parts, counts, strict=True):
            if isinstance(each, Iteration) and each.source is part.source:
                given = given + dispatch.call("where", goes_on, 1, 0)
            goes_on = dispatch.call("logical_and", goes_on, count > shortest)
        return given

    @property
    def holds_run_time(self) -> bool:
        """Whether one of the parts does."""
        return any(part.holds_run_time for part in self.parts)

    @property
    def is_staged(self) -> bool:
        """Whether one of the parts is."""
        return any(part.is_staged for part in self.parts)

    @property
    def is_recordable(self) -> bool:
        """Whether all parts are."""
        return all(part.is_recordable for part in self.parts)

    def lists(self) -> list[TracedList]:
        """Those of the parts."""
        return [each for part in self.parts for each in part.lists()]

    @property
    def count(self) -> Any:
        """The length of the shortest part."""
        counts = [part.count for part in self.parts]
        known = [c for c in counts if isinstance(c, int)]
        rest = [c for c in counts if not isinstance(c, int)]
        if not rest:
            return min(known)
        total = rest[0]
        for other in rest[1:] + ([self.trace.index(min(known))] if known else []):
            total = self.trace.op("arith.minsi", total.type, total, other)
        return total

    def has(self, position: SymbolicTensor) -> Any:
        """Whether each part has an item there now."""
        return functools.reduce(
            lambda a, b: dispatch.call("logical_and", a, b),
            [part.has(position) for part in self.parts],
        )

    def item(self, position: Any) -> tuple[Any, ...]:
        """The parts' items at the position."""
        return tuple(part.item(position) for part in self.parts)

    def at(self, position: int) -> tuple[Any, ...]:
        """The parts' items at a position that is known."""
        return tuple(part.at(position) for part in self.parts)


class Iteration(Counted):
    """An iterator beside others, which may be itself: every so many of its items are its turn."""

    def __init__(self, trace: Trace, source: Once, place: int, step: int) -> None:
        self.trace = trace
        self.source = source
        self.step = step
        self._start = source.taken
        self._first = source.taken + place

    @property
    def count(self) -> Any:
        """How many iterations there are in what is left."""
        left, step = self.source.count, self.step
        if isinstance(left, int) and isinstance(self._first, int):
            return max(0, -((self._first - left) // step))
        iterations = (_counted(self.trace, left) - self._first + (step - 1)) // step
        return emit.to_index(self.trace, dispatch.call("maximum", iterations, 0))

    @property
    def holds_run_time(self) -> bool:
        """Whether the iterator does."""
        return self.source.holds_run_time

    @property
    def is_staged(self) -> bool:
        """Whether the iterator is, or has been left at a place known only at run time."""
        return is_staged(self.source)

    @property
    def is_recordable(self) -> bool:
        """Whether the iterator is."""
        return self.source.is_recordable

    def lists(self) -> list[TracedList]:
        """Those of the iterator."""
        return self.source.lists()

    def beside(self) -> list[Once]:
        """The iterator, and those that it takes items from itself."""
        return [self.source, *self.source.beside()]

    def advance(self, given: Any) -> None:
        """The iterator has given so many items since this began."""
        self.source.take(_least(self._start + given, self.source.count, self.trace))

    def check(self, iterations: Any) -> None:
        """Refuse where something else has taken items since so many iterations."""
        if type(iterations) is int and iterations == EXHAUSTED:
            return
        expected, taken = self._start + iterations * self.step, self.source.taken
        if isinstance(expected, int) and isinstance(taken, int):
            if taken != expected:
                raise StagingError(self.trace.explain(_TAKEN))
            return
        same = dispatch.call("equal", taken, expected)
        self.trace.guard(same.ssa, self.trace.refusal("argument", _TAKEN))

    def has(self, position: SymbolicTensor) -> Any:
        """Whether there is an item for that iteration now."""
        return self.source.has(position * self.step + self._first)

    def item(self, position: Any) -> Any:
        """The item of an iteration."""
        place = _counted(self.trace, position) * self.step + self._first
        return self.source.item(emit.to_index(self.trace, place))

    def at(self, position: int) -> Any:
        """The item of an iteration that is known."""
        place = position * self.step + self._first
        return (
            self.source.at(place)
            if isinstance(place, int)
            else self.item(self.trace.index(position))
        )


_TAKEN = (
    "items are taken from an iterator that zip() or enumerate() goes on with later: use next() for "
    "all of them"
)


def _in_turn(trace: Trace, parts: Sequence[Any]) -> list[Any]:
    """What stands side by side: iterators go on from where they are."""
    times = Counter(id(part) for part in parts if isinstance(part, Once))
    seen: Counter[int] = Counter()
    found = []
    for part in parts:
        if isinstance(part, Once):
            found.append(Iteration(trace, part, seen[id(part)], times[id(part)]))
            seen[id(part)] += 1
        else:
            found.append(part)
    return found


def _counted(trace: Trace, count: Any) -> Any:
    """A number of items as a number of Python's or of the trace."""
    return count if isinstance(count, int) else emit.counted(trace, count)


def _least(taken: Any, count: Any, trace: Trace) -> Any:
    if isinstance(taken, int) and isinstance(count, int):
        return min(taken, count)
    return dispatch.call("minimum", taken, _counted(trace, count))


class Derived(Once):
    """What is made of the items of one other iterable."""

    def __init__(self, trace: Trace, part: Any) -> None:
        super().__init__(trace)
        self.part = part

    @property
    def holds_run_time(self) -> bool:
        """Whether the part does."""
        return bool(self.part.holds_run_time)

    @property
    def is_staged(self) -> bool:
        """Whether the part is."""
        return bool(self.part.is_staged)

    def beside(self) -> list[Once]:
        """Those of the part."""
        beside: list[Once] = self.part.beside()
        return beside

    @property
    def is_recordable(self) -> bool:
        """Whether the part is."""
        return bool(self.part.is_recordable)

    def lists(self) -> list[TracedList]:
        """Those of the part."""
        lists: list[TracedList] = self.part.lists()
        return lists


@known_as("reversed")
class Backwards(Derived):
    """``reversed(...)`` of another iterable."""

    def __init__(self, trace: Trace, part: Any) -> None:
        super().__init__(trace, part)
        self._first = part.count

    @property
    def count(self) -> Any:
        """The length of the part when the iteration began."""
        return self._first

    def has(self, position: SymbolicTensor) -> Any:
        """Whether there is an item so far from the end of then: the part may be shorter now."""
        first = (
            self._first if isinstance(self._first, int) else emit.counted(self.trace, self._first)
        )
        left = first - 1 - position
        return dispatch.call("logical_and", left >= 0, self.part.has(left))

    def _goes_on(self, taken: int) -> bool:
        left = self._known_count() - 1 - taken
        now = self.part.count
        return left >= 0 and not (isinstance(now, int) and left >= now)

    def item(self, position: Any) -> Any:
        """The item at the position counted from the end."""
        trace, index = self.trace, trace_index(self.trace)
        count = self._first
        last = (
            trace.index(count - 1)
            if isinstance(count, int)
            else trace.op("arith.subi", index, count, trace.index(1))
        )
        return self.part.item(trace.op("arith.subi", index, last, position))

    def at(self, position: int) -> Any:
        """The item at a position, counted from the end, that is known; so is the count, then."""
        return self.part.at(self._first - 1 - position)


@known_as("map")
class Mapped(Derived):
    """``map`` of a function over another iterable: it is called where an item is asked for."""

    def __init__(self, trace: Trace, part: Any, function: Callable[[Any], Any]) -> None:
        super().__init__(trace, part)
        self.function = function

    @property
    def count(self) -> Any:
        """The length of the part."""
        return self.part.count

    def has(self, position: SymbolicTensor) -> Any:
        """Whether the part has an item there now."""
        return self.part.has(position)

    def item(self, position: Any) -> Any:
        """What the function makes of the part's item."""
        return self.function(self.part.item(position))

    def at(self, position: int) -> Any:
        """What the function makes of the part's item at a position that is known."""
        return self.function(self.part.at(position))


class Following(Mapped):
    """``map`` of a function over an iterator: what is taken of the one is taken of the other."""

    @property
    def taken(self) -> Any:
        """How many items of the iterator have been taken."""
        return self.part.taken

    @taken.setter
    def taken(self, taken: Any) -> None:
        """An iterator's own count, which there is none of."""

    def take(self, taken: Any) -> None:
        """So many items of the iterator have been taken now."""
        self.part.take(taken)


def mapped(trace: Trace, part: Any, function: Callable[[Any], Any]) -> Mapped:
    """``map(function, part)``."""
    kind = Following if isinstance(part, Once) else Mapped
    return kind(trace, part, function)


class Endless(Mapped):
    """What a function makes of 0, 1, 2, ...: Python runs a loop over it that cannot be recorded."""

    def __init__(self, trace: Trace, function: Callable[[Any], Any]) -> None:
        numbers = Progression(trace, 0, EXHAUSTED, 1, int64, weak=True)
        super().__init__(trace, numbers, function)


class Known(Once):
    """Something Python can iterate over that a loop can be recorded over as well.

    What ``enumerate``, ``zip`` and ``reversed`` make of ranges and of arrays with values.
    """

    def __init__(self, trace: Trace, python: Iterable[Any], length: int, staged: Any) -> None:
        super().__init__(trace)
        self._python = iter(python)
        self._items: list[Any] = []
        self._length = length
        self._recorded = staged
        """Makes the staged iterable."""

    @property
    def holds_run_time(self) -> bool:
        """Python knows the items."""
        return False

    @property
    def is_staged(self) -> bool:
        """Python knows the items."""
        return False

    @property
    def count(self) -> int:
        """How many there are, with those that are taken."""
        return self._length

    def item(self, position: Any) -> Any:
        """The item at the position."""
        return self._recorded().item(position)

    def at(self, position: int) -> Any:
        """What Python has at the position."""
        while len(self._items) <= position:
            self._items.append(next(self._python))
        return self._items[position]


def are_numbers(values: Sequence[Any]) -> bool:
    """Whether these are Python numbers of one type, of which an array can be made."""
    return all(map(is_python_number, values)) and len(set(map(type, values))) == 1


def is_staged(value: object) -> bool:
    """Whether the value is a counted iterable that Python cannot iterate over."""
    if isinstance(value, Once) and not isinstance(value.taken, int):
        return True
    return isinstance(value, Counted) and value.is_staged


def iterable(trace: Trace, value: Any) -> Any:
    """The staged iterable that stands for the value."""
    if isinstance(value, Staged) and value.has_operand:
        value = value.operand()
    if isinstance(value, Counted):
        return value
    if isinstance(value, SymbolicTensor):
        lazy = getattr(value.storage, "progression", None)
        if lazy is not None:
            return lazy
        if not value.dims:
            raise TypeError(trace.explain("iteration over a scalar tensor: it has no dimensions"))
        return Rows(trace, value)
    if isinstance(value, list | tuple):
        return Listing(trace, value)
    if isinstance(value, str):
        return Listing(trace, list(value))
    if isinstance(value, range):
        return Progression(trace, value.start, value.stop, value.step, int64, weak=True)
    if isinstance(value, text.StagedText):
        return iterable(trace, of_method(text.looked_into(value, "iteration over text")))
    return Rows(trace, emit.lift(trace, value))


LISTED = 256
"""So many items, if their number is known, are made one by one where a Python object is made of
each."""


def run_one_by_one(trace: Trace, iterated: Any, body: Callable[[Any], None]) -> bool:
    """Run a loop as Python would, while tracing; False where there are too many items for that."""
    source = iterable(trace, iterated)
    if not isinstance(source.count, int) or source.count > LISTED:
        return False
    if isinstance(source, Once):
        if not isinstance(source.taken, int):
            return False
        for item in source:
            body(item)
        return True
    for position in range(source.count):
        with trace.at_user_line():
            item = source.at(position)
        body(item)
    return True
