"""Loops that count: a `while` with a counter is differentiated as a `for`; others grow their room."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agir as ag

from .checks import check, differences

START = np.float64(0.6)


def upwards(x: Any, n: Any) -> Any:
    i = 0
    while i < n:
        x = ag.sin(x) * (x + i)
        i += 1
    return x, i


def downwards(x: Any, n: Any) -> Any:
    while n > 0:
        x = ag.sin(x) * (x + n)
        n -= 1
    return x, n


def in_twos(x: Any, n: Any) -> Any:
    i = 1
    while n >= i:
        x = ag.sin(x) * (x + i)
        i = 2 + i
    return x, i


def down_in_threes(x: Any, n: Any) -> Any:
    i = n * 2
    while 1 <= i:
        x = ag.sin(x) * x + i
        i -= 3
    return x, i


def to_a_computed_bound(x: Any, n: Any) -> Any:
    i = 0
    while i < n * 2 - 1:
        x = x * 0.9 + ag.sin(x)
        i += 1
    return x, i


COUNTED = [upwards, downwards, in_twos, down_in_threes, to_a_computed_bound]


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("f", COUNTED, ids=lambda f: f.__name__)
def test_a_while_that_counts(f: Any, dtype: Any) -> None:
    text = (
        ag.grad(lambda x, n: f(x, n)[0])
        .get_concrete_function(ag.TensorSpec([], ag.float64), ag.TensorSpec([], dtype))
        .compilation.text("hlo")
    )
    assert "scf.while" not in text
    assert text.count("scf.for") == 2
    for iterations in (-3, 0, 1, 4):
        check(f, START, dtype(iterations))


@pytest.mark.parametrize("f", COUNTED, ids=lambda f: f.__name__)
def test_a_while_that_counts_compiled(f: Any) -> None:
    gradient = ag.value_and_grad(lambda x, n: (f(x, n)[0], f(x, n)[1]), has_aux=True)
    plain = ag.function(f, jit_compile=False)
    for iterations in (0, 5):
        (value, end), slope = gradient(START, np.int64(iterations))
        np.testing.assert_allclose(value, plain(START, np.int64(iterations))[0])
        assert end == plain(START, np.int64(iterations))[1]
        expected = differences(lambda x, n=iterations: plain(x, np.int64(n))[0], [START], 0)
        np.testing.assert_allclose(slope, expected, rtol=1e-6, atol=1e-8)


def ends_early(x: Any, n: Any) -> Any:
    i = 0
    while i < n and x < 3.0:
        x = x * 1.01 + 0.01 * ag.sin(x)
        i += 1
    return x * i


def unknown(x: Any, n: Any) -> Any:
    t = 0.0
    while t < n:
        x = x * 1.001 + 0.01 * ag.sin(x)
        t += 0.5
    return x


def unknown_array(x: Any, n: Any) -> Any:
    v = x * np.linspace(0.5, 1.5, 300)
    while ag.reduce_sum(v) < n * 400:
        v = v * 1.01 + 0.001 * ag.sin(v)
    return ag.reduce_sum(v * v)


@pytest.mark.parametrize("f", [ends_early, unknown, unknown_array], ids=lambda f: f.__name__)
@pytest.mark.parametrize("n", [0, 3, 40, 1000])
def test_loops_of_unknown_length(f: Any, n: int) -> None:
    """More iterations than there is room for at first, and fewer."""
    n = min(n, 4) if f is unknown_array else n
    plain = ag.function(f, jit_compile=False)
    expected = differences(lambda x: plain(x, np.float64(n)), [START], 0)
    for jit_compile in (False, None):
        slope = ag.grad(ag.function(f, jit_compile=jit_compile))(START, np.float64(n))
        np.testing.assert_allclose(slope, expected, rtol=1e-5, atol=1e-8)


def test_an_array_that_a_while_writes_into_is_not_saved() -> None:
    def assigns(v: Any, n: Any) -> Any:
        a = v * 1.0
        i = 1
        while i < n:
            a[i] = a[i] * a[i - 1] + v[i] * v[i]
            i += 1
        return a

    row = np.array([0.3, 0.5, 0.7, 0.4, 0.6])
    check(assigns, row, np.int64(5), jit_compile=None)
    kinds = [ag.TensorSpec([5], ag.float64), ag.TensorSpec([], ag.int64)]
    gradient = ag.grad(lambda v, n: ag.reduce_sum(assigns(v, n)))
    text = gradient.get_concrete_function(*kinds).compilation.text("hlo")
    assert "tensor<?x5xf64>" not in text


def test_one_value_is_saved_of_each_iteration() -> None:
    """Both factors are cheap to compute from the number that the loop carries."""

    def logistic(x: Any, n: Any) -> Any:
        for _ in ag.range(n):
            x = 3.7 * x * (1.0 - x)
        return x

    kinds = [ag.TensorSpec([], ag.float64), ag.TensorSpec([], ag.int64)]
    text = ag.grad(logistic).get_concrete_function(*kinds).compilation.text("hlo")
    assert text.count("tensor.empty") == 1
