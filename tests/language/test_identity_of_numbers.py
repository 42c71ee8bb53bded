"""``is`` between ints: Python has one object for each small one."""

from __future__ import annotations

import pytest

import agir as ag


def fixed_point(items):
    for i in range(len(items)):
        if items[i] is i:
            return i
    return -1


@pytest.mark.parametrize("items", [[-10, -1, 0, 3, 10], [1, 2], [], list(range(7, 200)), [0]])
def test_in_loops(items):
    assert ag.jit(fixed_point)(items) == fixed_point(items)


def compared(x, y):
    three = 3
    return x is y, x is not y, x is three, "a" if x is not y else "b", x is True, x is None, x is x


PAIRS = [(3, 3), (3, 4), (True, True), (True, False), (True, 1), (3, 3.0), (256, 256), (-5, -5)]


@pytest.mark.parametrize(("x", "y"), PAIRS)
def test_numbers(x, y):
    assert ag.jit(compared)(x, y) == compared(x, y)


def test_large_ones_depend_on_how_python_made_them():
    compiled = ag.jit(lambda x, y: x + 1 is y)
    assert compiled(1000, 4) is False
    with pytest.raises(ValueError, match="compare them with =="):
        compiled(1000, 1001)


@pytest.mark.parametrize("other", [2.5, -0.5, float("inf"), 3])
def test_floats_that_differ(other):
    assert ag.jit(lambda x, y: (x is y, x is not y, x is x))(1.25, other) == (False, True, True)


@pytest.mark.parametrize("number", [1.25, 0.0, float("nan")])
def test_equal_floats_depend_on_how_python_made_them(number):
    with pytest.raises(ValueError, match="two equal floats are the same object"):
        ag.jit(lambda x, y: x is not y)(number, number)
