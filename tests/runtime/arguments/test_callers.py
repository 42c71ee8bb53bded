"""Lists, dicts, sets and records of the caller's: what a function changes in them is changed."""

from __future__ import annotations

import collections
import copy
import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import agir as ag

pytestmark = pytest.mark.filterwarnings("error")


def bubble_sort(items):
    for i in range(len(items)):
        for j in range(len(items) - 1 - i):
            if items[j] > items[j + 1]:
                items[j], items[j + 1] = items[j + 1], items[j]
    return items


def append(items, x):
    items.append(x)
    return len(items)


def append_perhaps(items, x):
    if x > 0:
        items.append(x)
    return items


def append_in_a_loop(items, x):
    while x > 0:
        items.append(x)
        x -= 1


def insert_in_order(items, x):
    at = 0
    while at < len(items) and items[at] < x:
        at += 1
    items.insert(at, x)


def pop_all(items):
    total = 0
    while items:
        total += items.pop()
    return total


def put_into_a_row(rows, at, value):
    rows[at][0] = value
    return rows


def new_row(rows, at):
    rows[at] = [x * 2 for x in rows[at]]


def swap_rows(rows):
    rows[0], rows[1] = rows[1], rows[0]


def transpose(rows):
    for i in range(len(rows)):
        for j in range(i + 1, len(rows)):
            rows[i][j], rows[j][i] = rows[j][i], rows[i][j]


def another_kind(items, at):
    items[at] = None


def text(words, i, j):
    words[i], words[j] = words[j], words[i]


def one_into_another(inner, outer):
    outer.append(inner)
    inner.append(3)
    return outer


def one_of_two(one, two, x):
    chosen = one if x > 0 else two
    chosen.append(9)
    return chosen is one


def in_a_tuple(pair, x):
    pair[0].append(x)


def entries(table, x):
    table["x"] = x
    table.pop("y", None)
    return table


def entry_perhaps(table, x):
    if x > 0:
        table["x"] = x
    return len(table)


def nested_entries(table, x):
    table["a"]["b"] = x


def missing(table, x):
    table["k"].append(x)


def move_to_end(table):
    table["z"] = 1
    table.move_to_end("a")


def count_one(counter):
    counter["a"] += 1


def queue(items):
    items.append(4)
    items.popleft()
    return items


def members(found, x):
    found.add(x)
    return len(found)


def arrays(items, at):
    items[at] = items[at] * 2
    return items


@dataclasses.dataclass
class Record:
    count: int
    share: float


def field(record, x):
    record.count += x
    return record


CALLS: list[tuple[Callable[..., Any], list[Any]]] = [
    (bubble_sort, [[3, 1, 2]]),
    (bubble_sort, [[3.0, 1, 2.5]]),
    (bubble_sort, [list(range(150, 0, -1))]),
    (append, [[1, 2], 5]),
    (append, [[], 5]),
    (append_perhaps, [[1], 4]),
    (append_perhaps, [[1], -4]),
    (append_in_a_loop, [[1], 4]),
    (insert_in_order, [[1, 3, 5], 4]),
    (pop_all, [[1, 2, 3]]),
    (put_into_a_row, [[[1, 2], [3, 4]], 1, 9]),
    (new_row, [[[1, 2], [3, 4]], 1]),
    (swap_rows, [[[1], [2]]]),
    (transpose, [[[1, 2], [3, 4]]]),
    (another_kind, [[1, 2], 1]),
    (text, [["a", "b", "c"], 0, 2]),
    (one_into_another, [[1], [[2]]]),
    (one_of_two, [[1], [2], 1]),
    (one_of_two, [[1], [2], -1]),
    (in_a_tuple, [([1], 2), 5]),
    (entries, [{"y": 1, "q": 2}, 5]),
    (entry_perhaps, [{"a": 1}, 3]),
    (entry_perhaps, [{"a": 1}, -3]),
    (nested_entries, [{"a": {"b": 1}}, 4]),
    (missing, [collections.defaultdict(list), 3]),
    (missing, [collections.defaultdict(list, k=[1]), 3]),
    (move_to_end, [collections.OrderedDict(a=1, b=2)]),
    (count_one, [collections.Counter("aab")]),
    (queue, [collections.deque([1, 2])]),
    (queue, [collections.deque([1, 2], 2)]),
    (members, [{1, 2}, 7]),
    (members, [{1, 2}, 2]),
    (arrays, [[np.ones(2), np.zeros(2)], 1]),
    (field, [Record(1, 2.0), 4]),
]


