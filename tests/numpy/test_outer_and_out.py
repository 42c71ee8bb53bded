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
