"""Side effects on objects from outside of the traced function."""

import warnings

import numpy as np
import pytest

import agir as ag

SEEN = []


def test_a_list_that_is_not_seen_and_that_a_loop_appends_to_warns_with_the_line():
    seen = []
    see = seen.append

    @ag.jit
    def f(n):
        for _ in range(n):
            see("once")
        return n

    with pytest.warns(ag.errors.SideEffectWarning, match="changes once") as caught:
        assert f(3) == 3
    assert caught[0].filename == __file__
    assert seen == ["once"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert f(5) == 5  # not traced again
    assert seen == ["once"]


class Box:
    value = None


def test_a_run_time_value_that_leaks_warns():
    box = Box()

    @ag.function
    def f(n):
        box.value = n + 1
        return n

    with pytest.warns(ag.errors.SideEffectWarning, match=r"Box.value is assigned a run-time value"):
        assert f(ag.constant(3)) == 3


def test_a_number_that_is_assigned_to_an_attribute_is_assigned_at_each_call():
    box = Box()

    @ag.jit
    def f(n):
        box.value = n + 1
        return n

    assert f(3) == 3
    assert box.value == 4
    assert f(5) == 5
    assert box.value == 6


def test_containers_of_the_function_do_not_warn():
    @ag.jit
    def f(n):
        d, items = {"a": 0}, []
        for i in range(n):
            d["a"] += i
            items.append(i)
        return d, items

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert f(3) == ({"a": 3}, [0, 1, 2])


def test_a_list_that_is_not_seen_and_gets_a_run_time_value():
    log = []
    write = log.append

    @ag.jit
    def f(x):
        write(x + 1)
        return x

    with pytest.warns(ag.errors.SideEffectWarning, match="the list gets a run-time value"):
        f(1)


def test_arrays_in_a_list_of_outside_are_written_into_without_a_warning():
    kept = [np.zeros(2), np.ones(2)]

    @ag.jit
    def f(x):
        kept[0] += x
        return kept[0] + kept[1]

    for iteration in (1, 2):
        np.testing.assert_array_equal(f(np.ones(2)), np.full(2, iteration + 1.0))
    np.testing.assert_array_equal(kept[0], [2.0, 2.0])
