"""Sums of gathered elements, of run-time length and in loops, take masked vectors."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag
from agir import errors
from agir.backends.cpu.code import host
from agir.backends.cpu.passes.reductions import masked_reductions

LENGTHS = [0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 31, 0, 64]


def weighted(starts, places, weights, x):
    found = np.zeros(len(starts) - 1, weights.dtype)
    for i in range(len(starts) - 1):
        at = places[starts[i] : starts[i + 1]]
        found[i] = weights[starts[i] : starts[i + 1]] @ x[at]
    return found


def totals(starts, places, weights, x):
    found = np.zeros(len(starts) - 1, weights.dtype)
    for i in range(len(starts) - 1):
        found[i] = x[places[starts[i] : starts[i + 1]]].sum()
    return found


def of_a_row(starts, places, weights, x):
    table = np.outer(x, x)
    found = np.zeros(len(starts) - 1, weights.dtype)
    for i in range(len(starts) - 1):
        at = places[starts[i] : starts[i + 1]]
        found[i] = weights[starts[i] : starts[i + 1]] @ table[i % 5, at]
    return found


def chosen(starts, places, weights, x):
    found = np.zeros(len(starts) - 1, weights.dtype)
    for i in range(len(starts) - 1):
        taken = x[places[starts[i] : starts[i + 1]]]
        found[i] = np.where(taken > 3, taken, -taken).sum() + taken.size
    return found


def given(dtype="f8", index="i8"):
    random = np.random.default_rng(2)
    starts = np.concatenate([[0], np.cumsum(LENGTHS)])
    places = random.integers(-9, 9, starts[-1]).astype(index)
    weights, x = ((random.random(n) * 9).astype(dtype) for n in (starts[-1], 9))
    return starts, places, weights, x


FUNCTIONS = [weighted, totals, of_a_row, chosen]


@pytest.mark.parametrize("index", ["i8", "i4", "u2"])
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i4", "i2", "c16"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_values(function, dtype, index):
    arguments = given(dtype, index)
    arguments[1][:] = np.abs(arguments[1].astype(int)) % 9 if index == "u2" else arguments[1]
    expected = function(*arguments)
    found = ag.jit(function)(*arguments)
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=1e-5 if dtype == "f4" else 1e-12)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_not_contiguous(function):
    starts, places, weights, x = given()
    strided = [np.repeat(a, 2)[::2] for a in (places, weights, x)]
    backwards = [a[::-1].copy()[::-1] for a in (places, weights, x)]
    expected = function(starts, places, weights, x)
    for arrays in (strided, backwards):
        np.testing.assert_allclose(ag.jit(function)(starts, *arrays), expected, rtol=1e-12)


def test_special_values():
    starts, places, weights, x = given()
    x[:3] = np.nan, np.inf, -0.0
    for function in (weighted, totals):
        mine = ag.jit(function)(starts, places, weights, x)
        wanted = function(starts, places, weights, x)
        np.testing.assert_allclose(mine, wanted)


def test_what_is_beyond_the_end_is_not_read():
    starts, places, weights, x = given()
    places = np.append(places, [10**6] * 8)[:-8]  # what follows in memory would be no index
    np.testing.assert_allclose(
        ag.jit(weighted)(starts, places, weights, x), weighted(starts, places, weights, x)
    )


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("where", [0, 5, -1])
@pytest.mark.parametrize("wrong", [9, -10, 2**40])
def test_wrong_indices(function, where, wrong):
    starts, places, weights, x = given()
    places[where] = wrong
    with pytest.raises(errors.RuntimeIndexError, match=f"index {wrong} is out of bounds"):
        ag.jit(function)(starts, places, weights, x)


def test_the_first_wrong_row_is_told():
    starts, places, weights, x = given()
    places[-1], places[20] = 77, -88
    with pytest.raises(errors.RuntimeIndexError, match="index -88 is out of bounds"):
        ag.jit(weighted)(starts, places, weights, x)


def text(stage, function=weighted):
    return ag.jit(function).experimental_get_compiler_ir(*given())(stage)


def test_vectors_and_no_extrema_until_a_check_fails(monkeypatch):
    monkeypatch.setattr(masked_reductions, "vectors", lambda: host.AVX_512)
    loop, _, failed = text("loops").partition("scf.if")
    assert loop.count("vector.gather") == 1
    assert "arith.minsi %arg" not in loop
    assert "linalg" not in failed
    body = text("optimized_hlo")
    assert body.index("arith.maxsi %in") > body.index("scf.if")


def test_no_vectors_without_masks(monkeypatch):
    monkeypatch.setattr(masked_reductions, "vectors", lambda: host.SSE)
    assert "vector." not in text("loops")


def own_bounds(x, low, high):
    inside = 0
    for i in range(x.shape[0]):
        if x[i].min() >= low and x[i].max() < high:
            inside += 1
    return inside


def asserted(x, low, high):
    n = 0
    for i in range(x.shape[0]):
        assert (x[i].min() >= low) & (x[i].max() < high)
        n += i
    return n


def test_extrema_of_the_users_own():
    x = np.arange(40).reshape(8, 5)
    for low, high in ((0, 40), (3, 30), (100, 0), (-(2**63), 2**63 - 1)):
        assert ag.jit(own_bounds)(x, low, high) == own_bounds(x, low, high)
    assert ag.jit(asserted)(x, 0, 40) == asserted(x, 0, 40)
    for low, high in ((1, 40), (0, 39), (100, 0)):
        with pytest.raises(AssertionError):
            ag.jit(asserted)(x, low, high)


def bounds_of_a_branch(x, places, n):
    total = 0
    for i in range(n):
        least, most = x.min(), x.max()
        if i > 1:
            limit = places[i % 3]
            total += 1 if (least >= limit) & (most < limit * 9) else 2
    return total


def test_bounds_that_are_there_later():
    x, places = np.arange(5) + 3, np.array([2, 4, 1])
    for n in (0, 2, 7):
        assert ag.jit(bounds_of_a_branch)(x, places, n) == bounds_of_a_branch(x, places, n)
