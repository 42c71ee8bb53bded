"""The lock of a variable, which belongs to a call and not to a thread.

A call that needs much stack is made on a thread of its own (`agir.backends.stack`) while its caller
waits.  What Python does there, in a callback, is done for the caller, and finds its locks open.
"""

from __future__ import annotations

import threading

from agir.backends.stack import waiting_thread


class CallLock:
    """A lock that who has it can take again."""

    __slots__ = ("_depth", "_lock", "_owner")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._owner = 0
        self._depth = 0

    def acquire(self) -> None:
        """Take it; waits for who has it."""
        thread = waiting_thread()
        if self._owner != thread:
            self._lock.acquire()
            self._owner = thread
        self._depth += 1

    def release(self) -> None:
        """Give it back."""
        self._depth -= 1
        if not self._depth:
            self._owner = 0
            self._lock.release()

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(self, *exception: object) -> None:
        self.release()
