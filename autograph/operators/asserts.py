"""`assert`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agir.autograph.operators.conditionals import truth
from agir.autograph.operators.staging import find

__all__ = ["assert_stmt", "no_message"]


def no_message() -> None:
    """The message of an assertion without one."""


def assert_stmt(test: Any, message: Callable[[], object] = no_message) -> None:
    """``assert test, message()``."""
    test = truth(test)
    if staging := find(test):
        staging.assert_stmt(test, message)
    elif not test:
        raise AssertionError if message is no_message else AssertionError(message())
