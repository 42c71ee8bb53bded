"""Lists that go by several names: of variables, attributes, entries of dicts, items of lists."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

import agir as ag

sys.path.insert(0, str(Path(__file__).parents[1]))

from places_writer import PlacesWriter

_PROGRAMS = 24


class Node:
    def __init__(self, first, second):
        self.first = first
        self.second = second


class Table:
    def __init__(self):
        self.rows = [[0]]

    def at(self, place, default):
        if place >= len(self.rows):
            self.rows.append(default)
            return self.rows[len(self.rows) - 1]
        return self.rows[place]


def item_that_a_loop_puts_elsewhere(n):
    rows = [[0], [1]]
    r = rows[0]
    for i in range(n):
        if i % 2 == 0:
            rows[1] = r
        else:
            rows[0].append(i)
    r.append(9)
    return rows, r


def entry_that_a_branch_replaces(n):
    d = {"a": [0], "b": [1]}
    if n % 2 == 0:
        d["a"].append(n)
    else:
        d["a"] = d["b"]
    d["b"].append(100)
    return d["a"], d["b"]


def entry_that_a_loop_replaces(n):
    d = {"a": [0], "b": [1]}
    c = d["a"]
    for i in range(n):
        if i % 3 == 1:
            d["a"] = d["b"]
        d["a"].append(i)
    c.append(7)
    return d["a"], d["b"], c


def attribute_that_a_branch_replaces(n):
    o = Node([0], [1])
    if n % 2 == 0:
        o.first.append(n)
    else:
        o.first = o.second
    o.second.append(100)
    return o.first, o.second


def attribute_that_a_loop_replaces(n):
    o, b = Node([0], None), [1]
    for i in range(n):
        if i % 2 == 0:
            o.first = b
        o.first.append(i)
    b.append(100)
    return o.first, b


def swapped_in_a_loop(n):
    rows, d = [[0], [1]], {"b": [4]}
    d["b"] = rows[0]
    for _ in range(n):
        rows[1], d["b"] = d["b"], rows[1]
    rows[1].append(100)
    return rows, d["b"]


def written_before_it_is_replaced(n):
    v, rows, o = [0], [[0]], Node([5], [6])
    for _ in range(n):
        v.append(98)
        rows[0].append(99)
        v = o.first
        rows[0] = o.second
    return v, rows, o.first, o.second


def swapped_and_written_in_branches(n):
    d, q = {"b": [4]}, [8]
    for i in range(n):
        if i > 1:
            if n % 2 == 0:
                q, d["b"] = d["b"], q
            q.append(15 + i)
            q = d["b"]
    return d["b"], q


def grown_in_both_branches(n):
    a = [1]
    u = [a]
    if n > 2:
        u.append([5])
    else:
        u.append([6])
        u.append([7])
    a.append(7)
    u[0].append(8)
    return u, a


def entry_that_one_branch_appends(n):
    d, rows = {"k": [6]}, [[0], [1]]
    if n % 2 == 0:
        rows.append(d["k"])
    d["k"].append(100)
    return rows, d["k"]


def tuples_of_lists(n):
    t = ([1], [2])
    if n % 2 == 1:
        t[0].append(3)
    else:
        t[1].append(4)
    u = [t]
    if n > 2:
        u.append(([5], [6]))
    u[0][0].append(7)
    return u, t


def attribute_of_one_of_two(n):
    a, b = Node([0], [1]), Node([2], [3])
    if n == 1:
        a = b
    a.first.append(14)
    return a.first, b.second


def attribute_replaced_by_an_equal_list(n):
    o, rows = Node([1], None), [[0], [1]]
    for _ in range(n):
        o.first = rows[1]
    o.first.append(100)
    return o.first, rows


def one_that_a_method_gives(n):
    made = Table()
    made.at(min(n, 1), []).append(5)
    made.at(0, []).append(6)
    return made.rows


FIXED = [
    item_that_a_loop_puts_elsewhere,
    entry_that_a_branch_replaces,
    entry_that_a_loop_replaces,
    attribute_that_a_branch_replaces,
    attribute_that_a_loop_replaces,
    swapped_in_a_loop,
    written_before_it_is_replaced,
    swapped_and_written_in_branches,
    grown_in_both_branches,
    entry_that_one_branch_appends,
    tuples_of_lists,
    attribute_of_one_of_two,
    attribute_replaced_by_an_equal_list,
    one_that_a_method_gives,
]


def plain(value):
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(map(plain, value))
    return np.asarray(value).tolist()


@pytest.mark.parametrize("jit_compile", [None, False], ids=["compiled", "interpreted"])
@pytest.mark.parametrize("function", FIXED, ids=lambda each: each.__name__)
def test_the_names_see_what_is_written_by_another(function, jit_compile):
    decorated = ag.jit(function, jit_compile=jit_compile)
    for n in range(6):
        assert plain(decorated(n)) == plain(function(n)), n


@pytest.mark.parametrize("seed", range(_PROGRAMS))
def test_random_programs(tmp_path, seed):
    path = tmp_path / f"program_{seed}.py"
    path.write_text(PlacesWriter(seed).program())
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    decorated = ag.jit(module.f)
    for n in range(5):
        assert plain(decorated(n)) == plain(module.f(n)), path.read_text()


def test_what_a_branch_does_to_a_list_from_outside_is_done_at_each_call():
    seen = []

    @ag.jit
    def grow(n):
        a = [1]
        u = [a]
        if n > 2:
            seen.append("call")
            u.append([5])
        else:
            u.append([6])
            u.append([7])
        a.append(7)
        return u

    assert plain(grow(3)) == [[1, 7], [5]]
    assert plain(grow(1)) == [[1, 7], [6], [7]]
    assert seen == ["call"]
    grow(4)
    assert seen == ["call", "call"]
