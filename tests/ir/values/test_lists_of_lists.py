"""Lists that are items of lists whose length only the run time knows."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest

import agir as ag


def grid(n):
    g = [[0 for _ in range(n)] for _ in range(n)]
    for i in range(n):
        for j in range(n):
            g[i][j] = i * j + g[i - 1][j]
    return g, len(g), [len(row) for row in g], [sum(row) for row in g]


def of_floats(n):
    g = [[0 for _ in range(n)] for _ in range(n)]
    for i in range(n):
        g[i][0] = i / 4
    return g


def adjacency(n):
    adj = [[] for _ in range(n)]
    for i in range(n):
        adj[i].append((i + 1) % n)
        adj[(i + 1) % n].append(i)
    total = 0
    for u in range(n):
        for v in adj[u]:
            total = total * 3 + v
    return total, adj, len(adj[0])


def weighted(n):
    adj = [[] for _ in range(n)]
    for i in range(n - 1):
        adj[i].append((i + 1, i * 0.5))
    total = 0.0
    for u in range(n):
        for v, w in adj[u]:
            total += w * v
    return total, adj


def breadth_first(n):
    adj = [[] for _ in range(n)]
    for u in range(n):
        for v in (2 * u + 1, 2 * u + 2):
            if v < n:
                adj[u].append(v)
                adj[v].append(u)
    distance = [-1 for _ in range(n)]
    distance[0] = 0
    queue = deque([0])
    while queue:
        u = queue.popleft()
        for v in adj[u]:
            if distance[v] < 0:
                distance[v] = distance[u] + 1
                queue.append(v)
    return distance


def triangle(n):
    rows = [[1]]
    for _ in range(n):
        last = rows[-1]
        row = [1]
        for j in range(len(last) - 1):
            row.append(last[j] + last[j + 1])
        row.append(1)
        rows.append(row)
    return rows


def groups(n):
    rows = []
    row = []
    for i in range(n * 2):
        if i % 3 == 2:
            rows.append(row)
            row = []
        else:
            row.append(i)
    rows.append(row)
    row.append(77)
    return rows


def one_list_with_many_names(n):
    g = [[i] for i in range(n)]
    r = g[1]
    r.append(5)
    r.extend([1, 2])
    g.append(r)
    g[-1].append(9)
    g[0] = r
    g[0].pop()
    g[0].insert(1, 33)
    del g[0][0]
    return g, r, g[0] is g[1], g[0] is not g[1], g[2] is g[1], r in g, [5] in g


def appended_before_it_is_written(n):
    rows = []
    row = [0]
    for i in range(n):
        rows.append(row)
        row[0] = i
    return rows, row


def renewed_on_some_iterations(n):
    rows = []
    row = [0]
    i = 0
    while i < n:
        rows.append(row)
        if i % 2 == 0:
            row = [1, 2, 3]
        row.append(i)
        i += 1
    return rows, row


def one_of_two(n):
    g = [[i, 0] for i in range(n)]
    s = g[0]
    if n > 3:
        s = g[1]
    s[0] = 5
    t = g[0] if n > 2 else [1]
    t.append(3)
    return g, t


def perhaps_none(n):
    x = None
    g = [[i] for i in range(n)]
    for row in g:
        if row[0] == 2:
            x = row
    if x is not None:
        x.append(8)
    return g, x


def transposed(n):
    g = [[i * n + j for j in range(n)] for i in range(n)]
    t = [[g[i][j] for i in range(n)] for j in range(n)]
    return t, t == g, t == t[:], [row[::-1] for row in g], g[1:], g[0] + [1], [row[:] for row in t]


def three_deep(n):
    g = [[[0 for _ in range(n)] for _ in range(2)] for _ in range(n)]
    g[1][1][1] = 4
    g[0][1].append(3)
    return g, len(g[0][1])


def of_several_kinds(n):
    pairs = []
    for i in range(n):
        pairs.append(([i], [i * 0.5]))
    pairs[0][0].append(3)
    pairs[1][1].append(2.5)
    return pairs


def in_objects(n):
    class Node:
        def __init__(self):
            self.children = []

    nodes = []
    for _ in range(n):
        nodes.append(Node())
    nodes[0].children.append(1)
    nodes[1].children.append(n)
    return [len(node.children) for node in nodes], nodes[1].children


def paths(n):
    queue = [[0]]
    count = 0
    while queue and count < n:
        path = queue.pop(0)
        count += 1
        for v in range(2):
            queue.append([*path, v])
    return queue


def halves(n):
    stack = [[0, n]]
    out = []
    while stack:
        low, high = stack.pop()
        if high - low <= 1:
            out.append(low)
            continue
        middle = (low + high) // 2
        stack.append([middle, high])
        stack.append([low, middle])
    return out


def changed_as_a_whole(n):
    g = [[i] for i in range(n)]
    g.insert(1, [9, 9])
    g.extend([[7], [8]])
    del g[0]
    g.reverse()
    x = g.pop(0)
    x.append(5)
    g.remove([9, 9])
    g[1].clear()
    g[0] += [4]
    g[0] *= 2
    return g, x, g.index([]), bool(g[1])


def in_order(n):
    g = [[(7 * i + j * j) % 5 for j in range(i % 3)] for i in range(n)]
    by_length = g[:]
    by_length.sort(key=len)
    for row in g:
        row.sort(reverse=True)
    places = sorted(range(n), key=lambda i: g[i])
    ordered = sorted(g), sorted(g, reverse=True), by_length, places
    return *ordered, max(g), min(g), g[0] < g[1], g[1] >= g[0], [] < g[1]


def grows_while_it_is_read(n):
    g = [[1] for _ in range(n)]
    row = g[0]
    for x in row:
        if x < n:
            row.append(x + 1)
    for row in g:
        if len(g) < 2 * n:
            g.append([len(row)])
    return g


def unpacked(n):
    g = [[n - i, i] for i in range(n)]
    x, y = g[1]
    for p, q in g:
        x += p * q
    a, *rest = g
    a.append(1)
    rest[0].append(2)
    g[0], g[1] = g[1], g[0]
    return x, y, g, rest, list(enumerate(rest)), list(zip(g, range(n), strict=False))


def from_generators(n):
    def rows():
        for i in range(n):
            yield [i for _ in range(i)]

    made = list(rows())
    made[0].append(4)
    return made, [row for row in rows() if len(row) > 1], list(map(len, made))


def in_a_handler(n):
    g = []
    try:
        for i in range(n):
            g.append([i])
            if i == 3:
                raise ValueError("three")
    except ValueError:
        g.append([])
    g[-1].append(7)
    try:
        g[0][n] = 1
    except IndexError:
        g[0].append(-1)
    return g


def none_and_numbers(n):
    known = [[None for _ in range(n)] for _ in range(n)]
    for i in range(n):
        if known[i][0] is None:
            known[i][0] = i
    return known


def depth_first(n):
    adj = [[(i + 1) % n, (i + 2) % n] for i in range(n)]
    seen = [0 for _ in range(n)]

    def visit(u):
        seen[u] = 1
        for v in adj[u]:
            if not seen[v]:
                visit(v)

    visit(0)
    return seen


def of_bools(n):
    g = [[False for _ in range(n)] for _ in range(n)]
    g[0][1] = True
    count = 0
    for row in g:
        if any(row):
            count += 1
        if True in row:
            count += 10
    return g, count


FUNCTIONS = [
    grid, of_floats, adjacency, weighted, breadth_first, triangle, groups,
    one_list_with_many_names, appended_before_it_is_written, renewed_on_some_iterations, one_of_two,
    perhaps_none, transposed, three_deep, of_several_kinds, in_objects, paths, halves,
    changed_as_a_whole, in_order, grows_while_it_is_read, unpacked, from_generators, in_a_handler,
    none_and_numbers, depth_first, of_bools,
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS)
def test_lists_of_lists(agrees, function):
    agrees(function, (2,), (3,), (6,))


def shared_rows(n):
    g = [[0] * n] * n
    g[0][1] = 5
    h = [[]] * n
    h[0].append(3)
    return g, h, [[0] * n for _ in range(n)]


def of_constant_size(n):
    g = [[0] * 100 for _ in range(100)]
    for i in range(n):
        for j in range(n):
            g[i][j + 1] = g[i][j] + i
    return g[n][n], g[n - 1][n], len(g)


@pytest.mark.parametrize("jit_compile", [None, False])
@pytest.mark.parametrize("function", [shared_rows, of_constant_size])
def test_multiplied(function, jit_compile):
    decorated = ag.jit(function, jit_compile=jit_compile)
    for n in (2, 5, 30):
        assert decorated(n) == function(n)


def test_what_is_returned_is_one_list_where_it_was():
    @ag.jit
    def f(n):
        row = list(range(n))
        g = [row for _ in range(n)]
        g.append(row[:])
        return g

    got = f(3)
    assert got == [[0, 1, 2]] * 4
    assert got[0] is got[1] is got[2]
    assert got[3] is not got[0]


def test_arrays_of_rows():
    @ag.jit
    def f(n, m):
        g = [[i * j for j in range(m)] for i in range(n)]
        return np.array(g), np.asarray(g).sum(axis=0)

    for n, m in ((2, 3), (4, 1), (3, 0)):
        whole, total = f(n, m)
        expected = np.array([[i * j for j in range(m)] for i in range(n)], dtype=np.int64)
        np.testing.assert_array_equal(whole, expected)
        np.testing.assert_array_equal(total, expected.sum(axis=0))

    @ag.jit
    def uneven(n):
        return np.array([[0] * i for i in range(n)])

    with pytest.raises(ValueError, match="not all of one length"):
        uneven(3)


def test_nested_calls_and_closures():
    @ag.jit
    def inner(n):
        return [[i] * i for i in range(n)]

    @ag.jit
    def outer(n):
        a = inner(n)
        a[0].append(1)

        def add(x):
            a[1].append(x)

        for i in range(n):
            add(i)
        return a

    assert outer(4) == [[1], [1, 0, 1, 2, 3], [2, 2], [3, 3, 3]]


def test_gradients():
    def f(x):
        rows = [[x[i]] for i in range(len(x))]
        for i in range(len(x)):
            for j in range(i):
                rows[i].append(x[j] * x[i])
        total = 0.0
        for row in rows:
            for v in row:
                total += v * v
        return total

    x = np.arange(1.0, 6)
    v = ag.constant(x)
    with ag.GradientTape() as tape:
        tape.watch(v)
        y = ag.function(f)(v)
    steps = 1e-6 * np.eye(5)
    expected = [(f(x + step) - f(x - step)) / 2e-6 for step in steps]
    np.testing.assert_allclose(tape.gradient(y, v).numpy(), expected, rtol=1e-6)


def outside_of_a_row(n):
    g = [[0] * n for _ in range(n)]
    return g[n - 1][n]


def outside_of_the_rows(n):
    g = [[0] * n for _ in range(n)]
    g[n][0] = 1
    return g


def nothing_to_pop(n):
    g = [[] for _ in range(n)]
    return g[0].pop()


def too_few(n):
    g = [[0] * n for _ in range(n)]
    a, b = g[0]
    return a + b


@pytest.mark.parametrize("jit_compile", [None, False])
@pytest.mark.parametrize(
    "function", [outside_of_a_row, outside_of_the_rows, nothing_to_pop, too_few]
)
def test_errors(function, jit_compile):
    try:
        function(3)
    except (IndexError, ValueError) as error:
        kind = IndexError if isinstance(error, IndexError) else ValueError
    with pytest.raises(kind) as caught:
        ag.jit(function, jit_compile=jit_compile)(3)
    assert "test_lists_of_lists.py:" in str(caught.value)


def of_arrays(n):
    g = [[np.zeros(i)] for i in range(n)]
    g[0].append(np.ones(n))
    return g


@pytest.mark.parametrize(
    ("function", "message"),
    [(of_arrays, "list")],
)
def test_refused(function, message):
    with pytest.raises(ag.errors.StagingError, match=message) as caught:
        ag.jit(function)(3)
    assert "test_lists_of_lists.py:" in str(caught.value)


def compared(n):
    a = list(range(n))
    b = [i + 1 for i in range(n)]
    return a < b, a <= b, a > b, a < [0, 1], [0, 5] > a, a <= a, a < [], [] < a, [] >= a


def extrema_of_rows(n):
    rows = [[n - i, i] for i in range(n)]
    return max(rows), min(rows), sorted(rows), max([(n - i, i) for i in range(n)])


@pytest.mark.parametrize("function", [compared, extrema_of_rows])
def test_order(agrees, function):
    agrees(function, (1,), (3,), (6,))


def through_none(n):
    a = [1, 2]
    x = None
    if n > 3:
        x = a
    if x is not None:
        x.append(8)
    return a


def through_a_tuple(n):
    a, b = [1], [2]
    t = (a, 3)
    if n > 3:
        t = (b, 4)
    t[0].append(7)
    return a, b


def through_a_number(n):
    a = [1, 2]
    x = 5
    if n > 3:
        x = a
    if n > 3:
        x.append(8)
    return a


def bound_on_some_paths(n):
    a = [1, 2]
    for i in range(n):
        if i == 2:
            y = a
    if n > 2:
        y.append(3)
    return a


def of_a_list(n):
    g = [[1], [2]]
    x = [0]
    if n > 3:
        x = g[0]
    x.append(8)
    return g


@pytest.mark.parametrize(
    "function",
    [through_none, through_a_tuple, through_a_number, bound_on_some_paths, of_a_list],
)
def test_another_name_on_some_paths(agrees, function):
    agrees(function, (2,), (5,))


def put_there_and_taken(n):
    rows = [[1]]
    if n > 2:
        row = []
        rows.append(row)
        last = rows[-1]
    else:
        last = rows[0]
    last.append(5)
    return rows


def another_item_on_each_path(n):
    rows, deep = [[1], [2]], [[[1], [2]], [[3]]]
    if n > 2:
        rows[0].append(3)
        deep[0][1].append(8)
    else:
        rows.append([7])
        deep[1] = [[4]]
    return rows, deep


def replaced_or_written_to(n):
    rows = [[1], [2]]
    if n > 2:
        rows[0].append(3)
    else:
        rows[1] = [7]
    rows[1].append(n)
    return rows


class Holder:
    def __init__(self):
        self.values = [1]


def of_an_attribute(n):
    held, by_name = Holder(), {"a": [1]}
    if n > 2:
        held.values.append(3)
        by_name["a"].append(4)
    else:
        held.values = [7]
        by_name["a"] = [8]
    held.values.append(n)
    return held.values, by_name


def one_of_two_put_there(n):
    rows, one, other = [], [1], [2]
    if n > 2:
        rows.append(one)
    else:
        rows.append(other)
    one.append(5)
    other.append(6)
    return rows, one, other


def put_there_or_raised(n):
    rows, row = [], []
    if n > 0:
        rows.append(row)
    else:
        raise ValueError("none")
    row.append(n)
    return rows


def twice_in_one_list(n):
    rows, row = [], [1]
    if n > 2:
        rows.append(row)
        rows.append(row)
    else:
        rows.append([2])
        rows.append([3])
    rows[0].append(4)
    return rows


@pytest.mark.parametrize(
    "function",
    [
        put_there_and_taken,
        another_item_on_each_path,
        replaced_or_written_to,
        of_an_attribute,
        one_of_two_put_there,
        put_there_or_raised,
        twice_in_one_list,
    ],
)
def test_lists_that_branches_fill(agrees, function):
    agrees(function, (2,), (5,))


def put_into_another_place(n):
    rows = [[1], [2]]
    for _ in range(n):
        rows[1] = rows[0]
    rows[0].append(3)
    return rows


def changing_places(n):
    rows, i = [[1], [2]], 0
    while i < n:
        rows[0], rows[1] = rows[1], rows[0]
        i += 1
    rows[0].append(3)
    return rows


@pytest.mark.parametrize("function", [put_into_another_place, changing_places])
def test_lists_that_loops_put_elsewhere(agrees, function):
    agrees(function, (0,), (1,), (2,), (5,))


def changed_in_the_branch_that_returns_it(n):
    rows = [[0], [1]]
    if n > 1:
        rows[0].append(n)
        return rows
    return None


def test_a_list_in_a_list_is_returned_as_the_branch_has_left_it():
    for n in (1, 2):
        wanted = changed_in_the_branch_that_returns_it(n)
        assert ag.jit(changed_in_the_branch_that_returns_it)(n) == wanted


def with_a_known_number_of_rows(n, dtype):
    squares = [i * i - 1 for i in range(n)]
    halves = []
    for i in range(2 * n):
        if i % 2:
            halves.append(i / 2)
    rows = np.array([squares, halves])
    pair = np.asarray((squares, squares), dtype=dtype)
    squares[:] = []
    return rows, pair, np.stack([halves, halves]).T, np.sum([halves, halves]), np.array(halves)


def of_whole_rows(n, dtype):
    return np.array([[i * 100 - 1 for i in range(n)] for _ in range(n + 1)], dtype)


def of_one_row(n, dtype):
    row = [i * 100 - 1 for i in range(n)]
    made = np.array(row, dtype)
    made[:1] = 7
    return made, np.asarray([row, row], dtype), row


def of_numbers_of_numpys(n, dtype):
    return np.array([i + 0 for i in np.arange(n) * 100], dtype)


def of_floats_as_ints(n, dtype):
    return np.array([i * 100.5 for i in range(n)], dtype)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "float32", "bool"])
@pytest.mark.parametrize(
    "program",
    [
        with_a_known_number_of_rows,
        of_whole_rows,
        of_one_row,
        of_numbers_of_numpys,
        of_floats_as_ints,
    ],
)
def test_arrays_of_lists_have_numbers_that_fit(program, dtype):
    compiled = ag.jit(program)
    for n in (1, 2, 3, 12):
        try:
            expected = program(n, dtype)
        except OverflowError:
            with pytest.raises(OverflowError):
                compiled(n, dtype)
            continue
        found = compiled(n, dtype)
        pairs = (expected, found) if isinstance(expected, tuple) else ([expected], [found])
        for one, other in zip(*pairs, strict=True):
            np.testing.assert_array_equal(one, other)
            assert np.asarray(one).dtype == np.asarray(other).dtype


def test_an_array_of_rows_of_different_lengths_is_an_error():
    program = ag.jit(lambda n: np.array([[i + 0 for i in range(n)], [i + 0 for i in range(3)]]))
    np.testing.assert_array_equal(program(3), [[0, 1, 2], [0, 1, 2]])
    with pytest.raises(ValueError, match="differ"):
        program(4)
