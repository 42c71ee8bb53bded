"""Dicts and sets whose keys only the run time knows."""

from __future__ import annotations

import copy
import sys
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import agir as ag
from agir.ir.plain.hashed import hashes, mappings, sets

pytestmark = pytest.mark.filterwarnings("error")


def counted(values):
    found = {}
    for value in values:
        found[value] = found.get(value, 0) + 1
    return found


def two_sum(numbers, target):
    seen = {}
    for place, number in enumerate(numbers):
        if target - number in seen:
            return [seen[target - number], place]
        seen[number] = place
    return []


def looked_up(values, key):
    found = {value: place for place, value in enumerate(values)}
    return found[key]


def removed(values):
    found = {value: value * 2 for value in values}
    for value in values:
        if value in found and value > 2:
            del found[value]
    return found, list(found.items()), list(found.keys()), sum(found.values()), len(found)


def methods(values):
    found = {value: place for place, value in enumerate(values)}
    popped = found.pop(values[0])
    other = found.pop(99, -1)
    last = found.popitem()
    new = found.setdefault(7, 5)
    old = found.setdefault(7, 6)
    found.update({8: 9})
    return popped, other, last, new, old, found, found == {values[1]: 1, 7: 5, 8: 9}


def changed_while_read(values):
    found = dict.fromkeys(values, 1)
    for key in found:
        found[key + 100] = 2


def pairs(xs, ys):
    found = {}
    for x, y in zip(xs, ys, strict=True):
        found[x, y] = x * y
    return found, (xs[0], ys[0]) in found


def displayed(x, y):
    return {x: 1, y: 2}, {x, y, 3}


def defaults(values):
    found = defaultdict(int)
    for value in values:
        found[value] += 1
    return found, found[100], len(found)


def counter(values):
    found = Counter(values)
    return found, found.most_common(2), found[77], found.total()


def ordered(values):
    found = OrderedDict()
    for value in values:
        found[value] = 1
    return found


def memo(n):
    known = {}

    def fibonacci(k):
        if k < 2:
            return k
        if k in known:
            return known[k]
        known[k] = fibonacci(k - 1) + fibonacci(k - 2)
        return known[k]

    return fibonacci(n), len(known)


def callers_dict(table, key):
    table[key] = table.get(key, 0) + 1
    return len(table)


def callers_set(found, key):
    found.add(key)
    return key in found, len(found)


def happy(n):
    seen = set()
    while n != 1 and n not in seen:
        seen.add(n)
        total = 0
        while n > 0:
            total += (n % 10) ** 2
            n //= 10
        n = total
    return n == 1, len(seen)


def in_order(values):
    found = set(values)
    return list(found), sum(found), max(found), sorted(found), found


def comprehended(values):
    return list({value * value for value in values})


def combined(xs, ys):
    one, two = set(xs), set(ys)
    return list(one | two), list(one & two), list(one - two), one <= two, one == two


def from_known(x):
    known = {1, 2, 3}
    known.discard(x)
    return known, x in known


def taken(values):
    found = set(values)
    first = found.pop()
    found.remove(values[-1])
    return first, found


def parents(values, last):
    found = {values[0]: None}
    for place in range(1, len(values)):
        found[values[place]] = values[place - 1]
    path = []
    while last is not None:
        path.append(last)
        last = found[last]
    return path, found


def with_none(values, least):
    counts, seen = {}, set()
    for value in values:
        key = value if value > least else None
        counts[key] = counts.get(key, 0) + 1
        seen.add(key)
    return counts, None in counts, counts.get(None, -1), len(seen), None in seen, values[0] in seen


def ints_and_a_float(values, x):
    found = dict.fromkeys(values, 1)
    found[x] = found.get(x, 0) + 2
    seen = set(values)
    seen.add(x)
    return found, x in found, values[0] in found, len(seen), sorted(seen)


def ints_or_floats(values):
    return {(value if value > 1 else value / 2): value for value in values}


