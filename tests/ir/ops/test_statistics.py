"""NumPy's median, quantiles, counts and differences on traced arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agir import errors
from agir.ir.tensors.dispatch import call


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint32", "float16", "float32", "float64"])
def test_quantiles(compare: Any, dtype: str) -> None:
    x = (np.arange(20) * 7 % 11).astype(dtype).reshape(4, 5)
    if dtype.startswith("float"):
        x[1, 2] = np.nan
        x[3] = [np.inf, 1, -np.inf, np.inf, 5]

    def function(x: Any) -> list[Any]:
        medians = [np.median(x), np.median(x, axis=0), np.median(x, axis=1, keepdims=True)]
        if dtype == "bool":
            return medians
        return [*medians, np.percentile(x, 30, axis=1), np.quantile(x, [0.0, 0.25, 1.0], axis=-1)]

    def expected(x: Any) -> list[Any]:
        return [np.asarray(v) for v in function(x)]

    compare(function, x[:3], dynamic=True, rtol=3e-3 if dtype == "float16" else 1e-6,
            expected=expected, more=[[x[:3].T], [x[:1, :1]]])  # fmt: skip
    if dtype == "float64":
        compare(lambda x: [np.median(x, axis=1)], x)


def test_counts_and_differences(compare: Any) -> None:
    x, y = np.array([[3, 0, 1], [1, 1, 7]]), np.array([[0, 2], [1, 1]])

    def function(x: Any, y: Any) -> list[Any]:
        return [np.bincount(x[0]), np.bincount(x[1], minlength=9), np.bincount(x[0], weights=x[1]),
                np.diff(x), np.diff(x, axis=0), np.diff(x, n=2), np.diff(x > 1), np.argwhere(x),
                np.take_along_axis(x, y, 1), np.take_along_axis(x, y[0], None)]  # fmt: skip

    compare(function, x, y, dynamic=True, expected=function)


def test_wrong_arguments(record: Any) -> None:
    with pytest.raises(TypeError, match="complex numbers have no order"):
        call("median", np.zeros(2, complex))
    with pytest.raises(ValueError, match=r"axis 2 is out of bounds[^\n]*\n  at"):
        record(lambda x: [np.median(x, axis=2)], ("f4", (2, 3)))
    recorded = record(lambda x: [np.bincount(x)], ("i4", (None,)))
    for run in (recorded.compiled, recorded.interpreted):
        with pytest.raises(errors.RuntimeValueError, match="not negative"):
            run(np.array([-1, 1], "i4"))
