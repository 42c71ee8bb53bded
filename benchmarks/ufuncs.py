"""Calls of ufuncs that are made of Python functions: on one array, on large ones, and reductions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import agir as ag

from .harness import Contender, Row, measure, optional

CALLS = 2_000


def larger_or_difference(x: Any, y: Any) -> Any:
    if x > y:
        return x + y
    return x - y


def by_numpy(x: Any, y: Any) -> Any:
    """What somebody writes who has NumPy alone."""
    return np.where(x > y, x + y, x - y)


def _operands(size: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(7)
    return rng.normal(size=size), rng.normal(size=size)


def benchmark(rounds: int) -> list[Row]:
    made = {"agir": ag.vectorize(larger_or_difference)}
    numba = optional("numba")
    if numba is not None:
        made["Numba"] = numba.vectorize(larger_or_difference)
    rows: list[Row] = []
    for size, calls in ((8, CALLS), (1_000_000, 1)):
        x, y = _operands(size)
        for what, given in (("arrays", (x, y)), ("an array and a number", (x, 0.5))):
            functions = {**made, "NumPy": by_numpy}
            contenders = [_contender(name, f, given, calls) for name, f in functions.items()]
            title = f"a ufunc of {what}, {size:,} elements"
            rows += measure(title, contenders, rounds, reference="NumPy")
    x, _ = _operands(1_000_000)
    contenders = [_contender(name, f.reduce, (x,), 1) for name, f in made.items()]
    rows += measure("a reduction by a ufunc, 1,000,000 elements", contenders, rounds)
    return rows


def _contender(name: str, function: Callable[..., Any], given: Any, calls: int) -> Contender:
    expected = function(*given)

    def run(*args: Any) -> Any:
        for _ in range(calls - 1):
            function(*args)
        return function(*args)

    def check(result: Any) -> None:
        assert np.array_equal(result, expected), f"{name} gives another result"

    return Contender(name, run, lambda: given, calls=calls, check=check)
