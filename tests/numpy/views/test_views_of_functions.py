"""What NumPy gives as views: later writes are seen through them, and theirs reach the array."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import agir as ag

sys.path.insert(0, str(Path(__file__).parents[1]))

from agreement import agree

X = np.arange(6.0).reshape(2, 3)


def broadcast(a):
    v, row = np.broadcast_to(a[0], (2, 3)), np.broadcast_to(a[0], (2, 3))[1]
    q = v.reshape(-1)
    q[0] = 99
    a[0, 0] = 5
    return v * 1, row * 1, q


def diagonal(a):
    d, e = np.diagonal(a), np.diagonal(a, 1)[::-1]
    for i in range(2):
        a[i, i] += d[0]
        a[0, 1] = 7
    return d * 1, e * 1


def written_broadcast(a):
    np.broadcast_to(a[0], (2, 3))[0] = 1


def written_diagonal(a):
    np.diagonal(a)[0] = 1


def real_of_real(a):
    v, w = np.real(a), a.real
    v[0] = 9
    w += 1
    return a.imag


def conjugate(a):
    v = a.conj()
    v[0] = 7
    w = np.conj(a)
    w[1] = 5


def turned(a):
    v, w = np.einsum("ij->ji", a), np.einsum("ij", a)
    v[0] = 7
    w[1] = 5
    return np.einsum("ij->i", a)


def flat(a):
    v, w = a.flat[:], a.flat[1:3]
    a[0] = 9
    u = a.flat
    u[2] = 7
    w[0] = 55
    return v, w, a.flat[1]


def of_one_element(a):
    v, w = a[:1, :1].squeeze(), a.reshape(-1)[0:1].reshape(())
    v[...] = 7
    w += 1
    a[0, 0] += 1
    return v * 1, w * 1


def without_dimensions(a):
    v = np.array(1)
    v[()] = 3
    v += 2
    w = v
    w[...] = 7
    x = np.asarray(a.sum())
    y = x[None]
    y[0] = 3
    z = x[...]
    z += 1
    total = np.zeros(())
    for i in range(3):
        total += a[0, i]
    return v * 1, x * 1, y, total + 0


def raveled(a):
    v, w = np.ravel(a), a.T.ravel()
    v[0] = 7
    w[1] = 8
    for part in (a[:, ::-1], a[0, ::2]):
        part.ravel()[0] = 9
        part.reshape(-1)[0] += 10
    a.T.ravel("F")[2] = 11


def squeezed(a):
    v = a.squeeze()
    v[0] = 1
    return v


@pytest.mark.parametrize(
    "function",
    [broadcast, diagonal, written_broadcast, written_diagonal, real_of_real, conjugate, turned, flat,
     of_one_element, without_dimensions, raveled, squeezed],
)  # fmt: skip
def test_views_are_numpys(function):
    agree(function, X)


def test_a_squeeze_of_nothing_is_the_array():
    x = np.ones((2, 3))
    assert ag.jit(lambda a: a.squeeze())(x) is x


def test_whether_what_is_made_of_a_read_only_array_is_a_copy_depends_on_how_an_argument_lies():
    def doubled(c):
        flat = np.broadcast_to(c, (3, 1)).ravel()
        flat *= 2
        return flat

    def tried(c):
        try:
            return doubled(c)
        except ValueError:
            return c + 1

    base = np.arange(6.0).reshape(3, 2)
    for first in (base[:, 1:2], base[:, 1:2].copy()):
        decorated, trying = ag.jit(doubled), ag.jit(tried)
        for c in (first, base[:, :1], base[:, :1].copy(), base[::-1, 1:], base[:1, :1]):
            np.testing.assert_array_equal(trying(c), tried(c))
            if c.flags.c_contiguous and c.shape == (3, 1):
                with pytest.raises(ValueError, match="read-only"):
                    decorated(c)
            else:
                np.testing.assert_array_equal(decorated(c), doubled(c))


@pytest.mark.parametrize("order", ["C", "F"])
def test_reshapes_of_nothing_are_views_and_as_read_only_as_what_they_are_of(order):
    c = np.asarray(np.arange(6.0).reshape(2, 3), order=order)
    c.flags.writeable = False
    parts = [
        lambda c: c.T[:0].reshape(-1),
        lambda c: c[:0].ravel(),
        lambda c: c.T[:0].reshape(0, 5),
        lambda c: c.T[::2][1:, :0].ravel("F"),
    ]
    for part in parts:

        def written(c, part=part):
            v = part(c)
            v *= 2

        for call in (written, ag.jit(written)):
            with pytest.raises(ValueError, match="read-only"):
                call(c)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize(
    "made",
    [
        lambda a: np.resize(a, a.shape),
        lambda a: np.block(a),
        lambda a: np.block([a]),
        lambda a: np.diff(a, n=0),
        lambda a: np.meshgrid(a[0], copy=False)[0],
        lambda a: np.meshgrid(a[0])[0],
        lambda a: np.meshgrid(a[0], a[1], copy=False, sparse=True)[1],
        lambda a: np.linalg.matrix_power(a[:, :2], 1),
        lambda a: np.linalg.matrix_power(a[:, :2], 0),
        lambda a: np.pad(a, 0, mode="edge"),
        lambda a: np.ndarray.reshape(a, 6),
        lambda a: np.ndarray.copy(a),
        lambda a: np.ndarray.__getitem__(a, 1),
    ],
)
def test_what_functions_give_that_change_nothing(made, order):
    def written(a):
        v = made(a)
        v[...] = 7
        return a

    def seen(a):
        v = made(a)
        a[0] = 8
        return v

    for function in (written, seen):
        found, wanted = (f(np.array(X, order=order)) for f in (ag.jit(function), function))
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("value", [None, "a", [1, 2], 3])
def test_filling_what_is_read_only(value):
    with pytest.raises(ValueError, match="read-only"):
        ag.jit(lambda a: np.broadcast_to(a, (2, 2)).fill(value))(np.zeros(2, int))


@pytest.mark.parametrize(
    "made",
    [
        lambda x: np.ascontiguousarray(x.imag.T),
        lambda x: np.asfortranarray(x.imag),
        lambda x: np.ravel(x.imag.T),
        lambda x: np.reshape(x.imag.T, -1),
        lambda x: np.array(x.imag.T, copy=None, order="C"),
        lambda x: np.ascontiguousarray(x.imag),
        lambda x: np.ravel(x.imag),
    ],
)
@pytest.mark.parametrize(
    "x", [X, np.asfortranarray(X), X.T, np.arange(12.0).reshape(2, 6)[:, ::2], X[:1], X[:0]]
)
def test_imaginary_parts_of_real_numbers_lie_as_these(made, x):
    def written(x):
        v = made(x)
        v[:1] = 7
        return v

    def first(x):
        v = made(x)
        for place in range(len(v)):
            v[place] = place
        return v

    agree(written, x)
    agree(first, x)


@pytest.mark.parametrize("others", [[1.0, 2.0], np.arange(20.0)])
@pytest.mark.parametrize("invert", [False, True])
def test_what_is_among_others_lies_by_rows(others, invert):
    def written(a):
        found = np.isin(a, others, invert=invert)
        found.reshape(-1)[1:3] = True
        return found

    for order in "CF":
        x = np.array(X, order=order)
        np.testing.assert_array_equal(ag.jit(written)(x), written(x))
