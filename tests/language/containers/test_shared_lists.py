"""Lists of lists under several names: what is changed under one name is seen under all."""

from __future__ import annotations

import copy

import pytest

import agir as ag


def swapped_in_a_loop(n):
    rows = [[n, 1], [n, 2], [3]]
    k = 0
    while k < n:
        rows[k % 3], rows[(k + 1) % 3] = rows[(k + 1) % 3], rows[k % 3]
        k += 1
    return rows


def handed_round(n):
    rows = [[n, 1], [n, 2], [3]]
    for k in range(n):
        rows[(k + 1) % 3] = rows[k % 3]
    rows[0].append(n)
    return rows


def the_same_after_a_loop(n):
    rows = [[n, 1], [n, 2], [3]]
    p = rows[0]
    for _ in range(n):
        rows[1] = list(rows[1])
    return rows, p, p is rows[0], p is rows[1]


def the_same_after_a_branch(n):
    rows = [[n, 1], [n, 2], [3]]
    p, q = rows[0], rows[1]
    if n > 3:
        rows[1] = rows[0]
    q.append(4)
    p.append(3)
    rows[1].append(2)
    return rows, p is rows[0], q is rows[1], rows[1] is p


def replaced_by_a_list_of_the_run_time(a, n):
    s = 0
    rows = [[a, 1], [a, n, 2], [3]]
    p = rows[0]
    q = [4, n]
    for i in range(a % 5, n):
        rows[1], rows[i % 3] = rows[i % 3], rows[1]
    for _ in range(2, 9, 3):
        k = 1
        while k < n + 3:
            p = [*p, s]
            rows[k % 3] = list(q)
            k += 2
        p = q
    return rows, p, q


def total_of_one(n):
    rows = [[n, 1], [2**62, n], [3]]
    for i in range(n % 3):
        rows[0], rows[i] = rows[i], rows[0]
    return sum(rows[n % 3])


@pytest.mark.parametrize(
    "function",
    [swapped_in_a_loop, handed_round, the_same_after_a_loop, the_same_after_a_branch, total_of_one],
)
def test_names(function):
    compiled = ag.jit(function)
    for n in range(7):
        assert compiled(n) == function(n)


def test_names_of_lists_that_are_replaced():
    compiled = ag.jit(replaced_by_a_list_of_the_run_time)
    for a, n in [(3, 5), (2, 4), (0, 0), (1, 2), (4, 1)]:
        expected = replaced_by_a_list_of_the_run_time(a, n)
        assert compiled(a, n) == expected


def copies_of_rows(n):
    best = [[1], [n], [n, 3]]
    if n > 2:
        best[0] = copy.copy(best[2])
        best[0].append(5)
    for i in range(n):
        best[1] = copy.deepcopy(best[0])
        best[1].append(i)
    longest = []
    for each in best:
        if len(each) > len(longest):
            longest = each
    return best, longest


def deep_copies(n):
    a = [[1, 2], [n]]
    b, c = copy.copy(a), copy.deepcopy(a)
    if n > 2:
        b.append([9])
        b[0].append(5)
        c[1][0] = 77
    for i in range(n):
        c[0].append(i)
    return a, b, c


def copies_of_dicts_and_sets(n):
    d, s = {"a": n, "b": [1]}, {1, 2}
    e, g, t = copy.copy(d), copy.deepcopy(d), copy.copy(s)
    for i in range(n):
        e["a"] += 1
        e["b"][0] += 1
        g["b"][0] += i
    return d, e, g, len(t)


class Point:
    def __init__(self, x):
        self.x = x
        self.seen = [x]


def copies_of_objects(n):
    p = Point(n)
    q, r = copy.copy(p), copy.deepcopy(p)
    for i in range(n):
        q.x += i
        q.seen[0] += 1
        r.seen[0] -= 1
    return p.x, p.seen, q.x, q.seen, r.x, r.seen


@pytest.mark.parametrize(
    "function", [copies_of_rows, deep_copies, copies_of_dicts_and_sets, copies_of_objects]
)
@pytest.mark.filterwarnings("error")
def test_copies(function):
    compiled = ag.jit(function)
    for n in range(6):
        assert compiled(n) == function(n)


def joined(n):
    row = [n]
    rows = [row]
    if n > 2:
        rows = rows + [[1]] + [row]  # noqa: RUF005 - what `+` gives is of interest
    row.append(9)
    return rows, row, rows[0] is row


def listed_anew(n):
    row, other = [n], [2]
    rows = [row, other]
    rows = [row] if n > 2 else rows[::-1]
    row.append(9)
    other.append(8)
    return rows, row


def multiplied(n):
    row = [n]
    rows = [row, [0]]
    if n > 2:
        rows *= 2
    rows[0].append(9)
    return rows, row


def put_and_changed(n):
    row = [n]
    rows = [[row]]
    if n > 2:
        rows = [*rows, [row, [n]]]
        row.append(7)
    row.append(9)
    return rows, row


def tupled(n):
    row = [n]
    rows = (row, [1])
    if n > 2:
        rows = (*rows, [n])
        row.append(7)
    row.append(9)
    return rows, row, rows[0] is row


def of_one_branch(n):
    rows = []
    if n > 2:
        row = [n]
        rows = [row, row]
        row.append(1)
    for row in rows:
        row.append(5)
    return rows


def texts(n):
    parts = str(n).partition("1")
    listed = list(parts)
    if n > 2:
        parts, listed = parts * 2, [*listed, "z"]
    return parts, listed


@pytest.mark.parametrize(
    "function",
    [joined, listed_anew, multiplied, put_and_changed, tupled, of_one_branch, texts],
)
def test_lists_of_several_lengths_have_the_same_items(function):
    compiled = ag.jit(function)
    for n in (1, 2, 3, 13):
        assert compiled(n) == function(n)


def appended(n):
    entry = {"n": n}
    entries = []
    if n > 2:
        entries.append(entry)
    entry["n"] = 7
    return entries, entry


def with_entries(n):
    entry = {"n": n}
    entries = [entry]
    if n > 2:
        entries = [entry, entry]
    entry["n"] = 7
    return entries, entry


@pytest.mark.parametrize("function", [appended, with_entries])
def test_what_is_copied_into_lists_is_not_changed_later(function):
    with pytest.raises(ag.errors.StagingError, match="has a copy"):
        ag.jit(function)(3)
