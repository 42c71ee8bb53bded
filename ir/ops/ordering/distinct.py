"""The distinct elements of an array, where they stand and how many there are of each."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir.building.types import int64
from agir.ir.ops.core.operands import compose, dimension_sizes
from agir.ir.tensors import dispatch

call = dispatch.call


def _order(flat: Any) -> Any:
    """The places of the elements in ascending order, equal ones in their own.

    Complex numbers are ordered by their real parts, and equal ones by the imaginary parts.
    """
    if not flat.dtype.is_complex:
        return call("argsort", flat)
    # 0.0 + -0.0 is 0.0: the two zeros are equal here, and not in the order of bits
    real, imag = (call("add", call(part, flat), 0.0) for part in ("real", "imag"))
    by_imag = call("argsort", imag)
    return by_imag[call("argsort", real[by_imag])]


def unique_all(x: Any) -> tuple[Any, Any, Any, Any]:
    """The distinct elements in order, where they first stand, which each one is, how many there are.

    NaNs are distinct from each other.
    """
    given = call("copy", x)
    flat = call("reshape", given, (-1,))
    order = _order(flat)
    ordered = flat[order]
    new = call("not_equal", ordered[1:], ordered[:-1])
    count = dimension_sizes(flat)[0]
    first = call("greater_equal", call("range", call("minimum", count, 1), dtype=int64), 0)
    new = call("concat", [first, new])
    starts = call("ravel", call("range", count, dtype=int64))[new]
    group = call("subtract", call("numpy_cumsum", new), 1)
    inverse = call("scatter", call("fill_like", group, 0), call("expand_dims", order, 1), group)
    ends = call("concat", [starts[1:], call("reshape", call("cast", count, int64), (1,))])
    counts = call("subtract", ends[: dimension_sizes(starts)[0]], starts)
    shape = dimension_sizes(given)
    return ordered[new], order[new], call("reshape", inverse, shape), counts


def unique_counts(x: Any) -> tuple[Any, Any]:
    """The distinct elements in order, and how many there are of each."""
    values, _, _, counts = unique_all(x)
    return values, counts


def unique_inverse(x: Any) -> tuple[Any, Any]:
    """The distinct elements in order, and which of them each element of the array is."""
    values, _, inverse, _ = unique_all(x)
    return values, inverse


def unique_values(x: Any) -> Any:
    """The distinct elements in order."""
    return unique_all(x)[0]


for _function in (unique_all, unique_counts, unique_inverse, unique_values):
    _name = _function.__name__
    compose(_name, _function, numpy=(getattr(np, _name),))
