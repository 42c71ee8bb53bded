"""pandas: decorators as its engines, decorated functions in the place of plain ones."""

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal, assert_series_equal

import agir as ag
import agir.numba as nb
from agir.errors import FallbackWarning

FRAME = pd.DataFrame({"a": np.arange(6), "b": np.arange(6) * 1.5, "c": np.arange(6)[::-1]})
NUMBERS = pd.Series([1, 2, 5, 7], name="q", index=list("abcd"))

needs_engines = pytest.mark.skipif(
    int(pd.__version__.split(".")[0]) < 3, reason="pandas has had engines of others since 3.0"
)


def same(one, other):
    if isinstance(one, pd.Series):
        assert_series_equal(one, other)
    else:
        assert_frame_equal(one, other)


def total(x):
    return x.sum() + x[0]


def centred(x):
    return x - x.mean()


def scaled(x, k, off=0):
    return x.sum() * k + off


@needs_engines
@pytest.mark.parametrize("engine", [ag.jit, ag.jit(fallback=True), nb.njit, nb.jit(nogil=True)])
@pytest.mark.parametrize("axis", [0, 1, "columns"])
def test_rows_and_columns_as_arrays(engine, axis):
    for frame in (FRAME, FRAME[::-1] * 2, FRAME[["a", "c"]]):
        for function in (total, centred):
            expected = frame.apply(function, axis=axis, raw=True)
            same(expected, frame.apply(function, axis=axis, raw=True, engine=engine))
        options = {"axis": axis, "raw": True, "args": (2,), "off": 1.5}
        same(frame.apply(scaled, **options), frame.apply(scaled, engine=engine, **options))


def of_row(row):
    return row["a"] * 2 if row["b"] > 3 else row["c"] + row.a


@needs_engines
def test_rows_as_records():
    for frame in (FRAME, FRAME[["a", "c"]].assign(b=4), FRAME.assign(text="x"), FRAME * 3):
        same(frame.apply(of_row, axis=1), frame.apply(of_row, axis=1, engine=ag.jit))
    ints = FRAME[["a", "c"]]
    same(
        ints.apply(lambda r: r["a"] // 2 + r["c"], axis=1),
        ints.apply(lambda r: r["a"] // 2 + r["c"], axis=1, engine=ag.jit),
    )


@needs_engines
def test_columns_are_no_arrays_unless_that_is_asked_for():
    with pytest.raises(TypeError, match="raw=True"):
        FRAME.apply(lambda x: x.std(), engine=ag.jit)
    with pytest.raises(TypeError, match="raw=True"):
        pd.DataFrame(np.eye(2)).apply(lambda x: x[0], axis=1, engine=ag.jit)


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


@needs_engines
@pytest.mark.parametrize(
    "function",
    [
        collatz,
        lambda x: x / 2,
        lambda x: x // 2 if x % 2 == 0 else x / 2,
        lambda x: x > 2,
        lambda x: "a" if x > 2 else "b",
        lambda x: str(x) * 2,
    ],
)
def test_map(function):
    for numbers in (NUMBERS, NUMBERS * 3, NUMBERS[:0], NUMBERS[:1]):
        same(numbers.map(function), numbers.map(function, engine=ag.jit))


@needs_engines
def test_map_of_what_may_be_missing():
    numbers = pd.Series([1.0, np.nan, 3.0])
    words = pd.Series(["one", "three", None, "four"])
    for action in (None, "ignore"):
        same(
            numbers.map(lambda x: x + 1, na_action=action),
            numbers.map(lambda x: x + 1, na_action=action, engine=ag.jit),
        )
    for function in (lambda word: len(word), lambda word: word.upper() + "!"):
        same(
            words.map(function, na_action="ignore"),
            words.map(function, na_action="ignore", engine=ag.jit),
        )
    same(numbers.map(lambda x, k: x * k, k=3), numbers.map(lambda x, k: x * k, engine=ag.jit, k=3))


@needs_engines
def test_errors_and_what_is_refused():
    with pytest.raises(ZeroDivisionError):
        pd.Series([0, 1]).map(lambda x: 1 / x, engine=ag.jit)
    with pytest.raises(TypeError, match="no elements of datetime64"):
        pd.Series(pd.date_range("2020", periods=3)).map(lambda x: x.year, engine=ag.jit)

    def refused(x):
        return eval(str(x))

    with pytest.raises(Exception, match="eval"):
        NUMBERS.map(refused, engine=ag.jit)
    with pytest.warns(FallbackWarning):
        found = NUMBERS.map(refused, engine=ag.jit(fallback=True))
    same(found, NUMBERS.map(refused))


@needs_engines
def test_the_same_function_is_compiled_once():
    def double(x):
        return x * 2

    from agir.ir.plain import applied
    from agir.runtime.dataframes import _compiled

    for factor in (1, 2, 3):
        same((NUMBERS * factor).map(double), (NUMBERS * factor).map(double, engine=ag.jit))
    loop = _compiled(applied.of_elements, double, ag.jit)
    assert loop.experimental_get_tracing_count() == 1


mean = ag.jit(lambda x: x.sum() / len(x))


def plain_mean(x):
    return x.sum() / len(x)


def test_decorated_functions_are_functions():
    groups = FRAME.assign(k=[0, 1, 0, 1, 0, 1]).groupby("k")
    shifted = ag.jit(centred)
    pairs = [
        (f(plain_mean), f(mean))
        for f in (
            lambda g: FRAME.b.rolling(3).apply(g, raw=True),
            lambda g: FRAME.b.expanding().apply(g, raw=True),
            groups.b.agg,
            groups.agg,
            FRAME.apply,
        )
    ]
    pairs += [(f(centred), f(shifted)) for f in (groups.b.transform, FRAME.transform)]
    pairs += [(NUMBERS.apply(collatz), NUMBERS.apply(ag.jit(collatz)))]
    pairs += [(NUMBERS.map(collatz), NUMBERS.map(ag.jit(collatz)))]
    pairs += [(FRAME.map(lambda x: x + 1), FRAME.map(ag.jit(lambda x: x + 1)))]
    for expected, found in pairs:
        same(expected, found)
    named = ag.jit(plain_mean)
    assert groups.b.agg([named]).columns.tolist() == ["plain_mean"]
