"""Interval analysis of a finished program: what loops, branches and checks say of its integers.

An abstract interpretation (Cousot and Cousot, POPL 1977) that goes forward through the program.  A
loop is not iterated to a fixpoint.  Its body is gone through with nothing known of the carried values,
which says by how much each of them changes in one iteration; the number of iterations does the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from agir.ir import bindings, conditions, ranges
from agir.ir.program import Block, Operation, Value
from agir.ir.ranges import Interval
from agir.records import dataclass

LONGEST = 2**56
"""No operation runs more often: at one in a nanosecond these are more than two years."""
_MEMORY = 2**63 - 1
"""So many bytes an array has at most."""
_GUESSES = 2
"""How often a body is gone through before what its carried values can be is taken as known."""
_WORD = 64


@dataclass(frozen=True)
class Change:
    """By how much a value differs from another one, up to multiples of 2^64.

    ``low`` and ``high`` bound the whole difference.  ``down`` and ``up`` bound what is added each time
    that an operation runs, whatever loop that is in.
    """

    low: int = 0
    high: int = 0
    down: int = 0
    up: int = 0

    def then(self, low: int, high: int) -> Change:
        """With a number from ``low`` to ``high`` added."""
        down, up = self.down + min(low, 0), self.up + max(high, 0)
        return Change(self.low + low, self.high + high, down, up)

    def plus(self, other: Change) -> Change:
        """One after the other."""
        low, high = self.low + other.low, self.high + other.high
        return Change(low, high, self.down + other.down, self.up + other.up)

    def either(self, other: Change) -> Change:
        """The one or the other."""
        low, high = min(self.low, other.low), max(self.high, other.high)
        return Change(low, high, min(self.down, other.down), max(self.up, other.up))

    def repeated(self, most: int) -> Change:
        """So many times at most."""
        low = max(most * min(self.low, 0), LONGEST * self.down)
        high = min(most * max(self.high, 0), LONGEST * self.up)
        return Change(low, high, self.down, self.up)


@dataclass(frozen=True)
class Origins:
    """What a value is made of: carried values and how it differs from each, or anything ``fresh``."""

    parts: Mapping[Value, Change]
    fresh: Interval | None

    def either(self, other: Origins) -> Origins:
        """The one or the other."""
        parts = dict(self.parts)
        for base, change in other.parts.items():
            parts[base] = parts[base].either(change) if base in parts else change
        return Origins(parts, _hull(self.fresh, other.fresh))

    def shifted(self, change: Change) -> Origins:
        """With a number added to it."""
        parts = {base: known.plus(change) for base, known in self.parts.items()}
        return Origins(parts, _moved(self.fresh, change))


def _hull(one: Interval | None, other: Interval | None) -> Interval | None:
    """What is in either; of nothing, the other."""
    if one is None or other is None:
        return one or other
    return min(one[0], other[0]), max(one[1], other[1])


def _both(one: Interval, other: Interval) -> Interval:
    """What is in both; the first, where that is nothing, for then nothing runs there."""
    low, high = max(one[0], other[0]), min(one[1], other[1])
    return (low, high) if low <= high else one


def _moved(one: Interval | None, change: Change) -> Interval | None:
    return None if one is None else (one[0] + change.low, one[1] + change.high)


def _fits(interval: Interval) -> bool:
    return ranges.LEAST <= interval[0] and interval[1] <= ranges.GREATEST


@cache
def _bits(mlir_type: Any) -> int:
    """How many bits an integer has; 0 for truth values and what is not an integer."""
    if isinstance(mlir_type, bindings.ir.IndexType):
        return _WORD
    is_integer = isinstance(mlir_type, bindings.ir.IntegerType) and mlir_type.width > 1
    return mlir_type.width if is_integer else 0


@cache
def _all(bits: int) -> Interval:
    return ranges.of_bits(bits, signed=True)


class IntervalAnalysis:
    """Goes through a block, and tells of each operation that is asked for when it is reached.

    ``exact`` are sums that are what they would be without a limit of bits, as checks have made sure.
    ``facts`` says whether what a check requires holds after it.  ``asked`` are the operations at which
    ``reached`` is called, with all known that is known there.
    """

    def __init__(
        self,
        exact: Container[Value],
        facts: Callable[[Operation], Value | None],
        asked: Iterable[Operation],
        reached: Callable[[Operation, IntervalAnalysis], None],
    ) -> None:
        self._exact = exact
        self._facts = facts
        self._reached = reached
        self._asked = set(map(id, asked))
        self._around = set(self._asked)
        """The operations that are asked for, and those that they are inside of."""
        for operation in asked:
            block = operation.block
            while block is not None and block.owner is not None and id(block.owner) not in self._around:
                self._around.add(id(block.owner))
                block = block.owner.block
        self._known: dict[Value, Interval] = {}
        self._origins: dict[Value, Origins] = {}
        self._undo: list[tuple[Value, Interval | None]] = []
        self._is_final = True

    # What is known.

    def interval(self, value: Value) -> Interval:
        """The least and the greatest number that an integer can be here."""
        known = self._known.get(value)
        if known is None:
            known = _all(_bits(value.type) or _WORD)
        maker = value.maker
        while maker is not None and _is_kept(maker):
            value = maker.operands[0]
            known = _both(known, self._known.get(value) or known)
            maker = value.maker
        return known

    def truth(self, value: Value) -> bool | None:
        """Whether a condition holds here; None where that is not known."""
        maker = value.maker
        if maker is None:
            return None
        name, operands = maker.name, maker.operands
        if name == "arith.constant":
            return bool(maker.attributes["value"].value)
        if name == "arith.cmpi":
            return self._compared(maker.attributes["predicate"].value, *operands)
        if name in ("arith.andi", "arith.ori"):
            ends, known = name == "arith.ori", [self.truth(each) for each in operands]
            return ends if ends in known else (None if None in known else not ends)
        if name == "arith.xori":
            one, other = map(self.truth, operands)
            return None if one is None or other is None else one != other
        return None

    def _compared(self, predicate: int, left: Value, right: Value) -> bool | None:
        if not _bits(left.type):
            return None
        if predicate in conditions.EQUALITY and self._source(left) is self._source(right):
            return predicate == conditions.EQUAL
        one, other = self.interval(left), self.interval(right)
        if predicate in conditions.UNSIGNED:
            if one[0] < 0 or other[0] < 0:
                return None
            predicate = conditions.UNSIGNED[predicate]
        return conditions.decided(predicate, one, other)

    def _source(self, value: Value) -> Value:
        """The value behind conversions that keep it."""
        while (maker := value.maker) is not None and (
            maker.name == "arith.extsi"
            or _is_kept(maker)
            or (maker.name == "arith.trunci" and self._keeps(maker))
        ):
            value = maker.operands[0]
        return value

    def _keeps(self, truncation: Operation) -> bool:
        low, high = _all(_bits(truncation.results[0].type) or 1)
        one = self.interval(truncation.operands[0])
        return low <= one[0] and one[1] <= high

    def _has_origins(self, value: Value) -> Origins:
        return self._origins.get(value) or Origins({}, self.interval(value))

    # Going through.

    def go_through(self, block: Block) -> None:
        """Go through the operations of a block; what its conditions say is forgotten after it."""
        mark = len(self._undo)
        self._walk(block)
        self._forget(mark)

    def _walk(self, block: Block) -> None:
        for operation in block.operations:
            self._visit(operation)

    def _visit(self, operation: Operation) -> None:
        rule = _RULES.get(operation.name)
        if rule is not None:
            rule(self, operation)
        elif ranges.is_known(operation):
            self._compute(operation)
        else:
            for block in operation.blocks:
                self.go_through(block)
        if self._is_final and id(operation) in self._asked:
            self._reached(operation, self)
        required = self._facts(operation)
        if required is not None:
            self._assume(required, True)

    def _compute(self, operation: Operation) -> None:
        result = operation.results[0]
        bits = _bits(result.type)
        if not bits:
            return
        operands = [self.interval(each) for each in operation.operands]
        found = ranges.unbounded(operation, operands)
        whole = _all(bits)
        if found is None:
            found = whole
        elif result in self._exact:
            found = _both(whole, found)
        elif found[0] < whole[0] or found[1] > whole[1]:
            found = whole
        self._known[result] = found
        self._follow(operation, result, bits)

    def _follow(self, operation: Operation, result: Value, bits: int) -> None:
        """Note what a result is made of, where carried values are among that."""
        self._origins.pop(result, None)
        rule = _FOLLOWED.get(operation.name)
        if rule is not None and bits >= _WORD:
            found = rule(self, *operation.operands)
            if found is not None:
                self._origins[result] = found

    def _sum(self, left: Value, right: Value) -> Origins | None:
        one, other = self._origins.get(left), self._origins.get(right)
        if (one is None) == (other is None):
            return None
        base, number = (one, right) if one is not None else (other, left)
        assert base is not None
        return base.shifted(Change().then(*self.interval(number)))

    def _difference(self, left: Value, right: Value) -> Origins | None:
        base = self._origins.get(left)
        if base is None or right in self._origins:
            return None
        low, high = self.interval(right)
        return base.shifted(Change().then(-high, -low))

    def _same(self, value: Value) -> Origins | None:
        return self._origins.get(value) if _bits(value.type) >= _WORD else None

    def _one_of(self, left: Value, right: Value) -> Origins | None:
        if left not in self._origins and right not in self._origins:
            return None
        return self._has_origins(left).either(self._has_origins(right))

    def _chosen(self, _: Value, left: Value, right: Value) -> Origins | None:
        return self._one_of(left, right)

    # Conditions.

    def _assume(self, condition: Value, holds: bool, names: Mapping[Value, Value] | None = None) -> None:
        """Note what a condition says that holds here, or does not."""
        for predicate, left, right in conditions.comparisons(condition, holds):
            if not _bits(left.type):
                continue
            one, other = self.interval(left), self.interval(right)
            if predicate in conditions.UNSIGNED:
                # Below a number that is not negative are, without signs, only such numbers.
                if predicate not in conditions.UNSIGNED_LESS or other[0] < 0:
                    continue
                one = _both(one, (0, ranges.GREATEST))
                predicate = conditions.UNSIGNED[predicate]
            for value, interval in zip(
                (left, right), conditions.narrowed(predicate, one, other), strict=True
            ):
                self._note(value, interval, names or {})

    def _note(self, value: Value, interval: Interval, names: Mapping[Value, Value]) -> None:
        self._narrow(names.get(value, value), interval)
        maker = value.maker
        if maker is not None and (maker.name == "arith.extsi" or _is_kept(maker)):
            self._note(maker.operands[0], interval, names)

    def _narrow(self, value: Value, interval: Interval) -> None:
        before = self._known.get(value)
        after = _both(before or _all(_bits(value.type) or _WORD), interval)
        if after != before:
            self._undo.append((value, before))
            self._known[value] = after

    def _forget(self, mark: int) -> None:
        while len(self._undo) > mark:
            value, before = self._undo.pop()
            if before is None:
                self._known.pop(value, None)
            else:
                self._known[value] = before

    # Operations with regions, and those of which something is known beforehand.

    def _constant(self, operation: Operation) -> None:
        if _bits(operation.results[0].type):
            number = operation.attributes["value"].value
            self._known[operation.results[0]] = (number, number)

    def _size(self, operation: Operation) -> None:
        self._known[operation.results[0]] = (0, _MEMORY // _item_size(operation.operands[0].type))

    def _if(self, operation: Operation) -> None:
        found: list[list[tuple[Interval, Origins | None]]] = []
        for block, holds in zip(operation.blocks, (True, False), strict=False):
            mark = len(self._undo)
            self._assume(operation.operands[0], holds)
            self._walk(block)
            found.append([(self.interval(v), self._origins.get(v)) for v in block.terminator.operands])
            self._forget(mark)
        if len(found) < 2:
            return
        for result, one, other in zip(operation.results, *found, strict=True):
            if not _bits(result.type):
                continue
            known = _hull(one[0], other[0])
            assert known is not None
            self._known[result] = known
            self._origins.pop(result, None)
            if one[1] is not None or other[1] is not None:
                ends = [origins or Origins({}, interval) for interval, origins in (one, other)]
                self._origins[result] = ends[0].either(ends[1])

    def _for(self, operation: Operation) -> None:
        lower, upper, step, *starts = operation.operands
        body = operation.blocks[0]
        counter, *carried = body.arguments
        low, high, stride = self.interval(lower), self.interval(upper), self.interval(step)
        most = max(-(-(high[1] - low[0]) // max(stride[0], 1)), 0)
        greatest = min(high[1] - 1, low[1] + LONGEST * max(stride[1], 1))
        numbers = (low[0], max(low[0], greatest))

        def once() -> list[Value]:
            self._known[counter] = numbers
            self._walk(body)
            return body.terminator.operands

        closed = self._loop(operation, carried, starts, most, once)
        for result, argument in zip(operation.results, carried, strict=True):
            self._give(result, closed.get(argument))

    def _while(self, operation: Operation) -> None:
        before, after = operation.blocks

        def once() -> list[Value]:
            self._walk(before)
            condition, *forwarded = before.terminator.operands
            for argument, value in zip(after.arguments, forwarded, strict=True):
                self._give(argument, (self.interval(value), self._origins.get(value)))
            self._assume(condition, True, dict(zip(forwarded, after.arguments, strict=True)))
            self._walk(after)
            return after.terminator.operands

        closed = self._loop(operation, before.arguments, operation.operands, LONGEST, once)
        # What a value that is handed on is made of holds whatever is known of the carried values.
        for result, value in zip(operation.results, before.terminator.operands[1:], strict=True):
            self._give(result, self._substituted(value, closed))

    def _give(self, value: Value, known: tuple[Interval, Origins | None] | None) -> None:
        self._known.pop(value, None)
        self._origins.pop(value, None)
        if known is not None and _bits(value.type):
            self._known[value] = known[0]
            if known[1] is not None:
                self._origins[value] = known[1]

    def _loop(
        self,
        operation: Operation,
        carried: Sequence[Value],
        starts: Sequence[Value],
        most: int,
        once: Callable[[], Sequence[Value]],
    ) -> dict[Value, tuple[Interval, Origins | None]]:
        """What the carried values can be whenever an iteration begins, or none does any more."""
        begun = {
            each: (self.interval(start), self._has_origins(start))
            for each, start in zip(carried, starts, strict=True)
            if _bits(each.type)
        }
        known = {each: _all(_bits(each.type)) for each in begun}
        matters = self._is_final and id(operation) in self._around
        self._is_final = False
        closed: dict[Value, tuple[Interval, Origins | None]] = {}
        for _ in range(_GUESSES if matters else 1):
            mark = self._begin(known)
            ends = dict(zip(carried, once(), strict=True))
            given = {
                each: (self.interval(ends[each]), self._has_origins(ends[each])) for each in begun
            }
            self._forget(mark)
            closed = {each: _closed(group, each, begun, given, most, self._outer)
                      for group in _groups(begun, given) for each in group}  # fmt: skip
            known = {each: _both(known[each], closed[each][0]) for each in begun}
        if matters:
            self._is_final = True
            mark = self._begin(known)
            once()
            self._forget(mark)
        for each in begun:
            self._known[each] = known[each]
        return {each: (known[each], closed[each][1]) for each in begun}

    def _begin(self, known: Mapping[Value, Interval]) -> int:
        for each, interval in known.items():
            self._known[each] = interval
            if _bits(each.type) == _WORD:
                self._origins[each] = Origins({each: Change()}, None)
        return len(self._undo)

    def _outer(self, base: Value) -> Interval:
        return self._known.get(base) or _all(_WORD)

    def _substituted(
        self, value: Value, closed: Mapping[Value, tuple[Interval, Origins | None]]
    ) -> tuple[Interval, Origins | None]:
        """A value of a loop's condition, by what its carried values turn out to be."""
        whole = self.interval(value)
        origins = self._origins.get(value)
        if origins is None:
            return whole, None
        found, total = origins.fresh, Origins({}, origins.fresh)
        for base, change in origins.parts.items():
            interval, deeper = closed.get(base) or (self._outer(base), Origins({base: Change()}, None))
            found = _hull(found, _moved(interval, change))
            total = total.either((deeper or Origins({}, interval)).shifted(change))
        assert found is not None
        return (_both(whole, found) if _fits(found) else whole), (total if total.parts else None)


