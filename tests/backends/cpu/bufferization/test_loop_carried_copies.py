"""A while loop hands its arrays on, and does not copy them in every iteration."""

from __future__ import annotations

import re

import numpy as np
import pytest

import agir as ag


@ag.function
def relaxed(x, tolerance):
    change = ag.constant(1.0, ag.float64)
    while change > tolerance:
        new = x * 0.5 + ag.reverse(x, [0]) * 0.25
        change = ag.reduce_max(ag.abs(new - x))
        x = new
    return x


@ag.function
def swapped(x, y, tolerance):
    while ag.reduce_sum(x) > tolerance:
        x, y = y * 0.5, x + 0.0
    return x, y


@ag.function
def left_alone(x, n):
    first = x
    while ag.reduce_sum(x) < n:
        x = x * 2.0 + 1.0
    return first, x


def test_the_text():
    kinds = ag.TensorSpec([2000], ag.float64), ag.TensorSpec([], ag.float64)
    text = relaxed.get_concrete_function(*kinds).compilation.text("bufferized")
    (test,) = re.findall(r"scf\.while(?:.|\n)*?scf\.condition", text)
    assert "memref.copy" not in test


@pytest.mark.parametrize("size", [3, 2000])
def test_values(size):
    x = np.linspace(1.0, 2.0, size)
    kept, expected = x.copy(), x
    while True:
        new = expected * 0.5 + expected[::-1] * 0.25
        change, expected = np.max(np.abs(new - expected)), new
        if not change > 1e-3:
            break
    np.testing.assert_allclose(relaxed(x, np.float64(1e-3)), expected)
    np.testing.assert_array_equal(x, kept)


@pytest.mark.parametrize("size", [3, 2000])
@pytest.mark.parametrize("iterations", [0, 1, 2, 5])
def test_two_arrays_that_change_places(size, iterations):
    x, y = np.full(size, 1.0), np.full(size, 3.0)
    limit, one, other = np.inf, x, y
    for _ in range(iterations):
        one, other = other * 0.5, one + 0.0
    # the loop goes on as long as the sum is greater than the bound
    sums, a, b = [], x, y
    for _ in range(iterations + 1):
        sums.append(a.sum())
        a, b = b * 0.5, a + 0.0
    limit = sums[iterations]
    if all(s > limit for s in sums[:iterations]):
        found = swapped(x, y, np.float64(limit))
        np.testing.assert_allclose(found[0], one)
        np.testing.assert_allclose(found[1], other)
    np.testing.assert_array_equal(x, 1.0)
    np.testing.assert_array_equal(y, 3.0)


@pytest.mark.parametrize("size", [3, 2000])
def test_what_the_loop_begins_with_stays(size):
    x = np.linspace(0.0, 1.0, size)
    first, last = left_alone(x, np.float64(40.0 * size))
    np.testing.assert_array_equal(first, np.linspace(0.0, 1.0, size))
    np.testing.assert_array_equal(x, np.linspace(0.0, 1.0, size))
    expected = x
    while expected.sum() < 40.0 * size:
        expected = expected * 2.0 + 1.0
    np.testing.assert_allclose(last, expected)


def overwritten(c, n):
    one, other = c.ravel().copy(), c.ravel()
    for k in range(n):
        one, other = other, one
        if k == 1:
            break
        other[...] = one + k
    one[0] = 2
    c[:, ::-1] = c[:]
    return c


def exchanged(x, n):
    y = np.zeros_like(x)
    k = 0
    while k < n:
        x, y = y + 1, x
        k += 1
    return x, y


def begun_anew(c, n):
    last = c
    for k in range(n):
        last = last[::-1] + k
        if last.sum() > 20:
            break
    c[...] = last[::-1] * 2
    return last, c


@pytest.mark.parametrize("function", [overwritten, exchanged, begun_anew])
@pytest.mark.parametrize("iterations", [0, 1, 2, 3])
@pytest.mark.parametrize("size", [3, 2000])
def test_an_array_that_is_overwritten_after_the_loop_that_began_with_it(function, iterations, size):
    given = [np.arange(2.0 * size).reshape(2, size) for _ in range(2)]
    wanted = function(given[0], iterations)
    np.testing.assert_array_equal(ag.jit(function)(given[1], iterations), wanted)
    np.testing.assert_array_equal(given[1], given[0])
