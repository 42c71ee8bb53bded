"""Views of arrays of which only the run time knows which they are, and which way: as NumPy has it."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import agir as ag

sys.path.insert(0, str(Path(__file__).parents[1]))

from agreement import agree


def change_places(a, b, n, s):
    t, u = a[::-1], a.copy()
    for k in range(n):
        t, u, a = u, a, t
        t[-1] += k
    w = u.ravel()
    w[...] = 7
    return a, t, u, w


def either_way(a, b, n, s):
    v = a[:, ::s]
    w = v.reshape(-1)
    w[:2] = 7
    x = b[::s].ravel("K")
    x += 1
    return w, x


def turned_in_a_loop(a, b, n, s):
    v, k = a, 0
    while k < n:
        v = v[:, ::s]
        k += 1
    w = v.T.ravel("F")
    w[-1:] *= 3
    x = np.asfortranarray(v)
    x[:1] = 5
    return v, w, x


def one_of_two_orders(a, b, n, s):
    v = a if n > 1 else b.T
    w = v.reshape(-1)
    w[:1] = 7
    x = v.ravel("A")
    x[1:] = 8
    return v, w, x


def of_an_array_by_steps(a, b, n, s):
    v = a[:: n + 1]
    w = v.reshape(v.shape[1], -1)
    w[:1] = 9
    x = a[:, :: n + 1].T.ravel("F")
    x[:] = 3
    return w, x


def rows_by_the_run_time(a, b, n, s):
    v = np.repeat(a, n + 1, axis=0)
    w = v.T.reshape(n + 1, -1)
    w[:1] = 7
    return v, w


def in_an_order(a, b, n, s):
    v = np.asarray(a if n > 1 else a[...], order="F")
    v[:1] = 4
    w = a.astype(float, order="F", copy=False)
    w[1:] = 5
    x = np.array(b[:, :n], copy=None, order="F")
    x += 2
    y = np.require(b[:n], requirements="C")
    y -= 1
    z = (a + b).astype(float, order="A", copy=False)
    return v, w, x, y, z.copy(order="A").ravel("K")


def through_ravel(a, b, n, s):
    v = np.ascontiguousarray(a[:n])
    w = v.ravel()
    w[-1:] = 6
    return v, w


FUNCTIONS = [
    change_places, either_way, turned_in_a_loop, one_of_two_orders,
    of_an_array_by_steps, rows_by_the_run_time, in_an_order, through_ravel,
]  # fmt: skip


def laid(a, how):
    if how == "C":
        return a.copy()
    return a.copy(order="F") if how == "F" else np.repeat(a, 2, axis=0)[::2]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("layout", ["CC", "FC", "SF"])
@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_it_is_numpys(function, layout, n):
    whole = np.arange(16.0).reshape(4, 4)
    for a in (whole, whole[:1, :1]):
        for s in (1, -1, 2):
            its, plain = ([laid(a, layout[0]), laid(10 - a, layout[1]), n, s] for _ in range(2))
            wanted = function(*plain)
            found = ag.jit(function, jit_compile=False)(*its)
            for left, right in zip((*found, *its), (*wanted, *plain), strict=True):
                np.testing.assert_array_equal(left, right)


@pytest.mark.parametrize("function", FUNCTIONS[:4])
def test_it_is_numpys_compiled(function):
    for n, s in ((0, 1), (3, -1)):
        agree(function, np.arange(9.0).reshape(3, 3), np.ones((3, 3)), n, s)


def taken(x, i, axis, mode):
    return x.take(i, axis=axis, mode=mode)


@pytest.mark.parametrize("mode", ["raise", "wrap", "clip"])
@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0,), (0, 3, 2), (0, 3, 0)])
def test_take_of_nothing(shape, mode):
    decorated = ag.jit(taken, static=("axis", "mode"), jit_compile=False)
    for axis in (None, *range(len(shape))):
        rest = [n for other, n in enumerate(shape) if other != axis]
        for places in (9, -1, [7], [], [0, 0]):
            if mode == "wrap" and axis is not None and not shape[axis] and 0 in rest:
                continue  # NumPy's loop that wraps an index around nothing has no end
            agree(taken, np.ones(shape), np.array(places, int), axis, mode, decorated=[decorated])


def one_column(x, out):
    return np.cumsum(x, out=out)


def test_a_column_of_the_same_dtype_is_no_out_of_a_running_sum():
    agree(one_column, np.ones((2, 1), np.int32), np.zeros((2, 1), np.int32))
    agree(one_column, np.ones((2, 1), np.int32), np.zeros((2, 1)))
