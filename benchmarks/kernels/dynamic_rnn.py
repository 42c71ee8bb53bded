"""dynamic_rnn: a tanh cell over sequences of different lengths, to the longest of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

SIZES = {"full": (32, 64, 50, 128), "small": (3, 5, 4, 6)}


def inputs(size: str) -> tuple[Any, ...]:
    batch, time, features, hidden = SIZES[size]
    random = np.random.default_rng(42)

    def uniform(*shape: int) -> Any:
        return random.random(shape, dtype=np.float32) - np.float32(0.5)

    lengths = random.integers(time // 2, time + 1, batch).astype(np.int32)
    x = uniform(batch, time, features)
    return x, lengths, uniform(features, hidden), uniform(hidden, hidden) / 4, uniform(hidden)


def dynamic_rnn(x, lengths, W, U, b):
    h = np.zeros((x.shape[0], U.shape[0]), dtype=x.dtype)
    for t in range(np.max(lengths)):
        new = np.tanh(x[:, t] @ W + h @ U + b)
        h = np.where((t < lengths)[:, np.newaxis], new, h)
    return h


def with_jax(jax: Any) -> Callable[..., Any]:
    jnp = jax.numpy

    @jax.jit
    def run(x: Any, lengths: Any, W: Any, U: Any, b: Any) -> Any:
        def step(t: Any, h: Any) -> Any:
            new = jnp.tanh(x[:, t] @ W + h @ U + b)
            return jnp.where((t < lengths)[:, None], new, h)

        start = jnp.zeros((len(x), len(U)), x.dtype)
        return jax.lax.fori_loop(0, jnp.max(lengths), step, start)

    return run
