"""How large integers in a loop can be, if what is there before the loop is not too large."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from agir.backends.mlir.graph import Producers
from agir.backends.mlir.making import predicate
from agir.backends.mlir.modules import children
from agir.ir.building import bindings
from agir.ir.tracing import ranges

_DEPTH = 16


@dataclass(frozen=True)
class Known:
    """That a value which is there before the loop lies in ``low..high``."""

    value: Any
    low: int
    high: int


@dataclass
class Assuming:
    """Intervals in a loop, where all that is there before it lies in ``low..high``.

    ``known`` becomes what was assumed of what.
    """

    loop: Any
    graph: Producers
    low: int
    high: int
    known: dict[Any, Known]
    _found: dict[Any, tuple[int, ranges.Interval | None]] = field(default_factory=dict)
    """What was found out, and how deep was looked: what many values are made of is looked at once."""

    def interval(self, value: Any, depth: int = _DEPTH) -> ranges.Interval | None:
        """The least and the greatest that a value can be; None where unknown."""
        return self._once((value,), depth, lambda: self._interval(value, depth))

    def _once(
        self, what: tuple[Any, ...], depth: int, find: Callable[[], ranges.Interval | None]
    ) -> ranges.Interval | None:
        before, known = self._found.get(what, (0, None))
        if known is None and before < depth:
            known = find()
            self._found[what] = depth, known
        return known

    def _interval(self, value: Any, depth: int) -> ranges.Interval | None:
        source = self.graph.producer(value)
        if source is not None and source.name == "arith.constant":
            attribute = source.attributes["value"]
            is_integer = isinstance(attribute, bindings.ir.IntegerAttr)
            return (attribute.value, attribute.value) if is_integer else None
        if not self.graph.is_inside(value, self.loop):
            return self._before(value)
        if source is None:
            return self._argument(value, depth)
        if source.name == "scf.while":
            return self._passed(source, value.result_number, depth)
        if not ranges.is_known(source):
            return None
        operands = [self.interval(operand, depth - 1) for operand in source.operands]
        return ranges.computed(source, operands)

    def _before(self, value: Any) -> ranges.Interval | None:
        if str(value.type) not in ("i64", "index"):
            return None
        self.known[value] = Known(value, self.low, self.high)
        return self.low, self.high

    def _argument(self, argument: Any, depth: int) -> ranges.Interval | None:
        """Of what a loop gives its iterations: its counter, or a number that iterations increase."""
        loop = argument.owner.owner.operation
        if loop.name == "scf.while":
            if argument.owner == loop.regions[0].blocks[0]:
                return self._tested(loop, argument.arg_number, depth)
            return self._passed(loop, argument.arg_number, depth, entered=True)
        if loop.name != "scf.for":
            return None
        first, end = (self.interval(bound, depth - 1) for bound in list(loop.operands)[:2])
        if not (first and end):
            return None
        if not argument.arg_number:
            return first[0], end[1] - 1
        return self._summed(loop, argument, max(end[1] - first[0], 0), depth)

    def _summed(self, loop: Any, argument: Any, count: int, depth: int) -> ranges.Interval | None:
        """Of a number to which each of so many iterations adds another one."""
        number = argument.arg_number
        begun = self.interval(loop.operands[2 + number], depth - 1)
        *_, end = children(loop)
        change = self._change(end.operands[number - 1], argument, depth - 1)
        if not (begun and change):
            return None
        low, high = begun[0] + count * min(change[0], 0), begun[1] + count * max(change[1], 0)
        return (low, high) if low >= ranges.LEAST and high <= ranges.GREATEST else None

    def _change(self, value: Any, argument: Any, depth: int) -> ranges.Interval | None:
        """By how much a value is more than the argument of a loop in which it is computed."""
        if value == argument:
            return 0, 0
        return self._once((value, argument), depth, lambda: self._changed(value, argument, depth))

    def _changed(self, value: Any, argument: Any, depth: int) -> ranges.Interval | None:
        source = self.graph.producer(value)
        if source is None:
            return None
        if source.name == "arith.select":
            ends = [self._change(each, argument, depth - 1) for each in list(source.operands)[1:]]
        elif source.name == "scf.if":
            blocks = [region.blocks[0].operations for region in source.regions]
            given = [list(block)[-1].operands[value.result_number] for block in blocks]
            ends = [self._change(each, argument, depth - 1) for each in given]
        elif source.name in ("arith.addi", "arith.subi"):
            ends = [self._step(source, argument, depth)]
        else:
            return None
        known = [each for each in ends if each is not None]
        if len(known) < len(ends):
            return None
        return min(low for low, _ in known), max(high for _, high in known)

    def _step(self, source: Any, argument: Any, depth: int) -> ranges.Interval | None:
        """The same of a sum or difference."""
        left, right = source.operands
        added = source.name == "arith.addi"
        for base, other in ((left, right), (right, left))[: 1 + added]:
            before = self._change(base, argument, depth - 1)
            more = None if before is None else self.interval(other, depth - 1)
            if before is not None and more is not None:
                low, high = more if added else (-more[1], -more[0])
                return before[0] + low, before[1] + high
        return None

    def _passed(
        self, loop: Any, number: int, depth: int, entered: bool = False
    ) -> ranges.Interval | None:
        """Of what a while's test passes: to the iteration that is ``entered``, or after the loop."""
        stop, _ = _ends(loop)
        argument = stop.operands[number + 1]
        if not _is_argument(argument, loop.regions[0]):
            return None
        found = self._tested(loop, argument.arg_number, depth)
        bound = self._bound(argument, stop.operands[0], depth) if entered and found else None
        return (found[0], bound - 1) if found and bound is not None else found

    def _tested(self, loop: Any, number: int, depth: int) -> ranges.Interval | None:
        """Of a number that each iteration of a while increases by a constant, up to a bound."""
        argument = loop.regions[0].blocks[0].arguments[number]
        stop, again = _ends(loop)
        added = self.graph.producer(again.operands[number], "arith.addi")
        step = None if added is None else self.graph.number(added.operands[1])
        if added is None or step is None or step <= 0:
            return None
        old = added.operands[0]
        handed = stop.operands[old.arg_number + 1] if _is_argument(old, loop.regions[1]) else None
        if handed is None or handed != argument:
            return None
        bound = self._bound(argument, stop.operands[0], depth)
        first = self.interval(loop.operands[number], depth - 1)
        return (first[0], max(first[1], bound - 1 + step)) if first and bound is not None else None

    def _bound(self, argument: Any, condition: Any, depth: int) -> int | None:
        """What a value is less than where a condition holds."""
        test = self.graph.producer(condition)
        if test is None:
            return None
        if test.name == "arith.andi":
            found = [self._bound(argument, each, depth) for each in test.operands]
            return min((each for each in found if each is not None), default=None)
        if test.name != "arith.cmpi" or test.operands[0] != argument:
            return None
        if predicate(test) != "slt":
            return None
        end = self.interval(test.operands[1], depth - 1)
        return end[1] if end else None


def _ends(loop: Any) -> tuple[Any, Any]:
    """The ends of a while's test and of its body."""
    stop, again = (e for e in children(loop) if e.name in ("scf.condition", "scf.yield"))
    return stop, again


def _is_argument(value: Any, region: Any) -> bool:
    """Whether a value is an argument of a region's block."""
    return isinstance(value, bindings.ir.BlockArgument) and value.owner == region.blocks[0]
