"""Gradients against central differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import agir as ag


def weighted(value: Any) -> Any:
    """One number of every result: each element with a weight of its own."""
    total = 0.0
    for number, leaf in enumerate(ag.nest.flatten(value)):
        if leaf.dtype.is_complex:
            total = total + weighted([ag.real(leaf), ag.imag(leaf)])
            continue
        if not (leaf.dtype.is_floating):
            continue
        leaf = ag.cast(leaf, ag.float64)
        if leaf.shape == ():
            total = total + leaf * (0.7 + number)
            continue
        flat = ag.reshape(leaf, [-1])
        steps = ag.cast(ag.range(ag.size(flat)), ag.float64)
        total = total + ag.reduce_sum(flat * ag.cos(steps * 1.3 + 0.4 + number))
    return total


def differences(f: Callable[..., Any], args: list[Any], number: int, step: float = 1e-6) -> Any:
    """The gradient by central differences, TensorFlow's convention for complex arguments."""
    base = np.array(args[number])
    out = np.zeros(base.shape, base.dtype)
    for where in np.ndindex(base.shape):
        for direction in (1, 1j) if base.dtype.kind == "c" else (1,):
            sides = []
            for sign in (1, -1):
                moved = base.copy()
                moved[where] += sign * step * direction
                sides.append(float(f(*args[:number], moved, *args[number + 1 :])))
            out[where] += (sides[0] - sides[1]) / (2 * step) * direction
    return out


def check(
    f: Callable[..., Any], *args: Any, jit_compile: bool | None = False, tolerance: float = 1e-5
) -> None:
    """Hold the gradients of a function with respect to all float64 arguments to differences."""

    def objective(*values: Any) -> Any:
        return weighted(f(*values))

    arrays = [np.asarray(a) for a in args]
    chosen = [n for n, a in enumerate(arrays) if a.dtype.kind in "fc"]
    decorated = ag.function(objective, jit_compile=jit_compile)
    found = ag.grad(decorated, argnums=tuple(chosen))(*arrays)
    plain = ag.function(objective, jit_compile=False)
    for number, gradient in zip(chosen, found, strict=True):
        expected = differences(plain, arrays, number)
        assert gradient.dtype == ag.as_dtype(arrays[number].dtype)
        np.testing.assert_allclose(gradient.numpy(), expected, rtol=tolerance, atol=tolerance)
