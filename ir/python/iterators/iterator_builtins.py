"""Python's functions on iterables, where the items are run-time values or come from a generator.

A counted iterable (the rows of a tensor, ``range``) stays one where it can; what a generator hands
out is consumed by a loop, which is recorded if the generator's own loops are.
"""

from __future__ import annotations

import builtins
import functools
import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from agir.autograph.operators import (
    LoopOptions,
    Undefined,
    and_,
    binary,
    call,
    collect,
    each,
    find,
    for_stmt,
    if_exp,
    if_stmt,
    is_undefined,
    ld,
    not_,
    skip,
    unpacked,
    when,
)
from agir.autograph.operators.generators import Box, Emit, Producer, joined
from agir.errors import OperatorNotAllowedInGraphError, StagingError
from agir.ir import hooks
from agir.ir.emission import emit
from agir.ir.emission.truth import truth
from agir.ir.plain import iterators
from agir.ir.python.iterators.resumable import Advancing, SideBySide, advancing
from agir.ir.python.numbers import decimal_rounding, math_builtins
from agir.ir.tensors import dispatch
from agir.ir.tensors.staged import known_as
from agir.ir.tensors.symbolic import SymbolicTensor, is_run_time, known_elements
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing.left_to_python import Resuming
from agir.ir.tracing.trace import Trace, current
from agir.ir.values.alternatives.equality import equal
from agir.ir.values.sequences import iteration, list_order, lists, tuples
from agir.ir.values.sequences.counted import Counted
from agir.ir.values.sequences.rows import Rows

# What makes one value of the items.


def total(trace: Trace, values: Any, start: Any = 0) -> Any:
    """``sum(values, start)``."""
    box = Box("sum", start)

    def body(value: Any) -> None:
        box.value = binary("add", box.value, value)

    for_stmt(values, body, None, box.state, LoopOptions())
    return box.value


def quantifier(decides: bool) -> Callable[[Trace, Any], Any]:
    """``any``, which a true item decides, or ``all``, which a false one does."""

    def quantify(trace: Trace, values: Any) -> Any:
        box = Box("any" if decides else "all", not decides)

        def body(value: Any) -> None:
            box.value = not_(not_(value))

        def undecided() -> Any:
            return not_(box.value) if decides else box.value

        for_stmt(values, body, undecided, box.state, LoopOptions())
        return box.value

    return quantify


def contains(trace: Trace, values: Any, value: Any) -> Any:
    """``value in values`` of an iterator, which is left behind the first item that is equal."""
    box = Box("in", False)

    def body(item: Any) -> None:
        box.value = equal(trace, value, item)

    for_stmt(values, body, lambda: not_(box.value), box.state, LoopOptions())
    return box.value


class _Best:
    """The greatest or the least of the items so far."""

    def __init__(self, better: Callable[[Any, Any], Any], key: Callable[[Any], Any] | None) -> None:
        self.better = better
        self.key = key
        self.found = Box("found", False)
        self.best = Box("best", Undefined("best"))
        self.rank = Box("rank", Undefined("rank")) if key else self.best
        self.state = joined(self.found.state, self.best.state)
        if key:
            self.state = joined(self.state, self.rank.state)

    def consider(self, value: Any) -> None:
        rank = value if self.key is None else call(self.key, (value,))

        def take() -> None:
            self.found.value, self.best.value, self.rank.value = True, value, rank

        def compare() -> None:
            if is_undefined(self.rank.value):  # a loop's first recording, before there are types
                take()
            else:
                if_stmt(self.better(rank, ld(self.rank.value)), take, skip, self.state)

        if_stmt(self.found.value, compare, take, self.state)


_NO_DEFAULT = object()


