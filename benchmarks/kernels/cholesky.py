"""cholesky: the factor of a positive definite matrix, row by row, in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

SIZES = {"full": 300, "small": 12}
CHANGED = (0,)


def inputs(size: str) -> tuple[Any, ...]:
    n = SIZES[size]
    A = np.random.default_rng(42).random((n, n))
    return (A @ A.T + n * np.eye(n),)


def cholesky(A):
    A[0, 0] = np.sqrt(A[0, 0])
    for i in range(1, A.shape[0]):
        for j in range(i):
            A[i, j] -= np.dot(A[i, :j], A[j, :j])
            A[i, j] /= A[j, j]
        A[i, i] -= np.dot(A[i, :i], A[i, :i])
        A[i, i] = np.sqrt(A[i, i])


def loops(A):
    for i in range(A.shape[0]):
        for j in range(i + 1):
            total = A[i, j]
            for k in range(j):
                total -= A[i, k] * A[j, k]
            A[i, j] = np.sqrt(total) if i == j else total / A[j, j]


def with_jax(jax: Any) -> Callable[..., Any]:
    jnp, lax = jax.numpy, jax.lax

    @jax.jit
    def run(A: Any) -> Any:
        columns = jnp.arange(len(A))

        def entry(j: Any, state: Any) -> Any:
            A, i = state
            before = columns < j
            total = A[i, j] - jnp.where(before, A[i], 0.0) @ jnp.where(before, A[j], 0.0)
            return A.at[i, j].set(jnp.where(i == j, jnp.sqrt(total), total / A[j, j])), i

        def row(i: Any, A: Any) -> Any:
            return lax.fori_loop(0, i + 1, entry, (A, i))[0]

        return lax.fori_loop(0, len(A), row, A)

    return run
