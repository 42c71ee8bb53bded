"""What is one array in Python is one array in a decorated function, or the function is refused."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import agir as ag

sys.path.insert(0, str(Path(__file__).parents[1]))

from agreement import agree
from alias_programs import Maker, outcome

X = np.arange(8.0).reshape(4, 2)


@pytest.mark.parametrize("first", range(0, 120, 10))
def test_random_programs(first):
    found = {seed: outcome(Maker(seed).program()) for seed in range(first, first + 10)}
    bad = {s: text for s, text in found.items() if text.startswith(("wrong", "raised"))}
    assert not bad
    assert any(text == "right" for text in found.values())


@pytest.mark.parametrize("seed", [0, 3, 11])
def test_random_programs_compiled(seed):
    assert not outcome(Maker(seed).program(), compiled=True).startswith(("wrong", "raised"))


def written_before_they_become_one(x, n, k):
    u, v = x[0] * 1, x[1] * 1
    for _ in range(n):
        u[0] += 1
        u = v = u + v
    return u, v


def one_from_the_second_turn_on(x, n, k):
    u, v = x[0] * 1, x[1] * 1
    for _ in range(n):
        u[0] += 1
        v[1] += 2
        w = u = v
        v = u + 1
        w[0] += v[0]
    return u * 1, v * 1


def one_argument_is_the_other(x, n, k):
    a, b = x[0], x[1]
    for _ in range(n):
        a[0] += 1
        b[1] += 1
        a = b
    b[0] = 50
    return a * 1


def one_on_a_path_only(x, n, k):
    u = v = x[0] + 1
    if n > 2:
        v = u = x[1] + 2
    elif n > 1:
        v = x[2] + 3
    u[0] += 10
    v[1] += 20
    return u, v


def held_in_a_list_of_a_frame_around(x, n, k):
    u, v = x[0] + 1, x[1] + 2
    pair = [u, v]
    if n > 0:
        if n > 2:
            v = u
    v[0] += 10
    u[1] += 20
    pair[1][1] += 5
    return u * 1, v * 1, pair[0] * 1, pair[1] * 1


class Box:
    """An object that holds an array."""


def held_by_an_object(x, n, k):
    box, u = Box(), x + 1
    box.held = u
    for _ in range(n):
        u = u + 1
    u[0] = 50
    return u * 1, box.held * 1


def held_by_a_function(x, n, k):
    def kept(u):
        return lambda: u

    u = x + 1
    get = kept(u)
    if n > 1:
        u = x + 2
    u[0] = 50
    return u * 1, get() * 1


def named_alike_elsewhere(x, n, k):
    def changed(u, n):
        if n > 1:
            u = u + 1
        u[0] = 50
        return u

    u = x + 1
    v = changed(u, n)
    return u * 1, v * 1


def rotated_with_a_new_one(x, n, k):
    a, b, c = x[0], x[1] * 1, x[2] * 1
    for i in range(n):
        a, b, c = b, c, a + i
        a[0] += 1
        b[1] += c[0]
    return a * 1, b * 1, c * 1


def none_or_an_array(x, n, k):
    seen, u = None, x + 1
    if n > 1:
        seen = u
    if seen is not None:
        seen[0] = 7
    return u * 1


def none_or_a_new_array(x, n, k):
    seen, u = None, x + 1
    if n > 1:
        u = seen = u + 1
    u[0] = 1
    if seen is not None:
        seen[0] += 7
    return u * 1


def bound_on_a_path(x, n, k):
    u = x + 1
    if n > 1:
        row = u[1]
    if n > 1:
        row[0] = 3
    return u


def entries_of_a_dict(x, n, k):
    u, table = x + 1, {}
    for _ in range(n):
        table["a"] = u
    if n > 1:
        table["a"][0] = 3
    return u


def a_stack_of_arrays(x, n, k):
    stack, total = [x[0].copy()], 0.0
    while stack and n > 0:
        top = stack.pop()
        top[0] += 1
        total += top.sum()
        n -= 1
        stack.append(top)
    return total


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4])
@pytest.mark.parametrize(
    "function",
    [written_before_they_become_one, one_from_the_second_turn_on, one_argument_is_the_other,
     one_on_a_path_only, held_in_a_list_of_a_frame_around, held_by_an_object, held_by_a_function,
     named_alike_elsewhere, rotated_with_a_new_one, none_or_an_array, none_or_a_new_array,
     bound_on_a_path, entries_of_a_dict, a_stack_of_arrays],
)  # fmt: skip
def test_names_of_one_array(function, n):
    agree(function, X, n, 0)


def a_row_is_written_to(x, n, k):
    rows = []
    for i in range(n):
        rows.append(x[i])
    rows[k][0] = 99
    return rows[k] * 1


def the_array_of_the_rows_is_written_to(x, n, k):
    rows = []
    for i in range(n):
        rows.append(x[i])
    x[0] = 5
    return rows[k] * 1


def a_row_is_taken_out_and_written_to(x, n, k):
    y, rows = x * 1, []
    for i in range(n):
        rows.append(y[i])
    row = rows.pop()
    row[0] = 8
    return y


def a_name_in_a_list_is_written_to_after_the_loop(x, n, k):
    y, kept = x * 1, []
    for _ in range(n):
        y = y + 1
        kept.append(y)
    y[0] = 0
    return kept[k] * 1


def a_named_array_is_taken_out_and_written_to(x, n, k):
    u, stack = x[0] + 1, []
    for _ in range(n):
        stack.append(u)
    top = stack.pop()
    top[0] = 9
    return u, top * 1


def a_row_is_appended_after_it_is_written_to(x, n, k):
    rows = []
    for i in range(n):
        x[i] += 1
        rows.append(x[i])
    return rows[k] * 1, rows[-1] * 1


def rows_of_several_arrays(x, n, k):
    y, rows = x * 2, []
    for i in range(n):
        rows.append(x[i])
        rows.append(y[i, ::-1])
        rows.append(x[i] + 100)
    x[k] = 5
    y[0, 0] = 7
    return np.array(rows), sum(rows), rows[1] * 1


def parts_of_rows_beside_numbers(x, n, k):
    pairs = []
    for i in range(n):
        pairs.append((i, x[i, 1:]))
    for i, part in pairs:
        part[0] += i
    return pairs[-1][1] * 1, len(pairs)


def a_stack_that_what_is_popped_goes_back_to(x, n, k):
    y = x[0] * 1
    stack, total = [y], 0.0
    while len(stack) > 0:
        top = stack.pop()
        top[0] += 1
        total += top.sum()
        if top[0] < n + 2:
            stack.append(top)
            stack.append(y)
    return total


@pytest.mark.parametrize(
    "function",
    [a_row_is_written_to, the_array_of_the_rows_is_written_to, a_row_is_taken_out_and_written_to,
     a_named_array_is_taken_out_and_written_to, a_row_is_appended_after_it_is_written_to,
     rows_of_several_arrays, parts_of_rows_beside_numbers,
     a_stack_that_what_is_popped_goes_back_to],
)  # fmt: skip
def test_items_that_are_arrays_of_the_function(function):
    agree(function, X, 3, 1)


def test_items_are_copies_where_nothing_is_written_to():
    def f(x, n):
        rows = []
        for i in range(n):
            rows.append(x[i])
        return rows[0] + rows[-1]

    def g(x, n):
        rows = []
        for i in range(n):
            rows.append(x[i])
        x[0] = 1
        return rows[0] + rows[-1]

    column = "tensor<?x2xf64>"
    assert column in ag.jit(f).experimental_get_compiler_ir(X, 3)("hlo")
    assert column not in ag.jit(g).experimental_get_compiler_ir(X, 3)("hlo")


def an_array_of_an_iteration_is_popped_and_written_to(x, n, k):
    rows, total = [x[0] * 1], 0.0
    for i in range(n):
        u = x[i] + 1
        rows.append(u)
        top = rows.pop()
        top[0] = 50
        total += u[0]
        rows.append(top + 1)
    return total


def an_array_in_a_dict_is_popped_and_written_to(x, n, k):
    rows, held, total = [x[0] * 1], {"u": x[0] * 1}, 0.0
    for i in range(n):
        held["u"] = x[i] + 1
        rows.append(held["u"])
        top = rows.pop()
        top[0] = 9
        total += held["u"][0]
        rows.append(top + 1)
    return total


def the_last_one_is_popped_after_the_loop(x, n, k):
    rows, u = [x[0] * 1], x[1] * 1
    for i in range(n):
        u = x[i] + 1
        rows.append(u)
    top = rows.pop()
    top[0] = 9
    return u


@pytest.mark.parametrize(
    "function",
    [a_name_in_a_list_is_written_to_after_the_loop, an_array_of_an_iteration_is_popped_and_written_to,
     an_array_in_a_dict_is_popped_and_written_to, the_last_one_is_popped_after_the_loop],
)  # fmt: skip
def test_writes_that_a_copy_would_miss_are_refused(function):
    with pytest.raises(ag.errors.StagingError, match="copy") as raised:
        ag.jit(function)(X.copy(), 3, 1)
    assert "test_aliases.py" in str(raised.value)


def rows_that_are_read(x, n, k):
    rows = []
    for i in range(n):
        rows.append(x[i])
    return rows[k] + rows[-1]


def copies_of_rows(x, n, k):
    rows = []
    for i in range(n):
        x[i] += 1
        rows.append(x[i].copy())
    x[0] = 5
    return rows[k] + rows[-1]


@pytest.mark.parametrize("function", [rows_that_are_read, copies_of_rows])
def test_rows_that_nothing_is_written_into(function):
    agree(function, X, 3, 1)


def test_numbers_are_not_carried_where_nothing_is_written_to():
    def f(a, b, n):
        u, v = a * 1, b * 1
        for _ in range(n):
            u = v = u + v
        return u, v

    text = ag.jit(f).experimental_get_compiler_ir(X, X, 3)("hlo")
    assert "arith.select" not in text
    assert "scf.if" not in text


ROWS = ag.TensorSpec([None, 2], np.float64)


def read_at_once(a):
    a[...] = np.array(list(reversed(a)))
    for _ in range(2):
        a[0] += 1
        a[...] = np.array(list(reversed(a)))
    return a.sum()


def in_a_branch(a):
    if a.sum() > 3:
        a[...] = np.array(list(reversed(a)))
    return a[0] * 2


@pytest.mark.parametrize("function", [read_at_once, in_a_branch])
@pytest.mark.parametrize("rows", [1, 3])
def test_a_list_that_is_gone_sees_no_writes(function, rows):
    plain, given = (np.arange(rows * 2.0).reshape(rows, 2) for _ in range(2))
    wanted = function(plain)
    np.testing.assert_array_equal(ag.jit(function, input_signature=[ROWS])(given), wanted)
    np.testing.assert_array_equal(given, plain)


def with_a_name(a):
    rows = list(reversed(a))
    a[0] = 5.0
    return rows[0]


def of_another_list(a):
    rows = [*reversed(a)]
    a[0] = 5.0
    return np.array(rows)


def an_item_of_it(a):
    row = list(reversed(a))[1]
    a[0] = 5.0
    return row


def in_an_object(a):
    kept = {"rows": list(reversed(a))}
    a[0] = 5.0
    return kept["rows"][0]


def after_an_iteration(a):
    rows = list(reversed(a))
    for _ in range(int(a[0, 0]) + 2):
        a[0] += 1.0
        rows = list(reversed(a))
    return rows[0]


def rows_of_it(a):
    rows = list(a)
    a[0] = 5.0
    rows[1][0] = 7.0
    return rows[0] * 1, rows[-1] * 1


def the_rest_of_them(a):
    rows = list(a)[1:]
    a[1] = 5.0
    rows.append(a[0])
    a[0] += 1
    return rows[0] * 1, rows[-1] * 1, [*a[:1], a[1]][0] * 1


def all_that_are_popped(a):
    rows, total = [*a], 0.0
    while len(rows) > 0:
        row = rows.pop()
        row[0] = 3.0
        total = total * 2 + row[1]
    return total


def beside_others(a):
    pairs = list(zip(a, reversed(a), strict=True))
    numbered = list(enumerate(a))
    chosen = [row[1:] for row in a if row[0] >= 0]
    a[0] = 5.0
    pairs[0][1][0] = 6.0
    return pairs[0][0] * 1, numbered[-1][1] * 1, chosen[0] * 1


def of_either_array(a):
    if a[0, 0] > -1:
        rows = list(a)
    else:
        rows = list(a[::-1])
    a[0] = 1.0
    return rows[0] * 1, max(rows, key=lambda row: row[1]) * 1


def the_first_that_fits(a):
    row = next(row for row in a if row[0] >= 0)
    a[0] = 5.0
    return row * 1


def in_a_list_of_a_branch(a):
    rows = [a[0]]
    if a[0, 0] > -1:
        rows = [a[1]]
    a[1] = 5.0
    return rows[0] * 1


@pytest.mark.parametrize(
    "function",
    [with_a_name, of_another_list, an_item_of_it, in_an_object, after_an_iteration, rows_of_it,
     the_rest_of_them, all_that_are_popped, beside_others, of_either_array, the_first_that_fits,
     in_a_list_of_a_branch],
)  # fmt: skip
@pytest.mark.parametrize("rows", [2, 3])
@pytest.mark.parametrize("options", [{}, {"jit_compile": False}], ids=["compiled", "interpreted"])
def test_rows_in_a_list_are_views(function, rows, options):
    plain, given, known = (np.arange(rows * 2.0).reshape(rows, 2) for _ in range(3))
    wanted = function(plain)
    found = ag.jit(function, input_signature=[ROWS], **options)(given)
    np.testing.assert_equal(found, wanted)
    np.testing.assert_array_equal(given, plain)
    np.testing.assert_equal(ag.jit(function, **options)(known), wanted)
    np.testing.assert_array_equal(known, plain)


def test_a_list_and_an_array_add_up():
    def f(a):
        rows = [1.0, 2.0]
        rows += a
        return rows

    agree(f, X)
