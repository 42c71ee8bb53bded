"""Reductions over segments and counts, under TensorFlow's names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agir.families.signatures import plain as _plain
from agir.families.signatures import require as _require
from agir.families.signatures import require_same as _require_same
from agir.families.signatures import sizes as _sizes
from agir.families.signatures import tensor as _tensor
from agir.ir.building.types import as_dtype as _as_dtype
from agir.ir.building.types import int32 as _int32
from agir.ir.building.types import int64 as _int64
from agir.ir.ops.core.operands import composition as _composition
from agir.ir.tensors.dispatch import call as _call
from agir.ir.tensors.likes import DTypeLike as _DTypeLike
from agir.ir.tensors.likes import TensorLike as _TensorLike

_WHAT = {
    "sum": "The sums",
    "prod": "The products",
    "min": "The least",
    "max": "The greatest",
    "mean": "The means",
    "sqrt_n": "The sums divided by the square root of the number",
}


def _dtypes(kind: str) -> str:
    """What the documentation says of dtypes: numbers have an order, and complex ones have not."""
    return "bool, int, uint, float" + ("" if kind in ("min", "max") else ", complex")


_HOW = {"sum": "add", "prod": "mul", "min": "min", "max": "max", "mean": "add", "sqrt_n": "add"}


def _limit(dtype: Any, least: bool) -> Any:
    """The least or the greatest finite number of the dtype."""
    if dtype.kind == "b":
        return not least
    return dtype.min if least else dtype.max


def _identity(kind: str, dtype: Any) -> Any:
    if kind in ("min", "max"):
        return _limit(dtype, kind == "max")
    return int(kind == "prod")


def _rows(data: Any, segment_ids: Any) -> tuple[Any, Any]:
    """The data with one row for each segment number, and the numbers in one dimension."""
    x, ids = _tensor(data), _tensor(segment_ids)
    if not ids.dtype.is_integer:
        raise TypeError(f"segment numbers are integers, not {ids.dtype}")
    depth = len(ids.shape)
    pairs = zip(ids.shape, x.shape, strict=False)
    if depth > len(x.shape) or any(None not in p and p[0] != p[1] for p in pairs):
        raise ValueError(
            f"the shape {list(ids.shape)} of the segment numbers is not the beginning of the "
            f"data's, {list(x.shape)}".replace("None", "?")
        )
    _require_same(x, ids, depth, "the data and the segment numbers")
    numbers = _call("cast", _call("ravel", ids), _int64)
    return _call("reshape", x, [-1, *_sizes(x)[depth:]]), numbers


def _divisor(kind: str, counts: Any, dtype: Any) -> Any:
    safe = _call("cast", _call("maximum", counts, 1), dtype)
    return safe if kind == "mean" else _call("sqrt", safe)


def _reduced(kind: str, rows: Any, ids: Any, count: Any, empty: Any) -> Any:
    """Rows combined by number; ``count`` of those, and one more for what is left out."""
    inner = _sizes(rows)[1:]
    whole = _call("full", [count + 1, *inner], _identity(kind, rows.dtype), rows.dtype)
    left_out = _call("where", _call("less", ids, 0), count, ids)
    places = _call("expand_dims", left_out, 1)
    found = _call("scatter", whole, places, rows, _HOW[kind])[:-1]
    if kind not in ("mean", "sqrt_n") and empty is None:
        return found
    ones = _call("fill_like", ids, 1)
    counts = _call("scatter", _call("full", [count + 1], 0, _int64), places, ones, "add")[:-1]
    counts = _call("reshape", counts, [-1] + [1] * len(inner))
    if kind in ("mean", "sqrt_n"):
        divided = _call("divide", found, _divisor(kind, counts, rows.dtype))
        return _call("cast", divided, rows.dtype)
    return _call("where", _call("greater", counts, 0), found, _call("cast", empty, rows.dtype))


def _unsorted(kind: str, shown: str) -> Callable[..., Any]:
    @_composition()
    def function(data: Any, segment_ids: Any, num_segments: Any, name: Any = None) -> Any:
        rows, ids = _rows(data, segment_ids)
        count = _plain(num_segments)
        _require(_call("less", ids, count), "a segment number is not below num_segments")
        return _reduced(kind, rows, ids, count, None)

    function.__name__ = function.__qualname__ = f"unsorted_segment_{kind}"
    function.__doc__ = f"""{_WHAT[kind]} of the rows that have the same segment number, in any order.

    Negative numbers leave a row out.

    >>> ag.math.unsorted_segment_{kind}([1.0, 4.0, 2.0, 5.0], [1, 0, 1, 1], 2).numpy().round(3)
    {shown}

    Shapes: data [n, ...], segment_ids [n] -> [num_segments, ...]
    Dtypes: {_dtypes(kind)} -> the same
    Raises: InvalidArgumentError for a number that is too great; OperandTypeError for other dtypes
    """
    return function


def _sorted(kind: str, shown: str) -> Callable[..., Any]:
    @_composition()
    def function(data: Any, segment_ids: Any, name: Any = None) -> Any:
        rows, ids = _rows(data, segment_ids)
        rising = _call("all", _call("less_equal", ids[:-1], ids[1:]))
        fine = _call("logical_and", rising, _call("all", _call("greater_equal", ids, 0)))
        _require(fine, "the segment numbers are not sorted, or one is negative")
        last = _call("max", _call("concat", [ids, [-1]], 0))
        empty = 0 if kind in ("min", "max") else None
        return _reduced(kind, rows, ids, last + 1, empty)

    function.__name__ = function.__qualname__ = f"segment_{kind}"
    rest = "; 0 where there are none" if kind in ("min", "max") else ""
    function.__doc__ = f"""{_WHAT[kind]} of the rows that have the same segment number{rest}.

    The numbers are in order.

    >>> ag.math.segment_{kind}([1.0, 4.0, 2.0], [0, 0, 1]).numpy()
    {shown}

    Shapes: data [n, ...], segment_ids [n] -> [m, ...]; m is one more than the last number
    Dtypes: {_dtypes(kind)} -> the same
    Raises: InvalidArgumentError for numbers that are not in order; OperandTypeError for other dtypes
    """
    return function


segment_max = _sorted("max", "array([4., 2.], dtype=float32)")
segment_mean = _sorted("mean", "array([2.5, 2. ], dtype=float32)")
segment_min = _sorted("min", "array([1., 2.], dtype=float32)")
segment_prod = _sorted("prod", "array([4., 2.], dtype=float32)")
segment_sum = _sorted("sum", "array([5., 2.], dtype=float32)")
unsorted_segment_max = _unsorted("max", "array([4., 5.], dtype=float32)")
unsorted_segment_mean = _unsorted("mean", "array([4.   , 2.667], dtype=float32)")
unsorted_segment_min = _unsorted("min", "array([4., 1.], dtype=float32)")
unsorted_segment_prod = _unsorted("prod", "array([ 4., 10.], dtype=float32)")
unsorted_segment_sqrt_n = _unsorted("sqrt_n", "array([4.   , 4.619], dtype=float32)")
unsorted_segment_sum = _unsorted("sum", "array([4., 8.], dtype=float32)")


@_composition()
def bincount(
    arr: _TensorLike,
    weights: _TensorLike | None = None,
    minlength: Any = None,
    maxlength: Any = None,
    dtype: _DTypeLike = _int32,
    name: str | None = None,
    axis: int | None = None,
    binary_output: bool = False,
) -> Any:
    """How often each number from 0 on is there, or the sum of its weights; of each row: axis=-1.

    >>> ag.bincount([1, 1, 3]).numpy()
    array([0, 2, 0, 1], dtype=int32)

    Shapes: arr [...] -> [m]; m is one more than the greatest, or minlength
    Dtypes: bool, int, uint, float -> int32
    Raises: OperandValueError for an axis but None, 0 and -1; OperandTypeError for other dtypes
    """
    numbers = _tensor(arr)
    _require(_call("greater_equal", numbers, 0), "bincount(): a number is negative")
    wide = _call("cast", numbers, _int64)
    count = _call("max", _call("concat", [_call("ravel", wide), [-1]], 0)) + 1
    count = count if minlength is None else _call("maximum", count, _plain(minlength))
    count = count if maxlength is None else _call("minimum", count, _plain(maxlength))
    kind = _as_dtype(dtype) if weights is None else _tensor(weights).dtype
    given = _call("fill_like", wide, 1, kind) if weights is None else _tensor(weights)
    ids = _call("where", _call("less", wide, count), wide, -1)
    if axis not in (None, 0, -1):
        raise ValueError(f"bincount(): axis is None, 0 or -1, not {axis}")
    by_row = axis == -1 and len(numbers.shape) == 2
    rows = _sizes(numbers)[0] if by_row else 1
    if by_row:
        base = _call("reshape", _call("range", rows, dtype=_int64), [-1, 1]) * count
        ids = _call("where", _call("less", ids, 0), -1, ids + base)
    ids, given = _call("ravel", ids), _call("ravel", given)
    found = _reduced("sum", given, ids, count * rows, None)
    if binary_output:
        found = _call("cast", _call("not_equal", found, 0), kind)
    return _call("reshape", found, [rows, count]) if by_row else found


def _bins(values: Any, value_range: Any, nbins: Any) -> Any:
    x = _tensor(values)
    bounds = _call("cast", _tensor(value_range), x.dtype)
    low, high = bounds[0], bounds[1]
    _require(_call("less", low, high), "value_range is empty: its first number is not the lesser")
    scaled = _call("divide", _call("subtract", x, low), _call("subtract", high, low))
    places = _call("floor", _call("multiply", scaled, nbins))
    return _call("clip", _call("cast", _call("clip", places, 0, nbins - 1), _int32), 0, nbins - 1)


@_composition()
def histogram_fixed_width_bins(
    values: _TensorLike,
    value_range: _TensorLike,
    nbins: int = 100,
    dtype: _DTypeLike = _int32,
    name: str | None = None,
) -> Any:
    """For each value which of the bins of equal width it falls into, the outer ones being open.

    >>> ag.histogram_fixed_width_bins([0.1, 0.4, 0.9], [0.0, 1.0], nbins=2).numpy()
    array([0, 0, 1], dtype=int32)

    Shapes: values [...], value_range [2] -> [...]
    Dtypes: int, uint, float -> int32
    Raises: OperandTypeError for other dtypes
    """
    return _call("cast", _bins(values, value_range, _plain(nbins)), dtype)


@_composition()
def histogram_fixed_width(
    values: _TensorLike,
    value_range: _TensorLike,
    nbins: int = 100,
    dtype: _DTypeLike = _int32,
    name: str | None = None,
) -> Any:
    """How many values fall into each bin of equal width, the outer ones being open.

    >>> ag.histogram_fixed_width([0.1, 0.4, 0.9], [0.0, 1.0], nbins=2).numpy()
    array([2, 1], dtype=int32)

    Shapes: values [...], value_range [2] -> [nbins]
    Dtypes: int, uint, float -> int32
    Raises: OperandTypeError for other dtypes
    """
    places = _call("ravel", _bins(values, value_range, _plain(nbins)))
    ones = _call("fill_like", places, 1, dtype)
    return _reduced("sum", ones, _call("cast", places, _int64), _plain(nbins), None)


@_composition()
def confusion_matrix(
    labels: _TensorLike,
    predictions: _TensorLike,
    num_classes: Any = None,
    weights: _TensorLike | None = None,
    dtype: _DTypeLike = _int32,
    name: str | None = None,
) -> Any:
    """How often each label (row) and prediction (column) come together, or their weights' sum.

    >>> ag.confusion_matrix([0, 1, 1], [0, 1, 0]).numpy()
    array([[1, 0],
           [1, 1]], dtype=int32)

    Shapes: labels [n], predictions [n] -> [k, k]
    Dtypes: bool, int, uint, float, complex -> int32
    Raises: RuntimeIndexError for a number that is no class
    """
    pair = [_call("cast", _call("ravel", _tensor(v)), _int64) for v in (labels, predictions)]
    count = _plain(num_classes)
    if count is None:
        count = _call("max", _call("concat", [*pair, [-1]], 0)) + 1
    places = _call("stack", pair, 1)
    given = _call("fill_like", pair[0], 1, dtype)
    if weights is not None:
        given = _call("cast", _call("ravel", _tensor(weights)), dtype)
    return _call(
        "scatter", _call("full", [count, count], 0, _as_dtype(dtype)), places, given, "add"
    )


__all__ = [
    "bincount",
    "confusion_matrix",
    "histogram_fixed_width",
    "histogram_fixed_width_bins",
    "segment_max",
    "segment_mean",
    "segment_min",
    "segment_prod",
    "segment_sum",
    "unsorted_segment_max",
    "unsorted_segment_mean",
    "unsorted_segment_min",
    "unsorted_segment_prod",
    "unsorted_segment_sqrt_n",
    "unsorted_segment_sum",
]
