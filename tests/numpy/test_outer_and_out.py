"""`ufunc.outer` makes arrays of numbers; `out=` of einsum is looked at first."""

import numpy as np
import pytest

import agir as ag


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int64", "float32", "complex64"])
@pytest.mark.parametrize("number", [3, 2.5, 1j, True, np.int8(2), np.float32(1.5)])
def test_outer_of_a_run_time_number(dtype, number):
    def f(x, n):
        return np.multiply.outer(x, n), np.add.outer(n, x[:2]), np.multiply.outer(n, n)

    x = np.arange(3).astype(dtype)
    for found, wanted in zip(ag.jit(f)(x, number), f(x, number), strict=True):
        np.testing.assert_array_equal(found, wanted)
        assert found.dtype == wanted.dtype


def test_out_of_einsum_is_an_array():
    x = np.ones((2, 2, 2))
    with pytest.raises(TypeError, match="out= is an array, and no number"):
        ag.jit(lambda a, c: np.einsum("i->i", a, out=c[0]))(x, x[0, 0])


@pytest.mark.parametrize("casting", ["no", "equiv", "safe", "same_kind", "unsafe"])
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
def test_casting_of_numbers(casting):
    for dtype in ("bool", "uint8", "int64", "float32", "float64", "complex128"):
        for number in (1, 2.5, 1j, True):
            for options in ({}, {"dtype": np.float64}):
                options["casting"] = casting
                check(lambda x, n, options=options: np.add(x, n, **options), dtype, number)


def check(f, dtype, number):
    x = np.ones(2, dtype)
    for decorated in (ag.jit(f), ag.jit(f, static=("n",))):
        try:
            wanted = f(x, number)
        except TypeError:
            with pytest.raises(TypeError):
                decorated(x, number)
        else:
            found = decorated(x, number)
            np.testing.assert_array_equal(found, wanted)
            assert found.dtype == wanted.dtype


def test_a_product_of_one_row_into_a_vector():
    def product(a, b, out, n):
        np.matmul(a[:n], b, out=out)
        return out

    decorated, a, b = ag.jit(product), np.arange(1.0, 7.0).reshape(2, 3), np.ones((3, 2))
    np.testing.assert_array_equal(decorated(a, b, np.zeros(2), 1), [6.0, 6.0])
    for n, size in ((2, 2), (1, 3), (0, 2)):
        for call in (product, decorated):
            with pytest.raises(
                ValueError, match=r"out= of shape|does not broadcast|core dimension|reduction"
            ):
                call(a, b, np.zeros(size), n)
