"""From a function that records hundreds of array operations to its first result.

The operations come in blocks of eight on small matrices.  In one program all blocks are alike, so that
a compiler can do its work once; in the other each block has a size of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import agir as ag

from .harness import Contender, Row, measure, optional

BLOCK = 8
SIZES = (504, 2000)
LEAST_EXTENT = 64
ROUNDS = {504: 5, 2000: 1}
"""At most so many, for one round of all contenders takes up to half a minute."""


def block(x: Any, w: Any, np: Any) -> Any:
    """Eight operations."""
    b = np.tanh(x + w)
    c = b * x
    d = np.exp(c) - c.sum()
    return d @ w + x


def alike(times: int, np: Any) -> Callable[[Any, Any], Any]:
    """The same block again and again."""

    def program(x: Any, w: Any) -> Any:
        for _ in (None,) * times:  # no range: each iteration is recorded
            x = block(x, w, np)
        return x[0, 0]

    return program


def of_own_sizes(times: int, np: Any) -> Callable[[Any, Any], Any]:
    """Each block on a matrix with one row and one column more."""
    parts = [slice(LEAST_EXTENT + more) for more in range(times)]

    def program(x: Any, w: Any) -> Any:
        total = 0.0
        for part in parts:  # no numbers, of which a loop would be made
            total = total + block(x[part, part], w[part, part], np)[0, 0]
        return total

    return program


PROGRAMS = (
    ("blocks alike", alike, 1.0),
    ("blocks of their own sizes", of_own_sizes, 0.5),
)


def benchmark(rounds: int) -> list[Row]:
    jax = optional("jax")
    rows: list[Row] = []
    for what, make, aim in PROGRAMS:
        for size in SIZES:
            rows += _measured(f"{size} operations, {what}", make, size // BLOCK, aim, rounds, jax)
    return rows


def _measured(
    title: str, make: Callable[..., Any], times: int, aim: float, rounds: int, jax: Any
) -> list[Row]:
    size = LEAST_EXTENT + (times if make is of_own_sizes else 0)
    x = np.full((size, size), 0.01, np.float32)
    contenders = [Contender("agir", lambda f: ag.jit(f)(x, x), lambda: (make(times, np),))]
    if jax is not None:
        contenders.append(
            Contender(
                "JAX",
                lambda f: jax.jit(f)(x, x).block_until_ready(),
                lambda: (make(times, jax.numpy),),
            )
        )
    rounds = min(rounds, ROUNDS[times * BLOCK])
    return measure(title, contenders, rounds, reference="JAX" if jax else None, aim=aim)
