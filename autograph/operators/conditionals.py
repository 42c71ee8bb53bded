"""`if` statements and conditional expressions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agir.autograph.operators.staging import State, find

__all__ = ["if_exp", "if_stmt", "skip"]


def skip() -> None:
    """The branch of an `if` statement that is not there."""


def if_stmt(cond: Any, body: Callable[[], None], orelse: Callable[[], None], state: State) -> None:
    """``if cond: body() else: orelse()``."""
    if staging := find(cond):
        staging.if_stmt(cond, body, orelse, state)
    elif cond:
        body()
    else:
        orelse()


def if_exp(cond: Any, body: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
    """``body() if cond else orelse()``."""
    if staging := find(cond):
        return staging.if_exp(cond, body, orelse)
    return body() if cond else orelse()
