"""The types of a ufunc's loops: how they are written, and which one is for given operands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from agir.errors import OperandTypeError

Types = tuple[np.dtype[Any], ...]
"""The dtypes of the inputs and outputs of a loop."""

_NAMES = {
    "bool": "?", "bool_": "?", "boolean": "?", "b1": "?",
    "int8": "i1", "i1": "i1", "char": "i1", "uint8": "u1", "u1": "u1", "uchar": "u1", "byte": "u1",
    "int16": "i2", "i2": "i2", "short": "i2", "uint16": "u2", "u2": "u2", "ushort": "u2",
    "int32": "i4", "i4": "i4", "intc": "i4", "uint32": "u4", "u4": "u4", "uintc": "u4",
    "int64": "i8", "i8": "i8", "int_": "i8", "intp": "i8", "long_": "i8", "longlong": "i8", "ssize_t": "i8",
    "uint64": "u8", "u8": "u8", "uint": "u8", "uintp": "u8", "ulong": "u8", "ulonglong": "u8", "size_t": "u8",
    "float16": "f2", "f2": "f2", "float32": "f4", "f4": "f4", "float": "f8", "float64": "f8", "f8": "f8",
    "double": "f8", "int": "i8",
    "complex64": "c8", "c8": "c8", "complex128": "c16", "c16": "c16", "complex": "c16",
}  # fmt: skip
"""How the types of numbers may be called."""

_TEXT = re.compile(r"(?:(?P<result>[^()]*)\((?P<given>.*)\)|(?P<inputs>\S*)->(?P<outputs>\S*))")


def dtype_of(named: Any) -> np.dtype[Any]:
    """The dtype of a type that is named, or of the items of one such as ``f8[:, :]``."""
    if isinstance(named, str):
        name = named.partition("[")[0].strip()
        return np.dtype(_NAMES.get(name, name))
    item = getattr(named, "dtype", named)
    return np.dtype(getattr(item, "numpy", item))


def types_of(written: Any, inputs: int, outputs: int) -> Types:
    """The types of a loop: ``"f8(f8, i4)"``, ``"di->d"`` or the dtypes themselves.

    ``"void(...)"`` has the outputs behind the inputs, as the parameters of the function.
    """
    if isinstance(written, str):
        parts = _parts(written)
    elif hasattr(written, "args") and hasattr(written, "return_type"):
        parts = [*written.args]
        if written.return_type is not None and str(written.return_type) not in ("none", "void"):
            parts.append(written.return_type)
    else:
        parts = list(written)
    if len(parts) != inputs + outputs:
        raise OperandTypeError(
            f"the types {written!r} are for {len(parts)} operands: there are {inputs} inputs and "
            f"{outputs} outputs"
        )
    try:
        return tuple(map(dtype_of, parts))
    except TypeError as error:
        raise OperandTypeError(f"the types {written!r} are none of NumPy's: {error}") from None


def _parts(written: str) -> list[str]:
    found = _TEXT.fullmatch(written.strip())
    if found is None:
        raise OperandTypeError(f"the types {written!r} are not like 'f8(f8, f8)' or 'dd->d'")
    if found["inputs"] is not None:
        return [*found["inputs"], *found["outputs"]]
    given = [each for each in _split(found["given"]) if each.strip()]
    result = found["result"].strip()
    return given if result in ("void", "none", "") else [*given, *_split(result)]


def _split(text: str) -> list[str]:
    """The parts between commas outside of brackets."""
    return re.split(r",(?![^\[]*\])", text)


_WEAK = {"_PyLongDType": "iu", "_PyFloatDType": "f", "_PyComplexDType": "c"}
"""NumPy's classes for numbers of Python's, and the kinds of dtypes that each adapts to."""
_DEFAULTS = {"_PyLongDType": "i8", "_PyFloatDType": "f8", "_PyComplexDType": "c16"}
_ORDER = "biufc"


def fitting(known: Iterable[Types], given: Sequence[Any]) -> Types | None:
    """The first of several types that operands of these DTypes can be converted to safely."""
    for types in known:
        if all(map(_fits, given, types)):
            return types
    return None


def _fits(given: Any, dtype: np.dtype[Any]) -> bool:
    if given is None:
        return True
    kinds = _WEAK.get(given.__name__)
    if kinds is not None:
        return _ORDER.index(dtype.kind) >= _ORDER.index(kinds[0]) if dtype.kind in _ORDER else False
    return bool(np.can_cast(given(), dtype, "safe"))


def concrete(given: Sequence[Any]) -> list[np.dtype[Any]]:
    """The dtypes of operands; numbers of Python's follow the operands of their own kind."""
    strong = [None if each.__name__ in _WEAK else np.dtype(each()) for each in given]
    found = []
    for each, dtype in zip(given, strong, strict=True):
        if dtype is None:
            kinds = _WEAK[each.__name__]
            like = [other for other in strong if other is not None and other.kind in kinds]
            dtype = np.result_type(*like) if like else np.dtype(_DEFAULTS[each.__name__])
        found.append(dtype)
    return found
