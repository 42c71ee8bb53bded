"""``map_fn``, ``vectorized_map``, ``scan``, ``foldl`` and ``foldr`` against plain Python."""

from __future__ import annotations

import functools
import sys
from collections import namedtuple
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.errors import InvalidArgumentError

from ..ways import everywhere, leaves, line, when_traced

Point = namedtuple("Point", "x y")
X = np.arange(12.0).reshape(4, 3)
F64 = ag.float64
ANY = ag.TensorSpec([None, None], F64)
DTYPES = "bool int8 uint8 int32 int64 uint64 float16 bfloat16 float32 float64 complex64 complex128"


@everywhere
@pytest.mark.parametrize("dtype", DTYPES.split())
def test_map_fn_keeps_the_dtype(wrap: Any, dtype: str) -> None:
    rows = ag.cast(X, dtype)
    found = wrap(lambda x: ag.map_fn(lambda row: row[::-1], x))(rows)
    np.testing.assert_array_equal(found, rows.numpy()[:, ::-1])
    assert np.asarray(found).dtype == rows.numpy().dtype


@everywhere
@pytest.mark.parametrize(
    "rows",
    [
        X,
        X[:1],
        X[:0],
        X[:, 0],
        X[::2, ::-1],
        np.asfortranarray(X),
        np.array([np.nan, np.inf, -0.0]),
    ],
    ids=str,
)
def test_rows_of_any_kind(wrap: Any, rows: Any) -> None:
    found = wrap(lambda x: ag.map_fn(lambda row: row * 2 + 1, x))(rows)
    wanted = rows * 2 + 1
    np.testing.assert_array_equal(np.asarray(found).reshape(wanted.shape), wanted)


@everywhere
def test_structures_and_signatures(wrap: Any) -> None:
    def f(x: Any) -> Any:
        def of(elems: Any) -> Any:
            row, point = elems
            largest = ag.reduce_max(row)
            if largest > 5:
                largest = -largest
            return {"m": largest, "p": Point(point.x > 3, (ag.cast(point.y, ag.int32), 1.5))}

        signature = {
            "m": F64,
            "p": Point(ag.bool, (ag.TensorSpec([3], ag.int32), ag.float32)),
        }
        return ag.map_fn(of, (x, Point(x[:, 1], x)), fn_output_signature=signature)

    found = wrap(f)(X)
    assert isinstance(found["p"], Point)
    assert leaves(found) == [
        [2.0, 5.0, -8.0, -11.0],
        [False, True, True, True],
        X.astype(int).tolist(),
        [1.5] * 4,
    ]


@everywhere
def test_the_old_argument_for_dtypes(wrap: Any) -> None:
    found = wrap(lambda x: ag.map_fn(lambda row: row[0] > 4, x, dtype=ag.bool))(X)
    assert leaves(found) == [[False, False, True, True]]


@everywhere
def test_no_rows_give_no_results(wrap: Any) -> None:
    def f(x: Any) -> Any:
        pair = (F64, ag.TensorSpec([2], ag.int32))
        return ag.map_fn(lambda row: (row[0], ag.constant([1, 2])), x, fn_output_signature=pair)

    first, second = wrap(f)(X[:0])
    assert np.asarray(first).shape == (0,)
    assert np.asarray(second).shape == (0, 2)


@everywhere
def test_vectorized_map_gives_anything(wrap: Any) -> None:
    def f(x: Any) -> Any:
        once = x[:1]
        return ag.vectorized_map(
            lambda t: {"s": t[0] + t[1], "k": ag.cast(ag.reduce_sum(t[0]), ag.int32)}, (x, once)
        )

    assert leaves(wrap(f)(X)) == [[3, 12, 21, 30], (X + X[:1]).tolist()]


@everywhere
def test_vectorized_map_happens_once_a_row(wrap: Any, capsys: Any) -> None:
    def f(x: Any) -> Any:
        def of(row: Any) -> Any:
            ag.print("row", row[0], output_stream=sys.stdout)
            return row[0] > 3

        return ag.vectorized_map(of, x)

    assert leaves(wrap(f)(X)) == [[False, False, True, True]]
    assert capsys.readouterr().out.split("\n") == ["row 0", "row 3", "row 6", "row 9", ""]


def _scanned(fn: Any, rows: Any, start: Any, reverse: bool) -> list[Any]:
    """What `scan` does, in plain Python."""
    order = list(rows)[::-1] if reverse else list(rows)
    seen = [] if start is not None else [order.pop(0)]
    total = start if start is not None else seen[0]
    for row in order:
        total = fn(total, row)
        seen.append(total)
    return seen[::-1] if reverse else seen


