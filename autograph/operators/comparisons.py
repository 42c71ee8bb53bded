"""`is`, `is not`, `in`, `not in`: the comparisons whose result Python makes a bool of."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from agir.autograph.operators.calls import call
from agir.autograph.operators.logical import not_
from agir.autograph.operators.staging import active

__all__ = ["in_", "is_", "is_not", "not_in"]


def is_(left: Any, right: Any) -> Any:
    """``left is right``."""
    found = _staged("is", left, right)
    return left is right if found is None else found[0]


def is_not(left: Any, right: Any) -> Any:
    """``left is not right``."""
    found = _staged("is not", left, right)
    return left is not right if found is None else found[0]


def in_(left: Any, right: Any) -> Any:
    """``left in right``."""
    found = _staged("in", left, right)
    return _contains(left, right) if found is None else found[0]


def not_in(left: Any, right: Any) -> Any:
    """``left not in right``."""
    found = _staged("not in", left, right)
    return not_(_contains(left, right)) if found is None else found[0]


def _contains(left: Any, right: Any) -> Any:
    method = getattr(type(right), "__contains__", None)
    if type(method) is FunctionType:
        return call(method, (right, left))
    return left in right


def _staged(operator: str, left: Any, right: Any) -> tuple[Any] | None:
    for staging in active():
        replacement = staging.compare(operator, left, right)
        if replacement is not None:
            return (replacement(),)
    return None
