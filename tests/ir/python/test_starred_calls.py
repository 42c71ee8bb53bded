"""Calls with ``*items`` where only the run time knows how many items there are."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag

LONG, SHORT, ONE = np.array([3.0, 1.0, 5.0, 4.0, 7.0]), np.array([3.0, 4.0]), np.array([1.0])


def extrema(x):
    items = [int(v) for v in x if v > 2]
    known = {int(v): int(v * v % 7) for v in x}
    return max(*items), min(*items, key=lambda v: (v - 4) ** 2), max(*known), min(*known.values())


def columns_of_tuples(x):
    numbers, parts = zip(*[(int(v), v / 2) for v in x if v > 2], strict=False)
    ones, twos = zip(*sorted({(int(v), int(v) % 3) for v in x}), strict=False)
    keys, texts = zip(*{int(v): str(int(v)) for v in x}.items(), strict=False)
    total = 0
    for column in zip(*[(1, v) for v in x], strict=False):
        total += sum(column)
    return numbers, parts, list(ones), twos, keys, texts, total


def columns_of_lists(x):
    rows, ragged = [[int(v), int(v) + 1, int(v * 2)] for v in x], []
    for v in x:
        row = []
        for k in range(int(v) + 1):
            row.append(k * int(v))
        ragged.append(row)
    sums = [sum(c) for c in zip(*ragged, strict=False)]
    none = list(zip(*ragged[:0], strict=False))
    return [list(c) for c in zip(*rows, strict=False)], sums, none


def weighted(*args, **named):
    return sum(args) * named.get("by", 1)


def added(*args):
    return args[0] + added(*args[1:]) if len(args) > 1 else sum(args)


def functions_of_the_program(x):
    items = [int(v) for v in x if v > 2]

    def largest(*args):
        return max(args) + len(items)

    doubled = (lambda *args: [v * 2 for v in args])(*items)
    of_keys = weighted(*{int(v): 1 for v in x})
    return (
        weighted(*items),
        weighted(*items, by=3),
        largest(*items),
        doubled,
        of_keys,
        added(*items),
    )


CASES = [extrema, columns_of_tuples, columns_of_lists, functions_of_the_program]


@pytest.mark.parametrize("function", CASES)
def test_calls(function):
    decorated = ag.jit(function)
    for x in (LONG, SHORT):
        assert repr(decorated(x)) == repr(function(x))


def test_errors():
    decorated = ag.jit(extrema)
    for x in (ONE, np.array([3.0])):
        with pytest.raises(TypeError) as expected:
            extrema(x)
        with pytest.raises(TypeError, match=str(expected.value)):
            decorated(x)
    with pytest.raises(ag.errors.InvalidArgumentError, match=r"zip\(\*rows\) of no rows"):
        ag.jit(columns_of_tuples)(ONE)
