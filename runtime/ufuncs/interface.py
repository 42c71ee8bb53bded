"""NumPy's C interface for ufuncs, as far as ufuncs made here need it.

Its documentation is the chapters "Universal functions" and "DTypes" of NumPy's C-API reference.

Ufuncs live as long as the process, and so does all that is made for them: NumPy copies little of it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy._core import _multiarray_umath  # type: ignore[attr-defined]

from agir.errors import OperandValueError
from agir.ir.host import foreign

_NEW, _ADD_LOOP, _ADD_PROMOTER = 42, 43, 44
"""Places in NumPy's table of functions for ufuncs."""
_INITIAL, _STRIDED_LOOP = 4, 5
"""The numbers of slots of an array method."""
_NEEDS_PYTHON, _NO_FLOATING_POINT_ERRORS, _IS_REORDERABLE = 1, 2, 8
_NO_CASTING = 0

NONE, REORDERABLE, VALUE = -1, -2, -3
"""What a ufunc has of an identity: nothing, an order that does not matter, or a value as well."""


class _Slot(ctypes.Structure):
    _fields_ = (("slot", ctypes.c_int), ("function", ctypes.c_void_p))


class _Specification(ctypes.Structure):
    """``PyArrayMethod_Spec``."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("nin", ctypes.c_int),
        ("nout", ctypes.c_int),
        ("casting", ctypes.c_int),
        ("flags", ctypes.c_int),
        ("dtypes", ctypes.c_void_p),
        ("slots", ctypes.c_void_p),
    )


class Context(ctypes.Structure):
    """``PyArrayMethod_Context``: which ufunc a loop runs for, and the dtypes."""

    _fields_ = (
        ("caller", ctypes.py_object),
        ("method", ctypes.c_void_p),
        ("descriptors", ctypes.POINTER(ctypes.py_object)),
    )


def _function(place: int, result: Any, *arguments: Any) -> Any:
    table = foreign.capsule_pointer(vars(_multiarray_umath)["_UFUNC_API"])
    found = ctypes.c_void_p.from_address(table + 8 * place).value or 0
    return ctypes.PYFUNCTYPE(result, *arguments)(found)


_KEPT: list[Any] = []


def new_ufunc(
    name: str, doc: str, nin: int, nout: int, layout: str | None, identity: Any
) -> np.ufunc:
    """A ufunc without loops; ``layout`` is the signature of a generalized one.

    ``identity`` is None, ``"reorderable"`` or a value.
    """
    make = _function(
        _NEW, ctypes.py_object, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p,
        *[ctypes.c_int] * 4, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p,
        ctypes.py_object,
    )  # fmt: skip
    kept = name.encode(), doc.encode(), None if layout is None else layout.encode()
    _KEPT.append(kept)
    kind = {None: NONE, "reorderable": REORDERABLE}.get(identity, VALUE)
    found: np.ufunc = make(
        None, None, None, 0, nin, nout, kind, kept[0], kept[1], 0, kept[2], identity
    )
    _KEPT.append(found)
    return found


def add_loop(
    ufunc: np.ufunc, dtypes: Sequence[Any], run: int, initial: int | None, reorderable: bool
) -> None:
    """Add a loop for these DTypes, inputs and outputs; ``run`` and ``initial`` are addresses."""
    slots = [_Slot(_STRIDED_LOOP, run)]
    if initial is not None:
        slots.append(_Slot(_INITIAL, initial))
    table = (_Slot * (len(slots) + 1))(*slots, _Slot(0, None))
    kinds = (ctypes.py_object * len(dtypes))(*dtypes)
    flags = _NEEDS_PYTHON | _NO_FLOATING_POINT_ERRORS | (_IS_REORDERABLE if reorderable else 0)
    made = _Specification(
        ufunc.__name__.encode(), ufunc.nin, ufunc.nout, _NO_CASTING, flags,
        ctypes.addressof(kinds), ctypes.addressof(table),
    )  # fmt: skip
    _KEPT.append((table, kinds, made))
    add = _function(_ADD_LOOP, ctypes.c_int, ctypes.py_object, ctypes.c_void_p)
    add(ufunc, ctypes.addressof(made))


def add_promoter(ufunc: np.ufunc, address: int) -> None:
    """Let the function at an address choose the loop where none is for the operands' DTypes."""
    new = ctypes.pythonapi.PyCapsule_New
    make = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
        ctypes.cast(new, ctypes.c_void_p).value or 0
    )
    add = _function(_ADD_PROMOTER, ctypes.c_int, *[ctypes.py_object] * 3)
    add(ufunc, (np.dtype,) * ufunc.nargs, make(address, _PROMOTER, None))


def set_core_sizes(ufunc: np.ufunc, address: int) -> None:
    """Let the function at an address say how large core dimensions are that no input has."""
    if np.ufunc.__basicsize__ < _CORE_SIZES + 8:
        raise OperandValueError("sizes= needs NumPy 2.1 or a later one")
    ctypes.c_void_p.from_address(id(ufunc) + _CORE_SIZES).value = address


_CORE_SIZES = 232
"""Where a ufunc has ``process_core_dims_func``, its last field."""
_PROMOTER = b"numpy._ufunc_promoter"


def objects_at(address: int, count: int) -> list[Any]:
    """The objects that so many words at an address refer to; None for none."""
    words = (ctypes.c_void_p * count).from_address(address)
    return [None if not word else ctypes.cast(word, ctypes.py_object).value for word in words]


def put_objects(address: int, items: Sequence[Any]) -> None:
    """Let the words at an address refer to objects, each of which is referred to once more."""
    for n, item in enumerate(items):
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(item))
        ctypes.c_void_p.from_address(address + 8 * n).value = id(item)


def words_at(address: int, count: int) -> tuple[int, ...]:
    """Numbers of 64 bits, with signs."""
    return tuple((ctypes.c_int64 * count).from_address(address))


def put_words(address: int, numbers: Sequence[int]) -> None:
    """Write numbers of 64 bits."""
    (ctypes.c_int64 * len(numbers)).from_address(address)[:] = list(numbers)


def object_at(address: int) -> Any:
    """The object that lies at an address."""
    return ctypes.cast(address, ctypes.py_object).value
