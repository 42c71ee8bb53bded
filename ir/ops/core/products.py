"""Products of sizes and other numbers of the run time, and what is known of two of them.

What is known is told while tracing; the program computes the rest, where that is asked of it and the
numbers are there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from agir.ir.building.types import bool_
from agir.ir.emission import emit
from agir.ir.tensors.symbolic import Dim
from agir.ir.tracing import ranges
from agir.ir.tracing.trace import Trace

Truth = Any
"""A bool, or an SSA value of type ``i1``."""


class UntoldError(Exception):
    """That something is not known while tracing, nor asked of the program."""


@dataclass(eq=False)
class Asked:
    """How a question is to be answered.

    With a ``trace`` the program computes what is not known, without one there is no answer.  With
    ``larger`` sizes of the function's arguments are taken to be more than 1, which is then ``used``.
    """

    trace: Trace | None = None
    larger: bool = False
    all_larger: bool = False
    """Whether any size is taken to be more than 1."""
    order_only: bool = False
    """Whether only the order of the axes matters, and no gaps or directions."""
    chosen: dict[Any, int] = field(default_factory=dict)
    """Which of the arrays to look at, where it may be one of several (`OneOf`)."""
    used: bool = False

    @property
    def recorder(self) -> Trace:
        """What records the answer."""
        if self.trace is None:
            raise UntoldError
        return self.trace


@dataclass(frozen=True, eq=False)
class Factor:
    """A number of the run time: a ``Dim``, or an SSA value of type ``index``."""

    of: Any
    is_count: bool = True
    """Whether it is 1 or more, in an array that has elements."""

    @property
    def identity(self) -> Any:
        """What factors have in common that are known to be equal."""
        found = self.of.identity if isinstance(self.of, Dim) else self.of
        return found if isinstance(found, tuple) else ranges.strip(found)

    def value(self, trace: Trace) -> Any:
        """The number as an SSA value."""
        dim = self.of if isinstance(self.of, Dim) else Dim(value=self.of)
        if not dim.is_visible_in(trace.scope):
            raise UntoldError
        return dim.value(trace)

    def may_be_one(self, asked: Asked) -> bool:
        """Whether a count may be 1."""
        if asked.all_larger:
            return not isinstance(self.of, Dim)
        if asked.larger and isinstance(self.of, Dim) and self.of.is_of_argument:
            asked.used = True
            return False
        return True


@dataclass(frozen=True, eq=False)
class Product:
    """An int times numbers that only the run time knows."""

    known: int
    others: tuple[Factor, ...] = ()

    def __mul__(self, other: Product) -> Product:
        if 0 in (self.known, other.known):
            return ZERO
        return Product(self.known * other.known, self.others + other.others)

    def value(self, trace: Trace) -> Any:
        """The product as an SSA value."""
        values = [each.value(trace) for each in self.others]
        found = values.pop(0) if self.known == 1 and values else trace.index(self.known)
        for each in values:
            found = trace.op("arith.muli", found.type, found, each)
        return found


ONE, ZERO = Product(1), Product(0)


def product(number: Any) -> Product:
    """One number as a product: an int, a ``Dim``, or an SSA value that is a count."""
    return Product(number) if isinstance(number, int) else Product(1, (Factor(number),))


def products(numbers: Iterable[Any]) -> list[Product]:
    """Each number as a product."""
    return [product(each) for each in numbers]


def by_rows(sizes: Sequence[Product]) -> list[Product]:
    """The steps of an array without gaps that lies row by row."""
    steps, step = [], ONE
    for each in reversed(sizes):
        steps.append(step)
        step = step * each
    return steps[::-1]


def _without_common(left: Product, right: Product) -> tuple[Product, Product]:
    """Both without the factors that they have in common."""
    theirs = Counter(each.identity for each in right.others)
    mine = []
    for each in left.others:
        if theirs[each.identity] > 0:
            theirs[each.identity] -= 1
        else:
            mine.append(each)
    rest = []
    for each in right.others:
        if theirs[each.identity] > 0:
            theirs[each.identity] -= 1
            rest.append(each)
    return Product(left.known, tuple(mine)), Product(right.known, tuple(rest))


def told_equal(asked: Asked, left: Product, right: Product) -> bool | None:
    """Whether two products are known to be equal, if no size is 0; None where that is not known."""
    if left.known == 0 or right.known == 0:
        return left.known == right.known if _is_sure(left) and _is_sure(right) else None
    left, right = _without_common(left, right)
    if not (left.others or right.others):
        return left.known == right.known
    if not (_is_sure(left) and _is_sure(right)):
        return None
    if left.known * right.known < 0:
        return False
    if left.others and right.others:
        return None
    number, many = (left, right) if right.others else (right, left)
    if number.known % many.known:
        return False
    if number.known == many.known:
        exceeds = [not each.may_be_one(asked) for each in many.others]
        return False if any(exceeds) else None
    return None if abs(number.known) > abs(many.known) else False


def _is_sure(number: Product) -> bool:
    return all(each.is_count for each in number.others)


def told_inside(left: Product, right: Product) -> bool | None:
    """Whether the first of two steps is known to be shorter, or the second; None where neither is."""
    left, right = (Product(abs(each.known), each.others) for each in (left, right))
    left, right = _without_common(left, right)
    if not (_is_sure(left) and _is_sure(right)):
        return None
    if not (left.others or right.others):
        return left.known < right.known
    if not left.others and left.known <= right.known:
        return True
    return False if not right.others and left.known >= right.known else None


def _compared(asked: Asked, predicate: str, left: Product, right: Product) -> Truth:
    trace = asked.recorder
    return trace.compare(predicate, left.value(trace), right.value(trace))


def at_most(asked: Asked, left: Product, right: Product) -> Truth:
    """Whether the first of two counts is not the larger one."""
    mine, theirs = _without_common(left, right)
    if not mine.others and mine.known <= theirs.known:
        return True
    if not (mine.others or theirs.others):
        return False
    return _compared(asked, "ule", left, right)


def below(asked: Asked, left: Product, right: Product) -> Truth:
    """Whether the first of two counts is smaller."""
    mine, theirs = _without_common(left, right)
    if not (mine.others or theirs.others):
        return mine.known < theirs.known
    if not mine.others and mine.known < theirs.known:
        return True
    return _compared(asked, "ult", left, right)


def divided(asked: Asked, left: Product, right: Product) -> Product:
    """How many times one count is in another one, of which it is a part."""
    mine, theirs = _without_common(left, right)
    if not theirs.others and mine.known % theirs.known == 0:
        return Product(mine.known // theirs.known, mine.others)
    trace = asked.recorder
    one = trace.index(1)
    by = right.value(trace)
    by = trace.op("arith.maxui", one.type, by, one)
    return computed(trace.op("arith.divui", one.type, left.value(trace), by))


def equal(asked: Asked, left: Product, right: Product) -> Truth:
    """Whether two products are equal, if no size is 0."""
    told = told_equal(asked, left, right)
    return _compared(asked, "eq", left, right) if told is None else told


def any_equal(asked: Asked, pairs: Sequence[tuple[Product, Product]]) -> Truth:
    """Whether the products of one of the pairs are equal; nothing is computed where that is known."""
    if any(told_equal(asked, *pair) for pair in pairs):
        return True
    found: Truth = False
    for pair in pairs:
        found = either(asked, found, equal(asked, *pair))
    return found


def both(asked: Asked, left: Truth, right: Truth) -> Truth:
    """Whether both are true."""
    if isinstance(left, bool) or isinstance(right, bool):
        known, other = (left, right) if isinstance(left, bool) else (right, left)
        return other if known else False
    return asked.recorder.op("arith.andi", bool_.mlir(), left, right)


def either(asked: Asked, left: Truth, right: Truth) -> Truth:
    """Whether one of the two is true."""
    if isinstance(left, bool) or isinstance(right, bool):
        known, other = (left, right) if isinstance(left, bool) else (right, left)
        return True if known else other
    return asked.recorder.op("arith.ori", bool_.mlir(), left, right)


def negated(asked: Asked, truth: Truth) -> Truth:
    """Whether it is false."""
    if isinstance(truth, bool):
        return not truth
    trace = asked.recorder
    return trace.op("arith.xori", bool_.mlir(), truth, trace.constant(bool_, True))


def chosen(asked: Asked, condition: Truth, left: Product, right: Product) -> Product:
    """One of two products, by a condition."""
    if isinstance(condition, bool):
        return left if condition else right
    if told_equal(asked, left, right):
        return left
    trace = asked.recorder
    values = (each.value(trace) for each in (left, right))
    return computed(emit.select(trace, condition, *values))


def computed(ssa: Any) -> Product:
    """A number that the program has computed, of either sign or 0."""
    return Product(1, (Factor(ssa, is_count=False),))
