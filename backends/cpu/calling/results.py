"""Results: memory that compiled code allocated becomes NumPy arrays."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache
from math import prod
from typing import Any

import numpy as np

from agir.backends.cpu.calling.layout import Value
from agir.backends.cpu.calling.pool import LARGE, running

# arrays of at most so many bytes are copied, which is cheaper than an owner
SMALL = 2048

# called without releasing the interpreter's lock, which is quicker
free = ctypes.PyDLL(None).free
free.argtypes = [ctypes.c_void_p]
free.restype = None


class _Memory:
    """Owns one allocation of compiled code; arrays keep it as their base."""

    __slots__ = ("__array_interface__", "_allocated", "_release")

    def __init__(
        self, allocated: int, address: int, size: int, kind: str, shape: tuple[int, ...]
    ) -> None:
        self._allocated = allocated
        self._release: Callable[[int], None] = free
        if size >= LARGE and (large := running()):
            large.follow_config()
            self._release = large.release
        self.__array_interface__ = {
            "version": 3,
            "typestr": kind,
            "shape": shape,
            "data": (address, False),
        }

    def __del__(self) -> None:
        self._release(self._allocated)


def owned(
    allocated: int, address: int, size: int, dtype: np.dtype[Any], shape: tuple[int, ...]
) -> np.ndarray[Any, Any]:
    """An array of an allocation, which is freed with it."""
    array = np.asarray(_Memory(allocated, address, size, dtype.str, shape))
    return array if dtype.isbuiltin == 1 else array.view(dtype)  # bfloat16 is bytes to NumPy


@cache
def bytes_at(size: int) -> Callable[[int], Any]:
    """The function from an address to a buffer of so many bytes, which is not freed."""
    make: Callable[[int], Any] = (ctypes.c_char * size).from_address
    return make


def scalar_reader(value: Value, dtype: np.dtype[Any]) -> Callable[..., Any]:
    """The function from the parts of a scalar result to the NumPy scalar."""
    make = dtype.type
    if value.dtype.kind == "c":
        return lambda real, imag: make(complex(real, imag))
    if value.codes == "H":
        return lambda bits: np.array(bits, np.uint16).view(dtype)[()]
    if dtype.kind == "u":
        mask = (1 << 8 * dtype.itemsize) - 1
        return lambda number: make(number & mask)
    return make


def read_shared(
    fields: Sequence[Any], values: Sequence[Value], dtypes: Sequence[np.dtype[Any]]
) -> list[Any]:
    """Read results of which several lie in one allocation: every array becomes a copy."""
    found: list[Any] = []
    allocations = set()
    at = 0
    for value, dtype in zip(values, dtypes, strict=True):
        if value.shape is None:
            parts = fields[at : at + len(value.codes)]
            found.append(scalar_reader(value, dtype)(*parts))
            at += len(parts)
        else:
            rank = len(value.shape)
            shape = tuple(fields[at + 3 : at + 3 + rank])
            memory = bytes_at(prod(shape) * dtype.itemsize)(fields[at + 1])
            found.append(np.ndarray(shape, dtype, memory).copy())
            allocations.add(fields[at])
            at += 3 + 2 * rank
    for allocated in allocations:
        free(allocated)
    return found
