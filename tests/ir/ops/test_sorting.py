"""Order: sort and argsort of every dtype that has one, along every axis, of every length."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import agir as ag
from agir.backends.stages import Compilation
from agir.ir.building.types import DTYPES, DType
from agir.ir.ops.ordering import sorted_rows
from agir.ir.tensors.dispatch import call

ORDERED = [dtype for dtype in DTYPES if not dtype.is_complex]


def values(dtype: DType, shape: tuple[int, ...], seed: int = 0) -> Any:
    numbers = np.random.default_rng(seed)
    count = int(np.prod(shape))
    found = np.round(numbers.standard_normal(count) * 40, 1)
    if dtype.kind in "ub":
        found = np.abs(found) - (dtype.kind == "b") * 20
    with np.errstate(invalid="ignore"):
        out = found.clip(0 if dtype.kind == "b" else None).astype(dtype.numpy)
    if dtype.is_integer and count > 3:
        limits = np.iinfo(dtype.numpy)
        out[:2] = limits.max, limits.min
    if dtype.is_floating and count > 9:
        special = [np.nan, np.inf, -np.inf, 0.0, -0.0, -np.nan, 0.0]
        out[1:8] = np.array(special).astype(dtype.numpy)
    return out.reshape(shape)


def both(x: Any, axis: int = -1) -> list[Any]:
    return [call(name, x, axis, d) for name in ("sort", "argsort") for d in (False, True)]


def truth(x: Any, axis: int = -1) -> list[Any]:
    """With NumPy's own functions on keys that Python orders."""
    wide = x.astype(np.float64) if x.dtype.kind in "fV" else x.astype(object)
    if x.dtype.kind == "V" or x.dtype.kind == "f":
        up, down = np.argsort(wide, axis, kind="stable"), np.argsort(-wide, axis, kind="stable")
    else:
        signed = wide.astype(object) * 1
        up = np.argsort(signed, axis, kind="stable")
        down = np.argsort(-signed, axis, kind="stable")
    taken = [np.take_along_axis(x, order, axis) for order in (up, down)]
    return [*taken, up, down]


@pytest.mark.parametrize("dtype", ORDERED, ids=str)
def test_every_dtype(compare: Any, dtype: DType) -> None:
    x = values(dtype, (3, 4, 5))

    def some(x: Any) -> list[Any]:
        return [call("sort", x, 1), call("sort", x, 0, True), call("argsort", x, -1, True)]

    def expected(x: Any) -> list[Any]:
        return [truth(x, 1)[0], truth(x, 0)[1], truth(x)[3]]

    others = [[x.T], [values(dtype, (2, 0, 3))], [values(dtype, (1, 1, 1))]]
    compare(some, x, dynamic=True, expected=expected, more=others)
    compare(lambda x: [call("argsort", x, 0)], x[0], expected=lambda x: [truth(x, 0)[2]])


@pytest.mark.parametrize("dtype", ORDERED, ids=str)
def test_long_rows(record: Any, same: Any, dtype: DType) -> None:
    """Those that are distributed by digits, beside those that are merged."""
    for shape in ((sorted_rows.LONG + 7,), (2, sorted_rows.LONG)):
        for dynamic in (False, True):
            sizes = tuple(None if dynamic else d for d in shape)
            recorded = record(lambda x: [call("sort", x), call("argsort", x, -1, True)],
                              (dtype.numpy, sizes))  # fmt: skip
            for seed in (1, 2):
                x = values(dtype, shape, seed)
                for found, wanted in zip(recorded.compiled(x), truth(x)[::3], strict=True):
                    same(found, wanted, str(shape))
                if not dynamic:
                    continue
                x = x[..., : sorted_rows.LONG - 1]
                for found, wanted in zip(recorded.compiled(x), truth(x)[::3], strict=True):
                    same(found, wanted, str(shape))


