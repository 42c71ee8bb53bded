"""Dicts whose keys come in an order, and whose factory is one, that only the run time knows."""

from __future__ import annotations

import enum
from collections import defaultdict

import pytest

import agir as ag

pytestmark = pytest.mark.filterwarnings("error")


class Colour(enum.Enum):
    RED = 1
    GREEN = 2
    BLUE = 3


def in_a_loop(n):
    d = {}
    for x in (n, 7 - n, 3):
        if x > 2:
            d["large"] = x
        else:
            d["small"] = x
    return d


def perhaps_there(n):
    d = {}
    if n > 2:
        d["a"] = 1
    if n < 5:
        d["b"] = 2
    if n > 0:
        d["a"] = 3
    return d


def on_each_path(n):
    d = {}
    if n > 2:
        d["a"] = 1
        d["b"] = 2
    else:
        d["b"] = 1
        d["a"] = 2
    return d, list(d)


def again(n):
    d = {"x": 1, "y": 2}
    if n > 2:
        del d["x"]
        d["x"] = 5
    return d


def taken(n):
    d = {"x": 1, "y": 2}
    if n > 2:
        d.pop("x")
    d["x"] = n
    return d


def updated(n):
    d = {"a": 1}
    if n > 2:
        d.update(b=2, c=3)
    else:
        d.update(c=2, b=3)
    return d


def members(n):
    d = {}
    for x in range(n):
        colour = Colour.GREEN if x % 3 == 1 else Colour.RED if x > 2 else Colour.BLUE
        d[colour] = d.get(colour, 0) + x
    return d, [colour.name for colour in d]


def another_factory(n):
    d = defaultdict(int)
    for x in range(n):
        d[x] += 1
    d.default_factory = list
    d[-1].append(n)
    return d, d.default_factory


def no_factory(n):
    d = defaultdict(list)
    for x in range(n):
        d[x % 3].append(x)
    d.default_factory = None
    try:
        d[100]
    except KeyError:
        return "none", d
    return "some", d


def factory_of_a_branch(n):
    d = defaultdict(int)
    for x in range(n):
        if x > 2:
            d.default_factory = float
        d[x] += 1
    return d, d.default_factory is float


def factory_of_known_keys(n):
    d = defaultdict()
    d.default_factory = lambda: n
    return d[1], d[n], dict(d)


def factory_that_makes_such(n):
    d = defaultdict(lambda: defaultdict(int))
    for x in range(n):
        d[x % 2][x] += 1
    return {key: dict(value) for key, value in d.items()}


PROGRAMS = (
    in_a_loop, perhaps_there, on_each_path, again, taken, updated, members, another_factory,
    no_factory, factory_of_a_branch, factory_of_known_keys, factory_that_makes_such,
)  # fmt: skip


def shown(value):
    """A value, with the order of keys and the classes of all numbers."""
    if isinstance(value, dict):
        factory = getattr(value, "default_factory", None)
        return type(value), factory, [(key, shown(each)) for key, each in value.items()]
    if isinstance(value, list | tuple):
        return type(value), list(map(shown, value))
    return type(value), value


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_dicts_are_pythons(program):
    jitted = ag.jit(program)
    for n in (0, 1, 3, 6):
        assert shown(jitted(n)) == shown(program(n)), n


def test_the_caller_s_factory_changes():
    @ag.jit
    def f(d, n):
        d.default_factory = list
        d[n].append(n)

    for n in (2, 5):
        d = defaultdict(int, {1: [2]})
        f(d, n)
        assert d == {1: [2], n: [n]}
        assert d.default_factory is list


def items_of_two_kinds(n):
    items = []
    for i in range(n):
        items.append(i if i % 2 else [])
    for i in range(0, n, 2):
        items[i].append(i)
    return items


def values_of_two_kinds(n):
    d = {i: i for i in range(n)}
    d[-1] = []
    d[-1].append(n)
    d[-2] = {}
    d[-2]["a"] = n
    return d


def lists_or_none(n):
    items = []
    for i in range(n):
        items.append(None if i % 2 else [])
    for i in range(0, n, 2):
        items[i].append(i)
    return items


def lists_or_dicts(n):
    items = []
    for i in range(n):
        items.append({} if i % 2 else [])
    for i, each in enumerate(items):
        if i % 2:
            each[i] = 1
        else:
            each.append(i)
    return items


@pytest.mark.parametrize(
    "program",
    [items_of_two_kinds, values_of_two_kinds, lists_or_none, lists_or_dicts],
    ids=lambda program: program.__name__,
)
def test_lists_among_other_items_are_written_to(program):
    jitted = ag.jit(program)
    for n in (0, 1, 3, 6):
        assert shown(jitted(n)) == shown(program(n)), n
