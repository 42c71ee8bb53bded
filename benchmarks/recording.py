"""What it takes to record one operation: a function of 2,000 is traced, and not compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import agir as ag

from .harness import Contender, Row, measure, optional
from .large_programs import BLOCK, LEAST_EXTENT, alike, of_own_sizes

OPERATIONS = 2000


def numbers(times: int, _: Any) -> Callable[[Any, Any], Any]:
    """Operations on numbers, of which an `if` chooses."""

    def program(x: Any, w: Any) -> Any:
        a, b = x[0, 0], w[0, 0]
        for _ in (None,) * times:
            c = a * b + 1.0
            if c > a:
                a = (c - b) * 0.5
            else:
                b = c / 3.0 - a
        return a + b

    return program


PROGRAMS = (
    ("arrays, blocks alike", alike),
    ("arrays, blocks of their own sizes", of_own_sizes),
    ("numbers, with branches", numbers),
)


def benchmark(rounds: int) -> list[Row]:
    jax = optional("jax")
    rows: list[Row] = []
    for what, make in PROGRAMS:
        times = OPERATIONS // BLOCK
        size = LEAST_EXTENT + (times if make is of_own_sizes else 0)
        x = np.full((size, size), 0.01, np.float32)
        contenders = [_agir(make, times, x)]
        if jax is not None and make is not numbers:  # whose branches are no JAX
            contenders.append(_jax(jax, make, times, x))
        rows += measure(
            f"recording an operation: {what}",
            contenders,
            min(rounds, 7),
            reference="JAX" if len(contenders) > 1 else None,
        )
    return rows


def _agir(make: Callable[..., Any], times: int, x: Any) -> Contender:
    def run(function: Any) -> Any:
        return ag.jit(function).get_concrete_function(x, x)

    return Contender("agir", run, lambda: (make(times, np),), calls=OPERATIONS)


def _jax(jax: Any, make: Callable[..., Any], times: int, x: Any) -> Contender:
    def run(function: Any) -> Any:
        return jax.make_jaxpr(function)(x, x)

    return Contender("JAX", run, lambda: (make(times, jax.numpy),), calls=OPERATIONS)
