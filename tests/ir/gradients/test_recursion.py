"""Gradients through functions that call themselves on run-time values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agir as ag

from .checks import check, differences

START = np.float64(0.7)
ROW = np.array([0.3, 0.5, 0.7, 0.4, 0.6])


def power(x: Any, n: Any) -> Any:
    if n == 0:
        return ag.constant(1.0, ag.float64)
    return ag.sin(x) * power(x * 1.1, n - 1)


def tree(x: Any, n: Any) -> Any:
    """Two calls in each."""
    if n < 2:
        return x * x
    return tree(x * 0.5, n - 1) * ag.cos(x) + tree(ag.sin(x), n - 2)


def even(x: Any, n: Any) -> Any:
    if n == 0:
        return x
    return odd(ag.sin(x) + 0.1 * x, n - 1)


def odd(x: Any, n: Any) -> Any:
    if n == 0:
        return x * x
    return even(x * ag.exp(-x), n - 1)


def halves(v: Any, low: Any, high: Any) -> Any:
    """Of arrays, which are only read."""
    if high - low == 1:
        return ag.sin(v[low])
    middle = (low + high) // 2
    return halves(v, low, middle) * 0.5 + halves(v, middle, high) * v[low]


def with_a_loop(v: Any, n: Any) -> Any:
    if n == 0:
        return v
    total = v
    for i in ag.range(n):
        total = total * 0.9 + ag.sin(total) * 0.1 * i
    return with_a_loop(total, n - 1) + total


def several(x: Any, y: Any, n: Any) -> Any:
    """Of two numbers, with two results."""
    if n == 0:
        return x * y, y
    a, b = several(ag.sin(y), x * y, n - 1)
    return a + x, b * a


PROGRAMS = {
    "power": (power, START, np.int64(5)),
    "power_never": (power, START, np.int64(0)),
    "tree": (tree, START, np.int64(6)),
    "even_and_odd": (even, START, np.int64(5)),
    "halves": (lambda v: halves(v, np.int64(0), np.int64(5)), ROW),
    "with_a_loop": (with_a_loop, ROW, np.int64(3)),
    "several": (several, START, np.float64(0.4), np.int64(3)),
}


@pytest.mark.parametrize("jit_compile", [False, None], ids=["interpreted", "compiled"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str, jit_compile: bool | None) -> None:
    f, *args = PROGRAMS[name]
    check(f, *args, jit_compile=jit_compile)


@pytest.mark.parametrize("name", ["power", "tree", "even_and_odd"])
def test_second_derivatives(name: str) -> None:
    f, *args = PROGRAMS[name]
    check(ag.grad(f), *args, tolerance=1e-4)


@pytest.mark.parametrize("jit_compile", [False, None], ids=["interpreted", "compiled"])
def test_a_tape_around_a_call(jit_compile: bool | None) -> None:
    f = ag.function(tree, jit_compile=jit_compile)
    x = ag.constant(START)
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = f(x, np.int64(6)) ** 2
    plain = ag.function(tree, jit_compile=False)
    expected = differences(lambda x: plain(x, np.int64(6)) ** 2, [START], 0)
    np.testing.assert_allclose(tape.gradient(y, x), expected, rtol=1e-6)


def test_a_deep_one() -> None:
    def down(x: Any, n: Any) -> Any:
        if n == 0:
            return x
        return down(x * 0.99, n - 1) + 0.01 * x

    slope = ag.grad(down)(np.float64(1.0), np.int64(300))
    expected, factor = 0.0, 1.0
    for _ in range(300):
        expected, factor = expected + 0.01 * factor, factor * 0.99
    np.testing.assert_allclose(slope, expected + factor, rtol=1e-10)


def test_the_function_that_goes_back_calls_itself() -> None:
    kinds = ag.TensorSpec([], ag.float64), ag.TensorSpec([], ag.int64)
    text = ag.grad(power).get_concrete_function(*kinds).compilation.text("hlo")
    assert "func.func private @power_backward(" in text
    assert text.count("call @power_backward(") == 2
