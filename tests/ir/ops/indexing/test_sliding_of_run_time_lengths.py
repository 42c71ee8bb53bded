"""Convolutions of vectors of which only the run time knows the longer one; parts as long as arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import agir as ag


def outcome(function: Callable[..., Any], *args: Any) -> Any:
    """The result, or ``ValueError``."""
    try:
        return function(*args)
    except ValueError:
        return ValueError


def check(recorded: Any, plain: Any, *args: Any) -> None:
    """The decorated function does what the plain one does."""
    expected, got = (outcome(each, *args) for each in (plain, recorded))
    if expected is ValueError or got is ValueError:
        assert got is expected
    else:
        np.testing.assert_allclose(got, expected)
        assert np.shape(got) == np.shape(expected)


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("function", [np.convolve, np.correlate])
def test_either_may_be_longer(function: Any, mode: str) -> None:
    def both(a: Any, b: Any, n: int, k: int) -> Any:
        return function(a[:n], b[:k], mode)

    def first(a: Any, b: Any, n: int) -> Any:
        return function(a[:n], b, mode)

    a, b = np.arange(1.0, 7.0), np.array([2.0, -1.0, 3.0, 5.0, 1.0])
    recorded, of_one = ag.jit(both), ag.jit(first)
    for n in range(6):
        for k in range(6):
            check(recorded, both, a, b, n, k)
        check(of_one, first, a, b, n)
        check(of_one, first, a, b[:2].copy(), n)


PARTS = {
    "sum": lambda c, d, n: c[1:n] + d,
    "equal": lambda c, d, n: np.array_equal(c[1:n], d),
    "reshape": lambda c, d, n: c[1:n].reshape(len(d)),
    "where": lambda c, d, n: np.where(d > 1, c[1:n], d),
    "steps": lambda c, d, n: c[2:n:2] * d,
    "rows": lambda c, d, n: np.outer(c, c)[1:n] @ d,
}


@pytest.mark.parametrize("name", PARTS)
def test_parts_that_cannot_be_as_long_as_the_array(name: str) -> None:
    function = PARTS[name]
    for length in (2, 3, 4):
        recorded = ag.jit(lambda c, d, n: function(c, d, n))
        for other in (1, 2, 3, 4):
            for n in (0, 2, 3, 5):
                check(recorded, function, np.arange(length) + 2.0, np.arange(other) + 2.0, n)