CALLS: list[tuple[Callable[..., Any], list[Any]]] = [
    (counted, [[1, 2, 1, 3, 2, 1]]),
    (counted, [[]]),
    (counted, [[1.5, 2.0, -0.5, 1.5]]),
    (counted, [[True, False, True]]),
    (counted, [np.array([5, 5, -1])]),
    (counted, [[k * k % 97 for k in range(300)]]),
    (two_sum, [[2, 7, 11, 15], 9]),
    (two_sum, [[2, 7, 11, 15], 90]),
    (looked_up, [[4, 5], 5]),
    (looked_up, [[4, 5], 6]),
    (removed, [[1, 2, 3, 4]]),
    (methods, [[4, 5, 6]]),
    (changed_while_read, [[1]]),
    (pairs, [[1, 2, 1], [3, 4, 3]]),
    (displayed, [3, 4]),
    (displayed, [3, 3]),
    (defaults, [[1, 2, 1]]),
    (counter, [[1, 2, 1, 3, 3, 3]]),
    (ordered, [[3, 1, 3]]),
    (memo, [20]),
    (callers_dict, [{1: 2}, 1]),
    (callers_dict, [{1: 2}, 5]),
    (callers_dict, [{}, 5]),
    (callers_set, [{1}, 7]),
    (callers_set, [set(), 7]),
    (happy, [19]),
    (happy, [4]),
    (in_order, [[33, 1, 17, 9, 3, 65, -1, -2]]),
    (comprehended, [[5, -3, 12, 9]]),
    (combined, [[1, 2, 3, 40], [2, 40, 17]]),
    (from_known, [2]),
    (from_known, [7]),
    (taken, [[9, 4, 6]]),
    (parents, [[3, 1, 7, 5], 7]),
    (parents, [[3, 1], 9]),
    (with_none, [[3, 1, 7, 5, 7], 4]),
    (ints_and_a_float, [[3, 1, 2], 2.5]),
    (ints_and_a_float, [[3, 1, 2], 2.0]),
    (ints_or_floats, [[3, 1, 2]]),
]


def what(function: Callable[..., Any], args: list[Any]) -> Any:
    try:
        return function(*args)
    except (KeyError, RuntimeError) as error:
        kinds = (KeyError, RuntimeError)
        return next(kind for kind in kinds if isinstance(error, kind)), str(error).split("\n")[0]


@pytest.mark.parametrize(("function", "args"), CALLS)
def test_dicts_and_sets(function, args):
    given_, wanted = copy.deepcopy(args), copy.deepcopy(args)
    expected, result = what(function, wanted), what(ag.jit(function), given_)
    assert result == expected
    assert repr(given_) == repr(wanted)
    if isinstance(expected, dict):
        assert repr(result) == repr(expected)


def test_one_trace_for_all_keys():
    f = ag.jit(counted)
    for values in ([1, 2], [7, 7], [-1, 5]):
        assert f(values) == counted(values)
    assert f.experimental_get_tracing_count() == 1


def test_lists_are_no_keys():
    @ag.jit
    def f(x):
        return {(x, 1): 2}, {x: [x]}

    assert f(3) == ({(3, 1): 2}, {3: [3]})

    @ag.jit
    def g(x):
        found = {x: 1}
        found[[x]] = 2
        return found

    with pytest.raises(TypeError, match="unhashable type: 'list'"):
        g(3)


@given(
    st.one_of(
        st.integers(-(2**63), 2**63 - 1),
        st.floats(allow_nan=False),
        st.booleans(),
        st.tuples(st.integers(-9, 9), st.floats(-2, 2)),
    )
)
def test_hashes_are_pythons(key):
    with np.errstate(over="ignore"):
        assert int(hashes.hash_of(key)) == hash(key)


KEYS = st.one_of(
    st.integers(-20, 100),
    st.integers(-(2**63), 2**63 - 1),
    st.integers(0, 6).map(lambda number: 1024 * number),  # all at the same places
)
STEPS = st.lists(st.tuples(st.sampled_from("aaadpcuixs"), KEYS, st.lists(KEYS, max_size=30)))


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the order of sets is of this version")
@settings(deadline=None)
@given(STEPS)
def test_sets_are_in_pythons_order(steps):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sets, "unbound", lambda values: values)
        own, theirs = sets.HashSet(), set()
        for step, key, keys in steps:
            other, others = sets.HashSet(), set(keys)
            sets.add_all(other, keys)
            if step == "a":
                own.add(key)
                theirs.add(key)
            elif step == "d":
                own.discard(key)
                theirs.discard(key)
            elif step == "p" and theirs:
                assert own.pop() == theirs.pop()
            elif step == "c":
                own, theirs = own.copy(), theirs.copy()
            elif step == "u":
                own, theirs = own.union(other), theirs | others
            elif step == "i":
                own, theirs = own.intersection(other), theirs & others
            elif step == "x":
                own, theirs = own.symmetric_difference(other), theirs ^ others
            elif step == "s":
                own.difference_update(other)
                theirs -= others
            assert [int(each) for each in sets.members(own)] == list(theirs)
            for each in [key, *keys]:
                assert (each in own) == (each in theirs)


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from("ppppdsoldl"),
            st.integers(0, 40) | st.integers(0, 6).map(lambda number: 1024 * number),
            st.integers(),
        )
    )
)
def test_dicts_are_in_pythons_order(steps):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mappings, "unbound", lambda values: values)
        own, theirs = mappings.HashDict(), {}
        for step, key, value in steps:
            if step == "p":
                mappings.put(own, key, value)
                theirs[key] = value
            elif step == "d" and key in theirs:
                mappings.delete(own, key)
                del theirs[key]
            elif step == "s":
                assert own.setdefault(key, value) == theirs.setdefault(key, value)
            elif step == "o":
                assert own.pop(key, None) == theirs.pop(key, None)
            elif step == "l" and theirs:
                assert own.popitem() == theirs.popitem()
            assert (key in own) == (key in theirs)
            assert list(mappings.items(own)) == list(theirs.items())
            assert len(own) == len(theirs)


