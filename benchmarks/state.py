"""A training step on 100 MB of weights, ``w -= lr * g``: what is updated in place is not copied."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import agir as ag

from .harness import Contender, Row, measure

SIZE = 25_000_000
AIM = 1.3


def numpy_step(rate: Any) -> tuple[Any, Callable[[Any], None]]:
    weights = np.ones(SIZE, np.float32)

    def step(gradient: Any) -> None:
        nonlocal weights
        weights -= rate * gradient

    return weights, step


def agir_step(rate: Any) -> tuple[Any, Any]:
    weights = ag.Variable(np.ones(SIZE, np.float32))

    @ag.function
    def step(gradient: Any) -> None:
        weights.assign_sub(rate * gradient)

    return weights, step


def fallible_step(rate: Any) -> tuple[Any, Any]:
    weights = ag.Variable(np.ones(SIZE, np.float32))

    @ag.function
    def step(gradient: Any, position: Any) -> Any:
        weights.assign_sub(rate * gradient)
        return gradient[position]

    position = ag.constant(7)
    return weights, lambda gradient: step(gradient, position)


def benchmark(rounds: int) -> list[Row]:
    gradient = ag.constant(np.full(SIZE, 1e-3, np.float32))
    rate = np.float32(0.1)
    plain = gradient.numpy()

    def contender(name: str, weights: Any, step: Any, given: Any) -> Contender:
        def check(_: Any) -> None:
            np.testing.assert_allclose(weights[:3], 1 - 1e-4, rtol=1e-6)

        return Contender(name, lambda: step(given), check=check)

    return measure(
        "100 MB of float32, w -= lr * g",
        [
            contender("agir, w.assign_sub(lr * g)", *agir_step(rate), gradient),
            contender("agir, in a function that can fail", *fallible_step(rate), gradient),
            contender("agir, eagerly", *eager_step(rate), plain),
            contender("NumPy", *numpy_step(rate), plain),
        ],
        rounds,
        reference="NumPy",
        aim=AIM,
    )


def eager_step(rate: Any) -> tuple[Any, Callable[[Any], Any]]:
    weights = ag.Variable(np.ones(SIZE, np.float32))
    return weights, lambda gradient: weights.assign_sub(rate * gradient)
