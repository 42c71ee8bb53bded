"""LLVM's engines that have done their work are destroyed beside what goes on.

For what a program might have registered to be run at its end, an engine that is destroyed compiles
a module of its own: a quarter of what a small function takes.  So another thread does that.  It is
not one of Python's: those begin by waiting for Python's lock, and whoever starts one waits for that,
which takes a millisecond.
"""

from __future__ import annotations

import atexit
import ctypes
import threading
from functools import cache
from typing import Any

from agir.backends.mlir.lock import compiling
from agir.ir.building import bindings


def let_go(engine: Any) -> None:
    """Destroy an engine whose code nobody uses, soon."""
    destroy = _destroy()
    if destroy is None:
        return  # Python destroys it when the caller has let it go
    pointer = _pointer(engine)
    engine._testing_release()  # which leaves it to us
    _waiting.start(destroy, pointer)


class _Waiting:
    """The thread that destroys an engine; at most one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread: ctypes.c_void_p | None = None
        self._ended = False
        compiling.before_forks(self.wait)  # a child would have its locks, and not the thread
        atexit.register(self.end)  # LLVM takes its tables away when the process ends

    def start(self, function: Any, argument: int) -> None:
        """Call a function of C's with an address as soon as the one before is done."""
        with self._lock:
            self._join()
            self._thread = None if self._ended else _thread(function, argument)
            if self._thread is None:
                function(argument)

    def wait(self) -> None:
        """Return when nothing is left to be destroyed."""
        with self._lock:
            self._join()

    def end(self) -> None:
        """Wait, and destroy at once what comes from now on."""
        with self._lock:
            self._ended = True
            self._join()

    def _join(self) -> None:
        if self._thread is not None:
            _threads().pthread_join(self._thread, None)
            self._thread = None


_waiting = _Waiting()


def _thread(function: Any, argument: int) -> ctypes.c_void_p | None:
    """A thread that calls a function of C's; None where there cannot be one."""
    threads = _threads()
    made = ctypes.c_void_p()
    if threads is None or threads.pthread_create(ctypes.byref(made), None, function, argument):
        return None
    return made


@cache
def _threads() -> Any:
    """The library that has the system's threads; None where they are called otherwise."""
    try:
        library = ctypes.CDLL(None)
        create, join = library.pthread_create, library.pthread_join
    except (AttributeError, OSError, TypeError):
        return None
    create.argtypes = [ctypes.c_void_p] * 4
    join.argtypes = [ctypes.c_void_p] * 2
    return library


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