def test_tables_in_texts_that_percent_makes():
    def told(n):
        counts, seen = {}, set()
        for i in range(n):
            counts[i * n] = i
            seen.add(i + n)
        return "%s|%20s|%r" % (counts, seen, counts)  # noqa: UP031

    assert ag.jit(told)(3) == told(3)


def test_known_keys_that_come_on_a_path():
    def told(x):
        seen, names, counts = {1}, {"a"}, {1: 2}
        if x > 2:
            seen.add(2)
            names.add("b")
            counts[5] = x
        else:
            seen.discard(1)
        return sorted(seen), sorted(names), counts, 1 in seen, "b" in names, len(names)

    for x in (1, 3):
        assert ag.jit(told)(x) == told(x)


def area(row, column, seen, grid):
    inside = 0 <= row < len(grid) and 0 <= column < len(grid[0])
    if inside and (row, column) not in seen and grid[row][column] == 1:
        seen.add((row, column))
        beside = area(row + 1, column, seen, grid) + area(row - 1, column, seen, grid)
        return 1 + beside + area(row, column + 1, seen, grid) + area(row, column - 1, seen, grid)
    return 0


def test_a_set_that_recursion_fills_from_known_places():
    def largest(grid):
        seen = set()
        best = 0
        for row, line in enumerate(grid):
            for column, item in enumerate(line):
                if item == 1 and (row, column) not in seen:
                    best = max(best, area(row, column, seen, grid))
        return best

    grid = [[0, 1, 1], [1, 1, 0], [0, 0, 1]]
    assert ag.jit(largest)(grid) == largest(grid) == 4


def doubled(n, m):
    found = {}
    for k in range(n):
        found[k] = k
    for k in range(m):
        del found[k]
    seen = []
    for k in found:
        found[k] = found[k] * 2
        seen.append(k)
    return found, seen


