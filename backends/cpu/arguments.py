"""From the arguments of a call to the numbers that `calling` packs.

Two ways: a function written for the signature, which takes contiguous arrays of the right type and
gives up on anything else, and a thorough one, which copies what has to be copied and says what is
wrong with the rest.
"""

from __future__ import annotations

import ctypes
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agir.backends.cpu.layout import Signature, Value, static_strides

# where arrays without elements point to
_NOWHERE = (ctypes.c_char * 128)()
NOWHERE = (ctypes.addressof(_NOWHERE) + 63) & ~63

_CONTIGUOUS_AND_ALIGNED = 0x101  # NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED

# NumPy's arrays begin with CPython's object header, then the address of their data.  Reading it
# there takes a tenth of the time that the official ways take.
_DATA = object.__basicsize__

Cells = Callable[..., tuple[Any, ...]]


def _addresses_can_be_read() -> bool:
    probe = np.zeros(1)
    return bool(
        ctypes.c_void_p.from_address(id(probe) + _DATA).value
        == probe.__array_interface__["data"][0]
    )


class UnusualArgumentError(Exception):
    """The fast way does not know this argument."""


def fast(signature: Signature) -> Cells:
    """A function from the arguments to the cells, which raises something where it gives up."""
    names = [f"a{i}" for i in range(len(signature.arguments))]
    space: dict[str, Any] = {
        "ndarray": np.ndarray,
        "pointer_at": ctypes.c_void_p.from_address,
        "Unusual": UnusualArgumentError,
        "bits": {i: _bfloat_bits(value) for i, value in enumerate(signature.arguments)},
    }
    lines = [f"def cells({', '.join(names)}):"]
    cells: list[str] = []
    for i, value in enumerate(signature.arguments):
        if value.shape is None:
            cells.append(_scalar_expression(i, value))
        else:
            space[f"types{i}"] = _accepted(value)
            lines += _array_lines(i, value, value.shape)
            cells += [f"p{i}", *_unknown_extents(i, value.shape)]
    lines.append(f"    return ({''.join(cell + ', ' for cell in cells)})")
    if not _addresses_can_be_read():
        lines.insert(1, "    raise Unusual")
    exec("\n".join(lines), space)
    made: Cells = space["cells"]
    return made


def thorough(
    signature: Signature, arguments: Sequence[Any]
) -> tuple[list[Any], list[tuple[Any, np.ndarray[Any, Any]]]]:
    """The cells, and the copies that they point to with what they are copies of.

    Raises ``TypeError`` for arguments that the signature does not allow.
    """
    if len(arguments) != len(signature.arguments):
        raise TypeError(f"expected {len(signature.arguments)} arguments, got {len(arguments)}")
    cells: list[Any] = []
    copies: list[tuple[Any, np.ndarray[Any, Any]]] = []
    for i, (value, argument) in enumerate(zip(signature.arguments, arguments, strict=True)):
        if value.shape is None:
            cells += _scalar_cells(i, value, argument)
        else:
            array = _contiguous(i, value, argument)
            copies.append((argument, array))
            cells.append(array.__array_interface__["data"][0] if array.size else NOWHERE)
            strides = np.empty(array.shape, np.uint8).strides if array.size else array.shape
            wanted = (*value.shape, *static_strides(value.shape))
            given = (*array.shape, *strides)
            cells += [m for n, m in zip(wanted, given, strict=True) if n is None]
    return cells, copies


def _accepted(value: Value) -> tuple[np.dtype[Any], ...]:
    """NumPy types of the elements: MLIR's integers are signed and unsigned ones."""
    if value.dtype.kind != "i":
        return (value.dtype,)
    return (value.dtype, np.dtype(f"u{value.dtype.itemsize}"))


def _array_lines(i: int, value: Value, shape: tuple[int | None, ...]) -> list[str]:
    lines = [
        f"    if type(a{i}) is not ndarray or a{i}.dtype not in types{i}: raise Unusual",
        f"    if a{i}.flags.num & {_CONTIGUOUS_AND_ALIGNED} != {_CONTIGUOUS_AND_ALIGNED}: raise Unusual",
        f"    p{i} = pointer_at(id(a{i}) + {_DATA}).value",
    ]
    if shape:
        extents = ", ".join(f"n{i}_{axis}" for axis in range(len(shape)))
        lines.append(f"    {extents}, = a{i}.shape")
    else:
        lines.append(f"    if a{i}.shape: raise Unusual")
    wrong = [f"n{i}_{axis} != {n}" for axis, n in enumerate(shape) if n is not None]
    if wrong:
        lines.append(f"    if {' or '.join(wrong)}: raise Unusual")
    return lines


def _unknown_extents(i: int, shape: tuple[int | None, ...]) -> list[str]:
    names = [f"n{i}_{axis}" for axis in range(len(shape))]
    strides = static_strides(shape)
    return [name for name, n in zip(names, shape, strict=True) if n is None] + [
        " * ".join(names[axis + 1 :]) for axis, n in enumerate(strides) if n is None
    ]


def _scalar_expression(i: int, value: Value) -> str:
    if value.dtype.kind == "c":
        return f"a{i}.real, a{i}.imag"
    return f"bits[{i}](a{i})" if value.codes == "H" else f"a{i}"


def _bfloat_bits(value: Value) -> Callable[[Any], int]:
    return lambda number: int(np.asarray(number, value.dtype).view(np.uint16))


def _scalar_cells(i: int, value: Value, argument: Any) -> list[Any]:
    dtype = value.dtype
    try:
        if dtype.kind == "c":
            number = complex(argument)
            return [number.real, number.imag]
        if dtype.kind == "b":
            return [bool(argument)]
        if dtype.kind == "i":
            return [_integer(operator.index(argument), 8 * dtype.itemsize)]
        if value.codes == "H":
            return [_bfloat_bits(value)(argument)]
        with np.errstate(over="ignore"):
            return [float(dtype.type(float(argument)))]
    except (TypeError, ValueError, OverflowError) as error:
        raise TypeError(f"argument {i}: expected {value}: {error}") from None


def _integer(number: int, bits: int) -> int:
    """The signed number with the same bits; unsigned ones are allowed."""
    if not -(1 << bits - 1) <= number < 1 << bits:
        raise OverflowError(f"{number} does not fit in {bits} bits")
    return number - (1 << bits) if number >= 1 << bits - 1 else number


def _contiguous(i: int, value: Value, argument: Any) -> np.ndarray[Any, Any]:
    array = np.asarray(argument)
    shape = value.shape or ()
    native = array.dtype.newbyteorder("=")
    if (
        native not in _accepted(value)
        or len(shape) != array.ndim
        or any(n not in (None, m) for n, m in zip(shape, array.shape, strict=True))
    ):
        given = ", ".join(map(str, array.shape))
        raise TypeError(f"argument {i}: expected {value}, got {array.dtype}[{given}]")
    return np.require(array, native, ["C", "A"])
