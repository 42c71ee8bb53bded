"""Calls of functions of the LLVM dialect, which get and give buffers in parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from agir.errors import UnsupportedOperation

from .core.bytes import Memory
from .core.memory import Buffer, MemRef, row_major
from .core.types import ValueType
from .functions import Function


class Lowered:
    """A function that a `func.func` has become, called as that was."""

    def __init__(self, function: Function, memory: Memory) -> None:
        self._function, self._memory = function, memory

    def run(self, arguments: Sequence[Any]) -> list[Any]:
        """Execute the function; what it writes into buffers is in the arguments."""
        buffers = [(each, self._put(each)) for each in arguments if isinstance(each, MemRef)]
        addresses = iter([address for _, address in buffers])
        operands: list[Any] = []
        for each in arguments:
            operands += _parts(each, next(addresses)) if isinstance(each, MemRef) else _scalar(each)
        found = self._function.run(operands)
        for memref, address in buffers:
            data = memref.buffer.data
            data.view(np.uint8)[...] = self._memory.at(address, data.nbytes)
        outputs = self._function.outputs
        results = found[0] if len(outputs) > 1 else found
        return [self._taken(*pair) for pair in zip(results, outputs, strict=True)]

    def _put(self, memref: MemRef) -> int:
        """The address of the elements of a buffer."""
        return self._memory.put(memref.buffer.data.view(np.uint8).copy())

    def _taken(self, value: Any, type_: ValueType) -> Any:
        """A result: a number, or the elements of the buffer whose parts these are."""
        if not type_.is_memref:
            return type_.dtype.type(complex(*value)) if type_.dtype.kind == "c" else value
        if type_.shape is None:
            raise UnsupportedOperation("a result without a rank")
        _, aligned, offset, sizes, strides = (*value, (), ())[:5]
        dtype = type_.dtype
        steps = [(int(n) - 1) * int(s) for n, s in zip(sizes, strides, strict=True)]
        count = 0 if 0 in sizes else 1 + sum(steps)
        data = np.empty(0, dtype)
        if count:
            at = int(aligned) + int(offset) * dtype.itemsize
            data = self._memory.at(at, count * dtype.itemsize).copy().view(dtype)
        return MemRef(Buffer(data), 0, list(map(int, sizes)), list(map(int, strides)))


def _parts(memref: MemRef, address: int) -> Iterator[Any]:
    yield from (np.int64(address), np.int64(address), np.int64(0))
    yield from map(np.int64, memref.sizes)
    yield from map(np.int64, row_major(memref.sizes))


def _scalar(value: Any) -> list[Any]:
    if np.iscomplexobj(value):
        return [(value.real, value.imag)]
    return [value]
