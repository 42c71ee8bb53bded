"""Interpolation, polynomials, averages and correlations."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir import dispatch
from agir.ir.ops.einsum_subscripts import parse
from agir.ir.ops.operands import axis_indices
from agir.ir.ops.recorded import (
    dtype_of,
    extent,
    extents,
    operand,
    rank,
    records,
    store,
    tensor,
    type_of,
)
from agir.ir.types import float64, promote

call = dispatch.call
_NOTHING: Any = np._NoValue


@records(np.interp)
def interp(
    x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None
) -> Any:
    """The values between points that are given, by straight lines."""
    values, places = tensor(x, float64), tensor(xp, float64)
    heights = tensor(fp)
    heights = tensor(heights, "complex128" if heights.dtype.is_complex else float64)
    if rank(places) != 1 or rank(heights) != 1:
        raise ValueError("interp(): the points are two vectors")
    sizes = places.type.shape[0], heights.type.shape[0]
    if None not in sizes and sizes[0] != sizes[1]:
        raise ValueError(f"interp(): {sizes[0]} places and {sizes[1]} heights")
    if 0 in sizes:
        raise ValueError("interp(): there are no points")
    if period is not None:
        left = right = None
        width = call("abs", tensor(period, float64))
        values, places = values % width, places % width
        order = call("argsort", places, 0)
        places, heights = places[order], heights[order]
        places = call("concat", [places[-1:] - width, places, places[:1] + width], 0)
        heights = call("concat", [heights[-1:], heights, heights[:1]], 0)
    count = extent(places, 0)
    after = call("numpy_searchsorted", places, values, "right")
    low = call("clip", after - 1, 0, call("maximum", count - 2, 0))
    high = call("minimum", low + 1, count - 1)
    x0, x1 = call("take", places, low, 0), call("take", places, high, 0)
    y0, y1 = call("take", heights, low, 0), call("take", heights, high, 0)
    slope = (y1 - y0) / (x1 - x0)
    found = slope * (values - x0) + y0
    other = slope * (values - x1) + y1
    bad = call("isnan", found)
    found = call("where", bad, other, found)
    flat = call("logical_and", call("isnan", found), call("equal", y0, y1))
    found = call("where", flat, y0, found)
    exact = call("equal", values, x0)
    found = call("where", exact, y0, found)
    first = heights[0] if left is None else tensor(left, heights.dtype)
    last = heights[-1] if right is None else tensor(right, heights.dtype)
    found = call("where", values < places[0], first, found)
    found = call("where", call("equal", values, places[-1]), heights[-1], found)
    found = call("where", values > places[-1], last, found)
    return call("where", call("isnan", values), call("cast", values, heights.dtype), found)


# Averages.


@records(np.average)
def average(
    a: Any,
    axis: Any = None,
    weights: Any = None,
    returned: bool = False,
    *,
    keepdims: Any = _NOTHING,
) -> Any:
    """The mean, each element counted by its weight."""
    x = tensor(a)
    kept = keepdims is not _NOTHING and bool(keepdims)
    if weights is None:
        found = call("mean", x, axis, None, kept)
        if not returned:
            return found
        share = call("divide", call("numpy_size", x), call("numpy_size", found))
        return found, call("fill_like", found, share)
    w = tensor(weights)
    result, _ = promote(x.type, w.type)
    if result.kind in "biu":
        result = float64
    if rank(w) != rank(x):
        if axis is None:
            raise TypeError("average(): axis= is needed where the weights have another shape")
        axes = axis_indices(axis, rank(x), "average")
        if rank(w) != len(axes):
            raise TypeError("average(): weights have the shape of the array, or of its axes")
        w = call("reshape", w, [e if i in axes else 1 for i, e in enumerate(extents(x))])
        w = call("broadcast_to", w, extents(x))
    elif x.type.shape != w.type.shape and None not in (*x.type.shape, *w.type.shape):
        raise ValueError("average(): the shapes of the array and of its weights differ")
    total = call("sum", w, axis, result, kept)
    found = call(
        "divide",
        call("sum", call("multiply", call("cast", x, result), w), axis, result, kept),
        total,
    )
    return (found, call("broadcast_to", total, extents(found))) if returned else found


@records(np.cov)
def cov(
    m: Any, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: Any = None,
    fweights: Any = None, aweights: Any = None, *, dtype: Any = None,
) -> Any:  # fmt: skip
    """The covariances of variables, each a row of observations."""
    x = _observations(m, rowvar)
    if y is not None:
        x = call("concat", [x, _observations(y, rowvar)], 0)
    kind = promote(x.type, type_of(np.float64(0)))[0] if dtype is None else dtype
    x = call("cast", x, kind)
    free = (0 if bias else 1) if ddof is None else ddof
    weights = None
    for each in (fweights, aweights):
        if each is not None:
            one = tensor(each, float64)
            weights = one if weights is None else weights * one
    if weights is None:
        mean = call("mean", x, 1)
        total: Any = call("cast", tensor(extent(x, 1)), float64)
        norm = total - free
        scaled = x - mean[:, None]
        other = scaled
    else:
        total = call("sum", weights)
        mean = average(x, 1, weights)
        norm = total - free
        if aweights is not None and free != 0:
            norm = total - free * call("sum", weights * tensor(aweights, float64)) / total
        scaled = x - mean[:, None]
        other = scaled * weights
    norm = call("maximum", norm, 0.0)
    found = call("divide", call("matmul", scaled, call("conj", call("transpose", other))), norm)
    return call("squeeze", found)


def _observations(m: Any, rowvar: bool) -> Any:
    x = tensor(m)
    if rank(x) > 2:
        raise ValueError(f"cov() takes one or two dimensions, not {rank(x)}")
    if rank(x) < 2:
        return call("reshape", x, (1, -1))
    rows = x.type.shape[0]
    return x if rowvar or rows == 1 else call("transpose", x)


@records(np.corrcoef)
def corrcoef(x: Any, y: Any = None, rowvar: bool = True, **unused: Any) -> Any:
    """The correlations of variables."""
    c = cov(x, y, rowvar, dtype=unused.get("dtype"))
    if rank(c) == 0:
        return call("divide", c, c)
    deviation = call("sqrt", call("real", np.diagonal(c)))
    found = call("divide", call("divide", c, deviation[:, None]), deviation[None, :])
    if dtype_of(found).is_complex:
        parts = [call("clip", call(n, found), -1, 1) for n in ("real", "imag")]
        return call("complex", *parts)
    return call("clip", found, -1, 1)


# Quantiles.


def _over(name: str, x: Any, q: tuple[Any, ...], axis: Any, keepdims: bool) -> Any:
    """A statistic of the table over one axis or several."""
    if not isinstance(axis, (tuple, list)):
        return call(name, x, *q, axis, keepdims=keepdims)
    axes = axis_indices(axis, rank(x), name)
    rest = [i for i in range(rank(x)) if i not in axes]
    whole = extents(x)
    rows = call("reshape", call("transpose", x, [*rest, *axes]), [*(whole[i] for i in rest), -1])
    found = call(name, rows, *q, -1)
    if not keepdims:
        return found
    lead = rank(found) - len(rest)
    kept = [1 if i in axes else e for i, e in enumerate(whole)]
    return call("reshape", found, [*extents(found)[:lead], *kept])


def _quantiles(name: str, function: Any) -> None:
    @records(function)
    def quantiles(
        a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False,
        method: str = "linear", keepdims: Any = False, *, weights: Any = None,
        interpolation: Any = None,
    ) -> Any:  # fmt: skip
        if method != "linear" or weights is not None:
            raise ValueError(f"{name}(): method={method!r} cannot be recorded with these arguments; "
                             "'linear' without weights can")  # fmt: skip
        x = tensor(a)
        result = _over(name, x, (tensor(q) if isinstance(q, list) else q,), axis, bool(keepdims))
        return result if out is None else store(result, out)


_quantiles("quantile", np.quantile)
_quantiles("percentile", np.percentile)


@records(np.median)
def median(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: Any = False
) -> Any:
    """The middle of the elements in their order."""
    result = _over("median", tensor(a), (), axis, bool(keepdims))
    return result if out is None else store(result, out)


def _of_numbers(a: Any, q: Any, axis: Any, keepdims: bool) -> Any:
    """Quantiles of what is not NaN."""
    x = tensor(a)
    x = x if x.dtype.is_floating else tensor(x, float64)
    axes = axis_indices(axis, rank(x), "nanquantile")
    rest = [i for i in range(rank(x)) if i not in axes]
    whole = extents(x)
    rows = call("reshape", call("transpose", x, [*rest, *axes]), [*(whole[i] for i in rest), -1])
    ordered = call("sort", rows, -1)
    count = call("sum", call("logical_not", call("isnan", rows)), -1)
    share = tensor(q, float64)
    shape = (*extents(share), *(1,) * rank(count))
    place = call(
        "multiply",
        call("reshape", share, shape),
        call("cast", call("maximum", count - 1, 0), float64),
    )
    low = call("cast", call("floor", place), "int64")
    high = call("minimum", low + 1, call("maximum", count - 1, 0))
    part = call("cast", place - call("cast", low, float64), x.dtype)
    taken = []
    for index in (low, high):
        spread = call("broadcast_to", ordered, (*extents(share), *extents(ordered)))
        taken.append(call("take_along_axis", spread, call("expand_dims", index, -1), -1)[..., 0])
    below, above = taken
    found = call("where", call("equal", below, above), below, below + (above - below) * part)
    found = call("cast", call("where", call("equal", count, 0), np.nan, found), x.dtype)
    if not keepdims:
        return found
    kept = [1 if i in axes else e for i, e in enumerate(whole)]
    return call("reshape", found, [*extents(share), *kept])


def _quantiles_of_numbers(function: Any, scale: float) -> None:
    @records(function)
    def quantiles(
        a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False,
        method: str = "linear", keepdims: Any = False, *, weights: Any = None,
        interpolation: Any = None,
    ) -> Any:  # fmt: skip
        if method != "linear" or weights is not None:
            raise ValueError(f"method={method!r} cannot be recorded; 'linear' without weights can")
        kept = keepdims is not _NOTHING and bool(keepdims)
        result = _of_numbers(a, call("divide", tensor(q), scale), axis, kept)
        return result if out is None else store(result, out)


_quantiles_of_numbers(np.nanquantile, 1.0)
_quantiles_of_numbers(np.nanpercentile, 100.0)


@records(np.nanmedian)
def nanmedian(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: Any = False
) -> Any:
    """The middle of what is not NaN."""
    kept = keepdims is not _NOTHING and bool(keepdims)
    result = _of_numbers(a, 0.5, axis, kept)
    return result if out is None else store(result, out)


# Polynomials, by their coefficients from the highest power on.


@records(np.polyval)
def polyval(p: Any, x: Any) -> Any:
    """The values of a polynomial."""
    coefficients, values = tensor(p), tensor(x)
    count = coefficients.type.shape[0]
    if count is None:
        raise ValueError("polyval(): the number of coefficients must be known while tracing")
    total = call("fill_like", values, 0)
    for i in range(count):
        total = call("add", call("multiply", total, values), coefficients[i])
    return total


@records(np.polyder)
def polyder(p: Any, m: int = 1) -> Any:
    """The coefficients of a derivative."""
    found = tensor(p)
    for _ in range(m):
        n = extent(found, 0)
        found = found[:-1] * call("flip", call("range", 1, n, dtype="int64"))
    return found


@records(np.polyint)
def polyint(p: Any, m: int = 1, k: Any = None) -> Any:
    """The coefficients of an integral."""
    found = tensor(p)
    added = [0.0] * m if k is None else list(k) if isinstance(k, (list, tuple)) else [k] * m
    for each in added:
        n = extent(found, 0)
        powers = call("flip", call("range", 1, n + 1, dtype="int64"))
        last = call("reshape", tensor(each), (1,))
        found = call("concat", [call("divide", found, powers), last], 0)
    return found


def _same_length(a1: Any, a2: Any) -> list[Any]:
    x, y = (call("reshape", tensor(v), (-1,)) for v in (a1, a2))
    n, m = x.type.shape[0], y.type.shape[0]
    if n is None or m is None:
        raise ValueError("the number of coefficients must be known while tracing")
    zeros = [call("full", (max(n, m) - k,), 0, v.dtype) for k, v in ((n, x), (m, y))]
    return [call("concat", [z, v], 0) for z, v in zip(zeros, (x, y), strict=True)]


@records(np.polyadd)
def polyadd(a1: Any, a2: Any) -> Any:
    """The sum of two polynomials."""
    return call("add", *_same_length(a1, a2))


@records(np.polysub)
def polysub(a1: Any, a2: Any) -> Any:
    """The difference of two polynomials."""
    return call("subtract", *_same_length(a1, a2))


@records(np.polymul)
def polymul(a1: Any, a2: Any) -> Any:
    """The product of two polynomials."""
    return np.convolve(tensor(a1), tensor(a2))


# Products.


@records(np.einsum)
def einsum(*operands: Any, out: Any = None, optimize: Any = False, **kwargs: Any) -> Any:
    """Products and sums by subscripts."""
    unused = {k: kwargs.pop(k) for k in ("order", "casting") if k in kwargs}
    del unused
    dtype = kwargs.pop("dtype", None)
    given = [v if isinstance(v, str) else tensor(v, dtype) for v in operands]
    order = _order_of_view(given)
    if order is not None and out is None and not optimize:
        return call("transpose", given[1], order)
    result = call("einsum", *given, **kwargs)
    return result if out is None else store(result, out)


def _order_of_view(given: list[Any]) -> list[int] | None:
    """The order of the axes where subscripts do no more than change it: NumPy gives a view."""
    if len(given) != 2 or not isinstance(given[0], str):
        return None
    parsed = parse(given[0], [rank(given[1])])
    (labels,) = parsed.inputs
    if len(set(labels)) < len(labels) or set(labels) != set(parsed.output):
        return None
    return [labels.index(each) for each in parsed.output]


@records(np.dot)
def dot(a: Any, b: Any, out: Any = None) -> Any:
    """The dot product."""
    result = call("dot", tensor(a), tensor(b))
    return result if out is None else store(result, out)


_ = operand
