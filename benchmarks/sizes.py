"""Arrays whose sizes come from a number: in place and fused, as if the sizes were known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import agir as ag

from .harness import Contender, Row, measure, optional

SIZE, ITERATIONS = 200, 50


def running_sum(n: int, x: Any, iterations: int) -> Any:
    p = np.zeros((n, n))
    for _ in range(iterations):
        p += x
    return p


def inner_part(n: int, x: Any, iterations: int) -> Any:
    p = np.zeros((n, n))
    for _ in range(iterations):
        p[1:-1, 1:-1] += x[:-2, 1:-1] * 0.1 + x[1:-1, 2:]
    return p


def between_bounds(n: int, x: Any, iterations: int) -> Any:
    for _ in range(iterations):
        x[1 : n - 1, 1 : n - 1] = 0.25 * (
            x[: n - 2, 1 : n - 1] + x[2:n, 1 : n - 1] + x[1 : n - 1, : n - 2] + x[1 : n - 1, 2:n]
        )
    return x


FUNCTIONS = (running_sum, inner_part, between_bounds)


def benchmark(rounds: int) -> list[Row]:
    numba = optional("numba")
    rows: list[Row] = []
    for function in FUNCTIONS:
        functions = {
            "agir, of a number": ag.jit(function),
            "agir, of a constant": ag.jit(function, static=["n"]),
            "NumPy": function,
        }
        if numba is not None:
            functions["Numba"] = numba.njit(fastmath=True)(function)
        title = f"{function.__name__}, {ITERATIONS} iterations of {SIZE} x {SIZE}"
        contenders = [_contender(name, each, function) for name, each in functions.items()]
        rows += measure(title, contenders, rounds, reference="agir, of a constant")
    return rows


def _contender(name: str, function: Callable[..., Any], plain: Callable[..., Any]) -> Contender:
    x = np.random.default_rng(0).uniform(0.0, 1.0, (SIZE, SIZE))
    expected = plain(SIZE, x.copy(), ITERATIONS)
    return Contender(
        name,
        function,
        prepare=lambda: (SIZE, x.copy(), ITERATIONS),
        check=lambda result: np.testing.assert_allclose(result, expected, rtol=1e-12),
    )
