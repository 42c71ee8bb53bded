"""lbfgs: L-BFGS with a backtracking line search on the Rosenbrock function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

SIZES = {"full": (100, 8), "small": (10, 4)}
SCALE = 1.0  # of the objective, whose minimum is 0

STEPS = 200


def inputs(size: str) -> tuple[Any, ...]:
    n, pairs = SIZES[size]
    return np.linspace(0.5, 1.5, n), pairs, STEPS, 1e-6


def rosenbrock(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def gradient(x):
    g = np.zeros_like(x)
    step = x[1:] - x[:-1] ** 2
    g[:-1] = -400.0 * x[:-1] * step - 2.0 * (1.0 - x[:-1])
    g[1:] += 200.0 * step
    return g


def direction(g, S, Y, rho, stored, newest):
    """The two-loop recursion over the ring buffers, from the newest pair to the oldest and back."""
    m = S.shape[0]
    alpha = np.zeros(m)
    q = g.copy()
    for i in range(stored):
        k = (newest - i) % m
        alpha[k] = rho[k] * np.dot(S[k], q)
        q -= alpha[k] * Y[k]
    if stored > 0:
        q *= np.dot(S[newest], Y[newest]) / np.dot(Y[newest], Y[newest])
    for i in range(stored - 1, -1, -1):
        k = (newest - i) % m
        beta = rho[k] * np.dot(Y[k], q)
        q += (alpha[k] - beta) * S[k]
    return -q


def lbfgs(x, pairs, steps, tolerance):
    n = x.shape[0]
    S = np.zeros((pairs, n))
    Y = np.zeros((pairs, n))
    rho = np.zeros(pairs)
    stored = 0
    newest = -1
    f = rosenbrock(x)
    g = gradient(x)
    for _ in range(steps):
        if np.sqrt(np.dot(g, g)) < tolerance:
            break
        d = direction(g, S, Y, rho, stored, newest)
        slope = np.dot(g, d)
        t = 1.0
        while True:
            x_new = x + t * d
            f_new = rosenbrock(x_new)
            if f_new <= f + 1e-4 * t * slope or t < 1e-10:
                break
            t *= 0.5
        g_new = gradient(x_new)
        s = x_new - x
        y = g_new - g
        sy = np.dot(s, y)
        if sy > 1e-10:
            newest = (newest + 1) % pairs
            S[newest] = s
            Y[newest] = y
            rho[newest] = 1.0 / sy
            stored = min(stored + 1, pairs)
        x, f, g = x_new, f_new, g_new
    return f


def with_jax(jax: Any) -> Callable[..., Any]:
    jnp, lax = jax.numpy, jax.lax

    def rosenbrock(x: Any) -> Any:
        return jnp.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)

    value_and_gradient = jax.value_and_grad(rosenbrock)

    def direction(g: Any, S: Any, Y: Any, rho: Any, stored: Any, newest: Any) -> Any:
        m = len(S)

        def down(i: Any, state: Any) -> Any:
            q, alpha = state
            k = (newest - i) % m
            a = rho[k] * (S[k] @ q)
            return q - a * Y[k], alpha.at[k].set(a)

        def up(i: Any, q: Any) -> Any:
            k = (newest - (stored - 1 - i)) % m
            return q + (alpha[k] - rho[k] * (Y[k] @ q)) * S[k]

        q, alpha = lax.fori_loop(0, stored, down, (g, jnp.zeros(m)))
        scale = (S[newest] @ Y[newest]) / (Y[newest] @ Y[newest])
        q = q * jnp.where(stored > 0, scale, 1.0)
        return -lax.fori_loop(0, stored, up, q)

    def run(x: Any, pairs: int, steps: Any, tolerance: Any) -> Any:
        def step(state: Any) -> Any:
            number, x, f, g, S, Y, rho, stored, newest = state
            d = direction(g, S, Y, rho, stored, newest)
            slope = g @ d

            def too_far(t: Any) -> Any:
                return (rosenbrock(x + t * d) > f + 1e-4 * t * slope) & (t >= 1e-10)

            t = lax.while_loop(too_far, lambda t: t * 0.5, 1.0)
            x_new = x + t * d
            f_new, g_new = value_and_gradient(x_new)
            s, y = x_new - x, g_new - g
            sy = s @ y
            kept = sy > 1e-10
            newest = jnp.where(kept, (newest + 1) % pairs, newest)
            S = S.at[newest].set(jnp.where(kept, s, S[newest]))
            Y = Y.at[newest].set(jnp.where(kept, y, Y[newest]))
            rho = rho.at[newest].set(jnp.where(kept, 1.0 / sy, rho[newest]))
            stored = jnp.where(kept, jnp.minimum(stored + 1, pairs), stored)
            return number + 1, x_new, f_new, g_new, S, Y, rho, stored, newest

        def going(state: Any) -> Any:
            number, _, _, g, *_ = state
            return (number < steps) & (jnp.sqrt(g @ g) >= tolerance)

        f, g = value_and_gradient(x)
        buffer = jnp.zeros((pairs, len(x)))
        start = (0, x, f, g, buffer, buffer, jnp.zeros(pairs), 0, -1)
        return lax.while_loop(going, step, start)[2]

    return jax.jit(run, static_argnums=1)
