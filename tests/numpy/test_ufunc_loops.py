"""Methods of ufuncs that have no formula, results that go into arrays, and bounds of a dtype."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import agir as ag

sys.path.insert(0, str(Path(__file__).parent))

from agreement import agree

I = np.array([3, 1, 2, 7])  # noqa: E741
U = np.array([3, 1, 2, 7], np.uint8)
X = np.arange(6.0).reshape(2, 3)
C = np.array([1 + 2j, 1 + 3j, 0, 1 + 3j, -2])


def at(i, u):
    np.negative.at(i, [0, 0, 1])
    np.bitwise_or.at(u, [0, 1, 0], 8)
    np.subtract.at(u, [0, 0], -2)
    np.add.at(u, [1, 1], 1.5)
    np.maximum.at(u, [0, 2], 300)
    np.add.at(i, [0, 1, 0], [1, 2, 3])


def parts(i, x):
    return (
        np.maximum.reduceat(i, [0, 2]),
        np.add.reduceat(x, [1, 0, 2], axis=1),
        np.bitwise_xor.reduceat(i, [2, 1]),
        np.subtract.reduceat(x, [0, 1], axis=0),
        np.add.reduceat(i > 2, [0, 1]),
    )


def of_unknown_length(i, k):
    w = i[i > k]
    return np.bitwise_or.reduce(w), np.subtract.accumulate(w), np.subtract.reduce(w)


def left_out(i):
    kept = [True, False, True, True]
    return np.bitwise_or.reduce(i, where=kept), np.bitwise_or.reduce(i, where=kept, initial=16)


def of_nothing(x, i):
    """What is begun with is the value of nothing, in the dtype of the elements."""
    none = x[:, :0]
    return (
        np.fmax.reduce(none, axis=1, initial=2.5),
        np.lcm.reduce(i[:0], initial=3),
        np.fmin.reduce(x, axis=None, initial=7, where=x > 9),
        np.fmax.reduce(none, axis=None, initial=1.5),
        np.hypot.reduce(i[:0]),
        np.true_divide.reduce(i[:1]),
    )


def accumulated(c):
    """In the dtype of the function, from the first element on."""
    i = c.real.astype(np.int64)
    return (
        np.logical_and.accumulate(c),
        np.logical_xor.accumulate(c),
        np.logical_xor.accumulate(i),
        np.true_divide.accumulate(i[:1]),
        np.power.accumulate(i > 0),
        np.hypot.accumulate(i[:0]),
    )


def begun(i, u):
    return (
        np.bitwise_or.reduce(i > 1, initial=1.5),
        np.bitwise_or.reduce(i, initial=16.5),
        np.fmax.reduce(u, initial=2.5),
        np.logical_xor.reduce(u, initial=1.5),
        np.gcd.reduce(i[i > 2], initial=7),
        np.fmax.reduce(i[i > 2], initial=2.5),
    )


def only_where(i, u):
    """What is not computed is not checked."""
    return (
        np.power(i, 1 - i, where=i < 2, out=i.copy()),
        np.power(2, i - 2, where=i > 1, out=i.copy()),
        np.power(i, -1, where=i > 7, out=i.copy()),
        np.power(u, u, where=u > 1, out=u.copy()),
        np.power(i, i - 3, where=i > 2, out=np.zeros(4), dtype=np.int64),
        np.divmod(i, i - 1, where=i > 1, out=(i.copy(), i.copy())),
    )


def checked_where(i):
    return np.power(i, -1, where=i > 2, out=i.copy())


def into(i, x):
    a, b, c, d = np.zeros(3, np.int8), np.zeros(4, bool), np.zeros(()), np.zeros(3, np.uint8)
    np.sum(x, axis=0, out=a)
    np.cumsum(i, out=b)
    np.max(x, out=c)
    np.argmax(x, axis=0, out=d)
    return a, b, c * 1, d


def places_of_complex(c):
    return c.argmax(), np.argmin(c), np.argmax(c.reshape(1, 5), axis=1), np.nanargmax(c)


def bounds(u):
    return u.clip(-1, 1), np.clip(u, 0, 300), np.digitize(u, [3, 1]), np.digitize(u, [3, 1], True)


@pytest.mark.parametrize(
    ("function", "given"),
    [(at, (I, U)), (parts, (I, X)), (of_unknown_length, (I, 1)), (left_out, (I,)), (into, (I, X)),
     (of_nothing, (X, I)), (begun, (I, U)), (accumulated, (C,)), (only_where, (I, U)),
     (checked_where, (I,)),
     (places_of_complex, (C,)), (bounds, (U,))],
)  # fmt: skip
def test_they_are_numpys(function, given):
    agree(function, *given)


@pytest.mark.parametrize(
    "function",
    [
        lambda i, x: np.maximum.reduceat(i, [0, 9]),
        lambda i, x: np.sum(x, axis=0, out=np.zeros((1, 3))),
        lambda i, x: np.argmax(x, axis=0, out=np.zeros(3)),
        lambda i, x: np.multiply(x, x[:, :2], out=np.zeros((2, 3), int)),
        lambda i, x: np.concatenate([x, x], out=np.zeros(4, np.int8)),
        lambda i, x: np.max(i[i > 50]),
        lambda i, x: np.bitwise_or.reduce(x),
        lambda i, x: np.cumsum(x, out=x),
    ],
)
def test_errors_are_of_numpys_classes(function):
    agree(function, I, X)


def test_numbers_of_a_range_are_pythons():
    def f(c, n):
        for k in range(n):
            c = c + k
        return c

    agree(f, U, np.int64(3))


def test_one_of_no_numbers():
    agree(lambda u: max(u[:2], default=4), U)


def test_counts_of_nothing_are_ints():
    agree(lambda i: np.bincount(i, weights=i * 0.5), np.zeros(0, int))


def test_numbers_of_the_run_time_take_the_dtype_of_the_array():
    def f(u, n):
        np.floor_divide(u, n, out=u)
        np.add(u, n, u)

    agree(f, U, 2)


def test_numbers_of_outer_are_arrays() -> None:
    @ag.jit
    def every(a, b):
        return np.bitwise_xor.outer(a, 3), np.add.outer(a, 1.5), np.add.outer(2, b)

    given = np.array([1, 2], np.int8), np.array([1, 2], np.float32)
    for got, wanted in zip(every(*given), every.python_function(*given), strict=True):
        assert got.dtype == wanted.dtype
        np.testing.assert_array_equal(got, wanted)


def one_row(x, n):
    first, none = np.subtract.reduce(x[:1]), np.subtract.reduce(x, axis=())
    first[0] = n
    none[1] = n
    return first, none, x


def test_what_is_reduced_is_an_array_of_its_own():
    x = np.arange(6.0).reshape(3, 2)
    for plain, compiled in zip(one_row(x.copy(), 7), ag.jit(one_row)(x.copy(), 7), strict=True):
        np.testing.assert_array_equal(compiled, plain)
