"""smith_waterman: the best score of a local alignment of two sequences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

SIZES = {"full": 300, "small": 15}


def inputs(size: str) -> tuple[Any, ...]:
    random = np.random.default_rng(42)
    return tuple(random.integers(0, 4, SIZES[size]).astype(np.int32) for _ in range(2))


def smith_waterman(a, b):
    H = np.zeros((len(a) + 1, len(b) + 1), dtype=np.int32)
    best = 0
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            score = 3 if a[i - 1] == b[j - 1] else -3
            H[i, j] = max(0, H[i - 1, j - 1] + score, H[i - 1, j] - 2, H[i, j - 1] - 2)
            if H[i, j] > best:
                best = H[i, j]
    return best


def with_jax(jax: Any) -> Callable[..., Any]:
    """One anti-diagonal after the other, whose entries do not depend on each other."""
    jnp, lax = jax.numpy, jax.lax

    @jax.jit
    def run(a: Any, b: Any) -> Any:
        n, m = len(a), len(b)
        rows = jnp.arange(n + 1)

        def step(state: Any, diagonal: Any) -> Any:
            older, old, best = state
            columns = diagonal - rows
            same = a[rows - 1] == b[jnp.clip(columns - 1, 0, m - 1)]
            score = jnp.where(same, 3, -3).astype(jnp.int32)
            shifted, up = jnp.roll(older, 1), jnp.roll(old, 1)
            new = jnp.maximum(jnp.maximum(0, shifted + score), jnp.maximum(up, old) - 2)
            inside = (rows > 0) & (columns > 0) & (columns <= m)
            new = jnp.where(inside, new, 0)
            return (old, new, jnp.maximum(best, jnp.max(new))), None

        zeros = jnp.zeros(n + 1, jnp.int32)
        start = (zeros, zeros, jnp.int32(0))
        return lax.scan(step, start, jnp.arange(2, n + m + 1))[0][2]

    return run
