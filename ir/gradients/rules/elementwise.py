"""How rules of elementwise operations are written: one formula for each operand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agir.ir.gradients.core.expressions import Expression
from agir.ir.gradients.core.sweep import RULES, Sweep

Formula = Callable[..., Expression | None]
"""``(cotangent, *operands, result)``: what is added to the cotangent of one operand."""


FORMULAS: dict[str, Sequence[Formula | None]] = {}
"""The formulas of each operation, which the forward sweep uses, too."""


CONSTANT: set[str] = set()
"""Operations that are constant almost everywhere."""


def elementwise(name: str, *formulas: Formula | None) -> None:
    """Add the rule of an operation with one formula for each operand, None for no derivative."""

    def rule(sweep: Sweep, operation: Any, cotangents: list[Any]) -> None:
        operands = [sweep.expression(value) for value in operation.operands]
        (received,) = cotangents
        result = sweep.expression(operation.result)
        for value, formula in zip(operation.operands, formulas, strict=True):
            if formula is not None and sweep.wants(value):
                found = formula(sweep.received(received), *operands, result)
                if found is not None:
                    sweep.add(value, found)

    RULES[name] = rule
    FORMULAS[name] = formulas


def without_derivative(*names: str) -> None:
    """Operations that are constant almost everywhere, or whose results carry no cotangents."""
    for name in names:
        CONSTANT.add(name)
        RULES[name] = lambda sweep, operation, cotangents: None
