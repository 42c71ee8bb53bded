"""Polynomials from the lowest power on: ``numpy.polynomial.polynomial``."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.polynomial import polynomial, polyutils

import agir as ag

VECTORS = [
    np.array([1, 2, 3], "i4"),
    np.array([0.0, -0.0, 5, 0], "f4"),
    np.array([-1.0, np.nan, -3, 0]),
    np.array([0], "u1"),
]


@pytest.mark.filterwarnings("ignore:divide by zero")
@pytest.mark.parametrize("name", ["polyadd", "polysub", "polymul"])
def test_arithmetic(name):
    plain = getattr(polynomial, name)
    for a, b in itertools.product(VECTORS, VECTORS[:3]):
        found, wanted = ag.jit(lambda a, b: plain(a, b))(a, b), plain(a, b)
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)
        np.testing.assert_array_equal(1 / found, 1 / wanted)  # the sign of zeros


def test_trimmed():
    made = ag.jit(lambda x: polyutils.trimseq(x))
    for x in (*VECTORS, np.zeros(4), np.arange(3)):
        found, wanted = made(x), polyutils.trimseq(x)
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("x", [2, 2.5, np.array([1, 2])])
def test_values(x):
    made = ag.jit(lambda x, c: polynomial.polyval(x, c))
    for c in VECTORS:
        found, wanted = made(x, c), polynomial.polyval(x, c)
        assert np.asarray(found).dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)
