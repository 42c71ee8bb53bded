"""Functions of NumPy's given to the decorator themselves: their defaults are their own affair."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import agir as ag

X = np.array([[3.0, 1.0, 2.0], [6.0, 5.0, 4.5]])


@pytest.mark.parametrize(
    ("function", "given"),
    [
        (np.sort, (X,)), (np.argsort, (X,)), (np.linalg.norm, (X,)), (np.clip, (X, 2.0, 4.0)),
        (np.sin, (X,)), (np.add, (X, X)), (np.var, (X,)), (np.diff, (X,)), (np.median, (X,)),
        (np.concatenate, ((X, X),)), (np.stack, ((X, X),)), (np.linalg.svd, (X,)), (np.unique, (X,)),
        (np.quantile, (X, 0.5)), (np.linspace, (0.0, 1.0)), (np.gradient, (X,)), (np.cross, (X, X)),
        (np.fft.fft, (X,)), (np.nan_to_num, (X,)), (np.dot, (X, X.T)),
    ],
)  # fmt: skip
def test_it_does_what_it_does_itself(function, given):
    decorated = ag.jit(function)
    for _ in range(2):
        found, wanted = decorated(*given), function(*given)
        pairs = zip(found, wanted, strict=True) if isinstance(wanted, tuple) else [(found, wanted)]
        for left, right in pairs:
            assert left.dtype == right.dtype
            np.testing.assert_allclose(left, right, rtol=1e-12, atol=1e-12)


def test_what_is_left_out_and_what_is_given_are_different_calls():
    decorated = ag.jit(np.sum, static=("axis", "keepdims"))
    for given in (
        {},
        {"axis": 0},
        {"axis": 1},
        {"keepdims": True},
        {"axis": 0, "keepdims": True},
        {},
    ):
        np.testing.assert_array_equal(decorated(X, **given), np.sum(X, **given))


def test_calls_by_machine_code():
    decorated = ag.jit(np.sort)
    for number in range(3000):
        assert decorated(np.array([2.0, float(number), 1.0]))[0] == min(1, number)


def test_the_signature_shows_the_defaults():
    assert str(inspect.signature(ag.jit(np.sort))) == str(inspect.signature(np.sort))
