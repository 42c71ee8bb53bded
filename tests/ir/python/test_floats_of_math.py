"""Functions of ``math`` that are written in Python here: against those in C."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.ir.plain import floats

SPECIAL = [math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0, 2.0, 3.0, -1.0, 0.5, -0.5, 5e-324, 1e300,
           171.5, 172.0, -170.5, -189.5, -200.5, 23.0, 25.0, 170.0, 12.0, 1e-18, -1e-19, -1e-21,
           2.6e305, 1 + 1e-10]  # fmt: skip
ONE = ("gamma", "lgamma", "frexp", "ulp")
TWO = ("nextafter", "remainder")


def numbers(count: int) -> list[float]:
    drawn = random.Random(0)
    return SPECIAL + [drawn.uniform(-185, 172) for _ in range(count)]


def outcome(function: Callable[..., Any], *args: Any) -> Any:
    try:
        return function(*args)
    except (ValueError, OverflowError) as error:
        return "ValueError" if isinstance(error, ValueError) else "OverflowError"


def check(name: str, found: Any, wanted: Any) -> None:
    if isinstance(wanted, str) or isinstance(found, str):
        assert found == wanted
    elif "gamma" in name:  # of which the logarithm is 0 at 1 and 2
        assert found == pytest.approx(wanted, rel=1e-13, abs=1e-14, nan_ok=True)
    else:
        np.testing.assert_array_equal(found, wanted)
        for one, other in zip(np.atleast_1d(found), np.atleast_1d(wanted), strict=True):
            assert np.isnan(one) or np.signbit(one) == np.signbit(other)


@pytest.mark.parametrize("name", [*ONE, *TWO])
def test_in_python(name: str) -> None:
    drawn = random.Random(1)
    for x in numbers(2000):
        args = (x,) if name in ONE else (x, drawn.choice(numbers(50)))
        function = getattr(floats, name)
        check(name, outcome(function, *args), outcome(getattr(math, name), *args))


LAMBDAS: dict[str, Callable[..., Any]] = {
    "gamma": lambda x: math.gamma(x),
    "lgamma": lambda x: math.lgamma(x),
    "frexp": lambda x: math.frexp(x),
    "ulp": lambda x: math.ulp(x),
    "nextafter": lambda x, y: math.nextafter(x, y),
    "remainder": lambda x, y: math.remainder(x, y),
    "ldexp": lambda x, i: math.ldexp(x, i),
}


@pytest.mark.parametrize("name", LAMBDAS)
def test_compiled(name: str) -> None:
    function, drawn = LAMBDAS[name], random.Random(2)
    decorated = ag.jit(function)
    for x in numbers(30):
        second = drawn.choice([0, 1, -1000, 1100, -2100, 10**9] if name == "ldexp" else SPECIAL)
        args = (x,) if name in ONE else (x, second)
        check(name, outcome(decorated, *args), outcome(function, *args))


def test_exact_sums() -> None:
    drawn = random.Random(3)
    specs = [ag.TensorSpec([None], np.float64)]
    decorated = ag.jit(lambda x: math.fsum(x), input_signature=specs)
    for _ in range(300):
        kinds = [drawn.uniform(-1, 1) * 10.0 ** drawn.randrange(-300, 300) for _ in range(9)]
        values = [drawn.choice([*kinds, 1e16, -1e16, 1.0, 2.0**-53, -(2.0**-54)]) for _ in range(9)]
        values += [-v for v in values if drawn.random() < 0.4]
        assert floats.fsum(values) == math.fsum(values)
        assert decorated(np.array(values)) == math.fsum(values)
    for values in ([], [-0.0], [math.inf, 1.0], [math.nan, 1.0]):
        np.testing.assert_array_equal(decorated(np.array(values)), math.fsum(values))
    with pytest.raises(ValueError, match=r"-inf \+ inf in fsum"):
        decorated(np.array([math.inf, -math.inf]))
    with pytest.raises(OverflowError, match="intermediate overflow"):
        decorated(np.array([1e308, 1e308, -1e308]))


def test_integers_of_64_bits_that_python_s_ints_do_not_hold() -> None:
    @ag.jit
    def integers(x: Any) -> Any:
        return int(x[1]), round(x[1]), x[1].item(), int(x[0] % 7), round(x[1], 1)

    x = np.array([2**64 - 1, 5], np.uint64)
    assert integers(x) == (5, 5, 5, (2**64 - 1) % 7, 5)
    assert [type(v) for v in integers(x)] == [int, int, int, int, np.uint64]
    for function in (lambda x: int(x[0]), lambda x: round(x[0]), lambda x: x[0].item()):
        with pytest.raises(OverflowError, match="too large for an int64"):
            ag.jit(function)(x)


@pytest.mark.filterwarnings("ignore::agir.errors.RetraceWarning")
def test_complex_of_two_numbers_has_these_parts():
    made = ag.jit(lambda a, b: complex(a, b))
    values = [0, -1, 0.0, -0.0, 2.5, math.inf, -math.inf, math.nan, True, 1j, complex(-0.0, 2)]
    for a, b in itertools.product(values, values):
        assert repr(complex(made(a, b))) == repr(complex(a, b)), (a, b)