@pytest.mark.parametrize("compiled", [None, False], ids=["compiled", "interpreted"])
@pytest.mark.parametrize(("function", "args"), CALLS)
def test_the_callers_containers_change(function, args, compiled):
    decorated = ag.jit(function, jit_compile=compiled)
    for _ in range(2):
        given, wanted = copy.deepcopy(args), copy.deepcopy(args)
        result, expected = decorated(*given), function(*wanted)
        assert repr(given) == repr(wanted)
        assert repr(result) == repr(expected)
        assert [result is each for each in given] == [expected is each for each in wanted]


def test_one_container_under_two_names():
    both = ag.jit(lambda one, two: (one.append(1), len(two))[1])
    assert both([1], [1]) == 1
    items = [1]
    assert both(items, items) == 2
    assert items == [1, 1]
    assert both([1], [5]) == 1


def test_a_row_that_is_there_twice():
    rows = [[0] * 2] * 2
    ag.jit(put_into_a_row)(rows, 0, 5)
    assert rows == [[5, 0], [5, 0]]
    assert rows[0] is rows[1]


def test_rows_keep_their_identity():
    row, other = [1, 2], [3, 4]
    rows = [row, other]
    ag.jit(put_into_a_row)(rows, 0, 7)
    assert (row, rows) == ([7, 2], [[7, 2], [3, 4]])
    assert rows[0] is row
    ag.jit(swap_rows)(rows)
    assert rows[0] is other
    assert rows[1] is row


@pytest.mark.parametrize("at", [lambda i, j: i, lambda i, j: 0], ids=["run time", "known"])
def test_a_row_that_becomes_another_is_that_one(at):
    @ag.jit
    def same(rows, i, j):
        rows[at(i, j)] = rows[j]

    rows = [[1, 2], [3, 4]]
    same(rows, 0, 1)
    assert rows == [[3, 4], [3, 4]]
    assert rows[0] is rows[1]


def test_a_default_is_kept_between_calls():
    @ag.jit
    def remember(x, seen=[]):  # noqa: B006 - that is what is tested
        seen.append(x)
        return list(seen)

    assert [remember(1), remember(2), remember(3)] == [[1], [1, 2], [1, 2, 3]]


def test_a_call_that_fails_changes_nothing():
    @ag.jit
    def fails(items, x):
        items.append(x)
        if x > 3:
            raise ValueError("too large")

    items = [1]
    with pytest.raises(ValueError, match="too large"):
        fails(items, 5)
    assert items == [1]
    fails(items, 2)
    assert items == [1, 2]


def test_what_is_in_an_argument_is_read_at_each_call():
    total = ag.jit(lambda items: sum(items))
    for items in (collections.deque([1, 2]), {1, 2}, {(1, 2): 1}.keys() and [1, 2]):
        assert total(items) == 3
        (items.add if isinstance(items, set) else items.append)(4)
        assert total(items) == 7


def test_a_concrete_function_changes_what_it_is_given():
    concrete = ag.jit(append).get_concrete_function([1, 2], 3)
    items = [5, 6]
    assert concrete(items, 7) == 3
    assert items == [5, 6, 7]
    assert concrete(1, 2, 3) == 3  # the numbers alone: a list that nobody sees
    returned = ag.jit(bubble_sort).get_concrete_function([1, 2])
    assert returned(3, 1) == [1, 3]
    assert returned.structured_outputs == [ag.TensorSpec((), ag.int64)] * 2


def test_functions_of_tensors_leave_arguments_as_they_are():
    @ag.function
    def f(items, x):
        items.append(x)
        return items

    items = [ag.constant(1)]
    result = f(items, ag.constant(2))
    assert len(items) == 1
    assert [int(each) for each in result] == [1, 2]
