"""Calls by machine code with lists, dicts, sets and text are those of plain Python."""

from __future__ import annotations

import collections
import gc
import math
import sys
import threading
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.backends.cpu import native_code
from agir.runtime.state import passed_lists

from ..machine import calls, early, needs_machine, python_only, taken

__all__ = ["early"]

pytestmark = [needs_machine, pytest.mark.usefixtures("early")]


class Whole(int):
    """A class of ints."""


class Row(list):
    """A class of lists."""


class Text(str):
    """A class of text."""


class Table(dict):
    """A class of dicts."""


def total(row):
    s = 0
    for a in row:
        s += a
    return s


def doubled(row):
    return [a * 2 for a in row]


def itself(row):
    return row


def raised_by_one(row):
    for i in range(len(row)):
        row[i] += 1
    return len(row)


def grown(row):
    row.append(row[0])
    return row


def largest_first(row):
    row.sort(reverse=True)


def pairs(row):
    return [(a, a > 1) for a in row], {"n": len(row)}


def checked(row):
    s = 0
    for i in range(len(row)):
        row[i] += 1
        if row[i] > 100:
            raise ValueError("too large")
        s += row[i]
    return s


def letters(t):
    n = 0
    for c in t:
        if c == "a" or c == "\u00e4":
            n += 1
    return n


def words(t):
    found = {}
    for word in t.split():
        found[word] = found.get(word, 0) + 1
    return found


def of_dict(d):
    s = 0
    for key in d:
        s += key * d[key]
    return s


def entry(d, key):
    return d[key]


def set_entry(d, key):
    d[key] = d[key] + 1
    return d


def of_set(s):
    n = 0
    for a in s:
        n += a
    return n, 3 in s


def two(a, b):
    a[0] += 1
    return a[0] + b[0], a is b


def with_number(row, n=2, *, m=3):
    s = n
    for a in row:
        s += a * m
    return s


def nested(g):
    s = 0
    for row in g:
        for a in row:
            s += a
    return s


def row_by_row(a, b):
    s = 0
    for i in range(min(len(a), len(b))):
        for j in range(min(len(a[i]), len(b[i]))):
            s += a[i][j] * b[i][j]
    return s


def scaled_rows(g):
    for row in g:
        for j in range(len(row)):
            row[j] *= 2
    return g


def of_rows(g):
    return [[a + 1 for a in row] for row in g], len(g)


def of_pairs(row):
    s = 0
    for a, b in row:
        s += a * b
    row.append((len(row), 2))
    return s


def crossed(a, b):
    s = 0
    for x, y in a:
        for z, u, v in b:
            s += (x - z) * (y - u) + v
    return s


def paired(a, b):
    found = []
    for one, other in zip(a, b, strict=False):
        found.append((one[1], other[0]))
    a.append(a[0] if a else (1, 1))
    return found, a, a is b


def of_entries(row, n):
    found = {}
    for name, count in row:
        found[name] = found.get(name, 0) + count * n
    return found


def by_name(d):
    s = 0
    for name in d:
        s += d[name] * len(name)
    return s


RATES = [2, 3]


def rated(a):
    return a * RATES[0] + RATES[1]


def of_outside(row):
    s = RATES[1]
    for a in row:
        s += rated(a)
    return s


def with_array(row, x):
    for i in range(len(row)):
        x[i] = row[i]
    return x, row


def copied(value: Any) -> Any:
    """A copy that shares no container."""
    kind = type(value)
    if isinstance(value, (list, tuple)):
        return kind(map(copied, value))
    if isinstance(value, dict):
        return kind((key, copied(each)) for key, each in value.items())
    if isinstance(value, set):
        return kind(value)
    return value.copy() if isinstance(value, np.ndarray) else value


def seen(value: Any) -> Any:
    """All there is to see of a value."""
    if isinstance(value, dict):
        return type(value), [(seen(key), seen(each)) for key, each in value.items()]
    if isinstance(value, (list, tuple)):
        return type(value), list(map(seen, value))
    if isinstance(value, np.ndarray):
        return value.dtype, value.tolist()
    return type(value), repr(value)


