"""Interval analysis of a finished program: what loops, branches and checks say of its integers.

An abstract interpretation (Cousot and Cousot, POPL 1977) that goes forward through the program.  A
loop is not iterated to a fixpoint.  Its body is gone through with nothing known of the carried values,
which says by how much each of them changes in one iteration; the number of iterations does the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import cache, reduce
from typing import Any

from agir.ir.building import attributes, bindings
from agir.ir.building.program import Block, Operation, Value
from agir.ir.proofs import conditions
from agir.ir.tracing import ranges
from agir.ir.tracing.ranges import Interval
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

    ``low`` and ``high`` bound the whole difference.  ``down`` and ``up`` bound what each operation adds
    when it runs, whatever loop that is in: all together add no more than `LONGEST` times that.
    """

    low: int = 0
    high: int = 0
    down: int = 0
    up: int = 0

    def negated(self) -> Change:
        """The opposite difference."""
        return Change(-self.high, -self.low, -self.up, -self.down)

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


Origins = Mapping[Value | None, Change]
"""Carried values one of which a value is, with a change; None stands for the number zero."""


def _added(interval: Interval) -> Change:
    """The change of what an integer of this interval is added to."""
    low, high = interval
    return Change(low, high, min(low, 0), max(high, 0))


def _either(*several: Origins) -> dict[Value | None, Change]:
    """What a value is made of that is one of several."""
    found: dict[Value | None, Change] = {}
    for origins in several:
        for base, change in origins.items():
            found[base] = found[base].either(change) if base in found else change
    return found


def _shifted(origins: Origins, change: Change) -> dict[Value | None, Change]:
    """What a value is made of to which a number is added."""
    return {base: known.plus(change) for base, known in origins.items()}


def _is_carried(origins: Origins) -> bool:
    return any(base is not None for base in origins)


def _hull(one: Interval, other: Interval) -> Interval:
    """What is in either."""
    return min(one[0], other[0]), max(one[1], other[1])


def _both(one: Interval, other: Interval) -> Interval:
    """What is in both; the first, where that is nothing, for then nothing runs there."""
    low, high = max(one[0], other[0]), min(one[1], other[1])
    return (low, high) if low <= high else one


def _moved(one: Interval, change: Change) -> Interval:
    return one[0] + change.low, one[1] + change.high


def _fits(interval: Interval) -> bool:
    return interval[0] >= ranges.LEAST and interval[1] <= ranges.GREATEST


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
            while (
                block is not None
                and block.owner is not None
                and id(block.owner) not in self._around
            ):
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

    def _made_of(self, value: Value, block: Block | None) -> Origins:
        """What a value is made of, where it is used in this block."""
        origins = self._origins.get(value)
        own = _added(self.interval(value))
        if origins is None:
            return {None: own}
        if None not in origins:
            return origins
        fresh = origins[None]
        whole = own if not _is_carried(origins) else _added((fresh.low, fresh.high))
        if _runs_as_often(block, value.block):
            whole = Change(
                whole.low, whole.high, max(whole.down, fresh.down), min(whole.up, fresh.up)
            )
        return {**origins, None: whole}

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
        """Note what a result is made of, where loops have a part in it."""
        self._origins.pop(result, None)
        rule = _FOLLOWED.get(operation.name)
        if rule is None or bits < _WORD or not any(v in self._origins for v in operation.operands):
            return
        found = rule(*(self._made_of(each, operation.block) for each in operation.operands))
        if found is not None:
            self._origins[result] = found

    # Conditions.

    def _assume(
        self, condition: Value, holds: bool, names: Mapping[Value, Value] | None = None
    ) -> None:
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

    def _call(self, operation: Operation) -> None:
        for position in operation.attributes.get(attributes.LENGTHS, ()):
            self._known[operation.results[position]] = (0, ranges.LONGEST_LIST)

    def _if(self, operation: Operation) -> None:
        found: list[list[tuple[Interval, Origins]]] = []
        for block, holds in zip(operation.blocks, (True, False), strict=False):
            mark = len(self._undo)
            self._assume(operation.operands[0], holds)
            self._walk(block)
            found.append(self._given(block.terminator.operands, block))
            self._forget(mark)
        for result, one, other in zip(operation.results, *found, strict=True):
            self._give(result, _hull(one[0], other[0]), _either(one[1], other[1]))

    def _given(
        self, values: Iterable[Value], block: Block | None
    ) -> list[tuple[Interval, Origins]]:
        """What is known of values at the end of a block."""
        return [(self.interval(each), self._made_of(each, block)) for each in values]

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
            if argument in closed:
                self._give(result, *closed[argument])

    def _while(self, operation: Operation) -> None:
        before, after = operation.blocks

        def once() -> list[Value]:
            self._walk(before)
            condition, *forwarded = before.terminator.operands
            given = self._given(forwarded, before)
            for argument, (interval, origins) in zip(after.arguments, given, strict=True):
                self._give(argument, interval, origins)
            self._assume(condition, True, dict(zip(forwarded, after.arguments, strict=True)))
            self._walk(after)
            return after.terminator.operands

        closed = self._loop(operation, before.arguments, operation.operands, LONGEST, once)
        # What a value that is handed on is made of holds whatever is known of the carried values.
        for result, value in zip(operation.results, before.terminator.operands[1:], strict=True):
            self._give(result, *self._substituted(value, closed))

    def _give(self, value: Value, interval: Interval, origins: Origins) -> None:
        """Note what is known of a result or an argument."""
        self._origins.pop(value, None)
        bits = _bits(value.type)
        if bits:
            self._known[value] = interval
        if bits == _WORD:
            self._origins[value] = origins

    def _loop(
        self,
        operation: Operation,
        carried: Sequence[Value],
        starts: Sequence[Value],
        most: int,
        once: Callable[[], Sequence[Value]],
    ) -> dict[Value, tuple[Interval, Origins]]:
        """What the carried values can be whenever an iteration begins, or none does any more."""
        begun = dict(zip(carried, self._given(starts, operation.block), strict=True))
        begun = {each: known for each, known in begun.items() if _bits(each.type)}
        known = {each: _all(_bits(each.type)) for each in begun}
        was_final = self._is_final
        matters = was_final and id(operation) in self._around
        self._is_final = False
        closed: dict[Value, tuple[Interval, Origins]] = {}
        for _ in range(_GUESSES if matters else 1):
            mark = self._begin(known)
            given = dict(zip(carried, self._given(once(), operation.blocks[-1]), strict=True))
            self._forget(mark)
            for group in _groups(begun, given):
                for each in group:
                    closed[each] = _closed(group, each, begun, given, most, self._outer)
            known = {each: _both(known[each], closed[each][0]) for each in begun}
        self._is_final = was_final
        if matters:
            mark = self._begin(known)
            once()
            self._forget(mark)
        self._known.update(known)
        return {each: (known[each], closed[each][1]) for each in begun}

    def _begin(self, known: Mapping[Value, Interval]) -> int:
        """Begin an iteration; gives to where conditions are forgotten after it."""
        for each, interval in known.items():
            self._give(each, interval, {each: Change()})
        return len(self._undo)

    def _outer(self, base: Value) -> Interval:
        return self._known.get(base) or _all(_WORD)

    def _substituted(
        self, value: Value, closed: Mapping[Value, tuple[Interval, Origins]]
    ) -> tuple[Interval, Origins]:
        """A value of a loop's condition, by what its carried values turn out to be."""
        whole = self.interval(value)
        origins = self._made_of(value, value.block)
        reached: Interval | None = None
        deeper = []
        for base, change in origins.items():
            interval: Interval = (0, 0)
            own: Origins = {base: Change()}
            if base is not None:
                interval, own = closed.get(base) or (self._outer(base), own)
            moved = _moved(interval, change)
            reached = moved if reached is None else _hull(reached, moved)
            deeper.append(_shifted(own, change))
        assert reached is not None, "it is made of something"
        return (_both(whole, reached) if _fits(reached) else whole), _either(*deeper)


