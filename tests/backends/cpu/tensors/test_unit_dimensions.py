"""Axes of size 1 that are added and dropped again: what is computed in between has none."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag


def lowered(function, *arguments):
    return str(ag.jit(function).experimental_get_compiler_ir(*arguments)("optimized_hlo"))


def column(x, y):
    return x + y[:, None] * 1j


def chain(x, y):
    return x * np.exp(1 - y[:, None] / 2)


def front(x, y):
    return y[None, :, None] ** 2 + x


def two_columns(x, y):
    return x - (y[:, None] + y[:, None] * 2)


@pytest.mark.parametrize("function", [column, chain, front, two_columns])
@pytest.mark.parametrize(("m", "n"), [(3, 5), (0, 2), (1, 4), (2, 1)])
def test_results(function, m, n):
    x, y = np.arange(1.0, n + 1), np.arange(m) + 0.5
    np.testing.assert_allclose(ag.jit(function)(x, y), function(x, y), rtol=1e-15)
    unknown = [ag.TensorSpec([None], np.float64)] * 2
    dynamic = ag.jit(function, input_signature=unknown)
    np.testing.assert_allclose(dynamic(x, y), function(x, y), rtol=1e-15)


@pytest.mark.parametrize("function", [column, two_columns])
def test_nothing_has_the_axis(function):
    text = lowered(function, np.ones(4), np.ones(3))
    assert "3x1x" not in text
    assert text.count("linalg.generic") == 1


def test_a_column_that_is_used_as_one():
    def f(x, y):
        column = y[:, None] * 2
        return x + column, column

    x, y = np.ones(4), np.arange(3.0)
    for found, wanted in zip(ag.jit(f)(x, y), f(x, y), strict=True):
        np.testing.assert_array_equal(found, wanted)


def test_positions_in_a_column():
    def f(x, y):
        return x + np.arange(len(y))[:, None] * y[:, None]

    x, y = np.ones(4), np.arange(3.0)
    np.testing.assert_array_equal(ag.jit(f)(x, y), f(x, y))