def outcome(function: Any, args: Any, kwargs: Any) -> Any:
    """What a call gives or raises, and what is in its arguments then."""
    args, kwargs = list(map(copied, args)), {name: copied(each) for name, each in kwargs.items()}
    try:
        result = seen(function(*args, **kwargs))
    except Exception as error:
        result = type(error).__mro__[-4:], str(error).split("\n")[0]
    return result, seen(args), seen(kwargs)


NUMBERS = [
    [1],
    [1, 2],
    [3, 4, 5],
    [1.5, 2.5],
    [0.0, -0.0, math.inf],
    [7, 8, 9, 10],
    [True, False],
    [1, 2.5, True],
    [1 + 2j, 3],
    [1j, 2j],
    [2**62, -(2**62)],
    [2**40, -(2**40), 0, -1],
    [2**63 - 2],
    [2**64, 1],
    [Whole(3), 4],
    [Whole(3)],
    [3, 2, 1],
    Row([1, 2, 3]),
    list(range(-20, 300)),
    [float(n) for n in range(300)],
    [5, 6, 7],
    [np.float64(1.5), 2.5],
    [np.int64(3)],
]
REAL = [each for each in NUMBERS if not {complex, np.float64} & set(map(type, each))]
TEXTS = [
    "a",
    "b a",
    "aba c",
    "",
    "\u00e4\u00e4 \u20ac",
    "\U0001f600a",
    "a\0a",
    Text("aaa"),
    "x y x" * 100,
]
DICTS = [
    {1: 2},
    {1: 2, 3: 4},
    {5: 6, 7: 8, 9: 1},
    {5: 1.5, 7: 8.5},
    {1.5: 2},
    {True: 1},
    {n: n * n for n in range(200)},
    Table({1: 2}),
    collections.OrderedDict([(3, 1), (1, 2)]),
    collections.Counter([1, 2, 1]),
    {1: 2**70},
    {},
    {2: 3, 4: 5},
]
SHARED = [1, 2, 3]
GRIDS = [
    [[1, 2], [3, 4]],
    [[1, 2, 3], [4, 5, 6], [7, 8, 9]],
    [[1], [], [2, 3]],
    [[], [4], []],
    [[1.5, 2.5], [3.5]],
    [[n * m for n in range(20)] for m in range(20)],
    [SHARED, SHARED],
    [SHARED, [4, 5, 6]],
    [[1, 2], [3.5, 4.5]],
    [[1, 2], (3, 4)],
    [Row([1, 2]), [3, 4]],
    [[1, True], [2, 3]],
    [[2**64], [1]],
    [[2**40, -5], [0, 7], [2**30, 1]],
]
PAIRS = [
    [(1, 2)],
    [(1, 2), (3, 4)],
    [(n, n + 1) for n in range(5)],
    [(n, n + 1) for n in range(200)],
    [(1.5, 2), (2.5, 3)],
    [(1, 2), (2.5, 3)],
    [(2, 3), (4, 5)],
    [(2**64, 3)],
    [(2, 3), (4, 5), (6, 7)],
    [(True, 3)],
    [],
    [(1, 2)],
]
NAMED = [
    [("a", 1)],
    [("a", 1), ("b", 2)],
    [("a", 1), ("b", 2), ("a", 3)],
    [("ab", 1), ("b", 2), ("ab", 3), ("", 5)],
    [("a", 1.5), ("b", 2.5)],
    [("a", 1)] * 150,
    [],
    [(Text("a"), 1)],
    [("\u20ac", 7), ("x", 8)],
    [("a", 2), ("b", 3)],
]
SETS = [{1}, {1, 2}, {3, 4, 5}, {1.5, 3.0}, {1, 2.5}, set(range(150)), {2**70}, {True, 3}, {3, 9}]


