"""SciPy's C functions call compiled functions."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

import agir as ag
import agir.numba as numba
from agir.numba import carray, types

scipy = pytest.importorskip("scipy")
from scipy import LowLevelCallable, integrate, ndimage  # noqa: E402


def bell(x):
    return np.exp(-x * x) if x > -1 else 0.0


def test_quad() -> None:
    made = ag.cfunc("double(double)")(bell)
    assert made.is_native
    assert integrate.quad(LowLevelCallable(made.ctypes), -3, 3) == pytest.approx(
        integrate.quad(bell, -3, 3), rel=1e-12
    )


def test_quad_with_arguments() -> None:
    @numba.cfunc(types.double(types.intc, types.CPointer(types.double)))
    def weighted(n, xx):
        x = carray(xx, (n,), dtype=np.float64)
        return x[0] * x[1] + x[1:].sum()

    def plain(x, a, b):
        return x * a + a + b

    found = integrate.quad(LowLevelCallable(weighted.ctypes), 0, 2, args=(2.0, 3.0))
    assert found == pytest.approx(integrate.quad(plain, 0, 2, args=(2.0, 3.0)), rel=1e-12)


def test_quad_with_data() -> None:
    @numba.cfunc("double(double, voidptr)")
    def line(x, data):
        a = carray(data, (2,), types.double)
        return a[0] * x + a[1]

    given = np.array([2.0, 5.0])
    called = LowLevelCallable(line.ctypes, given.ctypes.data_as(ctypes.c_void_p))
    assert integrate.quad(called, 0, 1)[0] == pytest.approx(6.0)
    given[:] = 1, 1
    assert integrate.quad(called, 0, 1)[0] == pytest.approx(1.5)


def test_nquad() -> None:
    made = ag.cfunc("double(int, double *)")(lambda n, x: x[0] * x[1] + n)
    found = integrate.nquad(LowLevelCallable(made.ctypes), [(0, 1), (0, 2)])
    assert found[0] == pytest.approx(integrate.nquad(lambda x, y: x * y + 2, [(0, 1), (0, 2)])[0])


@pytest.mark.parametrize("size", [3, (2, 5)])
def test_generic_filter(size: int | tuple[int, int]) -> None:
    @numba.cfunc("int(CPointer(double), intp, CPointer(double), voidptr)")
    def spread(values, n, result, data):
        x = carray(values, (n,), dtype=float)
        result[0] = x.max() - x.min()
        return 1

    image = np.random.default_rng(3).normal(size=(20, 31))
    expected = ndimage.generic_filter(image, lambda x: x.max() - x.min(), size=size)
    found = ndimage.generic_filter(image, LowLevelCallable(spread.ctypes), size=size)
    np.testing.assert_array_equal(found, expected)


def test_geometric_transform() -> None:
    @ag.cfunc("int(npy_intp *, double *, int, int, void *)")
    def shifted(output, given, output_rank, rank, data):
        for i in range(rank):
            given[i] = output[i] - 0.5
        return 1

    image = np.arange(12.0).reshape(4, 3)
    expected = ndimage.geometric_transform(image, lambda at: (at[0] - 0.5, at[1] - 0.5))
    found = ndimage.geometric_transform(image, LowLevelCallable(shifted.ctypes))
    np.testing.assert_allclose(found, expected, atol=1e-14)
