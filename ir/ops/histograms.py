"""Histograms of one and several dimensions."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir import dispatch
from agir.ir.ops.host_vectors import vectors_on_host
from agir.ir.ops.numpy_creation import linspace
from agir.ir.ops.recorded import dtype_of, extent, rank, records, tensor, type_of
from agir.ir.types import float64, promote

call = dispatch.call


def _flat(value: Any) -> Any:
    return call("reshape", tensor(value), (-1,))


def _limits(x: Any, range_: Any) -> tuple[Any, Any]:
    """The least and the greatest number that is counted; half a unit around it where they are one."""
    if range_ is not None:
        low, high = (call("cast", v, float64) for v in range_)
        if not any(getattr(v, "is_symbolic", False) for v in (low, high)) and low > high:
            raise ValueError("histogram(): the greatest number of the range is below the least one")
    elif x.type.shape[0] == 0:
        low, high = tensor(0.0), tensor(1.0)
    else:
        if x.dtype.is_bool:
            x = tensor(x, "uint8")
        low, high = (call("cast", call(n, x), float64) for n in ("min", "max"))
    same = call("equal", low, high)
    return call("where", same, low - 0.5, low), call("where", same, high + 0.5, high)


def _edges(x: Any, bins: Any, range_: Any) -> tuple[Any, Any]:
    """(the edges of the bins, their number where they are equally wide)."""
    if isinstance(bins, str):
        edges = _edges_by_rule(x, bins, range_)
        return edges, extent(edges, 0) - 1
    if rank(bins):
        return tensor(bins), None
    if isinstance(bins, int) and bins < 1:
        raise ValueError(f"histogram(): {bins} bins; there must be one or more")
    low, high = _limits(x, range_)
    kind = np.result_type(float, dtype_of(x).numpy if dtype_of(x).kind == "f" else float)
    edges = call("cast", linspace(low, high, bins + 1), kind)
    return edges, bins


def _edges_by_rule(x: Any, rule: str, range_: Any) -> Any:
    """Edges whose number depends on the elements."""
    given = [x, *(call("cast", v, float64) for v in range_ or ())]

    def edges(values: Any, *limits: Any) -> Any:
        return np.histogram_bin_edges(values, rule, limits or None)

    return vectors_on_host("histogram", edges, given, 1, float64)[0]


def _numbers(x: Any, edges: Any, count: Any) -> Any:
    """The number of each element's bin, -1 where it is in none."""
    last = extent(edges, 0) - 1
    if count is None:
        common, _ = promote(x.type, edges.type)
        values, bounds = call("cast", x, common), call("cast", edges, common)
        right = call("numpy_searchsorted", bounds, values, "right")
        inside = call("logical_and", right >= 1, values <= bounds[-1])
        place = call("minimum", right - 1, last - 1)
        return call("where", inside, place, -1)
    values = call("cast", x, promote(x.type, edges.type)[0])
    low, high = edges[0], edges[-1]
    share = (values - low) / (high - low) * count
    inside = call("logical_and", values >= low, values <= high)
    place = call("cast", call("where", inside, share, 0.0), "int64")
    place = call("where", call("equal", place, count), place - 1, place)
    place = call("where", inside, place, 0)
    before = call("less", values, call("take", edges, place, 0))
    after = call("logical_and", values >= call("take", edges, place + 1, 0),
                 call("not_equal", place, count - 1))  # fmt: skip
    place = place - call("cast", before, "int64") + call("cast", after, "int64")
    return call("where", inside, place, -1)


def _totals(place: Any, count: Any, weights: Any) -> Any:
    """How many elements each bin has, or the sum of their weights; -1 is no bin."""
    given = call("fill_like", place, 1, "int64") if weights is None else _flat(weights)
    if given.dtype.is_bool:
        given = tensor(given, "int64")
    elif not given.dtype.is_integer and given.dtype.kind == "f":
        given = call("cast", given, float64)
    outside = call("where", call("less", place, 0), count, place)
    zeros = call("full", (count + 1,), 0, given.dtype)
    return call("scatter", zeros, call("reshape", outside, (-1, 1)), given, "add")[:-1]


@records(np.histogram)
def histogram(
    a: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> Any:
    """How many elements each bin has, and the edges of the bins."""
    x = _flat(a)
    edges, count = _edges(x, bins, range)
    found = _totals(_numbers(x, edges, count), extent(edges, 0) - 1, weights)
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
        place = _numbers(column, line, None)
        size = extent(line, 0) - 1
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
