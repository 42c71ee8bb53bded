"""What loops keep of their iterations, and how an iteration backwards waits for the one after."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import agir as ag

from .checks import check

POINTS = np.sin(np.arange(12.0) * 1.3).reshape(4, 3)
FIELD = np.cos(np.arange(30.0)).reshape(5, 6)


def gradient_text(f: Any, *args: Any, stage: str = "hlo") -> str:
    """A stage of the gradient of the sum of what a function gives."""
    found = ag.grad(lambda *a: ag.reduce_sum(f(*a)))
    return str(found.get_concrete_function(*args).compilation.text(stage))


def swept(a: Any, n: Any, m: Any) -> Any:
    for i in ag.range(1, n):
        for j in ag.range(1, m):
            a[i, j] = a[i, j] + 0.25 * a[i - 1, j] * a[i, j - 1]
    return a


def attracted(x: Any, n: Any) -> Any:
    for _ in ag.range(n):
        for i in ag.range(4):
            pull = 0.0
            for j in ag.range(4):
                apart = x[j, 0] - x[i, 1]
                pull += apart / ag.sqrt(apart * apart + 0.1)
            x[i, 2] += 0.1 * pull
        for i in ag.range(4):
            for k in ag.range(2):
                x[i, k] += 0.1 * x[i, 2]
    return x


def every_third(a: Any, n: Any, step: Any) -> Any:
    total = 0.0
    for i in ag.range(n):
        for j in ag.range(0, 6, 3):
            total = total + ag.sin(a[i, j] * total) + ag.exp(a[i, j])
        for _ in ag.range(n // 2):
            total = total * ag.cos(total)
    return total * ag.cast(step, ag.float64)


def rows_of_growing_length(v: Any, n: Any) -> Any:
    total = 0.0
    for i in ag.range(n):
        part = ag.sin(v[: i + 1] * 2.0)
        total = total + ag.reduce_sum(part * part * ag.exp(part))
    return total


@pytest.mark.parametrize("jit_compile", [False, True])
@pytest.mark.parametrize(
    ("f", "args"),
    [
        (swept, (FIELD, np.int64(5), np.int64(6))),
        (swept, (FIELD, np.int64(1), np.int64(0))),
        (attracted, (POINTS, np.int64(3))),
        (every_third, (FIELD, np.int64(5), np.int64(2))),
        (rows_of_growing_length, (FIELD[0], np.int64(5))),
    ],
)
def test_loops_in_loops(f, args, jit_compile):
    check(f, *args, jit_compile=jit_compile)


def test_a_loop_in_a_loop_keeps_rows_of_what_is_there_before():
    text = gradient_text(swept, FIELD, np.int64(5), np.int64(6), stage="bufferized")
    assert text.count("scf.for") == 4
    assert not re.search(r"^ {6,}.*memref\.(alloc|copy)\b", text, re.MULTILINE)


def test_a_chosen_index_masks_nothing():
    text = gradient_text(swept, FIELD, np.int64(5), np.int64(6))
    assert "arith.select" in text
    assert "arith.cmpf oeq" not in text


def logistic(x: Any, rate: Any, n: Any) -> Any:
    while n > 0:
        x = rate * x * (1.0 - x)
        n -= 1
    return x


def settles(x: Any, rate: Any) -> Any:
    while ag.abs(x - 0.51) > 0.02:
        x = rate * x * (1.0 - x) / (x + 0.9)
    return x


def two_numbers(x: Any, v: Any, n: Any) -> Any:
    for _ in ag.range(n):
        v = v - 0.1 * (ag.sin(x) * 0.5 + x * x * v) / (1.0 + v * v)
        x = x + 0.1 * v - (-x * 0.01)
    return x, v


def filtered(v: Any, a: Any) -> Any:
    s = 0.0
    for e in v:
        s = s * a * e + e * (1.0 - a)
    return s


def limited(x: Any, n: Any) -> Any:
    for _ in ag.range(n):
        x = ag.where(x > 1.0, ag.sqrt(x), x * x * 1.3)
    return x


@pytest.mark.parametrize("jit_compile", [False, True])
@pytest.mark.parametrize(
    ("f", "args"),
    [
        (logistic, (np.float64(0.3), np.float64(2.7), np.int64(20))),
        (settles, (np.float64(0.3), np.float64(2.9))),
        (two_numbers, (np.float64(0.3), np.float64(0.9), np.int64(9))),
        (filtered, (FIELD[0], np.float64(0.9))),
        (limited, (np.float64(0.9), np.int64(7))),
    ],
)
def test_chains_of_numbers(f, args, jit_compile):
    check(f, *args, jit_compile=jit_compile)


def test_an_iteration_waits_for_one_product():
    text = gradient_text(logistic, np.float64(0.3), np.float64(2.7), np.int64(20))
    backwards = text[text.rindex("scf.for") :]
    carried = re.search(r"iter_args\((%\w+) = ", backwards)
    left = re.search(r"scf.yield (%\w+)", backwards)
    assert carried
    assert left
    assert f"{left[1]} = arith.mulf {carried[1]}, " in backwards


def test_a_factor_of_zero_beside_an_infinite_one():
    def f(x: Any, n: Any) -> Any:
        for _ in ag.range(n):
            x = ag.where(x > 0.0, ag.sqrt(x), 0.0 * x)
        return x

    assert ag.grad(f)(np.float64(0.0), np.int64(3)).numpy() == 0.0


def test_attempts_that_are_left_over_go_with_the_loop():
    """The loop over `j` is recorded twice, for `pull` begins as a Python number."""
    for _ in range(5):
        found = ag.grad(lambda x, n: ag.reduce_sum(attracted(x, n)))
        assert "scf.for" in found.get_concrete_function(POINTS, np.int64(3)).compilation.text("hlo")


def scaled(x: Any, y: Any, z: Any, n: Any) -> Any:
    for _ in ag.range(n):
        x = x * y * z
    return x


def crossed(x: Any, y: Any, n: Any) -> Any:
    v = 0.0
    for _ in ag.range(n):
        x, v = x * y * y - v * y * y * 0.5, x + v * y * y
    return x + v


def divided(x: Any, y: Any, z: Any, n: Any) -> Any:
    for _ in ag.range(n):
        x = x * z / y / y
    return x


@pytest.mark.parametrize("jit_compile", [False, None])
@pytest.mark.parametrize(
    ("f", "args", "expected"),
    [
        (lambda *a: 0.0 * scaled(*a), (1e-200, 1e200, 1e200, 2), 0.0),
        (lambda *a: 1e-300 * scaled(*a), (1e-200, 1e200, 1e200, 1), 1e100),
        (lambda *a: 1e250 * scaled(*a), (1e-200, 1e-200, 1e-200, 1), 1e-150),
        (lambda *a: 0.0 * crossed(*a), (0.0, 1e200, 3), 0.0),
        (lambda *a: 0.0 * divided(*a), (0.0, 1e-200, 2.0, 2), 0.0),
        (lambda *a: 1e-300 * divided(*a), (0.0, 1e-200, 1e-100, 1), 1.0),
        (lambda *a: scaled(*a), (2.0, np.inf, 0.5, 1), np.inf),
        (lambda *a: scaled(*a), (2.0, np.nan, 0.5, 1), np.nan),
        (lambda *a: scaled(*a), (2.0, 0.0, 0.5, 3), 0.0),
    ],
)
def test_factors_that_overflow_without_the_cotangent(f, args, expected, jit_compile):
    """The cotangent comes first in the chain: 0 * 1e200 * 1e200 is zero, 0 * inf is not."""
    *numbers, n = args
    found = ag.grad(ag.function(f, jit_compile=jit_compile))(*map(np.float64, numbers), np.int64(n))
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-12)


def test_second_derivatives_of_chains_that_overflow():
    large = np.float64(1e200)
    found = ag.hessian(lambda x: 0.0 * scaled(ag.sin(x), large, large, np.int64(2)))(np.float64(0))
    assert found.numpy() == 0.0
    found = ag.hessian(lambda x: scaled(x, x * 1e200, 1e-200, np.int64(2)))(np.float64(1.5))
    np.testing.assert_allclose(found.numpy(), 6 * 1.5, rtol=1e-12)
