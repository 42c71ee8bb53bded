"""LLVM's engines that have done their work are destroyed beside what goes on.

For what a program might have registered to be run at its end, an engine that is destroyed compiles
a module of its own: a quarter of what a small function takes.  So another thread does that, which
does not hold Python's lock.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from functools import cache
from typing import Any

from agir.backends.mlir.lock import compiling
from agir.ir import bindings


def let_go(engine: Any) -> None:
    """Destroy an engine whose code nobody uses, soon."""
    destroy = _destroy()
    if destroy is None:
        return  # Python destroys it when the caller has let it go
    pointer = _pointer(engine)
    engine._testing_release()  # which leaves it to us
    _waiting.start(lambda: destroy(pointer))


class _Waiting:
    """The thread that destroys an engine; at most one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        compiling.before_forks(self.wait)  # a child would have its locks, and not the thread

    def start(self, target: Callable[[], None]) -> None:
        """Run a function as soon as the one before is done."""
        with self._lock:
            self._join()
            self._thread = threading.Thread(target=target, name="agir-engine")
            try:
                self._thread.start()
            except RuntimeError:  # at the end of the process, or where there are too many threads
                self._thread = None
                target()

    def wait(self) -> None:
        """Return when nothing is left to be destroyed."""
        with self._lock:
            self._join()

    def _join(self) -> None:
        if self._thread is not None:
            self._thread.join()
            self._thread = None


_waiting = _Waiting()


def _pointer(engine: Any) -> int:
    """The address of MLIR's object."""
    capsule = engine._CAPIPtr
    name = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object)
    pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
    known = name(("PyCapsule_GetName", ctypes.pythonapi))(capsule)
    return int(pointer(("PyCapsule_GetPointer", ctypes.pythonapi))(capsule, known))


@cache
def _destroy() -> Any:
    """MLIR's function, which takes an address; None where the bindings do not have it."""
    try:
        found = ctypes.CDLL(bindings.library()).mlirExecutionEngineDestroy
    except (AttributeError, OSError, ValueError):
        return None
    found.argtypes, found.restype = [ctypes.c_void_p], None
    return found
