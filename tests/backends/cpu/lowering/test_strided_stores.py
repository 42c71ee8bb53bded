"""Stores that jump through memory: one by one where there is little to compute, over warm rows."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag


def lowered(function, *arguments, stage="llvm"):
    return str(ag.jit(function).experimental_get_compiler_ir(*arguments)(stage))


def channel(z, a):
    z[:, 1] = a


def scaled(z, a):
    z[:, 1] = a * 2 + 1


def polynomial(z, a):
    z[:, 1] = ((((a * 2 + 1) * a + 3) * a + 4) * a + 5) * a


def power(z, a):
    z[:, 1] = np.exp(a)


def contiguous(z, a):
    z[1, :] = a[:3]


@pytest.mark.parametrize("function", [channel, scaled, polynomial, power, contiguous])
@pytest.mark.parametrize("kind", ["f4", "f8", "i8"])
def test_results(function, kind):
    a = np.linspace(0, 3, 50).astype(kind)
    given, plain = np.ones((50, 3), kind), np.ones((50, 3), kind)
    ag.jit(function)(given, a)
    function(plain, a)
    np.testing.assert_allclose(given, plain, rtol=1e-6)


def test_what_is_stored_one_by_one():
    z, a = np.ones((500, 3)), np.ones(500)
    mark = "loop_vectorize<disable = true>"
    assert all(mark in lowered(f, z, a) for f in (channel, scaled))
    assert not any(mark in lowered(f, z, a) for f in (polynomial, power, contiguous))


def grid(x, y):
    z = np.zeros((len(y), len(x), 3))
    z[:, :, 0] = y[:, None]
    z[:, :, 1] = x
    return z.reshape(-1, 3)


def test_what_an_array_begins_with_and_its_parts_share_loops():
    x, y = np.arange(300.0), np.arange(200.0)
    np.testing.assert_array_equal(ag.jit(grid)(x, y), grid(x, y))
    text = lowered(grid, x, y, stage="bufferized")
    assert text.count("memref.alloc") == 1  # nothing is computed elsewhere first
    assert "memref.copy" not in text
    assert len([line for line in text.splitlines() if line.startswith("    scf.for")]) == 1


def test_a_part_across_rows_leaves_them_alone():
    def f(x):
        z = np.zeros((300, 400))
        z[7, :] = x
        z[:, 3] = 1
        return z

    x = np.arange(400.0)
    np.testing.assert_array_equal(ag.jit(f)(x), f(x))


def test_a_value_that_is_computed_before_the_array_is_there():
    def f(x, n):
        value = x * 2
        z = np.zeros(n)
        x[0] = 5
        z[: len(x)] = value
        return z, value

    given, plain = np.arange(4.0), np.arange(4.0)
    for found, wanted in zip(ag.jit(f)(given, 9), f(plain, 9), strict=True):
        np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(given, plain)
