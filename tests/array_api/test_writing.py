"""Assignments into eager tensors: as into NumPy's arrays, until somebody relies on the elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest

import agir as ag
import agir.numpy as np

WRITES: dict[str, Callable[[Any, Any], None]] = {
    "an element": lambda np, x: x.__setitem__((0, 1), 7),
    "a row": lambda np, x: x.__setitem__(1, np.asarray([7, 8, 9])),
    "a slice": lambda np, x: x.__setitem__((slice(None), slice(None, None, -2)), 0),
    "a mask": lambda np, x: x.__setitem__(x > 3, np.asarray(2)),
    "places": lambda np, x: x.__setitem__(np.asarray([1, 0]), x),
    "a part of a part": lambda np, x: x[1][::2].__setitem__(0, 6),
    "a transposed view": lambda np, x: x.T.__setitem__(slice(1, None), 5),
    "a reshape": lambda np, x: np.reshape(x, (-1,)).__setitem__(slice(4), 5),
    "no view": lambda np, x: np.round(x).__setitem__(0, 5),
    "a copy": lambda np, x: x.copy().__setitem__(0, 5),
    "rows of a loop": lambda np, x: [row.__setitem__(0, 3) for row in x].clear(),
    "everything": lambda np, x: x.__setitem__(..., 1),
    "nothing": lambda np, x: x.__setitem__(slice(0, 0), 1),
}


@pytest.mark.parametrize("dtype", ["int8", "int64", "float32", "float64", "complex128"])
@pytest.mark.parametrize("kind", WRITES)
def test_as_numpy(kind: str, dtype: str) -> None:
    given = numpy.arange(6, dtype=dtype).reshape(2, 3)
    if kind == "a mask" and dtype == "complex128":
        given = given.real.copy()
    wanted, x = given.copy(), np.asarray(given)
    WRITES[kind](numpy, wanted)
    WRITES[kind](np, x)
    assert x.numpy().tolist() == wanted.tolist()
    assert given.tolist() == numpy.arange(6).reshape(2, 3).tolist()


def test_what_numpy_refuses() -> None:
    x = np.zeros(2)
    with pytest.raises(IndexError):
        x[2] = 1
    with pytest.raises(ValueError, match="broadcast"):
        x[:] = np.zeros(3)
    assert not x.numpy().flags.writeable


def test_an_array_of_the_same_memory() -> None:
    x = np.zeros(3)
    array = numpy.asarray(x)
    array[1] = 5
    x[2] = 7
    assert x.numpy().tolist() == array.tolist() == [0.0, 5.0, 7.0]
    numpy.asarray(x[:1])[...] = 3
    assert x.numpy().tolist() == [3.0, 5.0, 7.0]
    assert not numpy.asarray(ag.constant([1.0])).flags.writeable
    x.freeze()
    assert not numpy.asarray(x).flags.writeable


def test_what_a_trace_has_read_stays() -> None:
    few, many = np.zeros(3), np.zeros(100_000)
    part, flag = few[1:], np.asarray(False)

    @ag.function
    def run(x: Any) -> Any:
        if flag:
            x = x + 1
        return x + few, many[0]

    run(ag.constant([1.0, 2.0, 3.0]))
    for each in (few, many, part, flag):
        with pytest.raises(TypeError, match="immutable"):
            each[...] = 1


def test_what_a_decorated_function_is_given_can_be_written_later() -> None:
    double = ag.function(lambda x: x * 2)
    x = np.zeros(2)
    assert double(x).numpy().tolist() == [0.0, 0.0]
    x[0] = 4
    assert double(x).numpy().tolist() == [8.0, 0.0]
    x[1] = 3
    assert double(x).numpy().tolist() == [8.0, 6.0]


def test_what_machine_code_gives() -> None:
    double = ag.function(lambda x: x * 2)
    x = ag.constant([1.0, 2.0])
    for _ in range(2000):
        found = double(x)
    assert (found.numpy() + found[1:].numpy()).tolist() == [6.0, 8.0]
    with pytest.raises(TypeError, match="immutable"):
        found[0] = 1


def test_what_a_tape_has_noted_stays() -> None:
    x, factor = np.ones(2), np.ones(2)
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * factor
    for each in (x, factor, y):
        with pytest.raises(TypeError, match="immutable"):
            each[0] = 5
    assert tape.gradient(y, x).numpy().tolist() == [1.0, 1.0]


def test_what_holds_a_value_keeps_it() -> None:
    x = np.ones(2)
    variable = ag.Variable(x)
    x[0] = 5
    assert variable.numpy().tolist() == [1.0, 1.0]
    variable.assign(x)
    x[0] = 6
    assert variable.numpy().tolist() == [5.0, 1.0]
    rows = ag.TensorArray(ag.float64, size=1).write(0, x)
    x[0] = 7
    assert rows.read(0).numpy().tolist() == [6.0, 1.0]
    other = ag.TensorArray(ag.float64, size=2).unstack(x)
    x[0] = 8
    assert other.read(0).numpy() == 7.0
