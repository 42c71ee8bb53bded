"""Loops over what Python knows while tracing: recorded as one loop, or unrolled.

A short loop is unrolled: Python runs it, and every iteration is recorded, unless that becomes too
much, as it does in a nest of short loops.  A longer one is recorded whole, unless the analysis of its
body, which is run once with a symbol for the counter, finds that it cannot be: that it needs the
counter as a Python integer (to index a list of tensors, for a shape), or has nothing to do with
run-time values.  So are loops over tuples and lists of numbers, such as the offsets of neighbours,
where unrolling them becomes too much.  `set_loop_options` decides by hand.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from agir.autograph.operators import LoopOptions, State, ahead, run_in_python, while_in_python
from agir.config import config
from agir.errors import (
    AgirError,
    OperatorNotAllowedInGraphError,
    StagingError,
    UnrollWarning,
)
from agir.ir import control_flow
from agir.ir.building.cells import Scope
from agir.ir.building.locations import warn_once
from agir.ir.building.program import Value
from agir.ir.emission.failing import IndexedAtRunTimeError
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing.journal import Frame
from agir.ir.tracing.left_to_python import MOST
from agir.ir.tracing.outdated import Lengthy
from agir.ir.tracing.trace import Trace
from agir.ir.values import abstract_values
from agir.ir.values.heap.items import Items
from agir.ir.values.sequences import iteration
from agir.ir.values.sequences.lists import TracedList

_log = logging.getLogger("agir.autograph")

TURNS_LIMIT = 64
"""A ``while`` loop is unrolled for so many iterations, ..."""
FEW_TURNS = 16
"""... or for so many if they become more operations than a short loop may."""
_SLOW_BITS = 20
LIST_LIMIT = 64
"""Loops of up to so many iterations are unrolled if that keeps the length of a list known."""
WARN_LIMIT = 1_000
"""Longer loops are unrolled with a warning only, ..."""
REFUSE_LIMIT = 20_000
"""... and these not at all, unless `set_loop_options` says so."""
SIZE_LIMIT = 2_000
"""Operations that a loop may become by being unrolled only because that is of use, ..."""
SHORT_LIMIT = 300
"""... and because it is short: loops in short loops would become any number."""


def offer(
    trace: Trace,
    iterated: Any,
    body: Callable[[Any], None],
    extra_test: Callable[[], Any] | None,
    state: State,
    options: LoopOptions,
    target: str,
) -> bool:
    """Record the loop and return True, or leave it to Python."""
    length = _length(iterated)
    listed = length is None and trace.convention.arrays_are_mutable and _are_alike(iterated)
    if listed:
        length = len(iterated)
    if length is None:
        if options.unroll or not _may_be_array(trace, iterated):
            return False
        run_in_python(iterated, _kept_short(trace, body), extra_test, state, options)
        return True
    limit = options.maximum_iterations
    if limit is not None and isinstance(iterated, Tensor):
        control_flow.for_stmt(trace, iterated, body, extra_test, state, target, limit=limit)
        return True
    if trace.left_to_python.are_running and options.unroll is None and isinstance(iterated, range):
        run_in_python(_counted(trace, iterated), body, extra_test, state, options)
        return True
    if options.unroll is True:
        _say(trace, f"a loop of {length} iterations is unrolled: its options ask for it")
        return False
    watched = _Watched(trace, iterated, SIZE_LIMIT)
    run = partial(run_in_python, watched, body, extra_test, state, options)
    code = getattr(body, "__code__", body)
    is_long = code in trace.left_to_python.long
    is_short = (listed or length <= config.unroll_limit) and not is_long
    if options.unroll is None and is_short:
        watched.limit = SHORT_LIMIT
        if code not in trace.loops.not_unrolled and _stays_small(trace, code, run, state):
            return True
        if watched.changes:
            return False
        trace.loops.not_unrolled.add(code)
    if options.unroll is False:
        control_flow.for_stmt(trace, iterated, body, extra_test, state, target)
        return True
    record = partial(control_flow.for_stmt, trace, iterated, body, extra_test, state, target)
    refused = _ANY_REFUSAL if listed or is_long else _REFUSAL
    attempt = partial(_attempt, trace, record, length, state, refused=refused, is_long=is_long)
    reason = attempt(of_use=code not in trace.loops.not_of_use and not is_long)
    if reason is not None and reason.useful and not is_long:
        watched.limit = sys.maxsize if listed else watched.limit
        if _stays_small(trace, code, run, state, watched):
            _unroll(trace, length, reason.text)
            return True
        trace.loops.not_of_use.add(code)
        reason = attempt(of_use=False)
    if reason is None:
        _say(trace, f"a loop of {length} iterations is recorded as one loop")
        return True
    if not listed:
        _unroll(trace, length, reason.text)
    if reason.own and isinstance(iterated, range):
        with trace.left_to_python.running(code):
            run_in_python(_counted(trace, iterated), body, extra_test, state, options)
        return True
    return False


def _may_be_array(trace: Trace, iterated: Any) -> bool:
    """Whether it is a list whose numbers are arguments, and could be passed as an array."""
    is_list = isinstance(iterated, TracedList) and not iterated.is_staged
    return is_list and trace.lists_are_short


def _kept_short(trace: Trace, body: Callable[[Any], None]) -> Callable[[Any], None]:
    """The body of a loop, which may not become more operations than a short loop may."""
    scope, size = trace.scope, 0
    start = len(scope.recorded)

    def run(item: Any) -> None:
        nonlocal size, start
        body(item)
        size += _size_since(scope, start)
        start = len(scope.recorded)
        if size > SHORT_LIMIT:
            raise Lengthy

    return run


def _counted(trace: Trace, iterated: range) -> Iterator[int]:
    for each in iterated:
        trace.left_to_python.count()
        yield each


class _TooLargeError(Exception):
    """An unrolled loop is more than it is worth."""


class _Watched:
    """An iterable whose loop may not become more operations than the limit."""

    def __init__(self, trace: Trace, iterated: Any, limit: int) -> None:
        self.trace = trace
        self.iterated = iterated
        self.limit = limit
        self.frame: Frame | None = None
        """What the loop writes to, if it is unrolled to know how long its lists become."""
        self._lost = False
        self.changes = False
        """Whether the loop runs over a list that it changes."""

    def __iter__(self) -> Iterator[Any]:
        self._iterator = iter(self.iterated)
        self._length = _known_length(self.iterated)
        self._scope, self._size = self.trace.scope, 0
        self._start = len(self._scope.recorded)
        return self

    def __next__(self) -> Any:
        self._check()
        if iteration.is_staged(self._iterator):  # its own body has taken items, or not
            raise _TooLargeError
        return next(self._iterator)

    def __ag_ahead__(self) -> Iterator[tuple[Any, Callable[[], None]]]:
        """The items to come, each with what takes it."""
        self._check()
        for item in ahead(self._iterator):
            yield item
            self._check()

    def _check(self) -> None:
        self.trace.left_to_python.count()
        self._size += _size_since(self._scope, self._start)
        self._start = len(self._scope.recorded)
        self._lost = self.frame is not None and _loses_lengths(self.frame)
        self.changes = _known_length(self.iterated) != self._length
        if self._lost or self.changes or self._size > self.limit:
            raise _TooLargeError


def _loses_lengths(frame: Frame) -> bool:
    """Whether none of the lists that a loop has made longer has a known length."""
    lists = [(note.before, note.place.get()) for note in frame.noted.values()]
    known = any(
        type(now) is list and not abstract_values.unchanged(before, now) for before, now in lists
    )
    return not known and any(_is_lost(*each) for each in lists)


def _is_lost(before: Any, now: Any) -> bool:
    """Whether the length of a list was known before."""
    return isinstance(now, Items) and not isinstance(before, Items)


def _stays_small(
    trace: Trace,
    code: Any,
    run: Callable[[], None],
    state: State,
    watched: _Watched | None = None,
) -> bool:
    """Unroll a loop; False, and nothing of it remains, where that becomes too much."""
    before = state.get()
    with trace.attempt() as attempt, trace.left_to_python.unrolling(code):
        if watched is not None:
            watched.frame = attempt.frame
        try:
            run()
            return True
        except _TooLargeError:
            attempt.roll_back()
    state.set(before)
    return False


@dataclass
class _Reason:
    """Why a loop is unrolled."""

    text: str
    useful: bool = False
    """True where the loop could be recorded as one, but less well."""
    own: bool = False
    """Whether it may be begun anew: it computes from constants, and changes nothing of outside."""


def offer_while(
    trace: Trace,
    test: Callable[[], Any],
    body: Callable[[], None],
    state: State,
    options: LoopOptions,
) -> bool:
    """Record a ``while`` loop whose condition Python may know, or leave it to Python."""
    if options.unroll is not None or options.maximum_iterations is not None:
        return False
    run = partial(while_in_python, test, body, state, options)
    if trace.left_to_python.are_running:
        run(trace.left_to_python.count)
        return True
    code = getattr(body, "__code__", body)
    is_long = code in trace.left_to_python.long
    if code not in trace.loops.not_unrolled and not is_long:
        watch = _Iterations(trace, state, SHORT_LIMIT, TURNS_LIMIT)
        if _stays_small(trace, code, partial(run, watch), state):
            return True
        if watch.grow_fast():
            return False
        trace.loops.not_unrolled.add(code)
    record = partial(control_flow.while_stmt, trace, test, body, state)
    refused = _ANY_REFUSAL
    attempt = partial(_attempt, trace, record, LIST_LIMIT, state, refused=refused, is_long=is_long)
    reason = attempt(of_use=code not in trace.loops.not_of_use and not is_long)
    if reason is not None and reason.useful and not is_long:
        watch = _Iterations(trace, state, SIZE_LIMIT, REFUSE_LIMIT)
        if _stays_small(trace, code, partial(run, watch), state):
            return True
        trace.loops.not_of_use.add(code)
        reason = attempt(of_use=False)
    what = "is recorded as one loop" if reason is None else f"is unrolled: {reason.text}"
    _say(trace, f"a while loop of more than a few iterations {what}")
    if reason is not None and reason.own:
        with trace.left_to_python.running(code):
            run(trace.left_to_python.count)
        return True
    return reason is None


class _Iterations:
    """Watches how often a ``while`` loop iterations in Python, and what becomes of it."""

    def __init__(self, trace: Trace, state: State, size: int, iterations: int) -> None:
        self.trace = trace
        self.state = state
        self.limits = size, iterations
        self.iterations = 0
        self.size = 0
        self.start = len(trace.scope.recorded)
        self.before = state.get()
        self.after = self.before

    def __call__(self) -> None:
        """After each iteration: no more of them, where the loop is better recorded as one."""
        self.trace.left_to_python.count()
        self.iterations += 1
        self.size += _size_since(self.trace.scope, self.start)
        self.start = len(self.trace.scope.recorded)
        size, iterations = self.limits
        if (
            self.size > (SIZE_LIMIT if self.iterations <= FEW_TURNS else size)
            or self.iterations >= iterations
        ):
            self.after = self.state.get()
            raise _TooLargeError

    def grow_fast(self) -> bool:
        """Whether integers of Python's have become so large that they may exceed those of machines."""
        most = 1 << max(_SLOW_BITS, self.iterations * 5 // 8)
        pairs = zip(self.before, self.after, strict=True)
        ints = [(a, b) for a, b in pairs if type(b) is int and type(a) is int]
        return any(abs(b) > most and abs(b) > 16 * abs(a) for a, b in ints)


def _length(iterated: Any) -> int | None:
    """How many iterations there are, if the loop can be recorded at all."""
    if isinstance(iterated, range):
        return len(iterated)
    if isinstance(iterated, iteration.Once):
        return _left(iterated)
    if isinstance(iterated, (np.ndarray, Tensor)) and iterated.shape:
        return iterated.shape[0]
    return None


def _known_length(iterated: Any) -> int | None:
    """How many items there are in a list now, or in a tuple, if Python knows that."""
    if not isinstance(iterated, list | tuple):
        return None
    is_staged = isinstance(iterated, TracedList) and iterated.is_staged
    return None if is_staged else len(iterated)


def _are_alike(values: Any) -> bool:
    """Whether these are numbers of one type, or tuples of such, that a loop may be recorded over."""
    if not _known_length(values):
        return False
    if iteration.are_numbers(values):
        return True
    if not all(type(each) is tuple and len(each) == len(values[0]) for each in values):
        return False
    return all(map(iteration.are_numbers, zip(*values, strict=True)))


def _left(iterator: iteration.Once) -> int | None:
    """How many items an iterator has left."""
    count, taken = iterator.count, iterator.taken
    if not isinstance(count, int) or not isinstance(taken, int) or not iterator.is_recordable:
        return None
    return count if count == iteration.EXHAUSTED else max(count - taken, 0)


def _attempt(
    trace: Trace,
    record: Callable[[], None],
    length: int,
    state: State,
    *,
    of_use: bool,
    refused: tuple[type[Exception], ...],
    is_long: bool,
) -> _Reason | None:
    """Try to record the loop; the reason why it is unrolled, and nothing of the loop remains.

    ``of_use`` takes it for a reason that unrolling is of use, and so are the errors ``refused``.  One
    that is long is recorded also where it computes from constants alone.
    """
    before, start, rolling = state.get(), len(trace.scope.recorded), trace.rolling
    every_call = trace.convention.arrays_are_mutable  # otherwise Python prints, while tracing
    effects = trace.scope.effects
    with trace.attempt() as attempt:
        trace.rolling = of_use and length <= WARN_LIMIT
        try:
            record()
            computes = _reads_run_time_values(trace, start)
            computes = computes or (every_call and trace.scope.effects > effects)
            own = _changes_own(trace, attempt.frame)
            computes = computes or (own and (length > MOST or is_long))
            computes = computes or (length > LIST_LIMIT and _makes_lists(trace, attempt.frame))
            if not computes:
                reason: _Reason | None = _Reason(_NOTHING, own=own and every_call)
            else:
                reason = _of_use(length, attempt.frame) if of_use else None
        except IndexedAtRunTimeError as error:
            reason = _Reason(_COUNTER.format(_first_line(error)), useful=True)
        except refused as error:
            reason = _Reason(_COUNTER.format(_first_line(error)))
        finally:
            trace.rolling = rolling
        if reason is not None:
            attempt.roll_back()
    if reason is not None:
        state.set(before)
    return reason


def _changes_own(trace: Trace, frame: Frame) -> bool:
    """Whether a loop changes nothing but what the traced function has made."""
    return all(trace.journal.is_made_here(note.place.owner) for note in frame.noted.values())


def _makes_lists(trace: Trace, frame: Frame) -> bool:
    """Whether a loop makes items of a list of which a number known at run time is to choose one."""
    many = trace.pools is not None and trace.pools.kinds.are_many
    return many and any(isinstance(note.place.get(), Items) for note in frame.noted.values())


def _of_use(length: int, frame: Frame) -> _Reason | None:
    """Why a loop is better unrolled if it stays small."""
    notes = [n for n in frame.noted.values() if not getattr(n.place.owner, "is_of_table", False)]
    grown = any(_is_lost(note.before, note.place.get()) for note in notes)
    if grown and length <= LIST_LIMIT:
        return _Reason("it makes a list, whose length stays known", useful=True)
    return None


_ANY_REFUSAL = (
    AgirError,
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""Errors of a loop that Python could run: it raises them itself where not only symbols are to blame."""

_REFUSAL = (OperatorNotAllowedInGraphError,)
"""Errors of a loop over a range that unrolling it mends."""

_COUNTER = "its body needs the counter as a Python integer ({})"
_NOTHING = "it computes nothing from run-time values"


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def _say(trace: Trace, message: str) -> None:
    if _log.isEnabledFor(logging.INFO):
        _log.info("%s", trace.explain(message))


def _unroll(trace: Trace, length: int, reason: str) -> None:
    """Say that a loop is unrolled, the louder the longer it is."""
    message = f"a loop of {length} iterations is unrolled: {reason}"
    _say(trace, message)
    if length <= WARN_LIMIT or reason is _NOTHING or length == iteration.EXHAUSTED:
        return  # where there is no end, Python looks for it
    advice = (
        "index arrays instead of Python lists with the counter, or decide with "
        "ag.autograph.set_loop_options(unroll=True)"
    )
    if length > REFUSE_LIMIT:
        raise StagingError(
            trace.explain(f"a loop of {length} iterations would be unrolled: {reason}; {advice}")
        )
    warn_once(f"{message}; {advice}", UnrollWarning, trace.place())


def _reads_run_time_values(trace: Trace, start: int) -> bool:
    """True where what was recorded from the operation ``start`` on depends on more than constants."""
    recorded = [each for first in trace.scope.recorded[start:] for each in first.walk()]
    made = set(recorded)
    inside = {block for operation in recorded for block in operation.blocks}

    def outer(value: Value) -> bool:
        maker = value.maker
        if maker is None:
            return value.owner not in inside
        return maker not in made and maker.name != "arith.constant"

    return any(outer(value) for operation in recorded for value in operation.operands)


def _size_since(scope: Scope, start: int) -> int:
    """How many operations there are in what a region has from the operation ``start`` on."""
    return sum(1 for operation in scope.recorded[start:] for _ in operation.walk())
