"""Compiled functions that SciPy calls from C: `scipy.integrate.quad` of a function with a branch."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import agir as ag

from .harness import Contender, Row, measure, optional


def integrand(x: Any) -> Any:
    total = 0.0
    for k in range(1, 20):
        total += math.sin(k * x) / k * (x if x > 1 else 1.0)
    return total


def benchmark(rounds: int) -> list[Row]:
    scipy = optional("scipy")
    if scipy is None:
        return []
    import scipy.integrate

    made: dict[str, Any] = {"agir": ag.cfunc("double(double)")(integrand).ctypes}
    numba = optional("numba")
    if numba is not None:
        made["Numba"] = numba.cfunc("double(double)")(integrand).ctypes
    given = {name: scipy.LowLevelCallable(each) for name, each in made.items()}
    given["plain Python"] = integrand
    rows: list[Row] = []
    expected = scipy.integrate.quad(integrand, 0, 3, limit=200)[0]
    contenders = [_contender(scipy.integrate.quad, n, f, expected) for n, f in given.items()]
    rows += measure("quad of a sum of 19 terms", contenders, rounds, reference="plain Python")
    calls = 20_000
    called = [_called(name, each, calls) for name, each in made.items()]
    rows += measure("calls of a C function by ctypes", called, rounds)
    return rows


def _contender(quad: Any, name: str, function: Any, expected: float) -> Contender:
    def run(each: Any) -> Any:
        return quad(each, 0, 3, limit=200)[0]

    def check(result: Any) -> None:
        assert abs(result - expected) < 1e-9, f"{name} gives another result"

    return Contender(name, run, lambda: (function,), check=check)


def _called(name: str, function: Callable[..., Any], calls: int) -> Contender:
    def run(x: float) -> Any:
        for _ in range(calls - 1):
            function(x)
        return function(x)

    return Contender(name, run, lambda: (0.0,), calls=calls)
