"""``round`` of numbers of the run time, to so many digits as only the run time knows."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import agir as ag


@ag.jit
def rounded(number, ndigits):
    return round(number, ndigits=ndigits)


FLOATS = st.one_of(
    st.floats(),
    st.integers(-99_999, 99_999).map(lambda n: n / 8),
    st.integers(-99_999, 99_999).map(lambda n: n / 1000),
)


@settings(deadline=None)
@given(FLOATS, st.integers(-22, 22))
def test_floats(number, digits):
    try:
        expected = round(number, digits)
    except OverflowError:
        expected = math.copysign(math.inf, number)
    assert repr(rounded(number, digits)) == repr(expected)


@settings(deadline=None)
@given(st.integers(-(10**12), 10**12), st.integers(-13, 5))
def test_integers(number, digits):
    assert repr(rounded(number, digits)) == repr(round(number, digits))


def test_known_numbers_and_names_of_parameters():
    @ag.jit
    def f(digits):
        return round(2.675, digits), round(number=digits * 1.25), round(1234567, ndigits=-digits)

    for digits in (2, 3):
        assert f(digits) == (round(2.675, digits), round(digits * 1.25), round(1234567, -digits))


def test_more_digits_than_powers_of_ten_are_exact():
    with pytest.raises(ag.errors.InvalidArgumentError, match="agir rounds to 22 at most"):
        rounded(1.5, 30)
