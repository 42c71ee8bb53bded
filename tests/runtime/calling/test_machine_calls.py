"""Calls by machine code are those of Python, bit by bit; what it cannot make it leaves alone."""

from __future__ import annotations

import collections
import inspect
import threading
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import agir as ag

from ..machine import described, early, needs_machine, outcome, python_only, taken

__all__ = ["early"]

pytestmark = [needs_machine, pytest.mark.usefixtures("early")]

Pair = collections.namedtuple("Pair", "a b")
X, Y = np.linspace(0.0, 1.0, 8), np.linspace(-3.0, 7.0, 8)
GRID = np.arange(12, dtype=np.float32).reshape(3, 4)
FAR = np.arange(40.0)


def combined(x, y):
    return x * 2 + y


def with_default(x, y=1.5):
    return x * y


def with_names(x, *, scale=2.0, shift):
    return x * scale + shift


def with_the_rest(x, *rest, **named):
    return x + rest[0] * named["k"], rest[1]


def of_structure(p):
    return p["a"] * 2 + p["b"][0] - p["c"][1]


def as_dict(x, y):
    return {"sum": x + y, "parts": (x, [y * 1]), "n": 3}


def as_pair(x, y):
    return Pair(x + y, None)


def as_list(x, y):
    return [x + y, x.sum(), 7]


def itself(x, y):
    return x, y, x


def nothing(x, y):
    return None


def checked(x, i):
    return x[i]


def branches(x, flag, name, n):
    return x * n if flag else x - len(name)


def of_outside(x):
    return x + FAR[:8]


def column_sums(x):
    return x.sum(0), x.shape


def counted(n):
    s = 0
    for i in range(n):
        s += i
    return s


FORMS = [
    (combined, (X, Y), {}),
    (combined, (GRID, GRID), {}),
    (combined, (2.5, 3), {}),
    (combined, (True, 3 + 1j), {}),
    (combined, (np.float64(2.5), np.float32(1)), {}),
    (combined, (np.uint8(200), np.int16(-3)), {}),
    (combined, (np.complex64(1j), X), {}),
    (combined, (np.array([2.0]), X), {}),
    (combined, (np.zeros(0), np.zeros(0)), {}),
    (combined, (np.arange(6, dtype=np.uint64), 2**62), {}),
    (combined, (np.ones(3, ml_dtypes.bfloat16), np.ones(3, ml_dtypes.bfloat16)), {}),
    (combined, (np.ones(3, np.float16), np.ones(3, np.float16)), {}),
    (combined, (np.ones((20, 30)), np.ones((20, 30))), {}),
    (combined, (np.ones(3, bool), np.ones(3, np.int8)), {}),
    (combined, (), {"y": X, "x": Y}),
    (combined, (X,), {"y": Y}),
    (with_default, (X,), {}),
    (with_default, (X,), {"y": 2}),
    (with_default, (2.0, 3.0), {}),
    (with_names, (X,), {"shift": 1.0}),
    (with_names, (X,), {"shift": 1, "scale": Y}),
    (with_the_rest, (X, Y, 3), {"k": 2.0}),
    (of_structure, ({"a": X, "b": [Y, 1], "c": (None, 2.0)},), {}),
    (as_dict, (X, Y), {}),
    (as_pair, (X, Y), {}),
    (as_list, (X, Y), {}),
    (as_list, (GRID, GRID), {}),
    (itself, (X, Y), {}),
    (nothing, (X, Y), {}),
    (checked, (X, 3), {}),
    (checked, (X, -1), {}),
    (branches, (X, True, "name", 3), {}),
    (branches, (X, False, "name", None), {}),
    (of_outside, (X,), {}),
    (column_sums, (GRID,), {}),
    (counted, (10,), {}),
]


def _copies(value: Any) -> Any:
    return np.array(value) if isinstance(value, np.ndarray) else value


@pytest.mark.parametrize(("function", "args", "kwargs"), FORMS)
def test_numpy_calls(function, args, kwargs):
    decorated = ag.jit(function)
    with python_only():
        expected = described(decorated(*args, **kwargs))
    decorated(*args, **kwargs)
    assert taken(decorated, *args, **kwargs)
    assert described(decorated(*args, **kwargs)) == expected


TENSOR_FORMS = [form for form in FORMS if form[0] not in (checked, counted, column_sums)]


