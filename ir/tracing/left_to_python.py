"""Loops that Python runs while tracing: those that compute from constants alone, and short ones.

They are recorded where that takes Python long.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from agir.ir.recording import Recorder
from agir.ir.tensors.symbolic import Retrace

MOST = 10_000
"""Iterations of a loop, and of those inside it: more of them would take seconds."""


class Loops:
    """What recording has learnt of the loops of a function, by the code of their bodies.

    It holds for the function's next traces too: they differ by knowing less.
    """

    def __init__(self) -> None:
        self.not_unrolled: set[Any] = set()
        """Short ones that were too much when they were unrolled."""
        self.not_of_use: set[Any] = set()
        """Those that were too much though unrolling them was of use, or it was of none in the end."""
        self.resumes = False
        """Whether what ``map`` and its like give is gone on with, the run time knows how far."""


class Long(Retrace):
    """Ends the trace: loops that were left to Python take long there."""

    def __init__(self, codes: Iterable[Any]) -> None:
        self.codes = codes

    def tell(self, trace: Recorder) -> None:
        """They are recorded."""
        trace.left_to_python.long.update(self.codes)


class Resuming(Retrace):
    """Ends the trace: what a function of Python's gives is a generator that can be gone on with."""

    def tell(self, trace: Recorder) -> None:
        """They are."""
        trace.loops.resumes = True


class LeftToPython:
    """The loops that Python runs, and how many iterations it has run of each."""

    def __init__(self) -> None:
        self.counts: dict[Any, int] = {}
        """By the code of the outermost one's body."""
        self.total = 0
        self.long: set[Any] = set()
        """The bodies of those that are too long for Python."""
        self.are_running = False
        """Whether no loop inside the one that runs computes anything from run-time values."""
        self._outermost: Any = None

    @contextmanager
    def unrolling(self, code: Any) -> Iterator[None]:
        """Python runs a loop whose body is this code, perhaps inside another one."""
        around = self._outermost
        self._outermost = around or code
        try:
            yield
        finally:
            self._outermost = around

    @contextmanager
    def running(self, code: Any) -> Iterator[None]:
        """The same for a loop that computes from constants alone."""
        around, self.are_running = self.are_running, True
        try:
            with self.unrolling(code):
                yield
        finally:
            self.are_running = around

    def count(self) -> None:
        """Another iteration, which may be too much."""
        code = self._outermost
        if code is None:
            return
        self.total += 1
        self.counts[code] = count = self.counts.get(code, 0) + 1
        if count > MOST or self.total > 2 * MOST:
            raise Long([each for each, n in self.counts.items() if n * 8 > self.total])
