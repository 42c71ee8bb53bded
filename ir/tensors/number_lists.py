"""What a list of Python numbers is as an operand, where TensorFlow's conventions hold.

It takes the dtype of the tensors that it meets, as a Python number does; among themselves such lists
are int32 and float32.  NumPy's conventions make int64 and float64 of them (``ir/convention.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from agir.ir.building.types import (
    DType,
    TensorType,
    as_dtype,
    bool_,
    complex128,
    float32,
    int32,
    int64,
    is_python_number,
    promote,
    python_dtype,
)
from agir.ir.tensors.symbolic import as_known
from agir.ir.tensors.tensor import Tensor

APART = frozenset({"condition", "indices", "seed", "state"})
"""Operands that have a dtype of their own, whatever the others are."""

_DEFAULTS: dict[str, DType] = {"b": bool_, "i": int32, "f": float32, "c": complex128}
_ORDER = "bifc"


COUNTING = frozenset((
    "axis", "axes", "axis1", "axis2", "shift", "pad_width", "reps", "new_shape", "newshape", "dims",
    "source", "destination", "window_shape", "s", "indices_or_sections",
))  # fmt: skip
"""Parameters that take numbers, or sequences of them, by which elements are counted or chosen."""


def counting(value: Any) -> Any:
    """What such a parameter is given, with tuples of numbers in the place of arrays."""
    value = as_known(value)
    if isinstance(value, np.ndarray):
        return _as_tuple(value.tolist())
    if isinstance(value, Tensor) and value.shape and isinstance(value.shape[0], int):
        return tuple(counting(value[number]) for number in range(value.shape[0]))
    return value


def _as_tuple(values: Any) -> Any:
    return tuple(map(_as_tuple, values)) if isinstance(values, list) else values


def typed(
    parameters: dict[str, Any], operands: Iterable[str], sequences: Iterable[str]
) -> dict[str, Any]:
    """The parameters of an operation with arrays in the place of lists of Python numbers.

    ``sequences`` are those operands of which a list means several.
    """
    given = {name: parameters[name] for name in operands if name in parameters}
    if not any(isinstance(value, (list, tuple)) for value in given.values()):
        return parameters
    made = dict(parameters)
    for name in APART & given.keys():
        made[name] = _array(given.pop(name), [])
    leaves = list(_leaves(given, sequences))
    for name, value in given.items():
        if name in sequences and isinstance(value, (list, tuple)) and not _are_scalars(value):
            made[name] = type(value)(_array(each, leaves) for each in value)
        else:
            made[name] = _array(value, leaves)
    return made


def holds_numbers(value: Any) -> bool:
    """True for a list, nested or not, of Python numbers only."""
    return isinstance(value, (list, tuple)) and _kind(value) is not None


def _leaves(given: Mapping[str, Any], sequences: Iterable[str]) -> Iterator[Any]:
    for name, value in given.items():
        if name in sequences and isinstance(value, (list, tuple)):
            yield from value
        else:
            yield value


def _are_scalars(values: Any) -> bool:
    """True for one or more Python numbers, which together are a vector."""
    return bool(values) and all(is_python_number(value) for value in values)


def _array(value: Any, others: list[Any]) -> Any:
    """A list of numbers as an array that goes with the other operands; anything else as it is."""
    kind = _kind(value)
    if kind is None or not isinstance(value, (list, tuple)):
        return value
    strong = [found for each in others if (found := _strong(each)) is not None]
    if strong:
        weak = TensorType(python_dtype(_ZEROS[kind]), (), weak=True)
        return np.asarray(value, promote(*strong, weak)[0].numpy)
    kinds = {kind, *(each for other in others if (each := _kind(other)) is not None)}
    empty = not np.size(value) and kinds == {"b"}
    dtype = float32 if empty else _DEFAULTS[max(kinds, key=_ORDER.index)]
    if dtype is int32 and _is_wide(value):
        dtype = int64
    return np.asarray(value, dtype.numpy)


_ZEROS: dict[str, Any] = {"b": False, "i": 0, "f": 0.0, "c": 0j}


def _strong(value: Any) -> TensorType | None:
    """The type of a tensor or array; None of a Python number, or of a list of them."""
    if isinstance(value, Tensor):
        return None if value.type.weak else value.type
    if isinstance(value, (np.ndarray, np.generic)):
        return TensorType(as_dtype(value.dtype), value.shape)
    if isinstance(value, (list, tuple)):
        found = [kind for each in value if (kind := _strong(each)) is not None]
        return TensorType(promote(*found)[0], ()) if found else None
    return None


def _kind(value: Any) -> str | None:
    """The kind of a number, or of the numbers in a list; None where there is anything else."""
    if is_python_number(value):
        return python_dtype(value).kind
    if isinstance(value, Tensor) and value.type.weak:
        return value.dtype.kind
    if not isinstance(value, (list, tuple)):
        return None
    kinds = ["b"]
    for each in value:
        kind = None if isinstance(each, Tensor) else _kind(each)
        if kind is None:
            return None
        kinds.append(kind)
    return max(kinds, key=_ORDER.index)


def _is_wide(value: Any) -> bool:
    limits = np.iinfo(np.int32)
    array = np.asarray(value)
    return bool(array.size) and not limits.min <= array.min() <= array.max() <= limits.max
