"""NumPy's statistics that order or count: median, quantile, percentile, bincount, diff."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir.building.types import float32, int64, promote
from agir.ir.ops.core.checked import require
from agir.ir.ops.core.operands import axis_index, compose, operand_type
from agir.ir.ops.core.recorded import array_of, tensor
from agir.ir.tensors import dispatch


def _size(x: Any, axis: int) -> Any:
    known = x.shape[axis]
    return dispatch.call("shape", x, int64)[axis] if known is None else known


def _last(x: Any, axis: Any, name: str) -> tuple[Any, Any]:
    """(the floats with the axes that are reduced as their last one, the axis that they were)."""
    call = dispatch.call
    kind = operand_type(dispatch.type_of(x, name))
    if kind.dtype.is_complex:
        raise TypeError(f"{name}() is not defined for {kind.dtype}: complex numbers have no order")
    wide = float32 if kind.dtype.is_storage_only else kind.dtype
    values = call("cast", x, wide if wide.is_floating else "float64")
    if axis is None:
        return call("ravel", values), None
    along = axis_index(axis, kind.rank, name)
    return call("moveaxis", values, along, -1), along


def _at(ordered: Any, position: Any) -> Any:
    """The elements at a position along the last axis; NaN of nothing."""
    return dispatch.call("gather", ordered, position, len(ordered.shape) - 1)


def _of_quantile(x: Any, q: Any, axis: Any, keepdims: bool, name: str) -> Any:
    """The linear interpolation between the elements next to the place ``q * (n - 1)``."""
    call = dispatch.call
    values, along = _last(x, axis, name)
    q = array_of(q) if isinstance(q, (list, tuple)) else q
    inside = call("logical_and", call("greater_equal", q, 0), call("less_equal", q, 1))
    named, most = ("Percentiles", 100) if name == "percentile" else ("Quantiles", 1)
    require(inside, f"{named} must be in the range [0, {most}]")
    ordered = call("sort", values, -1)
    size = _size(ordered, -1 % len(ordered.shape))
    if not isinstance(size, int) or size == 0:  # the quantile of nothing is NaN
        end = call("full", [*call("numpy_shape", ordered)[:-1], 1], np.nan, ordered.dtype)
        ordered = call("concat", [ordered, end], len(ordered.shape) - 1)
        size = call("maximum", size, 1) if not isinstance(size, int) else 1
    place = call("multiply", call("cast", q, "float64"), call("subtract", size, 1))
    low = call("cast", call("floor", place), int64)
    high = call("minimum", call("add", low, 1), call("subtract", size, 1))
    kind, share = operand_type(dispatch.type_of(values)), operand_type(dispatch.type_of(q))
    dtype = promote(kind, share)[0] if share.dtype.is_floating else values.dtype
    part = call("cast", call("subtract", place, low), dtype)
    below, above = _at(ordered, low), _at(ordered, high)
    distance = call("multiply", call("subtract", above, below), part)
    found = call("where", call("equal", below, above), below, call("add", below, distance))
    greatest = _at(ordered, call("subtract", size, 1))
    rank = len(found.shape) - len(greatest.shape)
    if rank:  # several quantiles come first
        found = call("moveaxis", found, -1, 0)
    found = call("where", call("isnan", greatest), float("nan"), found)
    given = operand_type(dispatch.type_of(x))
    if given.dtype.is_floating:
        floating = share.dtype.is_floating
        found = call("cast", found, promote(given, share)[0] if floating else given.dtype)
    if not keepdims:
        return found
    if along is not None:
        return call("expand_dims", found, along + rank)
    ones = (1,) * operand_type(dispatch.type_of(x)).rank
    return call("reshape", found, (-1, *ones) if rank else ones)


def quantile(x: Any, q: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    """``numpy.quantile`` by linear interpolation; NaN where there is one.

    >>> ag.quantile([1.0, 2.0, 3.0], 0.5).numpy()
    np.float32(2.0)

    Shapes: x [...] -> [...] without the axis, after the shape of q
    Dtypes: bool, int, uint -> float64; float -> the same
    Raises: OperandTypeError for other dtypes
    """
    return _of_quantile(x, q, axis, keepdims, "quantile")


def percentile(x: Any, q: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    """``numpy.percentile`` by linear interpolation; NaN where there is one.

    >>> ag.percentile([1.0, 2.0, 3.0], 50).numpy()
    np.float32(2.0)

    Shapes: x [...] -> [...] without the axis, after the shape of q
    Dtypes: bool, int, uint -> float64; float -> the same
    Raises: OperandTypeError for other dtypes
    """
    several = isinstance(q, (list, tuple))
    share = array_of(q) / 100.0 if several else q / 100.0
    return _of_quantile(x, share, axis, keepdims, "percentile")


def median(x: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    """The element in the middle of the order along an axis, or the mean of the two that are there.

    >>> ag.median([3.0, 1.0, 2.0]).numpy()
    np.float32(2.0)

    Shapes: x [...] -> [...] without the axis
    Dtypes: bool, int, uint -> float64; float -> the same
    Raises: OperandTypeError for other dtypes
    """
    return _of_quantile(x, 0.5, axis, keepdims, "median")


def numpy_bincount(x: Any, weights: Any = None, minlength: Any = 0) -> Any:
    """``numpy.bincount``: how often each number from 0 on is there, or the sum of its weights."""
    call, x = dispatch.call, tensor(x)
    if x.dtype.kind not in "biu":
        raise TypeError(f"bincount() counts integers, and no {x.dtype}")
    numbers = call("cast", x, int64)
    require(call("greater_equal", minlength, 0), "bincount(): minlength is not negative")
    if x.dtype.kind == "i" or x.dtype.itemsize == int64.itemsize:
        natural = call("greater_equal", numbers, 0)
        require(call("all", natural), "bincount(): the numbers are not negative")
    if 0 in numbers.shape:
        length = 0
    elif None in numbers.shape:
        length = call("add", call("max", call("concat", [numbers, [-1]], 0)), 1)
    else:
        length = call("add", call("max", numbers), 1)
    counts = weights is None or 0 in numbers.shape  # NumPy's answer is of ints
    given = call("fill_like", numbers, 1) if counts else call("cast", weights, "float64")
    zeros = call("full", (call("maximum", length, minlength),), 0, given.dtype)
    return call("scatter", zeros, call("expand_dims", numbers, 1), given, "add")


def _extended(values: Any, axis: int, prepend: Any, append: Any) -> Any:
    """The array between what is put before it and after it, of which a number is one element."""
    sizes = [1 if i == axis else _size(values, i) for i in range(len(values.shape))]

    def piece(given: Any) -> Any:
        strong = dispatch.call("copy", given)
        return strong if strong.shape else dispatch.call("broadcast_to", strong, sizes)

    ends = [[] if each is None else [piece(each)] for each in (prepend, append)]
    parts = [*ends[0], values, *ends[1]]
    return dispatch.call("concat", parts, axis) if len(parts) > 1 else values


def diff(x: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Any:
    """``numpy.diff``: each element less the one before it, ``n`` times.

    ``prepend`` and ``append`` are put before and after the array first.

    >>> ag.diff([1.0, 4.0, 9.0]).numpy()
    array([3., 5.], dtype=float32)

    Shapes: x [..., n] -> [..., m]; m is n - 1
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    if n < 0:
        raise ValueError(f"diff(): n is 0 or more, not {n}")
    if n == 0:
        return dispatch.call("copy", x)
    values = dispatch.call("copy", x)
    along = axis_index(axis, len(values.shape), "diff")
    values = _extended(values, along, prepend, append)
    before = (slice(None),) * along
    name = "not_equal" if values.dtype.kind == "b" else "subtract"
    for _ in range(n):
        later, earlier = (*before, slice(1, None)), (*before, slice(None, -1))
        values = dispatch.call(name, values[later], values[earlier])
    return values


