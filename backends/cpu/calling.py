"""From NumPy values to the memory that a compiled function reads, and back.

A `Frame` is that memory for one call in flight: cells for what differs from call to call (one
pointer an array, and the extents that are not known), the constants that descriptors need besides,
room for the results, and the array of pointers to all of it.  A call fills the cells with a single
``pack_into``.
"""

from __future__ import annotations

import ctypes
import operator
import struct
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agir.backends.cpu.layout import Signature, Value

_char_at = ctypes.c_char.from_buffer
_address_of = ctypes.addressof

# where arrays without elements point to
_NOWHERE = (ctypes.c_char * 128)()
NOWHERE = (_address_of(_NOWHERE) + 63) & ~63


class Frame:
    """The memory of one call."""

    __slots__ = ("memory", "pointers")

    def __init__(self, plan: Plan) -> None:
        self.memory = (ctypes.c_char * plan.size)()
        base = _address_of(self.memory)
        for offset, number in plan.constants:
            struct.pack_into("q", self.memory, offset, number)
        fields = [base + offset for offset in plan.fields]
        struct.pack_into(f"{len(fields)}q", self.memory, plan.pointers, *fields)
        self.pointers = base + plan.pointers


class Plan:
    """Where everything lies in the frames of one function; made once."""

    def __init__(self, signature: Signature) -> None:
        self.fields: list[int] = []
        self.constants: list[tuple[int, int]] = []
        self._codes = ""
        self._known: dict[int, int] = {}
        deferred: list[tuple[int, int]] = []
        self._place_arguments(signature.arguments, deferred)
        self.arguments = struct.Struct("=" + self._codes)
        self.size = _aligned(self.arguments.size, 8)
        for position, number in deferred:
            self.fields[position] = self._constant(number)
        self.results = struct.Struct("=" + _struct_codes(signature.results))
        self.result_offset = self._reserve(self.results.size)
        self.fields.append(self.result_offset)
        self.pointers = self._reserve(8 * len(self.fields))

    def _place_arguments(self, values: Sequence[Value], deferred: list[tuple[int, int]]) -> None:
        for value in values:
            if value.shape is None:
                self.fields.append(self._cell(value.codes, value.part_size))
                continue
            pointer = self._cell("q", 8)
            self.fields += [pointer, pointer]
            numbers: list[int | None] = [0, *value.shape, *_static_strides(value.shape)]
            for number in numbers:
                if number is None:
                    self.fields.append(self._cell("q", 8))
                else:
                    deferred.append((len(self.fields), number))
                    self.fields.append(-1)

    def _cell(self, codes: str, alignment: int) -> int:
        size = struct.calcsize("=" + self._codes)
        offset = _aligned(size, alignment)
        self._codes += "x" * (offset - size) + codes
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


def packer(position: int, value: Value) -> Callable[[Any, list[Any], list[Any]], None]:
    """A function that appends an argument's cells, and to a second list what must stay alive."""
    if value.shape is None:
        return _scalar_packer(position, value)
    return _array_packer(position, value)


def _scalar_packer(position: int, value: Value) -> Callable[[Any, list[Any], list[Any]], None]:
    kind, convert = value.dtype.kind, _converter(value)

    def pack(argument: Any, cells: list[Any], alive: list[Any]) -> None:
        try:
            cells.append(convert(argument))
        except (TypeError, ValueError) as error:
            raise TypeError(f"argument {position}: {error}") from None

    def pack_complex(argument: Any, cells: list[Any], alive: list[Any]) -> None:
        number = complex(argument)
        cells += (number.real, number.imag)

    return pack_complex if kind == "c" else pack


def _converter(value: Value) -> Callable[[Any], Any]:
    dtype = value.dtype
    if dtype.kind == "b":
        return bool
    if dtype.kind == "i":
        half = 1 << (8 * dtype.itemsize - 1)
        # unsigned numbers are the same bits
        return lambda x: (operator.index(x) + half) % (2 * half) - half
    if value.codes == "H":
        return lambda x: int(np.asarray(x, dtype).view(np.uint16))
    return float


def _array_packer(position: int, value: Value) -> Callable[[Any, list[Any], list[Any]], None]:
    dtype, shape, rank = value.dtype, value.shape or (), len(value.shape or ())
    accepted = (dtype, np.dtype(f"u{dtype.itemsize}")) if dtype.kind == "i" else (dtype,)
    static = None not in shape
    misaligned = value.part_size - 1
    vector = shape == (None,)

    def pack(argument: Any, cells: list[Any], alive: list[Any]) -> None:
        try:
            given = argument.shape
            if argument.dtype not in accepted:
                raise TypeError
            address = _address_of(_char_at(argument))
            if address & misaligned:
                raise TypeError
        except (TypeError, ValueError, AttributeError, BufferError):
            argument = _as_contiguous(argument, position, value, accepted)
            alive.append(argument)
            given = argument.shape
            address = argument.__array_interface__["data"][0] if argument.size else NOWHERE
        cells.append(address)
        if static:
            if given != shape:
                raise _mismatch(position, value, argument)
        elif vector and len(given) == 1:
            cells.append(given[0])
        elif len(given) == rank and all(
            n is None or n == m for n, m in zip(shape, given, strict=True)
        ):
            _append_extents(shape, given, cells)
        else:
            raise _mismatch(position, value, argument)

    return pack


def _append_extents(
    shape: tuple[int | None, ...], given: tuple[int, ...], cells: list[Any]
) -> None:
    cells += [m for n, m in zip(shape, given, strict=True) if n is None]
    stride = 1
    strides = []
    known = _static_strides(shape)
    for axis in range(len(given) - 1, -1, -1):
        if known[axis] is None:
            strides.append(stride)
        stride *= given[axis]
    cells += reversed(strides)


def _as_contiguous(
    argument: Any, position: int, value: Value, accepted: tuple[np.dtype[Any], ...]
) -> np.ndarray[Any, Any]:
    array = np.asarray(argument)
    native = array.dtype.newbyteorder("=")
    if native not in accepted:
        raise _mismatch(position, value, array)
    return np.require(array, native, ["C", "A"]) if array.ndim else array.astype(native)


def _mismatch(position: int, value: Value, argument: Any) -> TypeError:
    shape = ", ".join(map(str, argument.shape))
    return TypeError(f"argument {position}: expected {value}, got {argument.dtype}[{shape}]")


def _static_strides(shape: Sequence[int | None]) -> list[int | None]:
    strides: list[int | None] = []
    stride: int | None = 1
    for extent in reversed(shape):
        strides.append(stride)
        stride = None if stride is None or extent is None else stride * extent
    return strides[::-1]


def _struct_codes(values: Sequence[Value]) -> str:
    codes = ""
    for value in values:
        codes = _padded(codes, value.part_size if value.shape is None else 8)
        rank = None if value.shape is None else len(value.shape)
        codes += value.codes if rank is None else "q" * (3 + 2 * rank)
    return codes


def _padded(codes: str, alignment: int) -> str:
    size = struct.calcsize("=" + codes)
    return codes + "x" * (_aligned(size, alignment) - size)


def _aligned(size: int, alignment: int) -> int:
    return (size + alignment - 1) // alignment * alignment