@pytest.mark.parametrize(("function", "args", "kwargs"), TENSOR_FORMS)
def test_tensorflow_calls(function, args, kwargs):
    args = tuple(ag.constant(v) if isinstance(v, np.ndarray) else v for v in args)
    decorated = ag.function(function)
    with python_only():
        expected = outcome(decorated, *args, **kwargs)
    if isinstance(expected[0], type) and issubclass(expected[0], Exception):
        pytest.skip("no program under these conventions")
    decorated(*args, **kwargs)
    assert taken(decorated, *args, **kwargs)
    assert described(decorated(*args, **kwargs)) == expected


def test_concrete_functions():
    concrete = ag.jit(combined).get_concrete_function(X, Y)
    with python_only():
        expected = described(concrete(X, Y))
    for _ in range(3):
        concrete(X, Y)
    assert taken(concrete, X, Y)
    assert described(concrete(X, Y)) == expected
    with pytest.raises(TypeError, match="takes"):
        concrete(X, GRID)
    with pytest.raises(TypeError, match="takes"):
        concrete(X)


def _special_arrays() -> list[Any]:
    misaligned = np.zeros(65, np.uint8)[1:].view(np.float64)
    frozen = X.copy()
    frozen.flags.writeable = False
    return [
        X[::-1],
        np.arange(16.0)[::2],
        np.ones((4, 3), np.float32).T,
        X.astype(">f8"),
        X.astype(np.float32),
        X.reshape(2, 4),
        X[:3],
        X[:0],
        np.float64(2.0),
        np.array(2.0),
        misaligned,
        frozen,
        X.view(np.recarray),
        X.astype(object),
        np.ma.masked_array(X),
        X.tolist(),
        tuple(X.tolist()),
        memoryview(X),
        ag.constant(X),
        ag.Variable(X),
        2.5,
        2**70,
        -(2**63),
        float("nan"),
        True,
        None,
        "text",
        b"bytes",
        object(),
        slice(1, 2),
        {"a": X},
        [X, X],
        X.dtype,
        np.sum,
        len,
        np.datetime64("2020"),
        ag.TensorSpec([8], ag.float64),
    ]


@pytest.mark.parametrize("number", range(len(_special_arrays())))
def test_other_arguments_are_left_to_python(number):
    """They give or raise the same, whether or not a recipe is there for calls like it."""
    decorated = ag.jit(combined)
    for _ in range(3):
        decorated(X, Y)
    value = _special_arrays()[number]
    with python_only():
        expected = [outcome(decorated, value, Y), outcome(decorated, Y, value)]
    for _ in range(3):
        assert [outcome(decorated, value, Y), outcome(decorated, Y, value)] == expected
    assert taken(decorated, X, Y)


def test_no_recipe_is_worth_a_copy(monkeypatch):
    """Arrays that machine code cannot take are not copied to find that out."""
    copies = []
    require = np.require

    def noted(array, *args):
        result = require(array, *args)
        if not np.shares_memory(result, array):
            copies.append(array.shape)
        return result

    monkeypatch.setattr(np, "require", noted)
    x = np.arange(40000.0).reshape(200, 200)
    for view in (x.T, x[::-1], x[::2, ::2]):
        decorated = ag.jit(combined)
        for _ in range(5):
            np.testing.assert_array_equal(decorated(view, x[0, 0]), view * 2)
    assert copies == []


def test_wrong_numbers_of_arguments():
    decorated = ag.jit(combined)
    for _ in range(3):
        decorated(X, Y)
    for args, kwargs in [
        ((), {}),
        ((X,), {}),
        ((X, Y, Y), {}),
        ((X, Y), {"y": Y}),
        ((X,), {"z": Y}),
    ]:
        with python_only():
            expected = outcome(decorated, *args, **kwargs)
        assert expected[0] is TypeError
        assert outcome(decorated, *args, **kwargs) == expected
    with pytest.raises(TypeError, match="too many positional"):
        decorated(*[X] * 100_000)
    with pytest.raises(TypeError):
        decorated(**{f"n{i}": X for i in range(5000)})


DTYPES = (np.float64, np.float32, np.int32, np.bool_, np.complex128)
LAYOUTS = ("as it is", "reversed", "every second", "swapped", "read-only", "misaligned", "subclass")


