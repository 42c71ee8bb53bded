"""Tuples of which only the run time knows how long they are."""

# ruff: noqa: B905, C409, RUF005, RUF007

import collections
import copy
import functools
import itertools

import numpy as np
import pytest

import agir as ag

NUMBERS = ([3, 1, 2],), ([],), ([5, 5, 1, 4, 4, 9, 2],), (list(range(300)),)
SEVERAL = ([3, 1, 2], 2), ([], 1), ([1, 2], 0), ([7, 7, 1, 0], 5)


def same(function, *calls):
    """Whether calls of the compiled function give what Python gives, classes included."""
    compiled = ag.jit(function)
    for call in (*calls, *reversed(calls)):
        mine, theirs = copy.deepcopy(call), copy.deepcopy(call)
        assert repr(compiled(*mine)) == repr(function(*theirs)), call
        assert repr(mine) == repr(theirs)


def fails(function, kind, match, *calls):
    compiled = ag.jit(function)
    for call in calls:
        with pytest.raises(kind, match=match):
            function(*call)
        with pytest.raises(kind, match=match):
            compiled(*call)


def of_a_list(items):
    return tuple(items)


def of_a_generator(items):
    return tuple(x * 0.5 for x in items if x > 1), tuple(map(str, items))


def asked(items):
    t = tuple(items)
    return (
        len(t), sum(t), 3 in t, t.count(1), isinstance(t, tuple), isinstance(t, list), type(t) is tuple,
        bool(t), any(t), all(t), hash(t), sorted(t), list(t), t == tuple(items), t == items, items == t,
        t != (3, 1, 2), (3, 1, 2) == t, t < (4,), (2,) < t, f"{t} {t[:1]}",
        hasattr(t, "append"), hasattr(t, "index"),
    )  # fmt: skip


def parts(items):
    t = tuple(items)
    return (
        t[1:],
        t[:-1],
        t[::-1],
        t[1:2],
        t * 2,
        0 * t,
        t + (1,),
        (9,) + t,
        t + t,
        [*t, 5],
        (*t, 7),
        (0, *t, *t),
    )


def iterated(items):
    t = tuple(items)
    total = 0
    for i, (a, b) in enumerate(zip(t, t[1:])):
        total += i * a - b
    return total, list(enumerate(t)), list(reversed(t)), [x + 1 for x in t], dict(zip(t, t))


def as_items(items):
    found = []
    for i in range(len(items)):
        found.append(tuple(items[i:]))
    return found, sorted(found), max([*found, (0,)]), min([*found, (9, 9)])


def in_each_other(items):
    rows = [items[i:] for i in range(len(items) % 20)]
    grid = tuple(map(tuple, rows))
    return grid, grid[1:], {grid: 1}, hash(grid), len({grid, tuple(map(tuple, rows))})


def as_keys(items):
    items = items[:30]
    d = {}
    for i in range(len(items) + 1):
        d[tuple(items[:i])] = i
    return d, d.get(()), d.get((3, 1)), (3,) in d, tuple(items) in d, sum(map(len, d))


def in_sets(items):
    seen, path, again = set(), [], 0
    for x in items:
        path.append(x % 2)
        again += tuple(path) in seen
        seen.add(tuple(path))
        if len(path) > 2:
            path.clear()
    return again, len(seen), {tuple(items)} == {tuple(items)}, frozenset([tuple(items)])


def unpacked(items):
    t = tuple(items)
    if len(t) > 1:
        a, b, *rest = t
        return a, b, rest
    match t:
        case ():
            return "none"
        case (only,):
            return only


@pytest.mark.parametrize(
    "function",
    [
        of_a_list,
        of_a_generator,
        asked,
        parts,
        iterated,
        as_items,
        in_each_other,
        as_keys,
        in_sets,
        unpacked,
    ],
)
def test_of_lists(function):
    same(function, *NUMBERS)
    same(function, ([2, 1],), ([1, 2, 3],), ([3, 2, 1],), ([1],))


