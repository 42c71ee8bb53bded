"""Functions of arrays of any extents: what the extents decide, and checks of those that meet."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag

VECTOR, MATRIX = (ag.TensorSpec([None] * rank, np.float64) for rank in (1, 2))


def dynamic(function, *specs):
    return ag.jit(function, input_signature=specs)


def test_what_a_squeeze_drops():
    f = dynamic(lambda a: a.squeeze(), MATRIX)
    for shape in ((1, 3), (2, 1), (2, 3), (1, 1), (3, 2)):
        np.testing.assert_array_equal(f(np.ones(shape)), np.ones(shape).squeeze())


def test_rows_in_lists():
    def f(a, b):
        a[...] = np.array(list(reversed(a)))
        return np.stack([v + 1 for v in b]), np.array_equal(a, b), np.unstack(b, axis=1)[-1]

    compiled = dynamic(f, MATRIX, MATRIX)
    for rows in (3, 2):
        plain, given = (np.arange(rows * 2.0).reshape(rows, 2) for _ in range(2))
        wanted, found = f(plain, np.ones((2, 2))), compiled(given, np.ones((2, 2)))
        np.testing.assert_array_equal(given, plain)
        for left, right in zip(found, wanted, strict=True):
            np.testing.assert_array_equal(left, right)


@pytest.mark.parametrize("shape", [(3, 1), (1, 3), (2, 3)])
def test_a_reshape_of_a_transpose(shape):
    def f(a):
        v = a.T.reshape(-1)
        v += 1
        w = a[::-1].reshape(-1)
        w *= 2

    plain, given = np.ones(shape), np.ones(shape)
    f(plain)
    dynamic(f, MATRIX)(given)
    np.testing.assert_array_equal(given, plain)


def test_known_extents_that_meet_others():
    f = dynamic(lambda a: np.broadcast_to(np.array([1, 2, 3]), (2, a.shape[0])), VECTOR)
    np.testing.assert_array_equal(f(np.ones(3)), [[1, 2, 3]] * 2)
    for size in (1, 4):
        with pytest.raises(ValueError, match="do not broadcast"):
            f(np.ones(size))


@pytest.mark.parametrize("rows", [0, 4])
def test_nothing_is_read_where_a_value_does_not_fit(rows):
    def f(a, b):
        a[::2] = b.T
        a[[0, 1]] = b[:, :2].T

    compiled = dynamic(f, VECTOR, MATRIX)
    for _ in range(20):  # what lies outside of arrays would be written over
        a = np.ones(6)
        with pytest.raises(ValueError, match=r"differ|broadcast|not"):
            compiled(a, np.ones((3, rows)))
        np.testing.assert_array_equal(a, np.ones(6))


def test_equal_arrays_of_unknown_lengths():
    def f(x, n, m):
        a, b = x[:n], x[:m] + 0
        nan = a * np.nan, b * np.nan
        zeros = np.zeros((n, m)), np.zeros((m, n))
        return (
            np.array_equal(a, b),
            np.array_equal(a, a),
            np.array_equal(a, x),
            np.array_equal(*nan, equal_nan=True),
            np.array_equal(*nan),
            np.array_equal(*zeros),
            np.array_equal(a, 1.0),
        )

    x, compiled = np.arange(3.0), ag.jit(f)
    for n in range(4):
        for m in range(4):
            assert compiled(x, n, m) == f(x, n, m)


def test_grids_of_a_number_of_points():
    def f(n, a, b):
        y, x = np.ogrid[-1.5 : 1.5 : n * 1j, a:b:3j]
        points = np.ogrid[a : b : (n + 0.9) * 1j]
        return y, x, points, np.mgrid[a : b : n * 1j, 0:n], np.mgrid[0 : b : n * 1j]

    compiled = ag.jit(f)
    for n in (0, 1, 2, 7):
        for found, wanted in zip(compiled(n, -1.0, 2.5), f(n, -1.0, 2.5), strict=True):
            assert found.dtype == wanted.dtype
            np.testing.assert_allclose(found, wanted, rtol=1e-14)


def test_triangles_of_unknown_size_need_no_checks():
    def f(n):
        a = np.zeros((n, n))
        for i in range(n):
            for j in range(i):
                for k in range(j):
                    a[i, j] += a[j, k] + 1.0
                a[j, i] = 1
        return a

    for n in (0, 1, 9):
        np.testing.assert_array_equal(ag.jit(f)(n), f(n))
    assert "cmpi ult" not in ag.jit(f).experimental_get_compiler_ir(9)("hlo")
