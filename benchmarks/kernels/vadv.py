"""vadv: vertical advection, a tridiagonal system along the last axis of every column."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

SIZES = {"full": (112, 112, 80), "small": (6, 5, 8)}
CHANGED = (0,)

BET_M = 0.5
BET_P = 0.5


def inputs(size: str) -> tuple[Any, ...]:
    i, j, k = SIZES[size]
    random = np.random.default_rng(42)
    utens_stage, u_stage = random.random((i, j, k)), random.random((i, j, k))
    wcon = random.random((i + 1, j, k))
    u_pos, utens = random.random((i, j, k)), random.random((i, j, k))
    return utens_stage, u_stage, wcon, u_pos, utens, 3.0 / 20.0


def vadv(utens_stage, u_stage, wcon, u_pos, utens, dtr_stage):
    I, J, K = utens_stage.shape
    ccol = np.empty((I, J, K), dtype=utens_stage.dtype)
    dcol = np.empty((I, J, K), dtype=utens_stage.dtype)

    gcv = 0.25 * (wcon[1:, :, 1] + wcon[:-1, :, 1])
    cs = gcv * BET_M
    ccol[:, :, 0] = gcv * BET_P
    bcol = dtr_stage - ccol[:, :, 0]
    correction = -cs * (u_stage[:, :, 1] - u_stage[:, :, 0])
    divided = 1.0 / bcol
    dcol[:, :, 0] = (
        dtr_stage * u_pos[:, :, 0] + utens[:, :, 0] + utens_stage[:, :, 0] + correction
    ) * divided
    ccol[:, :, 0] = ccol[:, :, 0] * divided

    for k in range(1, K - 1):
        gav = -0.25 * (wcon[1:, :, k] + wcon[:-1, :, k])
        gcv = 0.25 * (wcon[1:, :, k + 1] + wcon[:-1, :, k + 1])
        as_ = gav * BET_M
        cs = gcv * BET_M
        acol = gav * BET_P
        ccol[:, :, k] = gcv * BET_P
        bcol = dtr_stage - acol - ccol[:, :, k]
        correction = -as_ * (u_stage[:, :, k - 1] - u_stage[:, :, k]) - cs * (
            u_stage[:, :, k + 1] - u_stage[:, :, k]
        )
        divided = 1.0 / (bcol - ccol[:, :, k - 1] * acol)
        dcol[:, :, k] = (
            dtr_stage * u_pos[:, :, k]
            + utens[:, :, k]
            + utens_stage[:, :, k]
            + correction
            - dcol[:, :, k - 1] * acol
        ) * divided
        ccol[:, :, k] = ccol[:, :, k] * divided

    k = K - 1
    gav = -0.25 * (wcon[1:, :, k] + wcon[:-1, :, k])
    as_ = gav * BET_M
    acol = gav * BET_P
    bcol = dtr_stage - acol
    correction = -as_ * (u_stage[:, :, k - 1] - u_stage[:, :, k])
    divided = 1.0 / (bcol - ccol[:, :, k - 1] * acol)
    dcol[:, :, k] = (
        dtr_stage * u_pos[:, :, k]
        + utens[:, :, k]
        + utens_stage[:, :, k]
        + correction
        - dcol[:, :, k - 1] * acol
    ) * divided

    datacol = dcol[:, :, K - 1].copy()
    utens_stage[:, :, K - 1] = dtr_stage * (datacol - u_pos[:, :, K - 1])
    for k in range(K - 2, -1, -1):
        datacol[:] = dcol[:, :, k] - ccol[:, :, k] * datacol
        utens_stage[:, :, k] = dtr_stage * (datacol - u_pos[:, :, k])


def loops(utens_stage, u_stage, wcon, u_pos, utens, dtr_stage):
    I, J, K = utens_stage.shape
    ccol = np.empty(K)
    dcol = np.empty(K)
    for i in range(I):
        for j in range(J):
            before_c, before_d, gav = 0.0, 0.0, 0.0
            for k in range(K):
                gcv, correction = 0.0, 0.0
                if k < K - 1:
                    gcv = 0.25 * (wcon[i + 1, j, k + 1] + wcon[i, j, k + 1])
                    correction -= gcv * BET_M * (u_stage[i, j, k + 1] - u_stage[i, j, k])
                if k > 0:
                    correction -= gav * BET_M * (u_stage[i, j, k - 1] - u_stage[i, j, k])
                acol = gav * BET_P
                divided = 1.0 / (dtr_stage - acol - gcv * BET_P - before_c * acol)
                right = dtr_stage * u_pos[i, j, k] + utens[i, j, k] + utens_stage[i, j, k]
                before_d = (right + correction - before_d * acol) * divided
                before_c = gcv * BET_P * divided
                ccol[k], dcol[k] = before_c, before_d
                gav = -gcv
            data = 0.0
            for k in range(K - 1, -1, -1):
                data = dcol[k] - ccol[k] * data
                utens_stage[i, j, k] = dtr_stage * (data - u_pos[i, j, k])


def with_jax(jax: Any) -> Callable[..., Any]:
    jnp = jax.numpy

    @jax.jit
    def run(utens_stage: Any, u_stage: Any, wcon: Any, u_pos: Any, utens: Any, dtr: Any) -> Any:
        at_levels = 0.25 * jnp.moveaxis(wcon[1:] + wcon[:-1], -1, 0)
        u = jnp.moveaxis(u_stage, -1, 0)
        steps = jnp.diff(u, axis=0)
        edge = jnp.zeros_like(u[:1])
        below = jnp.concatenate([edge, at_levels[1:]])
        above = jnp.concatenate([at_levels[1:], edge])
        up, down = jnp.concatenate([steps, edge]), jnp.concatenate([edge, -steps])
        right = jnp.moveaxis(dtr * u_pos + utens + utens_stage, -1, 0)
        right = right + below * BET_M * down - above * BET_M * up
        a, c = -below * BET_P, above * BET_P

        def forward(carry: Any, level: Any) -> Any:
            before_c, before_d = carry
            a, c, d = level
            divided = 1.0 / (dtr - a - c - before_c * a)
            new = c * divided, (d - before_d * a) * divided
            return new, new

        def backward(data: Any, level: Any) -> Any:
            c, d, position = level
            data = d - c * data
            return data, dtr * (data - position)

        start = jnp.zeros_like(u[0])
        _, (c, d) = jax.lax.scan(forward, (start, start), (a, c, right))
        position = jnp.moveaxis(u_pos, -1, 0)
        _, result = jax.lax.scan(backward, start, (c, d, position), reverse=True)
        return jnp.moveaxis(result, 0, -1)

    return run
