"""Arrays whose elements are made when something asks for them, under names that paths rebind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import agir as ag

MADE: dict[str, Callable[..., Any]] = {
    "by a mask": lambda x, n: x[x > 1],
    "of what a mask takes": lambda x, n: np.sqrt(x[x > 1]) + 1,
    "of a list": lambda x, n: np.array([1.0, 2.0, 3.0]),
    "by unique": lambda x, n: np.unique(x),
    "of zeros": lambda x, n: np.zeros(4),
    "of counted numbers": lambda x, n: np.arange(4.0),
}


def renamed_copy(make, x, n):
    made = make(x, n)
    other = made
    if n > 2:
        other = made.copy()
    other[:1] = 9
    return made, other


def one_or_argument(make, x, n):
    made = make(x, n)
    other = made if n > 2 else x
    other += 1
    return made, x


def written_afterwards(make, x, n):
    made = make(x, n)
    other = made
    if n > 2:
        other = made + 1
    made *= 2
    return other


def swapped(make, x, n):
    made = make(x, n)
    other = made * 2
    for _ in range(n):
        other, made = made, other
    other[:1] = 100
    return made, other


def in_a_list(make, x, n):
    both = [make(x, n), x]
    made = both[0]
    if n > 2:
        both[0] = both[1]
    both[0][:1] = 5
    return made, x


PROGRAMS = [renamed_copy, one_or_argument, written_afterwards, swapped, in_a_list]


@pytest.mark.parametrize("compiled", [None, False])
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("name", MADE)
def test_writes_reach_every_name(name: str, program: Any, compiled: bool | None) -> None:
    make = MADE[name]

    def plain(x: Any, n: int) -> Any:
        return program(make, x, n)

    decorated = ag.jit(plain, jit_compile=compiled)
    for n in (1, 2, 3):
        arguments = [np.array([1.0, 2.0, 3.0, 4.0]) for _ in range(2)]
        wanted, found = plain(arguments[0], n), decorated(arguments[1], n)
        for one, other in zip([wanted, arguments[0]], [found, arguments[1]], strict=True):
            pairs = zip(one, other, strict=True) if isinstance(one, tuple) else [(one, other)]
            for left, right in pairs:
                np.testing.assert_array_equal(right, left)
