"""What NumPy's functions give in dtypes of their own, and views of which one writes."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import agir as ag

sys.path.insert(0, str(Path(__file__).parents[1]))

from agreement import agree

X = np.arange(6.0).reshape(2, 3)
CUBE = np.arange(1, 7).reshape(2, 1, 3)


def chosen(k):
    u = k.astype(np.uint8)
    small, single = np.choose(u % 2, [u, -2]), np.choose(k % 2, [k.astype(np.float32), 300])
    mixed = np.choose(k % 3, [u, 300, 2.5]), np.choose(k % 2, [k > 0, True])
    return small, single, *mixed, np.choose(u % 2, [u, np.int64(300)]), np.choose(k % 2, [1, 2])


def as_complex(k):
    kinds = (
        np.bool_,
        np.int8,
        np.uint16,
        np.int32,
        np.float16,
        np.float32,
        np.complex64,
        np.float64,
    )
    return tuple(np.sort_complex(k.astype(kind)) for kind in kinds)


def of_one_shape(x):
    y, z = np.broadcast_arrays(x, x + 1)
    y[0] = 7
    np.broadcast_arrays(x)[0][1] = 8
    return x, z


def least_of_bools(k):
    return min(k > 1, default=0), max((k > 1)[:1], default=5), min(k[:0], default=2.5)


@pytest.mark.parametrize("function", [chosen, as_complex, least_of_bools])
def test_dtypes(function):
    agree(function, np.array([3, 1, 2]))


def test_arrays_of_one_shape_are_themselves():
    agree(of_one_shape, X)


def of_nothing_and_of_one(x):
    found = (
        np.bitwise_and.reduce(x, axis=(), keepdims=True),
        np.fmax.reduce(x, axis=()),
        np.gcd.reduce(x[:1], axis=0),
        np.bitwise_or.reduce(x[:1, :1], axis=(0, 1)),
        np.add.reduce(x, axis=()),
        np.maximum.reduce(x[:1]),
    )
    for each in found:
        each[...] = 9
    return x, *found[:3], *found[4:]


def test_what_is_reduced_along_nothing_is_an_array_of_its_own():
    agree(of_nothing_and_of_one, X.astype(int))


def of_small_numbers(k):
    x = k.astype(np.int8)
    floats = np.sinc(x), np.i0(x), np.logaddexp2(x, x), np.logaddexp2(k.astype(np.float32), 1.5)
    return *floats, np.nanmedian(x > 1), np.roll(x, x), np.roll(k, [1, 2]), np.delete(x, x > 1)


def test_small_numbers():
    numbers = np.array([3, 1, 2])
    pairs = zip(ag.jit(of_small_numbers)(numbers), of_small_numbers(numbers), strict=True)
    for mine, its in pairs:
        assert mine.dtype == its.dtype
        np.testing.assert_allclose(mine, its, rtol=1e-3)


NOT_DEFINED = {
    "degrees": np.degrees, "deg2rad": np.deg2rad, "fabs": np.fabs, "isposinf": np.isposinf,
    "isneginf": np.isneginf, "i0": np.i0, "heaviside": lambda x: np.heaviside(x, 1.5),
    "logaddexp2": lambda x: np.logaddexp2(x, x), "bincount": np.bincount,
    "choose": lambda x: np.choose(x, [1, 2]),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_DEFINED)
def test_functions_that_complex_numbers_have_not(name):
    def call(x):
        return NOT_DEFINED[name](x)

    agree(call, np.array([1 + 1j, 0]))


def of_bools(x):
    return np.gradient(x > 1)


def diagonal_of_a_vector(x):
    return np.diag_indices_from(x[0])


def triangle_of_a_vector(x):
    return np.tril_indices_from(x[0])


@pytest.mark.parametrize("function", [of_bools, diagonal_of_a_vector, triangle_of_a_vector])
def test_errors_of_these(function):
    agree(function, X)


def part_of_one(b, n):
    if n % 2 == 0:
        b = b.T
    v = b[0, 0, 0, ...]
    v += 1
    v[...] *= 3
    return b


def part_in_a_handler(b, n):
    if n % 2 == 0:
        b = b.T
    try:
        raise ValueError
    except ValueError:
        v = b[..., 0, 0, 1]
        v -= 5
    return b


@pytest.mark.parametrize("function", [part_of_one, part_in_a_handler])
@pytest.mark.parametrize("n", [1, 2])
def test_parts_without_dimensions_of_one_of_several_arrays(function, n):
    cube = CUBE if function is part_of_one else np.arange(8).reshape(2, 2, 2)
    agree(function, cube, n)


def test_histograms_of_complex_numbers_are_refused():
    def count(x):
        return np.histogram(x, bins=3, range=(0, 3))[0]

    with pytest.raises(ag.errors.StagingError, match="complex"):
        ag.jit(count)(X + 1j)


def one_of_two(a, n):
    if n > 1:
        a = a[1:] - a[:-1]
    a[::-1, ::-1] += a
    a[:1] = 7
    return a


@pytest.mark.parametrize("n", [1, 2])
def test_one_of_two_arrays_without_elements(n):
    agree(one_of_two, np.zeros((2, 0), np.int32), n)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "uint64", "float16", "float64"])
def test_select_takes_numbers_that_numpy_takes(dtype):
    functions = [
        lambda c, n: np.select([c == 1, c == 2], [0, c], 3),
        lambda c, n: np.select([c == 1, c == 2], [c, c], 3),
        lambda c, n: np.select([c == 1, c == 2], [1.5, c], 3),
        lambda c, n: np.select([c == 1, c == 2], [n, c], 3),
        lambda c, n: np.select([c == 1, c == 2], [c, 2j], 3),
        lambda c, n: np.select([c == 1], [c], n),
    ]
    c = np.array([0, 1, 2, 3]).astype(dtype)
    for f in functions:
        try:
            wanted = f(c, 2)
        except TypeError:
            with pytest.raises(TypeError, match="numbers are not cast to"):
                ag.jit(f)(c, 2)
            continue
        found = ag.jit(f)(c, 2)
        np.testing.assert_array_equal(found, wanted)
        assert found.dtype == wanted.dtype
