"""`cmath` over run-time numbers: Python's values, signs of zeros, and exceptions."""

from __future__ import annotations

import cmath
import itertools
import warnings

import numpy as np
import pytest

import agir as ag

INF, NAN = float("inf"), float("nan")
NUMBERS = [
    0, 1, -1, 0.5, -2.5, 1j, -1j, 0.3 + 0.4j, -0.3 - 2j, 1e-8 + 1e-8j, 3 - 4j, 700 + 1j, 800.0 + 0j,
    complex(0, -0.0), complex(-0.0, 0), complex(-2, -0.0), complex(2, -0.0), complex(INF), 1e308,
    complex(-INF), complex(NAN, 1), complex(0, INF), complex(1, NAN), complex(INF, INF),
    np.float32(0.5), np.complex64(1 + 2j), np.int32(3), True, 1e-310j, 1e200 + 1e200j,
]  # fmt: skip


def outcome(function, *args):
    try:
        return function(*args)
    except (ValueError, OverflowError, ZeroDivisionError) as error:
        kinds = (ValueError, OverflowError, ZeroDivisionError)
        return next(kind.__name__ for kind in kinds if isinstance(error, kind))


def agree(found, wanted):
    if isinstance(wanted, str):
        assert found == wanted
        return
    one, other = (np.atleast_1d(np.asarray(v, complex)).view(float) for v in (found, wanted))
    np.testing.assert_allclose(one, other, rtol=1e-13, atol=0)
    plain = np.isfinite(other)
    np.testing.assert_array_equal(np.signbit(one[plain]), np.signbit(other[plain]))


@pytest.mark.parametrize(
    "name",
    ["acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "sin", "sinh",
     "sqrt", "tan", "tanh", "log10", "log", "phase", "polar", "isnan", "isinf", "isfinite"],
)  # fmt: skip
def test_functions_of_one_number(name):
    function = getattr(cmath, name)
    decorated = ag.jit(lambda z: function(z))
    for number in NUMBERS:
        agree(outcome(decorated, number), outcome(function, number))


def of_two(a, b):
    return cmath.rect(a, b), cmath.exp(1j * cmath.pi * a) * b


def close(a, b):
    return cmath.isclose(a, b), cmath.isclose(a, b, rel_tol=0.5), cmath.isclose(a, b, abs_tol=3)


def logarithm(a, b):
    return cmath.log(a, b)


def common_logarithm(a, b):
    return cmath.log(a, 10) * b


@pytest.mark.parametrize("function", [of_two, close, logarithm, common_logarithm])
def test_functions_of_two_numbers(function):
    decorated = ag.jit(function)
    for a, b in itertools.product([1, 2.5, -1.5, 1e-12], [1, 2, -3.5, 2.5000000001, 0]):
        found, wanted = outcome(decorated, a, b), outcome(function, a, b)
        if isinstance(wanted, str):
            assert found == wanted
        else:
            np.testing.assert_allclose(found, wanted, rtol=1e-13)


@pytest.mark.parametrize("function", [cmath.rect, cmath.log])
def test_zeros_and_infinities(function):
    decorated = ag.jit(lambda a, b: function(a, b))
    numbers = [0.0, -0.0, 1.0, -2.0, INF, -INF, 0.5, 1e308]
    for a, b in itertools.product(numbers, numbers):
        found, wanted = outcome(decorated, a, b), outcome(function, a, b)
        if isinstance(wanted, str) or isinstance(found, str):
            assert found == wanted, (a, b)
        else:
            np.testing.assert_allclose(found, wanted, rtol=1e-13, err_msg=str((a, b)))


def test_arrays_are_refused():
    with pytest.raises(TypeError, match="a complex number is needed"):
        ag.jit(lambda z: cmath.exp(z))(np.ones(2))


@pytest.mark.parametrize("dtype", [np.complex128, np.complex64])
@pytest.mark.parametrize(
    "function",
    [np.sqrt, np.arctan, np.arctanh, np.arcsin, np.arccos, np.arcsinh, np.arccosh],
)
def test_arrays_of_small_and_great_numbers(function, dtype):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parts = [0.0, -0.0, 1, -1, 0.5, 1e8, 1e15, 1e17, 1e30, 1e38, 1e100, 1e155, 1e-5, 1e-200]
        parts += [1e200, -3, 1e-310, INF, -INF, NAN]
        z = np.array([complex(a, b) for a, b in itertools.product(parts, parts)]).astype(dtype)
        found, wanted = ag.jit(lambda z: function(z))(z), function(z)
    width = wanted.real.dtype
    near = {"rtol": 1e-13 if dtype == np.complex128 else 3e-5}
    tiny = float(np.finfo(width).tiny)  # below, numbers have fewer digits
    np.testing.assert_allclose(found.view(width), wanted.view(width), atol=tiny, **near)


def log1p(x):
    return cmath.sqrt(x), np.log1p(x)


def test_functions_with_the_names_of_cs():
    np.testing.assert_allclose(ag.jit(log1p)(3.0), log1p(3.0))
