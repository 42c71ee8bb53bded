"""`and`, `or`, `not`; a chained comparison is an `and` of comparisons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agir.autograph.operators.staging import find

__all__ = ["and_", "not_", "or_"]


def and_(left: Any, right: Callable[[], Any]) -> Any:
    """``left and right()``."""
    if staging := find(left):
        return staging.and_(left, right)
    return left and right()


def or_(left: Any, right: Callable[[], Any]) -> Any:
    """``left or right()``."""
    if staging := find(left):
        return staging.or_(left, right)
    return left or right()


def not_(value: Any) -> Any:
    """``not value``."""
    if staging := find(value):
        return staging.not_(value)
    return not value
