"""Totals of equally wide bins, and extrema of what may be empty."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agir.ir.tensors.dispatch import call

EDGES = np.linspace(-1.0, 2.0, 7)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("weight", ["int32", "float64", "complex64"])
def test_totals(compare: Any, dtype: str, weight: str) -> None:
    x = np.concatenate([np.linspace(-1.5, 2.5, 600), EDGES, [np.nan, np.inf, -np.inf]])
    w = np.arange(len(x)) % 5

    def totals(x: Any, edges: Any, w: Any) -> list[Any]:
        return [call("sum", call("binned_totals", x, edges, 6, w), 0, dtype=weight)]

    given = [x.astype(dtype), EDGES.astype(dtype), w.astype(weight)]
    none = [given[0][:0], given[1], given[2][:0]]
    compare(totals, *given, dynamic=True, more=[none])
    counted = np.histogram(given[0][:-3], given[1], weights=given[2].real[:-3])[0]
    found = np.asarray(totals(*given)[0])[:-1]
    np.testing.assert_array_equal(found.real, counted)


def test_totals_of_other_dtypes() -> None:
    with pytest.raises(TypeError, match="the numbers are int64, the edges float64"):
        call("binned_totals", np.arange(3), EDGES, 6, 1)


def test_extrema_of_what_may_be_empty(compare: Any) -> None:
    def extrema(x: Any) -> list[Any]:
        return [call(name, x) for name in ("min_or_greatest", "max_or_least")]

    for dtype in ("int8", "uint16", "float32", "float64", "bool"):
        x = np.array([3, 0, 5]).astype(dtype)
        recorded = compare(extrema, x, dynamic=True, more=[[x[:0]]])
        assert recorded is not None
    low, high = (value.numpy() for value in extrema(np.zeros(0)))
    assert (low, high) == (np.inf, -np.inf)
