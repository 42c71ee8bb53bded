"""Ints to the power of ints: an int, or a float where the exponent is negative."""

from __future__ import annotations

import pytest

import agir as ag


def known(x):
    return x**-1, 3 * x**-2 + 1


def power(x, y):
    return x**y


def computed(x, y):
    return (1 / (1 - 2)) * (1 - 2 ** (x - y)) + 10 ** (x - y)


def summed(n):
    total = 0
    for k in range(n):
        total += 16 ** (n - 2 - k) % 7
    return total


def told(x, y):
    print("once")
    return pow(x, y)


def same(found, wanted):
    assert (found, type(found)) == (wanted, type(wanted))


@pytest.mark.parametrize(("function", "calls"), [
    (known, [(2,), (5,), (-3,)]),
    (power, [(2, 3)] * 5 + [(2, -1), (3, 2), (0, 0), (-2, -3), (7, 0), (1, -5)]),
    (computed, [(5, 3), (3, 5), (4, 4)]),
    (summed, [(4,), (1,), (0,)]),
])  # fmt: skip
def test_as_plain_python(function, calls):
    compiled = ag.jit(function)
    for args in calls:
        same(compiled(*args), function(*args))


def test_nothing_to_the_power_of_less():
    with pytest.raises(ZeroDivisionError, match=r"0\.0 cannot be raised to a negative power"):
        ag.jit(power)(0, -2)
    with pytest.raises(ZeroDivisionError):
        ag.jit(known)(0)


def test_what_has_been_printed_is_not_printed_again(capfd):
    compiled = ag.jit(told)
    same(compiled(2, 3), 8)
    with pytest.raises(ag.errors.RuntimeValueError, match="negative integer powers"):
        compiled(2, -1)
    assert capfd.readouterr().out.count("once") == 2
