"""Arrays whose elements are all written at once, from another or with a number."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agir as ag


def in_a_for(a: Any, n: int) -> None:
    v = a + 1
    for _ in range(n):
        a[:, :] = v


def in_a_while(a: Any, n: int) -> None:
    v, b, i = a + 3, a * 2, 0
    while i < n:
        b[...] = v
        a[:] = b
        i += 1
    a += v


def in_two(a: Any, n: int) -> None:
    v, b = a + 3, a * 2
    for _ in range(n):
        for i in range(n):
            b[:, :] = v
            if i > 1:
                a[:] = b
    a += v


def each_other(a: Any, n: int) -> None:
    v = a + 3
    for _ in range(n):
        a[...] = v
        v[:] = a
    a += v


def reversed_sizes_of_one(a: Any, n: int) -> None:
    v = a + 1
    for _ in range(n):
        a[:, ::-1] = v


def twice_with_a_number(a: Any, n: int) -> None:
    for part in (a[-2:], a[::2], a[:, ::n]):
        part[...] = -1


@pytest.mark.parametrize("shape", [(2, 1), (2, 3), (1, 4), (1, 1)])
@pytest.mark.parametrize("compiled", [None, False])
@pytest.mark.parametrize("dtype", [int, complex])
@pytest.mark.parametrize(
    "function",
    [
        in_a_for,
        in_a_while,
        in_two,
        each_other,
        reversed_sizes_of_one,
        twice_with_a_number,
    ],
)
def test_they_are_written(
    function: Any, dtype: type, compiled: bool | None, shape: tuple[int, int]
) -> None:
    plain, given = (np.arange(shape[0] * shape[1], dtype=dtype).reshape(shape) for _ in range(2))
    function(plain, 3)
    ag.jit(function, jit_compile=compiled)(given, 3)
    np.testing.assert_array_equal(given, plain)
