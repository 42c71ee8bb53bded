"""Stores that are overwritten before anything could read them are not made."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag


def factor(x):
    for i in range(1, x.shape[0]):
        for j in range(i):
            x[i, j] -= np.dot(x[i, :j], x[j, :j])
            x[i, j] /= x[j, j]
    return x


def up_to_the_diagonal(x):
    for i in range(x.shape[0]):
        for j in range(i + 1):
            x[i, j] += 1
            x[i, j] *= x[j, j]
    return x


def below(x):
    for i in range(x.shape[0] - 1):
        for j in range(i + 1, x.shape[0]):
            x[i, j] += x[i, i]
            x[i, j] *= x[j, i]
    return x


def any_other(x):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            x[i, j] += 1
            x[i, j] += x[j, i]
    return x


def neighbours(x):
    for i in range(1, x.shape[0]):
        x[i, 0] += 1
        x[i, 0] *= x[i - 1, 0] + 2
        x[i, 0] -= x[i, 1]
    return x


def twice(x):
    y = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        y[i] = x[i, 0]
        y[i] = y[i] + x[i, 1]
        y[i] = y[i] * 2 + y[0]
    return y


def at_places(x):
    for i in range(x.shape[0]):
        k = int(abs(x[i, 0])) % x.shape[0]
        x[i, 1] += 1
        x[i, 1] *= x[k, 1]
    return x


FUNCTIONS = [factor, up_to_the_diagonal, below, any_other, neighbours, twice, at_places]


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_values(function, dtype):
    if function is factor and dtype == "i8":
        pytest.skip("NumPy does not put quotients into integers")
    x = (np.random.default_rng(6).random((7, 7)) * 9 + 1).astype(dtype)
    x[2, 3] = x[5, 5] = 2
    np.testing.assert_allclose(
        ag.jit(function)(x.copy()), function(x.copy()), rtol=1e-4 if dtype == "f4" else 1e-12
    )


@pytest.mark.parametrize(
    ("function", "stores"),
    # whether j is less than i, the bounds of the loops say; of factor's iterations a block has four
    [(factor, 5), (up_to_the_diagonal, 2), (below, 1), (any_other, 2), (neighbours, 1)],
)
def test_how_many_are_left(function, stores):
    text = ag.jit(function).experimental_get_compiler_ir(np.ones((7, 7)))("loops")
    found = [line for line in text.splitlines() if "memref.store" in line and " %x[" in line]
    assert len(found) == stores
