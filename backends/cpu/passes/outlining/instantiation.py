"""Copies of blocks that have values in the place of some of their numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from agir.backends.cpu.passes.outlining.blocks import Block, with_regions
from agir.backends.cpu.passes.outlining.numbered_operations import Number, made_constant, renumbered


def copy(block: Block, numbers: Sequence[Number], given: dict[Any, Any]) -> None:
    """Copy a block's operations here, with these numbers in the place of its own.

    `given` is what there is in the place of values around, and becomes also what there is in the
    place of its own.
    """
    copying = _Copying(block, iter(numbers), given)
    for i in range(block.start, block.end):
        copying.add(i)


class _Copying:
    def __init__(self, block: Block, numbers: Iterator[Number], given: dict[Any, Any]) -> None:
        self._body, self._numbers, self._given = block.body, numbers, given
        self._constants: dict[Any, Any] = {}

    def add(self, i: int) -> None:
        """Copy an operation, with what is inside of it."""
        body, given = self._body, self._given
        numbers, operands = [], []
        for description, values in zip(body.described[i], body.operands[i], strict=True):
            numbers.append([next(self._numbers) for _ in description.numbers])
            operands.append([(position, self._value(value)) for position, value in values])
        copies = with_regions(body.operations[i].clone())
        for each, values in zip(copies, operands, strict=True):
            for position, value in values:
                if value is not None:
                    each.operands[position] = value
        for old, new, given_numbers in zip(body.nested[i], copies, numbers, strict=True):
            given.update(zip(old.results, renumbered(new, given_numbers), strict=True))

    def _value(self, value: Any) -> Any | None:
        """What there is in the place of a value, if that is another one."""
        if value in self._given:
            return self._given[value]
        description = self._body.constants.get(value)
        if description is None:
            return self._view(value) if value in self._body.views else None
        key = (value, *[next(self._numbers) for _ in description.numbers])
        if key not in self._constants:
            self._constants[key] = made_constant(self._body.anew[value], key[1:])
        return self._constants[key]

    def _view(self, value: Any) -> Any:
        view = self._body.views[value]
        numbers = [next(self._numbers) for _ in self._body.describe(view).numbers]
        operands = [self._value(each) for each in view.operands]
        copied = view.clone()
        for position, operand in enumerate(operands):
            if operand is not None:
                copied.operands[position] = operand
        self._given[value] = renumbered(copied, numbers)[0]
        return self._given[value]
