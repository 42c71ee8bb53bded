"""The names of Numba's types."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agir.numba as numba
from agir.numba import float64, int64, types


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1, "int64"), (1.5, "float64"), (1j, "complex128"), (True, "bool"), (None, "none"),
        ("a", "unicode_type"), (np.float32(1), "float32"), (np.zeros(3), "array(float64, 1d, C)"),
        (np.zeros((2, 3), "i4", order="F"), "array(int32, 2d, F)"),
        (np.zeros((4, 6))[::2, ::3], "array(float64, 2d, A)"),
    ],
)  # fmt: skip
def test_typeof(value: Any, expected: str) -> None:
    assert str(numba.typeof(value)) == expected


def test_typeof_containers() -> None:
    assert numba.typeof((1, 2)) == types.UniTuple(int64, 2)
    assert numba.typeof([1.0]) == types.ListType(float64)
    assert numba.typeof({1: 2.0}) == types.DictType(int64, float64)


def test_arrays() -> None:
    assert (float64[:].ndim, float64[:].layout) == (1, "A")
    assert (float64[:, ::1].ndim, float64[:, ::1].layout) == (2, "C")
    assert float64[::1, :].layout == "F"
    assert float64[:] == types.Array(float64, 1, "A")
    with pytest.raises(TypeError, match="colons"):
        float64[3]


def test_signatures() -> None:
    signature = float64(int64, float64[:])
    assert signature.return_type == float64
    assert signature.args == (int64, float64[:])
    assert repr(signature) == "(int64, array(float64, 1d, A)) -> float64"
    assert types.void(int64).return_type == types.none


def test_from_dtype() -> None:
    assert numba.from_dtype(np.dtype("u2")) is numba.uint16
    assert numba.from_dtype(np.float64) is float64
    with pytest.raises(TypeError, match="no type of numbers"):
        numba.from_dtype(np.dtype("M8[s]"))


def test_numbers_of_types() -> None:
    assert (types.int8.minval, types.uint8.maxval, types.float32.bitwidth) == (-128, 255, 32)
    assert types.int64.signed
    assert not types.uint64.signed
    assert numba.boolean is types.bool_ is types.b1