def test_entries_are_assigned_to_while_a_full_table_is_gone_through():
    compiled = ag.jit(doubled)
    for n in range(1, 45):
        for m in {0, 1, 2, n // 2} - set(range(n + 1, 9)):
            assert compiled(n, m) == doubled(n, m)


def came_and_went(numbers, most):
    """Keys are removed, looked for and put back, and others get the numbers of last entries."""
    there, order, values, found = set(), [], {}, 0
    for number in numbers:
        key = number * number % most
        if key in there:
            there.remove(key)
        else:
            there.add(key)
        there.discard(number % most)
        if number % 7 == 3 and len(values) > 0:
            last, value = values.popitem()
            found += last * value
        if number % most in values:
            del values[number % most]
        if key not in values:
            values[key] = number
        elif number % 3 == 0:
            values.pop(key)
        found += len(there) + values.get(number % most, -1)
    for each in there:
        order.append(each)
    return order, values, found


def texts_came_and_went(text):
    there, values, found = set(), {}, 0
    for word in text.split():
        if word in there:
            there.remove(word)
        else:
            there.add(word)
        if word in values and len(values) > 2:
            del values[word]
        else:
            values[word] = values.get(word, 0) + 1
        if values[word] > 1 if word in values else len(values) == 5:
            values.popitem()
        found += len(values) * len(there)
    return sorted(there), values, found


def pairs_came_and_went(numbers, most):
    there, found = {(0, 0): 1}, 0
    for place in range(len(numbers)):
        pair = numbers[place] % most, place % 3
        if pair in there:
            found += there.pop(pair)
        else:
            there[pair] = place
    return there, found


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the order of sets is of this version")
@pytest.mark.parametrize("most", [1, 5, 64, 1000])
@pytest.mark.parametrize("function", [came_and_went, pairs_came_and_went])
def test_keys_come_and_go(function, most):
    compiled = ag.jit(function)
    generator = np.random.default_rng(most)
    for count in (0, 1, 9, 400, 3000):
        numbers = generator.integers(0, 10_000, count).tolist()
        assert repr(compiled(numbers, most)) == repr(function(numbers, most))


def test_texts_come_and_go():
    compiled = ag.jit(texts_came_and_went)
    generator = np.random.default_rng(3)
    for count in (1, 2, 9, 400, 1000):
        text = " ".join(f"w{number}" for number in generator.integers(0, 12, count))
        assert repr(compiled(text)) == repr(texts_came_and_went(text))


def entered_after_a_check(x):
    found = {}
    try:
        for k in x:
            if k < 0:
                raise ValueError("negative")
            found[k % 5] = found.get(k % 5, 0) + k
            found.setdefault(100 - k, k)
        return found, sorted(found), None
    except ValueError as error:
        return found, len(found), str(error)


def made_after_a_check(x, n):
    try:
        y = x[n]
        found = {k: y + k for k in x}
        found.update({y: 1, n: 2})
        return sorted(found.items()), sorted(set(x) | {y}), Counter(x)
    except IndexError:
        return [], [], Counter()


@pytest.mark.parametrize("values", [[3, 4, 8, 9], [1, -1], list(range(50)), []])
def test_in_tries_in_which_something_may_have_failed(values):
    assert repr(ag.jit(entered_after_a_check)(values)) == repr(entered_after_a_check(values))
    assert repr(ag.jit(made_after_a_check)(values, 1)) == repr(made_after_a_check(values, 1))


def asked_of_keys(items):
    counts = {}
    for each in items:
        if each in counts.keys():
            counts[each] += 1
        else:
            counts[each] = 1
    asked = 3 in counts.keys(), 2 in counts.values(), (3, 1) in counts.items()
    return counts, asked, 9 not in counts.keys()


def asked_of_views(x, y):
    known = {1: 2, 3: x, 5: y}
    if x > y:
        known[7] = 0
    asked = x in known.keys(), y in known.values(), (3, y) in known.items()
    return asked, y not in {}.keys()


ITEMS = [[0, 1, 2, 3, 3], [], [3], [7.0, 7.0, 3], list(range(40)) * 2, ["a", "b", "a"]]


@pytest.mark.parametrize("items", ITEMS)
def test_views_of_what_is_filled(items):
    assert repr(ag.jit(asked_of_keys)(items)) == repr(asked_of_keys(items))


def test_views_of_known_keys():
    compiled = ag.jit(asked_of_views)
    for x, y in [(1, 2), (3, 3), (7, 1), (7, 9), (0, 0), (5.0, 2)]:
        assert compiled(x, y) == asked_of_views(x, y)


COMPLEX = [1j, 2.5 - 1j, -1 + 0j, 2 + 0j, complex(-0.0, 1), complex("inf"), 1e30 - 1e-30j]


@pytest.mark.parametrize("kind", [complex, np.complex64, np.complex128])
def test_complex_numbers_have_hashes_and_are_keys(kind):
    hashed = ag.jit(lambda x: hash(x))
    members = ag.jit(lambda x, y: ({x, y, x + y}, {x: 1, y: 2}.get(x)))
    numbers = [kind(each) for each in COMPLEX]
    for one, other in zip(numbers, reversed(numbers), strict=True):
        assert hashed(one) == hash(one)
        assert hashed((one, 2)) == hash((one, 2))
        assert members(one, other) == ({one, other, one + other}, {one: 1, other: 2}.get(one))
    given = np.array([*numbers, *numbers[2:]])
    assert ag.jit(counted)(given) == counted(given)


@pytest.mark.parametrize("number", [0, 1, 2**61 - 1, 2**61, 2**63, 2**64 - 1])
def test_the_hash_of_unsigned_numbers(number):
    assert ag.jit(lambda x: hash(x))(np.uint64(number)) == hash(number)


class Holder:
    def __init__(self):
        self.numbers = {1, 2}


def updated_sets(numbers, n):
    of_both, of_either, of_one, of_first = ({1, 2} for _ in range(4))
    same = of_both, of_either, of_one, of_first
    of_both &= set(numbers)
    of_either |= set(numbers)
    of_one ^= set(numbers)
    of_first -= set(numbers)
    holder, items = Holder(), {"k": {2}}
    held, item = holder.numbers, items["k"]
    holder.numbers |= set(numbers)
    items["k"] -= set(numbers)
    if n > 1:
        of_one |= set(numbers)
    after = of_both, of_either, of_one, of_first
    are_same = [one is other for one, other in zip(same, after, strict=True)]
    return [sorted(each) for each in (*same, held, item)], are_same, held is holder.numbers


def into_argument(found, names):
    same = found
    found |= set(names)
    return same is found, len(same)


@pytest.mark.filterwarnings("ignore::agir.errors.RetraceWarning")
def test_a_known_set_stays_the_object_that_it_is_where_an_operator_updates_it():
    f, g = ag.jit(updated_sets), ag.jit(into_argument)
    for numbers in ([2], [2, 3], [1, 3, 4], [1], [1, 2] * 25, [2, 7] * 30, []):
        for n in (1, 2):
            assert f(numbers, n) == updated_sets(numbers, n)
        mine, pythons, names = {"1"}, {"1"}, list(map(str, numbers))
        assert g(mine, names) == into_argument(pythons, names)
        assert mine == pythons
