"""How objects of CPython and NumPy lie in memory, as far as the machine code of a call reads them.

NumPy's array is part of its stable interface; of CPython only what its own macros read is used.
None of it is taken for granted: `are_as_expected` compares with what Python says.
"""

from __future__ import annotations

import ctypes
import sys
import sysconfig
import weakref
from typing import Any

import numpy as np
from numpy._core import multiarray

from agir.ir.host.foreign import capsule_pointer

HEADER = object.__basicsize__
REFERENCES, TYPE = 0, 8
"""Every object: how many references there are to it, its class."""

SIZE = 16
TUPLE_ITEMS, LIST_ITEMS = 24, 24
"""A tuple has its items here, a list their address."""

REFERENT = 16
"""What a weak reference refers to."""

SET_SIZE = 24
"""How many items a set has, and entries that are not used."""

DIGITS = 24
"""The first digit of an int; `SIZE` says whether there are others, and the sign."""

SHARED_INTS, LARGEST_DIGIT = 257, (1 << 30) - 1
"""Smaller ints than these are one object for all; larger ones have more than one digit."""

NUMBER = 16
"""The value of a float, a complex or a NumPy scalar."""

DATA, RANK, EXTENTS, STRIDES, BASE, DTYPE, FLAGS = 16, 24, 32, 40, 48, 56, 64
"""An array."""

CONTIGUOUS_AND_ALIGNED = 0x101
WRITEABLE = 0x400
OWN_CARRAY = 0x501
"""NumPy's flags."""

_NEW_ARRAY, _NEW_SCALAR, _SET_BASE = 94, 60, 282
"""Places in NumPy's table of functions."""

_CPYTHON = {
    "INCREF": "Py_IncRef",
    "DECREF": "Py_DecRef",
    "VECTORCALL": "PyObject_Vectorcall",
    "NEW_METHOD": "PyMethod_New",
    "NEW_TUPLE": "PyTuple_New",
    "NEW_LIST": "PyList_New",
    "NEW_INT": "PyLong_FromLongLong",
    "NEW_BOOL": "PyBool_FromLong",
    "NEW_OBJECT": "PyType_GenericAlloc",
    "AS_INT": "PyLong_AsLongLongAndOverflow",
    "DICT_NEXT": "PyDict_Next",
    "AS_CODES": "PyUnicode_AsUCS4",
    "TEXT_SIZE": "PyUnicode_GetLength",
    "DICT_ITEM": "PyDict_GetItem",
    "DICT_OF": "PyObject_GenericGetDict",
    "SAVE_THREAD": "PyEval_SaveThread",
    "RESTORE_THREAD": "PyEval_RestoreThread",
    "NEW_CAPSULE": "PyCapsule_New",
    "CAPSULE_POINTER": "PyCapsule_GetPointer",
    "CLEAR_ERROR": "PyErr_Clear",
}


def word(address: int) -> int:
    """The eight bytes at an address, as an unsigned number."""
    return int(ctypes.c_uint64.from_address(address).value)


def number(address: int) -> int:
    """The four bytes at an address."""
    return int(ctypes.c_int32.from_address(address).value)


def functions() -> dict[str, int]:
    """The addresses of the functions of the C interfaces, by their fields in the state."""
    found = {field: _address(getattr(ctypes.pythonapi, name)) for field, name in _CPYTHON.items()}
    found["SET_NEXT"] = _address(getattr(ctypes.pythonapi, "_PySet_NextEntry", None))
    found["ALLOCATE"] = _address(ctypes.CDLL(None).malloc)
    found["FREE"] = _address(ctypes.CDLL(None).free)
    table = _numpy_table()
    found["NEW_ARRAY"] = word(table + 8 * _NEW_ARRAY)
    found["NEW_SCALAR"] = word(table + 8 * _NEW_SCALAR)
    found["SET_BASE"] = word(table + 8 * _SET_BASE)
    return found


