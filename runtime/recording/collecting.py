"""Python's garbage collector while a program is recorded.

Recording makes many objects, and keeps nearly all of them: looking through them after each seven
hundred, as is Python's habit, takes a tenth of the time and finds nothing.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_OBJECTS = 100_000
"""New objects after which the collector looks at them."""
_lock = threading.Lock()
_recordings = 0
_before = (0, 0, 0)


@contextmanager
def seldom() -> Iterator[None]:
    """The collector runs seldom meanwhile, in all threads; one that is switched off stays so."""
    global _recordings, _before
    with _lock:
        if not _recordings:
            _before = gc.get_threshold()
            if 0 < _before[0] < _OBJECTS:
                gc.set_threshold(_OBJECTS, *_before[1:])
        _recordings += 1
    try:
        yield
    finally:
        with _lock:
            _recordings -= 1
            if not _recordings:
                gc.set_threshold(*_before)
