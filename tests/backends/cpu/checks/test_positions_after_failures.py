"""Rows that a mask takes behind a loop that a check ends: their positions are there all the same."""

import numpy as np
import pytest

import agir as ag


def rows_from(a, b, n):
    a[a > 0] = n
    i = 0
    while b[i] < n:
        i = i + 1
    a[(a >= n).any(axis=1)] -= n
    return a[a[:, 0] > 0][:, 1:], np.nonzero(a > 0)[0] + i


def test_the_error_is_the_only_effect():
    a = np.array([[-0.5, 2, 1, -1.5], [0, 0.5, 0.5, -1], [1, 1.5, 0, 1.5]], np.float32)
    b = np.array([2, 0.5, 2, 1.5, -1])
    decorated = ag.jit(rows_from)
    for found, wanted in zip(decorated(a.copy(), b, 2), rows_from(a.copy(), b, 2), strict=True):
        np.testing.assert_array_equal(found, wanted)
    for _ in range(20):
        given = a.copy()
        with pytest.raises(IndexError, match="index 5 is out of bounds"):
            decorated(given, b, 3)
        np.testing.assert_array_equal(given, a)
