"""xarray: decorated functions as those of ``apply_ufunc`` and its kin."""

import numpy as np
import pytest
import xarray as xr

import agir as ag


def array():
    values = np.arange(24.0).reshape(2, 3, 4)
    return xr.DataArray(values, dims=("t", "y", "x"), coords={"x": [1, 2, 3, 4]}, name="v")


def span(x):
    return x.max(axis=-1) - x.min(axis=-1)


def waves(x, k):
    return np.sin(x) * k + x**2


def running(x):
    out = np.empty_like(x)
    s = 0.0
    for i in range(len(x)):
        s = 0.5 * s + x[i]
        out[i] = s
    return out


@ag.guvectorize("(n)->(n)")
def smoothed(x, out):
    s = 0.0
    for i in range(len(x)):
        s = 0.5 * s + x[i]
        out[i] = s


def test_elementwise():
    plain = xr.apply_ufunc(waves, array(), 2.0)
    xr.testing.assert_allclose(plain, xr.apply_ufunc(ag.jit(waves), array(), 2.0), rtol=1e-14)
    two = xr.apply_ufunc(waves, array(), array().mean("t"))
    found = xr.apply_ufunc(ag.jit(waves), array(), array().mean("t"))
    xr.testing.assert_allclose(two, found, rtol=1e-14)
    assert (found.dims, found.name) == (two.dims, two.name)
    ufunc = ag.vectorize(lambda x, k: x * k if x > k else k)
    found = xr.apply_ufunc(ufunc, array(), 5.0)
    xr.testing.assert_equal(found, xr.where(array() > 5.0, array() * 5.0, 5.0))


def test_core_dimensions():
    options = {"input_core_dims": [["x"]]}
    plain = xr.apply_ufunc(span, array(), **options)
    xr.testing.assert_identical(plain, xr.apply_ufunc(ag.jit(span), array(), **options))
    both = {**options, "output_core_dims": [["x"]]}
    plain = xr.apply_ufunc(running, array(), vectorize=True, **both)
    found = xr.apply_ufunc(ag.jit(running), array(), vectorize=True, **both)
    xr.testing.assert_identical(plain, found)
    xr.testing.assert_allclose(plain, xr.apply_ufunc(smoothed, array(), **both))


def test_datasets_and_groups():
    data = xr.Dataset({"v": array(), "w": array() * 2})
    plain = xr.apply_ufunc(waves, data, 2.0)
    xr.testing.assert_allclose(plain, xr.apply_ufunc(ag.jit(waves), data, 2.0), rtol=1e-14)
    reduced = array().reduce(ag.jit(lambda x, axis: x.sum(axis=axis)), dim="t")
    xr.testing.assert_identical(array().reduce(lambda x, axis: x.sum(axis=axis), dim="t"), reduced)


@pytest.mark.parametrize("mode", ["parallelized", "allowed"])
def test_chunks(mode):
    chunked = array().chunk({"y": 1})
    options = {"dask": mode, "output_dtypes": [float]} if mode == "parallelized" else {"dask": mode}
    plain = xr.apply_ufunc(waves, array(), 2.0)
    function = ag.jit(waves) if mode == "parallelized" else ag.vectorize(waves)
    found = xr.apply_ufunc(function, chunked, 2.0, **options).compute(scheduler="threads")
    xr.testing.assert_allclose(plain, found)
