"""Order, different elements, segments and counts with TensorFlow's arguments, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import agir as ag
from agir import errors
from agir.ir.building.types import DTYPES, DType

ORDERED = [d for d in DTYPES if d.name in ("bool", "int8", "uint64", "float16", "float64")]
"""The operations that these are made of are tested on every dtype."""


def values(dtype: DType, shape: tuple[int, ...]) -> Any:
    numbers = np.arange(int(np.prod(shape))) * 7 % 5
    return (numbers - (2 if dtype.kind in "if" else 0)).astype(dtype.numpy).reshape(shape)


def different(x: Any) -> list[Any]:
    """The different elements as they appear, which one each is, how often each is there."""
    found = list(dict.fromkeys(x.tolist()))
    index = [found.index(v) for v in x.tolist()]
    counts = [index.count(i) for i in range(len(found))]
    return [np.array(found, x.dtype), np.array(index, "i4"), np.array(counts, "i4")]


@pytest.mark.parametrize("dtype", ORDERED, ids=str)
def test_every_dtype(compare: Any, dtype: DType) -> None:
    def expected(x: Any, i: Any) -> list[Any]:
        wide = x.astype("f8") if dtype.kind == "f" else x.astype(int)
        order = np.argsort(-wide, -1, kind="stable")[:, :2]
        one, index, counts = different(x[0])
        return [np.take_along_axis(x, order, -1), order.astype("i4"), one, index, counts]

    def function(x: Any, i: Any) -> list[Any]:
        return [*ag.math.top_k(x, k=2), *ag.unique(x[0]), ag.unique_with_counts(x[0]).count]

    more = [[values(dtype, (4, 2)).T, PLACES]]
    compare(function, values(dtype, (3, 5)), PLACES, dynamic=True, expected=expected, more=more)
    compare(lambda x, i: [*ag.unique(x[0, :0]), *ag.top_k(x, 0)], values(dtype, (3, 5)), PLACES)


PLACES = np.array([1, 0, 1])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-5, 5), max_size=30))
def test_drawn_values(numbers: list[int]) -> None:
    x = np.array(numbers, np.int64)
    for found, wanted in zip(DRAWN(x), different(x), strict=True):
        np.testing.assert_array_equal(found, wanted)


DRAWN = ag.jit(
    lambda x: ag.unique_with_counts(x), input_signature=[ag.TensorSpec([None], ag.int64)]
)


def test_top_k_in_a_function(record: Any) -> None:
    recorded = record(lambda x, k: [*ag.top_k(x, k)], ("f4", (None,)), ("i4", ()))
    for run in (recorded.compiled, recorded.interpreted):
        found = run(np.array([1, 5, 3, 5], "f4"), np.int32(3))
        assert [v.tolist() for v in found] == [[5, 5, 3], [1, 3, 2]]
        with pytest.raises(errors.InvalidArgumentError, match=r"k is negative, or more .*\n  at"):
            run(np.zeros(2, "f4"), np.int32(3))
        with pytest.raises(errors.InvalidArgumentError, match="k is negative"):
            run(np.zeros(2, "f4"), np.int32(-1))
    with pytest.raises(ValueError, match="k=4 of 3 elements"):
        ag.top_k([1, 2, 3], 4)
    with pytest.raises(ValueError, match="takes a vector, not a tensor of 2"):
        ag.unique([[1]])


def test_questions_of_order(compare: Any) -> None:
    x = np.array([[0.1, 0.9, 0.5], [0.2, 0.2, np.inf]])
    compare(
        lambda x: [ag.math.in_top_k([2, 1], x, 2), ag.math.in_top_k([0, 2], x, 2),
                   ag.math.is_non_decreasing([1, 1, 2]), ag.math.is_strictly_increasing([1, 1]),
                   ag.math.is_strictly_increasing(x[0, :2]), ag.math.is_non_decreasing(x[0])],
        x,
        expected=lambda x: [np.array([True, True]), np.array([False, False]), np.array(True),
                            np.array(False), np.array(True), np.array(False)],
    )  # fmt: skip


# Segments.

IDS = np.array([2, 0, 2, -1, 0])


def by_segment(x: Any, ids: Any, count: int, how: str, empty: Any) -> Any:
    rows = [x[ids == i] for i in range(count)]
    with np.errstate(all="ignore"):
        found = {
            "sum": lambda r: r.sum(0, dtype=x.dtype),
            "prod": lambda r: r.prod(0, dtype=x.dtype),
            "max": lambda r: r.max(0) if len(r) else np.full(x.shape[1:], empty, x.dtype),
            "min": lambda r: r.min(0) if len(r) else np.full(x.shape[1:], empty, x.dtype),
            "mean": lambda r: r.sum(0) / max(len(r), 1),
            "sqrt_n": lambda r: r.sum(0) / np.sqrt(max(len(r), 1)),
        }[how]
    return np.stack([found(r) for r in rows]).astype(x.dtype)


@pytest.mark.parametrize("dtype", [d for d in ORDERED if d.name != "bool"], ids=str)
def test_segments(compare: Any, dtype: DType) -> None:
    kinds = ["sum", "prod", "max", "min"]
    kinds += ["mean", "sqrt_n"] if dtype.is_floating and not dtype.is_storage_only else []

    def function(x: Any) -> list[Any]:
        every = [getattr(ag.math, f"unsorted_segment_{k}")(x, IDS, 4) for k in kinds]
        ordered = [k for k in kinds if k != "sqrt_n"]
        return every + [getattr(ag.math, f"segment_{k}")(x, [0, 0, 1, 3, 3]) for k in ordered]

    def expected(x: Any) -> list[Any]:
        limits = {"max": dtype.min, "min": dtype.max}
        every = [by_segment(x, IDS, 4, k, limits.get(k)) for k in kinds]
        ids = np.array([0, 0, 1, 3, 3])
        return every + [by_segment(x, ids, 4, k, 0) for k in kinds if k != "sqrt_n"]

    compare(
        function,
        values(dtype, (5, 2)),
        dynamic=True,
        expected=None if dtype.is_storage_only else expected,
        more=[[values(dtype, (3, 5)).T]],
    )


def test_segments_of_more_dimensions_and_none(compare: Any) -> None:
    x = np.arange(6.0).reshape(2, 3)
    compare(
        lambda x: [ag.math.unsorted_segment_sum(x, [[0, 1, 0], [1, -1, 0]], 2),
                   ag.math.segment_sum(x[:0], np.zeros(0, int)),
                   ag.math.unsorted_segment_max(x[:0], np.zeros(0, int), 1)],
        x,
        expected=lambda x: [np.array([7.0, 4.0]), np.zeros((0, 3)),
                            np.full((1, 3), -np.finfo("f8").max)],
    )  # fmt: skip


def test_wrong_segments(record: Any) -> None:
    recorded = record(lambda x, i: [ag.math.segment_sum(x, i)], ("f4", (2,)), ("i4", (2,)))
    for run in (recorded.compiled, recorded.interpreted):
        with pytest.raises(errors.InvalidArgumentError, match=r"are not sorted, or one is.*\n  at"):
            run(np.zeros(2, "f4"), np.array([1, 0], "i4"))
    turned = record(
        lambda x, i: [ag.math.unsorted_segment_sum(x, i, 2)],
        ("f4", (None, None)),
        ("i4", (None, None)),
    )
    for run in (turned.compiled, turned.interpreted):
        with pytest.raises(errors.InvalidArgumentError, match="differ in size along axis 0"):
            run(np.zeros((2, 3), "f4"), np.zeros((3, 2), "i4"))
    with pytest.raises(errors.InvalidArgumentError, match="is not below num_segments"):
        ag.math.unsorted_segment_sum([1, 2], [0, 2], 2)
    with pytest.raises(ValueError, match=r"the shape \[3\] of the segment numbers"):
        ag.math.segment_sum([1, 2], [0, 0, 1])
    with pytest.raises(TypeError, match="segment numbers are integers, not float32"):
        ag.math.segment_sum([1, 2], [0.0, 1.0])


def test_counts(compare: Any) -> None:
    i = np.array([4, 1, 4, 4, 0, 1])
    x = np.array([-1.0, 0.0, 1.9, 2.0, 4.99, 5.0, 9.0])
    compare(
        lambda i, x: [
            ag.math.bincount(i), ag.math.bincount(i, minlength=7), ag.math.bincount(i, maxlength=2),
            ag.math.bincount(i, weights=i * 0.5), ag.math.bincount([[1, 2], [0, 1]], axis=-1),
            ag.math.bincount(i, binary_output=True), ag.math.bincount(i[:0]),
            ag.histogram_fixed_width(x, [0.0, 5.0], 5),
            ag.histogram_fixed_width_bins(x, [0.0, 5.0], 5),
            ag.math.confusion_matrix([1, 2, 0], [1, 1, 0]),
            ag.math.confusion_matrix([1, 2], [1, 1], 4, weights=[0.5, 0.25], dtype="f4"),
        ],
        i, x, dynamic=True,
        expected=lambda i, x: [
            np.bincount(i).astype("i4"), np.bincount(i, minlength=7).astype("i4"),
            np.bincount(i)[:2].astype("i4"), np.bincount(i, weights=i * 0.5),
            np.array([[0, 1, 1], [1, 1, 0]], "i4"), np.array([1, 1, 0, 0, 1], "i4"),
            np.zeros(0, "i4"), np.array([2, 1, 1, 0, 3], "i4"),
            np.array([0, 0, 1, 2, 4, 4, 4], "i4"),
            np.array([[1, 0, 0], [0, 1, 0], [0, 1, 0]], "i4"),
            np.array([[0] * 4, [0, 0.5, 0, 0], [0, 0.25, 0, 0], [0] * 4], "f4"),
        ],
    )  # fmt: skip
    with pytest.raises(errors.InvalidArgumentError, match="a number is negative"):
        ag.math.bincount([-1])
    with pytest.raises(errors.InvalidArgumentError, match="value_range is empty"):
        ag.histogram_fixed_width([1.0], [2.0, 2.0])
