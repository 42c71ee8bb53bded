"""azimint_hist: azimuthal integration, a weighted histogram over a plain one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

SIZES = {"full": (4_000_000, 1000), "small": (2_000, 20)}


def inputs(size: str) -> tuple[Any, ...]:
    points, bins = SIZES[size]
    random = np.random.default_rng(42)
    return random.random(points), random.random(points), bins


def azimint_hist(data, radius, npt):
    histu = np.histogram(radius, npt)[0]
    histw = np.histogram(radius, npt, weights=data)[0]
    return histw / histu


def loops(data, radius, npt):
    low, high = radius[0], radius[0]
    for value in radius:
        low = min(low, value)
        high = max(high, value)
    scale = npt / (high - low)
    count = np.zeros(npt, np.int64)
    total = np.zeros(npt)
    for i in range(len(radius)):
        place = min(int((radius[i] - low) * scale), npt - 1)
        count[place] += 1
        total[place] += data[i]
    return total / count


def with_jax(jax: Any) -> Callable[..., Any]:
    jnp = jax.numpy

    def run(data: Any, radius: Any, npt: int) -> Any:
        histu = jnp.histogram(radius, npt)[0]
        histw = jnp.histogram(radius, npt, weights=data)[0]
        return histw / histu

    return jax.jit(run, static_argnums=2)
