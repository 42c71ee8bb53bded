"""floyd_warshall: the shortest path between every two nodes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

SIZES = {"full": 400, "small": 14}
CHANGED = (0,)


def inputs(size: str) -> tuple[Any, ...]:
    n = SIZES[size]
    i, j = np.ogrid[:n, :n]
    path = (i * j % 7 + 1).astype(np.int32)
    path[((i + j) % 13 == 0) | ((i + j) % 7 == 0) | ((i + j) % 11 == 0)] = 999
    return (path,)


def floyd_warshall(path):
    for k in range(path.shape[0]):
        path[:] = np.minimum(path, path[:, k, np.newaxis] + path[k])


def loops(path):
    n = path.shape[0]
    for k in range(n):
        for i in range(n):
            through = path[i, k]
            for j in range(n):
                path[i, j] = min(path[i, j], through + path[k, j])


def with_jax(jax: Any) -> Callable[..., Any]:
    def step(k: Any, path: Any) -> Any:
        return jax.numpy.minimum(path, path[:, k, None] + path[k])

    return jax.jit(lambda path: jax.lax.fori_loop(0, len(path), step, path))
