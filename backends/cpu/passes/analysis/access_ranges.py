"""From where to where places in a loop go, as sums of what is there before it.

A place is a sum of counters of loops and of values from before, each times a constant.  It is least
and greatest in the first or last iterations of those loops.  Nothing in it wraps around where the
values are *small*, which is looked at before the loop, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from agir.backends.mlir.graph import Producers
from agir.backends.mlir.making import cast, compare, constant, index_constant, op
from agir.ir.building import bindings
from agir.ir.emission.inequalities import Form, plus

SMALL = 1 << 48
"""The magnitude up to which a value is small."""
_HEAVIEST = 1 << 12
"""So many times as much any sum may be."""
LARGEST = SMALL * _HEAVIEST
"""The magnitude that no sum of small values is above."""
_DEPTH = 24
_CASTS = ("arith.index_cast",)
_SUMS = ("arith.addi", "arith.subi")
_EXTREMA = ("arith.maxsi", "arith.minsi")
_KNOWN = frozenset({*_CASTS, *_EXTREMA, *_SUMS, "arith.muli"})


class NotLinearError(Exception):
    """A value is no sum of counters and of what is there before the loop."""


@dataclass(frozen=True)
class Inside:
    """That a place is inside of an array in each iteration: its least and greatest values, the size."""

    least: Form
    greatest: Form
    size: Any
    small: tuple[Any, ...]
    """What has to be small for that."""

    def conditions(self) -> Iterator[tuple[Any, ...]]:
        """What has to hold, each with a key by which it is told again."""
        yield from (("small", value) for value in self.small)
        if _number_of(self.least) is None:
            yield "least", tuple(self.least.items())
        yield "greatest", tuple(self.greatest.items()), self.size


def emitted(condition: tuple[Any, ...]) -> Any:
    """One of the conditions (i1), at the insertion point."""
    what, subject, *rest = condition
    if what == "small":
        return within(subject, -SMALL, SMALL)
    if what == "least":
        return compare(_sum(subject), "sge", index_constant(0))
    return compare(_sum(subject), "slt", *rest)


def within(value: Any, low: int, high: int) -> Any:
    """Whether an integer lies between bounds (i1), at the insertion point."""
    kind = value.type
    above = op("arith.subi", kind, value, constant(kind, low)) if low else value
    return compare(above, "ule", constant(kind, high - low))


class Spans:
    """The places in one loop."""

    def __init__(self, loop: Any, graph: Producers) -> None:
        self._loop = loop
        self._graph = graph
        self._before: dict[Any, None] = {}
        self._weights: dict[Any, int] = {}
        self._forms: dict[Any, Form] = {}

    def inside(self, place: Any, size: Any) -> Inside | None:
        """What proves that a place is from 0 to below a size; None if nothing does."""
        if self._graph.is_inside(size, self._loop):
            return None
        self._before, self._weights = {}, {}
        try:
            self._weight(place, _DEPTH)
            form = self._form(place)
            least, greatest = self._extremum(form, -1), self._extremum(form, 1)
        except NotLinearError:
            return None
        end = _constant(self._graph.producer(size))
        first, last = _number_of(least), _number_of(greatest)
        if (first or 0) < 0 or (end is not None and last is not None and last >= end):
            return None
        return Inside(least, greatest, size, tuple(self._before))

    def small(self, number: Any) -> list[tuple[Any, ...]] | None:
        """What has to be small for a number, or one of 128 bits, to be no larger than `LARGEST`."""
        self._before, self._weights = {}, {}
        source = self._graph.producer(number)
        parts = [number]
        if str(number.type) == "i128" and source is not None and source.name in _SUMS:
            parts = list(source.operands)
        try:
            if sum(self._weight(self._extended(each), _DEPTH) for each in parts) > _HEAVIEST:
                return None
        except NotLinearError:
            return None
        return [("small", value) for value in self._before]

    def _extended(self, value: Any) -> Any:
        """The number of 64 bits that one of more is."""
        source = self._graph.producer(value, "arith.extsi")
        return value if source is None else source.operands[0]

    def _weight(self, value: Any, depth: int) -> int:
        """How many times as large as what is small a value may be, and all that it is made of."""
        if value not in self._weights:
            self._weights[value] = self._weighed(value, depth)
        return self._weights[value]

    def _weighed(self, value: Any, depth: int) -> int:
        if depth == 0 or not _is_wide(value):
            raise NotLinearError
        source = self._source(value)
        if (number := _constant(source)) is not None:
            return 1 + abs(number) // SMALL
        if source is None and not self._is_inside(value):
            self._before[value] = None
            return 1
        if source is None:
            return sum(self._weight(each, depth - 1) for each in self._bounds(value))
        if source.name not in _KNOWN:
            raise NotLinearError
        weights = [self._weight(each, depth - 1) for each in source.operands]
        if source.name == "arith.muli":
            factors = [_constant(self._source(each)) for each in source.operands]
            known = [abs(factor) for factor in factors if factor is not None]
            if not known:
                raise NotLinearError
            weight = known[0] * sum(weights)
        elif source.name in _EXTREMA:
            weight = max(weights)
        else:
            weight = sum(weights)
        if weight > _HEAVIEST:
            raise NotLinearError
        return weight

    def _form(self, value: Any) -> Form:
        """A value as a sum of counters and of what is there before the loop."""
        if value not in self._forms:
            self._forms[value] = self._composed(value)
        return self._forms[value]

    def _composed(self, value: Any) -> Form:
        source = self._source(value)
        if (number := _constant(source)) is not None:
            return {None: number} if number else {}
        if source is None:
            return {value: 1}
        if source.name in _CASTS:
            return self._form(source.operands[0])
        if source.name in ("arith.addi", "arith.subi"):
            one, other = map(self._form, source.operands)
            return plus(one, other, 1 if source.name == "arith.addi" else -1)
        if source.name == "arith.muli":
            forms = [self._form(each) for each in source.operands]
            for one, other in (forms, forms[::-1]):
                if set(other) <= {None}:
                    return plus({}, one, other.get(None, 0))
        raise NotLinearError

    def _extremum(self, form: Form, sign: int) -> Form:
        """The greatest that a form can be (sign 1), or the least (-1)."""
        while counters := [each for each in form if each is not None and self._is_inside(each)]:
            counter = max(counters, key=self._nesting)
            factor = form[counter]
            low, high = self._bounds(counter)
            bound = self._form(low)
            if factor * sign > 0:
                bound = plus(self._limit(high, {}, bound), {None: -1})
            form = plus(plus(form, {counter: 1}, -factor), bound, factor)
        return form

    def _limit(self, value: Any, added: Form, least: Form) -> Form:
        """What a counter that is at least so much is less than, if less than a value and a form.

        Of the greater of two numbers one counts, if the other one is not above the least.
        """
        source = self._source(value)
        if source is not None and source.name in _CASTS:
            return self._limit(source.operands[0], added, least)
        if source is not None and source.name == "arith.maxsi":
            operands = list(source.operands)
            for one, other in (operands, operands[::-1]):
                rest = self._over(other, added, least)
                if rest is not None and rest <= 0:
                    return self._limit(one, added, least)
        if source is not None and source.name == "arith.minsi":
            return self._limit(source.operands[0], added, least)
        if source is not None and source.name == "arith.subi":
            first, second = source.operands
            return self._limit(first, plus(added, self._form(second), -1), least)
        return plus(self._form(value), added)

    def _over(self, value: Any, added: Form, least: Form) -> int | None:
        """By how much a value and a form are above the least one; None if that is no constant."""
        try:
            rest = plus(plus(self._form(value), added), least, -1)
        except NotLinearError:
            return None
        return _number_of(rest)

    def _source(self, value: Any) -> Any:
        """The operation in the loop that makes a value, or that of a constant."""
        source = self._graph.producer(value)
        if source is None or source.name == "arith.constant" or self._is_inside(value):
            return source
        if source.name in _CASTS and _is_wide(source.operands[0]):
            return source  # what it is made of is there, too
        return None

    def _is_inside(self, value: Any) -> bool:
        return self._graph.is_inside(value, self._loop)

    def _bounds(self, argument: Any) -> list[Any]:
        """From where to where a counter goes."""
        loop = argument.owner.owner.operation
        if loop.name != "scf.for" or argument.arg_number:
            raise NotLinearError
        return list(loop.operands)[:2]

    def _nesting(self, argument: Any) -> int:
        """In how many operations of the loop an argument's is."""
        count, operation = 0, argument.owner.owner.operation
        while operation != self._loop:
            count, operation = count + 1, operation.parent
        return count


def _constant(source: Any) -> int | None:
    if source is None or source.name != "arith.constant":
        return None
    attribute = source.attributes["value"]
    if not isinstance(attribute, bindings.ir.IntegerAttr):
        raise NotLinearError
    return int(attribute.value)


def _number_of(form: Form) -> int | None:
    return form.get(None, 0) if set(form) <= {None} else None


def _is_wide(value: Any) -> bool:
    return str(value.type) in ("index", "i64")


# At the insertion point.


def _sum(parts: tuple[tuple[Any, int], ...]) -> Any:
    kind = bindings.ir.IndexType.get()
    total = None
    for value, factor in parts:
        term = index_constant(factor) if value is None else cast(value, kind)
        if value is not None and factor != 1:
            term = op("arith.muli", kind, term, index_constant(factor))
        total = term if total is None else op("arith.addi", kind, total, term)
    return index_constant(0) if total is None else total
