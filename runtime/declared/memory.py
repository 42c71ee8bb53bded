"""Memory at addresses, as NumPy sees it."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from agir.errors import OperandTypeError
from agir.ir import recording
from agir.ir.host import callbacks
from agir.runtime.declared.reading import dtype_of


class _Array:
    """Memory, as NumPy is told of it."""

    __array_interface__: dict[str, Any]


def view(address: int, dtype: np.dtype[Any], shape: Any, strides: Any = None) -> Any:
    """The array of a dtype that lies at an address."""
    memory = _Array()
    memory.__array_interface__ = {
        "data": (address, False),
        "typestr": dtype.str,
        "shape": shape,
        "strides": strides,
        "version": 3,
    }
    return np.asarray(memory)


UNKNOWN = 1 << 50
"""How many numbers a pointer points to: more than there is memory for, so none is out of bounds."""


def is_fine() -> Any:
    """Whether no check has failed so far, in the trace that is being recorded.

    What comes after a failure is computed with other values than the program's, and for nothing.
    """
    current = recording.current()
    return True if current is None else callbacks.is_fine(current)


def of_ctypes(pointer: Any, count: int, dtype: Any) -> Any:
    """So many numbers where a pointer of ctypes, or an address, points to."""
    kind = getattr(type(pointer), "_type_", None)
    if not isinstance(kind, type) or not hasattr(pointer, "_b_base_"):
        kind = None
    if dtype is None and kind is None:
        raise OperandTypeError(f"carray needs a dtype: {pointer!r} points to anything")
    wanted = np.dtype(kind) if dtype is None else dtype_of(dtype)
    if dtype is not None and kind is not None and np.dtype(kind) != wanted:
        raise OperandTypeError(f"carray: {pointer!r} does not point to {wanted}")
    address = pointer if isinstance(pointer, int) else ctypes.cast(pointer, ctypes.c_void_p).value
    found = view(address or 0, wanted, (count,)) if count else np.empty(0, wanted)
    return found


def check_dtype(name: str, dtype: Any) -> None:
    """Refuse another dtype than that of a pointer."""
    if dtype is not None and dtype_of(dtype).name != name:
        raise OperandTypeError(f"carray: a pointer to {name} does not point to {dtype}")
