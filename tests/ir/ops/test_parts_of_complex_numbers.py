"""Real and imaginary parts as views: what is written into one is seen in the other's array."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag


def one_after_the_other(a):
    a.real, a.imag = a.imag, a.real
    return a


def the_other_part(a):
    a.imag = a.real
    b = a.copy()
    b.real = b.imag[::-1]
    return a, b


def in_a_loop(a):
    for _ in range(3):
        a.real, a.imag = a.imag, a.real
        a *= 2
    return a


def added_to(a):
    a.real += a.imag
    a.imag -= a.real
    a.real *= 2
    return a


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("function", [one_after_the_other, the_other_part, in_a_loop, added_to])
def test_parts(function, dtype):
    a = np.array([1 + 2j, 3 - 4j, 5j, np.nan, np.inf - 1j], dtype)
    for given in (a, a[:0], a[::2]):
        plain, found = given.copy(), given.copy()
        np.testing.assert_array_equal(ag.jit(function)(found), function(plain))
        np.testing.assert_array_equal(found, plain)
