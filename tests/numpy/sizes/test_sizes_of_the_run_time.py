"""Functions of arrays of any sizes: what the sizes decide, and checks of those that meet."""

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


def test_known_sizes_that_meet_others():
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


def _seen(function, *given):
    """What a call gives, and what it has written; of an error the class of Python's."""
    arrays = [np.array(each) for each in given]
    try:
        found = np.asarray(function(*arrays))
    except (ValueError, TypeError, IndexError) as error:
        kinds = (IndexError, TypeError, ValueError)
        return next(kind for kind in kinds if isinstance(error, kind)), None
    return (found.dtype, found.shape, found.tolist()), [each.tolist() for each in arrays]


ONE = np.ones(1)
PRODUCTS = [
    lambda a: a @ ONE,
    lambda a: ONE @ a,
    lambda a: np.ones((2, 1)) @ a,
    lambda a: np.dot(a, np.ones((1, 2))),
    lambda a: np.inner(a, ONE),
    lambda a: np.tensordot(a, np.ones((1, 2)), 1),
    lambda a: np.vdot(a, ONE),
    lambda a: np.matmul(np.ones((2, 3, 1)), a),
    lambda a: np.einsum("ij,j->i", a, ONE),  # which broadcasts
]


@pytest.mark.parametrize("product", PRODUCTS)
@pytest.mark.parametrize("shape", [(2, 0), (0, 2), (0, 0), (1, 1), (1, 2), (2, 1)])
def test_a_size_of_one_is_not_repeated_in_products(product, shape):
    assert _seen(dynamic(product, MATRIX), np.ones(shape)) == _seen(product, np.ones(shape))


def test_products_of_nothing():
    f = dynamic(lambda a, n: a[:n] @ a[:n], ag.TensorSpec([None, 0]), ag.TensorSpec([], ag.int64))
    with pytest.raises(ValueError, match="inner dimensions that differ"):
        f(np.zeros((2, 0), np.float32), np.int64(2))
    assert f(np.zeros((2, 0), np.float32), np.int64(0)).shape == (0, 0)


def into_part(a, b):
    return np.stack([a[0]], out=b)


def into_sums(a, b):
    return np.sum(a, axis=0, out=b[0])


@pytest.mark.parametrize("function", [into_part, into_sums])
@pytest.mark.parametrize("shape", [(1, 3), (2, 3), (1, 2), (3, 1)])
def test_out_has_the_shape_of_the_result(function, shape):
    given = np.ones((2, 3)), np.zeros(shape)
    assert _seen(dynamic(function, MATRIX, MATRIX), *given) == _seen(function, *given)


@pytest.mark.parametrize("extremum", [np.max, np.min])
@pytest.mark.parametrize("shape", [(0, 3), (2, 0), (0, 0), (2, 3)])
@pytest.mark.parametrize("axis", [(), None, 0, 1, (0, 1)])
def test_extrema_with_a_beginning(extremum, shape, axis):
    def f(a):
        return extremum(a, axis=axis, initial=0.5)

    a = np.arange(6.0).reshape(2, 3)[: shape[0], : shape[1]] - 2
    assert _seen(dynamic(f, MATRIX), a) == _seen(f, a)
    assert _seen(ag.jit(f), a) == _seen(f, a)


@pytest.mark.parametrize("dtype", [float, int, complex, bool])
@pytest.mark.parametrize("into", [float, int, complex])
@pytest.mark.parametrize(
    "shapes", [[(1, 0), (0,)], [(0,), (1, 0)], [(1, 3), (3,)], [(3,), (1, 3)], [(3,), (2, 3)]]
)
def test_out_of_round(dtype, into, shapes):
    def f(a, b):
        return np.round(a, out=b)

    if dtype is complex and into is not complex:
        return  # NumPy has written the real part when it finds that there is no other
    given = np.ones(shapes[0], dtype), np.zeros(shapes[1], into)
    specs = [ag.TensorSpec([None] * each.ndim, each.dtype) for each in given]
    for compiled in (ag.jit(f), dynamic(f, *specs)):
        assert _seen(compiled, *given) == _seen(f, *given)


TRUTHS = [
    lambda a: bool(a[-1]),
    lambda a: not a[0],
    lambda a: 3 if a[0] else 4,
]


@pytest.mark.parametrize("truth", TRUTHS)
@pytest.mark.parametrize("shape", [(1, 1), (2, 2), (2, 0), (3, 1)])
def test_the_truth_of_one_element(truth, shape):
    assert _seen(dynamic(truth, MATRIX), np.ones(shape)) == _seen(truth, np.ones(shape))


def written_columns(a, s):
    c = a[None]
    c[..., s % 1] = s
    d = c[:, :, s % 1] * 2
    return d


@pytest.mark.parametrize("shape", [(4, 3), (1, 3), (3, 1)])
def test_columns_beside_a_new_axis(shape):
    number = ag.TensorSpec([], ag.int64)
    given = np.arange(12.0)[: shape[0] * shape[1]].reshape(shape)
    plain, other = given.copy(), given.copy()
    found = dynamic(written_columns, MATRIX, number)(plain, np.int64(7))
    wanted = written_columns(other, 7)
    np.testing.assert_array_equal(plain, other)
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.filterwarnings("ignore:Arrays of 2-dimensional vectors")
@pytest.mark.parametrize("columns", [2, 3, 4])
def test_how_many_elements_vectors_have(columns):
    def f(a, b):
        a[0] += 1
        return np.cross(a, b)

    given = np.arange(2.0 * columns).reshape(2, columns), np.ones((2, columns))
    assert _seen(dynamic(f, MATRIX, MATRIX), *given) == _seen(f, *given)


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


@pytest.mark.filterwarnings("ignore:Conversion of an array")
@pytest.mark.parametrize("convert", [float, int, bool])
@pytest.mark.parametrize("shape", [(), (1,), (1, 1), (2,)])
def test_numbers_of_arrays(convert, shape):
    def f(a):
        return convert(a)

    assert _seen(ag.jit(f), np.ones(shape)) == _seen(f, np.ones(shape))


@pytest.mark.parametrize("function", [np.isin, np.setdiff1d])
def test_what_is_looked_for_among_nothing(function):
    f = dynamic(lambda a, b: function(a, b), VECTOR, VECTOR)
    for sizes in ((3, 0), (0, 0), (0, 2), (3, 2), (3, 40)):
        a, b = map(np.arange, map(float, sizes))
        np.testing.assert_array_equal(f(a, b), function(a, b))


@pytest.mark.parametrize("name", ["max", "min"])
@pytest.mark.parametrize("shape", [(2, 0), (0, 3), (0, 0), (2, 3)])
def test_an_extremum_of_nothing_is_an_array_that_can_be_written_into(name, shape):
    def f(a, axis, keepdims):
        found = getattr(a, name)(axis=axis, initial=0.5, keepdims=keepdims)
        found[...] += 1
        return found

    for axis in (0, 1):
        for keepdims in (False, True):
            compiled = ag.jit(f, static=("axis", "keepdims"))
            given = np.ones(shape)
            np.testing.assert_array_equal(
                compiled(given, axis, keepdims), f(given, axis, keepdims), strict=True
            )
