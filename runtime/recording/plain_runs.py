"""The functions that plain Python runs in this thread, in the place of compiled code.

Calls that come back to them stay with Python: they nest about as deeply as plain calls do, and none is
tried in vain.  Other functions are compiled.
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
