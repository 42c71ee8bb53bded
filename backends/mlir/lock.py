"""One compilation at a time: MLIR's passes and LLVM's code generator share one context.

Python collects no garbage meanwhile: passes look at modules through thousands of short-lived objects
in no cycles, and each collection would look at all that the process holds.
"""

from __future__ import annotations

import gc
import threading


class _Compiling:
    """A lock that the thread which holds it may take again."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._depth = 0
        self._resumes = False

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