_Found = Mapping[Value, tuple[Interval, Origins]]


def _groups(begun: _Found, given: _Found) -> list[list[Value]]:
    """The carried values, each with those that it may become in some iteration, or that become it."""
    group = {each: [each] for each in begun}
    for each, (_, origins) in given.items():
        for base in origins.parts:
            if base in group and group[base] is not group[each]:
                joined = group[base] + group[each]
                for member in joined:
                    group[member] = joined
    return list({id(members): members for members in group.values()}.values())


def _closed(
    group: Sequence[Value],
    which: Value,
    begun: _Found,
    given: _Found,
    most: int,
    outer: Callable[[Value], Interval],
) -> tuple[Interval, Origins | None]:
    """What one of a group of carried values can be after any number of iterations up to ``most``.

    Sums may wrap around: if what they would be without is within 64 bits throughout, none has.
    """
    change: Change | None = None
    sources = Origins({}, None)
    reached: Interval | None = None
    for each in group:
        reached = _hull(reached, begun[each][0])
        sources = sources.either(begun[each][1])
        origins = given[each][1]
        fresh = {base: known for base, known in origins.parts.items() if base not in group}
        sources = sources.either(Origins(fresh, origins.fresh))
        reached = _hull(reached, origins.fresh)
        for base, known in origins.parts.items():
            if base in fresh:
                reached = _hull(reached, _moved(outer(base), known))
            else:
                change = known if change is None else change.either(known)
    total = (change or Change()).repeated(most)
    sources = sources.shifted(total)
    assert reached is not None
    found = reached[0] + total.low, reached[1] + total.high
    by_ends = _hull(begun[which][0], given[which][0])
    assert by_ends is not None
    origins_ = sources if sources.parts else None
    return (_both(by_ends, found) if _fits(found) else by_ends), origins_


