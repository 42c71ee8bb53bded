"""From NumPy values to the memory that a compiled function reads.

A *frame* is that memory for one call in flight: *cells* for what differs from call to call (one
pointer an array, and the sizes and strides that are not known), the constants that descriptors
need besides, room for the results, and the array of pointers to all of it.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from typing import Any

from agir.backends.cpu.calling.layout import Signature, Value


class Plan:
    """Where everything lies in the frames of one function; made once."""

    def __init__(self, signature: Signature) -> None:
        self.fields: list[int] = []
        self.constants: list[tuple[int, int]] = []
        self._known: dict[int, int] = {}
        self._codes = ""
        deferred = self._place_arguments(signature.arguments)
        self.cells = struct.Struct("=" + self._codes)
        self.size = _aligned(self.cells.size, 8)
        for position, number in deferred:
            self.fields[position] = self._constant(number)
        self._results = signature.results
        self.results = struct.Struct("=" + _struct_codes(signature.results))
        self.results_at = self._reserve(self.results.size)
        self.fields.append(self.results_at)
        self.pointers = self._reserve(8 * len(self.fields))

    def result_at(self, number: int) -> int:
        """Where a frame has a result."""
        before, value = self._results[:number], self._results[number]
        alignment = 8 if value.shape is not None else value.part_size
        return self.results_at + _aligned(struct.calcsize("=" + _struct_codes(before)), alignment)

    def _place_arguments(self, values: Sequence[Value]) -> list[tuple[int, int]]:
        """Lay out the cells; gives the fields that want a constant, for which comes after them."""
        deferred: list[tuple[int, int]] = []
        for value in values:
            if value.shape is None:
                self.fields.append(self._cell(value.codes, value.part_size))
                continue
            pointer = self._cell("q", 8)
            self.fields += [pointer, pointer]
            for number in (0, *value.shape, *value.strides):
                if number is None:
                    self.fields.append(self._cell("q", 8))
                else:
                    deferred.append((len(self.fields), number))
                    self.fields.append(-1)
        return deferred

    def _cell(self, codes: str, alignment: int) -> int:
        self._codes = _padded(self._codes, alignment)
        offset = struct.calcsize("=" + self._codes)
        self._codes += codes
        return offset

    def _constant(self, number: int) -> int:
        if number not in self._known:
            self._known[number] = self._reserve(8)
            self.constants.append((self._known[number], number))
        return self._known[number]

    def _reserve(self, size: int) -> int:
        offset = self.size
        self.size = _aligned(offset + size, 8)
        return offset


def new_frame(plan: Plan) -> tuple[Any, int]:
    """The memory of one call, and the address of its array of pointers."""
    memory = (ctypes.c_char * plan.size)()
    base = ctypes.addressof(memory)
    for offset, number in plan.constants:
        struct.pack_into("q", memory, offset, number)
    fields = [base + offset for offset in plan.fields]
    struct.pack_into(f"{len(fields)}q", memory, plan.pointers, *fields)
    return memory, base + plan.pointers


def _struct_codes(values: Sequence[Value]) -> str:
    codes = ""
    for value in values:
        if value.shape is None:
            codes = _padded(codes, value.part_size) + value.codes
        else:
            codes = _padded(codes, 8) + "q" * (3 + 2 * len(value.shape))
    return codes


def _padded(codes: str, alignment: int) -> str:
    size = struct.calcsize("=" + codes)
    return codes + "x" * (_aligned(size, alignment) - size)


def _aligned(size: int, alignment: int) -> int:
    return (size + alignment - 1) // alignment * alignment


def address_of(function: Any) -> int:
    """Where the code of a function of ctypes is.

    ``ctypes.cast`` says so, too, and makes a cycle of references that keeps the function.
    """
    return int(ctypes.c_void_p.from_address(ctypes.addressof(function)).value or 0)
