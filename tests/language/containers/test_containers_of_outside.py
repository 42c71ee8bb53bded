"""Lists, dicts and sets that a function finds outside of itself, and changes: as plain Python does."""

from __future__ import annotations

import copy
from collections import Counter, defaultdict, deque
from types import SimpleNamespace

import numpy as np
import pytest

import agir as ag

pytestmark = pytest.mark.filterwarnings("error")

LOG: list = []
TABLE: dict = {}
SEEN: set = set()
RECENT: deque = deque(maxlen=3)
COUNTS: Counter = Counter()
GROUPS: defaultdict = defaultdict(list)
NESTED: dict = {"names": [], "rows": [[1, 2], [3]]}
ALIAS = LOG
PLACE = SimpleNamespace(log=LOG, other=[0])
OUTSIDE = (LOG, TABLE, SEEN, RECENT, COUNTS, GROUPS)


@pytest.fixture(autouse=True)
def fresh():
    for each in OUTSIDE:
        each.clear()
    NESTED.clear()
    NESTED.update(names=[], rows=[[1, 2], [3]])
    PLACE.other = [0]


class Stack:
    def __init__(self):
        self.items = []
        self.squares = {}
        self.inner = SimpleNamespace(log=[])

    def push(self, x):
        self.items.append(x)
        return len(self.items)

    def pop(self):
        return self.items.pop()

    def square(self, x):
        if x not in self.squares:
            self.squares[x] = x * x
        return self.squares[x]

    def log(self, x):
        self.inner.log.append(x)


def appends(x):
    LOG.append(x)
    return len(LOG)


def appends_on_a_path(x):
    if x > 1:
        LOG.append(x)
    else:
        LOG.insert(0, -x)
    return sum(LOG)


def appends_in_a_loop(x):
    for i in range(x):
        LOG.append(i * x)
    return LOG[-1] if x > 0 else 0


def reads_and_sorts(x):
    LOG.append(-x)
    LOG.sort()
    return LOG[0], list(LOG)


def counts(x):
    TABLE[x] = TABLE.get(x, 0) + 1
    return TABLE[x]


def sees(x):
    known = x in SEEN
    SEEN.add(x)
    return known, len(SEEN)


def keeps_recent(x):
    RECENT.append(x)
    return sum(RECENT)


def counts_more(x):
    COUNTS[x % 2] += x
    return COUNTS[0], COUNTS[1]


def nested(x):
    NESTED["names"].append(x)
    NESTED["rows"][1].append(x)
    return len(NESTED["names"]), NESTED["rows"][1][0]


def under_two_names(x):
    LOG.append(x)
    ALIAS.append(2 * x)
    PLACE.log.append(3 * x)
    return len(ALIAS), LOG is ALIAS, PLACE.log is LOG


def of_an_object(x):
    PLACE.other[0] += x
    return PLACE.other[0]


def fibonacci(n):
    if n in TABLE:
        return TABLE[n]
    found = n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)
    TABLE[n] = found
    return found


PROGRAMS = [
    appends, appends_on_a_path, appends_in_a_loop, reads_and_sorts, counts, sees, keeps_recent,
    counts_more, nested, under_two_names, of_an_object, fibonacci,
]  # fmt: skip


def state():
    return copy.deepcopy((*OUTSIDE, NESTED, PLACE.other))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_as_plain_python_has_it(program, fresh):
    calls = (3, 1, 4, 1, 5, 2)
    wanted = [program(x) for x in calls], repr(state())
    for each in OUTSIDE:
        each.clear()
    NESTED.update(names=[], rows=[[1, 2], [3]])
    PLACE.other = [0]
    compiled = ag.jit(program)
    assert [compiled(x) for x in calls] == wanted[0]
    assert repr(state()) == wanted[1]


def test_few_traces_for_a_list_that_grows():
    compiled = ag.jit(appends)
    assert [compiled(n) for n in range(40)] == list(range(1, 41))
    assert list(range(40)) == LOG
    assert compiled.experimental_get_tracing_count() <= 3


def drive(stack, push, pop, square, log):
    found = [push(stack, 2), push(stack, 3), square(stack, 5), square(stack, 5), pop(stack)]
    log(stack, 7)
    log(stack, 8)
    return found, stack.items, stack.squares, stack.inner.log


def test_of_objects_that_are_arguments():
    methods = Stack.push, Stack.pop, Stack.square, Stack.log
    compiled = [ag.jit(each) for each in methods]
    for _ in range(3):
        assert drive(Stack(), *compiled) == drive(Stack(), *methods)


def test_of_the_object_of_a_method():
    class Jitted(Stack):
        push, pop = ag.jit(Stack.push), ag.jit(Stack.pop)

    one, other = Jitted(), Jitted()
    assert [one.push(1.5), one.push(2.5), other.push(4.0), one.push(3.5)] == [1, 2, 1, 3]
    assert (one.pop(), one.items, other.items) == (3.5, [1.5, 2.5], [4.0])


def test_of_an_enclosing_function():
    found = []

    @ag.jit
    def note(x):
        found.append(x * x)
        return found[0]

    assert [note(3), note(4)] == [9, 9]
    assert found == [9, 16]


def test_a_list_that_takes_the_place_of_another():
    compiled = ag.jit(of_an_object)
    assert compiled(1) == 1
    PLACE.other = [10, 20]
    assert compiled(1) == 11
    assert PLACE.other == [11, 20]
    PLACE.other = np.array([1.5, 2.0])
    assert compiled(1) == 2.5


def test_a_call_that_fails_changes_nothing():
    @ag.jit
    def fails(x):
        LOG.append(x)
        return LOG[x]

    assert fails(0) == 0
    with pytest.raises(IndexError):
        fails(5)
    assert LOG == [0]


def test_what_else_is_in_it_stays():
    marker = object()
    LOG.append(marker)
    LOG.append("text")
    assert ag.jit(appends)(4) == 3
    assert LOG[0] is marker
    assert LOG[1:] == ["text", 4]


def test_rows_are_the_same_lists_afterwards():
    rows = NESTED["rows"]
    first, second = rows
    ag.jit(nested)(9)
    assert NESTED["rows"] is rows
    assert rows[0] is first
    assert rows[1] is second
    assert second == [3, 9]


def test_a_concrete_function_finds_them_too():
    concrete = ag.jit(appends).get_concrete_function(1)
    before = len(LOG)
    assert concrete(5) == before + 1
    assert LOG[before:] == [5]


def test_items_of_all_kinds():
    @ag.jit
    def note(x):
        LOG.append((x, "a", {}))
        LOG.append(None)
        return len(LOG)

    assert [note(1), note(2)] == [2, 4]
    assert LOG == [(1, "a", {}), None, (2, "a", {}), None]
