"""Integers at their limits: division, powers, shifts, overflow, conversion, promotion."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from agir import errors
from agir.ir.building.types import DTYPES, DType, TensorType, promote
from agir.ir.table import TABLE
from agir.ir.tensors.dispatch import call

INTEGERS = [dtype for dtype in DTYPES if dtype.is_integer]
FLOATS = [dtype for dtype in DTYPES if dtype.is_floating]


def limits(dtype: DType) -> Any:
    info = np.iinfo(dtype.numpy)
    signed = [-1, -2, -7, info.min, info.min + 1] if info.min else [128, 200]
    return np.array([1, 2, 3, 7, 100, info.max, info.max - 1, *signed], dtype.numpy)


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_division(compare: Any, record: Any, dtype: DType) -> None:
    values = limits(dtype)
    x, y = (
        np.ascontiguousarray(a)
        for a in np.meshgrid(np.append(values, values[:1] - values[:1]), values)
    )

    def function(x: Any, y: Any) -> list[Any]:
        return [x // y, x % y, x / y, *divmod(x, y), x // 3, x % 3, 7 // y]

    def truth(x: Any, y: Any) -> list[Any]:
        with np.errstate(all="ignore"):
            return function(x, y)

    compare(function, x.astype(dtype.numpy), y, expected=truth, dynamic=True)
    compare(function, x.astype(dtype.numpy)[0, 0], y[0, 0], expected=truth,
            more=[[a, b] for a in values for b in values[-5:]])  # fmt: skip
    for name in ("floor_divide", "remainder"):
        recorded = record(lambda x, y, n=name: [call(n, x, y)], (dtype, (None,)), (dtype, (None,)))
        zero = np.array([2, 0, 1], dtype.numpy)
        for run in (recorded.compiled, recorded.interpreted):
            with pytest.raises(ZeroDivisionError):
                run(zero, zero)
            assert run(zero[:0], zero[:0])[0].shape == (0,)
        with pytest.raises(ZeroDivisionError):
            call(name, zero, zero)


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_division_of_floats(compare: Any, dtype: DType) -> None:
    numbers = [0.0, -0.0, 1.0, -1.0, 2.5, -2.5, 0.1, 7.0, -7.0, 1e4, np.inf, -np.inf, np.nan]
    x, y = (np.ascontiguousarray(a).astype(dtype.numpy) for a in np.meshgrid(numbers, numbers))
    if dtype.is_storage_only:
        wide = np.float32

        def truth(x: Any, y: Any) -> list[Any]:
            with np.errstate(all="ignore"):
                return [f(x.astype(wide), y.astype(wide)).astype(x.dtype)
                        for f in (np.floor_divide, np.remainder, np.divide)]  # fmt: skip
    else:

        def truth(x: Any, y: Any) -> list[Any]:
            with np.errstate(all="ignore"):
                return [np.floor_divide(x, y), np.remainder(x, y), np.divide(x, y)]

    compare(lambda x, y: [x // y, x % y, x / y], x, y, zeros=True,
            expected=None if dtype.is_storage_only else truth)  # fmt: skip
    assert truth(x, y)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_powers(compare: Any, record: Any, dtype: DType) -> None:
    if dtype.kind == "b":
        return
    x = np.array([0, 1, 2, 3, 5, 7], dtype.numpy)
    y = np.array([[0], [1], [2], [3], [9]], dtype.numpy)
    rtol = {"complex64": 1e-4, "complex128": 1e-11, "float32": 1e-5, "float64": 1e-12}
    compare(lambda x, y: [x**y, x**2, x**3, 2**y, x**0], x, y, rtol=rtol.get(dtype.name))
    if dtype.kind == "i":
        recorded = record(lambda x, y: [x**y], (dtype, (None,)), (dtype, (None,)))
        for run in (recorded.compiled, recorded.interpreted):
            with pytest.raises(errors.InvalidArgumentError, match="negative integer powers"):
                run(x, x - 1)
    if dtype.is_floating:
        numbers = np.array([0.0, -0.0, 1.0, -1.0, 2.0, -2.5, np.inf, -np.inf, np.nan])
        a, b = (v.astype(dtype.numpy) for v in np.meshgrid(numbers, numbers))
        compare(lambda x, y: [x**y, abs(x) ** 0.5], a, b, rtol=rtol.get(dtype.name))


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_shifts(compare: Any, dtype: DType) -> None:
    x = limits(dtype)[:, None]
    y = np.array([0, 1, 7, dtype.bits - 1, dtype.bits, dtype.bits + 1, 100], dtype.numpy)
    compare(lambda x, y: [x << y, x >> y, x << 1, x >> 2], x, y,
            expected=lambda x, y: [x << y, x >> y, x << 1, x >> 2])  # fmt: skip


@pytest.mark.parametrize("source", DTYPES, ids=str)
def test_conversion(compare: Any, source: DType) -> None:
    numbers: Any = [0, 1, 2, 100, 127]
    if source.kind in "if":
        numbers = [*numbers, -1, -128]
    if source.is_floating:
        numbers = [*numbers, 0.5, -0.5, 1.99, -1.99, 126.5]
    targets = [d.name for d in DTYPES if not (d.kind == "u" and source.kind in "f")]
    x = np.array(numbers).astype(source.numpy)
    compare(lambda x: [call("cast", x, t) for t in targets], x, labels=targets)


def test_promotion(compare: Any) -> None:
    """Of two arrays, and of an array with Python's numbers."""
    kinds = [np.dtype(d.numpy) for d in DTYPES if d.numpy != ml_dtypes.bfloat16]
    arrays = [np.array([1, 2]).astype(kind) for kind in kinds]

    def function(*tensors: Any) -> list[Any]:
        pairs = [a * b for i, a in enumerate(tensors) for b in tensors[i:]]
        return pairs + [call("multiply", a, n) for a in tensors for n in (True, 2, 2.5, 1j)]

    compare(function, *arrays, expected=function)


def test_half_precision_meets_other_dtypes() -> None:
    brain = next(d for d in DTYPES if d.name == "bfloat16")
    wanted = {"bool": "bfloat16", "int32": "float64", "float16": "float32", "float32": "float32",
              "float64": "float64", "complex64": "complex64", "bfloat16": "bfloat16"}  # fmt: skip
    for name, result in wanted.items():
        other = next(d for d in DTYPES if d.name == name)
        assert promote(TensorType(brain, ()), TensorType(other, ()))[0].name == result


def test_what_an_operation_does_not_take() -> None:
    bad = {"subtract": bool, "bitwise_and": "f4", "bitwise_left_shift": bool, "floor": complex,
           "less": complex, "erf": complex, "sign": bool, "reciprocal": "i4",
           "cbrt": complex}  # fmt: skip
    for name, dtype in bad.items():
        x = np.ones(2, dtype)
        with pytest.raises(TypeError, match=f"{name}.* is not defined for"):
            TABLE[name](*[x] * len(TABLE[name].operands))
