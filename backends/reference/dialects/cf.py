"""Branches between the blocks of a function: the `cf` dialect, and what LLVM's has of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agir.backends.reference.core import attributes
from agir.backends.reference.core.operation import Block, Frame
from agir.backends.reference.core.types import value_type
from agir.errors import UnsupportedOperation

Leave = Callable[[Sequence[Any]], tuple[int | None, Sequence[Any]]]
"""From the operands of a terminator to the number of the next block, or None, and its arguments."""

TERMINATORS = frozenset(
    f"{dialect}.{name}" for dialect in ("cf", "llvm") for name in ("br", "cond_br", "switch")
)


class Flow:
    """The blocks of a function, each with what it leaves by."""

    def __init__(self, blocks: Sequence[Block], leaves: Sequence[Leave]) -> None:
        self._blocks, self._leaves = blocks, leaves

    def run(self, frame: Frame, arguments: Sequence[Any]) -> list[Any]:
        """Execute blocks until one returns."""
        at: int | None = 0
        while at is not None:
            here = at
            at, arguments = self._leaves[here](self._blocks[here].run(frame, arguments))
        return list(arguments)


def leave(terminator: Any, blocks: Sequence[Any]) -> Leave:
    """What a terminator does, in a function of these blocks."""
    targets = [blocks.index(each) for each in terminator.successors]
    name = terminator.name.partition(".")[2]
    if name == "br":
        return lambda operands: (targets[0], operands)
    if name == "cond_br":
        return _conditional(terminator, targets)
    if name == "switch":
        return _switch(terminator, targets)
    if targets:
        raise UnsupportedOperation("the terminator has no rule")
    return lambda operands: (None, operands)


def _conditional(terminator: Any, targets: Sequence[int]) -> Leave:
    _, then, _ = attributes.read(terminator, "operandSegmentSizes")

    def go(operands: Sequence[Any]) -> tuple[int, Sequence[Any]]:
        condition, *given = operands
        return (targets[0], given[:then]) if condition else (targets[1], given[then:])

    return go


def _switch(terminator: Any, targets: Sequence[int]) -> Leave:
    _, default, _ = attributes.read(terminator, "operandSegmentSizes")
    sizes = [default, *attributes.read(terminator, "case_operand_segments", ())]
    starts = [sum(sizes[:n]) for n in range(len(sizes))]
    values = attributes.read(terminator, "case_values", ())
    dtype = value_type(terminator.operands[0].type).dtype
    cases = {dtype.type(value): n + 1 for n, value in enumerate(values)}

    def go(operands: Sequence[Any]) -> tuple[int, Sequence[Any]]:
        flag, *given = operands
        chosen = cases.get(flag, 0)
        start = starts[chosen]
        return targets[chosen], given[start : start + sizes[chosen]]

    return go