def test_of_floats_and_bools():
    same(of_a_list, ([1.5, -0.0],), ([],), ([0.25] * 200,), ([True, False],), ([1, 2.5, True],))
    same(as_keys, ([1.5, 2.0, 1.5],), ([1.0],), ([3.0, 1.0, 2.5, 4.5],))


def grown(n):
    t = ()
    for i in range(n):
        t += (i * i,)
    u = ()
    for i in range(n):
        u = u + (i * 0.5, i)
    return t, u, t + t[:2]


def turned(items, n):
    t = tuple(items)
    for i in range(n):
        if i % 2:
            t = t[1:]
        else:
            t = (i, *t)
    return t


def of_two_lengths(items, n):
    if n > 1:
        t = (1, 2)
    else:
        t = (1, 2, 3)
    one = tuple(items) if n else (1, 2)
    other = tuple(items) if n else [1, 2]
    maybe = one if n % 2 else None
    return t, t + tuple(items), one, one == (1, 2), other, len(other), maybe


class Path:
    def __init__(self, steps):
        self.steps = steps


def in_an_attribute(items, n):
    path = Path(())
    for _ in range(n):
        path.steps = path.steps + tuple(items)
    return path.steps, {i: tuple(items[i:]) for i in range(n)}


def greatest(items, n):
    best = ()
    for i in range(n):
        best = max(best, tuple(items[i:]))
    return best


@pytest.mark.parametrize("function", [turned, of_two_lengths, in_an_attribute, greatest])
def test_in_branches_and_loops(function):
    same(function, *SEVERAL)


def test_that_grow():
    same(grown, (3,), (0,), (1,), (400,))


def summed(t):
    return t[0] + summed(t[1:]) if t else 0


def by_recursion(items):
    return summed(tuple(items))


def permuted(n):
    def of(s):
        if len(s) <= 1:
            return [s]
        found = []
        for i in range(len(s)):
            for rest in of(s[:i] + s[i + 1 :]):
                found.append((s[i], *rest))
        return found

    return of(tuple(range(n)))


def queens(n):
    found = []

    def place(row, columns):
        if row == n:
            found.append(columns)
            return
        for c in range(n):
            free = True
            for r in range(row):
                if columns[r] == c or abs(columns[r] - c) == row - r:
                    free = False
            if free:
                place(row + 1, (*columns, c))

    place(0, ())
    return found


def paths(n):
    queue, found = collections.deque([((0,), 0)]), []
    while queue:
        path, s = queue.popleft()
        if s >= n:
            found.append(path)
            continue
        for k in (1, 2):
            if s + k <= n:
                queue.append(((*path, k), s + k))
    return found


@functools.cache
def common(a, b):
    if not a or not b:
        return ()
    if a[0] == b[0]:
        return (a[0], *common(a[1:], b[1:]))
    x, y = common(a[1:], b), common(a, b[1:])
    return x if len(x) >= len(y) else y


def remembered(one, other):
    return common(tuple(one), tuple(other))


def test_recursion():
    same(by_recursion, ([3, 1, 2],), ([],), (list(range(50)),))
    same(permuted, (4,), (1,), (0,), (2,))
    same(queens, (4,), (1,), (5,))
    same(paths, (6,), (1,), (0,))


def test_remembered_by_tuples():
    same(remembered, ([1, 2, 3, 4], [2, 4, 5]), ([], [1]), ([1] * 12, [2] * 12))


def anagrams(words):
    groups = {}
    for word in words:
        groups.setdefault(tuple(sorted(word)), []).append(word)
    return groups, tuple(words), {tuple(w) for w in words} == {tuple(w) for w in reversed(words)}


def seen_before(grid, n):
    seen = {}
    for i in range(n):
        key = tuple(map(tuple, grid))
        if key in seen:
            return seen[key], i
        seen[key] = i
        grid = [row[::-1] for row in grid]
    return -1, -1


def counted(items, n):
    pairs, places = collections.Counter(), collections.defaultdict(list)
    for i in range(len(items) - 1):
        pairs[tuple(items[i : i + 2])] += 1
        places[tuple(items[: i % n])].append(i)
    return pairs, places


