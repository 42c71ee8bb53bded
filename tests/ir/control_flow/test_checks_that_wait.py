"""A check of what is computed before it is known whether it is needed: one in a branch stays there."""

from __future__ import annotations

import pytest

import agir as ag

LEAST = -(2**63)


def of_a_choice(a, c, x, y):
    return a > 0 and ((y - x > 0) if c > 0 else x > 0)


def otherwise(a, c, x, y):
    return a > 0 or ((y - x > 0) if c > 0 else x > 0)


def in_a_loop(a, c, x, y):
    n = 0
    for _ in range(3):
        if a > 0 and ((y - x > 0) if c > 0 else x > 0):
            n += 1
    return n


def behind_a_call(a, c, x, y):
    return a > 0 and (c > 0 and len(str(c)) > 5 and y - x > 0)


def of_several(a, c, x, y):
    n = 0
    for i in range(c + 3):
        if a and n and min(a * 1.5, x) > i and y - x > i:
            n += 2
        n += 1
    return n


ALL = [of_a_choice, otherwise, in_a_loop, behind_a_call, of_several]


@pytest.mark.parametrize("function", ALL, ids=lambda f: f.__name__)
def test_only_what_is_needed_is_checked(function):
    jitted = ag.jit(function)
    for args in ((1, 0, 1, LEAST), (1, 1, 1, 5), (0, 0, 1, LEAST), (0, 0, 3, 9), (2, 1, 1, 7)):
        if function is of_several and args[3] == LEAST:
            continue
        expected, got = function(*args), jitted(*args)
        assert (type(got), got) == (type(expected), expected)


@pytest.mark.parametrize("function", [of_a_choice, in_a_loop])
def test_what_is_needed_is_checked(function):
    with pytest.raises(ag.errors.RuntimeOverflowError):
        ag.jit(function)(1, 1, 1, LEAST)
