"""``a < b < c`` where only some paths have given ``b`` a value."""

from __future__ import annotations

from typing import Any

import pytest

import agir as ag


def after_a_handler(n):
    try:
        x = 10 // n
    except ZeroDivisionError:
        return False
    return -9 <= x <= 5


def after_a_loop(n):
    for i in range(n):
        x = i
    if n == 0:
        return False
    return 1 < x < 3 < n


def after_a_conversion(text):
    try:
        x = float(text)
    except ValueError:
        return None
    return 0 <= x < 90 and 5 < x <= x


@pytest.mark.parametrize(
    ("function", "given"),
    [
        (after_a_handler, (3, 1, 0, -1, 10)),
        (after_a_loop, (0, 1, 3, 4, 9)),
        (after_a_conversion, ("12", "3.5", "100", "x", "-1", "7e0")),
    ],
)
def test_as_in_plain_python(function: Any, given: tuple[Any, ...]) -> None:
    decorated = ag.jit(function)
    for each in given:
        assert decorated(each) == function(each)
