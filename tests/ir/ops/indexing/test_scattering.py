"""Writing to computed places, and bits."""

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

UFUNCS = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "min": np.minimum,
          "max": np.maximum}  # fmt: skip


def ways(dtype: DType) -> list[str]:
    unordered = ("min", "max") if dtype.is_complex else ()
    return [
        w for w in ("update", *UFUNCS) if w not in unordered and (w, dtype.kind) != ("sub", "b")
    ]


def truth(x: Any, indices: Any, updates: Any, how: str) -> Any:
    """One update after the other, in plain Python."""
    found = x.copy()
    for place in np.ndindex(indices.shape[:-1]):
        at = tuple(indices[place])
        found[at] = updates[place] if how == "update" else UFUNCS[how](found[at], updates[place])
    return found


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_dtype(compare: Any, dtype: DType) -> None:
    numbers = np.arange(24) % 7 - (3 if dtype.kind in "ifc" else 0)
    x = numbers.reshape(2, 3, 4).astype(dtype.numpy)
    rows = (numbers[::-1].reshape(2, 3, 4)[0]).astype(dtype.numpy)
    indices = np.array([[1, 0], [0, 2], [1, 0]])
    names = ways(dtype)
    compare(
        lambda x, u, i: [call("scatter", x, i, u, how) for how in names],
        x, rows, indices,
        expected=lambda x, u, i: [truth(x, i, u, how) for how in names],
    )  # fmt: skip


def test_shapes_known_at_run_time(compare: Any) -> None:
    x, i, u = np.arange(6.0).reshape(3, 2), np.array([2, 0, 2]), np.arange(6.0).reshape(3, 2)
    compare(
        lambda x, i, u: [call("scatter", x, i[:, None], u, how) for how in ("update", "add", "max")],
        x, i, u, dynamic=True,
        expected=lambda x, i, u: [truth(x, i[:, None], u, how) for how in ("update", "add", "max")],
        more=[[x.T, np.array([1]), u[:1].repeat(3).reshape(2, 3)[:1]], [x, i[:0], u[:0]]],
    )  # fmt: skip
    compare(
        lambda x, u: [call("scatter", x, [0, 1], 9.0), call("scatter", x, [0, 1], u[0, 0], "add"),
                      call("scatter", x, np.zeros((1, 0), int), u[None], "add"),
                      call("scatter", x, np.zeros((0, 2), int), u[0, :0])],
        x, u,
    )  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(-9, 9)), max_size=20))
def test_drawn_values(pairs: list[tuple[int, int]]) -> None:
    places = np.array([p for p, _ in pairs], np.int64)
    numbers = np.array([n for _, n in pairs], np.int64)
    expected = [
        truth(np.zeros(5, np.int64), places[:, None], numbers, h) for h in ("add", "update")
    ]
    for found, wanted in zip(DRAWN(places, numbers), expected, strict=True):
        np.testing.assert_array_equal(found, wanted)


@ag.jit(input_signature=[ag.TensorSpec([None], ag.int64)] * 2)
def DRAWN(places: Any, numbers: Any) -> Any:
    zeros = ag.zeros([5], ag.int64)
    return [call("scatter", zeros, places[:, None], numbers, how) for how in ("add", "update")]


def test_places_outside(record: Any) -> None:
    recorded = record(
        lambda x, i: [call("scatter", x, i, [1.0, 2.0], "add")], ("f4", (3,)), ("i4", (2, 1))
    )
    for run in (recorded.compiled, recorded.interpreted):
        for wrong in (3, -1):
            with pytest.raises(errors.RuntimeIndexError, match=f"index {wrong} is out of bounds"):
                run(np.zeros(3, "f4"), np.array([[0], [wrong]], "i4"))
    with pytest.raises(IndexError, match="index 5 is out of bounds for axis 0 with size 2"):
        call("scatter", [1, 2], [[5]], [1])


def test_wrong_arguments(record: Any) -> None:
    with pytest.raises(ValueError, match=r"shape \[2\], where .* ask for \[1\]\n  at"):
        record(lambda x: [call("scatter", x, [[0]], [1.0, 2.0])], ("f4", (3,)))
    with pytest.raises(ValueError, match="an index of 2 numbers for a tensor of 1"):
        call("scatter", [1, 2], [[0, 1]], [1])
    with pytest.raises(TypeError, match="indices are integers"):
        call("scatter", [1, 2], [[0.5]], [1])
    with pytest.raises(TypeError, match="not defined for complex128"):
        call("scatter", np.zeros(2, complex), [[0]], [1j], "max")


# Bits.


@pytest.mark.parametrize("dtype", [d for d in DTYPES if d.kind in "iuf"], ids=str)
def test_bitcast(compare: Any, dtype: DType) -> None:
    x = (np.arange(8) * 1.25 - 3).astype("i2" if dtype.kind == "u" else dtype.numpy)
    x = x.astype(dtype.numpy).reshape(2, 4)
    whole = {8: "int8", 16: "uint16", 32: "int32", 64: "uint64"}[dtype.bits]
    compare(
        lambda x: [call("same_bits", x, whole), ag.bitcast(x, "uint8")],
        x, dynamic=True,
        expected=lambda x: [np.ascontiguousarray(x).view(whole),
                            np.ascontiguousarray(x).view("u1").reshape(
                                x.shape + (() if dtype.bits == 8 else (dtype.itemsize,)))],
        more=[[x.T], [x[:0]]],
    )  # fmt: skip
    compare(lambda x: [call("same_bits", x, whole)], x[0, 1])
    if dtype.bits == 16:
        compare(lambda x: [ag.bitcast(x, "float64")], x, expected=lambda x: [x.view("f8")[:, 0]])


def test_complex(compare: Any) -> None:
    for kind in ("f4", "f8", "i4"):
        x = np.array([[1, -2], [0, 3]], kind)
        compare(
            lambda x: [call("complex", x, x[0]), ag.complex(x, 2), ag.complex(1, x), ag.math.real(x)],
            x, dynamic=True, more=[[x[:1]]],
        )  # fmt: skip
    inf = ag.complex(np.inf, np.nan).numpy()
    assert (inf.real, np.isnan(inf.imag)) == (np.inf, True)
    with pytest.raises(TypeError, match="not defined for float16"):
        ag.complex(np.float16(1), np.float16(1))
    with pytest.raises(TypeError, match="not defined between bool"):
        ag.bitcast(np.array([True]), "uint8")
