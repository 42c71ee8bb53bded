"""Subscripts drawn at random: ints, slices, new axes, ``...``; read and assigned."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import agir as ag
from agir import errors
from agir.ir.building.types import DTYPES, DType
from agir.ir.convention import NUMPY

BOUND = st.none() | st.integers(-6, 6)
SLICE = st.builds(slice, BOUND, BOUND, st.none() | st.sampled_from([1, 2, 3, -1, -2, -3]))


@st.composite
def keys(draw: Any, shape: tuple[int, ...]) -> tuple[Any, ...]:
    entries: list[Any] = []
    for size in shape[: draw(st.integers(0, len(shape)))]:
        if draw(st.integers(0, 4)) == 0:
            entries.append(None)
        if size and draw(st.integers(0, 2)) == 0:
            entries.append(draw(st.integers(-size, size - 1)))
        else:
            entries.append(draw(SLICE))
    if draw(st.booleans()) and all(e is None or isinstance(e, slice) for e in entries):
        entries.append(Ellipsis)
    if draw(st.integers(0, 4)) == 0:
        entries.append(None)
    return tuple(entries)


SHAPES = [(5,), (4, 3), (2, 3, 4), (1, 0, 3)]


@settings(max_examples=5, phases=[Phase.generate])
@given(st.data())
def test_reading(compare: Any, data: Any) -> None:
    for shape in SHAPES:
        chosen = data.draw(st.lists(keys(shape), min_size=5, max_size=5))
        x = np.arange(np.prod(shape), dtype="i4").reshape(shape)
        for dynamic in (False, True):
            compare(
                lambda x, chosen=chosen: [x[key] for key in chosen],
                x,
                dynamic=dynamic,
                expected=lambda x, chosen=chosen: [np.asarray(x[key]) for key in chosen],
                labels=[str(key) for key in chosen],
            )


@settings(max_examples=4, phases=[Phase.generate])
@given(st.data())
def test_assigning(record: Any, same: Any, data: Any) -> None:
    for shape in SHAPES:
        chosen = data.draw(st.lists(keys(shape), min_size=5, max_size=5))

        def write(x: Any, y: Any, chosen: Any = chosen) -> list[Any]:
            found = []
            for number, key in enumerate(chosen):
                z = x * 1
                z[key] = y if number % 2 else z[key] + 7
                found.append(z)
                z = x * 1
                z[key] += 1
                found.append(z)
            return found

        x = np.arange(np.prod(shape), dtype="i4").reshape(shape)
        y = np.int32(-1)
        wanted = write(x, y)
        for given_shape in (shape, (None,) * len(shape)):
            recorded = record(write, ("i4", given_shape), ("i4", ()), convention=NUMPY)
            for run in (recorded.compiled, recorded.interpreted):
                for got, want, key in zip(run(x, y), wanted, np.repeat(range(5), 2), strict=True):
                    same(got, want, f"assigning {chosen[key]} of {shape}")


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_dtype(compare: Any, record: Any, dtype: DType) -> None:
    x = (np.arange(12) % 5).astype(dtype.numpy).reshape(3, 4)

    def read(x: Any) -> list[Any]:
        return [x[1], x[::2, ::-1], x[None, 0, -1], x[2, 3], x[..., 1:1]]

    for dynamic in (False, True):
        compare(read, x, dynamic=dynamic, more=[[np.asfortranarray(x)]])

    def write(x: Any) -> list[Any]:
        y = x[:, :]
        y[0] = x[1]
        y[2, ::-2] = x[0, 0]
        return [y]

    recorded = record(write, (dtype, (None, 4)), convention=NUMPY)
    wanted = write(x.copy())[0]
    for run in (recorded.compiled, recorded.interpreted):
        assert run(x)[0].tobytes() == wanted.tobytes()


def test_run_time_positions(record: Any) -> None:
    def read(x: Any, i: Any, j: Any) -> list[Any]:
        return [x[i], x[i, 1:j], x[j:i:-1, 0], x[:i], x[i:][::2]]

    x = np.arange(20.0).reshape(5, 4)
    for shape in ((5, 4), (None, None)):
        for kind in ("int64", "int32", "uint8"):
            recorded = record(read, ("f8", shape), (kind, ()), (kind, ()))
            for i, j in ((0, 3), (4, 1), (2, 2), (-1, -3), (-5, 4)):
                if kind == "uint8" and min(i, j) < 0:
                    continue
                a, b = np.dtype(kind).type(i), np.dtype(kind).type(j)
                for run in (recorded.compiled, recorded.interpreted):
                    for got, want in zip(run(x, a, b), read(x, i, j), strict=True):
                        np.testing.assert_array_equal(got, want)
            for i in (5, -6) if kind != "uint8" else (5, 255):
                for run in (recorded.compiled, recorded.interpreted):
                    with pytest.raises(
                        errors.RuntimeIndexError, match=f"index {i} is out of bounds"
                    ):
                        run(x, np.dtype(kind).type(i), np.dtype(kind).type(0))


def test_positions_outside(record: Any) -> None:
    for key in (3, -4, (0, 2), (Ellipsis, -3)):
        with pytest.raises(IndexError, match="out of bounds"):
            record(lambda x, key=key: [x[key]], ("f4", (3, 2)))
    with pytest.raises(IndexError, match="too many indices"):
        record(lambda x: [x[0, 0, 0]], ("f4", (3, None)))
    with pytest.raises(IndexError, match="single ellipsis"):
        record(lambda x: [x[..., 0, ...]], ("f4", (None, 2)))


def test_shapes_that_do_not_fit(record: Any) -> None:
    def write(x: Any, y: Any) -> list[Any]:
        x[1:] = y
        return [x]

    with pytest.raises(ValueError, match="does not broadcast"):
        record(write, ("f4", (3, 2)), ("f4", (3, 2)))
    recorded = record(write, ("f4", (None, 2)), ("f4", (None, 2)), convention=NUMPY)
    for run in (recorded.compiled, recorded.interpreted):
        with pytest.raises(errors.RuntimeShapeError, match="differ in size"):
            run(np.zeros((4, 2), "f4"), np.zeros((5, 2), "f4"))
        assert run(np.zeros((3, 2), "f4"), np.ones((2, 2), "f4"))[0].sum() == 4
        assert run(np.zeros((3, 2), "f4"), np.ones((1, 2), "f4"))[0].sum() == 4


@pytest.mark.parametrize("shape", [(0,), (0, 3), (2, 0)])
@pytest.mark.parametrize("jit_compile", [None, False])
def test_bounds_of_the_run_time_in_arrays_without_elements(
    shape: tuple[int, ...], jit_compile: bool | None
) -> None:
    def parts(x: Any, n: int) -> Any:
        x[:n] = 3
        x[..., n:] += 1
        return x[:n], x[..., -n:], x

    decorated = ag.jit(parts, jit_compile=jit_compile)
    for n in (0, 1, 2):
        expected = parts(np.zeros(shape), n)
        for found, wanted in zip(decorated(np.zeros(shape), n), expected, strict=True):
            np.testing.assert_array_equal(found, wanted)
