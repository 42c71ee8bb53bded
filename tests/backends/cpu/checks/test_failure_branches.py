"""Checks in loops are foreseen branches; what they leave in the error record is as it was."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag
from agir import errors


def scatter(h, x, w):
    for i in range(x.shape[0]):
        h[x[i]] += w[i]


def two_checks(h, x, w):
    total = 0.0
    for i in range(x.shape[0]):
        total += h[x[i]] * w[x[i] + 1] - h[x[i]]
    return total


def halving(h, x, w):
    k = x[0]
    n = 0
    while h[k] > 0.5:
        h[k] *= 0.5
        k = x[k]
        n += 1
    return n


def quotients(h, x, w):
    total = 0
    for i in range(x.shape[0]):
        total += 100 // int(x[i]) % (int(x[i]) - 7)  # Python's ints: NumPy's give 0
    return total


def given(count=40, size=12):
    random = np.random.default_rng(3)
    return (
        random.random(size) * 9,
        random.integers(-size + 1, size - 1, count),
        random.random(count),
    )


def test_a_check_is_a_branch_that_is_not_expected():
    concrete = ag.jit(scatter).experimental_get_compiler_ir(*given())
    assert "arith.select" in concrete("loops")
    text = concrete("llvm")
    assert text.count("llvm.intr.expect") == 2  # of these one from the end


@pytest.mark.parametrize("function", [scatter, two_checks, halving])
def test_values(function):
    plain, mine = given(), given()
    plain[1][0] = mine[1][0] = 3
    expected, found = function(*plain), ag.jit(function)(*mine)
    assert expected == found
    np.testing.assert_array_equal(mine[0], plain[0])


@pytest.mark.parametrize("at", [0, 7, 39])
@pytest.mark.parametrize("function", [scatter, two_checks])
def test_the_first_failure_counts(function, at):
    h, x, w = given()
    x[at] = -13
    x[at + 1 :] = 99
    for options in ({}, {"jit_compile": False}):
        with pytest.raises(
            errors.RuntimeIndexError, match=r"index -13 is out of bounds .* size 12"
        ):
            ag.jit(function, **options)(h.copy(), x, w)


def test_checks_of_two_kinds():
    h, x, w = given()
    x = np.where(x == 0, 1, x)
    x[x == 7] = 5
    assert ag.jit(quotients)(h, x, w) == quotients(h, x, w)
    for value in (0, 7):
        y = x.copy()
        y[11] = value
        y[12:] = 7 - value
        with pytest.raises(errors.RuntimeZeroDivisionError):
            ag.jit(quotients)(h, y, w)


def test_a_while_stops_at_the_first_failure():
    h, x, w = given()
    h[:] = 1.0
    x[:] = 5
    x[5] = 12
    with pytest.raises(errors.RuntimeIndexError, match="index 12 is out of bounds"):
        ag.jit(halving)(h, x, w)
