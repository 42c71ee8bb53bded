"""Lists whose length depends on run-time values."""

# ruff: noqa: RUF005

import os
from dataclasses import dataclass

import numpy as np
import pytest

import agir as ag


def append(n):
    out = []
    for i in range(n):
        out.append(i * i)
    return out


def append_float(n):
    out = []
    for i in range(n):
        out.append(i * 0.5)
    return out


def widen(n):
    out = [1, 2]
    for i in range(n):
        out.append(i * 0.5)
    return out


def append_pop(n):
    out = []
    for i in range(n):
        out.append(i)
        if i % 3 == 2:
            out.pop()
    return out, len(out)


def stack(n):
    todo = [n]
    total = 0
    while todo:
        k = todo.pop()
        total += k
        if k > 1:
            todo.append(k - 1)
            if k % 2 == 0:
                todo.append(k // 2)
    return total


def pop_i(n):
    out = []
    for i in range(n):
        out.append(i)
    a = out.pop(0)
    b = out.pop(1)
    c = out.pop(-2)
    return a, b, c, out


def insert(n):
    out = []
    for i in range(n):
        out.insert(0, i)
    out.insert(2, 77)
    out.insert(-1, 55)
    out.insert(100, 99)
    out.insert(-100, -9)
    return out


def insert_loop_end(n):
    out = []
    for i in range(n):
        out.insert(i // 2, i)
    return out


def extend(n):
    out = []
    for i in range(n):
        out.extend([i, i + 1])
    return out


def iadd(n):
    out = []
    for i in range(n):
        out += [i]
    out += (1, 2)
    return out


def extend_dyn(n):
    a = []
    b = []
    for i in range(n):
        a.append(i)
        b.append(-i)
    a.extend(b)
    a += a
    return a, b


def add_dyn(n):
    a = []
    b = []
    for i in range(n):
        a.append(i)
        b.append(-i)
    c = a + b
    d = [1] + a
    e = a + [2.5]
    return c, d, e, a


def delete(n):
    a = []
    for i in range(n):
        a.append(i)
    del a[0]
    del a[-1]
    return a


def clear(n):
    a = []
    for i in range(n):
        a.append(i)
        if i == 3:
            a.clear()
    return a


def copy_(n):
    a = []
    for i in range(n):
        a.append(i)
    b = a.copy()
    b.append(5)
    c = a[:]
    c.append(6)
    d = list(a)
    d.append(7)
    return a, b, c, d


def reverse(n):
    a = []
    for i in range(n):
        a.append(i)
    a.reverse()
    return a


def count(n):
    a = []
    for i in range(n):
        a.append(i % 3)
    return a.count(1), a.count(17)


def index(n):
    a = []
    for i in range(n):
        a.append(i * 2)
    return a.index(4)


def index_missing(n):
    a = []
    for i in range(n):
        a.append(i * 2)
    return a.index(3)


def remove(n):
    a = []
    for i in range(n):
        a.append(i * 2 % 6)
    a.remove(4)
    return a


def remove_missing(n):
    a = []
    for i in range(n):
        a.append(i * 2 % 6)
    a.remove(40)
    return a


def contains(n):
    a = []
    for i in range(n):
        a.append(i * 2)
    return 4 in a, 5 in a, 5 not in a, n in a


def eq(n):
    a = []
    b = []
    for i in range(n):
        a.append(i)
        b.append(i)
    x = a == b
    b.append(1)
    return x, a == b, a != b, a == [0, 1, 2]


def slices(n):
    a = []
    for i in range(n):
        a.append(i)
    return a[1:], a[:2], a[1:-1], a[-2:], a[:-100], a[100:], a[n - 2 : n], a[-100:2]


def slices_step(n):
    a = []
    for i in range(n):
        a.append(i)
    return a[::2], a[::-1], a[1::2], a[3:0:-1]


def slice_assign(n):
    a = []
    for i in range(n):
        a.append(i)
    a[1:3] = [7]
    return a


def slice_del(n):
    a = []
    for i in range(n):
        a.append(i)
    del a[1:3]
    return a


def neg_index(n):
    a = []
    for i in range(n):
        a.append(i)
    a[-1] = 10
    a[0] += 5
    return a[-1], a[-2], a[n - 1], a


def oob(n):
    a = []
    for i in range(n):
        a.append(i)
    return a[100]


def oob_neg(n):
    a = []
    for i in range(n):
        a.append(i)
    return a[-100]


def oob_set(n):
    a = []
    for i in range(n):
        a.append(i)
    a[100] = 1
    return a


def pop_empty(n):
    a = []
    for i in range(n):
        a.append(i)
    while a:
        a.pop()
    return a.pop()


def pop_oob(n):
    a = []
    for i in range(n):
        a.append(i)
    return a.pop(100)


def del_oob(n):
    a = []
    for i in range(n):
        a.append(i)
    del a[50]
    return a


def iterate(n):
    a = []
    for i in range(n):
        a.append(i)
    t = 0
    for v in a:
        t = t * 3 + v
    return t


def enum(n):
    a = []
    for i in range(n):
        a.append(i * 2)
    t = 0
    for k, v in enumerate(a):
        t += k * v
    for k, v in enumerate(a, 1):
        t += k * v
    return t


def zip_(n):
    a = []
    b = []
    for i in range(n):
        a.append(i * 2)
        b.append(i + 1)
    t = 0
    for k, v in zip(a, b, strict=False):
        t += k * v
    for k, v in zip(a, b[1:], strict=False):
        t += k * v
    for k, v in zip(a, [1, 2], strict=False):
        t += k * v
    return t


def reversed_(n):
    a = []
    for i in range(n):
        a.append(i * 2)
    t = 0
    for v in reversed(a):
        t = t * 2 + v
    return t


def reductions(n):
    a = []
    for i in range(n):
        a.append((i * 7) % 5)
    return sum(a), min(a), max(a), sum(a, 10)


def anyall(n):
    a = []
    for i in range(n):
        a.append(i > 1)
    return any(a), all(a)


def anyall_int(n):
    a = []
    for i in range(n):
        a.append(i)
    return any(a), all(a)


def bool_(n):
    a = []
    for i in range(n - 3):
        a.append(i)
    if a:
        r = 1
    else:
        r = 2
    if not a:
        r += 10
    return r, bool(a)


def min_empty(n):
    a = []
    for i in range(n - n):
        a.append(i)
    return max(a)


def tuples(n):
    a = []
    for i in range(n):
        a.append((i, i * 0.5))
    t = 0.0
    for i, f in a:
        t += i * f
    x, y = a[1]
    p = a.pop()
    return t, x, y, p, a


def tuple_stack(n):
    todo = [(0, n)]
    total = 0
    while todo:
        lo, hi = todo.pop()
        if hi - lo > 1:
            m = (lo + hi) // 2
            todo.append((lo, m))
            todo.append((m, hi))
        else:
            total += lo
    return total


def rows(x, n):
    a = []
    for i in range(n):
        a.append(x * i)
    return a


def rows_stack(x, n):
    a = []
    for i in range(n):
        a.append(x * i)
    return np.stack(a), np.array(a), np.sum(a)


def ag_stack(x, n):
    a = []
    for i in range(n):
        a.append(x * i)
    return ag.stack(a)


def ag_concat(x, n):
    a = []
    for i in range(n):
        a.append(x * i)
    return ag.concat(a, 0)


def rows_dyn(x, n):
    a = []
    y = x[:n]
    for i in range(n):
        a.append(y * i)
    return a, a[0], a[-1]


def lists_of_lists(n):
    a = []
    for i in range(n):
        a.append([i, i + 1])
    return a


def fixed_of_dyn(n):
    a = [[], [], []]
    for i in range(n):
        a[0].append(i)
        a[1].append(i * 2)
        if i > 1:
            a[2].append(i * 0.5)
    return a


def fixed_of_dyn_idx(n):
    a = [[], [], []]
    for i in range(n):
        a[i % 3].append(i)
    return a


def in_dict(n):
    d = {"a": [], "b": 0}
    for i in range(n):
        d["a"].append(i)
        d["b"] += i
    return d


class Box:
    def __init__(self):
        self.items = []
        self.n = 0

    def push(self, v):
        self.items.append(v)
        self.n += 1

    def pop(self):
        self.n -= 1
        return self.items.pop()

    def __len__(self):
        return len(self.items)


def in_attr(n):
    b = Box()
    for i in range(n):
        b.push(i)
    v = b.pop()
    return b.items, b.n, v, len(b)


@dataclass
class Rec:
    xs: list
    n: int = 0


def in_dataclass(n):
    r = Rec([])
    for i in range(n):
        r.xs.append(i)
        r.n += 2
    return r.xs, r.n


def nested_fn(n):
    a = []

    def add(v):
        a.append(v)

    for i in range(n):
        add(i)
    return a


def zeros(n):
    a = [0] * 3
    for i in range(n):
        a.append(i)
    a[0] = 7
    return a


def setdyn(n):
    a = [0] * 5
    for i in range(n):
        a[i] = i * i
    return a


def setdyn_f(n):
    a = [0] * 5
    for i in range(n):
        a[i] = i * 0.5
    return a


def list_range(n):
    a = list(range(n))
    return a


def alias(n):
    a = []
    b = a
    for i in range(n):
        a.append(i)
    b.append(100)
    return a, b, len(b), a is b


def alias2(n):
    a = []
    d = {"x": a}
    t = (a, 1)
    for i in range(n):
        d["x"].append(i)
    return a, t


def rebound(n):
    a = [1]
    if n > 3:
        a = [5, 6]
    else:
        a.append(n)
    return a


def rebound_loop(n):
    a = [1]
    for i in range(n):
        if i % 3 == 0:
            a = [i]
        else:
            a.append(i)
    return a


def rebound_loop2(n):
    a = [1]
    for i in range(n):
        a = a + [i]
    return a


def starred(n):
    a = []
    for i in range(n):
        a.append(i)
    for i in range(2):
        a = [*a, i, -1]
    return [7, *a], [*a], [1, 2, *a, 3, *(4, 5)]


def nested(n):
    a = []
    for i in range(n):
        for j in range(i):
            if j == 3:
                break
            if j == 1:
                continue
            a.append(i * 10 + j)
    return a


def ret(n):
    a = []
    for i in range(n):
        a.append(i)
        if len(a) > 3:
            return a
    return [-1]


def ret2(n):
    a = []
    for i in range(n):
        a.append(i)
        if len(a) > 3:
            return sum(a)
    return -1


def brk(n):
    a = []
    for i in range(n):
        if i == 4:
            break
        a.append(i)
    else:
        a.append(-1)
    return a


def branch_append(n):
    a = []
    if n > 3:
        a.append(n)
    if n > 4:
        a.append(2)
    else:
        a.append(3)
        a.append(4)
    return a


def branch_pop(n):
    a = [1, 2, 3]
    if n > 3:
        v = a.pop()
    else:
        v = a.pop(0)
    return a, v


def empty_ret(n):
    a = []
    for i in range(n - n):
        a.append(i)
    return a, len(a)


def grown_to(n):
    a = []
    while len(a) < n:
        a.append(len(a))
    return a


def sieve(n):
    primes = []
    k = 2
    while len(primes) < n:
        ok = True
        for p in primes:
            if p * p > k:
                break
            if k % p == 0:
                ok = False
                break
        if ok:
            primes.append(k)
        k += 1
    return primes


def get_run(n):
    a = [3, 1, 2]
    t = 0
    for i in range(n):
        t = t * 2 + a[i % 3]
    return t


def get_run_oob(n):
    a = [3, 1, 2]
    return a[n]


def arr_items(x, n):
    a = [x[0], x[1]]
    for i in range(n):
        a.append(a[-1] + a[-2])
    return a


def cmp_lt(n):
    a = []
    for i in range(n):
        a.append(i)
    return a < [0, 1, 5]


def swap(n):
    a = []
    for i in range(n):
        a.append(i)
    i = 0
    j = n - 1
    while i < j:
        a[i], a[j] = a[j], a[i]
        i += 1
        j -= 1
    return a


def bubble(n):
    a = []
    for i in range(n):
        a.append((i * 7) % 5)
    for i in range(len(a)):
        for j in range(len(a) - 1 - i):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
    return a


def strings(n):
    a = []
    for i in range(n):
        a.append("x")
    return a


def bools(n):
    a = []
    for i in range(n):
        a.append(i > 2)
    return a


def mixed(n):
    a = [1, 2.5]
    for i in range(n):
        a.append(i)
    return a[0], a[1], len(a)


def loop_local(n):
    t = 0
    for i in range(n):
        a = []
        for j in range(i):
            a.append(j)
        t += sum(a) + len(a)
    return t


def loop_local_read(n):
    a = [0]
    for i in range(n):
        a = []
        for j in range(i):
            a.append(j)
    return a


NUMBERS = [
    append,
    append_float,
    widen,
    append_pop,
    stack,
    pop_i,
    insert,
    insert_loop_end,
    extend,
    iadd,
    extend_dyn,
    add_dyn,
    delete,
    clear,
    copy_,
    reverse,
    count,
    index,
    index_missing,
    remove,
    remove_missing,
    contains,
    eq,
    slices,
    slices_step,
    slice_assign,
    slice_del,
    neg_index,
    oob,
    oob_neg,
    oob_set,
    pop_empty,
    pop_oob,
    del_oob,
    iterate,
    enum,
    zip_,
    reversed_,
    reductions,
    anyall,
    anyall_int,
    bool_,
    min_empty,
    tuples,
    tuple_stack,
    lists_of_lists,
    fixed_of_dyn,
    fixed_of_dyn_idx,
    in_dict,
    in_attr,
    in_dataclass,
    nested_fn,
    zeros,
    setdyn,
    setdyn_f,
    list_range,
    alias,
    alias2,
    rebound,
    rebound_loop,
    rebound_loop2,
    starred,
    nested,
    ret,
    ret2,
    brk,
    branch_append,
    branch_pop,
    empty_ret,
    grown_to,
    sieve,
    get_run,
    get_run_oob,
    cmp_lt,
    swap,
    bubble,
    strings,
    bools,
    mixed,
    loop_local,
    loop_local_read,
]
ARRAYS = [rows, rows_stack, ag_stack, ag_concat, rows_dyn, arr_items]


@pytest.mark.parametrize("function", NUMBERS)
def test_of_a_number(agrees, function):
    agrees(function, (5,), (4,), (3,))


@pytest.mark.parametrize("function", ARRAYS)
def test_of_an_array_and_a_number(agrees, function):
    agrees(function, (np.arange(3.0), 3), (np.arange(3.0), 2))


def test_python_numbers_repeat_lists():
    def times(n):
        a = [0] * n
        for i in range(n):
            a[i] = i * 2
        return a, n * [1, 2], [1.5] * (n - 9)

    for options in ({}, {"jit_compile": False}):
        assert ag.jit(times, **options)(3) == times(3)


def appended_rows(n):
    rows = []
    for i in range(n):
        row = []
        for j in range(i):
            row.append(j)
        rows.append(row)
    return rows


def appended_while_iterated_over(n):
    a = [1]
    for v in a:
        if len(a) < n:
            a.append(v + 1)
    return a


def written_after_it_was_appended(n):
    rows = []
    row = [0]
    for i in range(n):
        rows.append(row)
        row[0] = i
    return rows


def written_in_the_list(n):
    rows = []
    for i in range(n):
        rows.append([i])
    for row in rows:
        row[0] += 1
    return rows


def written_under_another_name(n):
    a = [1]
    b = a
    if n > 3:
        a = [5, 6]
    else:
        a.append(n)
    b.append(4)
    return a, b


@pytest.mark.parametrize(
    "function",
    [appended_rows, written_after_it_was_appended, written_in_the_list, written_under_another_name],
)
def test_lists_that_are_items(agrees, function):
    agrees(function, (0,), (1,), (4,))


def test_a_list_that_grows_while_it_is_iterated_over():
    for n in (0, 3, 5):
        assert ag.jit(appended_while_iterated_over)(n) == appended_while_iterated_over(n)


def test_many_calls_keep_no_memory():
    @ag.jit
    def f(n):
        a = []
        for i in range(n):
            a.append(i)
        b = a[1:]
        b.extend(a)
        return len(b)

    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    if not os.path.exists("/proc/self/statm"):
        pytest.skip("resident memory is read from /proc")
    for _ in range(50):
        f(20_000)
    before = resident()
    for _ in range(500):
        f(20_000)
    assert resident() - before < 8_000_000  # one call holds 0.6 MB


@pytest.mark.parametrize("function", [append, setdyn, append_pop])
def test_loops_do_not_copy_columns(function):
    text = str(ag.jit(function).experimental_get_compiler_ir(5)(stage="bufferized"))
    loop = text[text.index("scf.for") :]
    depth, growing = 0, None
    for line in loop.splitlines():  # copies are made only where the column grows
        if "scf.if" in line and growing is None:
            growing = depth
        depth += line.count("{") - line.count("}")
        if growing is not None and depth <= growing:
            growing = None
        if "memref.copy" in line:
            assert growing is not None, line
        if depth == 0:
            break


def another_list_on_a_path(n):
    rows, more = [1.0], [2.0]
    if n > 1:
        rows = more
    more.append(3.0)
    return len(rows)


def one_new_list_on_a_path(n):
    rows, more = [1.0], [2.0]
    if n > 1:
        rows = more = []
    rows.append(3.0)
    return len(more)


def another_list_after_an_iteration(n):
    rows, more = [1.0], [2.0]
    for _ in range(n):
        rows = more
    more.append(3.0)
    return len(rows)


def written_to_before_it_is_bound(n):
    rows, more, total = [1.0], [2.0], 0
    for i in range(n):
        more.append(i * 2.0)
        total += len(rows)
        rows = more
    return total


def seen_by_a_function(n):
    path, total = [0.0], 0
    for i in range(n):
        new = [*path, i * 1.0]

        def size():
            return len(new)  # noqa: B023

        if n > 1:
            path = new
        path.append(3.0)
        total += size()
    return total


@pytest.mark.parametrize(
    "function",
    [another_list_on_a_path, one_new_list_on_a_path, another_list_after_an_iteration,
     written_to_before_it_is_bound, seen_by_a_function],
)  # fmt: skip
def test_a_list_that_goes_by_another_name_is_one_list(agrees, function):
    agrees(function, (0,), (1,), (3,))


def the_longest(n):
    best, total = [0.0], 0.0
    for i in range(n):
        found = [1.0 * i]
        for j in range(i):
            found.append(2.0 * j)
        if len(found) > len(best):
            best = found
        total += best[-1]
    best.append(1.0)
    return total, len(best)


def breadth_first(n):
    front, total = [1], 0
    while len(front) > 0:
        following = []
        for v in front:
            total += v
            if v < n:
                following.append(v * 2)
                following.append(v * 3)
        front = following
    return total


def exchanged(n):
    one, other = [1.0], [2.0]
    for i in range(n):
        one, other = other, one
        one.append(3.0 + i)
    return len(one), len(other), one[0]


def a_name_that_is_over(n):
    path = [0.0]
    for i in range(n):
        new = [*path, i * 1.0]
        if n > 1:
            path = new
        path.append(3.0)
    return len(path)


@pytest.mark.parametrize("function", [the_longest, breadth_first, exchanged, a_name_that_is_over])
def test_lists_that_change_their_names(function):
    for n in range(5):
        assert ag.jit(function)(n) == function(n)


def least_and_greatest(x):
    grown = []
    for v in x:
        if v != 3:
            grown.append(v)
    return (
        min(x), max(x), min(grown), max(grown), min(x[0], x[1]), max(x[1], x[0], 0.0), min(2, x[0]),
        max(abs(v) for v in x), max(0.0, x[1]), min(list(x)), max((x[0], x[1])),
    )  # fmt: skip


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_min_and_max_pass_over_nan_as_python_does(dtype):
    compiled = ag.jit(least_and_greatest)
    for values in ((1, 2, 4), (np.nan, 1, 2), (1, np.nan, 2), (2, 1, np.nan), (np.nan,) * 3):
        x = np.array(values, dtype)
        np.testing.assert_array_equal(compiled(x), least_and_greatest(x))


@pytest.mark.parametrize("n", [2, 3, 6])
def test_the_truth_of_what_is_iterated_over(n):
    def f(n):
        numbers = range(n - 3)
        if numbers:
            n += 10
        iterations = 0
        while range(iterations, n):
            iterations += 5
        truths = (bool(numbers), not numbers, bool(enumerate(numbers)), bool(map(abs, numbers)))
        return n, iterations, len(numbers) and 5, truths

    assert repr(ag.jit(f)(n)) == repr(f(n))
