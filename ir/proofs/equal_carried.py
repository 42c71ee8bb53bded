"""Numbers that a loop carries twice are carried once: those that are equal in every iteration.

A dict has a length for each of its columns, and the number of its entries that are there; where none is
ever taken out, all of these begin as 0 and grow by 1 at the same time.  So it is found that nothing has
to be looked for that might have been taken out.

Values that are computed alike of equal operands have one number.  What a loop carries is taken to be
equal where it begins as equal; where an iteration does not leave it so, it is taken apart, and the body
looked at once more.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from agir.ir.building import bindings
from agir.ir.building.program import Block, Operation, Value
from agir.ir.proofs import carried

_HOLD_OF_EQUALS = {0, 3, 5, 7, 9}
"""The predicates of ``arith.cmpi`` that hold of equal numbers."""
_LOOPS = {"scf.for", "scf.while"}
_MOST = 16
"""As often as this the operations of a function are looked at: loops in loops, again and again."""


def unite(block: Block) -> None:
    """Let the loops of a function carry one value for several that are always equal."""
    operations = block.walk()
    if not any(each.name in _LOOPS for each in operations):
        return
    numbering = _Numbering(_MOST * len(operations))
    numbering.block(block)
    gone: dict[Value, Value] = {}
    for slots, groups in numbering.found.values():
        needless = []
        for first, *others in groups:
            for other in others:
                gone.update(zip(slots.named(other), slots.named(first), strict=True))
                needless.append(other)
        carried.drop(slots.loop, sorted(needless))
    if gone:
        block.replace(gone)


class _Slots(NamedTuple):
    """What a loop carries: each has a place in all of these."""

    loop: Operation
    given: Sequence[Value]
    arguments: Sequence[Sequence[Value]]
    left: Sequence[Value]

    def named(self, number: int) -> list[Value]:
        """What one of them is called in the loop and behind it."""
        return [*(each[number] for each in self.arguments), self.loop.results[number]]


def _slots_of(loop: Operation) -> _Slots | None:
    """What a loop carries; None for one that does not hand it to its body as it is."""
    if loop.name == "scf.for":
        body = loop.blocks[0]
        return _Slots(loop, loop.operands[3:], [body.arguments[1:]], body.terminator.operands)
    before, after = loop.blocks
    if before.terminator.operands[1:] != before.arguments:
        return None
    arguments = [before.arguments, after.arguments]
    return _Slots(loop, list(loop.operands), arguments, after.terminator.operands)


class _Numbering:
    """Which values are equal: each is known by the first one that is, or by a truth value."""

    def __init__(self, most: int) -> None:
        self.found: dict[int, tuple[_Slots, list[list[int]]]] = {}
        """By the identity of a loop, what of that which it carries is equal."""
        self._first: dict[Value, Hashable] = {}
        self._known: ChainMap[Hashable, Hashable] = ChainMap()
        self._left = most
        """How many operations may be looked at before nothing is looked at again."""

    def block(self, block: Block) -> None:
        """Look at the operations of a block."""
        for operation in block.operations:
            self._operation(operation)

    def _of(self, value: Value) -> Hashable:
        return self._first.get(value, value)

    def _operation(self, operation: Operation) -> None:
        self._left -= 1
        if operation.name == "scf.if":
            self._branch(operation)
        elif operation.name in _LOOPS:
            self._loop(operation)
        elif operation.name.startswith("arith.") and len(operation.results) == 1:
            operands = tuple(map(self._of, operation.operands))
            key = operation.name, operands, *operation.attributes.items()
            if operation.name == "arith.cmpi" and operands[0] is operands[1]:
                holds = operation.attributes["predicate"].value in _HOLD_OF_EQUALS
                self._first[operation.results[0]] = holds
            else:
                self._note(operation.results[0], key)

    def _note(self, value: Value, key: tuple[Hashable, ...]) -> None:
        whole = *key, value.type
        found = self._known.get(whole)
        if found is None:
            self._known[whole] = found = value
        self._first[value] = found

    def _branch(self, branch: Operation) -> None:
        for block in branch.blocks:
            self.block(block)
        condition = self._of(branch.operands[0])
        ends = [block.terminator.operands for block in branch.blocks]
        for result, *values in zip(branch.results, *ends, strict=True):
            one, other = map(self._of, values)
            if one is other or condition is True:
                self._first[result] = one
            elif condition is False:
                self._first[result] = other
            else:
                self._note(result, ("scf.if", condition, one, other))

    def _loop(self, loop: Operation) -> None:
        slots = _slots_of(loop)
        if slots is None:
            self._body(loop)
            return
        apart = [[number] for number in range(len(slots.given))]
        groups = _alike([self._start(each) for each in slots.given]) if self._left > 0 else apart
        while True:
            for first, *others in groups:
                for number in (first, *others):
                    for arguments in slots.arguments:
                        self._first[arguments[number]] = arguments[first]
            self._body(loop)
            left = map(self._of, slots.left)
            after = _alike(list(zip(_number_of(groups), left, strict=True)))
            if len(after) == len(groups):
                break
            groups = after if self._left > 0 else apart
        self.found[id(loop)] = slots, groups
        for first, *others in groups:
            for number in (first, *others):
                self._first[loop.results[number]] = loop.results[first]

    def _body(self, loop: Operation) -> None:
        """Look at the body of a loop: what is computed there is not known to others."""
        self._known = self._known.new_child()
        for block in loop.blocks:
            self.block(block)
        self._known = self._known.parents

    def _start(self, value: Value) -> Hashable:
        """What is the same for values that may be equal in every iteration: numbers, that is."""
        is_array = isinstance(value.type, bindings.ir.ShapedType)
        return object() if is_array else (self._of(value), value.type)


def _alike(keys: Sequence[Hashable]) -> list[list[int]]:
    """The places of keys, those of equal keys together."""
    groups: dict[Hashable, list[int]] = {}
    for place, key in enumerate(keys):
        groups.setdefault(key, []).append(place)
    return list(groups.values())


def _number_of(groups: Sequence[Sequence[int]]) -> list[int]:
    """By place, the number of its group."""
    found = {place: number for number, group in enumerate(groups) for place in group}
    return [found[place] for place in range(len(found))]
