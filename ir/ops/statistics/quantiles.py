"""Quantiles by all of NumPy's methods, with weights, and of what is not NaN.

A method places a quantile between two elements of the ordered ones (R. J. Hyndman and Y. Fan, "Sample
quantiles in statistical packages"): a *position*, which counts from 0, of which the fraction is the
share of the upper one.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from agir.ir.building.types import float64, is_python_number
from agir.ir.ops.core.checked import require
from agir.ir.ops.core.operands import axis_indices
from agir.ir.ops.core.recorded import (
    dimension_size,
    dimension_sizes,
    dtype_of,
    rank,
    records,
    store,
    store_whole,
    tensor,
    type_of,
)
from agir.ir.ops.core.zero_dimensional import as_number
from agir.ir.ops.ordering.order import argsorted
from agir.ir.tensors import dispatch

call = dispatch.call
_NOTHING: Any = np._NoValue
Position = Callable[[Any, Any], Any]


# Positions: of the number of elements and the share that is below, as floats.


def _between(alpha: float, beta: float) -> Position:
    return lambda n, q: n * q + (alpha + q * (1 - alpha - beta)) - 1


def _of_range(n: Any, q: Any) -> Any:
    return (n - 1) * q


def _whole(place: Any) -> Any:
    return call("equal", place, call("floor", place))


def _middle(n: Any, q: Any) -> Any:
    place = _of_range(n, q)
    return call("where", _whole(place), place, call("floor", place) + 0.5)


def _averaged(n: Any, q: Any) -> Any:
    place = n * q - 1
    return call("where", _whole(place), place + 0.5, call("ceil", place))


def _closest(n: Any, q: Any) -> Any:
    """The nearest one; of two that are as near, the one whose number from 1 is even."""
    place = n * q - 1.5
    below = call("floor", place)
    odd = call("equal", call("remainder", below, 2), 1)
    return call("where", call("logical_and", _whole(place), odd), below, below + 1)


CONTINUOUS: dict[str, Position] = {
    "linear": _of_range,
    "midpoint": _middle,
    "averaged_inverted_cdf": _averaged,
    "interpolated_inverted_cdf": _between(0, 1),
    "hazen": _between(0.5, 0.5),
    "weibull": _between(0, 0),
    "median_unbiased": _between(1 / 3, 1 / 3),
    "normal_unbiased": _between(3 / 8, 3 / 8),
}
DISCRETE: dict[str, Position] = {
    "lower": lambda n, q: call("floor", _of_range(n, q)),
    "higher": lambda n, q: call("ceil", _of_range(n, q)),
    "nearest": lambda n, q: call("rint", _of_range(n, q)),
    "inverted_cdf": lambda n, q: call("ceil", n * q) - 1,
    "closest_observation": _closest,
}
"""Methods whose quantiles are elements, and keep their dtype."""


# Rows: what the quantiles are of, along the last axis.


def _rows(x: Any, axes: tuple[int, ...]) -> Any:
    rest = [i for i in range(rank(x)) if i not in axes]
    sizes = dimension_sizes(x)
    length = functools.reduce(operator.mul, (sizes[i] for i in axes), 1)
    shape = [*(sizes[i] for i in rest), length]
    return call("reshape", call("transpose", x, [*rest, *axes]), shape)


def _at(ordered: Any, places: Any, q: Any) -> Any:
    """The elements at places of each row: a result for each share, of the shape of the rows."""
    lead = dimension_sizes(q)
    wide = call("broadcast_to", ordered, (*lead, *dimension_sizes(ordered)))
    places = call("broadcast_to", places, (*lead, *dimension_sizes(ordered)[:-1]))
    return as_number(call("take_along_axis", wide, call("expand_dims", places, -1), -1)[..., 0])


def _placed(ordered: Any, count: Any, q: Any, method: str) -> Any:
    """The quantiles of rows in order, of which ``count`` elements matter."""
    last = call("maximum", count - 1, 0)
    shares = call("reshape", q, (*dimension_sizes(q), *(1,) * (rank(ordered) - 1)))
    number = call("cast", count, dtype_of(q))
    positions = DISCRETE.get(method) or CONTINUOUS[method]
    place = positions(number, shares)
    place = call("minimum", call("maximum", place, 0.0), call("cast", last, dtype_of(q)))
    below = call("cast", call("floor", place), "int64")
    lower = _at(ordered, below, q)
    if method in DISCRETE:
        return lower
    upper = _at(ordered, call("minimum", below + 1, last), q)
    part = place - call("floor", place)
    found = lower + (upper - lower) * part
    return call("where", call("equal", lower, upper), lower, found)


def _weighted(rows: Any, weights: Any, q: Any) -> Any:
    """The first element up to which the weights make the share."""
    order = argsorted(rows, rank(rows) - 1)
    ordered = call("take_along_axis", rows, order, -1)
    each = call("take_along_axis", call("broadcast_to", weights, dimension_sizes(rows)), order, -1)
    sums = call("numpy_cumsum", tensor(each, float64), -1)
    sums = call("divide", sums, sums[..., -1:])
    require(call("isfinite", sums), "weights are NaN, infinite, or all of them are zero")
    sums = call("where", call("equal", sums, 0), -1.0, call("cast", sums, dtype_of(q)))
    shares = call("reshape", q, (*dimension_sizes(q), *(1,) * rank(rows)))
    places = call("sum", call("less", sums, shares), -1)
    return _at(ordered, call("minimum", places, dimension_sizes(rows)[-1] - 1), q)


def _without_value(x: Any, found: Any, bad: Any, discrete: bool) -> Any:
    """NaN where ``bad`` says so; of integers nothing is."""
    if dtype_of(x).kind not in "fc":
        return found
    result = call("where", bad, np.nan, found)
    return call("cast", result, dtype_of(x) if discrete else dtype_of(found))


def _quantile(
    x: Any, q: Any, axis: Any, method: str, keepdims: bool, weights: Any, skips: bool
) -> Any:
    axes = axis_indices(axis, rank(x), "quantile")
    rows = _rows(x, axes)
    if skips and weights is None:
        rows = _not_empty(rows)
    discrete = method in DISCRETE
    bad = call("isnan", rows) if dtype_of(rows).kind in "fc" else None
    if weights is not None:
        given = _rows(_like(weights, x, axes), axes)
        if skips and bad is not None:
            given = call("where", bad, 0.0, tensor(given, float64))
        found = _weighted(rows, given, q)
    else:
        ordered = call("sort", rows, -1)
        count: Any = tensor(dimension_sizes(rows)[-1], "int64")
        if skips and bad is not None:
            count = call("sum", call("logical_not", bad), -1)
        found = _placed(ordered, count, q, method)
    if bad is not None:
        empty = call("all" if skips else "any", bad, -1)
        found = _without_value(x, found, empty, discrete or weights is not None)
    if not keepdims:
        return found
    kept = [1 if i in axes else e for i, e in enumerate(dimension_sizes(x))]
    return call("reshape", found, [*dimension_sizes(q), *kept])


def _not_empty(rows: Any) -> Any:
    """Rows that may be empty with NaN at their end, which is left out: that is left of nothing."""
    length = type_of(rows).shape[-1]
    if length or (length is None and not dtype_of(rows).is_floating):
        return rows
    rows = rows if dtype_of(rows).is_floating else tensor(rows, float64)
    end = call("full", [*dimension_sizes(rows)[:-1], 1], np.nan, dtype_of(rows))
    return call("concat", [rows, end], rank(rows) - 1)


def _like(weights: Any, x: Any, axes: tuple[int, ...]) -> Any:
    """Weights in the dimensions of the array: of its shape, or a vector along one axis."""
    given = tensor(weights)
    if rank(given) == rank(x):
        return given
    if rank(given) != 1 or len(axes) != 1:
        raise TypeError("the weights have the shape of the array, or are a vector along one axis")
    shape = [-1 if i == axes[0] else 1 for i in range(rank(x))]
    return call("broadcast_to", call("reshape", given, shape), dimension_sizes(x))


def _shares(q: Any, x: Any, scale: float) -> Any:
    """What is asked for, as shares of 1 in a float dtype; a Python number takes the array's."""
    weak = is_python_number(q) or (rank(q) == 0 and type_of(q).weak)
    kind = dtype_of(x) if weak and dtype_of(x).is_floating else float64
    given = tensor(q)
    if not weak and given.dtype.is_floating:
        kind = given.dtype
    shares = call("divide", tensor(given, kind), scale)
    inside = call("logical_and", call("greater_equal", shares, 0), call("less_equal", shares, 1))
    name, most = ("Quantiles", 1) if scale == 1 else ("Percentiles", 100)
    require(inside, f"{name} must be in the range [0, {most}]")
    return shares


