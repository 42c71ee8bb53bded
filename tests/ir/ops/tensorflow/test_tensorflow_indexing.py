"""Gather, scatter, masks and slices with TensorFlow's arguments, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agir as ag
from agir import errors
from agir.ir.building.types import DTYPES, DType


def values(dtype: DType, shape: tuple[int, ...]) -> Any:
    numbers = np.arange(int(np.prod(shape))) % 11
    return (numbers - (4 if dtype.kind in "ifc" else 0)).astype(dtype.numpy).reshape(shape)


PLACES = np.array([[0, 2, 1], [1, 1, 0]])


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_gather(compare: Any, dtype: DType, dynamic: bool) -> None:
    def function(x: Any, i: Any) -> list[Any]:
        return [ag.gather(x, i, axis=1, batch_dims=1), ag.gather(x, i, axis=2, batch_dims=1),
                ag.gather(x, i, axis=2), ag.gather(x, i[0], axis=-2), ag.gather(x, i, batch_dims=-1),
                ag.gather_nd(x, PLACES[:, :2] // 2), ag.gather_nd(x, PLACES[:1]),
                ag.gather_nd(x, PLACES[:, 1:], 1)]  # fmt: skip

    def expected(x: Any, i: Any) -> list[Any]:
        one = np.stack([a[b] for a, b in zip(x, i, strict=True)])
        two = np.stack([a[:, b] for a, b in zip(x, i, strict=True)])
        p = i[:, :2] // 2
        return [one, two, x[:, :, i], x[:, i[0]], one, x[p[:, 0], p[:, 1]],
                x[i[:1, 0], i[:1, 1], i[:1, 2]],
                np.stack([a[b[0], b[1]] for a, b in zip(x, i[:, 1:], strict=True)])]  # fmt: skip

    x = values(dtype, (2, 3, 4))
    more = [[values(dtype, (4, 3, 2)).T, PLACES]] if dynamic else []
    compare(function, x, PLACES, dynamic=dynamic, expected=expected, more=more)


def test_gather_outside(record: Any) -> None:
    def function(x: Any, i: Any) -> list[Any]:
        return [ag.gather(x, i, batch_dims=1)]

    recorded = record(function, ("f4", (None, 3)), ("i4", (None, 1)))
    named = record(lambda x, i: [ag.gather_nd(x[0], i)], ("f4", (None, 3)), ("i4", (None, 1)))
    for each, name in ((recorded, "gather"), (named, "gather_nd")):
        for run in (each.compiled, each.interpreted):
            for wrong in (-1, 3):
                with pytest.raises(
                    errors.InvalidArgumentError, match=rf"{name}\(\): an index.*\n  at"
                ):
                    run(np.zeros((1, 3), "f4"), np.array([[wrong]], "i4"))
    with pytest.raises(ValueError, match="differ in size along axis 0: 1 and 2"):
        ag.gather([[1, 2]], [[0], [1]], batch_dims=1)
    for run in (recorded.compiled, recorded.interpreted):
        with pytest.raises(errors.InvalidArgumentError, match=r"differ in size along axis 0\n  at"):
            run(np.zeros((1, 3), "f4"), np.zeros((2, 1), "i4"))
    with pytest.raises(errors.InvalidArgumentError, match="lies outside of axis 0"):
        ag.gather_nd([1, 2], [[2]])
    with pytest.raises(ValueError, match="3 indices for a tensor of 2"):
        ag.gather_nd([[1, 2]], [[0, 0, 0]])


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_scatter(compare: Any, dtype: DType, dynamic: bool) -> None:
    names = ["update", "add"] + ([] if dtype.is_complex else ["min", "max"])
    names += [] if dtype.kind == "b" else ["sub"]

    def function(x: Any) -> list[Any]:
        found = [
            getattr(ag, f"tensor_scatter_nd_{name}")(x, [[0, 1], [1, 2]], x[:, 0]) for name in names
        ]
        return [*found, ag.scatter_nd([[1], [3], [1]], x[0], [5, x.shape[2] or ag.shape(x)[2]])]

    def expected(x: Any) -> list[Any]:
        found = []
        for name in names:
            new = x.copy()
            old = x[[0, 1], [1, 2]]
            how = {"update": lambda a, b: b, "add": np.add, "sub": np.subtract, "min": np.minimum,
                   "max": np.maximum}[name]  # fmt: skip
            new[[0, 1], [1, 2]] = how(old, x[:, 0])
            found.append(new)
        wide = np.zeros((5, x.shape[2]), x.dtype)
        np.add.at(wide.view() if dtype.kind != "f" else wide, [1, 3, 1], x[0])
        return [*found, wide]

    compare(function, values(dtype, (2, 3, 4)), dynamic=dynamic, expected=expected)


@pytest.mark.parametrize("dynamic", [False, True])
def test_masks_and_slices(compare: Any, dynamic: bool) -> None:
    x = values(DTYPES[4], (2, 3, 4))
    compare(
        lambda x: [
            ag.boolean_mask(x, x[:, :, 0] > 0), ag.boolean_mask(x, [True, False, True], axis=1),
            ag.where(x > 3), ag.where(x > 3, x, 0), ag.slice(x, [0, 1, 0], [-1, 2, 2]),
            ag.strided_slice(x, [0, 0, 0], [2, 3, 4], [1, 2, 1], shrink_axis_mask=1, end_mask=2),
            ag.strided_slice(x, [0, 1], [0, 9], ellipsis_mask=1),
            ag.strided_slice(x, [0], [0], new_axis_mask=1),
            ag.slice(x, [ag.size(x) - 24 + 1, 0, 1], [1, 1, 2]) if None in x.shape else x[1:2, :1, 1:3],
        ],
        x, dynamic=dynamic,
        expected=lambda x: [
            x[x[:, :, 0] > 0], x[:, [True, False, True]], np.argwhere(x > 3), np.where(x > 3, x, 0),
            x[:, 1:3, :2], x[0, ::2, :], x[..., 1:9], x[None], x[1:2, :1, 1:3],
        ],
    )  # fmt: skip


def test_wrong_masks_and_slices(record: Any) -> None:
    with pytest.raises(TypeError, match="the mask is of int64, not bool"):
        ag.boolean_mask(np.ones(3), np.array([1, 0, 1]))
    with pytest.raises(ValueError, match="3 elements from 1 on do not lie in axis 0, which has 3"):
        ag.slice([1, 2, 3], [1], [3])
    with pytest.raises(ValueError, match="x and y go together"):
        ag.where([True], 1)
    recorded = record(lambda x, n: [ag.slice(x, [n], [2])], ("f4", (None,)), ("i4", ()))
    for run in (recorded.compiled, recorded.interpreted):
        assert run(np.arange(4, dtype="f4"), np.int32(2))[0].tolist() == [2, 3]
        with pytest.raises(errors.InvalidArgumentError, match="the part does not lie in axis 0"):
            run(np.arange(4, dtype="f4"), np.int32(3))


@pytest.mark.parametrize("dynamic", [False, True])
def test_sequences(compare: Any, dynamic: bool) -> None:
    x, i = values(DTYPES[4], (2, 3, 4)), PLACES

    def expected(x: Any, i: Any) -> list[Any]:
        first, second = x.copy(), x.copy()
        for row, n in enumerate((1, 3)):
            first[row, :n] = first[row, :n][::-1]
        for column, n in enumerate((1, 0, 4)):
            second[:, column, :n] = second[:, column, :n][:, ::-1]
        eye = np.eye(4, dtype="f4")
        marked = np.where(np.moveaxis(eye[i] > 0, -1, 0), 5, 2).astype("i4")
        stitched = np.concatenate([x[:, 0], x[:1, 1]])[[0, 2, 1]]
        return [first, second, x[[]], x, eye[i], marked,
                np.moveaxis(np.eye(3, dtype=bool)[i], -1, 1), np.arange(5) < i[..., None],
                np.arange(2) < i[..., None], np.array([1, 2, 0], "i4"),
                np.take_along_axis(x, i[:, :, None], 1), stitched]  # fmt: skip

    compare(
        lambda x, i: [
            ag.reverse_sequence(x, [1, 3], seq_axis=1),
            ag.reverse_sequence(x, [1, 0, 4], seq_axis=2, batch_axis=1),
            *ag.dynamic_partition(x, [1, 1], 2), ag.one_hot(i, 4),
            ag.one_hot(i, 4, on_value=5, off_value=2, axis=0), ag.one_hot(i, 3, axis=1, dtype=bool),
            ag.sequence_mask(i, 5), ag.sequence_mask(i), ag.math.invert_permutation([2, 0, 1]),
            ag.take_along_axis(x, i[:, :, None], 1),
            ag.dynamic_stitch([[0, 2], [1]], [x[:, 0], x[:1, 1]]),
        ],
        x, i, dynamic=dynamic, expected=expected,
    )  # fmt: skip


def test_wrong_sequences(record: Any) -> None:
    recorded = record(lambda x: [ag.invert_permutation(x)], ("i4", (None,)))
    for run in (recorded.compiled, recorded.interpreted):
        assert run(np.array([1, 2, 0], "i4"))[0].tolist() == [2, 0, 1]
        with pytest.raises(errors.InvalidArgumentError, match=r"missing, or there twice\n  at"):
            run(np.array([1, 1, 0], "i4"))
        with pytest.raises(errors.InvalidArgumentError, match="index 3 is out of bounds"):
            run(np.array([1, 3, 0], "i4"))
    with pytest.raises(errors.InvalidArgumentError, match="a length is negative"):
        ag.reverse_sequence([[1, 2]], [3], seq_axis=1)
    with pytest.raises(ValueError, match="axis 3 is out of bounds"):
        ag.one_hot([1], 2, axis=3)
    with pytest.raises(errors.InvalidArgumentError, match=r"dynamic_partition\(\): an index"):
        ag.dynamic_partition([1, 2], [0, 2], 2)
