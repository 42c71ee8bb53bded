"""Orders of sets, sorted numbers of several classes, returns from ``try``, lists that C is given."""

from __future__ import annotations

import array
import copy
import heapq
import itertools
import random
from collections import OrderedDict
from typing import Any

import numpy as np
import pytest

import agir as ag


def _outcome(f: Any, *arguments: Any) -> Any:
    try:
        return _told(f(*copy.deepcopy(arguments)))
    except Exception as error:
        kinds = (IndexError, ValueError, ZeroDivisionError, TypeError)
        return next(kind for kind in kinds if isinstance(error, kind)), str(error).split("\n")[0]


def _told(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return type(value), [_told(each) for each in value]
    return type(value), value


# Sets.


def with_known_ones(numbers):
    found = set(numbers)
    found.discard(numbers[0])
    found |= {7, 100, -5}
    return list(found), list({3, 8, 0} | found), list(found & {7, 8, 100, 3})


def of_frozen_ones(numbers):
    found = frozenset(numbers)
    return list(found), tuple(found | {3}), list(found - {3, 5}), list(found ^ {1, 2})


def taken_out(numbers):
    found, order = set(numbers), []
    while found:
        order.append(found.pop())
    return order


@pytest.mark.parametrize("f", [with_known_ones, of_frozen_ones, taken_out])
def test_sets_come_in_the_order_of_cpython(f: Any) -> None:
    decorated = ag.jit(f)
    for seed in range(4):
        draw = random.Random(seed)
        for size in (4, 9, 40, 300):
            numbers = [draw.randrange(-30, 400) for _ in range(size)]
            assert decorated(numbers) == f(numbers)


def emptied(n, last):
    found = OrderedDict()
    for i in range(n):
        found[i * 7 % n] = i
    total = 0
    while found:
        key, value = found.popitem(last=last)
        total = (total * 3 + key + value) % 1000003
        if key % 5 == 0 and value > n // 2:
            found[key + n] = 0
    return total


@pytest.mark.parametrize("last", [False, True])
def test_ordered_dicts_are_emptied_from_both_ends(last: bool) -> None:
    decorated = ag.jit(emptied)
    for n in (3, 100, 2000):
        assert decorated(n, last) == emptied(n, last)


# Numbers of several classes.


def in_order(a, b, n):
    numbers = [np.float64(a), b, 7, 3.5, np.int64(4)]
    numbers.sort(reverse=n > 2)
    halves = [each / 2 for each in numbers]
    return numbers, halves, sum(numbers), [isinstance(each, np.float64) for each in numbers]


def pairs_in_order(a, b, n):
    return sorted([(np.float64(a), 1), (b, n)]), sorted([b, np.float64(a)])


def of_the_least(a, b, n):
    return 1 / sorted([np.float64(a), b])[0]


@pytest.mark.parametrize("f", [in_order, pairs_in_order, of_the_least])
def test_sorted_numbers_keep_their_classes(f: Any) -> None:
    decorated = ag.jit(f)
    for a, b, n in ((1.0, 2.0, 1), (9.0, 4.5, 3), (3.0, 0.0, 2), (-1.0, 3.5, 5)):
        assert _outcome(decorated, a, b, n) == _outcome(f, a, b, n)


def test_pythons_numbers_are_not_divided_by_zero() -> None:
    def inverse(n):
        number = n if n < 3 else np.int64(n - 3)
        return 1 / number

    decorated = ag.jit(inverse)
    assert decorated(4) == 1.0
    with pytest.raises(ZeroDivisionError, match="division by zero"):
        decorated(0)


# Recursion.


def sum_from(numbers, i):
    try:
        return numbers[i] + sum_from(numbers, i + 1)
    except IndexError:
        return 0


def sum_finally(numbers, i):
    try:
        if i >= 3:
            return 0
        return numbers[i] + sum_finally(numbers, i + 1)
    finally:
        pass


def sum_plainly(numbers, i):
    if i >= len(numbers):
        return 0
    return numbers[i] + sum_plainly(numbers, i + 1)


def divided(n, d):
    try:
        if n <= 1:
            return d // (n - 1)
        return divided(n - 1, d) + divided(n - 2, d)
    except ZeroDivisionError:
        return 100


@pytest.mark.parametrize("f", [sum_from, sum_finally, sum_plainly])
def test_recursion_over_a_few_numbers(f: Any) -> None:
    decorated = ag.jit(f)
    for numbers in ([1, 2, 3], [4, 5, 6, 7], [10, 20, 30]):
        for i in (0, 2):
            assert decorated(numbers, i) == f(numbers, i)


def test_returns_from_a_try() -> None:
    assert ag.jit(divided)(6, 10) == divided(6, 10)


# What C is given.


def test_methods_of_lists_without_the_list() -> None:
    def f(numbers):
        found = [each for each in numbers if each > 0]
        list.append(found, 5)
        list.sort(found)
        return found, list.index(found, 5), list.count(found, 3)

    decorated = ag.jit(f)
    for numbers in ([3, -1, 4, 0, 5], [1, 2], [-1]):
        assert decorated(numbers) == f(numbers)


@pytest.mark.parametrize(
    "f", [lambda found: array.array("q", found), lambda found: heapq._heapify_max(found)]
)
def test_c_looks_into_no_list_of_run_time_length(f: Any) -> None:
    def given(numbers):
        return f([each for each in numbers if each > 0])

    with pytest.raises(ag.errors.OperatorNotAllowedInGraphError, match="is not converted"):
        ag.jit(given)([3, -1, 4])


@pytest.mark.parametrize(
    "f", [lambda n: eval("1+" + str(n)), lambda n: exec(f"x={n}"), lambda n: eval(f"{n}*2")]
)
def test_text_of_the_run_time_is_no_code(f: Any) -> None:
    with pytest.raises(ag.errors.OperatorNotAllowedInGraphError, match="run as code"):
        ag.jit(f)(3)


def test_known_text_is_code() -> None:
    decorated = ag.jit(lambda text, n: eval(text) + n)
    assert [decorated(text, 3) for text in ("1+2", "2*5")] == [6, 13]


# Parts in steps, places between bounds, and choices of items.


def stepped(numbers, n, m):
    found = [each for each in numbers if each > 0]
    found[n::m] = [0] * len(found[n::m])
    rest = [each for each in numbers if each > 0]
    del rest[::2]
    gone = [each for each in numbers if each > 0]
    del gone[n::m]
    numbers[::m] = [n] * len(numbers[::m])
    return found, rest, gone, numbers


def placed(numbers, n, m):
    found = [each for each in numbers if each > 0]
    return found.index(4, n), found.index(m, 0, -1)


def chosen(numbers, n, m):
    return (
        list(itertools.permutations(numbers, n)),
        list(itertools.combinations_with_replacement(numbers, m)),
    )


@pytest.mark.parametrize("f", [stepped, placed, chosen])
def test_parts_of_lists(f: Any) -> None:
    decorated = ag.jit(f)
    for given in (
        ([3, 1, 4, 1, 5], 1, 2),
        ([4, 1, 0, 0, 3], 0, 3),
        ([5, 6, 4], 0, 1),
        ([1, 2, 4, 3], 1, -1),
        ([1, 2], -1, 2),
    ):
        assert _outcome(decorated, *given)[0] == _outcome(f, *given)[0]
        if _outcome(f, *given)[0] is tuple:
            assert _outcome(decorated, *given) == _outcome(f, *given)
