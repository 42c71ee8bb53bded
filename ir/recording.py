"""Which trace a thread is recording, below all that asks: what a trace is made of asks, too."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

Recorder: TypeAlias = Any
"""A trace, where it is met below its class, and by methods that take it as one above."""


class _Active(threading.local):
    """The traces that a thread is recording, innermost last; None for a part that is not recorded."""

    def __init__(self) -> None:
        self.stack: list[Recorder] = []


_active = _Active()


def current() -> Recorder:
    """The trace that this thread is recording; None if there is none."""
    stack = _active.stack
    return stack[-1] if stack else None


def explained(message: str) -> str:
    """The message, with the user's line where a function is traced."""
    trace = current()
    return message if trace is None else str(trace.explain(message))


def begin(trace: Recorder) -> None:
    """This thread records a trace from now on, until that ends."""
    _active.stack.append(trace)


def end() -> None:
    """The trace that was begun last has ended."""
    _active.stack.pop()


@contextmanager
def suspended() -> Iterator[None]:
    """Nothing is recorded meanwhile: a module that is imported late makes what is its own."""
    stack = _active.stack
    if not stack:
        yield
        return
    stack.append(None)
    try:
        yield
    finally:
        stack.pop()
