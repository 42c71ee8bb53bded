"""Positions of few bits: not checked where none can be outside, and not widened."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag
from tests.numpy.agreement import agree


def take(table, at):
    return table[at]


def take_columns(table, at):
    return table[None, :, None][:, at]


def put(table, at):
    table[at] = 5
    return table


def add(table, at):
    table[at] += 1
    return table


def masked(table, at):
    return table[at & 15]


def remainder(table, at):
    return table[at % 7]


def one_by_one(table, at):
    total = 0
    for position in at.flat:
        total += table[position]
    return total


def found_by_search(table, at):
    return table[np.where(at > 3)[0] * 0 + 2], table[np.flatnonzero(at) % 7]


FUNCTIONS = [take, take_columns, put, add, masked, remainder, one_by_one, found_by_search]
DTYPES = [np.uint8, np.int8, np.uint16, np.int16, np.int32, np.uint32, np.int64, np.uint64]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_positions(function, dtype):
    limits = np.iinfo(dtype)
    low, high = max(-20, limits.min), min(200, limits.max)
    for size in (256, 128, 7):
        for at in ([], [[3, 6], [0, 2]], [low, high]):
            agree(function, np.arange(size), np.array(at, dtype))


def checks(function, *args):
    text = ag.jit(function).experimental_get_compiler_ir(*args)(stage="hlo")
    return text.count("@fail_unless") > 0


@pytest.mark.parametrize("function", [take, put, one_by_one])
def test_what_cannot_be_outside_is_not_checked(function):
    image = np.zeros((4, 5), np.uint8)
    assert not checks(function, np.arange(256), image)
    assert checks(function, np.arange(255), image)
    assert not checks(function, np.arange(128), image.astype(np.int8))
    assert checks(function, np.arange(127), image.astype(np.int8))


def around(x):
    total = x[0] * 0
    for k in range(4):
        total += x[k - 1] * x[k - 4]
    return total


def test_neighbours_around_the_end_are_not_checked():
    assert not checks(around, np.arange(4.0))
    assert ag.jit(around)(np.arange(4.0)) == around(np.arange(4.0))


def first_of_each(x):
    return np.take_along_axis(x, np.full(x.shape, 0), 0)


def third_of_each(x):
    return x[np.full(x.shape[1], 2), np.arange(x.shape[1])]


@pytest.mark.parametrize("function", [first_of_each, third_of_each])
def test_one_position_as_often_as_the_call_says(function):
    spec = ag.TensorSpec([None, None], ag.float64)
    compiled = ag.jit(function).get_concrete_function(spec)
    for shape in ((4, 3), (3, 1), (3, 0)):
        x = np.arange(np.prod(shape) * 1.0).reshape(shape)
        np.testing.assert_array_equal(compiled(x), function(x))


def test_one_position_that_is_outside():
    spec = ag.TensorSpec([None, None], ag.float64)
    compiled = ag.jit(third_of_each).get_concrete_function(spec)
    with pytest.raises(IndexError, match="index 2 is out of bounds for axis 0 with size 1"):
        compiled(np.ones((1, 3)))


def outside(x, i):
    y, z = x.copy(), x.copy()
    np.put(y, i, 7, mode="wrap")
    np.put(z, i, 7, mode="clip")
    return np.take(x, i, mode="wrap"), np.take(x, i, mode="clip"), y, z


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint64])
@pytest.mark.parametrize("sizes", [[None], [300]])
def test_positions_of_dtypes_that_do_not_hold_the_size(dtype, sizes):
    specs = [ag.TensorSpec(sizes, ag.float64), ag.TensorSpec([None], dtype)]
    compiled = ag.jit(outside, input_signature=specs)
    x = np.arange(300.0)
    for i in ([0, 2], [5, 127, 3]):
        places = np.array(i, dtype)
        if dtype is np.uint64:  # which put() does not take
            with pytest.raises(TypeError):
                compiled(x, places)
        else:
            np.testing.assert_equal(compiled(x, places), outside(x, places))