@everywhere
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("start", [None, np.array([1.0, 2.0, 3.0])])
@pytest.mark.parametrize("count", [1, 4])
def test_scan(wrap: Any, reverse: bool, start: Any, count: int) -> None:
    def fn(total: Any, row: Any) -> Any:
        return total * 2 - row

    found = wrap(lambda x: ag.scan(fn, x, initializer=start, reverse=reverse))(X[:count])
    np.testing.assert_array_equal(found, _scanned(fn, X[:count], start, reverse))


@everywhere
def test_scan_of_structures(wrap: Any) -> None:
    def f(x: Any) -> Any:
        def step(state: Any, elems: Any) -> Any:
            row, number = elems
            return {"n": state["n"] + 1, "t": state["t"] + row[0] * number}

        start = {"t": ag.constant(0.0, F64), "n": 0}
        return ag.scan(step, (x, x[:, 1]), initializer=start)

    assert leaves(wrap(f)(X)) == [[1, 2, 3, 4], [0.0, 12.0, 54.0, 144.0]]


@everywhere
def test_scan_without_rows(wrap: Any) -> None:
    found = wrap(lambda x: ag.scan(lambda a, row: a + row, x, initializer=np.ones(3)))(X[:0])
    assert np.asarray(found).shape == (0, 3)
    with pytest.raises(ValueError, match="elems has no rows, and there is no initializer"):
        wrap(lambda x: ag.scan(lambda a, row: a + row, x))(X[:0])


@everywhere
@pytest.mark.parametrize("start", [None, np.array([1.0, 2.0, 3.0])])
def test_folds(wrap: Any, start: Any) -> None:
    def fn(total: Any, row: Any) -> Any:
        return total * 0.5 - row

    given = [] if start is None else [start]
    left = wrap(lambda x: ag.foldl(fn, x, initializer=start))(X)
    np.testing.assert_array_equal(left, functools.reduce(fn, [*given, *X]))
    right = wrap(lambda x: ag.foldr(fn, x, initializer=start))(X)
    np.testing.assert_array_equal(right, functools.reduce(fn, [*given, *X[::-1]]))


def test_the_loop_is_recorded_once() -> None:
    traced = []

    @ag.function
    def f(x: Any) -> Any:
        def fn(total: Any, row: Any) -> Any:
            traced.append(1)
            return total + row

        return ag.foldl(fn, x, initializer=0.0)

    with pytest.warns(ag.errors.SideEffectWarning):
        assert float(f(ag.ones([50]))) == 50
    assert sum(traced) <= 2
    assert f.experimental_get_compiler_ir(ag.ones([50]))(stage="hlo").count("scf.for") == 1


@pytest.mark.parametrize("compiled", [None, False])
def test_rows_of_unknown_number(compiled: Any) -> None:
    def f(x: Any, y: Any) -> Any:
        mapped = ag.map_fn(lambda t: t[0] + t[1], (x, y), fn_output_signature=F64)
        spread = ag.vectorized_map(lambda t: t[0] - t[1], (x, y[:1]))
        return mapped, spread, ag.scan(lambda a, row: a + row, x), ag.foldr(lambda a, r: a - r, x)

    f = ag.function(f, input_signature=[ANY, ANY], jit_compile=compiled)
    found = f(X, X * 2)
    wanted = [X * 3, X - 2 * X[:1], np.cumsum(X, 0), functools.reduce(np.subtract, X[::-1])]
    assert leaves(found) == leaves([np.asarray(each) for each in wanted])
    with pytest.raises(ValueError, match="have rows: 4 and 3") as caught:
        f(X, X[:3])
    assert isinstance(caught.value, InvalidArgumentError)
    with pytest.raises(InvalidArgumentError):
        f(X[:0], X[:0])


