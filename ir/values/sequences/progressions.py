"""``range(...)`` with run-time bounds: what a loop runs over, and a sequence."""

from __future__ import annotations

from typing import Any

from agir.ir.building.types import DType, bool_, int64, is_python_number
from agir.ir.emission import emit, inequalities
from agir.ir.emission.truth import RULES
from agir.ir.tensors import dispatch, markers
from agir.ir.tensors.staged import known_as
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing import ranges
from agir.ir.tracing.trace import Trace
from agir.ir.values.alternatives.mixed_numbers import as_index
from agir.ir.values.sequences.counted import Counted


@known_as("range")
class Progression(Counted):
    """``start, start + step, ...`` before ``stop``: Python's ``range`` with run-time bounds."""

    def __init__(
        self, trace: Trace, start: Any, stop: Any, step: Any, dtype: DType, weak: bool
    ) -> None:
        self.trace = trace
        self.start, self.stop, self.step = start, stop, step
        self.dtype, self.weak = dtype, weak
        self._count: Any = None

    def __repr__(self) -> str:
        from agir.ir.values import text

        bounds = [self.start, self.stop]
        if not isinstance(self.step, int) or self.step != 1:
            bounds.append(self.step)
        parts = [part for bound in bounds for part in (", ", text.text_of(bound, "r", ""))]
        return text.answer(text.joined(["range(", *parts[1:], ")"]), markers.collecting())

    @property
    def count(self) -> Any:
        """How many numbers there are."""
        if self._count is None:
            self._count = self._counted()
        return self._count

    def _counted(self) -> Any:
        bounds = (self.start, self.stop, self.step)
        if all(isinstance(v, int) for v in bounds):
            return len(range(*bounds))
        trace = self.trace
        start, stop = (emit.to_index(trace, v) for v in (self.start, self.stop))
        if isinstance(self.step, int):
            ends = (start, stop) if self.step > 0 else (stop, start)
            return self._quotient(*ends, trace.index(abs(self.step)), abs(self.step))
        return self._by_sign(start, stop, emit.to_index(trace, self.step))

    def _quotient(self, low: Any, high: Any, step: Any, known: int | None) -> Any:
        trace, index = self.trace, low.type
        if emit.constant_value(low) == 0:
            span = high
        else:
            span = trace.op("arith.subi", index, self._not_far_below(low, high), low)
        if known == 1:
            return trace.op("arith.maxsi", index, span, trace.index(0))
        span = trace.op("arith.maxsi", index, span, trace.index(0))
        return trace.op("arith.ceildivui", index, span, step)

    def _not_far_below(self, low: Any, high: Any) -> Any:
        """The end, or the begin where the difference to a lesser end could wrap around."""
        first, last = (ranges.interval(self.trace, each) for each in (low, high))
        greatest = 2**63 - 1 if first is None else first[1]
        least = -(2**63) if last is None else last[0]
        if least - greatest >= -(2**63):
            return high
        return self.trace.op("arith.maxsi", low.type, high, low)

    def _by_sign(self, start: Any, stop: Any, step: Any) -> Any:
        """A step known only at run time: its sign tells the direction; zero is an error."""
        trace, index = self.trace, start.type
        zero = trace.index(0)
        nonzero = trace.compare("ne", step, zero)
        trace.guard(nonzero, trace.site("zero_step"))
        up = trace.compare("sgt", step, zero)
        low, high = emit.select(trace, up, start, stop), emit.select(trace, up, stop, start)
        length = emit.select(trace, up, step, trace.op("arith.subi", index, zero, step))
        length = emit.select(trace, nonzero, length, trace.index(1))
        return self._quotient(low, high, length, None)

    def __getitem__(self, key: Any) -> Any:
        return part(self, key)

    @property
    def holds_run_time(self) -> bool:
        """Whether the bounds are of the run time."""
        return self.is_staged

    @property
    def is_staged(self) -> bool:
        """False where all bounds are known."""
        return not all(type(each) is int for each in (self.start, self.stop, self.step))

    def item(self, position: Any) -> SymbolicTensor:
        """The number at the position (an SSA ``index``)."""
        trace, index = self.trace, trace_index(self.trace)
        value = position
        if not (isinstance(self.step, int) and self.step == 1):
            step = emit.to_index(trace, self.step)
            value = trace.op("arith.muli", index, value, step)
        if not (isinstance(self.start, int) and self.start == 0):
            value = trace.op("arith.addi", index, value, emit.to_index(trace, self.start))
        number = emit.from_index(trace, value, self.dtype)
        self._note_bounds(number)
        self._note_iteration(position)
        return trace.make(number, self.dtype, (), self.weak)

    def at(self, position: int) -> Any:
        """The number at a position that is known: a Python one where the bounds are."""
        if isinstance(self.start, int) and isinstance(self.step, int) and self.weak:
            return self.start + self.step * position
        return self.item(self.trace.index(position))

    def _note_bounds(self, number: Any) -> None:
        """What the counter's bounds say of it, for the checks of subscripts."""
        if not isinstance(self.step, int) or not self.step or isinstance(self.count, int):
            return
        first, last = self._interval(self.start), self._interval(self.stop)
        low, high = (first[0], last[1] - 1) if self.step > 0 else (last[0] + 1, first[1])
        for each in (number, ranges.strip(number)):
            ranges.assume(self.trace, each, low, max(low, high))
        if self.step > 0 and low >= 0 and isinstance(self.stop, SymbolicTensor):
            ranges.assume_below(self.trace, number, self.stop.ssa)

    def _note_iteration(self, position: Any) -> None:
        """What the bounds say of how many iterations there have been, for other subscripts.

        A position that is no loop's iteration says nothing of what comes next: there may be none.
        """
        is_iteration = position.maker is None
        if (
            is_iteration
            and isinstance(self.step, int)
            and self.step
            and not isinstance(self.count, int)
        ):
            start, stop = (emit.to_index(self.trace, v) for v in (self.start, self.stop))
            low, high = (start, stop) if self.step > 0 else (stop, start)
            inequalities.note_iteration(self.trace, position, low, high, abs(self.step))

    def _interval(self, bound: Any) -> ranges.Interval:
        """The least and the greatest value of a bound."""
        if isinstance(bound, int):
            return bound, bound
        known = (
            ranges.interval(self.trace, bound.ssa) if isinstance(bound, SymbolicTensor) else None
        )
        limit: int = 2 ** (self.dtype.bits - 1)
        return known or (-limit, limit - 1)