def test_text_and_tables():
    same(anagrams, (["abc", "bca", "foo", "oof", "x"],), ([],), (["aa"],), (["ab", "ba"] * 70,))
    same(
        lambda s: (tuple(s), tuple(s.split()), tuple(reversed(s))), ("to be",), ("",), ("a b c d",)
    )
    same(seen_before, ([[1, 0], [0, 1]], 3), ([[1]], 2), ([], 1))
    same(counted, ([1, 2, 1, 2, 1], 3), ([], 1), ([4] * 5, 2))


def of_rows(x):
    chosen = x[x[:, 0] > 0]
    t = tuple(chosen)
    return [float(row.sum()) for row in t], len(t), tuple(chosen[:, 1])


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32])
def test_of_arrays(dtype):
    same(of_rows, (np.arange(6, dtype=dtype).reshape(3, 2),), (np.zeros((2, 2), dtype),))


def of_lists(n):
    t = tuple([i] * i for i in range(n))
    if n:
        t[n - 1].append(9)
    return t


def arranged(items):
    return list(itertools.permutations(items)), list(itertools.combinations(items, 2))


def test_what_is_in_them_may_change():
    same(of_lists, (3,), (0,), (1,))


def test_arrangements():
    same(arranged, ([3, 1, 2],), ([1],), ([],), ([1, 2, 3, 4],))


def shown(items):
    print(tuple(items), (tuple(items), 1), [tuple(items)])


def test_printed(capsys):
    compiled = ag.jit(shown)
    for items in ([1, 2], [1], [], [4, 5, 6]):
        shown(items)
        wanted = capsys.readouterr().out
        compiled(items)
        assert capsys.readouterr().out == wanted


def changed(items):
    t = tuple(items)
    t[0] = 1


def appended(items):
    tuple(items).append(1)


def with_a_list(items):
    return tuple(items) + [1]


def after_a_list(items):
    return [1] + tuple(items)


def compared_with_a_list(items):
    return tuple(items) < list(items)


def beyond(items):
    return tuple(items)[8]


def with_lists(items):
    return hash((1, tuple([items, items])))


def test_mistakes():
    calls = ([3, 1, 2],), ([],), ([1],)
    fails(changed, TypeError, "'tuple' object does not support item assignment", *calls)
    fails(appended, AttributeError, "'tuple' object has no attribute 'append'", *calls)
    fails(with_a_list, TypeError, r'can only concatenate tuple \(not "list"\) to tuple', *calls)
    fails(after_a_list, TypeError, r'can only concatenate list \(not "tuple"\) to list', *calls)
    fails(compared_with_a_list, TypeError, "'<' not supported between instances", *calls)
    fails(beyond, IndexError, "tuple index", *calls)
    fails(lambda items: tuple(items).index(7), ValueError, "tuple", *calls)
    fails(with_lists, TypeError, "unhashable type: 'list'", *calls)


def test_one_trace_is_for_all_lengths():
    compiled = ag.jit(of_a_list)
    for n in range(2, 40):
        assert compiled(list(range(n))) == tuple(range(n))
    assert compiled.experimental_get_tracing_count() <= 3


def all_of_it(t):
    return t, sum(t), t[1:], len(t), t == t[:], [t, t]


def turned_round(t, n):
    for _ in range(n):
        t = t[1:] + t[:1]
    return t


def written_into(t):
    for x in t:
        x.append(len(t))
    return t


def of_keys(d):
    d[(9,) * len(d)] = 1
    return max(map(len, d)), (1, 2) in d, list(d)


def of_tuples(found):
    found.append((1,) * len(found))
    return {t: i for i, t in enumerate(found)}, sorted(found), [sum(t) for t in found]


class Node:
    def __init__(self, steps, after):
        self.steps = steps
        self.after = after


def chained(n):
    node = None
    for i in range(n):
        node = Node(tuple(range(i)), node)
    return node


