"""The functions that plain Python runs in this thread, in the place of compiled code.

Calls of theirs that come back to themselves stay with Python; others are compiled, and give Python the
numbers that it would have computed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

from agir.config import config

Value = TypeVar("Value")


class _Running(threading.local):
    """Those of one thread, the innermost one last."""

    functions: tuple[Any, ...] = ()


_running = _Running()


def are_under_way() -> bool:
    """Whether plain Python runs a function in this thread."""
    return bool(_running.functions)


def is_running(function: Any) -> bool:
    """Whether it runs this one."""
    return any(each is function for each in _running.functions)


def run(function: Any, call: Callable[[], Value]) -> Value:
    """Make a call of a function as plain Python's, while which calls of decorated functions ask."""
    outer = _running.functions
    config.have_calls_ask(True)
    _running.functions = (*outer, function)
    try:
        return call()
    finally:
        _running.functions = outer
        config.have_calls_ask(False)