def extremum(name: str, better: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """``max`` or ``min`` of one iterable, or of several arguments with a key."""

    def choose(trace: Trace, *values: Any, key: Any = None, default: Any = _NO_DEFAULT) -> Any:
        best = _Best(better, key)
        items = values[0] if len(values) == 1 else values
        for_stmt(items, best.consider, None, best.state, LoopOptions())
        found = best.found.value
        if find(found) is None and not found:
            if default is _NO_DEFAULT:
                raise ValueError(trace.explain(f"{name}() arg is an empty sequence"))
            return default
        if _has_items(trace, items):
            return ld(best.best.value)
        if default is not _NO_DEFAULT:
            return if_exp(found, lambda: ld(best.best.value), lambda: default)
        if find(found) is not None:
            with trace.at_user_line():
                ok = truth(trace, found)
                trace.guard(ok, trace.site("no_items", name))
        return ld(best.best.value)

    return choose


def _has_items(trace: Trace, values: Any) -> bool:
    """Whether it is known that an iterable is not empty, before anything is taken of it."""
    if isinstance(values, iteration.Once) or not isinstance(values, SymbolicTensor | Counted):
        return False
    count = iteration.iterable(trace, values).count
    return isinstance(count, int) and count > 0


# What takes one item.


def following(trace: Trace, iterator: Any, *default: Any) -> Any:
    """``next(iterator, default)``."""
    if isinstance(iterator, iteration.Once | Advancing):
        more, take = iterator.upcoming()
        return if_exp(more, take, lambda: _ended(default))
    if isinstance(iterator, Producer):
        return _following_of_producer(trace, iterator, default)
    return next(iterator, *default)


def _ended(default: tuple[Any, ...]) -> Any:
    if default:
        return default[0]
    raise StopIteration


def _following_of_producer(trace: Trace, iterator: Producer, default: tuple[Any, ...]) -> Any:
    """The next item of a generator: Python asks for it, if it can; else a loop that stops at it."""
    untouched = iterator.is_untouched
    with trace.attempt() as attempt:
        try:
            return next(iterator, *default)
        except OperatorNotAllowedInGraphError:
            if not untouched:
                iterator.again()
                raise
            attempt.roll_back()
    found, value = Box("found", False), Box("next", Undefined("next"))

    def keep(item: Any) -> None:
        found.value, value.value = True, item

    state = joined(found.state, value.state)
    for_stmt(iterator, keep, lambda: not_(found.value), state, LoopOptions())
    return if_exp(found.value, lambda: ld(value.value), lambda: _ended(default))


# What keeps the items.


def listed(trace: Trace, values: Any = ()) -> Any:
    """``list(values)``."""
    return collect([], lambda add: each(values, add, add))


def tupled(trace: Trace, values: Any = ()) -> Any:
    """``tuple(values)``."""
    if (known := known_elements(values)) is not None and known.ndim == 1:
        return tuple(known)
    items = listed(trace, values)
    return tuples.tupled(items) if isinstance(items, lists.TracedList) else tuple(items)


def mapping(trace: Trace, pairs: Any = (), **named: Any) -> Any:
    """``dict(pairs, **named)``."""
    made = collect({}, lambda add: each(pairs, lambda pair: add(*unpacked(pair, 2)), add))
    made.update(named)
    return made


def in_order(trace: Trace, values: Any, *, key: Any = None, reverse: Any = False) -> Any:
    """``sorted(values)``: a few run-time values are compared in pairs of neighbours."""
    if isinstance(values, SymbolicTensor) and values.dims and _is_long(values.dims[0]):
        with trace.at_user_line():
            whole = lists.traced_list(Rows.of(trace, values))
        whole.sort(key=key, reverse=reverse)
        return whole
    items = listed(trace, values)
    if isinstance(items, lists.TracedList) and items.is_staged:
        items.sort(key=key, reverse=reverse)
        return items
    return list_order.of_known_number(trace, items, key, reverse)


def _is_long(size: Any) -> bool:
    return not isinstance(size, int) or size > list_order.SORTED


# Iterators.


class _OfPython(Producer):
    """What one of Python's functions makes of other iterables."""

    def again(self) -> None:
        """Trace again, with generators of the library that do the same."""
        trace = current()
        if trace is not None and not trace.loops.resumes:
            raise Resuming


class _OfFunction(_OfPython):
    """What asks a function about each item of a source."""

    def __init__(self, function: Any, source: Any) -> None:
        super().__init__()
        self.function = function
        self.source = source


@known_as("map")
class Mapped(_OfFunction):
    """``map(function, source)``."""

    def produce(self, emit: Emit) -> None:
        """Emit what the function makes of each item."""
        each(self.source, lambda item: emit(call(self.function, (item,))), emit)

    def lazily(self) -> Iterator[Any]:
        """The same for Python."""
        return (call(self.function, (item,)) for item in self.source)


@known_as("filter")
class Filtered(_OfFunction):
    """``filter(function, source)``."""

    def _keeps(self, item: Any) -> Any:
        return item if self.function is None else call(self.function, (item,))

    def produce(self, emit: Emit) -> None:
        """Emit the items that the function is true of."""

        def step(item: Any) -> Any:
            return when(self._keeps(item), lambda: emit(item), emit)

        each(self.source, step, emit)

    def lazily(self) -> Iterator[Any]:
        """The same for Python."""
        return (item for item in self.source if self._keeps(item))


@known_as("itertools.takewhile")
class Taken(_OfFunction):
    """``itertools.takewhile(function, source)``."""

    def produce(self, emit: Emit) -> None:
        """Emit the items before the first that the function is false of."""
        going = Box("going", True)

        def test() -> Any:
            return going.value if emit.test is None else and_(going.value, emit.test)

        inner = Emit(emit.body, emit.around(going.state), test, emit.options)

        def step(item: Any) -> Any:
            going.value = not_(not_(call(self.function, (item,))))
            when(going.value, lambda: emit(item), inner)
            return not_(test())

        each(self.source, step, inner)

    def lazily(self) -> Iterator[Any]:
        """The same for Python."""
        return itertools.takewhile(lambda item: call(self.function, (item,)), self.source)


@known_as("itertools.dropwhile")
class Dropped(_OfFunction):
    """``itertools.dropwhile(function, source)``."""

    def produce(self, emit: Emit) -> None:
        """Emit the items from the first on that the function is false of."""
        dropping = Box("dropping", True)
        inner = emit.carrying(dropping.state)

        def step(item: Any) -> Any:
            dropping.value = not_(not_(and_(dropping.value, lambda: call(self.function, (item,)))))
            return when(not_(dropping.value), lambda: emit(item), inner)

        each(self.source, step, inner)

    def lazily(self) -> Iterator[Any]:
        """The same for Python."""
        return itertools.dropwhile(lambda item: call(self.function, (item,)), self.source)


@known_as("enumerate")
class Numbered(_OfPython):
    """``enumerate(source, start)`` of a producer."""

    def __init__(self, source: Any, start: Any) -> None:
        super().__init__()
        self.source = source
        self.start = start

    def produce(self, emit: Emit) -> None:
        """Emit pairs of a number and an item."""
        counter = Box("counter", self.start)

        def step(item: Any) -> Any:
            number = counter.value
            counter.value = number + 1
            return emit((number, item))

        each(self.source, step, emit.carrying(counter.state))

    def lazily(self) -> Iterator[Any]:
        """The same for Python."""
        return builtins.enumerate(self.source, self.start)


@known_as("zip")
class Zipped(Producer):
    """``zip`` of a producer with iterables that are counted, or that Python iterates over."""

    def __init__(self, trace: Trace, sources: Iterable[Any]) -> None:
        super().__init__()
        self.trace = trace
        self.sources = list(sources)
        self.driver = next(i for i, s in enumerate(self.sources) if isinstance(s, Producer))

    def produce(self, emit: Emit) -> None:
        """Emit tuples, until one of the iterables ends."""
        others = {i: self._other(s) for i, s in enumerate(self.sources) if i != self.driver}
        position, stopped = Box("position", 0), Box("stopped", False)

        def body(item: Any) -> None:
            more = [other.has(position.value) for other in others.values()]
            inside = functools.reduce(lambda a, b: and_(a, lambda: b), more, True)
            values = {i: other.ahead() for i, other in others.items()}

            def go_on() -> None:
                found = {i: other.item(position.value, values[i]) for i, other in others.items()}
                found[self.driver] = item
                stopped.value = emit(tuple(found[i] for i in range(len(self.sources))))

            def end() -> None:
                stopped.value = True

            if_stmt(inside, go_on, end, emit.around(stopped.state))
            position.value = position.value + 1

        state = emit.around(joined(position.state, stopped.state))
        options = emit.looping(LoopOptions())
        for_stmt(self.sources[self.driver], body, lambda: not_(stopped.value), state, options)

    def _other(self, source: Any) -> Any:
        if isinstance(source, SymbolicTensor | range) or iteration.is_staged(source):
            return _Counted(self.trace, iteration.iterable(self.trace, source))
        return _Iterated(self.trace, iter(source))

    def lazily(self) -> Iterator[Any]:
        """The same for Python."""
        return builtins.zip(*self.sources, strict=False)


class _Counted:
    """A counted iterable beside a producer: its items are asked for by their position."""

    def __init__(self, trace: Trace, source: Any) -> None:
        self.trace = trace
        self.source = source
        # found out before the loop, where it stays what it is
        self.count = None if source.lists() else source.count

    def ahead(self) -> Any:
        return None

    def has(self, position: Any) -> Any:
        count = self.source.count if self.count is None else self.count
        return position < (count if isinstance(count, int) else emit.counted(self.trace, count))

    def item(self, position: Any, _: Any) -> Any:
        with self.trace.at_user_line():
            return self.source.item(emit.to_index(self.trace, position))


class _Iterated:
    """A Python iterator beside a producer: it can go on only where every item is recorded."""

    _END = object()

    def __init__(self, trace: Trace, iterator: Iterator[Any]) -> None:
        self.trace = trace
        self.home = trace.scope
        self.iterator = iterator
        self.next: Any = None

    def has(self, _: Any) -> bool:
        if self.trace.scope is not self.home:
            raise StagingError(
                self.trace.explain(
                    "zip() of a generator with a recorded loop needs tensors and ranges beside it"
                )
            )
        self.next = next(self.iterator, self._END)
        return self.next is not self._END

    def ahead(self) -> Any:
        return self.next

    def item(self, _: Any, value: Any) -> Any:
        return value


def mapped(trace: Trace, function: Any, *sources: Any) -> Any:
    """``map(function, *sources)``."""
    apply = function
    source = sources[0]
    if len(sources) > 1:
        source = zipped(trace, *sources)

        def apply(items: Any) -> Any:
            return call(function, tuple(items))

    if isinstance(source, SymbolicTensor) or iteration.is_staged(source):
        counted = iteration.iterable(trace, source)
        return iteration.mapped(trace, counted, lambda item: call(apply, (item,)))
    if trace.loops.resumes:
        return call(iterators.mapped, (apply, source))
    return Mapped(apply, source)


def filtered(trace: Trace, function: Any, source: Any) -> Any:
    """``filter(function, source)``."""
    if trace.loops.resumes:
        return call(iterators.filtered, (function, source))
    return Filtered(function, source)


def numbered(trace: Trace, source: Any, start: Any = 0) -> Any:
    """``enumerate(source, start)``."""
    if trace.loops.resumes:
        return call(iterators.numbered, (source, start))
    return Numbered(source, start)


def zipped(trace: Trace, *sources: Any, strict: bool = False) -> Any:
    """``zip(*sources)``."""
    if not strict and any(isinstance(source, Advancing) for source in sources):
        return SideBySide(list(map(advancing, sources)))
    if any(isinstance(source, Producer) for source in sources):
        if strict:
            raise StagingError(trace.explain("zip(strict=True) of a generator is not recorded"))
        return Zipped(trace, sources)
    staged = [is_run_time(source) or iteration.is_staged(source) for source in sources]
    if sources and not strict and all(map(_is_sequence, sources)):
        return side_by_side(trace, *sources)
    if not any(staged):
        return builtins.zip(*sources, strict=strict)
    pairs = list(builtins.zip(sources, staged, strict=True))
    if not all(each or _is_array(source) for source, each in pairs):
        known = [_rows(trace, source) if each else source for source, each in pairs]
        if all(each is not None for each in known):
            return builtins.zip(*known, strict=strict)
    return side_by_side(trace, *sources, strict=strict)


def _is_sequence(source: Any) -> bool:
    """Whether it is one of Python's sequences of objects, or an iterator that is followed."""
    return isinstance(source, list | tuple | range | Counted)


def side_by_side(trace: Trace, *sources: Any, strict: bool = False) -> iteration.Combined:
    """``zip`` of what a loop can be recorded over."""
    parts = [iteration.iterable(trace, source) for source in sources]
    if strict:
        _check_equal(trace, [part.count for part in parts])
    return iteration.Combined(trace, parts)


def _is_array(source: Any) -> bool:
    """Whether an iterable can stand beside tensors in a recorded loop, else Python iterates."""
    if isinstance(source, (list, tuple)):
        return not source or iteration.are_numbers(source)
    return isinstance(source, (np.ndarray, Tensor, range))


def _rows(trace: Trace, source: Any) -> list[Any] | None:
    """The items of a staged iterable of known length, each recorded now."""
    part = iteration.iterable(trace, source)
    if not isinstance(part.count, int):
        return None
    with trace.at_user_line():
        return [part.at(position) for position in builtins.range(part.count)]


def _check_equal(trace: Trace, counts: list[Any]) -> None:
    """``zip(strict=True)``: the iterables must be equally long."""
    message = "zip() arguments differ in length"
    known = [count for count in counts if isinstance(count, int)]
    if len(set(known)) > 1:
        raise ValueError(trace.explain(f"{message}: {known}"))
    with trace.at_user_line():
        values = [trace.index(c) if isinstance(c, int) else c for c in counts]
        for other in values[1:]:
            operands = [emit.from_index(trace, each) for each in (values[0], other)]
            same = trace.compare("eq", values[0], other)
            trace.guard(same, trace.site("shape", message), *operands)


def rounded(trace: Trace, number: Any, ndigits: Any = None) -> Any:
    """``round(number, ndigits)``: a scalar without digits becomes an integer."""
    value, digits = number, ndigits
    if isinstance(digits, SymbolicTensor):
        return _rounded_to_run_time(trace, emit.lift(trace, value), digits)
    whole = value.dtype.is_integer or value.dtype.kind == "b"
    plain = digits is None and not value.dims
    if whole and plain and trace.convention.arrays_are_mutable:
        return math_builtins.to_integer(trace, value)
    if whole and (digits is None or digits >= 0):
        return +value if value.dtype.is_integer else dispatch.call("cast", value, "int64")
    if whole and digits is not None:
        return _rounded_integer(value, 10**-digits)
    if digits is not None and value.weak and trace.convention.arrays_are_mutable:
        with trace.at_user_line():
            return decimal_rounding.rounded(trace, value, int(digits))
    if digits:
        scale = 10.0**digits
        return dispatch.call("round", value * scale) / scale
    result = dispatch.call("round", value)
    if digits is not None or value.dims:
        return result
    return math_builtins.to_integer(trace, result)


def _rounded_to_run_time(trace: Trace, value: SymbolicTensor, digits: SymbolicTensor) -> Any:
    if value.weak and not value.dims and trace.convention.arrays_are_mutable:
        if value.dtype.kind != "f":
            return _rounded_integer(+value, 10 ** dispatch.call("maximum", -digits, 0))
        with trace.at_user_line():
            return decimal_rounding.rounded_to_run_time(trace, value, digits)
    found = hooks.tensors.array_function(np.round, (value, digits), {})
    return SymbolicTensor(trace, found.storage, found.dtype, found.dims, weak=value.weak)


def _rounded_integer(value: Any, unit: Any) -> Any:
    """The nearest multiple of a power of ten, of two the even one."""
    times, rest = value // unit, value % unit
    up = dispatch.call("logical_or", rest * 2 > unit, (rest * 2 == unit) & (times % 2 == 1))
    return dispatch.call("where", up, times + 1, times) * unit
