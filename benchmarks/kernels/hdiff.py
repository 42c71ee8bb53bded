"""hdiff: horizontal diffusion with limited fluxes, of the weather model COSMO."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

SIZES = {"full": (128, 128, 160), "small": (8, 7, 5)}
CHANGED = (1,)


def inputs(size: str) -> tuple[Any, ...]:
    i, j, k = SIZES[size]
    random = np.random.default_rng(42)
    return random.random((i + 4, j + 4, k)), np.empty((i, j, k)), random.random((i, j, k))


def hdiff(in_field, out_field, coeff):
    I, J, K = out_field.shape
    lap_field = 4.0 * in_field[1 : I + 3, 1 : J + 3, :] - (
        in_field[2 : I + 4, 1 : J + 3, :]
        + in_field[0 : I + 2, 1 : J + 3, :]
        + in_field[1 : I + 3, 2 : J + 4, :]
        + in_field[1 : I + 3, 0 : J + 2, :]
    )
    res = lap_field[1:, 1 : J + 1, :] - lap_field[:-1, 1 : J + 1, :]
    flx_field = np.where(
        res * (in_field[2 : I + 3, 2 : J + 2, :] - in_field[1 : I + 2, 2 : J + 2, :]) > 0, 0, res
    )
    res = lap_field[1 : I + 1, 1:, :] - lap_field[1 : I + 1, :-1, :]
    fly_field = np.where(
        res * (in_field[2 : I + 2, 2 : J + 3, :] - in_field[2 : I + 2, 1 : J + 2, :]) > 0, 0, res
    )
    out_field[:] = in_field[2 : I + 2, 2 : J + 2, :] - coeff * (
        flx_field[1:, :, :] - flx_field[:-1, :, :] + fly_field[:, 1:, :] - fly_field[:, :-1, :]
    )


def loops(in_field, out_field, coeff):
    I, J, K = out_field.shape
    lap = np.empty((I + 2, J + 2, K))
    for i in range(I + 2):
        for j in range(J + 2):
            for k in range(K):
                lap[i, j, k] = 4.0 * in_field[i + 1, j + 1, k] - (
                    in_field[i + 2, j + 1, k]
                    + in_field[i, j + 1, k]
                    + in_field[i + 1, j + 2, k]
                    + in_field[i + 1, j, k]
                )
    flx = np.empty((I + 1, J, K))
    for i in range(I + 1):
        for j in range(J):
            for k in range(K):
                res = lap[i + 1, j + 1, k] - lap[i, j + 1, k]
                step = in_field[i + 2, j + 2, k] - in_field[i + 1, j + 2, k]
                flx[i, j, k] = 0.0 if res * step > 0 else res
    fly = np.empty((I, J + 1, K))
    for i in range(I):
        for j in range(J + 1):
            for k in range(K):
                res = lap[i + 1, j + 1, k] - lap[i + 1, j, k]
                step = in_field[i + 2, j + 2, k] - in_field[i + 2, j + 1, k]
                fly[i, j, k] = 0.0 if res * step > 0 else res
    for i in range(I):
        for j in range(J):
            for k in range(K):
                out_field[i, j, k] = in_field[i + 2, j + 2, k] - coeff[i, j, k] * (
                    flx[i + 1, j, k] - flx[i, j, k] + fly[i, j + 1, k] - fly[i, j, k]
                )


def with_jax(jax: Any) -> Callable[..., Any]:
    jnp = jax.numpy

    def limited(res: Any, step: Any) -> Any:
        return jnp.where(res * step > 0, 0, res)

    @jax.jit
    def run(u: Any, out_field: Any, coeff: Any) -> Any:
        lap = 4.0 * u[1:-1, 1:-1] - (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2])
        along_i, along_j = u[1:-1, 2:-2], u[2:-2, 1:-1]
        flx = limited(jnp.diff(lap[:, 1:-1], axis=0), jnp.diff(along_i, axis=0))
        fly = limited(jnp.diff(lap[1:-1], axis=1), jnp.diff(along_j, axis=1))
        return u[2:-2, 2:-2] - coeff * (jnp.diff(flx, axis=0) + jnp.diff(fly, axis=1))

    return run
