"""One compilation at a time: MLIR's passes and LLVM's code generator share one context.

Python collects no garbage meanwhile: passes look at modules through thousands of short-lived objects
in no cycles, and each collection would look at all that the process holds.

A process that forks waits for it: the child would have the lock, and not the thread that holds it.
"""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable


class _Compiling:
    """A lock that the thread which holds it may take again."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._depth = 0
        self._resumes = False
        self._others: list[Callable[[], None]] = []
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(
                before=self._settle, after_in_parent=self.__exit__, after_in_child=self.__exit__
            )

    def before_forks(self, wait: Callable[[], None]) -> None:
        """Have a process that forks call this when nothing is being compiled."""
        self._others.append(wait)

    def _settle(self) -> None:
        self.__enter__()
        for wait in self._others:
            wait()

    def __enter__(self) -> None:
        self._lock.acquire()
        if self._depth == 0 and gc.isenabled():
            gc.disable()
            self._resumes = True
        self._depth += 1

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        if self._depth == 0 and self._resumes:
            self._resumes = False
            gc.enable()
        self._lock.release()


compiling = _Compiling()
