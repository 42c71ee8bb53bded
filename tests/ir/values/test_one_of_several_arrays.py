"""Names that the path taken binds to one of several arrays: writes reach the array that it is."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import agir as ag

sys.path.insert(0, str(Path(__file__).parents[2] / "numpy"))

from agreement import agree

A, B = np.arange(4.0), np.arange(4.0) * 2 + 1


def of_its_own(a, b, n):
    u, v = np.zeros(3), np.ones(3)
    if n > 2:
        w = u
    else:
        w = v
    w[0] = 7
    return u, v, w


def of_arguments(a, b, n):
    if n > 2:
        w = a
    else:
        w = b
    w[0] = 7
    w += 1
    return a, w


def exchanged(a, b, n):
    for _ in range(n):
        b[1:-1] = a[:-2] + a[2:]
        a, b = b, a
    return a, b


def exchanged_with_other_names(a, b, n):
    u, v = np.zeros(4), np.ones(4)
    d, e = u, v
    for _ in range(n):
        u[1:-1] = v[:-2] + v[2:]
        u, v = v, u
    return u, v, d, e


def part_or_copy(a, b, n):
    if n > 2:
        w = a[1:][::-1]
    else:
        w = b.copy()[1:]
    w[0] = 7
    return w


def another_or_itself(a, b, n):
    w = a
    if n > 2:
        w = w + 1
    w[0] = 7
    return a, w


def read_after_a_write(a, b, n):
    v = a.reshape(-1)
    if n > 2:
        w = v.T
    else:
        w = v.copy()
    v[0] = 77
    return w * 1


def chosen_twice(a, b, n):
    w = a if n > 2 else b
    x = w if n > 3 else a
    x[1] = 5
    w[2] = 6
    return x, w


def in_a_while(a, b, n):
    k, w = 0, a
    while k < n:
        w[k] = k + 10
        w = b
        k += 1
    return w


def second(v):
    w = v[:1]
    w[...] = 1
    return w, v[1:]


def from_a_function_in_a_handler(a, b, n):
    try:
        b[n + 2] = 5
    except IndexError:
        w = second(a)[1]
        w += 1
    finally:
        b[0] = 3


def bound_in_every_iteration(a, b, n):
    for i in range(n):
        if a[0] > i:
            w = a
        else:
            w = b
        w = w + 1
        b[i] = w[0]


def of_one_array_after_an_iteration(a, b, n):
    u, v = a * 1, b * 1
    for i in range(n):
        u = v = u + v * i
    return u * 1, v * 1


def of_one_array_after_an_iteration_of_a_while(a, b, n):
    u, v = a * 1, b * 1
    while n > 0:
        u = v = u + v * n
        n -= 1
    return u * 1, v * 1


def of_one_array_at_all_times(a, b, n):
    u = v = a * 1
    for i in range(n):
        u = v = u + b * i
    u[0] = 50
    return v * 1


def of_one_array_where_both_are_bound(a, b, n):
    u = a * 1
    for i in range(n):
        new = u + b * i
        u = new
    u[0] = 50
    return (u * 1, new * 1) if n > 0 else (u * 1, b * 1)


@pytest.mark.parametrize("n", [0, 1, 2, 5])
@pytest.mark.parametrize(
    "function",
    [of_one_array_after_an_iteration, of_one_array_after_an_iteration_of_a_while,
     of_one_array_at_all_times,
     of_one_array_where_both_are_bound],
)  # fmt: skip
def test_names_that_a_loop_binds_to_one_new_array(function, n):
    agree(function, A, B, n)


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize(
    "function",
    [of_its_own, of_arguments, exchanged, exchanged_with_other_names, part_or_copy,
     another_or_itself, read_after_a_write, chosen_twice, in_a_while, from_a_function_in_a_handler,
     bound_in_every_iteration],
)  # fmt: skip
def test_the_array_that_it_is_changes(function, n):
    agree(function, A, B, n)


def test_the_caller_gets_the_array_that_it_is():
    f = ag.jit(of_arguments)
    for n in (2, 3, 2, 3, 2, 3):
        a, b = A.copy(), B.copy()
        assert f(a, b, n)[1] is (b, a)[n > 2]


def test_numbers_are_kept_only_where_they_matter():
    def f(a, n):
        w = a
        for _ in range(n):
            w = w * 2
        return w

    text = ag.jit(f).experimental_get_compiler_ir(A, 3)("hlo")
    assert "scf.if" not in text


def one_array_if_nothing_is_raised(x, n):
    e, v = x * 1, x * 2
    try:
        x[:n].reshape(2, 1)
        e = v = e + v
    except ValueError:
        pass
    v[0] = 100
    return e, v


def one_array_after_a_loop_if_nothing_is_raised(x, n):
    rows = [x * 1, x * 1]
    for _ in range(n):
        for e in rows:
            e += 1
    v = rows[0] * 1
    try:
        x[:n].reshape(2, 1)
        e = v = e + v
    except (IndexError, ValueError):
        x[0] = 7
    v[0] = 100
    return x, rows[0], rows[1], e, v


@pytest.mark.parametrize(
    "function", [one_array_if_nothing_is_raised, one_array_after_a_loop_if_nothing_is_raised]
)
def test_names_of_one_array_on_the_path_without_an_exception(function):
    compiled = ag.jit(function)
    for n in (2, 3, 1):
        for found, expected in zip(
            compiled(np.arange(4.0), n), function(np.arange(4.0), n), strict=True
        ):
            np.testing.assert_array_equal(found, expected)


def a_part_by_a_condition_asked_twice(a, b, n):
    if n > 2:
        w = a
        if n > 2:
            w = a[2:]
        w[...] = 1
    return a


def written_by_the_condition_that_chose(a, b, n):
    w = a
    if n <= 2:
        w = b[:1]
    if n > 2:
        w[1:] = w[:-1] * 2
        w[0:4] = 5
    elif n <= 2:
        w[0:1] = 3
    return w


def a_short_one_that_may_be_long(a, b, n):
    w = h = np.zeros(2)
    if n > 2:
        if n > 2:
            w = a
        w[:] = 3
        w[2:3] = 5
    return w, h


@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.parametrize(
    "function",
    [a_part_by_a_condition_asked_twice, written_by_the_condition_that_chose,
     a_short_one_that_may_be_long],
)  # fmt: skip
def test_arrays_of_two_lengths_by_conditions_that_are_known(function, n):
    agree(function, A, B, n)
