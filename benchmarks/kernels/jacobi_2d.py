"""jacobi_2d: two five-point sweeps a time step, each into the other array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

SIZES = {"full": (350, 80), "small": (16, 5)}
CHANGED = (1, 2)


def inputs(size: str) -> tuple[Any, ...]:
    n, steps = SIZES[size]
    i, j = np.ogrid[:n, :n]
    return steps, i * (j + 2.0) / n, i * (j + 3.0) / n


def jacobi_2d(steps, A, B):
    for _ in range(1, steps):
        B[1:-1, 1:-1] = 0.2 * (
            A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1]
        )
        A[1:-1, 1:-1] = 0.2 * (
            B[1:-1, 1:-1] + B[1:-1, :-2] + B[1:-1, 2:] + B[2:, 1:-1] + B[:-2, 1:-1]
        )


def sweep(source, target):
    for i in range(1, source.shape[0] - 1):
        for j in range(1, source.shape[1] - 1):
            target[i, j] = 0.2 * (
                source[i, j]
                + source[i, j - 1]
                + source[i, j + 1]
                + source[i + 1, j]
                + source[i - 1, j]
            )


def loops(steps, A, B):
    for _ in range(1, steps):
        sweep(A, B)
        sweep(B, A)


def with_jax(jax: Any) -> Callable[..., Any]:
    jnp = jax.numpy

    def sweep(source: Any, target: Any) -> Any:
        return target.at[1:-1, 1:-1].set(
            0.2
            * (
                source[1:-1, 1:-1]
                + source[1:-1, :-2]
                + source[1:-1, 2:]
                + source[2:, 1:-1]
                + source[:-2, 1:-1]
            )
        )

    def step(_: Any, state: Any) -> Any:
        A, B = state
        B = sweep(A, B)
        return sweep(B, A), B

    @jax.jit
    def run(steps: Any, A: Any, B: Any) -> Any:
        return jax.lax.fori_loop(1, steps, step, (jnp.asarray(A), jnp.asarray(B)))

    return run
