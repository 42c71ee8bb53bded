"""Uniform random numbers that machine code draws without Python.

NumPy's bit generators offer their state and C functions that draw from it (``BitGenerator.ctypes``).
Where a program draws one number at a time, it calls that function, under the generator's lock.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np


class Stream:
    """Doubles in [0, 1) of a generator: of one that is there, or of one that a call makes."""

    def __init__(self, generator: Any = None) -> None:
        self._given = generator
        self._bits: Any = None
        self._lock = threading.RLock()
        self.cell = (ctypes.c_int64 * 2)()
        """What machine code looks into: the address of the state, and that of the function."""
        self.point(np.random.Generator(np.random.PCG64(0)))  # whatever happens, there is one

    @property
    def is_given(self) -> bool:
        """Whether its generator is there before the call, and after it."""
        return self._given is not None

    def point(self, generator: Any) -> None:
        """Draw from this generator from now on."""
        bits = getattr(generator, "bit_generator", None) or generator._bit_generator
        if bits is not self._bits:
            interface = bits.ctypes
            function = ctypes.cast(interface.next_double, ctypes.c_void_p).value or 0
            self._bits, self.cell[:] = bits, [interface.state_address, function]

    def next(self) -> float:
        """The next number, drawn by Python."""
        interface = self._bits.ctypes
        return float(interface.next_double(interface.state))

    @contextmanager
    def reserved(self) -> Iterator[None]:
        """A call of a program that draws from it, which nobody else does meanwhile."""
        with self._lock:
            before = self._bits, list(self.cell)
            try:
                if self._given is None:
                    yield
                else:
                    self.point(self._given)
                    with self._bits.lock:
                        yield
            finally:
                self._bits, self.cell[:] = before


Call = Callable[[Sequence[Any]], list[Any]]


def reserving(call: Call, given: Iterable[Any]) -> Call:
    """A call, which alone draws from the streams while it lasts."""
    streams = sorted((each for each in given if isinstance(each, Stream)), key=id)
    if not streams:
        return call

    def drawing(arguments: Sequence[Any]) -> list[Any]:
        with ExitStack() as stack:
            for stream in streams:  # in an order that is that of all threads
                stack.enter_context(stream.reserved())
            return call(arguments)

    return drawing