_Found = Mapping[Value, tuple[Interval, Origins]]


def _groups(begun: Iterable[Value], given: _Found) -> list[list[Value]]:
    """The carried values, each with those that it may become in some iteration, or that become it."""
    group = {each: [each] for each in begun}
    for each in begun:
        for base in given[each][1]:
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
) -> tuple[Interval, Origins]:
    """What one of a group of carried values can be after any number of iterations up to ``most``.

    Sums may wrap around: if what they would be without is within 64 bits throughout, none has.
    """
    changes = [Change()]
    sources = [begun[each][1] for each in group]
    reached = [begun[each][0] for each in group]
    for each in group:
        for base, change in given[each][1].items():
            if base in group:
                changes.append(change)
            else:
                sources.append({base: change})
                reached.append(_moved((0, 0) if base is None else outer(base), change))
    total = reduce(Change.either, changes).repeated(most)
    found = _moved(reduce(_hull, reached), total)
    by_ends = _hull(begun[which][0], given[which][0])
    origins = _shifted(_either(*sources), total)
    return (_both(by_ends, found) if _fits(found) else by_ends), origins


def _runs_as_often(block: Block | None, other: Block | None) -> bool:
    """Whether a block runs no more often than another one, in which it is: branches lie between."""
    while block is not other:
        if block is None or block.owner is None or block.owner.name != "scf.if":
            return False
        block = block.owner.block
    return True


def _sum(one: Origins, other: Origins) -> Origins | None:
    if _is_carried(one) and _is_carried(other):
        return None
    base, number = (other, one) if _is_carried(other) else (one, other)
    return _shifted(base, number[None])


def _difference(one: Origins, other: Origins) -> Origins | None:
    return None if _is_carried(other) else _shifted(one, other[None].negated())


def _same(origins: Origins) -> Origins:
    return origins


def _chosen(_: Origins, one: Origins, other: Origins) -> Origins:
    return _either(one, other)


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
    "func.call": IntervalAnalysis._call,
    "scf.if": IntervalAnalysis._if,
    "scf.for": IntervalAnalysis._for,
    "scf.while": IntervalAnalysis._while,
}
"""What is done with operations, by their names, which need more than the intervals of operands."""

_FOLLOWED: dict[str, Callable[..., Origins | None]] = {
    "arith.addi": _sum,
    "arith.subi": _difference,
    "arith.maxsi": _either,
    "arith.minsi": _either,
    "arith.select": _chosen,
    "arith.extsi": _same,
    "arith.trunci": _same,
    "arith.index_cast": _same,
}
"""What a result is made of, by the operation, in terms of the operands."""
