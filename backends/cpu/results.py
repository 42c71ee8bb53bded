"""Results: memory that compiled code allocated becomes NumPy arrays that own it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache
from math import prod
from typing import Any

import numpy as np

from agir.backends.cpu.layout import Value

# arrays of at most so many bytes are copied, which is cheaper than an owner
SMALL = 2048

# called without releasing the interpreter's lock, which is quicker
free = ctypes.PyDLL(None).free
free.argtypes = [ctypes.c_void_p]
free.restype = None

Fields = tuple[Any, ...]
Reader = Callable[[Fields], Any]


class _Memory:
    """Owns one allocation of compiled code; arrays keep it as their base."""

    __slots__ = ("__array_interface__", "_allocated", "_release")

    def __init__(self, allocated: int, address: int, size: int) -> None:
        self._allocated = allocated
        self._release = free
        self.__array_interface__ = {
            "version": 3,
            "typestr": "|u1",
            "shape": (size,),
            "data": (address, False),
        }

    def __del__(self) -> None:
        self._release(self._allocated)


@cache
def _bytes_at(size: int) -> Callable[[int], Any]:
    make: Callable[[int], Any] = (ctypes.c_char * size).from_address
    return make


class Results:
    """Turns the fields of a result struct into NumPy values."""

    def __init__(self, values: Sequence[Value], dtypes: Sequence[np.dtype[Any]]) -> None:
        self._readers: list[Reader] = []
        self._buffers: list[int] = []
        at = 0
        for value, dtype in zip(values, dtypes, strict=True):
            if value.shape is None:
                self._readers.append(_scalar_reader(at, value, dtype))
                at += len(value.codes)
            else:
                self._readers.append(_array_reader(at, len(value.shape), dtype))
                self._buffers.append(at)
                at += 3 + 2 * len(value.shape)

    def read(self, fields: Fields) -> list[Any]:
        """The results of a call, which own their memory and share none."""
        buffers = self._buffers
        if len(buffers) > 1 and len({fields[at] for at in buffers}) < len(buffers):
            return self._read_shared(fields)
        return [read(fields) for read in self._readers]

    def _read_shared(self, fields: Fields) -> list[Any]:
        """Read results of which several lie in one allocation: each becomes a copy."""
        unowned = list(fields)
        for at in self._buffers:
            unowned[at] = 0
        # the readers free the null pointer, which does nothing
        values = [np.copy(read(tuple(unowned))) for read in self._readers]
        for allocated in {fields[at] for at in self._buffers}:
            free(allocated)
        return [value[()] for value in values]


def _scalar_reader(at: int, value: Value, dtype: np.dtype[Any]) -> Reader:
    make = dtype.type
    if value.dtype.kind == "c":
        return lambda fields: make(complex(fields[at], fields[at + 1]))
    if value.codes == "H":
        return lambda fields: np.array(fields[at], np.uint16).view(dtype)[()]
    if dtype.kind == "u":
        mask = (1 << 8 * dtype.itemsize) - 1
        return lambda fields: make(fields[at] & mask)
    return lambda fields: make(fields[at])


def _array_reader(at: int, rank: int, dtype: np.dtype[Any]) -> Reader:
    itemsize = dtype.itemsize
    first, last = at + 3, at + 3 + rank
    array_type, view = np.ndarray, _bytes_at

    def read(fields: Fields) -> np.ndarray[Any, Any]:
        shape = fields[first:last]
        size = prod(shape) * itemsize
        allocated = fields[at]
        address = fields[at + 1] + fields[at + 2] * itemsize
        if size > SMALL:
            memory = np.asarray(_Memory(allocated, address, size))
            return memory.view(dtype).reshape(shape)
        array: np.ndarray[Any, Any] = array_type(shape, dtype, view(size)(address)).copy()
        free(allocated)
        return array

    return read
