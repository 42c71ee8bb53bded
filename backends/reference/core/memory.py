"""Memory for interpreted programs: buffers, and what refers to parts of them.

A buffer that has been freed, or a place outside of it, is undefined to touch, and what has not been
written to holds what shows in results.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from agir.errors import UndefinedBehaviour

from .types import unset

_ALIGNMENT = 64
_addresses = itertools.count(1 << 20, 1 << 32)
"""Made up, and far apart: only whether two are equal, or are multiples of something, means anything."""


class Buffer:
    """What one allocation gives: elements one behind the other."""

    __slots__ = ("address", "data", "is_freed")

    def __init__(self, data: np.ndarray[Any, Any]) -> None:
        self.data = data
        self.address = next(_addresses) * _ALIGNMENT
        self.is_freed = False

    @classmethod
    def empty(cls, dtype: np.dtype[Any], count: int) -> Buffer:
        """So many elements, nothing of which has been written."""
        return cls(unset(count, dtype))

    def free(self) -> None:
        """End it; once."""
        if self.is_freed:
            raise UndefinedBehaviour("a buffer is freed that has been freed before")
        self.is_freed = True


class MemRef:
    """A memref: elements of a buffer, from an offset on, by sizes and strides (in elements)."""

    __slots__ = ("_array", "buffer", "offset", "sizes", "strides")

    def __init__(
        self, buffer: Buffer, offset: int, sizes: Sequence[int], strides: Sequence[int]
    ) -> None:
        self.buffer = buffer
        self.offset = offset
        self.sizes = tuple(sizes)
        self.strides = tuple(strides)
        self._array: Any = None

    @classmethod
    def of(cls, array: np.ndarray[Any, Any]) -> MemRef:
        """A buffer of its own with the elements of an array, in C order."""
        return cls.contiguous(Buffer(np.array(array).reshape(-1)), array.shape)

    @classmethod
    def contiguous(cls, buffer: Buffer, sizes: Sequence[int]) -> MemRef:
        """The first elements of a buffer in C order."""
        return cls(buffer, 0, sizes, row_major(sizes))

    @property
    def array(self) -> np.ndarray[Any, Any]:
        """The elements, as an array that shares their memory."""
        if self.buffer.is_freed:
            raise UndefinedBehaviour("a buffer is used that has been freed")
        if self._array is None:
            self._array = self._view()
        return self._array  # type: ignore[no-any-return]

    def _view(self) -> np.ndarray[Any, Any]:
        data = self.buffer.data
        if any(size < 0 for size in self.sizes):
            raise UndefinedBehaviour(f"a memref of sizes {self.sizes}")
        if 0 in self.sizes:
            return np.empty(self.sizes, data.dtype)
        steps = [(n - 1) * s for n, s in zip(self.sizes, self.strides, strict=True)]
        first = self.offset + sum(step for step in steps if step < 0)
        last = self.offset + sum(step for step in steps if step > 0)
        if first < 0 or last >= data.size:
            raise UndefinedBehaviour(f"elements {first} to {last} of a buffer that has {data.size}")
        strides = [step * data.itemsize for step in self.strides]
        return np.lib.stride_tricks.as_strided(data[self.offset :], self.sizes, strides)


def row_major(sizes: Sequence[int]) -> tuple[int, ...]:
    """The strides of an array in C order."""
    strides, step = [], 1
    for size in reversed(sizes):
        strides.append(step)
        step *= size
    return tuple(reversed(strides))
