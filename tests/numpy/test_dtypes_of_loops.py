"""The dtypes in which NumPy's ufuncs compute on Python's numbers, bools and narrow integers."""

import itertools
import warnings

import numpy as np
import pytest

import agir as ag

VALUES = [
    True, -2, 1.5, 1j, np.int8(1), np.uint64(3), np.True_, np.float32(1), np.ones(2, bool),
    np.ones(2, np.int16), np.full(2, 2, np.uint32), np.ones(2, np.float16),
]  # fmt: skip


def outcome(function, *args):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results = function(*args)
    except TypeError:
        return "TypeError"
    results = results if isinstance(results, tuple) else (results,)
    return [(np.asarray(each).dtype, np.asarray(each).tolist()) for each in results]


@pytest.mark.parametrize(
    "function", [np.frexp, np.modf, np.spacing, np.fabs, np.ldexp, np.nextafter, np.heaviside]
)
def test_loops_of_floats(function):
    decorated = ag.jit(lambda *args: function(*args))
    for args in itertools.product(VALUES, repeat=function.nin):
        assert outcome(decorated, *args) == outcome(function, *args), args


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint64, np.float16, bool])
@pytest.mark.parametrize("function", [np.less, np.greater_equal, np.equal])
def test_comparisons_with_numbers_that_the_dtype_does_not_hold(function, dtype):
    x = np.array([0, 1, 1]).astype(dtype)
    for number in (-1, 300, 2**40, 1.5, True):
        for options in ({"dtype": bool}, {"signature": (None, None, bool)}):

            def compared(x, y, options=options):
                return function(x, y, **options)

            def with_a_known_one(x, number=number, options=options):
                return function(number, x, **options)

            assert outcome(ag.jit(compared), x, number) == outcome(compared, x, number)
            assert outcome(ag.jit(with_a_known_one), x) == outcome(with_a_known_one, x)
