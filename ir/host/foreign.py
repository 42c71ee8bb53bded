"""C functions that a program has from elsewhere, as objects of ctypes: machine code calls them."""

from __future__ import annotations

import ctypes
from typing import Any

_WHOLE = tuple(
    getattr(ctypes, f"c_{name}")
    for name in ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
)
_REAL = (ctypes.c_float, ctypes.c_double)
_NATIVE = (ctypes.c_int64, ctypes.c_double)
"""What crosses from compiled code as it is."""

CLASS: Any = ctypes.CFUNCTYPE(None).__mro__[1]
"""The class of all functions of ctypes."""


def capsule_name(capsule: Any) -> bytes | None:
    """The name of a capsule, which for a function of Cython's is its type; not all have one."""
    address = ctypes.cast(ctypes.pythonapi.PyCapsule_GetName, ctypes.c_void_p).value
    name = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.py_object)(address or 0)
    found: bytes | None = name(capsule)
    return found


def capsule_pointer(capsule: Any) -> int:
    """The address that a capsule holds, whatever its name is."""
    address = ctypes.cast(ctypes.pythonapi.PyCapsule_GetPointer, ctypes.c_void_p).value
    get = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(address or 0)
    return int(get(capsule, capsule_name(capsule)))


class ForeignFunction:
    """A function of numbers that gives a number.  It has to raise nothing."""

    def __init__(self, function: Any) -> None:
        self.function = function
        self._types = function.argtypes

    @property
    def parameters(self) -> tuple[bool, ...] | None:
        """Of each parameter whether it is a floating-point number; None where some are no numbers."""
        types = self._types
        if types is None or not all(each in (*_WHOLE, *_REAL) for each in (*types, self._result)):
            return None
        return tuple(each in _REAL for each in types)

    @property
    def _result(self) -> Any:
        return self.function.restype

    @property
    def is_real(self) -> bool:
        """Whether the result is a floating-point number."""
        return self._result in _REAL

    @property
    def is_native(self) -> bool:
        """Whether it takes and gives what compiled code has; else Python calls it.

        Python does so as well where ctypes has to do more than to call it: to keep Python's lock, or
        the number of an error.
        """
        if self.function._flags_ != ctypes.CFUNCTYPE(None)._flags_:
            return False
        return all(each in _NATIVE for each in (*self._types, self._result))

    def next(self, *values: Any) -> Any:
        """Call it from Python."""
        reals = self.parameters or ()
        given = [float(v) if real else int(v) for v, real in zip(values, reals, strict=True)]
        return self.function(*given)
