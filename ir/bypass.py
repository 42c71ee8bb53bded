"""Reasons for which a call of a compiled function takes the long way, through Python.

Machine code that makes calls looks at one number before anything else: how many reasons there are,
in all threads.  Which of them concern the call Python finds out.
"""

from __future__ import annotations

import ctypes
import threading

_count = ctypes.c_int64(0)
_lock = threading.Lock()

ADDRESS = ctypes.addressof(_count)
"""Where the number is."""


def add() -> None:
    """There is one more: a trace that is recorded, a tape that is on."""
    with _lock:
        _count.value += 1


def remove() -> None:
    """One is gone."""
    with _lock:
        _count.value -= 1
