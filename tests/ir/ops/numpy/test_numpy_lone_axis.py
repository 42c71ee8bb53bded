"""Axis 0 and -1 of what has no dimensions: many functions of NumPy take them, and others do not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agir as ag

TAKING = """sum prod max min any all argmax argmin cumsum cumprod ptp count_nonzero nansum nanprod
nanmax nanmin nanmean nanstd nanvar nanargmax nanargmin nancumsum nancumprod argsort squeeze""".split()
NOT_TAKING = "mean std var median nanmedian sort flip average diff partition".split()
VALUES = [np.array(3.0), np.float64(-2.5), np.array(4, "i4"), np.array(True), np.array(1 - 2j), 7]


def outcome(function: Any, *args: Any) -> Any:
    """What a call gives, or the class of Python's of its error."""
    try:
        return np.asarray(function(*args))
    except (TypeError, ValueError) as error:
        return next(each for each in type(error).__mro__ if each.__module__ == "builtins")


def check(function: Any, *args: Any) -> None:
    """The decorated function does what the plain one does."""
    expected = outcome(function, *args)
    got = outcome(ag.jit(function, jit_compile=False), *args)
    if isinstance(expected, type) or isinstance(got, type):
        assert got is expected
    else:
        assert (got.dtype, got.shape) == (expected.dtype, expected.shape)
        np.testing.assert_allclose(got, expected)


@pytest.mark.parametrize("axis", [0, -1, 1])
@pytest.mark.parametrize("name", [*TAKING, *NOT_TAKING])
def test_functions(name: str, axis: int) -> None:
    function = getattr(np, name)
    for value in VALUES:
        if name == "partition":
            check(lambda x: np.partition(x, 0, axis), value)
        else:
            check(lambda x: function(x, axis=axis), value)


@pytest.mark.parametrize("axis", [0, -1, 1])
@pytest.mark.parametrize(
    "name", ["sum", "prod", "max", "min", "any", "all", "argmax", "cumsum", "argsort", "squeeze"]
)
def test_methods(name: str, axis: int) -> None:
    check(lambda x: getattr(x, name)(axis), np.array(3.5))
    check(lambda x: getattr(x[0] + 1, name)(axis), np.array([3.5, 4.5]))


@pytest.mark.parametrize("axis", [0, -1, 1])
def test_of_several_arguments(axis: int) -> None:
    x = np.array(2.5)
    check(lambda x: np.take(x, 0, axis), x)
    check(lambda x: np.take(x, [0, 0], axis), x)
    check(lambda x: np.compress([True], x, axis), x)
    check(lambda x: np.lexsort((x, x), axis), x)
    check(lambda x: np.add.reduce(x, axis), x)
    check(lambda x: np.logical_or.reduce(x, axis), x)
    check(lambda x: np.maximum.reduce(x, axis), x)
    check(lambda x: np.sum(x, axis, keepdims=True), x)
    check(lambda x: x.max(axis, keepdims=True), x)
    if hasattr(np, "cumulative_sum"):
        check(lambda x: np.cumulative_sum(x, axis=axis), x)
