"""C functions that a program has as objects of ctypes, called by compiled code."""

from __future__ import annotations

import ctypes
import ctypes.util
import math
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.errors import StagingError

LIBRARY = ctypes.CDLL(ctypes.util.find_library("m"))


def function(name: str, result: Any, *arguments: Any) -> Any:
    return ctypes.CFUNCTYPE(result, *arguments)((name, LIBRARY))


cbrt = function("cbrt", ctypes.c_double, ctypes.c_double)
hypot = function("hypot", ctypes.c_double, ctypes.c_double, ctypes.c_double)
single = function("sqrtf", ctypes.c_float, ctypes.c_float)
rounded = function("llrint", ctypes.c_int64, ctypes.c_double)
scaled = function("ldexp", ctypes.c_double, ctypes.c_double, ctypes.c_int)


@pytest.mark.parametrize(
    "kind",
    [
        ctypes.PYFUNCTYPE(ctypes.c_double, ctypes.c_double),
        ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, use_errno=True),
    ],
)
def test_functions_that_need_python(kind: Any) -> None:
    called = kind(lambda x: float(str(x)) + 1)
    made = ag.jit(lambda x: called(x) + called(2 * x))
    for x in (1.0, 5.0):
        assert made(x) == 3 * x + 2


@pytest.mark.parametrize("dtype", ["f8", "f4", "i4", "?"])
def test_in_loops(dtype: str) -> None:
    @ag.jit
    def total(x: Any) -> Any:
        s = 0.0
        for each in x:
            if each > 1:
                s += cbrt(each)
            else:
                s += hypot(each, 2)
        return s

    for x in (np.array([1, 8, 0, 27]).astype(dtype), np.array([], dtype)):
        assert total(x) == sum(cbrt(each) if each > 1 else hypot(each, 2) for each in x.tolist())


def test_what_python_converts() -> None:
    made = ag.jit(lambda x, n: (single(x), scaled(x, n), rounded(x)))
    for x, n in ((2.0, 3), (6.5, -1)):
        found = made(x, n)
        assert found == (single(x), scaled(x, n), rounded(x))
        assert [type(each) for each in found] == [float, float, int]


def test_known_arguments() -> None:
    assert ag.jit(lambda x: cbrt(27.0) + x)(1.0) == 4.0


def test_callbacks_of_python_are_called_each_time() -> None:
    seen: list[float] = []

    def noted(x: float) -> float:
        seen.append(x)
        return -x

    called = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(noted)

    @ag.jit
    def twice(x: Any) -> Any:
        return called(x) + called(x + 1)

    assert twice(1.0) == -3.0
    assert twice(5.0) == -11.0
    assert seen == [1.0, 2.0, 5.0, 6.0]


def test_in_ufuncs() -> None:
    root = ag.vectorize(lambda x: cbrt(x))
    np.testing.assert_allclose(root(np.array([1.0, 8.0, 27.0])), [1.0, 2.0, 3.0])


@pytest.mark.parametrize(
    "wrong",
    [
        LIBRARY.cos,
        function("strlen", ctypes.c_size_t, ctypes.c_char_p),
        function("modf", ctypes.c_double, ctypes.c_double, ctypes.POINTER(ctypes.c_double)),
    ],
)
def test_what_takes_other_things_than_numbers(wrong: Any) -> None:
    with pytest.raises(StagingError, match="numbers only"):
        ag.jit(lambda x: wrong(x))(1.0)


def test_wrong_calls() -> None:
    with pytest.raises(TypeError, match="takes 2 arguments"):
        ag.jit(lambda x: hypot(x))(1.0)
    with pytest.raises(TypeError, match="not arrays"):
        ag.jit(lambda x: cbrt(x))(np.zeros(3))


def test_what_comes_out_is_a_number() -> None:
    found = ag.jit(lambda x: cbrt(x))(np.float64(8))
    assert type(found) is float
    assert math.isclose(found, 2.0)
