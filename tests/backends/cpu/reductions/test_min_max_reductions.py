"""Loops that compute extreme numbers beside other things: as Python does, NaN included, in vectors."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag


def of_both_kinds(x, low, high):
    total = 0.0
    for i in range(len(x)):
        low = min(low, x[i])
        high = max(high, x[i])
        total += x[i] * 0
    return low, high


def the_other_way(x, low, high):
    """Keeps NaN for one iteration."""
    for i in range(len(x)):
        low = min(x[i], low)
        high = max(x[i], high)
    return low, high


def by_branches(x, low, high):
    for v in x:
        if v < low:
            low = v
        if v > high:
            high = v
    return low, high


def of_several(x, low, high):
    for i in range(len(x) - 1):
        low = min(low, x[i], x[i + 1])
        high = max(high, x[i + 1], abs(x[i]))
    return low, high


def residual(x, low, high):
    """Beside writes, and in two loops."""
    y = x.copy()
    for _ in range(3):
        high = max(high * 0, -1.0)
        for i in range(1, len(x) - 1):
            y[i] = 0.5 * (x[i - 1] + x[i + 1])
            high = max(high, abs(y[i] - x[i]))
            low = min(y[i], low)
        x[:] = y
    return low, high


def looked_at(x, low, high):
    for i in range(len(x)):
        high = max(high, x[i])
        x[i] = high
        low = min(low, x[i] - high)
    return low, high


def mixed(x, low, high):
    for i in range(len(x)):
        high = min(max(high, x[i]), 2.5)
        low = max(low, low)
    return low, high


FUNCTIONS = [of_both_kinds, the_other_way, by_branches, of_several, residual, looked_at, mixed]
COMPILED = {f: ag.jit(reduce_retracing=True)(f) for f in FUNCTIONS}


def arrays(n, dtype):
    random = np.random.default_rng(n)
    yield random.normal(size=n).astype(dtype)
    for special in (np.nan, np.inf, -np.inf, -0.0):
        x = random.integers(-2, 2, n).astype(dtype)
        yield np.full(n, special, dtype)
        x[random.random(n) < 0.4] = special
        yield x
        x = x.copy()
        x[:1] = special
        yield x


@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("n", [0, 1, 2, 15, 16, 17, 100])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_extrema(f, dtype, n):
    kind = np.dtype(dtype).type
    for x in arrays(n, dtype):
        for low, high in ((np.inf, -np.inf), (0.5, -0.5), (np.nan, 0.0), (1.0, np.nan)):
            ours, plain = x.copy(), x.copy()
            found = COMPILED[f](ours, kind(low), kind(high))
            np.testing.assert_array_equal(found, f(plain, kind(low), kind(high)))
            np.testing.assert_array_equal(ours, plain)


@pytest.mark.parametrize("f", [of_both_kinds, by_branches, of_several])
def test_iterations_run_together(f):
    concrete = ag.jit(f).get_concrete_function(np.zeros(1000), 0.0, 0.0)
    text = concrete.compilation.get("loops")
    assert "arith.maxsi" in str(text)
    assert "arith.minsi" in str(text)


def test_short_loops_are_left_alone():
    text = ag.jit(by_branches).experimental_get_compiler_ir(np.zeros(9), 0.0, 0.0)(stage="loops")
    assert "arith.maxsi" not in text
