"""What the condition of a branch or a loop says of integers: there, subscripts need no check.

In ``if 0 <= i and i + 1 < n`` nothing has to be checked of ``x[i]`` and ``x[i + 1]``, if there are
``n`` elements.  What a scope is told holds in it and in those inside, for SSA values do not change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from agir.ir.emission import inequalities
from agir.ir.tracing import ranges
from agir.ir.tracing.trace import Trace

EQUAL, _UNEQUAL, _LESS, _UP_TO, _ABOVE, _AT_LEAST = range(6)
"""The numbers of the predicates of ``arith.cmpi``; those without signs come after these."""
EQUALITY = {EQUAL, _UNEQUAL}
UNSIGNED = {6: _LESS, 7: _UP_TO, 8: _ABOVE, 9: _AT_LEAST}
"""By a predicate that takes numbers to be without signs, the one that takes them to have some."""
UNSIGNED_LESS = {6, 7}
_OPPOSITE = {
    _UNEQUAL: EQUAL, _LESS: _AT_LEAST, _AT_LEAST: _LESS, _UP_TO: _ABOVE, _ABOVE: _UP_TO,
    6: 9, 7: 8, 8: 7, 9: 6,
}  # fmt: skip
"""By the number of a predicate that of its opposite, where that says anything."""
_AS_LESS = {_LESS: (False, 0), _UP_TO: (False, 1), _ABOVE: (True, 0), _AT_LEAST: (True, 1)}
"""Whether operands change places for it to be ``<``, and what is added to the second one then."""
_DEPTH = 16

Names = Mapping[Any, Any]


def assume(trace: Trace, condition: Any, holds: bool, names: Names | None = None) -> None:
    """Note in the current scope what a truth value says that holds there, or does not.

    ``names`` are what values are called in this scope.
    """
    for predicate, one, other in comparisons(condition, holds):
        left, right = ((names or {}).get(each, each) for each in (one, other))
        if predicate == EQUAL:
            _note(trace, left, right, 1)
            _note(trace, right, left, 1)
        elif predicate in _AS_LESS:
            turned, more = _AS_LESS[predicate]
            _note(trace, *((right, left) if turned else (left, right)), more)


def decided(predicate: int, one: ranges.Interval, other: ranges.Interval) -> bool | None:
    """Whether a comparison with signs holds of all numbers of two intervals, or of none."""
    if predicate in EQUALITY:
        if one[1] < other[0] or other[1] < one[0]:
            return predicate == _UNEQUAL
        return predicate == EQUAL if one == other and one[0] == one[1] else None
    turned, more = _AS_LESS[predicate]
    left, right = (other, one) if turned else (one, other)
    if left[1] < right[0] + more:
        return True
    return False if left[0] >= right[1] + more else None


def narrowed(
    predicate: int, one: ranges.Interval, other: ranges.Interval
) -> tuple[ranges.Interval, ranges.Interval]:
    """Of two numbers of which a comparison with signs holds, the intervals in which they lie then."""
    if predicate == EQUAL:
        return other, one
    if predicate == _UNEQUAL:
        return one, other
    turned, more = _AS_LESS[predicate]
    left, right = (other, one) if turned else (one, other)
    found = (left[0], right[1] - 1 + more), (left[0] + 1 - more, right[1])
    return found[::-1] if turned else found


def comparisons(condition: Any, holds: bool, depth: int = _DEPTH) -> Iterator[tuple[int, Any, Any]]:
    """The comparisons of integers that hold if a truth value does, or does not."""
    operation = condition.maker
    if operation is None or not depth:
        return
    name, operands = operation.name, operation.operands
    if name == "arith.cmpi":
        predicate = operation.attributes["predicate"].value
        predicate = predicate if holds else _OPPOSITE.get(predicate)
        if predicate is not None:
            yield predicate, *operands
    elif name == ("arith.andi" if holds else "arith.ori"):
        for each in operands:
            yield from comparisons(each, holds, depth - 1)
    elif name == "arith.xori" and _constant(operands[1]) is True:
        yield from comparisons(operands[0], not holds, depth - 1)
    elif name == "scf.if":
        ends = ranges.handed_on(operation, condition.number)
        settled, open_ = ends[::-1] if holds else ends
        if settled == operands[0] or _constant(settled) is (not holds):
            yield from comparisons(operands[0], holds, depth - 1)
            yield from comparisons(open_, holds, depth - 1)


def _constant(value: Any) -> bool | None:
    """A truth value that is known."""
    maker = value.maker
    if maker is None or maker.name != "arith.constant":
        return None
    return bool(maker.attributes["value"].value)


def _note(trace: Trace, left: Any, right: Any, more: int) -> None:
    """Note that ``left < right + more``, where that is not too large for an integer."""
    for value, (low, high) in (
        (left, (ranges.LEAST, _interval(trace, right)[1] - 1 + more)),
        (right, (_interval(trace, left)[0] + 1 - more, ranges.GREATEST)),
    ):
        before = _interval(trace, value)
        after = max(before[0], low), min(before[1], high)
        if after != before and after[0] <= after[1]:
            ranges.assume(trace, ranges.strip(value), *after)
    inequalities.note_less(trace, left, right, more)


def _interval(trace: Trace, value: Any) -> ranges.Interval:
    return ranges.interval(trace, value) or (ranges.LEAST, ranges.GREATEST)
