"""Arguments that share memory, of a function that writes into one of them."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag


def add(a, b):
    a[0] = 7
    return b + b[0]


def double(a, b):
    a[...] = b * 2


def smooth(out, left, right):
    for _ in range(3):
        out[...] = 0.5 * (left + right)


def row_and_table(table, row):
    table[1] = row * 2
    row += 1
    return table.sum()


def in_a_dict(d, n):
    d["x"][0] = n
    return d["y"] * n


def line():
    return np.arange(8.0) ** 2


def table():
    return line().repeat(6).reshape(8, 6)


CASES = {
    "the same array": (add, lambda: (lambda y: (y, y))(line())),
    "shifted": (double, lambda: (lambda y: (y[1:], y[:-1]))(line())),
    "an axis of one element": (
        double,
        lambda: (lambda y: (y, y))(np.arange(6.0).reshape(1, 3, 2).transpose(2, 0, 1)),
    ),
    "reversed": (double, lambda: (lambda y: (y, y[::-1]))(line())),
    "neighbours": (smooth, lambda: (lambda y: (y[1:-1], y[:-2], y[2:]))(line())),
    "rows": (double, lambda: (lambda y: (y[1:], y[:-1]))(table())),
    "inner": (smooth, lambda: (lambda y: (y[1:-1, 1:-1], y[1:-1, :-2], y[1:-1, 2:]))(table())),
    "steps": (double, lambda: (lambda y: (y[::-1, ::2], y[:, 1:4]))(table())),
    "a row": (row_and_table, lambda: (lambda y: (y, y[2]))(table())),
    "of a dict": (in_a_dict, lambda: (lambda y: ({"x": y, "y": y}, 3.0))(line())),
}


def arrays(arguments):
    for each in arguments:
        if isinstance(each, dict):
            yield from each.values()
        elif isinstance(each, np.ndarray):
            yield each


@pytest.mark.parametrize("jit_compile", [None, False])
@pytest.mark.parametrize("name", CASES)
def test_they_see_each_others_writes(name, jit_compile):
    function, make = CASES[name]
    plain, given = make(), make()
    compiled = ag.jit(function, jit_compile=jit_compile)
    wanted, found = function(*plain), compiled(*given)
    for one, other in zip(arrays(given), arrays(plain), strict=True):
        np.testing.assert_array_equal(one, other)
    if wanted is not None:
        np.testing.assert_array_equal(found, wanted)
    # once more, and with arrays of their own
    wanted, found = function(*plain), compiled(*given)
    for one, other in zip(arrays(given), arrays(plain), strict=True):
        np.testing.assert_array_equal(one, other)


def test_other_calls_are_as_before():
    f = ag.jit(add)
    y = np.arange(3.0)
    np.testing.assert_array_equal(f(y, y), [14, 8, 9])
    np.testing.assert_array_equal(f(y.copy(), y), [14, 8, 9])
    np.testing.assert_array_equal(f(np.zeros(3), np.arange(3.0)), [0, 1, 2])


def test_static_arguments_of_such_a_call():
    @ag.jit(static=("mode",))
    def f(a, b, mode):
        a[0] = 7 if mode == "seven" else 8
        return b

    y = np.arange(3.0)
    assert f(y, y, "seven")[0] == 7
    assert f(y, y, mode="eight")[0] == 8


def test_an_array_and_its_transpose():
    y, plain = (np.arange(9.0).reshape(3, 3) for _ in range(2))
    double(plain, plain.T)
    ag.jit(double)(y, y.T)
    np.testing.assert_array_equal(y, plain)


def test_views_that_no_subscript_takes_are_refused():
    y = np.arange(9.0).reshape(3, 3)
    with pytest.raises(ValueError, match="writes into 'a', which shares memory with 'b'"):
        ag.jit(double)(y, y.view(np.int64))
    np.testing.assert_array_equal(y, np.arange(9.0).reshape(3, 3))


@pytest.mark.parametrize(
    "lay",
    [
        np.asfortranarray,
        np.array,
        lambda a: a.repeat(2, 1)[:, ::2],
        lambda a: a[::-1],
        np.transpose,
    ],
)
def test_reshapes_follow_how_an_argument_lies(lay):
    def f(a):
        v = a.reshape(-1)
        v[0] = 99
        w = np.ascontiguousarray(a)
        w[0] = 77
        q = np.asfortranarray(a)
        q[1] += 1
        return a, v

    compiled = ag.jit(f)
    for _ in range(4):  # calls of one type go a shorter way
        compiled(np.ones((2, 3)))
    plain, given = (lay(np.arange(6.0).reshape(2, 3)) for _ in range(2))
    wanted, (found, v) = f(plain), compiled(given)
    assert found is given
    np.testing.assert_array_equal(given, plain)
    np.testing.assert_array_equal(v, wanted[1])


def test_arguments_of_a_signature_that_share_memory():
    def f(a, b):
        a[0] = b[-1] + 1
        return b

    plain, given = np.arange(3.0), np.arange(3.0)
    f(plain, plain)
    spec = ag.TensorSpec([None], np.float64)
    assert ag.jit(f, input_signature=[spec, spec])(given, given) is given
    np.testing.assert_array_equal(given, plain)


@pytest.mark.parametrize(
    ("shape", "strides"), [((4,), (0,)), ((5, 4), (8, 8)), ((3, 2), (8, 16)), ((4,), (4,))]
)
def test_an_array_whose_elements_share_memory_is_not_written_into(shape, strides):
    @ag.jit
    def add_one(x):
        for i in range(len(x)):
            x[i] += 1

    @ag.jit
    def total(x):
        return x.sum()

    def made():
        return np.lib.stride_tricks.as_strided(np.arange(20.0), shape, strides)

    for _ in range(70):
        add_one(np.zeros(shape))
    with pytest.raises(ag.errors.OverlappingArgumentsError, match="share memory with each other"):
        add_one(made())
    np.testing.assert_allclose(total(made()), made().sum())


@pytest.mark.parametrize(
    "view",
    [
        lambda x: x[::2, ::-1],
        lambda x: x.T,
        lambda x: x[:, :1],
        lambda x: x[3:3, ::2],
        lambda x: x.reshape(2, 2, 2, 3).transpose(3, 1, 0, 2)[::-1],
    ],
)
def test_views_whose_elements_are_apart_are_written_into(view):
    @ag.jit
    def add_one(x):
        for i in range(len(x)):
            x[i] += 1

    found, wanted = (np.arange(24.0).reshape(4, 6) for _ in range(2))
    add_one(view(found))
    view(wanted)[...] += 1
    np.testing.assert_array_equal(found, wanted)
