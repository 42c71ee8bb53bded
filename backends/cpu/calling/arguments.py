"""From any arguments of a call to the numbers that `calling` packs.

This is the thorough way, which copies what has to be copied and says what is wrong with the rest;
`caller` has a quicker one for arguments in order.
"""

from __future__ import annotations

import ctypes
import operator
from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np

from agir.backends.cpu.calling.layout import Signature, Value

_Array = np.ndarray[Any, Any]

COPIED_BYTES = 32 * 1024
"""Smaller arrays that are not contiguous are copied, which is quicker than to compile for them."""

# where arrays without elements point to
_NOWHERE = (ctypes.c_char * 128)()
NOWHERE = (ctypes.addressof(_NOWHERE) + 63) & ~63


def thorough(
    signature: Signature, arguments: Sequence[Any]
) -> tuple[list[Any], list[_Array], list[tuple[_Array, _Array]]]:
    """The cells, the arrays that they point to, and which of these have to be copied back where.

    Raises ``TypeError`` for arguments that the signature does not allow.
    """
    if len(arguments) != len(signature.arguments):
        raise TypeError(f"expected {len(signature.arguments)} arguments, got {len(arguments)}")
    cells: list[Any] = []
    alive: list[_Array] = []
    changed: list[tuple[_Array, _Array]] = []
    for i, (value, argument) in enumerate(zip(signature.arguments, arguments, strict=True)):
        if value.shape is None:
            cells += _scalar_cells(i, value, argument)
        else:
            array = _fitting(i, value, argument)
            alive.append(array)
            if value.written:
                _check_written(i, argument)
                changed.append((argument, array))
            cells.append(array.__array_interface__["data"][0] if array.size else NOWHERE)
            strides = (stride // array.itemsize for stride in array.strides)
            wanted = (*value.shape, *value.strides)
            given = (*array.shape, *strides)
            cells += [m for n, m in zip(wanted, given, strict=True) if n is None]
    return cells, alive, changed


def accepted(value: Value) -> tuple[np.dtype[Any], ...]:
    """NumPy types of the elements: MLIR's integers are signed and unsigned ones."""
    if value.dtype.kind != "i":
        return (value.dtype,)
    return (value.dtype, np.dtype(f"u{value.dtype.itemsize}"))


def bfloat_bits(number: Any) -> int:
    """The bits of a number as bfloat16."""
    return int(np.asarray(number, ml_dtypes.bfloat16).view(np.uint16))


def _scalar_cells(i: int, value: Value, argument: Any) -> list[Any]:
    dtype = value.dtype
    try:
        if dtype.kind == "c":
            number = complex(argument)
            return [number.real, number.imag]
        if dtype.kind == "b":
            return [bool(argument)]
        if dtype.kind == "i":
            return [_integer(operator.index(argument), 8 * dtype.itemsize, type(argument) is int)]
        if value.codes == "H":
            return [bfloat_bits(argument)]
        with np.errstate(over="ignore"):
            return [float(dtype.type(float(argument)))]
    except (TypeError, ValueError, OverflowError) as error:
        kind = RangeError if isinstance(error, OverflowError) else TypeError
        raise kind(f"argument {i}: expected {value}: {error}") from None


class RangeError(TypeError, OverflowError):
    """An integer argument is too large."""

    is_refusal = True
    """As of `agir.errors.AgirError`: plain Python takes it."""


def _integer(number: int, bits: int, signed: bool) -> int:
    """The signed number with the same bits; unsigned ones are allowed, of NumPy's."""
    if not -(1 << bits - 1) <= number < 1 << (bits - signed):
        raise OverflowError(f"{number} does not fit in {bits} bits")
    return number - (1 << bits) if number >= 1 << bits - 1 else number


def _fitting(i: int, value: Value, argument: Any) -> _Array:
    array = np.asarray(argument)
    shape = value.shape or ()
    native = array.dtype.newbyteorder("=")
    if (
        native not in accepted(value)
        or len(shape) != array.ndim
        or any(n not in (None, m) for n, m in zip(shape, array.shape, strict=True))
    ):
        given = ", ".join(map(str, array.shape))
        raise TypeError(f"argument {i}: expected {value}, got {array.dtype}[{given}]")
    if value.strided and has_whole_strides(array):
        return np.require(array, native, ["A"])
    return np.require(array, native, ["C", "A"])


def has_whole_strides(array: _Array) -> bool:
    """Whether all strides are multiples of an element's size."""
    return all(stride % array.itemsize == 0 for stride in array.strides)


def strided(signature: Signature, arguments: Sequence[Any]) -> tuple[int, ...]:
    """The large arrays among the arguments that could be used in place, but for their strides."""
    return tuple(
        i
        for i, (value, array) in enumerate(zip(signature.arguments, arguments, strict=False))
        if isinstance(array, np.ndarray)
        and value.shape is not None
        and array.nbytes >= COPIED_BYTES
        and array.dtype in accepted(value)
        and array.flags.aligned
        and not array.flags.c_contiguous
        and has_whole_strides(array)
    )


def _check_written(i: int, argument: Any) -> None:
    if not isinstance(argument, np.ndarray):
        raise TypeError(f"argument {i} is written to, so it has to be an array")
    if not argument.flags.writeable:
        raise ValueError(f"argument {i} is written to, but the array is read-only")
