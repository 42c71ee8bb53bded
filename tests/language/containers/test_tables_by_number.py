"""Dicts and sets in dicts, lists and attributes, under several names: as plain Python has them."""

from collections import defaultdict

import pytest

import agir as ag


class Box:
    def __init__(self, next=None):
        self.table = {}
        self.seen = set()
        self.next = next
        self.best = None


def filled_in_loops(n):
    p = None
    for i in range(n):
        p = Box(p)
        for k in range(i):
            p.table[k] = i
            p.seen.add(k % 3)
    s = []
    while p is not None:
        s.append((len(p.table), sum(p.table.values()), len(p.seen), 2 in p.seen))
        p = p.next
    return s


def dict_of_dicts(n):
    d = {}
    for i in range(n):
        k = i % 3
        if k not in d:
            d[k] = {}
        d[k][i] = i * i
    return d


def dict_of_sets(n):
    d = {}
    for i in range(n):
        k = i % 3
        if k not in d:
            d[k] = set()
        d[k].add(i * i % 7)
    return {k: sorted(v) for k, v in d.items()}


def default_sets(n):
    d = defaultdict(set)
    for i in range(n):
        d[i % 3].add(i)
    return d


def setdefault_of_sets(n):
    d = {}
    for i in range(n):
        d.setdefault(i % 3, set()).add(i)
    return (d, d[0] is d.get(0))


def defaults_of_defaults(n):
    d = defaultdict(lambda: defaultdict(int))
    for i in range(n):
        d[i % 3][i % 2] += i
    return {k: dict(v) for k, v in d.items()}


def rows_with_names(n):
    rows = []
    for i in range(n):
        r = {}
        r[i] = i
        rows.append(r)
    rows[0][5] = 7
    a = rows[-1]
    a[9] = 9
    return (rows, a is rows[-1])


def shared_sets(n):
    memo = {}
    out = []
    for i in range(n):
        s = set()
        for k in range(i):
            s.add(k * i % 5)
        memo[i] = s
        out.append(s)
    out[-1].add(100)
    return (memo, [len(s) for s in out], memo[n - 1] is out[-1])


def anagrams(words):
    d = {}
    for w in words:
        key = "".join(sorted(w))
        if key not in d:
            d[key] = {}
        d[key][w] = d[key].get(w, 0) + 1
    return d


def nested_trie(n):
    trie = {}
    for i in range(n):
        node = trie
        for c in str(i * 37 % 101):
            if c not in node:
                node[c] = {}
            node = node[c]
    return trie


def list_of_sets(n):
    g = [set() for i in range(n)]
    for i in range(n):
        g[i].add(i * 2 % n)
        g[i * 2 % n].add(i)
    return g


def one_of_two_dicts(n):
    a, b = ({}, {})
    for i in range(n):
        x = a if i % 2 else b
        x[i] = {i: i}
        x[i][i + 1] = 2
    return (a, b)


def sets_in_tuples(n):
    q = [(0, {0})]
    seen = []
    while q and len(seen) < n:
        k, s = q.pop()
        t = s | {k + 1}
        seen.append(len(t))
        q.append((k + 1, t))
    return seen


def longest_row(n):
    d = {}
    for i in range(n):
        d[i] = {}
    for i in range(n):
        for k in d:
            if k < i:
                d[i][k] = i - k
    best = None
    for k, v in d.items():
        if best is None or len(v) > len(best):
            best = v
    return (d, best is d[n - 1], best)


def one_of_two(n):
    a, b = ({}, {})
    for i in range(n):
        x = a if i % 2 else b
        x[i] = {i: i}
    return (a, b)


def descending(n):
    root = {}
    for i in range(n):
        node = root
        for c in range(3):
            k = (i * 7 + c) % 4
            if k not in node:
                node[k] = {}
            node = node[k]
    return root


PROGRAMS = [
    filled_in_loops,
    dict_of_dicts,
    dict_of_sets,
    default_sets,
    setdefault_of_sets,
    defaults_of_defaults,
    rows_with_names,
    shared_sets,
    nested_trie,
    list_of_sets,
    one_of_two_dicts,
    sets_in_tuples,
    longest_row,
    one_of_two,
    descending,
]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda each: each.__name__)
def test_as_plain_python(function):
    compiled = ag.jit(function)
    for n in (1, 5, 12):
        found, wanted = compiled(n), function(n)
        assert repr(found) == repr(wanted)


def test_words():
    words = ["ab", "ba", "c", "ab"]
    assert ag.jit(anagrams)(words) == anagrams(words)


def emptied(n):
    d = {}
    for i in range(n):
        d.setdefault(i % 3, {})[i] = i
    for i in range(n):
        d[i % 3].pop(i)
    d[0][5] = 6
    return d


def changed_while_gone_through(n):
    d = {}
    for i in range(n):
        d[i] = {}
        d[i][i] = 1
    for k in d[0]:
        d[0][k + 1] = 2
    return d


def a_key_that_is_missing(n):
    d = {}
    for i in range(n):
        d.setdefault(i % 3, {})[i] = i
    return d[0][100]


def test_more():
    assert ag.jit(emptied)(7) == emptied(7)
    with pytest.raises(RuntimeError, match="changed size during iteration"):
        ag.jit(changed_while_gone_through)(2)
    with pytest.raises(KeyError) as error:
        ag.jit(a_key_that_is_missing)(4)
    assert error.value.args == (100,)


def test_what_is_returned_under_two_names_is_one_dict():
    def program(n):
        d, last = {}, None
        for i in range(n):
            d[i] = {}
            d[i][i] = i
            last = d[i]
        return d, last

    found, last = ag.jit(program)(4)
    assert found[3] is last
    assert type(last) is dict


def test_a_dict_that_is_empty_at_first_in_one_of_two_entries():
    def f(a, n):
        groups = {a % 3: {1: 1}}
        for _ in range(n):
            if 2 in groups:
                groups[len(groups) % 7][3] = 1
        groups[5] = groups.setdefault(0, {})
        groups[1] = groups.setdefault(4, {})
        return groups

    for given in ((3, 2), (4, 1), (5, 0)):
        found = ag.jit(f)(*given)
        assert found == f(*given)
        assert [type(each) for each in found.values()] == [dict] * len(found)


def test_sets_lose_so_much_that_they_get_a_smaller_table():
    def f(numbers, k):
        items = [{1, 2, 3, k} for _ in range(k)]
        items[1] -= set(numbers)
        items[2].difference_update(numbers)
        last = items[-1]
        last ^= {1, 2, k, 9}
        last &= set(numbers)
        return items, [len(each) for each in items], 1 in items[1], sorted(items[2])

    decorated = ag.jit(f)
    for numbers in ([2], [1, 2], [1, 2, 3, 4, 5], [1, 2] * 20, []):
        assert decorated(numbers, 4) == f(numbers, 4)
