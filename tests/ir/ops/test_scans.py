"""Running totals: every dtype, axis and direction, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.ir.building.types import DTYPES, DType
from agir.ir.tensors.dispatch import call

SCANS = {"cumsum": np.cumsum, "cumprod": np.cumprod}
SMALL = {"float16": 4e-3, "bfloat16": 3e-2, "float32": 1e-5, "complex64": 1e-5}


def values(dtype: DType, shape: tuple[int, ...]) -> Any:
    numbers = (np.arange(int(np.prod(shape))) * 7 + 3) % 5 - (2 if dtype.kind in "ifc" else 0)
    found = numbers.astype(dtype.numpy)
    if dtype.is_complex:
        found = found * dtype.numpy.type(0.5 + 0.25j)
    return found.reshape(shape)


def truth(name: str, x: Any, axis: int, exclusive: bool, reverse: bool) -> Any:
    wide = x.astype(np.float64) if x.dtype.kind == "V" or x.dtype == np.float16 else x
    wide = np.flip(wide, axis) if reverse else wide
    if x.dtype == bool:
        found = SCANS[name](wide.astype(int), axis) != 0
    else:
        found = SCANS[name](wide, axis, dtype=wide.dtype)
    if exclusive:
        found = np.roll(found, 1, axis)
        found[(slice(None),) * axis + (slice(0, 1),)] = name == "cumprod"
    return (np.flip(found, axis) if reverse else found).astype(x.dtype)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", SCANS)
def test_every_dtype(compare: Any, dtype: DType, name: str) -> None:
    ways = [(0, False, True), (1, True, False), (2, False, False), (2, True, True)]
    compare(
        lambda x: [call(name, x, *way) for way in ways],
        values(dtype, (2, 3, 4)),
        dynamic=True,
        expected=lambda x: [truth(name, x, *way) for way in ways],
        more=[[values(dtype, (4, 3, 2)).T], [values(dtype, (2, 0, 3))], [values(dtype, (1, 1, 1))]],
        rtol=SMALL.get(dtype.name),
    )
    compare(lambda x: [call(name, x, -1)], values(dtype, (5,)))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_cumulative_logsumexp(compare: Any, dtype: str) -> None:
    x = np.array(
        [[1, -2, 800, 800], [-np.inf, -np.inf, 3, np.nan], [np.inf, 1, np.inf, -900]], dtype
    )
    tolerance = 4e-3 if dtype == "float16" else 1e-5

    def expected(x: Any) -> list[Any]:
        with np.errstate(invalid="ignore"):
            wide = [np.logaddexp.accumulate(x.astype("f8"), axis) for axis in (0, 1)]
        return [found.astype(dtype) for found in wide] + [None]

    ways = [(0, False, False), (1, False, False), (1, True, True)]
    compare(
        lambda x: [call("cumulative_logsumexp", x, *way) for way in ways],
        x,
        dynamic=True,
        rtol=tolerance,
        expected=expected,
        more=[[np.zeros((0, 4), dtype)]],
    )


def test_names_of_numpy(compare: Any) -> None:
    x = np.array([[1, 2, -3], [100, 100, 100]], np.int8)

    def function(x: Any) -> list[Any]:
        return [np.cumsum(x), np.cumsum(x, axis=0), np.cumprod(x, 1), np.cumsum(x > 1, dtype="i4")]

    compare(function, x, expected=function)
    assert function(x)[0].dtype == call("numpy_cumsum", x).dtype.numpy
    assert function(x)[2].dtype == call("numpy_cumprod", x, 1).dtype.numpy
    assert ag.cumsum(x).dtype == ag.int8


def test_wrong_arguments(record: Any) -> None:
    for name in ("cumsum", "cumprod", "cumulative_logsumexp"):
        with pytest.raises(ValueError, match=r"axis 2 is out of bounds[^\n]*\n  at .*record"):
            record(lambda x, name=name: [call(name, x, 2)], ("f4", (2, 3)))
    with pytest.raises(TypeError, match="not defined for int32"):
        call("cumulative_logsumexp", [1, 2])


@pytest.mark.parametrize("dtype", [d for d in DTYPES if not d.is_complex], ids=str)
def test_extrema_so_far(compare: Any, dtype: DType) -> None:
    x = values(dtype, (3, 4))
    wide = x.astype(np.float32) if dtype.is_storage_only else x
    compare(
        lambda x: [call(name, x, axis) for name in ("cummax", "cummin") for axis in (0, 1)],
        x,
        expected=lambda _: [
            ufunc.accumulate(wide, axis).astype(x.dtype)
            for ufunc in (np.maximum, np.minimum)
            for axis in (0, 1)
        ],
    )


def test_extrema_so_far_keep_nan(compare: Any) -> None:
    x = np.array([1.0, 3.0, np.nan, 5.0])
    compare(
        lambda x: [call("cummax", x, 0), call("cummin", x, 0)],
        x,
        expected=lambda x: [np.maximum.accumulate(x), np.minimum.accumulate(x)],
    )
