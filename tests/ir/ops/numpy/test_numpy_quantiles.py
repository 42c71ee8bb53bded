"""Quantiles by every method."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import agir as ag

sys.path.insert(0, str(Path(__file__).parents[1]))

from numpy_cases import compare, in_groups

QUANTILES = [
    "np.quantile(v, 0.3, method='lower')",
    "np.quantile(v, s, method='lower')",
    "np.quantile(f, [0.4], method='lower')",
    "np.nanquantile(g, [0.3, 0.5], method='lower')",
    "np.quantile(v, 0.5, method='higher')",
    "np.quantile(v, [0.0, 0.1, 0.25, 0.5, 0.75, 1.0], method='higher')",
    "np.quantile(u, 0.4, method='higher')",
    "np.quantile(g, [0.3, 0.5], method='higher')",
    "np.quantile(v, 1.0, method='nearest')",
    "np.quantile(i, [0.2, 0.5], method='nearest')",
    "np.percentile(x, [10, 50], axis=1, method='nearest')",
    "np.nanquantile(np.where(x > 2, np.nan, x), 0.6, axis=0, method='nearest')",
    "np.quantile(v, 0.0, method='midpoint')",
    "np.quantile(f, 0.4, method='midpoint')",
    "np.percentile(t, 30, axis=(0, 2), method='midpoint', keepdims=True)",
    "np.quantile(v, 0.3, method='inverted_cdf')",
    "np.quantile(v, s, method='inverted_cdf')",
    "np.quantile(f, [0.4], method='inverted_cdf')",
    "np.nanquantile(g, [0.3, 0.5], method='inverted_cdf')",
    "np.quantile(v, 0.5, method='averaged_inverted_cdf')",
    "np.quantile(v, [0.0, 0.1, 0.25, 0.5, 0.75, 1.0], method='averaged_inverted_cdf')",
    "np.quantile(u, 0.4, method='averaged_inverted_cdf')",
    "np.quantile(g, [0.3, 0.5], method='averaged_inverted_cdf')",
    "np.quantile(v, 1.0, method='closest_observation')",
    "np.quantile(i, [0.2, 0.5], method='closest_observation')",
    "np.percentile(x, [10, 50], axis=1, method='closest_observation')",
    "np.nanquantile(np.where(x > 2, np.nan, x), 0.6, axis=0, method='closest_observation')",
    "np.quantile(v, 0.0, method='interpolated_inverted_cdf')",
    "np.quantile(f, 0.4, method='interpolated_inverted_cdf')",
    "np.percentile(t, 30, axis=(0, 2), method='interpolated_inverted_cdf', keepdims=True)",
    "np.quantile(v, 0.3, method='hazen')",
    "np.quantile(v, s, method='hazen')",
    "np.quantile(f, [0.4], method='hazen')",
    "np.nanquantile(g, [0.3, 0.5], method='hazen')",
    "np.quantile(v, 0.5, method='weibull')",
    "np.quantile(v, [0.0, 0.1, 0.25, 0.5, 0.75, 1.0], method='weibull')",
    "np.quantile(u, 0.4, method='weibull')",
    "np.quantile(g, [0.3, 0.5], method='weibull')",
    "np.quantile(v, 1.0, method='median_unbiased')",
    "np.quantile(i, [0.2, 0.5], method='median_unbiased')",
    "np.percentile(x, [10, 50], axis=1, method='median_unbiased')",
    "np.nanquantile(np.where(x > 2, np.nan, x), 0.6, axis=0, method='median_unbiased')",
    "np.quantile(v, 0.0, method='normal_unbiased')",
    "np.quantile(f, 0.4, method='normal_unbiased')",
    "np.percentile(t, 30, axis=(0, 2), method='normal_unbiased', keepdims=True)",
    "np.quantile(v, [0.1, 0.9, 0.0, 1.0], weights=w, method='inverted_cdf')",
    "np.nanmedian(x, axis=0, keepdims=True)",
    "np.nanquantile(i, 0.5)",
    "np.percentile(v, n)",
    "np.nanquantile(np.where(x > 2, np.nan, x), 0.6, axis=0, method='normal_unbiased')",
    "np.quantile(v, [0.1, 0.9, 0.0, 1.0], weights=w, method='inverted_cdf')",
    "np.quantile(x, 0.5, axis=1, weights=w[:3], method='inverted_cdf')",
    "np.quantile(v, 0.5, weights=np.array([0,0,1,2,0.0])*s, method='inverted_cdf')",
    "np.nanmedian(g)",
    "np.nanmedian(x, axis=0, keepdims=True)",
    "np.nanquantile(g, 0.4)",
    "np.nanpercentile(x, [30, 60], axis=0)",
    "np.nanmedian(f)",
    "np.nanquantile(i, 0.5)",
    "np.nanmedian(np.full(3, np.nan) * s)",
    "np.nanmedian(u)",
    "np.quantile(v, s)",
    "np.percentile(v, n)",
    "np.median(x)",
    "np.nanquantile(g, [0.1, 0.5], weights=w, method='inverted_cdf')",
]


@pytest.mark.parametrize("bodies", in_groups(QUANTILES), ids=lambda bodies: bodies[0][:40])
@pytest.mark.parametrize("compiled", [None, False])
def test_decorated_does_what_plain_does(bodies: list[str], compiled: bool | None) -> None:
    for body in bodies:
        compare(body, jit_compile=compiled)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8"])
@pytest.mark.parametrize(("shape", "axis"), [((0, 3), 0), ((0, 3), 1), ((0,), None), ((3, 0), 0)])
def test_of_nothing_is_nan(shape: Any, axis: Any, dtype: str) -> None:
    def f(x: Any) -> Any:
        return np.nanmedian(x, axis), np.nanpercentile(x, 30, axis), np.nanquantile(x, 0.5, axis)

    def cut(x: Any, n: int) -> Any:
        return f(x[:n])

    x = np.ones(shape, dtype)
    for expected, got in zip(f(x), ag.jit(f)(x), strict=True):
        assert (got.shape, got.dtype) == (expected.shape, expected.dtype)
        np.testing.assert_array_equal(got, expected)
    if dtype != "i8" and shape[0] == 0:
        full = np.ones((2, *shape[1:]), dtype)
        for n in (0, 2):
            for expected, got in zip(cut(full, n), ag.jit(cut)(full, n), strict=True):
                np.testing.assert_array_equal(got, expected)
