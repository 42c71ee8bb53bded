"""`and`, `or`, `not`; a chained comparison is an `and` of comparisons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agir.autograph.operators.conditionals import choose
from agir.autograph.operators.staging import State, find, no_state

__all__ = ["and_", "not_", "or_"]


def and_(left: Any, right: Callable[[], Any], state: State = no_state) -> Any:
    """``left and right()``; `state` are the variables that ``:=`` binds on the right."""
    if staging := find(left):
        if state is not no_state:
            return choose(staging, left, right, lambda: left, state)
        return staging.and_(left, right)
    return left and right()


def or_(left: Any, right: Callable[[], Any], state: State = no_state) -> Any:
    """``left or right()``; `state` as in `and_`."""
    if staging := find(left):
        if state is not no_state:
            return choose(staging, left, lambda: left, right, state)
        return staging.or_(left, right)
    return left or right()


def not_(value: Any) -> Any:
    """``not value``."""
    if staging := find(value):
        return staging.not_(value)
    return not value
