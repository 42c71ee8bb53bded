"""Histograms of bins of one width count as NumPy does, to the last number at an edge."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag
from agir import errors

RANDOM = np.random.default_rng(7)

DATA = {
    "random": RANDOM.random(3000),
    "at edges": np.linspace(0.0, 1.0, 1001),
    "integers": RANDOM.integers(0, 20, 600),
    "bytes": np.arange(256, dtype="u1"),
    "one number": np.full(7, 3.0),
    "far from zero": 1e9 + np.linspace(0, 1e-3, 99),
    "single": RANDOM.random(700).astype("f4"),
    "normal, single": RANDOM.normal(size=300).astype("f4"),
    "two dimensions, strided": RANDOM.random((30, 40))[:, ::3],
    "huge": np.array([-8e307, 8e307, 0.0]),
    "none": np.array([]),
    "with numbers outside": np.array([np.nan, -1.0, 0.25, 0.1, 0.7, np.inf, -np.inf, 0.3, 2.0]),
}


def inside(x, n):
    return np.histogram(x, n, range=(0.1, 0.7))


def whole(x, n):
    return np.histogram(x, n)


def same(ours, expected, rtol):
    for mine, wanted in zip(ours, expected, strict=True):
        assert mine.dtype == wanted.dtype
        if wanted.dtype.kind in "iu":
            np.testing.assert_array_equal(mine, wanted)
        else:
            np.testing.assert_allclose(mine, wanted, rtol=rtol)


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("compiled", [True, False])
def test_counts(name, compiled):
    x = DATA[name] if compiled else DATA[name].ravel()[:80]
    functions = [inside] if name == "with numbers outside" else [inside, whole]
    for function in functions:
        ours = ag.jit(function, **({} if compiled else {"jit_compile": False}))
        for bins in (1, 7, 100):
            same(ours(x, bins), function(x, bins), 1e-12)


@pytest.mark.parametrize("weight", [float, "f4", int, complex, bool])
@pytest.mark.parametrize("bins", [3, 600])
def test_weights(weight, bins):
    x = RANDOM.random(4000)
    w = (RANDOM.random(4000) * 9).astype(weight)

    @ag.jit
    def weighted(x, w):
        return np.histogram(x, bins, weights=w)[0], np.histogram(x, bins, density=True)[0]

    found, dense = weighted(x, w)
    wanted = np.histogram(x, bins, weights=w.astype(int) if weight is bool else w)[0]
    assert found.dtype == wanted.dtype
    np.testing.assert_allclose(found, wanted, rtol=1e-6 if weight == "f4" else 1e-11)
    np.testing.assert_allclose(dense, np.histogram(x, bins, density=True)[0], rtol=1e-11)


def test_lengths_of_the_run_time():
    @ag.jit(reduce_retracing=True)
    def counts(x, n, w):
        return (
            np.histogram(x, n, weights=w)[0],
            np.histogram(x, n)[0],
            np.bincount((x * 9).astype(int)),
        )

    for size in (5, 0, 257, 3000):
        x, w = RANDOM.random(size) + 1, RANDOM.random(size)
        plain = counts.python_function(x, 50, w)
        found = counts(x, 50, w)
        for mine, wanted in zip(found, plain, strict=True):
            np.testing.assert_allclose(mine, wanted, rtol=1e-12)


def test_gradient_of_the_weights():
    x = np.array([0.0, 0.2, 0.5, 0.9, 1.0, 4.0])

    @ag.function
    def total(w):
        return ag.reduce_sum(
            np.histogram(x, 3, range=(0.0, 1.0), weights=w)[0] * [1.0, 10.0, 100.0]
        )

    w = ag.constant(np.ones(6))
    with ag.GradientTape() as tape:
        tape.watch(w)
        loss = total(w)
    np.testing.assert_allclose(tape.gradient(loss, w), [1, 1, 10, 100, 100, 0])


@pytest.mark.parametrize("compiled", [True, False])
def test_errors(compiled):
    options = {} if compiled else {"jit_compile": False}
    ours = ag.jit(whole, **options)
    for bad in ([np.nan, 1.0], [np.inf, 1.0], [0.0, -np.inf]):
        with pytest.raises(
            errors.RuntimeValueError, match=r"not finite[^\n]*\n  at .*np.histogram"
        ):
            ours(np.array(bad), 3)
    for bins in (0, -4):
        with pytest.raises(errors.RuntimeValueError, match="one or more"):
            ours(np.array([0.0, 1.0]), bins)
    with pytest.raises(errors.RuntimeValueError, match="so many"):
        ours(np.array([1.0, 1 + 2**-52]), 10)
    limits = ag.jit(lambda x, a, b: np.histogram(x, 3, range=(a, b)), **options)
    for low, high in ((2.0, 1.0), (np.nan, 1.0), (0.0, np.inf)):
        with pytest.raises(errors.RuntimeValueError, match=r"range ends before|not finite"):
            limits(np.arange(3.0), low, high)
    with pytest.raises(errors.RuntimeValueError, match="3 numbers and 2 weights"):
        ag.jit(lambda x, w: np.histogram(x, 3, weights=w))(np.arange(3.0), np.arange(2.0))
