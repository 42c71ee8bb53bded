"""Loops that scatter by the same numbers, and reductions of one array, become one."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag


def stage(function, name, *arguments):
    return ag.jit(function).experimental_get_compiler_ir(*arguments)(name)


def histograms(x, w):
    return np.histogram(x, 9, weights=w)[0] / np.histogram(x, 9)[0]


def test_two_histograms_find_their_bins_once():
    x, w = np.random.default_rng(0).random((2, 500))
    text = stage(histograms, "optimized_hlo", x, w)
    assert text.count("math.floor") == 1
    assert text.count("scf.for") == 2  # blocks, and the numbers of a block
    assert text.count("linalg.index") <= 1
    np.testing.assert_allclose(ag.jit(histograms)(x, w), histograms(x, w))


def two_loops(x, n, m):
    a = np.zeros(4)
    b = np.zeros(4, int)
    for i in range(n):
        a[x[i]] += 2.0
    for i in range(m):
        b[x[i]] += 1
    return a, b


def first_is_needed(x, n, m):
    a = np.zeros(4)
    b = np.zeros(4)
    for i in range(n):
        a[x[i]] += 2.0
    for i in range(n):
        b[x[i]] += a[x[i]]
    return a, b


def one_array(x, n, m):
    a = np.zeros(4)
    for i in range(n):
        a[x[i]] += 2.0
    a[1] = 17.0
    for i in range(n):
        a[x[i]] *= 2.0
    return a, x


@pytest.mark.parametrize("function", [two_loops, first_is_needed, one_array])
def test_loops_that_stay_apart(function):
    x = np.array([0, 3, 3, 1, 0])
    for sizes in ((5, 5), (5, 3), (0, 2)):
        for mine, wanted in zip(ag.jit(function)(x, *sizes), function(x, *sizes), strict=True):
            np.testing.assert_array_equal(mine, wanted)


def extrema(x):
    return x.min(), x.max(), np.exp(x).sum(), x.sum(axis=0)


def test_reductions_of_one_array_are_one_pass():
    for x in (np.random.default_rng(1).random((6, 7)), np.array([[1.0, np.nan], [np.inf, 2.0]])):
        for mine, wanted in zip(ag.jit(extrema)(x), extrema(x), strict=True):
            np.testing.assert_allclose(mine, wanted)
    text = stage(lambda x: x.min() + x.max() * x.sum(), "optimized_hlo", np.ones(50))
    assert text.count("linalg.generic") == 1
    assert text.count("arith.minimumf") == text.count("arith.maximumf") == 1


def test_scalars_of_reductions_are_on_the_stack():
    text = stage(lambda x, y: np.dot(x, y), "bufferized", np.ones(50), np.ones(50))
    assert "memref.alloc(" not in text
    assert "memref.alloc()" not in text
