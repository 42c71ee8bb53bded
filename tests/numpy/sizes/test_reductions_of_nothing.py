"""Reductions of numbers that absorb all others: over an axis without elements nothing is absorbed."""

import numpy as np
import pytest

import agir as ag


def all_false(n, m):
    return np.zeros(n, bool).all(), np.zeros((m, n), bool).all(axis=1)


def any_true(n, m):
    return np.ones(n, bool).any(), np.ones((n, m), bool).any(axis=0)


def product_of_zeros(n, m):
    x = np.zeros((m, n), int)
    return (
        x.prod(),
        x.prod(axis=1),
        x.prod(axis=1, initial=3),
        np.zeros((n, m), np.int8).prod(axis=0),
    )


def product_of_no_columns(n, m):
    return np.ones((m, 3), int)[:, :0].prod(axis=-1), np.zeros((n, 0), int).prod(axis=1)


def bits(n, m):
    zeros = np.zeros((n, m), int)
    return np.bitwise_and.reduce(zeros, axis=0), np.bitwise_or.reduce(zeros - 1, axis=0)


def extrema(n, m):
    x = np.zeros((m, n), np.uint8)
    return x.min(axis=1, initial=7), (x + 255).max(axis=1, initial=7)


def used_besides(n, m):
    start = np.ones(m, int)
    x = np.multiply.reduce(np.zeros((n, m), int), axis=0, initial=1)
    start += x
    return start, x, x * 2


@pytest.mark.parametrize(
    "function",
    [all_false, any_true, product_of_zeros, product_of_no_columns, bits, extrema, used_besides],
)
def test_of_no_elements(function):
    decorated = ag.jit(function)
    for n, m in ((0, 3), (2, 3), (0, 0), (0, 1), (1, 1)):
        for found, wanted in zip(decorated(n, m), function(n, m), strict=True):
            np.testing.assert_array_equal(found, wanted)
            assert found.dtype == wanted.dtype
