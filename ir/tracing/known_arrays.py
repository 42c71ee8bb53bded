"""NumPy arrays that a function gets while it is traced, of values that are known then.

What NumPy makes of such values, `np.argsort([3, 1, 2])`, stays an array of NumPy's: it can say what
is recorded, a shape or the order of axes.  That holds as long as nothing writes into it: a write in a
branch or loop would happen once, while that is recorded, and what has been recorded of the array, a
view of it or one of several arrays, would not see it.  A trace in which one is written into is made
again, and there all of them are tensors from the beginning.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from types import FrameType
from typing import Any

import numpy as np

from agir.ir.recording import Recorder
from agir.ir.tensors.symbolic import Retrace

_Array = np.ndarray[Any, Any]
_Frames = Callable[[], Iterable[Iterable[FrameType]]]
_Kept = tuple["weakref.ref[_Array]", _Array]


class RecordArrays(Retrace):
    """An array is written into whose elements were taken to be known."""

    def tell(self, trace: Recorder) -> None:
        """Arrays that NumPy makes are tensors."""
        trace.known_arrays.are_recorded = True


class KnownArrays:
    """Those of a trace."""

    def __init__(self, frames: _Frames, refuse: Callable[[], None]) -> None:
        self.are_recorded = False
        """Whether arrays that NumPy makes are tensors from the beginning."""
        self._frames = frames
        self._refuse = refuse
        self._found: dict[int, weakref.ref[_Array]] | None = None
        self._used: dict[int, _Kept] = {}

    def note(self, array: _Array) -> None:
        """An array has come into the user's hands."""
        self._found = self._found or {}
        self._found[id(array)] = weakref.ref(array)

    def use(self, array: _Array) -> None:
        """Something is recorded of the elements that an array has now."""
        known = self._used.get(id(array))
        if known is None or known[0]() is not array:
            self._used[id(array)] = _kept(array)

    def written(self) -> None:
        """One is written into, or may be, and not only while tracing: begin again if that helps."""
        if not self.are_recorded:
            raise RecordArrays

    def end(self) -> None:
        """The trace ends: what it has recorded must be what the arrays are."""
        if any(map(_has_changed, self._used.values())):
            self.written()
            self._refuse()

    def watch(self) -> Callable[[], None]:
        """Something begins that is recorded, or may be taken back; gives what is called at its end."""
        before = [_kept(each) for each in self._around()]

        def check() -> None:
            if any(map(_has_changed, before)):
                self.written()
                self._refuse()

        return check

    def _around(self) -> Iterable[_Array]:
        """The arrays that a region may write into: those noted, and what was computed of them."""
        if self._found is None:
            return ()
        noted = {key: array for key, ref in self._found.items() if (array := ref()) is not None}
        self._found = {key: self._found[key] for key in noted}
        frames = (frame for frames in self._frames() for frame in frames)
        locals_ = (value for frame in frames for value in frame.f_locals.values())
        return (
            noted | {id(each): each for each in locals_ if isinstance(each, np.ndarray)}
        ).values()


def _kept(array: _Array) -> _Kept:
    return weakref.ref(array), array.copy()


def _has_changed(kept: _Kept) -> bool:
    array, before = kept[0](), kept[1]
    if array is None:
        return False
    if array.shape != before.shape or array.dtype != before.dtype:
        return True
    return array.tobytes() != before.tobytes()
