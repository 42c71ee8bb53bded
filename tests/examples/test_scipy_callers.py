"""Decorated functions where SciPy, NumPy and the standard library call functions."""

from __future__ import annotations

import concurrent.futures
import functools
import itertools
from typing import Any

import numpy as np
import pytest
from scipy import integrate, optimize

import agir as ag


@ag.jit
def rosenbrock(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


@ag.jit
def rosenbrock_gradient(x):
    g = np.zeros_like(x)
    step = x[1:] - x[:-1] ** 2
    g[:-1] = -400.0 * x[:-1] * step - 2.0 * (1.0 - x[:-1])
    g[1:] += 200.0 * step
    return g


@ag.jit
def value_and_gradient(x):
    return rosenbrock(x), rosenbrock_gradient(x)


START = np.array([1.3, 0.7, 0.8, 1.9, 1.2])


@pytest.mark.parametrize(
    ("method", "jac"),
    [
        ("Nelder-Mead", None),
        ("BFGS", None),
        ("BFGS", rosenbrock_gradient),
        ("L-BFGS-B", rosenbrock_gradient),
        ("CG", rosenbrock_gradient),
        ("TNC", rosenbrock_gradient),
    ],
)
def test_minimize(method: str, jac: Any) -> None:
    options = {"maxfun" if method == "TNC" else "maxiter": 2000}
    found = optimize.minimize(rosenbrock, START, method=method, jac=jac, options=options)
    np.testing.assert_allclose(found.x, np.ones(5), atol=0.03)
    assert type(rosenbrock(found.x)) is np.float64


def test_minimize_takes_both_at_once_and_further_arguments() -> None:
    found = optimize.minimize(value_and_gradient, START, method="L-BFGS-B", jac=True)
    np.testing.assert_allclose(found.x, np.ones(5), atol=1e-3)

    @ag.jit
    def distance(x, center, scale):
        return scale * np.sum((x - center) ** 2)

    found = optimize.minimize(distance, np.zeros(2), args=(np.array([3.0, -1.0]), 2.0))
    np.testing.assert_allclose(found.x, [3, -1], atol=1e-4)
    assert distance.experimental_get_tracing_count() == 1


def test_root_and_scalar_solvers() -> None:
    @ag.jit
    def equations(x):
        return np.stack([x[0] * np.cos(x[1]) - 4, x[0] * x[1] - x[1] - 5])

    found = optimize.root(equations, [1.0, 1.0])
    np.testing.assert_allclose(found.x, [6.50409711, 0.90841421], rtol=1e-6)

    @ag.jit
    def cubic(x, c):
        return x**3 - c

    assert optimize.brentq(cubic, 0.0, 2.0, args=(2.0,)) == pytest.approx(2 ** (1 / 3))
    assert optimize.newton(cubic, 1.0, args=(2.0,)) == pytest.approx(2 ** (1 / 3))
    assert cubic.experimental_get_tracing_count() <= 2  # Python floats, and NumPy's
    line, _ = optimize.curve_fit(
        ag.jit(lambda x, a, b: a * x + b), np.arange(5.0), 2 * np.arange(5.0) + 1
    )
    np.testing.assert_allclose(line, [2, 1], atol=1e-6)


@pytest.mark.parametrize("method", ["RK45", "Radau", "LSODA"])
def test_solve_ivp(method: str) -> None:
    @ag.jit
    def oscillator(t, y, damping):
        dy = np.empty_like(y)
        dy[0] = y[1]
        dy[1] = -y[0] - damping * y[1]
        return dy

    given = ((0, 3), [1.0, 0.0])
    found = integrate.solve_ivp(oscillator, *given, args=(0.1,), method=method)
    plain = integrate.solve_ivp(oscillator.python_function, *given, args=(0.1,), method=method)
    np.testing.assert_allclose(found.y, plain.y, rtol=1e-9)
    event = ag.jit(lambda t, y, damping: y[0])
    found = integrate.solve_ivp(oscillator, *given, args=(0.1,), method=method, events=event)
    assert len(found.t_events[0]) == 1


def test_quad_and_odeint() -> None:
    value, _ = integrate.quad(ag.jit(lambda x, a: np.exp(-a * x**2)), -np.inf, np.inf, args=(2.0,))
    assert value == pytest.approx(np.sqrt(np.pi / 2))
    found = integrate.odeint(ag.jit(lambda y, t: -y), [1.0], np.linspace(0, 1, 5))
    np.testing.assert_allclose(found[:, 0], np.exp(-np.linspace(0, 1, 5)), rtol=1e-6)


@ag.jit
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


NUMBERS = np.arange(1, 9)
STEPS = [0, 1, 7, 2, 5, 8, 16, 3]


def test_numpys_callers() -> None:
    assert np.vectorize(collatz)(NUMBERS).tolist() == STEPS
    spread = ag.jit(lambda row: row.max() - row.min())
    table = np.arange(12.0).reshape(3, 4) ** 2
    np.testing.assert_array_equal(np.apply_along_axis(spread, 0, table), np.ptp(table, axis=0))
    np.testing.assert_array_equal(np.apply_along_axis(spread, 1, table), np.ptp(table, axis=1))
    rows = np.apply_along_axis(ag.jit(lambda row: row * 2), 1, table)
    np.testing.assert_array_equal(rows, table * 2)
    grid = np.fromfunction(ag.jit(lambda i, j: i * 10 + j), (2, 3))
    np.testing.assert_array_equal(grid, [[0, 1, 2], [10, 11, 12]])
    made = np.frompyfunc(collatz, 1, 1)(NUMBERS)
    assert made.tolist() == STEPS
    parts = np.piecewise(table, [table < 10, table >= 10], [ag.jit(lambda v: -v), ag.jit(abs)])
    np.testing.assert_array_equal(parts, np.where(table < 10, -table, table))


def test_pythons_callers() -> None:
    @ag.jit
    def scaled(x, factor=1.0, *, shift=0.0):
        return x * factor + shift

    x = np.arange(3.0)
    half = functools.partial(scaled, factor=0.5)
    np.testing.assert_array_equal(half(x, shift=1.0), x * 0.5 + 1)
    assert list(map(collatz, range(1, 9))) == STEPS
    assert list(itertools.starmap(ag.jit(pow), [(2, 3), (3, 2)])) == [8, 9]
    assert functools.reduce(ag.jit(lambda a, b: a + b), [x, x, x]).tolist() == [0, 3, 6]
    assert sorted([3, -1, 2], key=ag.jit(lambda v: v * v)) == [-1, 2, 3]
    assert functools.lru_cache(collatz)(7) == 16
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert list(pool.map(collatz, range(1, 9))) == STEPS
        futures = [pool.submit(scaled, x, n, shift=1.0) for n in range(4)]
        for n, future in enumerate(futures):
            np.testing.assert_array_equal(future.result(), x * n + 1)
