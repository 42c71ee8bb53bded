"""``range(...)`` with run-time bounds as a sequence: subscripts, slices, ``in``."""

from __future__ import annotations

from typing import Any

from agir.errors import StagingError
from agir.ir import dispatch, emit
from agir.ir.values.iteration import Progression, progression

_OUTSIDE = "range object index out of range"


def _where(condition: Any, value: Any, other: Any) -> Any:
    return dispatch.call("where", condition, value, other)


def part(numbers: Progression, key: Any) -> Any:
    """``numbers[key]``: a number, or a range."""
    with numbers.trace.at_user_line():
        return _slice(numbers, key) if isinstance(key, slice) else _number(numbers, key)


def _number(numbers: Progression, key: Any) -> Any:
    trace = numbers.trace
    length = emit.counted(trace, numbers.count)
    place = _number_of(numbers, _from_the_end(numbers, key, length))
    inside = (place >= 0) & (place < length)
    trace.guard(inside.ssa, trace.site("no_item", _OUTSIDE))
    return numbers.start + numbers.step * _where(inside, place, 0)


def _number_of(numbers: Progression, value: Any) -> Any:
    """The value as a Python number of the trace."""
    lifted = emit.lift(numbers.trace, value)
    return numbers.trace.make(lifted.ssa, lifted.dtype, (), weak=True)


def _from_the_end(numbers: Progression, key: Any, length: Any) -> Any:
    if isinstance(key, int):
        return key if key >= 0 else length + key
    return _where(key < 0, key + length, key)


def _slice(numbers: Progression, key: slice) -> Progression:
    step = 1 if key.step is None else key.step
    if not isinstance(step, int):
        raise StagingError(
            numbers.trace.explain("a slice of a range has a step that is known while tracing")
        )
    if step == 0:
        raise ValueError(numbers.trace.explain("slice step cannot be zero"))
    length = emit.counted(numbers.trace, numbers.count)
    least, most = (0, length) if step > 0 else (-1, length - 1)
    first, last = (least, most) if step > 0 else (most, least)

    def bound(given: Any, default: Any) -> Any:
        if given is None:
            return default
        place = _from_the_end(numbers, given, length)
        return dispatch.call("minimum", dispatch.call("maximum", place, least), most)

    start, stop = bound(key.start, first), bound(key.stop, last)
    ends = (_number_of(numbers, numbers.start + numbers.step * each) for each in (start, stop))
    return progression(numbers.trace, *ends, numbers.step * step)


def contains(numbers: Progression, value: Any) -> Any:
    """``value in numbers``."""
    trace = numbers.trace
    with trace.at_user_line():
        distance = emit.lift(trace, value) - numbers.start
        step = _number_of(numbers, numbers.step)
        step = _where(step == 0, 1, step)
        place = distance // step
        found = (distance % step == 0) & (place >= 0)
        return found & (place < emit.counted(trace, numbers.count))