WRONG = {
    "dtype": (
        lambda x: ag.map_fn(lambda row: ag.cast(row, ag.int32), x),
        TypeError,
        "the result of fn is a tensor of int32.*not of float64.*fn_output_signature",
    ),
    "structure": (
        lambda x: ag.map_fn(lambda row: (row, row), x),
        ValueError,
        "the signature has a leaf, and the result of fn a tuple of 2",
    ),
    "shape": (
        lambda x: ag.map_fn(lambda row: row, x, fn_output_signature=ag.TensorSpec([2], F64)),
        ValueError,
        r"the shape of the result of fn: \[3\] instead of \[2\]",
    ),
    "signature": (
        lambda x: ag.map_fn(lambda row: row, x, fn_output_signature="nonsense"),
        TypeError,
        "is no dtype and no TensorSpec",
    ),
    "value": (lambda x: ag.map_fn(lambda row: None, x), TypeError, "must be a tensor"),
    "rows": (
        lambda x: ag.map_fn(lambda t: t[0], (x, x[1:]), fn_output_signature=F64),
        ValueError,
        r"elems\[0\] has 4 rows, and elems\[1\] 3",
    ),
    "scalar": (lambda x: ag.foldl(lambda a, r: a, x[0, 0]), ValueError, "which has no rows"),
    "nothing": (lambda x: ag.map_fn(lambda row: row, ()), ValueError, "holds no tensor"),
    "accumulator": (
        lambda x: ag.scan(lambda a, row: (a, row), x),
        ValueError,
        "the accumulator has a leaf, and the result of fn a tuple of 2",
    ),
    "accumulated dtype": (
        lambda x: ag.foldl(lambda a, row: ag.cast(a, ag.float32), x),
        TypeError,
        "a tensor of float64.* before, and a tensor of float32.* after fn",
    ),
    "callable": (lambda x: ag.scan(None, x), TypeError, "fn must be callable"),
    "elems": (lambda x: ag.map_fn(lambda row: row, "abc"), TypeError, "must be a tensor"),
}


@everywhere
@pytest.mark.parametrize("name", WRONG)
def test_what_makes_no_sense(wrap: Any, name: str) -> None:
    function, error, message = WRONG[name]
    with pytest.raises(error, match=message):
        wrap(function)(X)


@when_traced
def test_errors_name_the_line(wrap: Any) -> None:
    def f(x: Any) -> Any:
        x = x + 1
        return ag.map_fn(lambda row: (row,), x)

    with pytest.raises(ValueError, match="a tuple of 1") as caught:
        wrap(f)(X)
    assert line(f, "ag.map_fn") in str(caught.value)


EMPTY = np.zeros((0, 3), np.float32)


def shapes(value: Any) -> list[Any]:
    return [np.asarray(leaf).shape for leaf in ag.nest.flatten(value)]


@everywhere
def test_vectorized_map_over_no_rows(wrap: Any) -> None:
    def f(x: Any) -> Any:
        return ag.vectorized_map(lambda row: {"row": row, "sum": ag.reduce_sum(row)}, x)

    assert shapes(wrap(f)(ag.constant(EMPTY))) == [(0, 3), (0,)]


@pytest.mark.parametrize("compiled", [None, False])
def test_no_rows_at_run_time(compiled: Any) -> None:
    spec = [ag.TensorSpec([None, 3], ag.float32)]

    def made(f: Any) -> Any:
        return ag.function(f, input_signature=spec, jit_compile=compiled)

    def mapped(x: Any) -> Any:
        zeros = ag.zeros([3])
        return (
            ag.map_fn(lambda row: row * 2, x),
            ag.vectorized_map(lambda row: (row, row[0]), x),
            ag.scan(lambda total, row: total + row, x, initializer=zeros),
            ag.foldr(lambda total, row: total + row, x, initializer=zeros),
        )

    assert shapes(made(mapped)(EMPTY)) == [(0, 3), (0, 3), (0,), (0, 3), (3,)]

    def scanned(x: Any) -> Any:
        return ag.scan(lambda total, row: total + row, x)

    function = made(scanned)
    with pytest.raises(ValueError, match="elems has no rows, and there is no init") as caught:
        function(EMPTY)
    assert isinstance(caught.value, ag.errors.InvalidArgumentError)
    assert line(scanned, "ag.scan") in str(caught.value)
    assert shapes(function(np.ones((2, 3), np.float32))) == [(2, 3)]


@everywhere
def test_a_variable_that_the_function_gives_is_read_at_once(wrap: Any) -> None:
    total = ag.Variable(np.float32(0))

    def f(x: Any) -> Any:
        total.assign(x[0] * 0)
        mapped = ag.map_fn(lambda row: total.assign_add(row), x)
        scanned = ag.scan(lambda last, row: total.assign_add(row), x, initializer=x[0])
        looped = ag.while_loop(lambda i, s: i < 2, lambda i, s: (i + 1, total), (0, x[0]))
        total.assign(x[0] * 0)
        return mapped, scanned, looped[1]

    found = wrap(f)(ag.constant([1.0, 2.0, 3.0]))
    assert leaves(found) == [[1, 3, 6], [7, 9, 12], 12]


@everywhere
def test_what_the_function_raises_comes_first(wrap: Any) -> None:
    def f(x: Any) -> Any:
        return ag.map_fn(lambda row: row + undefined, x)  # type: ignore[name-defined]  # noqa: F821

    with pytest.raises(NameError, match="'undefined' is not defined"):
        wrap(f)(ag.constant([1.0, 2.0]))
