"""TensorArrays that are passed to compiled functions, and come back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agir as ag

from ..ways import everywhere, leaves, when_traced

F64 = ag.float64


@everywhere
def test_what_is_in_it_can_be_read(wrap: Any) -> None:
    def f(array: Any, i: Any) -> Any:
        return array.read(i), array.stack(), array.size()

    array = ag.TensorArray(F64, 3).unstack(np.arange(6.0).reshape(3, 2))
    assert leaves(wrap(f)(array, ag.constant(1))) == [[2, 3], [[0, 1], [2, 3], [4, 5]], 3]


@everywhere
def test_what_is_written_comes_back_whether_it_is_returned_or_not(wrap: Any) -> None:
    def dropped(array: Any, x: Any) -> Any:
        for i in ag.range(3):
            if i != 1:
                array.write(i, x * ag.cast(i, F64))
        return x

    def returned(array: Any, x: Any) -> Any:
        return array.write(1, x).write(2, array.read(0) + 1)

    array = ag.TensorArray(F64, 3)
    wrap(dropped)(array, np.array([1.0, 2.0]))
    assert leaves(array.stack()) == [[[0, 0], [0, 0], [2, 4]]]
    assert wrap(returned)(array, np.array([5.0, 6.0])) is array
    assert leaves(array.stack()) == [[[0, 0], [5, 6], [1, 1]]]


@everywhere
def test_one_that_grows(wrap: Any) -> None:
    def f(array: Any, x: Any) -> Any:
        return array.write(array.size(), x)

    function = wrap(f)
    array = ag.TensorArray(F64, 0, dynamic_size=True)
    for n in range(6):
        array = function(array, np.float64(n))
    assert leaves(array.stack()) == [[0, 1, 2, 3, 4, 5]]
    assert array.dynamic_size


def test_one_that_grows_is_traced_for_any_size() -> None:
    traces = []

    @ag.function
    def f(array: Any) -> Any:
        traces.append(1)
        return array.write(array.size(), 1.0)

    array = ag.TensorArray(ag.float32, 0, dynamic_size=True)
    for _ in range(8):
        f(array)
    assert int(array.size()) == 8
    assert len(traces) <= 2


@everywhere
def test_in_a_structure_and_in_control_flow(wrap: Any) -> None:
    def f(state: Any, n: Any) -> Any:
        first, second = state["arrays"]
        for i in ag.range(n):
            if i % 2 == 0:
                first = first.write(i, i)
            else:
                second = second.write(i, -i)
        return {"arrays": (first, second), "n": n}

    arrays = (ag.TensorArray(ag.int32, 4), ag.TensorArray(ag.int32, 4))
    found = wrap(f)({"arrays": arrays}, ag.constant(4))
    assert leaves([each.stack() for each in found["arrays"]]) == [[0, 0, 2, 0], [0, -1, 0, -3]]
    assert leaves([each.stack() for each in arrays]) == [[0, 0, 2, 0], [0, -1, 0, -3]]


@everywhere
def test_one_that_is_only_read_stays_as_it_was(wrap: Any) -> None:
    array = ag.TensorArray(F64, 2).write(0, 1.5)
    before = array._contents
    assert float(wrap(lambda a: a.read(0) * 2)(array)) == 3
    assert array._contents is before


@when_traced
def test_a_failure_changes_nothing(wrap: Any) -> None:
    def f(array: Any, i: Any) -> Any:
        array.write(0, 5.0)
        return array.read(i)

    array = ag.TensorArray(ag.float32, 2).write(0, 1.0)
    with pytest.raises(IndexError, match="index 7 is out of range for 2 elements"):
        wrap(f)(array, ag.constant(7))
    assert leaves(array.stack()) == [[1, 0]]


@when_traced
def test_elements_of_different_shapes_are_refused(wrap: Any) -> None:
    array = ag.TensorArray(F64, 2, infer_shape=False).write(0, [1.0]).write(1, [1.0, 2.0])
    with pytest.raises(ValueError, match="elements have different shapes"):
        wrap(lambda a: a.read(0))(array)


@when_traced
def test_errors_of_a_write(wrap: Any) -> None:
    array = ag.TensorArray(F64, 2).write(0, [1.0, 2.0])
    with pytest.raises(ValueError, match=r"elements of shape \[2\] is given one of shape \[3\]"):
        wrap(lambda a: a.write(1, [1.0, 2.0, 3.0]))(array)
    with pytest.raises(TypeError, match="is given a value of"):
        wrap(lambda a: a.write(1, np.float32([1, 2])))(array)


@everywhere
def test_close_does_nothing(wrap: Any) -> None:
    def f(array: Any) -> Any:
        array.close()
        return array.stack()

    assert leaves(wrap(f)(ag.TensorArray(F64, 1).write(0, 2.0))) == [[2.0]]
