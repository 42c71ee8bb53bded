"""Operations with two outputs, as the forward sweep makes them, compute both."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agir as ag


@pytest.mark.parametrize("shape", [(4, 3), (40, 30), (2, 64, 5)], ids=str)
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_reductions(shape: tuple[int, ...], axis: int) -> None:
    random = np.random.default_rng(2)
    x, t = random.uniform(0.5, 1.5, shape), random.normal(size=shape)

    def total(x: Any) -> Any:
        return ag.reduce_sum(x, axis), ag.reduce_sum(x * x, axis), ag.reduce_prod(x, axis)

    values, changes = ag.jvp(total, (x,), (t,))
    expected = x.sum(axis), (x * x).sum(axis), x.prod(axis)
    for found, value in zip(values, expected, strict=True):
        np.testing.assert_allclose(found, value)
    product = x.prod(axis, keepdims=True)
    moved = t.sum(axis), (2 * x * t).sum(axis), (product / x * t).sum(axis)
    for found, value in zip(changes, moved, strict=True):
        np.testing.assert_allclose(found, value, rtol=1e-9, atol=1e-9)
