"""Histograms of one and several dimensions."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.errors import StagingError
from agir.ir.building.types import float32, float64, int64, promote
from agir.ir.ops.core.checked import require
from agir.ir.ops.core.recorded import (
    dimension_size,
    dtype_of,
    operand,
    rank,
    records,
    tensor,
    type_of,
)
from agir.ir.ops.shapes.numpy_creation import linspace
from agir.ir.ops.statistics.host_vectors import vectors_on_host
from agir.ir.tensors import dispatch

call = dispatch.call


def _flat(value: Any) -> Any:
    return call("reshape", tensor(value), (-1,))


def _limits(x: Any, range_: Any) -> tuple[Any, Any]:
    """The least and the greatest number that is counted; half a unit around it where they are one."""
    if range_ is not None:
        low, high = (call("cast", v, float64) for v in range_)
        if not any(getattr(v, "is_symbolic", False) for v in (low, high)) and low > high:
            raise ValueError("histogram(): the greatest number of the range is below the least one")
        require(low <= high, "histogram(): the range ends before it begins, or is not a number")
    elif x.type.shape[0] == 0:
        low, high = tensor(0.0), tensor(1.0)
    else:
        if x.dtype.is_bool:
            x = tensor(x, "uint8")
        kind = x.dtype if x.dtype.kind == "f" else float64
        low, high = (call("cast", v, kind) for v in _extrema(x))
    finite = call("logical_and", call("isfinite", low), call("isfinite", high))
    require(
        finite,
        "histogram(): the least or the greatest number is not finite, so there is no width that "
        "all bins could have; leave NaN and infinities out, or give range=(low, high)",
    )
    same = call("equal", low, high)
    return call("where", same, low - 0.5, low), call("where", same, high + 0.5, high)


def _extrema(x: Any) -> list[Any]:
    """The least and the greatest element; 0 and 1 where only the run time knows that none is there."""
    if x.type.shape[0] is not None:
        return [call("min", x), call("max", x)]
    none = call("equal", dimension_size(x, 0), 0)
    found = [call("min_or_greatest", x), call("max_or_least", x)]
    return [call("where", none, tensor(n, x.dtype), v) for n, v in enumerate(found)]


def _edges(x: Any, bins: Any, range_: Any) -> tuple[Any, Any]:
    """(the edges of the bins, their number where they are equally wide)."""
    if isinstance(bins, str):
        edges = _edges_by_rule(x, bins, range_)
        return edges, dimension_size(edges, 0) - 1
    if rank(bins):
        return tensor(bins), None
    if isinstance(bins, int) and bins < 1:
        raise ValueError(f"histogram(): {bins} bins; there must be one or more")
    require(operand(bins) >= 1, "histogram(): the number of bins must be one or more")
    low, high = _limits(x, range_)
    kind = dtype_of(x) if dtype_of(x).kind == "f" else float64
    if low.dtype == float64:
        edges = call("cast", linspace(low, high, bins + 1), kind)
    else:  # as NumPy computes them in the data's own dtype
        step = (high - low) / call("cast", bins, low.dtype)
        number = call("range", bins + 1, dtype=int64)
        edges = call("cast", number, low.dtype) * step + low
        edges = call("where", call("equal", number, bins), high, edges)
    require(
        edges[:-1] < edges[1:],
        "histogram(): the bins are so many, or the numbers so near to each other, that edges of "
        "bins are equal; ask for fewer bins",
    )
    return edges, bins


def _edges_by_rule(x: Any, rule: str, range_: Any) -> Any:
    """Edges whose number depends on the elements."""
    given = [x, *(call("cast", v, float64) for v in range_ or ())]

    def edges(values: Any, *limits: Any) -> Any:
        return np.histogram_bin_edges(values, rule, limits or None)

    return vectors_on_host("histogram", edges, given, 1, float64)[0]


def _numbers(x: Any, edges: Any) -> Any:
    """The number of each element's bin between edges of any distances, -1 where it is in none."""
    last = dimension_size(edges, 0) - 1
    common, _ = promote(x.type, edges.type)
    values, bounds = call("cast", x, common), call("cast", edges, common)
    right = call("numpy_searchsorted", bounds, values, "right")
    inside = call("logical_and", right >= 1, values <= bounds[-1])
    place = call("minimum", right - 1, last - 1)
    return call("where", inside, place, -1)


