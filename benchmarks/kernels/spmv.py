"""spmv: the product of a sparse matrix (compressed rows) and a vector."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

SIZES = {"full": (32_768, 65_536), "small": (40, 90)}


def inputs(size: str) -> tuple[Any, ...]:
    rows, filled = SIZES[size]
    random = np.random.default_rng(42)
    lengths = np.bincount(random.integers(0, rows, filled), minlength=rows)
    A_row = np.concatenate([[0], np.cumsum(lengths)])
    A_col = random.integers(0, rows, filled)
    return A_row, A_col, random.random(filled), random.random(rows)


def spmv(A_row, A_col, A_val, x):
    y = np.empty(A_row.size - 1, A_val.dtype)
    for i in range(A_row.size - 1):
        cols = A_col[A_row[i] : A_row[i + 1]]
        vals = A_val[A_row[i] : A_row[i + 1]]
        y[i] = vals @ x[cols]
    return y


def loops(A_row, A_col, A_val, x):
    y = np.empty(A_row.size - 1, A_val.dtype)
    for i in range(A_row.size - 1):
        total = 0.0
        for k in range(A_row[i], A_row[i + 1]):
            total += A_val[k] * x[A_col[k]]
        y[i] = total
    return y


def with_jax(jax: Any) -> Callable[..., Any]:
    from jax.experimental import sparse

    @jax.jit
    def run(A_row: Any, A_col: Any, A_val: Any, x: Any) -> Any:
        shape = (len(A_row) - 1, len(x))
        return sparse.CSR((A_val, A_col, A_row), shape=shape) @ x

    return run
