"""Reductions: every one, on every dtype, over drawn shapes and axes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agir import errors
from agir.ir.building.types import DTYPES, DType, TensorType
from agir.ir.table import TABLE
from agir.ir.tensors.dispatch import call

NAMES = ["sum", "prod", "max", "min", "mean", "any", "all", "argmax", "argmin", "var", "std",
         "count_nonzero"]  # fmt: skip
STATIC: list[Any] = [None, 0, -1, (0, 2)]
DYNAMIC: list[Any] = [1, (-1, 0)]
SMALL = {"float16": 4e-3, "bfloat16": 3e-2, "float32": 2e-5, "float64": 1e-12,
         "complex64": 2e-5, "complex128": 1e-12}  # fmt: skip


def values(dtype: DType, shape: tuple[int, ...]) -> Any:
    count = int(np.prod(shape))
    numbers = (np.arange(count) * 7 + 3) % 11 - (5 if dtype.kind in "ifc" else 0)
    found = numbers.astype(dtype.numpy)
    if dtype.is_floating:
        found = (found * 0.25).astype(dtype.numpy)
    if dtype.is_complex:
        found = found * dtype.numpy.type(0.25 + 0.5j)
    return found.reshape(shape)


def reduce_all(dtype: DType, axes: list[Any], keepdims: bool) -> tuple[Any, list[str]]:
    chosen = []
    for name in NAMES:
        if dtype.kind in TABLE[name].accepts:
            chosen += [
                (name, axis) for axis in axes if axis is None or name[:3] != "arg" or
                isinstance(axis, int)
            ]  # fmt: skip

    def function(x: Any) -> list[Any]:
        return [TABLE[name](x, axis, keepdims=keepdims) for name, axis in chosen]

    def truth(x: Any) -> list[Any]:
        with np.errstate(all="ignore"):
            return [
                np.asarray(TABLE[name].numpy[0](x, axis, keepdims=keepdims))
                for name, axis in chosen
            ]

    return (function, truth), [f"{name}(axis={axis})" for name, axis in chosen]


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_reductions(compare: Any, dtype: DType, keepdims: bool) -> None:
    x = values(dtype, (2, 3, 4))
    (function, truth), labels = reduce_all(dtype, DYNAMIC if keepdims else STATIC, keepdims)
    compare(
        function, x, dynamic=keepdims, labels=labels, rtol=SMALL.get(dtype.name),
        expected=None if dtype.is_storage_only else truth,
        more=[[x.T], [values(dtype, (1, 5, 2))]] if keepdims else [[-x if dtype.kind in "if" else x]],
    )  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_reductions_of_scalars(compare: Any, dtype: DType) -> None:
    (function, truth), labels = reduce_all(dtype, [None], False)
    x = values(dtype, (3,))[2]
    expected = None if dtype.is_storage_only else truth
    compare(function, x, labels=labels, expected=expected, rtol=SMALL.get(dtype.name))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_empty_sums(compare: Any, dtype: DType) -> None:
    names = ["sum", "prod", "mean", "any", "all", "count_nonzero", "var"]
    compare(
        lambda x: [TABLE[name](x, axis) for name in names for axis in (None, 0, 1)],
        np.zeros((0, 3), dtype.numpy),
        dynamic=True,
        more=[[np.zeros((3, 0), dtype.numpy)], [np.zeros((0, 0), dtype.numpy)]],
    )


NOTHING = {
    "max": "zero-size array to reduction operation maximum which has no identity",
    "min": "zero-size array to reduction operation minimum which has no identity",
    "argmax": "attempt to get argmax of an empty sequence",
    "argmin": "attempt to get argmin of an empty sequence",
}


@pytest.mark.parametrize("name", NOTHING)
def test_empty_extrema(record: Any, compare: Any, name: str) -> None:
    with pytest.raises(ValueError, match=NOTHING[name]):
        record(lambda x: [TABLE[name](x, 1)], ("f4", (3, 0)))
    with pytest.raises(ValueError, match=NOTHING[name]):
        TABLE[name](np.zeros((0,), "f4"))
    compare(lambda x: [TABLE[name](x, 1)], np.zeros((0, 3), "f4"))
    with pytest.raises(ValueError, match=NOTHING[name]):
        record(lambda x: [TABLE[name](x, 1)], ("f4", (0, 0)))
    recorded = record(lambda x: [TABLE[name](x, 1)], ("f4", (None, None)))
    for run in (recorded.compiled, recorded.interpreted):
        for shape in ((3, 0), (0, 0)):  # the one has no row to give, the other has none at all
            with pytest.raises(errors.InvalidArgumentError, match=NOTHING[name]):
                run(np.zeros(shape, "f4"))
        assert run(np.zeros((0, 3), "f4"))[0].shape == (0,)
        assert run(np.ones((1, 1), "f4"))[0].shape == (1,)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_not_a_number_and_ties(compare: Any, dtype: str) -> None:
    nan, inf = np.nan, np.inf
    rows = [
        [1, nan, 3, nan], [nan, 1, 2, 3], [1, 2, 3, nan], [5, 5, 5, 5], [-inf, -inf, -inf, -inf],
        [inf, inf, nan, inf], [-inf, nan, inf, 0], [0, 7, 7, -3],
    ]  # fmt: skip
    names = ["max", "min", "argmax", "argmin", "any", "all"]
    x = np.array(rows).astype(np.dtype(TensorType(_dtype(dtype), ()).dtype.numpy))
    compare(lambda x: [TABLE[name](x, axis) for name in names for axis in (1, None, 0)], x)


def _dtype(name: str) -> DType:
    return next(dtype for dtype in DTYPES if dtype.name == name)


def test_dtypes_and_long_sums(compare: Any) -> None:
    numbers = np.random.default_rng(0)
    x = numbers.standard_normal(10_000).astype(np.float32)
    compare(
        lambda x: [call("sum", x), call("mean", x), call("sum", x, dtype="float64")],
        x,
        rtol=1e-4,
        expected=lambda x: [np.sum(x), np.mean(x), np.sum(x, dtype=np.float64)],
    )
    half = np.full(4096, 1.0, np.float16)
    compare(lambda x: [call("sum", x), call("mean", x)], half)
    small = np.full(300, 100, np.int8)
    compare(
        lambda x: [call("sum", x), call("sum", x, dtype="int8"), call("prod", x, dtype="int16"),
                   call("mean", x), call("sum", x, dtype="float32"), call("sum", x, dtype=bool)],
        small,
        expected=lambda x: [np.sum(x), np.sum(x, dtype="i1"), np.prod(x, dtype="i2"), np.mean(x),
                            np.sum(x, dtype="f4"), np.asarray(np.sum(x, dtype=bool))],
    )  # fmt: skip


def test_spread(compare: Any) -> None:
    x = np.random.default_rng(1).standard_normal((5, 4))
    compare(
        lambda x: [call(n, x, axis, ddof=1) for n in ("var", "std") for axis in (None, 0, 1)],
        x,
        expected=lambda x: [
            np.asarray(f(x, axis, ddof=1)) for f in (np.var, np.std) for axis in (None, 0, 1)
        ],
    )


def test_lists_and_numbers(compare: Any) -> None:
    x = np.array([1.5, -2.0], np.float32)
    compare(
        lambda x: [call("sum", [x, x], 0), call("max", [x[0], x[1]]), call("sum", [1, 2, 3]),
                   call("sum", 2.5), call("argmax", 3), call("mean", [[x, x]], (0, 1))],
        x,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("axis", "message"),
    [(2, "axis 2 is out of bounds for 2"), (-3, "axis -3 is out"), ((0, 0), "twice")],
)
def test_wrong_axes(record: Any, axis: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        record(lambda x: [call("sum", x, axis)], ("f4", (2, 3)))
    with pytest.raises(ValueError, match=message):
        call("sum", np.zeros((2, 3)), axis)


def test_complex_numbers_have_no_order() -> None:
    for name in ("max", "min", "argmax"):
        with pytest.raises(TypeError, match="not defined for complex128"):
            call(name, np.zeros(3, complex))


def test_numpy_functions(compare: Any) -> None:
    x = np.arange(12.0).reshape(3, 4)

    def function(x: Any) -> list[Any]:
        return [np.sum(x, axis=0), np.max(x, 1), np.amin(x), np.mean(x, axis=(0, 1), keepdims=True),
                np.any(x > 3), np.all(x, axis=1), np.argmax(x, axis=1), np.std(x, axis=0),
                np.prod(x, 0), np.count_nonzero(x, axis=0), x.sum(), x.max(axis=0)]  # fmt: skip

    compare(function, x, expected=lambda x: [np.asarray(v) for v in function(x)])