def take_along_axis(x: Any, indices: Any, axis: Any = -1) -> Any:
    """The elements at the indices along an axis, which broadcast along the others.

    >>> ag.take_along_axis([[3.0, 1.0], [2.0, 4.0]], [[1], [0]]).numpy()
    array([[1.],
           [2.]], dtype=float32)

    Shapes: x [..., n], indices [..., m] -> [..., m]
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: RuntimeIndexError for an index outside of the axis
    """
    call = dispatch.call
    values, places = call("copy", x), call("copy", indices)
    if axis is None:
        return call("ravel", values)[places]
    rank = len(values.shape)
    along = axis_index(axis, rank, "take_along_axis")
    key = []
    for i in range(rank):
        line = call("range", _size(values, i), dtype=int64)
        key.append(call("reshape", line, [1] * i + [-1] + [1] * (rank - i - 1)))
    key[along] = places
    return values[tuple(key)]


compose("quantile", quantile, numpy=(np.quantile,), accepts="biuf")
compose("percentile", percentile, numpy=(np.percentile,), accepts="biuf")
compose("median", median, numpy=(np.median,), accepts="biuf")
compose("numpy_bincount", numpy_bincount, numpy=(np.bincount,), accepts="iu")
compose("diff", diff, numpy=(np.diff,))
compose("take_along_axis", take_along_axis, numpy=(np.take_along_axis,))