def _is_kept(maker: Operation) -> bool:
    """Whether an operation converts between integers and indices and keeps the number."""
    if maker.name != "arith.index_cast":
        return False
    return _bits(maker.results[0].type) >= _bits(maker.operands[0].type)


@cache
def _item_size(tensor: Any) -> int:
    """The bytes of an item of a tensor, or of a memref; 1 where that is not known."""
    element = tensor.element_type
    if isinstance(element, bindings.ir.ComplexType):
        return 2 * _item_width(element.element_type)
    return _item_width(element)


def _item_width(element: Any) -> int:
    width: int = getattr(element, "width", 8)
    return max(width // 8, 1)


_RULES: dict[str, Callable[[IntervalAnalysis, Operation], None]] = {
    "arith.constant": IntervalAnalysis._constant,
    "tensor.dim": IntervalAnalysis._size,
    "scf.if": IntervalAnalysis._if,
    "scf.for": IntervalAnalysis._for,
    "scf.while": IntervalAnalysis._while,
}
"""What is done with operations, by their names, which need more than the intervals of operands."""

_FOLLOWED: dict[str, Callable[..., Origins | None]] = {
    "arith.addi": IntervalAnalysis._sum,
    "arith.subi": IntervalAnalysis._difference,
    "arith.maxsi": IntervalAnalysis._one_of,
    "arith.minsi": IntervalAnalysis._one_of,
    "arith.select": IntervalAnalysis._chosen,
    "arith.extsi": IntervalAnalysis._same,
    "arith.trunci": IntervalAnalysis._same,
    "arith.index_cast": IntervalAnalysis._same,
}
"""What a result is made of, by the operation, in terms of the operands."""
