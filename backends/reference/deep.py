"""Interpreting recursive functions, each level of which is many of Python's own."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from agir.backends.stack import on_large_stack

_LEVELS = 64
"""The interpreter's calls for one of the program's, with its regions inside each other."""

_BYTES = 512
"""Of stack for one call of the interpreter, where Python takes any for that."""

_MOST_BYTES = 1 << 30

T = TypeVar("T")

_lock = threading.Lock()
_raised: list[int] = []
"""By how much the calls under way have raised Python's limit."""


def run(depth: int, function: Callable[[], T]) -> T:
    """The result of a function that interprets a recursion of that depth."""
    if not depth:
        return function()
    levels = depth * _LEVELS
    with _recursion_limit(levels):
        return on_large_stack(function, min(levels * _BYTES, _MOST_BYTES))


@contextmanager
def _recursion_limit(more: int) -> Iterator[None]:
    """Raise Python's limit, which all threads share, until the last one has finished."""
    with _lock:
        _raised.append(more)
        sys.setrecursionlimit(sys.getrecursionlimit() + more)
    try:
        yield
    finally:
        with _lock:
            _raised.remove(more)
            sys.setrecursionlimit(sys.getrecursionlimit() - more)