@pytest.mark.parametrize(
    ("function", "contents"),
    [
        *(
            (each, [(one,) for one in NUMBERS])
            for each in (total, doubled, itself, raised_by_one, grown)
        ),
        *((each, [(one,) for one in REAL]) for each in (largest_first, pairs, checked)),
        (with_number, [(one, n) for one in NUMBERS[:7] for n in (1, 2.5, True)]),
        (letters, [(each,) for each in TEXTS]),
        (words, [(each,) for each in TEXTS]),
        (of_dict, [(each,) for each in DICTS]),
        (set_entry, [(each, key) for each in DICTS for key in (1, 5)]),
        (entry, [(each, key) for each in DICTS for key in (1, 5)]),
        (of_set, [(each,) for each in SETS]),
        *((each, [(one,) for one in GRIDS]) for each in (nested, scaled_rows, of_rows)),
        (row_by_row, [(one, one[::-1]) for one in GRIDS]),
        (of_pairs, [(one,) for one in PAIRS]),
        (crossed, [(one, [(a, b, a) for a, b in one]) for one in PAIRS]),
        (paired, [(one, one[::-1]) for one in PAIRS]),
        (of_entries, [(one, n) for one in NAMED for n in (1, 2)]),
        (by_name, [(dict(one),) for one in NAMED]),
        (nested, [([one, one[:1]],) for one in NUMBERS[:7]]),
        (two, [(one, one[:2]) for one in NUMBERS[:7]]),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_calls_are_those_of_python(function, contents) -> None:
    compiled, other = (ag.jit(function, fallback=True) for _ in range(2))
    for _ in range(2):
        for args in contents:
            expected = outcome(function, args, {})
            if isinstance(expected[0][0], tuple):  # what it raises, and what is written before
                with python_only():
                    expected = outcome(other, args, {})
            for _ in range(2):
                assert outcome(compiled, args, {}) == expected, args


@pytest.mark.parametrize(
    ("function", "contents"),
    [
        *((each, [([1],), ([1, 2],)]) for each in (total, doubled, itself, grown, largest_first)),
        (letters, [("a",), ("b",), ("c",)]),
        (words, [("a",), ("b a",), ("c",)]),
        (of_dict, [({1: 2},), ({2: 3, 4: 5},)]),
        (of_set, [({1},), ({3, 4},)]),
    ],
)
def test_machine_code_makes_the_calls(function, contents) -> None:
    compiled = ag.jit(function)
    for args in contents:
        compiled(*map(copied, args))
    compiled(*map(copied, contents[-1]))
    assert taken(compiled, *map(copied, contents[-1]))


def test_keywords_and_defaults() -> None:
    compiled = ag.jit(with_number)
    for row in ([1], [1, 2], [1, 2, 3], [4, 5, 6]):
        assert compiled(row) == with_number(row)
        assert compiled(row, 5) == with_number(row, 5)
        assert compiled(n=4, row=row) == with_number(row, 4)
        assert compiled(row, m=7) == with_number(row, m=7)
    assert taken(compiled, [1, 2, 3, 4])


def test_a_list_that_is_given_twice() -> None:
    compiled = ag.jit(two)
    for args in ([1], [2]), ([1, 2], [2, 3]), ([3, 4, 5], [1, 2, 3]):
        for _ in range(3):
            assert compiled(*map(copied, args)) == two(*map(copied, args))
            one, other = [1, 2, 3], [1, 2, 3]
            assert compiled(one, one) == two(other, other)
            assert one == other


def test_the_caller_gets_its_own_list() -> None:
    compiled = ag.jit(grown)
    for start in ([1], [1, 2], [1.5, 2.5], [3, 4, 5]):
        for _ in range(3):
            row = list(start)
            assert compiled(row) is row
            assert row == [*start, start[0]]


def test_nothing_is_written_before_an_error() -> None:
    compiled = ag.jit(checked)
    for row in ([1], [1, 2], [1, 2, 3]):
        compiled(row)
    for _ in range(5):
        row = [1, 2, 200]
        with pytest.raises(ValueError, match="too large"):
            compiled(row)
        assert row == [1, 2, 200]
    assert calls(compiled)


def test_a_missing_key() -> None:
    compiled = ag.jit(entry)
    for d in ({1: 2}, {1: 2, 3: 4}, {5: 6, 7: 8, 1: 9}):
        assert compiled(d, 1) == d[1]
    for key in (8, 11, 2**40):
        with pytest.raises(KeyError) as raised:
            compiled({1: 2, 3: 4}, key)
        assert raised.value.args == (key,)
    assert taken(compiled, {1: 2, 3: 4}, 3)


def test_arrays_beside_lists() -> None:
    compiled = ag.jit(with_array)
    for row in ([1], [1, 2], [3, 4, 5], [5, 6]):
        x = np.zeros(8)
        result = compiled(row, x)
        assert result[0] is x
        assert result[1] is row
        assert x[: len(row)].tolist() == row


def test_a_list_of_outside_that_two_functions_read() -> None:
    compiled = ag.jit(of_outside)
    for row in ([1], [1, 2], [1, 2, 3]):
        assert compiled(row) == of_outside(row)
    assert taken(compiled, [4, 5])
    RATES[0] = 5
    try:
        assert compiled([1, 2]) == of_outside([1, 2])
    finally:
        RATES[0] = 2


def test_a_list_of_outside_that_a_function_changes() -> None:
    seen: list[Any] = []

    @ag.jit
    def kept(n):
        if n > 2:
            seen.append(n)
        return len(seen)

    for n in [*range(8)] * 5:
        count = len(seen)
        assert kept(n) == count + (n > 2)
        assert len(seen) == count + (n > 2)
    seen.clear()
    assert kept(5) == 1
    assert seen == [5]


def test_containers_that_a_generator_keeps() -> None:
    def sets(n):
        seen = set()
        for i in range(n):
            seen.add(i % 2)
            yield len(seen)
        yield seen

    decorated = ag.jit(sets)
    for _ in range(3):
        assert list(decorated(9)) == list(sets(9))


@pytest.mark.filterwarnings("ignore")
def test_rows_that_are_one_list() -> None:
    """What is one list to the caller is one list in the function, however the call is made."""
    for function in (scaled_rows, nested, of_rows):
        compiled = ag.jit(function)
        for count in (2, 3, 4, 5, 4):
            for _ in range(3):
                rows = [[n, n + 1] for n in range(count)]
                twice = [*rows, rows[0]]
                expected = copied(rows)
                expected.append(expected[0])
                assert compiled(twice) == function(expected)
                assert twice == expected
                assert twice[-1] is twice[0]
    compiled = ag.jit(row_by_row)
    for count in (2, 3, 4, 5, 4):
        rows = [[n, n + 1] for n in range(count)]
        for args in (
            (rows, copied(rows)),
            (rows, rows),
            (rows, rows[::-1]),
            (rows, [[1], rows[0]]),
        ):
            assert compiled(*args) == row_by_row(*args)


@pytest.mark.filterwarnings("ignore")
def test_lists_of_tuples() -> None:
    compiled = ag.jit(crossed)
    for count in range(1, 8):
        one, other = [(n, 2 * n) for n in range(count)], [(n, n + 1, 1.5) for n in range(count)]
        assert compiled(one, other) == crossed(one, other)
    assert taken(compiled, [(1, 2)], [(3, 4, 5.5)])
    assert taken(compiled, [], [(3, 4, 5.5)])
    for wrong in (
        [(3, 4)],
        [(3, 4, 5, 6)],
        [(3, 4, 5)],
        [[3, 4, 5.5]],
        [(3, 4, 5.5), (True, 4, 5.5)],
    ):
        assert not taken(ag.jit(crossed), [(1, 2)], other)
        try:
            expected = crossed([(1, 2)], wrong)
        except ValueError:
            with pytest.raises(ValueError, match="unpack"):
                compiled([(1, 2)], wrong)
        else:
            assert compiled([(1, 2)], wrong) == expected
    compiled = ag.jit(paired)
    for count in range(1, 8):
        for _ in range(2):
            one = [(n, 2 * n) for n in range(count)]
            other, same = copied(one), copied(one)
            assert seen(compiled(one, one)) == seen(paired(other, other))
            assert one == other
            assert seen(compiled(one, same)) == seen(paired(other, copied(same)))


def test_machine_code_takes_rows() -> None:
    compiled = ag.jit(row_by_row)
    for count in (2, 3, 4):
        compiled([[n] * count for n in range(count)], [[n] * count for n in range(count)])
    assert taken(compiled, [[1, 2], [3]], [[4], [5, 6]])
    rows = [[1, 2], [3]]
    assert not taken(compiled, rows, [[4], rows[0]])


def test_a_set_that_changes() -> None:
    compiled = ag.jit(of_set)
    s = {1, 2}
    for n in (3, 4, 5, 6):
        assert compiled(s) == of_set(s)
        assert compiled(s) == of_set(s)
        s.add(n)


def test_large_lists_and_memory() -> None:
    compiled = ag.jit(total)
    row, f = list(range(100_000)), [float(n) for n in range(100_000)]
    before = None
    for n in range(200):
        assert compiled(row) == sum(row)
        assert compiled(f) == sum(f)
        if n == 20:
            before = _resident()
    assert taken(compiled, row)
    assert before is not None
    assert _resident() - before < 40_000_000


def _resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def test_references() -> None:
    item, text, keys = 10**12, "some text here", {10**12: 10**5}
    row = [item, item + 1]
    functions = [(ag.jit(total), row), (ag.jit(grown), row), (ag.jit(words), text)]
    functions += [(ag.jit(of_dict), keys), (ag.jit(set_entry), keys), (ag.jit(doubled), row)]
    for compiled, given in functions:
        rest = (item,) if compiled.__name__ == "set_entry" else ()
        for warm in (given[:1] if given is not keys else {1: 2}, given):
            for _ in range(4):
                compiled(copied(warm), *((1,) if rest and warm is not keys else rest))
        own = copied(given)
        gc.collect()
        counts = sys.getrefcount(own), sys.getrefcount(item), sys.getrefcount(text)
        for _ in range(500):
            compiled(copied(given), *rest)
        gc.collect()
        assert counts == (sys.getrefcount(own), sys.getrefcount(item), sys.getrefcount(text))


def test_calls_by_finalizers_of_the_same_garbage() -> None:
    """The memory of a function that goes may be gone when something else that goes calls it."""
    found = []

    class Late:
        def __init__(self, function: Any) -> None:
            self.function, self.own = function, self

        def __del__(self) -> None:
            found.append(self.function([4, 5, 6]))

    for _ in range(20):
        compiled: Any = ag.jit(total)
        for row in ([1], [1, 2], [1, 2, 3]):
            compiled(row)
        assert taken(compiled, [1, 2])
        compiled.late = [Late(compiled) for _ in range(3)]
        del compiled
        gc.collect()
    assert found == [15] * 60


def test_threads() -> None:
    compiled, changing = ag.jit(total), ag.jit(raised_by_one)
    for row in ([1], [1, 2], [1.5], [1, 2, 3]):
        compiled(row)
        changing(row)
    wrong = []

    def work(seed: int) -> None:
        for n in range(400):
            row = list(range(seed, seed + n % 50 + 1))
            if compiled(row) != sum(row):
                wrong.append(row)
            expected = [each + 1 for each in row]
            changing(row)
            if row != expected:
                wrong.append(row)

    threads = [threading.Thread(target=work, args=(n * 1000,)) for n in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not wrong


@pytest.mark.parametrize("kind", [int, float, bool, complex])
def test_numbers_are_taken_exactly(kind) -> None:
    taking = native_code.taking()
    assert taking is not None
    edges = (0, 1, -1, 2**30 - 1, -(2**30) + 1, 2**30, -(2**30), 2**63 - 1, -(2**63), 7, 300)
    numbers = [kind(n % 2 if kind is bool else n) for n in edges]
    array = np.empty(len(numbers), np.dtype(kind))
    assert taking.numbers(numbers, kind, array)
    assert array.tobytes() == np.array(numbers, np.dtype(kind)).tobytes()
    for other in (0, 0.5, True, 1j, None, "1", Whole(1), 2**63):
        if type(other) is not kind or other == 2**63:
            array = np.empty(len(numbers) + 1, np.dtype(kind))
            assert not taking.numbers([*numbers, other], kind, array)
    assert not taking.numbers(numbers, kind, array), "the list is as long as the array"


def test_columns_without_the_machine_code(monkeypatch) -> None:
    lists = [each for each in NUMBERS if type(each) is list]
    with_it = [passed_lists.listed(each, passed_lists.ANY) for each in lists]
    monkeypatch.setattr(passed_lists._Taking, "take", None)
    monkeypatch.setattr(passed_lists._Taking, "is_impossible", True)
    for one, each in zip(with_it, lists, strict=True):
        other = passed_lists.listed(each, passed_lists.ANY)
        assert (one is None) == (other is None)
        if one is not None:
            assert one.column.dtype == other.column.dtype
            assert one.column.tobytes() == other.column.tobytes()
