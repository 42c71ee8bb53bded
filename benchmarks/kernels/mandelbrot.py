"""mandelbrot: the iteration at which each pixel escapes, one pixel at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

SIZES = {"full": (250, 150), "small": (12, 20)}


def inputs(size: str) -> tuple[Any, ...]:
    n, most = SIZES[size]
    return -2.25, 0.75, -1.25, 1.25, n, n, most, 2.0


def mandelbrot(xmin, xmax, ymin, ymax, width, height, most, horizon):
    X = np.linspace(xmin, xmax, width)
    Y = np.linspace(ymin, ymax, height)
    N = np.zeros((height, width), dtype=np.int64)
    Z = np.zeros((height, width), dtype=np.complex128)
    for row in range(height):
        for column in range(width):
            c = X[column] + Y[row] * 1j
            z = 0j
            for n in range(most):
                if abs(z) >= horizon:
                    break
                z = z * z + c
                N[row, column] = n + 1
            Z[row, column] = z
    return Z, N


def loops(xmin, xmax, ymin, ymax, width, height, most, horizon):
    N = np.zeros((height, width), dtype=np.int64)
    Z = np.zeros((height, width), dtype=np.complex128)
    limit = horizon * horizon
    for row in range(height):
        im = ymin + (ymax - ymin) * row / (height - 1)
        for column in range(width):
            re = xmin + (xmax - xmin) * column / (width - 1)
            x = y = 0.0
            n = 0
            while n < most and x * x + y * y < limit:
                x, y = x * x - y * y + re, 2.0 * x * y + im
                n += 1
            N[row, column] = n
            Z[row, column] = complex(x, y)
    return Z, N


def with_jax(jax: Any) -> Callable[..., Any]:
    jnp, lax = jax.numpy, jax.lax

    def run(xmin, xmax, ymin, ymax, width, height, most, horizon):  # type: ignore[no-untyped-def]
        X, Y = jnp.linspace(xmin, xmax, width), jnp.linspace(ymin, ymax, height)

        def pixel(y: Any, x: Any) -> Any:
            c = x + y * 1j

            def inside(state: Any) -> Any:
                z, n = state
                return (n < most) & (jnp.abs(z) < horizon)

            return lax.while_loop(inside, lambda s: (s[0] * s[0] + c, s[1] + 1), (c * 0, 0))

        return jax.vmap(lambda y: jax.vmap(lambda x: pixel(y, x))(X))(Y)

    return jax.jit(run, static_argnums=(4, 5))