def test_digits_in_the_interpreter(compare: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(sorted_rows, "LONG", 4)
    for dtype in ("int8", "uint16", "float32"):
        x = values(next(d for d in DTYPES if d.name == dtype), (2, 12))
        compare(
            lambda x: [call("sort", x), call("argsort", x)], x, expected=lambda x: truth(x)[::2]
        )


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(width=32) | st.sampled_from([0.0, 1.0, -1.0]), max_size=40))
def test_drawn_values(numbers: list[float]) -> None:
    x = np.array(numbers, np.float32)
    for found, wanted in zip(DRAWN(x), truth(x), strict=True):
        np.testing.assert_array_equal(found, wanted)


DRAWN = ag.jit(lambda x: both(x), input_signature=[ag.TensorSpec([None], ag.float32)])


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize(
    "given", [{"kind": "stable"}, {"kind": "mergesort"}, {"stable": True}], ids=str
)
def test_zeros_of_either_sign_are_equal_where_the_order_is_stable(
    dtype: str, given: dict[str, Any]
) -> None:
    def function(x: Any) -> Any:
        x.sort(**given)
        return x, np.sort(x[:, ::-1], **given), np.sort(x[::-1], axis=0, **given)

    x = np.array([[0.0, -0.0, 1, 0.0], [-0.0, np.nan, 0.0, -0.0], [-1, 0.0, -0.0, -np.inf]], dtype)
    for found, wanted in zip(ag.jit(function)(x.copy()), function(x.copy()), strict=True):
        np.testing.assert_array_equal(found, wanted)
        numbers = ~np.isnan(wanted)
        assert (np.signbit(found) == np.signbit(wanted))[numbers].all()


def test_names_of_numpy_and_tensorflow(compare: Any) -> None:
    x = np.array([[3, 1, 2, 1], [0, 5, -4, 0], [1, 1, 9, -2]], np.int32)

    def function(x: Any) -> list[Any]:
        return [np.sort(x), np.sort(x, axis=0), np.sort(x, axis=None), np.argsort(x, kind="stable"),
                np.argsort(x, axis=None, stable=True)]  # fmt: skip

    compare(function, x, expected=function)
    compare(
        lambda x: [ag.sort(x), ag.sort(x, direction="DESCENDING"), ag.argsort(x, 0),
                   ag.argsort(x, axis=0, direction="descending", stable=True), ag.sort([3, 1, 2])],
        x,
        expected=lambda x: [np.sort(x), -np.sort(-x), np.argsort(x, 0).astype(np.int32),
                            np.argsort(-x.astype(int), 0, kind="stable").astype(np.int32),
                            np.array([1, 2, 3], np.int32)],
    )  # fmt: skip


def test_methods_of_arrays() -> None:
    def program(x: Any) -> Any:
        order, sums = x.argsort(), x.cumsum()
        x.sort()
        places = x.searchsorted(2)
        return x, order, sums, places, x.nonzero(), x.repeat(2), x.cumprod(0)

    x = np.array([3, 0, 2, 1])
    wanted = program(x.copy())
    found = ag.jit(program)(given_ := x.copy())
    assert given_.tolist() == [0, 1, 2, 3]
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one, other)
    with pytest.raises(TypeError, match="this eager tensor is immutable"):
        ag.constant([2, 1]).sort()


def test_no_copies_in_the_loops(record: Any) -> None:
    recorded = record(lambda x: [call("sort", x), call("argsort", x)], ("f8", (None,)))
    text = Compilation.from_module(recorded.module).text("bufferized")
    loops = [line for line in text.splitlines() if line.startswith(" " * 8)]
    assert len(loops) > 100
    copies = [line for line in loops if "memref.alloc(" in line or "memref.copy" in line]
    assert not [line for line in copies if "memref<?" in line]


def test_wrong_arguments(record: Any) -> None:
    for name in ("sort", "argsort"):
        with pytest.raises(ValueError, match="axis 2 is out of bounds"):
            record(lambda x, name=name: [call(name, x, 2)], ("f4", (2, 3)))
        with pytest.raises(ValueError, match="axis -1 is out of bounds for 0"):
            call(name, 1.0)
        with pytest.raises(TypeError, match="complex numbers have no order"):
            call(name, np.zeros(3, complex))
    with pytest.raises(ValueError, match="'UP'"):
        ag.sort([1], direction="UP")
    with pytest.raises(TypeError, match="order='a'"):
        call("numpy_sort", np.zeros(2), order="a")
