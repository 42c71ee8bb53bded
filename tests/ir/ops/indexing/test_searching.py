"""Where values stand, and where elements are not zero."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import agir as ag
from agir import errors
from agir.ir.building.types import DTYPES, DType
from agir.ir.tensors.dispatch import call

ORDERED = [dtype for dtype in DTYPES if not dtype.is_complex]


def both(rows: Any, values: Any) -> list[Any]:
    return [call("searchsorted", rows, values, side) for side in ("left", "right")]


def truth(rows: Any, values: Any) -> list[Any]:
    wide = [v.astype("f8") if v.dtype.kind == "V" else v for v in (rows, values)]
    if rows.ndim == 1:
        return [np.searchsorted(*wide, side) for side in ("left", "right")]
    return [
        np.stack([np.searchsorted(r, v, side) for r, v in zip(*wide, strict=True)])
        for side in ("left", "right")
    ]


@pytest.mark.parametrize("dtype", ORDERED, ids=str)
def test_every_dtype(compare: Any, dtype: DType) -> None:
    numbers = np.random.default_rng(0).integers(0, 9, (2, 7))
    rows = np.sort(numbers, -1).astype(dtype.numpy)
    if dtype.is_floating:
        rows[0, -1] = np.nan
    values = np.array([[0, 3, 9], [5, 8, 1]]).astype(dtype.numpy)
    compare(
        both, rows, values, dynamic=True, expected=truth,
        more=[[rows[:, :0], values], [rows, values[:, :0]], [rows[:1], values.T[:1]]],
    )  # fmt: skip
    compare(both, rows[0], values, expected=truth)
    compare(both, rows[1], values[0, 1])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-9, 9), max_size=30), st.lists(st.integers(-12, 12), max_size=9))
def test_drawn_values(row: list[int], values: list[int]) -> None:
    given_ = np.sort(np.array(row, np.int64)), np.array(values, np.int64)
    for found, wanted in zip(DRAWN(*given_), truth(*given_), strict=True):
        np.testing.assert_array_equal(found, wanted)


DRAWN = ag.jit(
    lambda rows, values: both(rows, values),
    input_signature=[ag.TensorSpec([None], ag.int64)] * 2,
)


def test_names(compare: Any) -> None:
    row, values = np.array([5, 1, 3]), np.array([2, 4, 1])

    def function(row: Any, values: Any) -> list[Any]:
        order = np.argsort(row)
        return [np.searchsorted(row[order], values, side="right"),
                np.searchsorted(row, values, sorter=order)]  # fmt: skip

    compare(function, row, values, expected=function)
    assert call("numpy_searchsorted", [1, 2], 2).numpy() == 1
    assert ag.searchsorted([1.0, 2.0], [1.5]).dtype == ag.int32


def test_wrong_arguments(record: Any) -> None:
    with pytest.raises(ValueError, match=r"differ before their last dimension\n  at"):
        record(lambda x, y: both(x, y), ("f4", (2, 3)), ("f4", (3, 3)))
    with pytest.raises(ValueError, match="'left' or 'right', not 'middle'"):
        call("searchsorted", [1], [1], "middle")
    recorded = record(lambda x, y: both(x, y), ("f4", (None, 3)), ("f4", (None, 3)))
    for run in (recorded.compiled, recorded.interpreted):
        with pytest.raises(errors.RuntimeShapeError, match="that are searched"):
            run(np.zeros((2, 3), "f4"), np.zeros((3, 3), "f4"))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_nonzero(compare: Any, dtype: DType) -> None:
    x = (np.arange(12).reshape(3, 4) % 3).astype(dtype.numpy)

    def expected(x: Any) -> list[Any]:
        return [np.argwhere(x), *np.nonzero(x)]

    compare(
        lambda x: [call("nonzero", x), *np.nonzero(x)],
        x,
        dynamic=True,
        expected=expected,
        more=[[x.T], [x[:0]], [np.zeros_like(x)]],
    )
    for number in (x[0, 0], x[0, 1]):
        compare(lambda x: [ag.where(x)], number, expected=lambda x: [np.argwhere(x)])
    assert len(call("numpy_nonzero", x)) == 2
