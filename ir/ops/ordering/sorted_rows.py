"""Sorting rows of integer keys, with companions that move along: merging, and counting of digits.

Both are stable.  Short rows are merged bottom-up.  Long ones are distributed by a few bits of their
keys at a time, from the lowest, which takes time in proportion to the number of keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.ir.building import bindings
from agir.ir.building.types import DType, int16, int64
from agir.ir.emission import emit
from agir.ir.tensors.symbolic import Dim
from agir.ir.tracing import loops
from agir.ir.tracing.trace import Trace
from agir.records import dataclass

LONG = 1024
"""Rows of at least so many keys are distributed instead of merged."""

_DIGITS = {16: (8, 1), 32: (8, 2), 64: (11, 3)}
"""For the width of a key: bits of a digit, and how many pairs of digits there are."""


class _Rows:
    """The buffers of the rows, and where the row that is being sorted begins in them."""

    def __init__(self, trace: Trace, kind: DType, length: Any) -> None:
        self.trace = trace
        self.kind = kind
        self.length = length

    def index(self, name: str, left: Any, right: Any) -> Any:
        return self.trace.op(f"arith.{name}", self.trace.index_type(), left, right)

    def add(self, left: Any, right: Any) -> Any:
        return self.index("addi", left, right)

    def load(self, buffer: Any, at: Any) -> Any:
        element = bindings.ir.RankedTensorType(buffer.type).element_type
        return self.trace.op("tensor.extract", element, buffer, at)

    def store(self, value: Any, buffer: Any, at: Any) -> Any:
        return self.trace.op("tensor.insert", buffer.type, value, buffer, at)

    def moved(self, source: Sequence[Any], start: Any, target: Sequence[Any], at: Any) -> list[Any]:
        """The element of each source buffer at one place stored in the target at another."""
        return [self.store(self.load(s, start), t, at) for s, t in zip(source, target, strict=True)]


def sort(
    trace: Trace,
    dtypes: Sequence[DType],
    buffers: Sequence[Any],
    rows: int | Dim,
    length: int | Dim,
) -> list[Any]:
    """Flat buffers of rows, each row in the order of its keys, which are the first buffer."""
    size = emit.dim_value(trace, length)
    work = [emit.empty(trace, dtype, (length,)) for dtype in dtypes]
    count, each = len(buffers), _Rows(trace, dtypes[0], size)

    def one(base: Any, carried: list[Any]) -> list[Any]:
        if isinstance(length, int):
            return (_distribute if length >= LONG else _merge)(each, base, carried, count)
        is_long = trace.compare("uge", size, trace.index(LONG))
        return loops.either(
            trace,
            is_long,
            lambda: _distribute(each, base, carried, count),
            lambda: _merge(each, base, carried, count),
        )

    if isinstance(rows, int) and rows == 1:
        return one(trace.index(0), [*buffers, *work])[:count]

    def body(indices: list[Any], carried: list[Any]) -> list[Any]:
        return one(each.index("muli", indices[0], size), carried)

    return loops.nest(trace, [emit.dim_value(trace, rows)], [*buffers, *work], body)[:count]


# Merging.


def _merge(rows: _Rows, base: Any, carried: list[Any], count: int) -> list[Any]:
    """Runs of 1, 2, 4, ... keys merged, into the work space and back."""
    trace, zero = rows.trace, rows.trace.index(0)

    def unfinished(values: list[Any]) -> Any:
        return trace.compare("ult", values[0], rows.length)

    def step(values: list[Any]) -> list[Any]:
        width, buffers, work = values[0], values[1 : 1 + count], values[1 + count :]
        double = rows.add(width, width)
        work = _merged_runs(rows, width, (buffers, base), (work, zero))
        buffers = _merged_runs(rows, double, (work, zero), (buffers, base))
        return [rows.add(double, double), *buffers, *work]

    return loops.while_true(trace, [trace.index(1), *carried], unfinished, step)[1:]


def _merged_runs(
    rows: _Rows, width: Any, source: tuple[list[Any], Any], target: tuple[list[Any], Any]
) -> list[Any]:
    """The target with each two neighbouring runs of the source as one; both begin somewhere."""
    (read, read_base), (written, write_base) = source, target
    double = rows.add(width, width)
    pairs = rows.index("ceildivui", rows.length, double)

    def pair(indices: list[Any], carried: list[Any]) -> list[Any]:
        low = rows.index("muli", indices[0], double)
        middle = rows.index("minui", rows.add(low, width), rows.length)
        high = rows.index("minui", rows.add(low, double), rows.length)
        ends = [rows.add(read_base, end) for end in (low, middle, high)]
        return _merged(rows, read, ends, carried, rows.add(write_base, low))

    return loops.nest(rows.trace, [pairs], written, pair)


def _merged(
    rows: _Rows, read: list[Any], ends: list[Any], written: list[Any], start: Any
) -> list[Any]:
    """Two runs as one: while both have keys left the lesser, then the rest of either."""
    trace, one = rows.trace, rows.trace.index(1)
    low, middle, high = ends

    def both_left(values: list[Any]) -> Any:
        left = trace.compare("ult", values[0], middle)
        right = trace.compare("ult", values[1], high)
        return trace.op("arith.andi", left.type, left, right)

    def step(values: list[Any]) -> list[Any]:
        left, right, at, *target = values
        from_right = trace.compare("slt", rows.load(read[0], right), rows.load(read[0], left))
        taken = emit.select(trace, from_right, right, left)
        target = rows.moved(read, taken, target, at)
        more = trace.op("arith.index_castui", trace.index_type(), from_right)
        return [
            rows.index("subi", rows.add(left, one), more),
            rows.add(right, more),
            rows.add(at, one),
            *target,
        ]

    left, right, at, *target = loops.while_true(
        trace, [low, middle, start, *written], both_left, step
    )
    for begin, end in ((left, middle), (right, high)):
        rest = rows.index("subi", end, begin)
        target = _copied(rows, read, begin, target, at, rest)
        at = rows.add(at, rest)
    return target


def _copied(
    rows: _Rows, read: list[Any], begin: Any, target: list[Any], at: Any, number: Any
) -> list[Any]:
    def body(indices: list[Any], carried: list[Any]) -> list[Any]:
        return rows.moved(read, rows.add(begin, indices[0]), carried, rows.add(at, indices[0]))

    return loops.nest(rows.trace, [number], target, body)


# Distribution by digits.


def _distribute(rows: _Rows, base: Any, carried: list[Any], count: int) -> list[Any]:
    """Stable counting sorts by the digits of the keys, into the work space and back."""
    trace, zero = rows.trace, rows.trace.index(0)
    bits, pairs = _DIGITS[max(rows.kind.bits, 16)]
    width = trace.index(2 * bits)

    def step(indices: list[Any], values: list[Any]) -> list[Any]:
        buffers, work = values[:count], values[count:]
        low = rows.index("muli", indices[0], width)
        high = rows.add(low, trace.index(bits))
        work = _by_digit(rows, (bits, low), (buffers, base), (work, zero))
        buffers = _by_digit(rows, (bits, high), (work, zero), (buffers, base))
        return [*buffers, *work]

    return loops.nest(trace, [trace.index(pairs)], carried, step)


@dataclass(frozen=True)
class _Digit:
    """The digit of keys that a counting sort goes by: so many bits, from a bit on."""

    rows: _Rows
    bits: int
    shift: Any

    def of(self, column: Any, place: Any) -> Any:
        """The digit of the key at a place, as an ``index``."""
        trace, kind = self.rows.trace, self.rows.kind
        wide = kind if kind.bits > 16 else int16
        of_type = wide.mlir()
        sign = trace.constant(wide, -(2 ** (kind.bits - 1)))
        amount = trace.op("arith.index_cast", of_type, self.shift)
        mask = trace.constant(wide, 2**self.bits - 1)
        key = emit.convert(trace, self.rows.load(column, place), kind, wide, ())
        key = trace.op("arith.xori", of_type, key, sign)
        key = trace.op("arith.shrui", of_type, key, amount)
        key = trace.op("arith.andi", of_type, key, mask)
        return trace.op("arith.index_castui", trace.index_type(), key)

    def counts(self, column: Any, base: Any) -> Any:
        """How many keys have each digit."""
        rows, trace = self.rows, self.rows.trace
        values = Dim(value=trace.index(2**self.bits))

        def tally(indices: list[Any], carried: list[Any]) -> list[Any]:
            at = self.of(column, rows.add(base, indices[0]))
            number = rows.load(carried[0], at)
            more = trace.op("arith.addi", number.type, number, trace.constant(int64, 1))
            return [rows.store(more, carried[0], at)]

        zeros = emit.constant_like(trace, int64, (values,), 0)
        return loops.nest(trace, [rows.length], [zeros], tally)[0]

    def starts(self, counts: Any, base: Any) -> Any:
        """Where the first key with each digit goes."""
        rows, trace = self.rows, self.rows.trace

        def accumulate(indices: list[Any], carried: list[Any]) -> list[Any]:
            total, places = carried
            number = rows.load(places, indices[0])
            places = rows.store(total, places, indices[0])
            return [trace.op("arith.addi", number.type, total, number), places]

        first = emit.from_index(trace, base)
        return loops.nest(trace, [trace.index(2**self.bits)], [first, counts], accumulate)[1]


def _by_digit(
    rows: _Rows,
    digit: tuple[int, Any],
    source: tuple[list[Any], Any],
    target: tuple[list[Any], Any],
) -> list[Any]:
    """Bring the rows of the source into the target in the order of a digit."""
    trace, one = rows.trace, rows.trace.index(1)
    (read, read_base), (written, write_base) = source, target
    by = _Digit(rows, *digit)
    starts = by.starts(by.counts(read[0], read_base), write_base)

    def place(indices: list[Any], carried: list[Any]) -> list[Any]:
        free, *out = carried
        here = rows.add(read_base, indices[0])
        at = by.of(read[0], here)
        goal = trace.op("arith.index_cast", trace.index_type(), rows.load(free, at))
        following = emit.from_index(trace, rows.add(goal, one))
        return [rows.store(following, free, at), *rows.moved(read, here, out, goal)]

    return loops.nest(trace, [rows.length], [starts, *written], place)[1:]
