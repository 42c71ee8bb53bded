"""Loops and branches without what they carry unchanged (the invariant arguments of a loop)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from agir.ir.building.program import Block, Operation, Value
from agir.ir.proofs import conditions
from agir.ir.tracing import ranges


def simplify(block: Block, gone: dict[Value, Value], which: Collection[int]) -> None:
    """Let the operations of a block use what stands for values that are gone.

    Loops and branches of ``which`` (by their identity) then no longer carry what stays the same in
    them.
    """
    _Simplification(gone, which).block(block)


class _Simplification:
    def __init__(self, gone: dict[Value, Value], which: Collection[int]) -> None:
        self.gone = gone
        self._which = which

    def now(self, value: Value) -> Value:
        """What a value is now."""
        found = value
        while found in self.gone:
            found = self.gone[found]
        return found

    def block(self, block: Block) -> None:
        for operation in block.operations:
            operation.operands[:] = map(self.now, operation.operands)
            if operation.name == "arith.andi":
                self._and(operation)
            for inner in operation.blocks:
                self.block(inner)
            if id(operation) in self._which:
                rule = _RULES.get(operation.name)
                if rule is not None:
                    rule(self, operation)

    def _and(self, operation: Operation) -> None:
        """Only the other operand is needed of a conjunction where one is true."""
        left, right = operation.operands
        if _is_true(left) or _is_true(right):
            self.gone[operation.results[0]] = right if _is_true(left) else left

    def _for(self, loop: Operation) -> None:
        body = loop.blocks[0]
        yielded = body.terminator.operands
        same = [
            number
            for number, start in enumerate(loop.operands[3:])
            if yielded[number] in (body.arguments[1 + number], start)
        ]
        self._stand_for(loop.operands[3:], same, body.arguments[1:], loop.results)
        _drop(loop.operands, [3 + number for number in same])
        _drop(yielded, same)
        _erase(body, [1 + number for number in same])
        _drop_results(loop, same)
        self._again(body, same)

    def _while(self, loop: Operation) -> None:
        """Drop what goes through both of the regions unchanged, at the same place."""
        before, after = loop.blocks
        forwarded, yielded = before.terminator.operands, after.terminator.operands
        if len(before.arguments) != len(after.arguments):
            return
        same = []
        for number, start in enumerate(loop.operands):
            first, second = before.arguments[number], after.arguments[number]
            if forwarded[1 + number] in (first, start) and yielded[number] in (second, start):
                same.append(number)
        self._stand_for(loop.operands, same, before.arguments, after.arguments, loop.results)
        _drop(loop.operands, same)
        _drop(forwarded, [1 + number for number in same])
        _drop(yielded, same)
        _erase(before, same)
        _erase(after, same)
        _drop_results(loop, same)
        self._again(before, same)
        self._again(after, same)

    def _if(self, branch: Operation) -> None:
        if len(branch.blocks) < 2:
            return
        ends = [block.terminator.operands for block in branch.blocks]
        same = [number for number, pair in enumerate(zip(*ends, strict=True)) if pair[0] is pair[1]]
        self._stand_for(ends[0], same, branch.results)
        for each in ends:
            _drop(each, same)
        _drop_results(branch, same)

    def _stand_for(
        self, values: Sequence[Value], which: Sequence[int], *others: Sequence[Value]
    ) -> None:
        for number in which:
            for each in others:
                self.gone[each[number]] = values[number]

    def _again(self, block: Block, same: Sequence[int]) -> None:
        """Look at a body once more, where values in it have become others."""
        if same:
            self.block(block)


def _is_true(value: Value) -> bool:
    """Whether a truth value compares equal constants: an error code that stays zero."""
    maker = value.maker
    if maker is None or maker.name != "arith.cmpi":
        return False
    numbers = [ranges.constant(each) for each in maker.operands]
    is_equality = maker.attributes["predicate"].value == conditions.EQUAL
    return is_equality and numbers[0] is not None and numbers[0] == numbers[1]


def _drop(values: list[Any], places: Sequence[int]) -> None:
    for place in reversed(places):
        del values[place]


def _erase(block: Block, places: Sequence[int]) -> None:
    for place in reversed(places):
        block.erase_argument(place)


def _drop_results(operation: Operation, places: Sequence[int]) -> None:
    _drop(operation.results, places)
    for number, result in enumerate(operation.results):
        result.number = number


_RULES = {
    "scf.for": _Simplification._for,
    "scf.while": _Simplification._while,
    "scf.if": _Simplification._if,
}
