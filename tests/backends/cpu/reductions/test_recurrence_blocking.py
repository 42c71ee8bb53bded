"""Loops that sum what they have written so far take several iterations at once."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag
from agir.backends.cpu.passes.reductions import recurrence_blocking


def forward(a, x):
    for i in range(len(x)):
        x[i] = (x[i] - a[i, :i] @ x[:i]) / a[i, i]


def factor(a, x):
    a[0, 0] = np.sqrt(a[0, 0])
    for i in range(1, a.shape[0]):
        for j in range(i):
            a[i, j] -= np.dot(a[i, :j], a[j, :j])
            a[i, j] /= a[j, j]
        a[i, i] -= np.dot(a[i, :i], a[i, :i])
        a[i, i] = np.sqrt(a[i, i])


def crout(a, x):
    for i in range(a.shape[0]):
        for j in range(i):
            a[i, j] -= a[i, :j] @ a[:j, j]
            a[i, j] /= a[j, j]
        for j in range(i, a.shape[0]):
            a[i, j] -= a[i, :i] @ a[:i, j]


def of_all_before(a, x):
    for i in range(2, len(x)):
        x[i] += np.sum(x[: i - 1] / 8) - (x[:i] > 1).sum()


def from_the_second(a, x):
    for i in range(1, len(x)):
        x[i] = x[1:i].sum() / 4 + a[i, 0]


def into_two(a, x):
    for i in range(len(x)):
        x[i] -= a[0, :i] @ x[:i]
        a[-1, i] = x[i]


def ahead(a, x):
    for i in range(len(x) - 1):
        x[i + 1] = x[:i].sum() / 4 + 1


def behind(a, x):
    for i in range(1, len(x)):
        x[i - 1] += x[:i].sum() / 8


def the_same_column(a, x):
    for i in range(len(x)):
        a[0, i] = x[i]
        x[i] = a[:i, i].sum()


def everywhere(a, x):
    for i in range(len(x)):
        x[i // 2] += x[:i].sum() / 8


def back_to_front(a, x):
    for i in range(len(x) - 1, -1, -1):
        x[i] = (x[i] - a[i, i + 1 :] @ x[i + 1 :]) / a[i, i]


FUNCTIONS = [
    forward,
    factor,
    crout,
    of_all_before,
    from_the_second,
    into_two,
    ahead,
    behind,
    the_same_column,
    everywhere,
    back_to_front,
]


def given(size, dtype="f8"):
    random = np.random.default_rng(size)
    a = random.random((size, size))
    return (a @ a.T + size * np.eye(size)).astype(dtype), random.random(size).astype(dtype)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 8, 9, 35])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_values(function, size):
    expected, found = given(size), given(size)
    function(*expected)
    ag.jit(function)(*found)
    for wanted, got in zip(expected, found, strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-9)


def of_numbers(x):
    for i in range(1, len(x)):
        x[i] += np.sum(x[:i]) % 7


@pytest.mark.parametrize("dtype", ["i8", "i4", "u2"])
def test_integers(dtype):
    expected, found = (np.arange(50).astype(dtype) for _ in range(2))
    of_numbers(expected)
    ag.jit(of_numbers)(found)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("function", [forward, factor, crout])
def test_sizes_that_only_the_run_time_knows(function):
    compiled = ag.jit(function, input_signature=None, reduce_retracing=True)
    for size in (4, 6, 9, 17, 30):
        expected, found = given(size), given(size)
        function(*expected)
        compiled(*found)
        for wanted, got in zip(expected, found, strict=True):
            np.testing.assert_allclose(got, wanted, rtol=1e-9)


def test_what_is_not_finite():
    a, x = given(20)
    a[7, 2], x[4] = np.inf, np.nan
    expected, found = (a.copy(), x.copy()), (a.copy(), x.copy())
    with np.errstate(all="ignore"):
        forward(*expected)
    ag.jit(forward)(*found)
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-9)


@pytest.mark.parametrize(
    ("function", "blocks"),
    [
        (forward, 1),
        (factor, 1),
        (crout, 1),
        (from_the_second, 0),
        (behind, 0),
        (the_same_column, 0),
        (everywhere, 0),
    ],
)
def test_which_loops_take_turns_together(function, blocks, monkeypatch):
    written = []
    may = recurrence_blocking._may_be_summed_ahead
    monkeypatch.setattr(
        recurrence_blocking,
        "_may_be_summed_ahead",
        lambda found: may(found) and (written.append(found) or True),
    )
    ag.jit(function).experimental_get_compiler_ir(*given(9))(stage="loops")
    assert len(written) == blocks