class Subclass(np.ndarray):
    pass


def laid_out(array: Any, layout: str) -> Any:
    if layout == "reversed":
        return array[::-1]
    if layout == "every second":
        wide = np.zeros((*array.shape[:-1], 2 * array.shape[-1]), array.dtype)
        wide[..., ::2] = array
        return wide[..., ::2]
    if layout == "swapped":
        return array.astype(array.dtype.newbyteorder())
    if layout == "read-only":
        array.flags.writeable = False
    if layout == "misaligned" and array.size:
        found = np.zeros(array.nbytes + 1, np.uint8)[1:].view(array.dtype).reshape(array.shape)
        found[...] = array
        return found
    return array.view(Subclass) if layout == "subclass" else array


@st.composite
def arrays(draw: Any) -> Any:
    shape = draw(st.sampled_from([(4,), (2, 3), (0,), (1,)]))
    dtype = draw(st.sampled_from(DTYPES))
    seed = draw(st.integers(0, 99))
    array = np.random.default_rng(seed).integers(-9, 9, shape).astype(dtype)
    return laid_out(array, draw(st.sampled_from(LAYOUTS)))


values = arrays() | st.sampled_from((0.5, -3, True, 2j, np.float32(0.5), 2**64, None, float("nan")))
SUMS = ag.jit(combined)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values, values)
def test_any_values(x, y):
    SUMS._uses.left = 0
    with ag.config.scope(retrace_warning=0):
        with python_only():
            expected = outcome(SUMS, x, y)
        for _ in range(3):
            assert outcome(SUMS, x, y) == expected


def test_an_open_signature_has_one_recipe():
    spec = ag.TensorSpec([None, 3], ag.float64)
    decorated = ag.function(combined, input_signature=[spec, spec])
    decorated(np.ones((2, 3)), np.ones((2, 3)))
    for rows in (2, 5, 1, 0, 700):
        table = np.arange(3.0 * rows).reshape(rows, 3)
        assert taken(decorated, table, table)
        np.testing.assert_array_equal(decorated(table, table).numpy(), table * 3)
    assert len(decorated._recipes) == 1
    with pytest.raises(TypeError, match="compatible"):
        decorated(np.ones((2, 4)), np.ones((2, 4)))


def test_the_signature_stays_to_be_seen():
    decorated = ag.jit(with_names)
    decorated(X, shift=1.0)
    assert str(inspect.signature(decorated)) == "(x, *, scale=2.0, shift)"
    assert "Call the function" in (type(decorated).__call__.__doc__ or "")
    assert decorated.__call__(X, shift=1.0).shape == (8,)


# Recursion.


def queens(n):
    columns, rising, falling = [False] * n, [False] * (2 * n), [False] * (2 * n)

    def place(row):
        if row == n:
            return 1
        found = 0
        for column in range(n):
            if not (columns[column] or rising[row + column] or falling[row - column + n]):
                columns[column] = rising[row + column] = falling[row - column + n] = True
                found += place(row + 1)
                columns[column] = rising[row + column] = falling[row - column + n] = False
        return found

    return place(0)


def depth(n):
    return 0 if n < 1 else depth(n - 1) + 1


def test_recursion_where_there_is_room():
    counted, deep = ag.jit(queens), ag.jit(depth)
    for n in (4, 5, 6, 6):
        assert counted(n) == queens(n)
        assert deep(n) == n
    assert taken(counted, 6)
    assert taken(deep, 900)
    assert deep(900) == 900
    with pytest.raises(RecursionError):
        deep(100_000)


@pytest.mark.parametrize("kilobytes", [128, 1024])
def test_recursion_on_threads_with_little_stack(kilobytes):
    deep, found = ag.jit(depth), []
    for n in (1, 2, 3):
        deep(n)

    def work():
        for n in (1, 10, 900):
            found.append((taken(deep, n), deep(n)))

    before = threading.stack_size(kilobytes * 1024)
    try:
        thread = threading.Thread(target=work)
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    assert found == [(False, 1), (False, 10), (False, 900)]
    assert taken(deep, 5)


def test_a_recipe_made_on_another_thread():
    deep, found = ag.jit(depth), []

    def work():
        found.extend(deep(n) for n in (1, 2, 3, 50))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [1, 2, 3, 50]
    assert deep(7) == 7