def trace_index(trace: Trace) -> Any:
    """MLIR's ``index`` type."""
    return trace.index_type()


_NO_INTEGER = "'float' object cannot be interpreted as an integer"


def progression(trace: Trace, *arguments: Any) -> Progression:
    """``range(...)`` whose arguments may be integer scalars of the trace."""
    arguments = tuple(as_index(each, _NO_INTEGER) for each in arguments)
    start, stop, step = (0, *arguments, 1) if len(arguments) == 1 else (*arguments, 1)[:3]
    types = [dispatch.type_of(v) for v in arguments if not is_python_number(v)]
    for kind in types:
        if not kind.dtype.is_integer or kind.shape:
            raise TypeError(f"range() needs integer scalars, got {kind}")
    pythons = trace.convention.arrays_are_mutable  # Python's ints, as range() gives them
    strong = [t.dtype for t in types if not (t.weak or pythons)]
    dtype = max(strong, key=lambda d: d.itemsize) if strong else int64
    first, last, stride = map(_plain, (start, stop, step))
    return Progression(trace, first, last, stride, dtype, weak=not strong)


def _plain(value: Any) -> Any:
    if isinstance(value, SymbolicTensor) or type(value) is int:
        return value
    return int(value)


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
    place = _number_of(numbers, _from_the_end(key, length))
    inside = (place >= 0) & (place < length)
    trace.guard(inside.ssa, trace.site("no_item", _OUTSIDE))
    return numbers.start + numbers.step * _where(inside, place, 0)


def _number_of(numbers: Progression, value: Any) -> Any:
    """The value as a Python number of the trace."""
    lifted = emit.lift(numbers.trace, value)
    return numbers.trace.make(lifted.ssa, lifted.dtype, (), weak=True)


def _from_the_end(key: Any, length: Any) -> Any:
    if isinstance(key, int):
        return key if key >= 0 else length + key
    return _where(key < 0, key + length, key)


def _slice(numbers: Progression, key: slice) -> Progression:
    step = _step(numbers, 1 if key.step is None else key.step)
    length = emit.counted(numbers.trace, numbers.count)
    if isinstance(step, int):
        least, most = (0, length) if step > 0 else (-1, length - 1)
        first, last = (least, most) if step > 0 else (most, least)
    else:
        least, most = _where(step > 0, 0, -1), _where(step > 0, length, length - 1)
        first, last = _where(step > 0, least, most), _where(step > 0, most, least)

    def bound(given: Any, default: Any) -> Any:
        if given is None:
            return default
        place = _from_the_end(given, length)
        return dispatch.call("minimum", dispatch.call("maximum", place, least), most)

    start, stop = bound(key.start, first), bound(key.stop, last)
    ends = (_number_of(numbers, numbers.start + numbers.step * each) for each in (start, stop))
    return progression(numbers.trace, *ends, numbers.step * step)


def _step(numbers: Progression, step: Any) -> Any:
    """The step of a slice, which is not 0."""
    trace, zero = numbers.trace, "slice step cannot be zero"
    if not isinstance(step, int):
        trace.guard((step != 0).ssa, trace.site("argument", zero))
        return _where(step == 0, 1, step)
    if step == 0:
        raise ValueError(trace.explain(zero))
    return step


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


def _is_true(trace: Trace, numbers: Progression) -> Any:
    return (emit.counted(trace, numbers.count) > 0).ssa


RULES[Progression] = _is_true
RULES[Counted] = lambda trace, iterator: trace.constant(bool_, True)