def _weights(weights: Any, shape: Any) -> Any:
    """What each element adds to its bin: NumPy adds numbers up in float64, and whole ones as such."""
    if weights is None:
        return tensor(1, int64)
    given = _flat(weights)
    if None not in (*shape, *given.shape) and given.shape != shape:
        raise ValueError(
            f"histogram(): {shape[0]} numbers and {given.shape[0]} weights; there must be as many"
        )
    if given.dtype.is_bool:
        return tensor(given, "int64")
    if not given.dtype.is_integer and given.dtype.kind == "f":
        return call("cast", given, float64)
    return given


def _totals(place: Any, count: Any, weights: Any) -> Any:
    """How many elements each bin has, or the sum of their weights; -1 is no bin."""
    given = _weights(weights, place.shape)
    if weights is None:
        given = call("fill_like", place, 1, "int64")
    outside = call("where", call("less", place, 0), count, place)
    zeros = call("full", (count + 1,), 0, given.dtype)
    return call("scatter", zeros, call("reshape", outside, (-1, 1)), given, "add")[:-1]


def _equal_totals(x: Any, edges: Any, count: Any, weights: Any) -> Any:
    """The same for bins of one width, whose numbers follow from the elements by arithmetic."""
    kind, _ = promote(x.type, edges.type)
    kind = float32 if kind.is_storage_only else kind
    values, bounds = call("cast", x, kind), call("cast", edges, kind)
    given = _weights(weights, x.shape)
    tables = call("binned_totals", values, bounds, count, given)
    return call("sum", tables, 0, dtype=given.dtype)[:-1]


@records(np.histogram)
def histogram(
    a: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> Any:
    """How many elements each bin has, and the edges of the bins."""
    x = _flat(a)
    edges, count = _edges(x, bins, range)
    if count is not None and dtype_of(x).is_complex:
        raise StagingError(
            "complex numbers are not counted in bins of one width; give the edges of the bins, or "
            "count real parts or magnitudes"
        )
    if count is None:
        rises = call("less_equal", edges[:-1], edges[1:])
        require(rises, "histogram(): the edges of the bins rise")
        found = _totals(_numbers(x, edges), dimension_size(edges, 0) - 1, weights)
    else:
        found = _equal_totals(x, edges, count, weights)
    if weights is not None and dtype_of(weights).kind == "f":
        found = call("cast", found, dtype_of(weights))
    if density:
        width = call("cast", edges[1:] - edges[:-1], float64)
        found = call("divide", call("divide", found, width), call("sum", found))
    return found, edges


@records(np.histogram_bin_edges)
def histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Any:
    """The edges of the bins of a histogram."""
    return _edges(_flat(a), bins, range)[0]


@records(np.histogram2d)
def histogram2d(
    x: Any, y: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> Any:
    """A histogram of points in the plane."""
    found, edges = histogramdd([x, y], _two(bins), range, density, weights)
    return found, edges[0], edges[1]


def _two(bins: Any) -> Any:
    """NumPy takes a vector of other than two numbers for the edges of both axes."""
    many = isinstance(bins, (list, tuple)) or rank(bins)
    if many and len(bins) not in (1, 2):
        return [bins, bins]
    return bins


@records(np.histogramdd)
def histogramdd(
    sample: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> Any:
    """A histogram of points of several dimensions."""
    if isinstance(sample, (list, tuple)):
        columns = [_flat(each) for each in sample]
    else:
        rows = tensor(sample)
        columns = [rows[:, i] for i in _range(rows.type.shape[1])]
    dims = len(columns)
    each = list(bins) if isinstance(bins, (list, tuple)) or rank(bins) else [bins] * dims
    spans = [None] * dims if range is None else list(range)
    if len(each) != dims or len(spans) != dims:
        raise ValueError(
            f"histogramdd(): {len(each)} bins and {len(spans)} ranges for {dims} dimensions"
        )
    places, edges, sizes = None, [], []
    outside: Any = None
    for column, number, span in zip(columns, each, spans, strict=True):
        line, _ = _edges(column, number, span)
        place = _numbers(column, line)
        size = dimension_size(line, 0) - 1
        bad = call("less", place, 0)
        outside = bad if outside is None else call("logical_or", outside, bad)
        places = place if places is None else places * size + place
        edges.append(line)
        sizes.append(size)
    total: Any = 1
    for size in sizes:
        total = total * size
    found = _totals(call("where", outside, -1, places), total, weights)
    found = call("reshape", call("cast", found, float64), tuple(sizes))
    if density:
        whole = call("sum", found)
        for axis, line in enumerate(edges):
            shape = [-1 if i == axis else 1 for i in _range(dims)]
            found = call("divide", found, call("reshape", line[1:] - line[:-1], shape))
        found = call("divide", found, whole)
    return found, tuple(edges)


def _range(count: int) -> Any:
    return [*iter(np.arange(count).tolist())]


_ = type_of
