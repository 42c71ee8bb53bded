"""Functions that call themselves write into the lists that they get, and copy none."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import agir as ag


def queens(n):
    columns, rising, falling = [False] * n, [False] * (2 * n), [False] * (2 * n)

    def place(row):
        if row == n:
            return 1
        found = 0
        for column in range(n):
            if columns[column] or rising[row + column] or falling[row - column + n]:
                continue
            columns[column] = rising[row + column] = falling[row - column + n] = True
            found += place(row + 1)
            columns[column] = rising[row + column] = falling[row - column + n] = False
        return found

    return place(0), columns, rising


def searched(follower, n):
    visited, before, after = [False] * n, [], []

    def go(node):
        visited[node] = True
        before.append(node)
        for other in (follower[node], (node * 7 + 3) % n):
            if not visited[other]:
                go(other)
        after.append(node)

    for node in range(n):
        if not visited[node]:
            go(node)
    return before, after, visited


def sums(numbers, target):
    path, found = [], []

    def go(place, left):
        if left == 0:
            found.append(len(path) * 1000 + path[-1] if path else 0)
            return
        if place == len(numbers) or left < 0:
            return
        path.append(numbers[place])
        go(place + 1, left - numbers[place])
        path.pop()
        go(place + 1, left)

    go(0, target)
    return found, path


def exchange(one, two, steps):
    if steps == 0:
        return one[0] * 2 + two[0]
    one[steps % len(one)] += steps
    two[steps * 3 % len(two)] -= one[0]
    return exchange(two, one, steps - 1) + one[-1]


def kept_before(numbers, steps):
    before = list(numbers)
    if steps > 0:
        numbers[steps % len(numbers)] *= 2
        deeper = kept_before(numbers, steps - 1)
        return [before[0] + deeper[-1], before[-1] - numbers[0], *deeper]
    return before


def one_or_the_other(numbers, others, steps):
    chosen = numbers if steps % 3 else others
    chosen[0] += steps
    if steps > 0:
        one_or_the_other(chosen, others, steps - 1)
        others[-1] += chosen[0]


def is_even(numbers, marks, n):
    marks[n % len(marks)] += numbers[0]
    return True if n == 0 else is_odd(numbers, marks, n - 1)


def is_odd(numbers, marks, n):
    numbers[n % len(numbers)] += 1
    return False if n == 0 else is_even(numbers, marks, n - 1)


def sudoku(n):
    rows = [[False] * n for _ in range(n)]
    columns = [[False] * n for _ in range(n)]

    def go(cell):
        if cell == n * 2:
            return 1
        found = 0
        for value in range(n):
            if rows[cell // 2][value] or columns[cell % n][value]:
                continue
            rows[cell // 2][value] = columns[cell % n][value] = True
            found += go(cell + 1)
            rows[cell // 2][value] = columns[cell % n][value] = False
        return found

    return go(0)


def sets_of_places(n):
    columns, rising, falling = set(), set(), set()

    def go(row):
        if row == n:
            return 1
        found = 0
        for column in range(n):
            if column in columns or row + column in rising or row - column in falling:
                continue
            columns.add(column)
            rising.add(row + column)
            falling.add(row - column)
            found += go(row + 1)
            columns.remove(column)
            rising.remove(row + column)
            falling.remove(row - column)
        return found

    return go(0), len(columns), sorted(rising)


def halves(x, low, high, found):
    if high - low < 2:
        found[low] = x[low] + 1
        return x[low]
    middle = (low + high) // 2
    left = halves(x, low, middle, found)
    right = halves(x, middle, high, found)
    found[low] += left * right
    x[high - 1] -= left
    return left + right


NUMBERS = [3, 1, 4, 1, 5, 9, 2, 6]
CALLS = [
    (queens, [[n] for n in (1, 4, 6)]),
    (searched, [[[0], 1], [[3, 0, 1, 2, 2], 5], [[n * n % 60 for n in range(60)], 60]]),
    (sums, [[[], 0], [[2, 3, 4], 5], [list(range(1, 12)), 20]]),
    (kept_before, [[[1, 2], 0], [[1, 2, 3], 4], [NUMBERS, 9]]),
    (one_or_the_other, [[[1, 2], [3, 4], 0], [[1, 2], [3, 4], 8], [NUMBERS, NUMBERS[3:], 21]]),
    (is_even, [[[1, 2], [3], 0], [[1, 2], [3, 4, 5], 9], [NUMBERS, NUMBERS[2:], 30]]),
    (sudoku, [[1], [2], [3]]),
    (sets_of_places, [[1], [4], [6]]),
]


@pytest.mark.parametrize(("function", "calls"), CALLS)
@pytest.mark.parametrize("kind", [int, float])
def test_lists_of_recursion(function, calls, kind):
    compiled = ag.jit(function)
    for args in calls:
        args = [[*map(kind, each)] if isinstance(each, list) else each for each in args]
        if kind is float and function in (searched,):
            continue  # its numbers are places
        given, expected = copy.deepcopy(args), copy.deepcopy(args)
        assert repr(compiled(*given)) == repr(function(*expected))
        assert repr(given) == repr(expected)


@pytest.mark.parametrize("dtype", [np.int64, np.float64, np.float32])
@pytest.mark.parametrize("count", [1, 2, 5, 64])
def test_arrays_of_recursion(dtype, count):
    x, found = np.arange(1, count + 1, dtype=dtype), np.zeros(count, dtype)
    other, others = x.copy(), found.copy()
    assert ag.jit(halves)(x, 0, count, found) == halves(other, 0, count, others)
    np.testing.assert_array_equal(x, other)
    np.testing.assert_array_equal(found, others)


@pytest.mark.parametrize("steps", [0, 1, 8, 9])
def test_arrays_that_change_places(steps):
    compiled = ag.jit(exchange)
    for one in (np.arange(3.0), np.ones(3)):
        x, y = one.copy(), one + 1
        other, others = x.copy(), y.copy()
        assert compiled(x, y, steps) == exchange(other, others, steps)
        np.testing.assert_array_equal(x, other)
        np.testing.assert_array_equal(y, others)


def test_nothing_is_copied():
    compilation = ag.jit(queens).get_concrete_function(5).compilation
    (recursive,) = compilation.text("bufferized").split("func.func private @place")[1:]
    assert "memref.copy" not in recursive.split("func.func")[0]