def along(node):
    node.steps = (*node.steps, 1)
    total, each = 0, node
    while each is not None:
        total += len(each.steps)
        each = each.after
    return total, node.steps


@pytest.mark.parametrize(
    ("function", "calls"),
    [
        (all_of_it, [(tuple(range(n)),) for n in range(8)]),
        (all_of_it, [(tuple(i * 0.5 for i in range(n)),) for n in (1, 200, 2, 30)]),
        (turned_round, [(tuple(range(n)), n + 1) for n in range(8)]),
        (written_into, [(tuple([i] for i in range(n)),) for n in range(1, 8)]),
        (of_keys, [({tuple(range(i)): i for i in range(n)},) for n in range(8)]),
        (of_tuples, [([tuple(range(i)) for i in range(n)],) for n in range(8)]),
    ],
)
def test_arguments(function, calls):
    compiled = ag.jit(function)
    for call in (*calls, *reversed(calls)):
        mine, theirs = copy.deepcopy(call), copy.deepcopy(call)
        assert repr(compiled(*mine)) == repr(function(*theirs)), call
        assert repr(mine) == repr(theirs)
    assert compiled.experimental_get_tracing_count() <= 5


def test_attributes_of_arguments():
    compiled = ag.jit(along)
    for n in range(1, 7):
        mine, theirs = chained(n), chained(n)
        assert compiled(mine) == along(theirs)
        assert mine.steps == theirs.steps
        assert type(mine.steps) is tuple


def test_shapes_and_star_arguments_stay_known():
    shaped = ag.jit(lambda shape: np.zeros(shape).size)
    starred = ag.jit(lambda *values: sum(values))
    for n in range(1, 7):
        assert shaped((2,) * n) == 2**n
        assert starred(*range(n)) == sum(range(n))


def slices_of_known(items, i):
    t = (1, 2, 3, 4)
    n = len(items)
    return t[i:], t[:n], t[i : i + 2], (7,) * n, (1, "a") * n, t[n:1:-1], () * n


def test_slices_and_multiples_of_known_tuples():
    same(slices_of_known, ([], 0), ([1], 2), ([1, 2], 3), ([1] * 5, 9))
    same(lambda n: ((1, 2) * n, n * (0,)), (3,), (0,), (1000,))


@functools.cache
def ways(t):
    return 1 if len(t) == 0 else ways(t[1:]) + ways(t[:-1])


def test_a_memo_is_recorded():
    compiled = ag.jit(lambda items: ways(tuple(items)))
    for n in (2, 3, 20, 40):
        assert compiled([1] * n) == 2**n
    assert compiled.experimental_get_tracing_count() <= 2


def chosen_again(items):
    n = len(items)
    pairs = itertools.product(items, "ab", repeat=n - 1) if n else ()
    return list(itertools.product(items, repeat=n)), len(list(pairs))


def greatest_order(n):
    best = 0
    for order in itertools.permutations(range(n)):
        total = 0
        for i, v in enumerate(order):
            total += i * v
        best = max(best, total)
    return best, list(itertools.product(range(2), repeat=n))


def ordered(items):
    return [sum(p) for p in itertools.permutations(items)], list(itertools.permutations(items))


def test_products_and_orders():
    same(chosen_again, ([1],), ([1, 2, 3],), ([1, 2],))
    same(greatest_order, (3,), (0,), (1,), (4,))
    same(ordered, ([3, 1, 2],), ([],), ([1],), ([2, 2, 1, 0],))
    fails(lambda n: list(itertools.product([1], repeat=n - 9)), ValueError, "negative", (3,), (4,))


def test_which_of_two_equal_ones_it_is():
    @ag.jit
    def named(items, n):
        t = tuple(items)
        before = t
        for i in range(n):
            t += (i,)
        return t is before

    with pytest.raises(ag.errors.StagingError, match="whether two tuples are the same object"):
        named([1] * 200, 2)
    assert ag.jit(lambda n: (t := tuple(range(n))) is t)(3) is True
    assert ag.jit(lambda n: tuple(range(n)) is None)(3) is False
