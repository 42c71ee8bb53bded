"""Methods of containers and texts that are called by the name of their class."""

from __future__ import annotations

import copy
import functools
from collections import deque

import pytest

import agir as ag


def joined(ones, others):
    return list(map(list.__add__, ones, others))


def common(rows):
    return sorted(set.intersection(*map(set, rows)))


def rest(rows):
    found = []
    for row in rows:
        if len(row) > 1:
            list.append(found, sorted(set.difference(set(row), {18})))
    return found


def folded(rows):
    both = functools.reduce(set.intersection, [set(row) for row in rows])
    return functools.reduce(list.__add__, rows, []), sorted(both)


def lengths(rows):
    return list(map(list.__len__, rows)), sorted(rows, key=list.__len__)


def of_lists(items, n):
    list.append(items, n)
    list.sort(items)
    list.extend(items, [n, n])
    list.insert(items, 0, n)
    return list.index(items, n), list.count(items, n), list.pop(items), list.__getitem__(items, 0)


def of_dicts(items, n):
    found = {}
    for each in items:
        dict.__setitem__(found, each, n)
    asked = dict.get(found, n), dict.get(found, n, 5), dict.setdefault(found, n, 3)
    return asked, dict.pop(found, n), list(dict.items(found)), dict.__len__(found)


def of_sets(items, n):
    some = frozenset.union(frozenset(items), [n])
    return sorted(some), set.issubset({n}, items), sorted(set.symmetric_difference(set(items), {n}))


def of_tuples(items, n):
    return tuple.__add__(tuple(items), (n,)), tuple.count((n, n), n)


def of_queues(items, n):
    found = deque()
    for each in items:
        deque.append(found, each)
        deque.appendleft(found, n)
    return list(found), len(found) and deque.popleft(found)


def of_texts(items, n):
    upper = [str.upper(str(each)) for each in items]
    return upper, list(map(str.isdigit, map(str, items))), str.join(",", upper), str.format("{}", n)


ROWS = [[12, 18, 23], [7, 12, 18], [12, 16, 18, 20]]


@pytest.mark.parametrize("function", [common, rest, folded, lengths])
def test_lists_of_lists(function):
    compiled = ag.jit(function)
    for rows in (ROWS, [[1]], [[1, 2], [2]]):
        assert repr(compiled(copy.deepcopy(rows))) == repr(function(copy.deepcopy(rows)))


def test_each_of_two():
    compiled = ag.jit(joined)
    pairs = [(ROWS, ROWS[::-1]), ([[1]], [[2]]), ([[1], [3, 4]], [[2], []]), ([], [])]
    for ones, others in [*pairs, (ROWS * 4, ROWS * 4)]:
        assert compiled(ones, others) == joined(ones, others)


@pytest.mark.parametrize("function", [of_lists, of_dicts, of_sets, of_tuples, of_queues, of_texts])
def test_one_list(function):
    compiled = ag.jit(function)
    for items in ([3, 1, 2], [1], [2, 2, 5]):
        given, expected = list(items), list(items)
        assert repr(compiled(given, 2)) == repr(function(expected, 2))
        assert given == expected


class Doubled(dict):
    def __setitem__(self, key, value):
        dict.__setitem__(self, key, 2 * value)


def test_what_a_class_has_of_its_own():
    def filled(n):
        made = Doubled()
        made["n"] = n
        return made["n"]

    assert ag.jit(filled)(4) == 8
