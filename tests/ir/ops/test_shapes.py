"""Shapes: reshaping, joining, padding, taking, static and dynamic, on every dtype."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from agir import errors
from agir.ir.building.types import DTYPES, DType, as_dtype
from agir.ir.convention import NUMPY
from agir.ir.tensors.dispatch import call

Functions = list[tuple[str, Callable[[Any], Any], Callable[[Any], Any]]]
"""(label, on tensors, on arrays)."""


def _op(name: str, *arguments: Any, **options: Any) -> Callable[[Any], Any]:
    return lambda x: call(name, x, *arguments, **options)


def _np(name: str, *arguments: Any, **options: Any) -> Callable[[Any], Any]:
    return lambda x: getattr(np, name)(x, *arguments, **options)


CASES: Functions = [
    ("reshape", _op("reshape", (4, -1)), _np("reshape", (4, -1))),
    ("reshape flat", _op("reshape", -1), _np("reshape", -1)),
    ("reshape units", _op("reshape", (1, 2, 1, 3, 4, 1)), _np("reshape", (1, 2, 1, 3, 4, 1))),
    ("reshape mixed", _op("reshape", (2, 6, 2)), _np("reshape", (2, 6, 2))),
    ("ravel", _op("ravel"), _np("ravel")),
    ("transpose", _op("transpose"), _np("transpose")),
    ("transpose axes", _op("transpose", (1, -1, 0)), _np("transpose", (1, -1, 0))),
    ("swapaxes", _op("swapaxes", 0, -1), _np("swapaxes", 0, -1)),
    ("moveaxis", _op("moveaxis", 0, -1), _np("moveaxis", 0, -1)),
    ("moveaxis several", _op("moveaxis", (0, 1), (1, 2)), _np("moveaxis", (0, 1), (1, 2))),
    ("expand_dims", _op("expand_dims", (0, -1)), _np("expand_dims", (0, -1))),
    ("squeeze", lambda x: call("squeeze", x[:, :1], 1), lambda x: np.squeeze(x[:, :1], 1)),
    ("squeeze all", lambda x: call("squeeze", x[None]), lambda x: x),
    ("broadcast_to", _op("broadcast_to", (5, 2, 3, 4)), _np("broadcast_to", (5, 2, 3, 4))),
    ("broadcast units", lambda x: call("broadcast_to", x[:, :1], (2, 3, 4)),
     lambda x: np.broadcast_to(x[:, :1], (2, 3, 4))),
    ("shape", _op("shape"), lambda x: np.array(x.shape, np.int32)),
    ("size", _op("size"), lambda x: np.int32(x.size)),
    ("rank", _op("rank"), lambda x: np.int32(x.ndim)),
    ("numpy_shape", _op("numpy_shape"), lambda x: [np.int64(d) for d in x.shape]),
    ("numpy_size", _op("numpy_size"), lambda x: np.int64(x.size)),
    ("numpy_ndim", _op("numpy_ndim"), lambda x: np.int64(x.ndim)),
    ("concat", lambda x: call("concat", [x, x[:1], x], 0), lambda x: np.concatenate([x, x[:1], x])),
    ("concat last", lambda x: call("concat", [x, x], -1), lambda x: np.concatenate([x, x], -1)),
    ("concat flat", lambda x: call("concat", [x, x[0]], None),
     lambda x: np.concatenate([x, x[0]], None)),
    ("stack", lambda x: call("stack", [x[0], x[1]], 1), lambda x: np.stack([x[0], x[1]], 1)),
    ("stack scalars", lambda x: call("stack", [x[0, 0, 0], x[1, 2, 3]]),
     lambda x: np.stack([x[0, 0, 0], x[1, 2, 3]])),
    ("hstack", lambda x: call("hstack", [x, x]), lambda x: np.hstack([x, x])),
    ("vstack", lambda x: call("vstack", [x[0, 0], x[1, 1]]), lambda x: np.vstack([x[0, 0], x[1, 1]])),
    ("unstack", _op("unstack", 3, 1), lambda x: [x[:, i] for i in range(3)]),
    ("split", _op("split", 2, -1), lambda x: np.split(x, 2, -1)),
    ("split sizes", _op("split", [1, 3], 2), lambda x: np.split(x, [1], 2)),
    ("numpy_split", _op("numpy_split", [1, 2], 1), lambda x: np.split(x, [1, 2], 1)),
    ("take", _op("take", [[0, -1], [1, 1]], 1), lambda x: np.take(x, [[0, -1], [1, 1]], 1)),
    ("gather", _op("gather", [2, 0, 1], 1), lambda x: np.take(x, [2, 0, 1], 1)),
    ("take reached", _op("take_reached", [-1, 0], 1), lambda x: np.take(x, [-1, 0], 1)),
    ("gather one", _op("gather", 1, 2), lambda x: np.take(x, 1, 2)),
    ("numpy_take", _op("numpy_take", [23, 0]), lambda x: np.take(x, [23, 0])),
    ("flip", _op("flip"), _np("flip")),
    ("flip axes", _op("flip", (0, 2)), _np("flip", (0, 2))),
    ("roll", _op("roll", 5), _np("roll", 5)),
    ("roll axes", _op("roll", (-1, 6), (0, 1)), _np("roll", (-1, 6), (0, 1))),
    ("tile", _op("tile", (2, 1, 3)), _np("tile", (2, 1, 3))),
    ("tile more", _op("tile", (2, 1, 2, 1)), _np("tile", (2, 1, 2, 1))),
    ("tile none", _op("tile", (0, 1, 2)), _np("tile", (0, 1, 2))),
    ("repeat", _op("repeat", 2), _np("repeat", 2)),
    ("repeat axis", _op("repeat", 3, 1), _np("repeat", 3, 1)),
    ("pad", _op("pad", [[1, 0], [0, 2], [1, 1]], constant_values=1),
     lambda x: np.pad(x, [[1, 0], [0, 2], [1, 1]], constant_values=1)),
    ("pad all", _op("pad", 1), _np("pad", 1)),
    ("pad edge", _op("pad", (2, 3), "edge"), _np("pad", (2, 3), "edge")),
    ("pad reflect", _op("pad", (2, 3), "reflect"), _np("pad", (2, 3), "reflect")),
    ("pad symmetric", _op("pad", (5, 7), "SYMMETRIC"), _np("pad", (5, 7), "symmetric")),
    ("pad wrap", _op("pad", (2, 5), "wrap"), _np("pad", (2, 5), "wrap")),
    ("fill_like", _op("fill_like", 1), _np("full_like", 1)),
    ("clip", lambda x: x if x.dtype.kind in "bc" else call("clip", x, 1, 2),
     lambda x: x if x.dtype.kind in "bc" else np.clip(x, *np.array([1, 2], x.dtype)).astype(x.dtype)),
    ("where", lambda x: call("where", x, x, x[::-1]), lambda x: np.where(x, x, x[::-1])),
    ("full", lambda x: call("full", call("shape", x), x[0, 0, 0]),
     lambda x: np.full_like(x, x[0, 0, 0])),
    ("cast", _op("cast", "int32"), lambda x: x.real.astype(np.int32)),
]  # fmt: skip


def values(dtype: DType, *shape: int) -> Any:
    numbers = np.arange(int(np.prod(shape))) % 7
    return numbers.reshape(shape).astype(dtype.numpy)


def check(compare: Any, cases: Functions, x: Any, **options: Any) -> None:
    def on_tensors(x: Any) -> list[Any]:
        return [function(x) for _, function, _ in cases]

    def on_arrays(x: Any) -> list[Any]:
        with np.errstate(all="ignore"):
            return [np.asarray(leaf) for _, _, f in cases for leaf in _leaves(f(x))]

    labels = [name for name, _, f in cases for _ in _leaves(f(x))]
    compare(on_tensors, x, expected=on_arrays, labels=labels, **options)


def _leaves(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_static(compare: Any, dtype: DType) -> None:
    check(compare, CASES, values(dtype, 2, 3, 4))


@pytest.mark.parametrize("name", ["float64", "bool", "uint16", "complex64", "bfloat16"])
def test_dynamic(compare: Any, name: str) -> None:
    strided = values(as_dtype(name), 4, 3, 2).T
    check(compare, CASES, values(as_dtype(name), 2, 3, 4), dynamic=True, more=[[strided]])


def test_every_dtype_is_kept() -> None:
    for dtype in DTYPES:
        assert call("reshape", values(dtype, 2, 3), (3, 2)).dtype == dtype


# reshape


@st.composite
def reshapes(draw: Any) -> tuple[tuple[int, ...], tuple[int, ...], int | None]:
    factors = draw(st.lists(st.sampled_from([1, 2, 3, 4, 0, 1, 2]), max_size=4))
    target = draw(st.permutations(factors))
    while len(target) > 1 and draw(st.booleans()):
        target = [target[0] * target[1], *target[2:]]
    if draw(st.booleans()):
        target.insert(draw(st.integers(0, len(target))), 1)
    hole = draw(st.none() | st.integers(0, max(len(target) - 1, 0)))
    if not target or (hole is not None and 0 in factors):
        hole = None
    return tuple(factors), tuple(target), hole


@settings(max_examples=12, phases=[Phase.generate])
@given(st.lists(reshapes(), min_size=12, max_size=12))
def test_reshape(compare: Any, cases: list[Any]) -> None:
    arrays = [np.arange(np.prod(source), dtype="f4").reshape(source) for source, _, _ in cases]

    def function(*tensors: Any) -> list[Any]:
        found = []
        for x, (_, target, hole) in zip(tensors, cases, strict=True):
            shape = tuple(-1 if i == hole else e for i, e in enumerate(target))
            found.append(call("reshape", x, shape))
        return found

    def truth(*given: Any) -> list[Any]:
        return [x.reshape(target) for x, (_, target, _) in zip(given, cases, strict=True)]

    for dynamic in (False, True):
        compare(function, *arrays, expected=truth, dynamic=dynamic, labels=[str(c) for c in cases])


def test_symbolic_sizes(compare: Any, record: Any) -> None:
    x = np.arange(24, dtype="i4").reshape(4, 6)

    def function(x: Any, n: Any) -> list[Any]:
        rows, columns = call("shape", x)
        return [
            call("reshape", x, [rows, 2, -1]), call("reshape", x, [columns, rows]),
            call("reshape", x, (-1, n)), call("reshape", x, [n, 6 * rows // n]),
            call("broadcast_to", x[:1], [n, 6]), call("tile", x, [n, 1]), call("repeat", x, n, 0),
            call("pad", x, [[n, 1], [0, n]]), call("pad", x, [[n, 1], [0, n]], "reflect"),
            call("roll", x, n, 0), call("full", [n, 2], 1.5),
        ]  # fmt: skip

    compare(function, x, np.int64(3), dynamic=True)
    recorded = record(function, ("i4", (None, 6)), ("i8", ()))
    for run in (recorded.compiled, recorded.interpreted):
        with pytest.raises(errors.RuntimeShapeError, match="another number of elements: 24 and 20"):
            run(x, np.int64(5))
        with pytest.raises(errors.InvalidArgumentError):
            run(x, np.int64(-3))


def test_guards_of_reshape(record: Any) -> None:
    for target in ((2, 3), (-1, 5), (), (3, -1)):
        recorded = record(lambda x, t=target: [call("reshape", x, t)], ("f4", (None, None)))
        for run in (recorded.compiled, recorded.interpreted):
            with pytest.raises(errors.RuntimeShapeError, match="another number of elements"):
                run(np.ones((7, 1), "f4"))
            fitting = np.ones((15 if target and target[-1] == 5 else 6 if target else 1, 1), "f4")
            assert run(fitting)[0].size == fitting.size


def test_same_sizes_need_no_check(record: Any) -> None:
    def function(x: Any) -> list[Any]:
        n, m, _ = call("shape", x)
        y = call("reshape", x, (n, -1, 2)) + call("reshape", x, (n, m, 2))
        return [call("reshape", y, (-1, 2)), call("expand_dims", x, 1), x]

    recorded = record(function, ("f4", (None, None, 2)), compile=False)
    assert not recorded.sites
    assert "tensor.from_elements" not in str(recorded.module)


def test_shape_of_known_sizes_is_constant(record: Any) -> None:
    seen = []

    def function(x: Any) -> list[Any]:
        seen.extend(call("shape", x)[i] for i in (0, -2))
        return [call("full", (int(seen[0]), 1), 0.0)]

    record(function, ("f4", (3, 2)), compile=False)
    assert [int(v) for v in seen] == [3, 3]


@pytest.mark.parametrize(
    ("shape", "message"),
    [((4, 2), r"6 elements of shape \[2, 3\]"), ((-1, 4), "do not fit"), ((-1, -1), "at most one"),
     ((-2, 3), "negatives"), ((0, -1), "do not fit")],
)  # fmt: skip
def test_wrong_shapes(record: Any, shape: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        record(lambda x: [call("reshape", x, shape)], ("f4", (2, 3)))


# Views


def test_writing_through(record: Any) -> None:
    def write(x: Any) -> list[Any]:
        y = x * 1
        flat, turned = np.reshape(y, (-1,)), y.T
        flat[1] = 10.0
        turned[2, 0] = 20.0
        np.flip(y)[0, 0] = 30.0
        np.expand_dims(y, 0)[0, 1, 1] = 40.0
        turned[1:, 1:][0] = 50.0
        y[0, 0] = 60.0
        return [y, flat, turned]

    x = np.arange(6.0).reshape(2, 3)
    wanted = write(x)
    for shape in ((2, 3), (None, None)):
        recorded = record(write, ("f8", shape), convention=NUMPY)
        for run in (recorded.compiled, recorded.interpreted):
            for got, want in zip(run(x), wanted, strict=True):
                np.testing.assert_array_equal(got, want)


# Joining


@settings(max_examples=20, phases=[Phase.generate])
@given(
    st.lists(st.integers(0, 4), min_size=1, max_size=3),
    st.lists(st.integers(0, 3), min_size=1, max_size=4),
    st.integers(-3, 2),
    st.booleans(),
)
def test_concat(
    compare: Any, shape: list[int], lengths: list[int], axis: int, dynamic: bool
) -> None:
    axis = axis % len(shape)
    shapes = [(*shape[:axis], n, *shape[axis + 1 :]) for n in lengths]
    arrays = [np.full(s, i, "f4") for i, s in enumerate(shapes)]
    compare(
        lambda *x: [call("concat", list(x), axis), call("stack", [x[0], x[0]], axis)],
        *arrays,
        dynamic=dynamic,
        expected=lambda *x: [np.concatenate(x, axis), np.stack([x[0], x[0]], axis)],
    )


def test_joining_promotes(compare: Any) -> None:
    compare(
        lambda x, y: [call("concat", [x, y]), call("stack", [x[0], 1.5]), call("stack", [1, x[1]]),
                      call("concat", [x, [1, 2]])],
        np.array([1, 2], np.int32), np.array([0.5], np.float32),
    )  # fmt: skip


def test_joining_what_differs(record: Any) -> None:
    with pytest.raises(ValueError, match=r"sizes \[2, 3\] along axis 1 differ"):
        record(lambda x, y: [call("concat", [x, y])], ("f4", (1, 2)), ("f4", (1, 3)))
    with pytest.raises(ValueError, match="different numbers of dimensions"):
        record(lambda x, y: [call("concat", [x, y])], ("f4", (1, 2)), ("f4", (1,)))
    with pytest.raises(ValueError, match="a scalar has no axis"):
        record(lambda x: [call("concat", [x[0], x[1]])], ("f4", (2,)))
    for first in (2, None):
        for second in (5, None):
            recorded = record(
                lambda x, y: [call("concat", [x, y])], ("f4", (None, first)), ("f4", (1, second))
            ) if None in (first, second) else None  # fmt: skip
            if recorded is None:
                continue
            for run in (recorded.compiled, recorded.interpreted):
                with pytest.raises(errors.RuntimeShapeError, match=r"differ: [25] and [25]"):
                    run(np.ones((3, 2), "f4"), np.ones((1, 5), "f4"))


def test_parting_what_does_not_part(record: Any) -> None:
    for function in (_op("split", 2), _op("split", [1, 1]), _op("unstack", 2)):
        with pytest.raises(ValueError, match=r"split|unstack"):
            record(lambda x, f=function: f(x), ("f4", (3, 2)))
        recorded = record(lambda x, f=function: f(x), ("f4", (None, 2)))
        for run in (recorded.compiled, recorded.interpreted):
            with pytest.raises(errors.RuntimeShapeError):
                run(np.ones((3, 2), "f4"))
            assert run(np.ones((2, 2), "f4"))[0].size == 2
    with pytest.raises(ValueError, match="pass num="):
        record(lambda x: call("unstack", x), ("f4", (None,)))


# take


def test_indices(compare: Any, record: Any) -> None:
    x, places = np.arange(12.0).reshape(3, 4), np.array([[0, 2], [-1, 1]])

    def function(x: Any, places: Any) -> list[Any]:
        return [call("take", x, places, 0), call("take", x, places, 1),
                call("take", x, places[0, 1], 1), call("numpy_take", x, places),
                call("take", x[0], places[0, 0])]  # fmt: skip

    def truth(x: Any, places: Any) -> list[Any]:
        return [np.take(x, places, 0), np.take(x, places, 1), np.take(x, places[0, 1], 1),
                np.take(x, places), x[0, 0]]  # fmt: skip

    for dynamic in (False, True):
        compare(function, x, places, dynamic=dynamic, expected=truth)
        compare(function, x, places.astype(np.int8), dynamic=dynamic, expected=truth)
    compare(lambda x, i: [call("gather", x, i, 0)], x, np.array([2, 1], np.uint64))
    compare(lambda x, i: [call("take", x, i, 0)], x, np.array([], np.int64), dynamic=True)
    compare(
        lambda x, i: [call("take", x, i, 0)], np.zeros((0, 2)), np.array([], np.int64), dynamic=True
    )


def test_what_is_not_reached_may_be_outside(compare: Any) -> None:
    compare(lambda x: [call("take_reached", x, [9], 1)], np.zeros((0, 2)))
    compare(lambda x: [call("take_reached", x, [9], 0, True)], np.zeros((0, 0)))
    with pytest.raises(IndexError, match="out of bounds"):
        call("take_reached", np.zeros((0, 0)), [9], 0)


@pytest.mark.parametrize("size", [3, None])
@pytest.mark.parametrize(
    ("name", "bad"), [("take", 3), ("take", -4), ("gather", -1), ("gather", 9)]
)
def test_indices_outside(record: Any, name: str, bad: int, size: int | None) -> None:
    recorded = record(lambda x, i: [call(name, x, i, 0)], ("f8", (size,)), ("i8", (None,)))
    for run in (recorded.compiled, recorded.interpreted):
        with pytest.raises(
            IndexError, match=f"index {bad} is out of bounds for axis 0 with size 3"
        ):
            run(np.arange(3.0), np.array([0, bad, 1]))
        assert run(np.arange(3.0), np.array([2, 0]))[0].tolist() == [2.0, 0.0]
        if size is None:
            with pytest.raises(IndexError, match="size 0"):
                run(np.zeros(0), np.array([0]))
    with pytest.raises(IndexError, match=f"index {bad} is out of bounds"):
        call(name, np.arange(3.0), [0, bad])
    if size is not None:
        with pytest.raises(IndexError, match=f"index {bad} is out of bounds"):
            record(lambda x: [call(name, x, [0, bad], 0)], ("f8", (3,)))


# NumPy


def test_numpy_functions(compare: Any) -> None:
    x = np.arange(6.0).reshape(2, 3)

    def function(x: Any) -> list[Any]:
        return [
            np.reshape(x, (3, 2)), np.transpose(x), x.T, np.concatenate([x, x], axis=1),
            np.stack((x, x)), np.expand_dims(x, 0), np.squeeze(x[None]), np.ravel(x), x.ravel(),
            np.broadcast_to(x, (2, 2, 3)), np.pad(x, 1), np.tile(x, 2), np.repeat(x, 2, axis=1),
            np.flip(x, 0), np.roll(x, 1), np.take(x, [0, 1], axis=1), np.clip(x, 1.0, 3.0),
            np.swapaxes(x, 0, 1), np.moveaxis(x, 0, 1), *np.split(x, 2), np.vstack([x, x]),
            np.hstack([x, x]), x.reshape(3, -1), x.transpose(1, 0), np.shape(x)[0] * x,
            np.size(x) + x, np.ndim(x) * x,
        ]  # fmt: skip

    compare(function, x, expected=lambda x: [np.asarray(v) for v in function(x)])
    compare(function, x, dynamic=True)
