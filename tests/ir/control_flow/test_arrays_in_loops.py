"""Arrays that are made on demand, read in a loop before the loop writes into them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agir as ag


def a_range(x: Any, n: Any) -> Any:
    z, s, w = np.arange(x.shape[0]), x[0] * 0, x[0] * 0
    while w < n:
        s += z.sum()
        z[0] = 100
        w += 1
    return s, z


def a_constant(x: Any, n: Any) -> Any:
    z, s, w = np.array([1, 2, 3]), x[0] * 0, x[0] * 0
    while w < n:
        s += z.sum()
        z[0] = 100
        w += 1
    return s, z


def of_a_mask(x: Any, n: Any) -> Any:
    z, s, w = x[x > 1], x[0] * 0, x[0] * 0
    while w < n:
        s += (z + 1).sum()
        y = z * 2
        z += y
        w += 1
    return s, z


def counted(x: Any, n: Any) -> Any:
    z, w = x[x > 1], 0
    while w < n:
        z += 1
        w += 1
    return z, z


@pytest.mark.parametrize("function", [a_range, a_constant, of_a_mask, counted])
@pytest.mark.parametrize("compiled", [True, False])
def test_an_iteration_reads_what_the_one_before_has_written(function: Any, compiled: bool) -> None:
    x = np.array([3, 0, 2])
    for got, wanted in zip(
        ag.jit(function, jit_compile=compiled)(x, 3), function(x, 3), strict=True
    ):
        np.testing.assert_array_equal(got, wanted)
