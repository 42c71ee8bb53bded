"""Numba's ``vectorize``, ``guvectorize`` and ``stencil``."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agir.numba as numba
from agir.numba import float32, float64, int64, njit


def test_vectorize_with_types() -> None:
    @numba.vectorize([float32(float32, float32), float64(float64, float64)], target="parallel")
    def product(x, y):
        return x * y

    x = np.arange(5)
    np.testing.assert_array_equal(product(x, 2.5), x * 2.5)
    assert product(np.float32(2), np.float32(3)).dtype == np.float32
    assert product.reduce(np.array([2.0, 3.0, 4.0])) == 24.0
    assert product.accumulate(np.array([2.0, 3.0, 4.0])).tolist() == [2.0, 6.0, 24.0]


def test_vectorize_without_types() -> None:
    @numba.vectorize
    def larger(x, y):
        return x if x > y else y

    assert type(larger) is np.ufunc
    np.testing.assert_array_equal(larger([1, 5], [3, 2]), [3, 5])


def test_guvectorize() -> None:
    @numba.guvectorize([(float64[:], int64, float64[:])], "(n),()->(n)", nopython=True)
    def shifted(x, by, out):
        for i in range(x.shape[0]):
            out[i] = x[i] + by

    x = np.arange(6.0).reshape(2, 3)
    np.testing.assert_array_equal(shifted(x, [10, 20]), x + np.array([[10], [20]]))


def test_numbers_declared_as_arrays() -> None:
    @numba.guvectorize([(float64[:], int64[:], float64[:])], "(n),()->(n)")
    def moved(x, window, out):
        for i in range(len(x)):
            out[i] = x[max(0, i - window[0])]

    np.testing.assert_array_equal(moved(np.arange(4.0), 1), [0.0, 0.0, 1.0, 2.0])


def test_other_targets() -> None:
    with pytest.raises(ValueError, match="no target 'cuda'"):
        numba.vectorize(["f8(f8)"], target="cuda")


@numba.stencil
def neighbours(a):
    return 0.25 * (a[0, 1] + a[1, 0] + a[0, -1] + a[-1, 0])


def by_hand(a: Any, low: int, high: int, kernel: Any, cval: Any = 0) -> Any:
    found = np.full(len(a), cval, np.asarray(kernel(a.astype(a.dtype), low)).dtype)
    for i in range(low, len(a) - high):
        found[i] = kernel(a, i)
    return found


def test_stencils() -> None:
    a = np.random.default_rng(2).normal(size=(6, 7))
    expected = np.zeros_like(a)
    expected[1:-1, 1:-1] = 0.25 * (a[1:-1, 2:] + a[2:, 1:-1] + a[1:-1, :-2] + a[:-2, 1:-1])
    np.testing.assert_allclose(neighbours(a), expected)
    np.testing.assert_allclose(njit(lambda x: neighbours(x))(a), expected)
    out = np.ones_like(a)
    neighbours(a, out=out)
    np.testing.assert_allclose(out[1:-1, 1:-1], expected[1:-1, 1:-1])


@pytest.mark.parametrize("dtype", ["i4", "i8", "f4", "f8"])
def test_stencils_of_dtypes(dtype: str) -> None:
    kernel = numba.stencil(cval=-1)(lambda x: x[1] - x[-2])
    a = (np.arange(9) ** 2).astype(dtype)
    expected = by_hand(a, 2, 1, lambda x, i: x[i + 1] - x[i - 2], -1)
    found = njit(lambda x: kernel(x))(a)
    np.testing.assert_array_equal(found, expected)
    assert found.dtype.kind == np.dtype(dtype).kind


def test_neighbourhoods_and_other_arguments() -> None:
    @numba.stencil(neighborhood=((-2, 0),), standard_indexing=("weights",))
    def weighted(a, weights, scale):
        total = 0.0
        for i in range(-2, 1):
            total += a[i] * weights[i + 2]
        return total * scale

    a, weights = np.arange(6.0), np.array([1.0, 2.0, 4.0])
    expected = by_hand(a, 2, 0, lambda x, i: 3.0 * (x[i - 2 : i + 1] * weights).sum())
    np.testing.assert_allclose(weighted(a, weights, 3.0), expected)
    np.testing.assert_allclose(njit(lambda *given: weighted(*given))(a, weights, 3.0), expected)


def test_small_arrays() -> None:
    np.testing.assert_array_equal(neighbours(np.ones((2, 2))), np.zeros((2, 2)))
    assert neighbours(np.ones((0, 3))).shape == (0, 3)


def test_wrong_stencils() -> None:
    with pytest.raises(ValueError, match="give neighborhood="):
        numba.stencil(lambda a, n: a[n])
    with pytest.raises(ValueError, match="no mode 'wrap'"):
        numba.stencil("wrap")
