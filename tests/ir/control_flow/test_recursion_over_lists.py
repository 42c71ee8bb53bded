"""Functions that call themselves, and change lists that they are given."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from typing import Any

import pytest

import agir as ag


def quick_sort(items, low, high):
    if low < high:
        pivot, at = items[high], low - 1
        for j in range(low, high):
            if items[j] <= pivot:
                at += 1
                items[at], items[j] = items[j], items[at]
        items[at + 1], items[high] = items[high], items[at + 1]
        quick_sort(items, low, at)
        quick_sort(items, at + 2, high)
    return items


def bubble(items):
    swapped = False
    for i in range(len(items) - 1):
        if items[i] > items[i + 1]:
            items[i], items[i + 1] = items[i + 1], items[i]
            swapped = True
    return bubble(items) if swapped else items


def merge_sort(items):
    if len(items) <= 1:
        return items
    middle = len(items) // 2
    left, right = merge_sort(items[:middle]), merge_sort(items[middle:])
    merged = []
    while left and right:
        merged.append((left if left[0] <= right[0] else right).pop(0))
    merged.extend(left)
    merged.extend(right)
    return merged


def exchange(items, one, other):
    if one != other:
        items[one], items[other] = items[other], items[one]


def around_a_pivot(items):
    end = len(items) - 1
    pivot = items[end // 2]
    exchange(items, end // 2, end)
    place = 0
    for i in range(end):
        if items[i] < pivot:
            exchange(items, i, place)
            place += 1
    exchange(items, place, end)
    return place


def sort_by_parts(items):
    if len(items) > 1:
        place = around_a_pivot(items)
        below, above = [], []
        for i in range(place):
            below.append(items[i])
        for i in range(place + 1, len(items)):
            above.append(items[i])
        sort_by_parts(below)
        sort_by_parts(above)
        for i in range(len(below)):
            items[i] = below[i]
        for i in range(len(above)):
            items[place + 1 + i] = above[i]
    return items


def count_down_in_copies(items):
    if len(items) > 1:
        place = items[0] % len(items)
        rest = []
        for i in range(place):
            rest.append(items[i])
        count_down_in_copies(rest)
        for i in range(len(rest)):
            items[i] = rest[i] - 1
    return items


def permutations(numbers, found, used, path):
    if len(path) == len(numbers):
        found.append(path[:])
        return
    for i in range(len(numbers)):
        if not used[i]:
            used[i] = True
            path.append(numbers[i])
            permutations(numbers, found, used, path)
            path.pop()
            used[i] = False


def queens(n, row, columns, found):
    if row == n:
        found.append(list(columns))
        return
    for column in range(n):
        free = True
        for before in range(row):
            if columns[before] == column or abs(columns[before] - column) == row - before:
                free = False
                break
        if free:
            columns.append(column)
            queens(n, row + 1, columns, found)
            columns.pop()


def flood(grid, row, column, value):
    if row < 0 or column < 0 or row >= len(grid) or column >= len(grid[0]):
        return 0
    if grid[row][column] != 0:
        return 0
    grid[row][column] = value
    total = 1
    for i, j in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        total += flood(grid, row + i, column + j, value)
    return total


def knapsack(weights, values, n, capacity, known):
    if n == 0 or capacity == 0:
        return 0
    if known[n][capacity] < 0:
        best = knapsack(weights, values, n - 1, capacity, known)
        if weights[n - 1] <= capacity:
            rest = knapsack(weights, values, n - 1, capacity - weights[n - 1], known)
            best = max(best, values[n - 1] + rest)
        known[n][capacity] = best
    return known[n][capacity]


def root(parents, x):
    if parents[x] != x:
        parents[x] = root(parents, parents[x])
    return parents[x]


def depth_first(graph, vertex, seen, order):
    seen[vertex] = True
    for other in graph[vertex]:
        if not seen[other]:
            depth_first(graph, other, seen, order)
    order.append(vertex)


def one_of_two(c, d, k):
    chosen = c if k > 2 else d
    chosen[0] += 1
    if k > 0:
        one_of_two(c, d, k - 1)
    return chosen


def another_list(c, k):
    if k <= 0:
        return c
    if k % 2 == 0:
        c = [k, 1]
    c[0] += 1
    return another_list(c, k - 1)


def one_row_as_another(rows, k):
    if k <= 0:
        return rows
    rows[k % 2] = rows[(k + 1) % 2]
    rows[0].append(k)
    return one_row_as_another(rows, k - 1)


CALLS: list[tuple[Callable[..., Any], list[Any]]] = [
    (quick_sort, [[3, 1, 2, 5, 4], 0, 4]),
    (bubble, [[0, 5, 2, 3, 2]]),
    (merge_sort, [[3, 1, 2, 5]]),
    (sort_by_parts, [[3, 1, 2, 5, 4, 9, 0]]),
    (sort_by_parts, [[0.5]]),
    (sort_by_parts, [[7 * i % 13 + i / 4 for i in range(130)]]),
    (count_down_in_copies, [[3, 1, 2, 5, 4]]),
    (count_down_in_copies, [[11, 9, 4, 9, 1, 8, 3, 7, 6]]),
    (permutations, [[1, 2, 3], [], [False] * 3, []]),
    (queens, [5, 0, [], []]),
    (flood, [[[0, 0, 1], [1, 0, 0], [1, 1, 0]], 0, 0, 7]),
    (knapsack, [[1, 2, 3], [6, 10, 12], 3, 5, [[-1] * 6 for _ in range(4)]]),
    (root, [[0, 0, 1, 2], 3]),
    (depth_first, [[[1, 2], [3], [3], []], 0, [False] * 4, []]),
    (one_of_two, [[1, 2], [3, 4], 4]),
    (one_of_two, [[1, 2], [3, 4], 1]),
    (another_list, [[5, 6], 3]),
    (another_list, [[5, 6], 4]),
    (one_row_as_another, [[[1], [2]], 3]),
]


@pytest.mark.parametrize(("function", "args"), CALLS)
def test_what_it_does_to_lists(function, args):
    given, wanted = copy.deepcopy(args), copy.deepcopy(args)
    assert ag.jit(function)(*given) == function(*wanted)
    assert given == wanted


def made_inside(k):
    one, two = [1, 2], [3, 4]
    found = one_of_two(one, two, k)
    found[1] = 77
    return one, two, found


def another_inside(k):
    items = [5, 6]
    found = another_list(items, k)
    found.append(1)
    return items, found


@pytest.mark.parametrize("function", [made_inside, another_inside])
@pytest.mark.parametrize("k", [1, 3, 4])
def test_lists_that_are_made_inside(function, k):
    assert ag.jit(function)(k) == function(k)


def row_of(rows, i, k):
    if k <= 0:
        return rows[i]
    rows[i][0] += k
    return row_of(rows, (i + 1) % len(rows), k - 1)


def test_a_row_that_is_returned_is_no_copy():
    @ag.jit
    def f(k):
        rows = [[1], [2], [3]]
        row_of(rows, 0, k).append(5)
        return rows

    with pytest.raises(ag.errors.StagingError, match="an object that has a copy"):
        f(5)


# functools.cache


@functools.cache
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def matrix_chain(sizes):
    @functools.cache
    def best(i, j):
        products = (
            best(i, k) + sizes[i] * sizes[k] * sizes[j] + best(k, j) for k in range(i + 1, j)
        )
        return min(products, default=0)

    return best(0, len(sizes) - 1)


def paths(n):
    @functools.cache
    def ways(i, j):
        return 1 if i >= j else ways(i + 1, j) + ways(i, j - 1)

    return ways(0, n)


@pytest.mark.parametrize(
    ("function", "argument"),
    [
        (lambda n: fibonacci(n), 50),
        (matrix_chain, [1, 2, 3, 4, 3]),
        (matrix_chain, list(range(1, 30))),
        (paths, 25),
    ],
)
def test_functions_that_remember(function, argument):
    assert ag.jit(function)(argument) == function(argument)


def greatest(items, left, right):
    if left >= len(items):
        raise IndexError("there is no such item")
    if left == right:
        return items[left]
    middle = (left + right) >> 1
    one, other = greatest(items, left, middle), greatest(items, middle + 1, right)
    return one if one >= other else other


def place(items, wanted, at):
    if at >= len(items):
        return -1
    return at if items[at] == wanted else place(items, wanted, at + 1)


@pytest.mark.parametrize("items", [[3, 2, 1], [3, -3, 0], [3.0, 3.5, 2.5], [7], list(range(200))])
def test_short_lists_of_numbers_that_are_only_read(items):
    assert ag.jit(greatest)(items, 0, len(items) - 1) == greatest(items, 0, len(items) - 1)
    for wanted in (items[-1], items[0], -9):
        assert ag.jit(place)(items, wanted, 0) == place(items, wanted, 0)


def sums_to(numbers, target):
    def extend(path, found):
        if sum(path) >= target:
            if sum(path) == target:
                found.append(path)
            return
        for each in numbers:
            path.append(each)
            extend(path[:], found)
            path.pop()

    found = []
    extend([], found)
    return found


def steps_of(n):
    def go(left, items):
        items.append(left)
        seen.append(len(items))
        if left > 0:
            go(left - 1, items)
        items.pop()

    seen, first = [], []
    go(n, first)
    first.append(7)
    go(n - 1, first)
    return first, seen


@pytest.mark.parametrize(
    ("function", "calls"),
    [
        (sums_to, [([1, 2], 4), ([2, 3, 1], 5), ([4], 3)]),
        (steps_of, [(3,), (5,), (1,)]),
    ],
)
def test_empty_lists_that_the_first_call_is_given(function, calls):
    decorated = ag.jit(function)
    for args in calls:
        assert decorated(*args) == function(*args)
