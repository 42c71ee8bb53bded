"""Generalized ufuncs made of functions of arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.errors import OperandTypeError, OperandValueError


def same(found: Any, expected: Any) -> None:
    assert np.asarray(found).dtype == np.asarray(expected).dtype
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@ag.guvectorize("(n)->()")
def spread(x: Any) -> Any:
    return x.max() - x.min()


@ag.guvectorize("(m,n),(n)->(m)")
def applied(matrix: Any, vector: Any) -> Any:
    return matrix @ vector


@ag.guvectorize("(n),()->(n)")
def shifted(x: Any, by: Any, result: Any) -> None:
    for i in range(x.shape[0]):
        result[i] = x[i] + by


@ag.guvectorize("(n)->()", ["f8(f8)", "i8(i8)"])
def summed(x: Any, result: Any) -> None:
    result[0] = 0
    for each in x:
        result[0] += each


def test_it_is_a_ufunc() -> None:
    assert type(applied) is np.ufunc
    assert applied.signature == "(m,n),(n)->(m)"
    assert (applied.nin, applied.nout) == (2, 1)


@pytest.mark.parametrize("dtype", ["i4", "i8", "f4", "f8"])
@pytest.mark.parametrize("shape", [(5,), (2, 5), (3, 2, 5), (0, 5)])
def test_returning(dtype: str, shape: tuple[int, ...]) -> None:
    x = np.random.default_rng(3).integers(0, 50, shape).astype(dtype)
    same(spread(x), x.max(axis=-1) - x.min(axis=-1))


def test_broadcasting_and_strides() -> None:
    rng = np.random.default_rng(4)
    a, x = rng.normal(size=(4, 1, 3, 5)), rng.normal(size=(2, 5))
    same(applied(a, x), np.einsum("...mn,...n->...m", a, x))
    b, y = a[::2, :, ::-1], x[:, ::-1]
    same(applied(b, y), np.einsum("...mn,...n->...m", b, y))
    same(applied(np.asfortranarray(a), x), np.einsum("...mn,...n->...m", a, x))


def test_axes() -> None:
    x = np.arange(12.0).reshape(3, 4)
    same(summed(x, axis=0), x.sum(axis=0))
    same(summed(x, keepdims=True), x.sum(axis=1, keepdims=True))
    by = np.array([[1.0], [2.0]])
    same(shifted(x, by, axes=[(0,), (), (0,)]), x[:, None, :] + by)


def test_writing() -> None:
    x = np.arange(6.0).reshape(2, 3)
    same(shifted(x, [10.0, 20.0]), x + np.array([[10.0], [20.0]]))
    place = np.zeros((2, 3), np.float32)
    assert shifted(x, 1.0, out=place) is place
    same(place, (x + 1).astype(np.float32))
    shifted(x, 1.0, out=x)
    same(x, np.arange(6.0).reshape(2, 3) + 1)


def test_declared_types() -> None:
    x = np.arange(6).reshape(2, 3)
    same(summed(x.astype(np.int32)), x.sum(axis=1).astype(np.float64))
    same(summed(x.astype(np.float32)), x.sum(axis=1).astype(np.float64))
    with pytest.raises(OperandTypeError, match="none takes complex128"):
        summed(x * 1j)


def test_results_of_several_dimensions() -> None:
    @ag.guvectorize("(n),(m)->(n,m),()")
    def both(x: Any, y: Any) -> Any:
        return np.outer(x, y), x.sum() * y.sum()

    x, y = np.arange(6.0).reshape(2, 3), np.arange(4.0)
    products, total = both(x, y)
    same(products, x[:, :, None] * y)
    same(total, x.sum(axis=1) * y.sum())


def test_without_outputs() -> None:
    @ag.guvectorize("(n),(n)", ["(f8, f8)"])
    def copied(x: Any, place: Any) -> None:
        for i in range(len(x)):
            place[i] = x[i] * 2

    x, place = np.arange(6.0).reshape(2, 3), np.zeros((2, 3))
    assert copied(x, place) == ()
    same(place, 2 * x)


def test_in_compiled_functions() -> None:
    @ag.jit
    def used(a: Any, x: Any) -> Any:
        return applied(a, x) + spread(a)

    a, x = np.arange(6.0).reshape(2, 3), np.arange(3.0)
    same(used(a, x), a @ x + (a.max(axis=1) - a.min(axis=1)))


@pytest.mark.parametrize("signature", ["n->n", "(n", "", "(n)->(n)x"])
def test_wrong_signatures(signature: str) -> None:
    with pytest.raises(OperandValueError, match="is not like"):
        ag.guvectorize(signature)


def test_wrong_parameters() -> None:
    with pytest.raises(OperandTypeError, match="has 3 parameters"):
        ag.guvectorize("(n)->()")(lambda x, y, z: x)


def test_errors_of_the_function() -> None:
    @ag.guvectorize("(n)->()")
    def first(x: Any) -> Any:
        if x[0] < 0:
            raise ValueError("it is negative")
        return x[0]

    same(first(np.array([[1.0, 2.0], [3.0, 4.0]])), np.array([1.0, 3.0]))
    with pytest.raises(ValueError, match="it is negative"):
        first(np.array([[1.0, 2.0], [-3.0, 4.0]]))


def test_sizes_that_follow() -> None:
    @ag.guvectorize("(n),(m)->(p)", sizes=lambda n, m: {"p": n + m - 1})
    def convolved(x, y):
        return np.convolve(x, y)

    @ag.guvectorize("(n)->(p)", sizes=lambda n: {"p": n * (n - 1) // 2})
    def distances(x, result):
        k = 0
        for i in range(len(x)):
            for j in range(i):
                result[k] = abs(x[i] - x[j])
                k += 1

    x = np.arange(8.0).reshape(2, 4)
    for y in (np.array([1.0, 2.0, 3.0]), np.array([2.0])):
        expected = np.array([np.convolve(each, y) for each in x])
        np.testing.assert_array_equal(convolved(x, y), expected)
        np.testing.assert_array_equal(ag.jit(lambda a, b: convolved(a, b))(x, y), expected)
    assert distances(np.array([[1.0, 4.0, 6.0], [0.0, 1.0, 2.0]])).tolist() == [
        [3, 5, 2],
        [1, 2, 1],
    ]
    with pytest.raises(ValueError, match="dimension p is to be 3, and is 2"):
        distances(np.zeros(3), out=np.zeros(2))

    @ag.guvectorize("(n)->(p)", sizes=lambda n: {"q": n})
    def wrong(x):
        return x

    with pytest.raises(ValueError, match="dimension q is to be 2, and there is none"):
        wrong(np.zeros(2))
