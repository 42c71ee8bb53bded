"""What a part takes of one axis of an array: numbers, and those of a part of a part."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from agir.ir.building.cells import Scope
from agir.ir.building.types import bool_, int64
from agir.ir.emission import emit
from agir.ir.tensors.symbolic import Dim
from agir.ir.tracing.trace import Trace
from agir.records import dataclass

CARRIED = None
"""Stands for a number that is not known while tracing, and none of outside."""


@dataclass(frozen=True)
class Along:
    """What a part takes of one axis: ``size`` elements from ``offset`` on, ``stride`` apart.

    Each is an int, an SSA value or a ``Dim`` (of sizes), or carried.
    """

    offset: Any
    stride: Any
    size: Any
    reverse: Any
    kept: bool
    """Whether it is a dimension of the part, and not indexed by a single position."""

    @property
    def numbers(self) -> tuple[Any, ...]:
        """Everything that may have to be carried."""
        return self.offset, self.stride, self.size, self.reverse

    def each(self, change: Callable[[Any], Any]) -> Along:
        """The same of other numbers."""
        offset, stride, size, reverse = map(change, self.numbers)
        return Along(offset, stride, size, reverse, self.kept)

    def is_same(self, other: Along) -> bool:
        """Whether both are known to be of the same numbers."""
        return self.kept == other.kept and all(map(same, self.numbers, other.numbers))

    def joined(self, other: Along) -> Along:
        """The numbers in which both agree."""
        offset, stride, size, reverse = map(agreed, self.numbers, other.numbers)
        return Along(offset, stride, size, reverse, self.kept)


def same(left: Any, right: Any) -> bool:
    """Whether two are known to be one number."""
    return left is right or (
        type(left) is type(right) and not isinstance(left, Dim) and left == right
    )


def agreed(left: Any, right: Any) -> Any:
    """The number on which two paths agree."""
    return left if same(left, right) else CARRIED


def seen_from(number: Any, scope: Scope) -> Any:
    """The number, if it exists in a scope."""
    if number is CARRIED or isinstance(number, (bool, int)):
        return number
    dim = number if isinstance(number, Dim) else Dim(value=number)
    return number if dim.is_visible_in(scope) else CARRIED


def as_carried(trace: Trace, number: Any) -> Any:
    """A number as an SSA value of what carries it: an int64, or an i1."""
    if isinstance(number, bool):
        return trace.constant(bool_, number)
    if isinstance(number, int):
        return trace.constant(int64, number)
    ssa = number.value(trace) if isinstance(number, Dim) else number
    return ssa if ssa.type == bool_.mlir() else emit.from_index(trace, ssa)


def as_number(trace: Trace, ssa: Any) -> Any:
    """The number of what carries it: an index, or an i1."""
    if ssa.type == bool_.mlir():
        return ssa
    return trace.op("arith.index_cast", trace.index_type(), ssa)


def within(trace: Trace | None, outer: Along, inner: Along) -> Along:
    """What is taken of an axis by a part of a part of it."""
    do = Arithmetic(trace)
    size = inner.size if inner.kept else 1
    forward = inner.offset
    backward = forward
    if outer.reverse is not False:
        last = do.times(inner.stride, do.plus(size, -1))
        rest = do.plus(do.plus(outer.size, -1), do.times(do.plus(inner.offset, last), -1))
        backward = do.at_least_0(rest)
    offset = do.either(outer.reverse, backward, forward)
    return Along(
        do.plus(outer.offset, do.times(outer.stride, offset)),
        do.times(outer.stride, inner.stride) if inner.kept else 1,
        size,
        do.differ(outer.reverse, inner.reverse) if inner.kept else False,
        inner.kept,
    )


class Arithmetic:
    """Sums and products of ints, sizes and SSA values; without a trace, only of ints."""

    def __init__(self, trace: Trace | None) -> None:
        self._trace = trace

    def plus(self, left: Any, right: Any) -> Any:
        """The sum."""
        if 0 in _ints(left, right):
            return right if same(left, 0) else left
        return self._computed("arith.addi", operator.add, left, right)

    def times(self, left: Any, right: Any) -> Any:
        """The product."""
        if 1 in _ints(left, right):
            return right if same(left, 1) else left
        if 0 in _ints(left, right):
            return 0
        return self._computed("arith.muli", operator.mul, left, right)

    def at_least_0(self, number: Any) -> Any:
        """The number, or 0 in the place of a negative one."""
        return self._computed("arith.maxsi", max, number, 0)

    def both(self, left: Any, right: Any) -> Any:
        """Whether both are true."""
        if left is True or right is True:
            return right if left is True else left
        return self._computed("arith.andi", operator.and_, left, right)

    def differ(self, left: Any, right: Any) -> Any:
        """Whether one of the two is true."""
        if left is False or right is False:
            return right if left is False else left
        return self._computed("arith.xori", operator.xor, left, right)

    def either(self, condition: Any, then: Any, otherwise: Any) -> Any:
        """One of two numbers."""
        if isinstance(condition, bool):
            return then if condition else otherwise
        if same(then, otherwise):
            return then
        if self._trace is None or any(n is CARRIED for n in (condition, then, otherwise)):
            return CARRIED
        return emit.select(self._trace, condition, self._ssa(then), self._ssa(otherwise))

    def _computed(self, name: str, known: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
        if isinstance(left, int) and isinstance(right, int):
            return known(left, right)
        if self._trace is None or left is CARRIED or right is CARRIED:
            return CARRIED
        one, other = self._ssa(left), self._ssa(right)
        return self._trace.op(name, one.type, one, other)

    def _ssa(self, number: Any) -> Any:
        assert self._trace is not None, "nothing is computed without a trace"
        if isinstance(number, bool):
            return self._trace.constant(bool_, number)
        if isinstance(number, int):
            return self._trace.index(number)
        return number.value(self._trace) if isinstance(number, Dim) else number


def _ints(*numbers: Any) -> list[int]:
    return [each for each in numbers if isinstance(each, int) and not isinstance(each, bool)]