def _address(function: Any) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def _numpy_table() -> int:
    return capsule_pointer(vars(multiarray)["_ARRAY_API"])


def heads_of_ints() -> tuple[int, int, int]:
    """What ints of one digit that are positive, negative or 0 have where others have more digits.

    Three numbers that none has, where ints do not lie as expected.
    """
    large = LARGEST_DIGIT
    heads = tuple(word(id(each) + SIZE) for each in (large, -large, 0))
    others = [word(id(each) + SIZE) for each in (large + 1, -large - 1, 1 << 70)]
    digits = [number(id(each) + DIGITS) for each in (large, -large)]
    if digits != [large, large] or len({*heads, *others}) < len(heads) + len(others):
        return (_NO_HEAD,) * 3
    return heads  # type: ignore[return-value]


_NO_HEAD = (1 << 63) - 1


def slot(kind: type, name: str) -> int:
    """Where instances of a class have what its slot of this name holds."""
    probe: Any = object.__new__(kind)
    marker = object()
    getattr(kind, name).__set__(probe, marker)
    for offset in range(HEADER, kind.__basicsize__, 8):
        if word(id(probe) + offset) == id(marker):
            return offset
    raise LookupError(name)


def are_as_expected() -> bool:
    """Whether this interpreter and this NumPy have their objects as they are read."""
    return (
        sys.implementation.name == "cpython"
        and not sysconfig.get_config_var("Py_GIL_DISABLED")
        and sys.byteorder == "little"
        and ctypes.sizeof(ctypes.c_void_p) == 8
        and HEADER == 16
        and np.lib.NumpyVersion(np.__version__) >= "2.0.0"
        and _python_objects()
        and all(map(_is_array, _arrays()))
    )


def _python_objects() -> bool:
    items = (1.5, 2.5j, np.float64(0.1))
    row = list(items)
    first = word(id(row) + LIST_ITEMS)
    reference = weakref.ref(np.ndarray)
    numbers, entries = {1, 2, 3}, {1: 2, 3: 4}
    numbers.discard(2)
    return (
        all(word(id(each) + TYPE) == id(type(each)) for each in (*items, row, items, 7, True))
        and word(id(items) + SIZE) == word(id(row) + SIZE) == len(items)
        and all(word(id(items) + TUPLE_ITEMS + 8 * n) == id(each) for n, each in enumerate(items))
        and all(word(first + 8 * n) == id(each) for n, each in enumerate(items))
        and _double(id(items[0]) + NUMBER) == items[0]
        and _double(id(items[1]) + NUMBER + 8) == items[1].imag
        and _double(id(items[2]) + NUMBER) == items[2]
        and word(id(reference) + REFERENT) == id(np.ndarray)
        and word(id(numbers) + SET_SIZE) == word(id(entries) + SIZE) == 2
        and number(id(row) + REFERENCES) in (sys.getrefcount(row), sys.getrefcount(row) - 1)
    )


def _double(address: int) -> float:
    return ctypes.c_double.from_address(address).value


def _arrays() -> list[np.ndarray[Any, Any]]:
    square = np.arange(12.0).reshape(3, 4)
    fixed = np.zeros(3, np.int8)
    fixed.flags.writeable = False
    return [square, square.T, square[::2, ::-1], np.array(1j), fixed, np.empty((0, 3), np.uint16)]


def _is_array(array: np.ndarray[Any, Any]) -> bool:
    at = id(array)
    rank = number(at + RANK)
    return (
        word(at + DATA) == array.__array_interface__["data"][0]
        and rank == array.ndim
        and _words(word(at + EXTENTS), rank) == array.shape
        and _words(word(at + STRIDES), rank) == array.strides
        and word(at + BASE) == (0 if array.base is None else id(array.base))
        and word(at + DTYPE) == id(array.dtype)
        and number(at + FLAGS) == array.flags.num
    )


def _words(address: int, count: int) -> tuple[int, ...]:
    return tuple((ctypes.c_int64 * count).from_address(address)) if count else ()
