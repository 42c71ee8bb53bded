"""Interpolation, polynomials, averages and correlations."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir.building.types import float64, promote
from agir.ir.ops.core import layouts
from agir.ir.ops.core.checked import require
from agir.ir.ops.core.operands import axis_indices
from agir.ir.ops.core.recorded import (
    dimension_size,
    dimension_sizes,
    dtype_of,
    only,
    rank,
    records,
    store_whole,
    tensor,
    type_of,
)
from agir.ir.ops.core.zero_dimensional import as_array
from agir.ir.ops.linalg.einsum_subscripts import as_text, parse
from agir.ir.ops.shapes.numpy_creation import diagonal_view, ordered
from agir.ir.tensors import dispatch

call = dispatch.call
_NOTHING: Any = np._NoValue


@records(np.interp)
def interp(
    x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None
) -> Any:
    """The values between points that are given, by straight lines."""
    for given in (x, xp):
        if dtype_of(given).is_complex:
            raise TypeError(f"interp(): places are real numbers, not {dtype_of(given)}")
    values, places = tensor(x, float64), tensor(xp, float64)
    heights = tensor(fp)
    heights = tensor(heights, "complex128" if heights.dtype.is_complex else float64)
    if rank(places) != 1 or rank(heights) != 1:
        raise ValueError("interp(): the points are two vectors")
    sizes = places.type.shape[0], heights.type.shape[0]
    if None not in sizes and sizes[0] != sizes[1]:
        raise ValueError("fp and xp are not of the same length.")
    if 0 in sizes:
        raise ValueError("array of sample points is empty")
    if period is not None:
        left = right = None
        width = call("abs", tensor(period, float64))
        require(call("not_equal", width, 0), "interp(): the period is not zero")
        values, places = values % width, places % width
        order = call("argsort", places, 0)
        places, heights = places[order], heights[order]
        places = call("concat", [places[-1:] - width, places, places[:1] + width], 0)
        heights = call("concat", [heights[-1:], heights, heights[:1]], 0)
    count = dimension_size(places, 0)
    after = call("numpy_searchsorted", places, values, "right")
    low = call("clip", after - 1, 0, call("maximum", count - 2, 0))
    high = call("minimum", low + 1, count - 1)
    x0, x1 = call("take", places, low, 0), call("take", places, high, 0)
    y0, y1 = call("take", heights, low, 0), call("take", heights, high, 0)
    if heights.dtype.is_complex:
        ends = ((call(name, y0), call(name, y1)) for name in ("real", "imag"))
        inverse = 1.0 / (x1 - x0)
        found = call("complex", *(_on_lines(values, x0, x1, *y, inverse) for y in ends))
    else:
        found = _on_lines(values, x0, x1, y0, y1)
    exact = call("equal", values, x0)
    found = call("where", exact, y0, found)
    first = heights[0] if left is None else tensor(left, heights.dtype)
    last = heights[-1] if right is None else tensor(right, heights.dtype)
    found = call("where", values < places[0], first, found)
    found = call("where", call("equal", values, places[-1]), heights[-1], found)
    found = call("where", values > places[-1], last, found)
    unknown = call("logical_and", call("isnan", values), call("greater", count, 1))
    return call("where", unknown, call("cast", values, heights.dtype), found)


def _on_lines(values: Any, x0: Any, x1: Any, y0: Any, y1: Any, inverse: Any = None) -> Any:
    """The heights on lines, from the other end where those from the first one are NaN."""
    slope = (y1 - y0) / (x1 - x0) if inverse is None else (y1 - y0) * inverse
    found = slope * (values - x0) + y0
    other = slope * (values - x1) + y1
    found = call("where", call("isnan", found), other, found)
    flat = call("logical_and", call("isnan", found), call("equal", y0, y1))
    return call("where", flat, y0, found)


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
        w = call("reshape", w, [e if i in axes else 1 for i, e in enumerate(dimension_sizes(x))])
        w = call("broadcast_to", w, dimension_sizes(x))
    elif x.type.shape != w.type.shape and None not in (*x.type.shape, *w.type.shape):
        raise ValueError("average(): the shapes of the array and of its weights differ")
    total = call("sum", w, axis, result, kept)
    some = call("not_equal", total, 0)
    require(some, "average(): the sum of the weights is zero", ZeroDivisionError)
    found = call(
        "divide",
        call("sum", call("multiply", call("cast", x, result), w), axis, result, kept),
        total,
    )
    return (found, call("broadcast_to", total, dimension_sizes(found))) if returned else found


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
    if rank(free):
        raise TypeError(f"cov(): ddof is one number, not an array of {rank(free)} dimensions")
    require(call("equal", call("floor", free), free), "ddof must be integer")
    weights = None
    for each in (fweights, aweights):
        if each is not None:
            one = tensor(each, float64)
            weights = one if weights is None else weights * one
    if weights is None:
        mean = call("mean", x, 1)
        total: Any = call("cast", tensor(dimension_size(x, 1)), float64)
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
    return as_array(call("squeeze", found))


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


# Products.


@records(np.einsum)
def einsum(*operands: Any, out: Any = None, optimize: Any = False, **kwargs: Any) -> Any:
    """Products and sums by subscripts."""
    order = kwargs.pop("order", "K")
    casting = kwargs.pop("casting", "safe")
    dtype = kwargs.pop("dtype", None)
    if operands and not isinstance(operands[0], str):
        operands = as_text(operands)
    if out is not None:
        only(out)
    given = [v if isinstance(v, str) else tensor(v, dtype) for v in operands]
    if out is None and not optimize and (view := _view(given)) is not None:
        return view
    result = call("einsum", *given, **kwargs)
    if out is not None:
        return store_whole(result, out, casting, repeats=True)
    if order in ("C", "F"):
        return ordered(result, order)
    if order == "K" and not optimize and isinstance(given[0], str):
        parsed = parse(given[0], [rank(each) for each in given[1:]])
        layouts.derive_contracted(result, given[1:], parsed.inputs, parsed.output)
    return result


def _view(given: list[Any]) -> Any:
    """What subscripts of one array give that add up nothing: NumPy gives a view, else None."""
    if len(given) != 2 or not isinstance(given[0], str):
        return None
    x = given[1]
    parsed = parse(given[0], [rank(x)])
    labels = list(parsed.inputs[0])
    if set(labels) != set(parsed.output):
        return None
    for label in parsed.output:
        while labels.count(label) > 1:
            first = labels.index(label)
            second = labels.index(label, first + 1)
            same = call("equal", dimension_size(x, first), dimension_size(x, second))
            sizes = (type_of(x).shape[axis] for axis in (first, second))
            found = " and ".join("?" if size is None else str(size) for size in sizes)
            require(same, f"einsum(): label {label!r} has the sizes {found}, which differ")
            x = diagonal_view(x, first, second)
            labels = [*labels[:first], *labels[first + 1 : second], *labels[second + 1 :], label]
    return call("transpose", x, [labels.index(each) for each in parsed.output])


@records(np.dot)
def dot(a: Any, b: Any, out: Any = None) -> Any:
    """The dot product."""
    result = call("dot", tensor(a), tensor(b))
    return result if out is None else _exactly("dot", result, out)


@records(np.linalg.multi_dot)
def multi_dot(arrays: Any, *, out: Any = None) -> Any:
    """The product of several matrices."""
    result = call("numpy_multi_dot", [tensor(each) for each in arrays])
    return result if out is None else _exactly("multi_dot", result, out)


def _exactly(name: str, result: Any, out: Any) -> Any:
    """The result in ``out``, which must be just such an array: ``ValueError`` if it is not."""
    target = only(out)
    same = rank(target) == rank(result) and dtype_of(target) == dtype_of(result)
    if not (same and layouts.lies_in(target, "C")):
        raise ValueError(
            f"{name}(): out= is an array by rows, of the dtype and "
            "the number of dimensions of the result"
        )
    return store_whole(result, target)
