"""The types of a ufunc's loops: how they are written, and which one is for given operands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from agir.errors import OperandTypeError
from agir.runtime.declared import reading
from agir.runtime.declared.types import Signature

Types = tuple[np.dtype[Any], ...]
"""The dtypes of the inputs and outputs of a loop."""


def types_of(written: Any, inputs: int, outputs: int) -> Types:
    """The types of a loop: ``"f8(f8, i4)"``, ``"di->d"`` or the dtypes themselves.

    ``"void(...)"`` has the outputs behind the inputs, as the parameters of the function.
    """
    parts = _all_parts(written)
    if len(parts) != inputs + outputs:
        raise OperandTypeError(
            f"the types {written!r} are for {len(parts)} operands: there are {inputs} inputs and "
            f"{outputs} outputs"
        )
    try:
        return tuple(map(reading.dtype_of, parts))
    except TypeError as error:
        raise OperandTypeError(f"the types {written!r} are none of NumPy's: {error}") from None


def boxed(several: Iterable[Any], dimensions: Sequence[Sequence[str]]) -> list[int]:
    """The operands without core dimensions that are declared as arrays of one dimension."""
    declared = [_all_parts(each) for each in several]
    return [
        n
        for n, names in enumerate(dimensions)
        if not names and any(_is_array(parts[n]) for parts in declared if n < len(parts))
    ]


def _is_array(part: Any) -> bool:
    rank = getattr(part, "ndim", 0)
    return "[" in part if isinstance(part, str) else isinstance(rank, int) and rank > 0


def _all_parts(written: Any) -> list[Any]:
    """The types of the operands in what is written of a loop."""
    if isinstance(written, str):
        inputs, arrow, outputs = written.strip().partition("->")
        if arrow and not _NO_CHARACTERS.search(inputs + outputs):
            return [*inputs, *outputs]
        written = reading.read(written)
    if isinstance(written, Signature):
        return [*written.args, *reading.results_of(written)]
    return list(reading.arguments_of(written))


_NO_CHARACTERS = re.compile(r"[^\w?]")


_WEAK: dict[str, Any] = {"_PyLongDType": 0, "_PyFloatDType": 0.0, "_PyComplexDType": 0j}
"""NumPy's classes for numbers of Python's, and such a number."""
_ORDER = "biufc"
PYTHON_INT = np.dtype("q")
"""Of two dtypes of int64 the one that stands for ints of Python's beside floating-point operands."""
_INT = np.dtype("l")


def fitting(known: Iterable[Types], given: Sequence[Any]) -> Types | None:
    """The first of several types that operands of these DTypes can be converted to safely."""
    for types in known:
        if all(map(_fits, given, types)):
            return types
    return None


def _fits(given: Any, dtype: np.dtype[Any]) -> bool:
    if given is None:
        return True
    if given.__name__ in _WEAK:
        kind = np.asarray(_WEAK[given.__name__]).dtype.kind
        return dtype.kind in _ORDER and _ORDER.index(dtype.kind) >= _ORDER.index(kind)
    return is_number(given) and bool(np.can_cast(given(), dtype, "safe"))


def is_number(given: Any) -> bool:
    """Whether a DType is one of numbers that can be compiled for."""
    if given.__name__ in _WEAK:
        return True
    return issubclass(given.type, np.number | np.bool_) and given.type not in (
        np.longdouble,
        np.clongdouble,
    )


def concrete(given: Sequence[Any]) -> list[np.dtype[Any]]:
    """The dtypes of operands; numbers of Python's follow the others, as NumPy has it (NEP 50).

    An int stays one beside floating-point operands: the function may count by it.
    """
    strong = [np.dtype(each.type) for each in given if each.__name__ not in _WEAK]
    inexact = [each for each in strong if each.kind in "fc"]
    whole = [each for each in strong if each.kind in "iu"]
    found = []
    for each in given:
        if each.__name__ not in _WEAK:
            dtype = np.dtype(each.type)
            found.append(_INT if dtype.char == PYTHON_INT.char else dtype)
        elif each.__name__ == "_PyLongDType":
            alone = PYTHON_INT if inexact else _INT
            found.append(np.result_type(*whole) if whole else alone)
        else:
            found.append(np.result_type(*strong, _WEAK[each.__name__]))
    return found


def described(given: Any) -> str:
    """The name of a DType, for people."""
    if given.__name__ in _WEAK:
        return f"a Python {type(_WEAK[given.__name__]).__name__}"
    return str(np.dtype(given.type)) if is_number(given) else str(given.type.__name__)
