"""adi: alternating-direction implicit heat equation, a column sweep and a row sweep a step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

SIZES = {"full": (200, 20), "small": (12, 3)}
CHANGED = (1,)


def inputs(size: str) -> tuple[Any, ...]:
    n, steps = SIZES[size]
    i, j = np.ogrid[:n, :n]
    return steps, (i + n - j) / n


def adi(steps, u):
    N = u.shape[0]
    v = np.empty(u.shape, dtype=u.dtype)
    p = np.empty(u.shape, dtype=u.dtype)
    q = np.empty(u.shape, dtype=u.dtype)

    DX = 1.0 / N
    DY = 1.0 / N
    DT = 1.0 / steps
    mul1 = 2.0 * DT / (DX * DX)
    mul2 = 1.0 * DT / (DY * DY)
    a = -mul1 / 2.0
    b = 1.0 + mul1
    c = a
    d = -mul2 / 2.0
    e = 1.0 + mul2
    f = d

    for _ in range(1, steps + 1):
        v[0, 1 : N - 1] = 1.0
        p[1 : N - 1, 0] = 0.0
        q[1 : N - 1, 0] = v[0, 1 : N - 1]
        for j in range(1, N - 1):
            p[1 : N - 1, j] = -c / (a * p[1 : N - 1, j - 1] + b)
            q[1 : N - 1, j] = (
                -d * u[j, 0 : N - 2]
                + (1.0 + 2.0 * d) * u[j, 1 : N - 1]
                - f * u[j, 2:N]
                - a * q[1 : N - 1, j - 1]
            ) / (a * p[1 : N - 1, j - 1] + b)
        v[N - 1, 1 : N - 1] = 1.0
        for j in range(N - 2, 0, -1):
            v[j, 1 : N - 1] = p[1 : N - 1, j] * v[j + 1, 1 : N - 1] + q[1 : N - 1, j]

        u[1 : N - 1, 0] = 1.0
        p[1 : N - 1, 0] = 0.0
        q[1 : N - 1, 0] = u[1 : N - 1, 0]
        for j in range(1, N - 1):
            p[1 : N - 1, j] = -f / (d * p[1 : N - 1, j - 1] + e)
            q[1 : N - 1, j] = (
                -a * v[0 : N - 2, j]
                + (1.0 + 2.0 * a) * v[1 : N - 1, j]
                - c * v[2:N, j]
                - d * q[1 : N - 1, j - 1]
            ) / (d * p[1 : N - 1, j - 1] + e)
        u[1 : N - 1, N - 1] = 1.0
        for j in range(N - 2, 0, -1):
            u[1 : N - 1, j] = p[1 : N - 1, j] * u[1 : N - 1, j + 1] + q[1 : N - 1, j]


def loops(steps, u):
    N = u.shape[0]
    v = np.empty_like(u)
    p = np.empty(N)
    q = np.empty(N)
    mul1 = 2.0 * N * N / steps
    mul2 = 1.0 * N * N / steps
    a, b = -mul1 / 2.0, 1.0 + mul1
    d, e = -mul2 / 2.0, 1.0 + mul2
    for _ in range(steps):
        for i in range(1, N - 1):
            v[0, i] = 1.0
            p[0], q[0] = 0.0, 1.0
            for j in range(1, N - 1):
                under = a * p[j - 1] + b
                p[j] = -a / under
                right = -d * u[j, i - 1] + (1.0 + 2.0 * d) * u[j, i] - d * u[j, i + 1]
                q[j] = (right - a * q[j - 1]) / under
            v[N - 1, i] = 1.0
            for j in range(N - 2, 0, -1):
                v[j, i] = p[j] * v[j + 1, i] + q[j]
        for i in range(1, N - 1):
            u[i, 0] = 1.0
            p[0], q[0] = 0.0, 1.0
            for j in range(1, N - 1):
                under = d * p[j - 1] + e
                p[j] = -d / under
                right = -a * v[i - 1, j] + (1.0 + 2.0 * a) * v[i, j] - a * v[i + 1, j]
                q[j] = (right - d * q[j - 1]) / under
            u[i, N - 1] = 1.0
            for j in range(N - 2, 0, -1):
                u[i, j] = p[j] * u[i, j + 1] + q[j]


def with_jax(jax: Any) -> Callable[..., Any]:
    jnp, lax = jax.numpy, jax.lax

    def solved(right: Any, a: Any, b: Any) -> Any:
        """The rows of a tridiagonal system for all columns, between rows of ones."""

        def forward(carry: Any, row: Any) -> Any:
            p, q = carry
            under = a * p + b
            new = -a / under, (row - a * q) / under
            return new, new

        def backward(after: Any, row: Any) -> Any:
            p, q = row
            value = p * after + q
            return value, value

        ones = jnp.ones_like(right[0])
        _, rows = lax.scan(forward, (jnp.zeros_like(ones), ones), right)
        return lax.scan(backward, ones, rows, reverse=True)[1]

    def run(steps: Any, u: Any) -> Any:
        N = u.shape[0]
        mul1, mul2 = 2.0 * N * N / steps, 1.0 * N * N / steps
        a, b, d, e = -mul1 / 2.0, 1.0 + mul1, -mul2 / 2.0, 1.0 + mul2

        def step(_: Any, u: Any) -> Any:
            right = -d * u[1:-1, :-2] + (1.0 + 2.0 * d) * u[1:-1, 1:-1] - d * u[1:-1, 2:]
            v = jnp.ones_like(u[:, 1:-1]).at[1:-1].set(solved(right, a, b))
            right = -a * v[:-2] + (1.0 + 2.0 * a) * v[1:-1] - a * v[2:]
            inside = solved(right[:, :].T, d, e).T
            return u.at[1:-1, 0].set(1.0).at[1:-1, -1].set(1.0).at[1:-1, 1:-1].set(inside)

        return lax.fori_loop(0, steps, step, u)

    return jax.jit(run)