def _checked(name: str, method: str, weights: Any) -> None:
    if method not in CONTINUOUS and method not in DISCRETE:
        known = ", ".join(repr(each) for each in sorted({*CONTINUOUS, *DISCRETE}))
        raise ValueError(f"{name}(): there is no method {method!r}; there are {known}")
    if weights is not None and method != "inverted_cdf":
        raise ValueError(f"{name}(): weights are for method='inverted_cdf', not {method!r}")


def _over(name: str, x: Any, q: tuple[Any, ...], axis: Any, keepdims: bool) -> Any:
    """A statistic of the table over one axis or several."""
    if not isinstance(axis, (tuple, list)):
        return call(name, x, *q, axis, keepdims=keepdims)
    axes = axis_indices(axis, rank(x), name)
    return _kept(call(name, _rows(x, axes), *q, -1), x, axes, keepdims)


def _kept(found: Any, x: Any, axes: tuple[int, ...], keepdims: bool) -> Any:
    """What was found for each of the rows, with the axes that it is of if they are to be kept."""
    if not keepdims:
        return found
    lead = rank(found) - (rank(x) - len(axes))
    kept = [1 if i in axes else e for i, e in enumerate(dimension_sizes(x))]
    return call("reshape", found, [*dimension_sizes(found)[:lead], *kept])


