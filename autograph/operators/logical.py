"""`and`, `or`, `not`; a chained comparison is an `and` of comparisons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agir.autograph.operators.conditionals import choose, truth
from agir.autograph.operators.staging import State, find, no_state

__all__ = ["and_", "condition", "not_", "or_"]


def and_(left: Any, right: Callable[[], Any], state: State = no_state) -> Any:
    """``left and right()``; `state` are the variables that ``:=`` binds on the right."""
    condition = truth(left)
    if staging := find(condition):
        if state is not no_state:
            return choose(staging, condition, right, lambda: left, state)
        if condition is not left:
            return staging.if_exp(condition, right, lambda: left)
        return staging.and_(left, right)
    return right() if condition else left


def or_(left: Any, right: Callable[[], Any], state: State = no_state) -> Any:
    """``left or right()``; `state` as in `and_`."""
    condition = truth(left)
    if staging := find(condition):
        if state is not no_state:
            return choose(staging, condition, lambda: left, right, state)
        if condition is not left:
            return staging.if_exp(condition, lambda: left, right)
        return staging.or_(left, right)
    return left if condition else right()


def condition(value: Any) -> Any:
    """An operand of a condition, of which only the truth counts."""
    value = truth(value)
    staging = find(value)
    return staging.condition(value) if staging else value


def not_(value: Any) -> Any:
    """``not value``."""
    value = truth(value)
    if staging := find(value):
        return staging.not_(value)
    return not value
