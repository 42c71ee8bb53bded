"""Blocks that are left to Python: ``objmode``."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import agir.numba as numba
from agir.errors import AgirError
from agir.numba import njit, objmode, types

SEEN: list[Any] = []


@pytest.fixture(autouse=True)
def _nothing_seen() -> None:
    SEEN.clear()


def outside(x):
    """Nothing that can be compiled."""
    return json.loads(json.dumps(np.asarray(x).tolist()))


def test_an_array() -> None:
    @njit
    def doubled(x):
        y = np.zeros_like(x)
        with objmode(y="float64[:]"):
            SEEN.append(type(x).__name__)
            y = np.array(outside(x)) * 2
        return y + 1

    for n in (0, 1, 5, 1000):
        x = np.arange(float(n))
        np.testing.assert_array_equal(doubled(x), x * 2 + 1)
    assert SEEN == ["ndarray"] * 4


def test_numbers() -> None:
    @njit
    def computed(n, x):
        with objmode(a=types.int64, b="float64", c=numba.float32, d="boolean"):
            SEEN.append((type(n), type(x)))
            a = outside(n) + 1
            b = x
            c = np.float32(x)
            d = n > 3
        return a // 2, b / 2, c, not d

    assert computed(7, 1.5) == (4, 0.75, np.float32(1.5), False)
    assert computed(1, 3) == (1, 1.5, np.float32(3), True)
    assert SEEN[0] == (int, float)


def test_in_branches_and_loops() -> None:
    @njit
    def counted(x):
        total = 0.0
        for i in range(len(x)):
            if x[i] > 1:
                value = x[i]
                with numba.objmode(value="float64"):
                    SEEN.append((i, value))
                    value = value * 10
                total += value
        return total

    assert counted(np.array([0.0, 2.0, 1.0, 3.0])) == 50.0
    assert SEEN == [(1, 2.0), (3, 3.0)]
    assert counted(np.zeros(3)) == 0.0
    assert len(SEEN) == 2


def test_nothing_comes_back() -> None:
    @njit
    def shown(x):
        with objmode():
            local = [each * 2 for each in x.tolist()]
            SEEN.append(local)
        return x.sum()

    assert shown(np.array([1, 2])) == 3
    assert shown(np.array([5])) == 5
    assert SEEN == [[2, 4], [10]]


def test_what_is_written_into_arrays() -> None:
    @njit
    def filled(x, n):
        with objmode():
            x[:n] = outside(x[:n] * 2)
            x[-1] = 100
        return x.sum()

    x = np.arange(5.0)
    assert filled(x, 3) == 109.0
    np.testing.assert_array_equal(x, [0.0, 2.0, 4.0, 3.0, 100.0])

    @njit
    def sorted_in_place(x):
        with objmode():
            x.sort()
        return x

    with pytest.raises(ValueError, match="read-only"):
        sorted_in_place(np.array([2.0, 1.0]))


def test_python_data() -> None:
    @njit
    def told(n, text, pair):
        numbers = [i * i for i in range(n)]
        names = {i: i + 0.5 for i in range(n)}
        with objmode(count="int64"):
            SEEN.append((numbers, names, text, pair))
            count = len(numbers) + len(text)
        return count + len(numbers)

    assert told(3, "abc", (1, 2.5)) == 9
    assert told(4, "de", (2, 0.5)) == 10
    assert SEEN == [
        ([0, 1, 4], {0: 0.5, 1: 1.5, 2: 2.5}, "abc", (1, 2.5)),
        ([0, 1, 4, 9], {0: 0.5, 1: 1.5, 2: 2.5, 3: 3.5}, "de", (2, 0.5)),
    ]


def test_lists_that_change() -> None:
    @njit
    def grown(n):
        numbers = [i + 1 for i in range(n)]
        with objmode():
            numbers.append(1)
        return len(numbers)

    with pytest.raises(AgirError, match="changes numbers"):
        grown(3)


def test_errors() -> None:
    @njit
    def failing(x):
        with objmode(y="int64[:]"):
            if len(x) == 3:
                raise KeyError("three")
            y = x
        return y

    assert failing(np.arange(2)).tolist() == [0, 1]
    with pytest.raises(KeyError, match="three"):
        failing(np.arange(3))
    with pytest.raises(AgirError, match="float64 instead of"):
        failing(np.arange(2.0))


def test_other_results() -> None:
    @njit
    def text(x):
        with objmode(y="unicode_type"):
            y = str(x)
        return y

    with pytest.raises(AgirError, match="gives numbers and arrays: y"):
        text(1)


def test_jumps() -> None:
    @njit
    def left(x):
        with objmode():
            return x
        return x + 1

    with pytest.raises(AgirError, match="left by a jump"):
        left(1)


def test_without_compilation() -> None:
    with objmode(y="float64"):
        y = 2.0
    assert y == 2.0


def test_sets_and_objects() -> None:
    class Point:
        def __init__(self, x):
            self.x = x

    @njit
    def of_a_set(n):
        numbers = {i % 3 for i in range(n)}
        with objmode(count="int64"):
            SEEN.append(numbers)
            count = len(numbers)
        return count

    @njit
    def of_an_object(x):
        point = Point(x)
        with objmode(y="float64"):
            y = point.x
        return y

    assert (of_a_set(2), of_a_set(9)) == (2, 3)
    assert SEEN == [{0, 1}, {0, 1, 2}]
    with pytest.raises(AgirError, match="and no Point"):
        of_an_object(1.5)