def _quantiles(function: Any, scale: float, skips: bool) -> None:
    name = function.__name__

    @records(function)
    def quantiles(
        a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False,
        method: str = "linear", keepdims: Any = False, *, weights: Any = None,
        interpolation: Any = None,
    ) -> Any:  # fmt: skip
        _checked(name, method, weights)
        x, kept = tensor(a), keepdims is not _NOTHING and bool(keepdims)
        if dtype_of(x).is_complex:
            raise TypeError(f"{name}() of complex numbers: they have no order")
        of_bools = dtype_of(x).is_bool
        if of_bools and method not in _OF_THE_ELEMENTS:
            raise TypeError(
                f"{name}(method={method!r}) lies between elements, which bools have nothing between: "
                "convert them to numbers, or choose a method like 'lower'"
            )
        if method == "linear" and not skips:
            shares = tensor(q) if isinstance(q, list) else q
            result = _over(name, x, (shares,), axis, kept)
        else:
            x = tensor(x, "int8") if of_bools else x
            result = _quantile(x, _shares(q, x, scale), axis, method, kept, weights, skips)
            result = tensor(result, "bool") if of_bools else result
        return result if out is None else store(result, out)


_OF_THE_ELEMENTS = {"inverted_cdf", "closest_observation", "lower", "higher", "nearest"}
"""The methods whose result is one of the elements."""

_quantiles(np.quantile, 1.0, skips=False)
_quantiles(np.percentile, 100.0, skips=False)
_quantiles(np.nanquantile, 1.0, skips=True)
_quantiles(np.nanpercentile, 100.0, skips=True)


@records(np.median)
def median(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: Any = False
) -> Any:
    """The middle of the elements in their order."""
    x, kept = tensor(a), bool(keepdims)
    if dtype_of(x).is_complex:
        axes = axis_indices(axis, rank(x), "median")
        result = _kept(_median_of(_rows(x, axes)), x, axes, kept)
    else:
        result = _over("median", x, (), axis, kept)
    return result if out is None else store_whole(result, out)


def _median_of(rows: Any) -> Any:
    """The median of each row of complex numbers, which NumPy orders by both parts."""
    count, last = dimension_size(rows, -1), rank(rows) - 1
    end = call("full", [*dimension_sizes(rows)[:-1], 1], np.nan, dtype_of(rows))
    ordered = np.concatenate([np.sort(rows), end], last)  # NaN is the median of nothing
    size = call("maximum", count, 1)
    places = [call("floor_divide", call("subtract", size, 1), 2), call("floor_divide", count, 2)]
    low, high, top = (
        call("gather", ordered, call("cast", place, "int64"), last)
        for place in (*places, call("subtract", size, 1))
    )
    return call("where", call("isnan", top), top, call("divide", call("add", low, high), 2))


@records(np.nanmedian)
def nanmedian(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: Any = False
) -> Any:
    """The middle of what is not NaN."""
    x, kept = tensor(a), keepdims is not _NOTHING and bool(keepdims)
    x = tensor(x, "float64") if x.dtype.is_bool else x
    result = _quantile(x, _shares(0.5, x, 1.0), axis, "linear", kept, None, skips=True)
    return result if out is None else store(result, out, "unsafe")
