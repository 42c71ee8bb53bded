"""Tensors as ``ag.print`` writes them: a few elements at each end of every dimension."""

from __future__ import annotations

from typing import Any

import numpy as np

_DIGITS = {8: (15, 17)}
_SHORT = (6, 9)


def element(value: Any) -> str:
    """A scalar: floats with as few digits as say which one it is, bools as 1 and 0."""
    value = np.asarray(value)[()]
    kind = value.dtype.kind
    if kind == "b":
        return str(int(value))
    if kind in "iu":
        return str(value)
    if kind == "c":
        return f"({element(value.real)}{'' if _is_negative(value.imag) else '+'}{_imaginary(value)}"
    return _floating(value)


def _imaginary(value: Any) -> str:
    return f"{element(value.imag)}j)"


def _is_negative(value: Any) -> bool:
    return bool(np.signbit(value)) and not np.isnan(value)


def _floating(value: Any) -> str:
    number = float(value)
    few, all_of_them = _DIGITS.get(value.dtype.itemsize, _SHORT)
    exact = np.float64 if value.dtype.itemsize == 8 else np.float32
    with np.errstate(over="ignore"):
        short = f"{number:.{few}g}"
        same = exact(float(short)) == exact(number) or number != number
    return short if same else f"{number:.{all_of_them}g}"


def summary(value: Any, count: int) -> str:
    """A tensor; ``count`` elements at each end of a dimension, or all of them if it is negative."""
    array = np.asarray(value)
    return element(array) if not array.ndim else _rows(array, count, 0, array.ndim)


def _rows(array: Any, count: int, depth: int, rank: int) -> str:
    if depth == rank:
        return element(array)
    size = len(array)
    if count < 0 or size <= 2 * count:
        shown = [_rows(row, count, depth + 1, rank) for row in array]
    else:
        ends = [*range(count), *range(size - count, size)]
        shown = [_rows(array[place], count, depth + 1, rank) for place in ends]
        shown.insert(count, "...")
    gap = " " if depth == rank - 1 else "\n" * (rank - 1 - depth) + " " * (depth + 1)
    return f"[{gap.join(shown)}]"
