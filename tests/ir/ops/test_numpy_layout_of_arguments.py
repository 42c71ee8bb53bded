"""Views and copies of arguments that lie in memory in other orders, and of one of several arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import agir as ag

LAYOUTS: list[Callable[[Any], Any]] = [
    lambda x: x,
    np.asfortranarray,
    lambda x: np.repeat(x, 2, 1)[:, ::2],
    lambda x: x[:, ::-1].copy()[:, ::-1],
]


def reshaped(a: Any, b: Any, n: int) -> Any:
    v = a.reshape(-1)
    v[0] = 9.0
    return v


def transposed(a: Any, b: Any, n: int) -> Any:
    v = a.T.reshape(-1)
    v[1] = 9.0
    return v


def in_columns(a: Any, b: Any, n: int) -> Any:
    w = np.asfortranarray(a)
    w[0, 0] = 8.0
    return w


def one_of_two(a: Any, b: Any, n: int) -> Any:
    w = a if n > 2 else b
    v = w.reshape(-1)
    v[0] = 7.0
    return v


def part_of_one(a: Any, b: Any, n: int) -> Any:
    w = a if n > 2 else b
    v = w[:, 1:]
    v[0, 0] = 7.0
    u = w[..., 0, 0]
    u += 5.0
    return v


@pytest.mark.parametrize("signature", [None, 2])
@pytest.mark.parametrize("function", [reshaped, transposed, in_columns, one_of_two, part_of_one])
def test_what_is_written_goes_where_numpy_puts_it(function: Any, signature: int | None) -> None:
    specs = [ag.TensorSpec([None, None], np.float64)] * 2 + [ag.TensorSpec([], np.int64)]
    for arrange in LAYOUTS:
        compiled = ag.jit(function, input_signature=specs if signature else None)
        for shape in ((2, 3), (3, 2), (1, 2), (2, 3)):
            for n in (1, 3):
                plain, given = (
                    [arrange(np.arange(6.0 + k)[k:].repeat(2)[: shape[0] * shape[1]].reshape(shape))
                     for k in (0, 1)]
                    for _ in range(2)
                )  # fmt: skip
                np.testing.assert_array_equal(compiled(*given, n), function(*plain, n))
                np.testing.assert_array_equal(given, plain)


def test_arrays_that_share_memory_and_lie_in_columns() -> None:
    def f(x: Any, y: Any) -> Any:
        z = x.reshape(-1)
        z[0] += 1
        x += y
        return z

    plain, given = (np.arange(9.0).reshape(3, 3) for _ in range(2))
    compiled = ag.jit(f)
    for one, other in ((plain.T, plain), (plain, plain.T), (plain.T, plain)):
        mine = given if one is plain else given.T
        theirs = given if other is plain else given.T
        np.testing.assert_array_equal(compiled(mine, theirs), f(one, other))
        np.testing.assert_array_equal(given, plain)


def test_one_of_several_arrays_in_different_orders() -> None:
    with pytest.raises(ag.errors.StagingError, match="of each of them"):
        ag.jit(one_of_two)(np.ones((2, 3)), np.ones((3, 2)).T, 1)
