"""Parts of arrays that branches and loops take: what is written into one of them reaches the array."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import agir as ag

sys.path.insert(0, str(Path(__file__).parents[2] / "numpy"))

from agreement import agree

ROWS = np.arange(16).reshape(4, 4)


def row_of_an_iteration(a, b, n):
    row = a[0]
    for i in range(n):
        row = a[i]
        row[1] = 7 + i
    row[0] = 100


def shorter_in_every_iteration(a, b, n):
    c = a
    for i in range(n):
        c = c[1:]
        c[0] = i
    return c * 1


def transposed_and_flipped(a, b, n):
    for i in range(n):
        c = a[i:].T
        c[0] += 5
    d = a
    if n > 1:
        d = a.T[1:, ::-1]
    d[0, 0] = -1
    return d * 1


def from_behind_in_every_iteration(a, b, n):
    c = a
    for i in range(n):
        c = c[::-1]
        c = c[1:] if i % 2 else c
        c[0] = i * 10
    return c * 1


def transposed_until_a_break(a, b, n):
    c = a
    for i in range(n):
        if i == 2:
            break
        c = c.T[1:]
    c[...] = 5


def every_other_one(a, b, n):
    c = a[n % 4 :]
    while c.shape[0] > 1:
        c = c[::2]
        c[0] += 1
    return c * 1


def step_of_the_run_time(a, b, n):
    c = a[:: n + 1] if n != 2 else b[::-1]
    c[-1] = 9
    return c * 1


def empty_or_not(a, b, n):
    c = a[n:n]
    if n > 1:
        c = a[n:]
    c += 1
    return c * 1


def of_two_arrays(a, b, n):
    c = a[:n] if n > 1 else b[n:]
    d = c[:1] if n > 2 else a[:1]
    d += c.sum()
    c -= d
    return c * 1, d * 1


def rows_that_change_places(a, b, n):
    x, y = a[0], b[0]
    for _ in range(n):
        x, y = y, x
        x[0] += 1
    y[1] = 99
    return x * 1, y * 1


def row_or_column(a, b, n):
    x, y = a[0], a[:, 0]
    for i in range(n):
        x, y = y, x
        x[i] += 1
    y[1] = 99
    return x * 1, y * 1


def in_a_tuple(a, b, n):
    pair = (a[0], b[0])
    if n > 1:
        pair = (b[n], a[n])
    x, y = pair
    x += 1
    y *= 2


def in_a_dict(a, b, n):
    d = {"u": a[0]}
    for i in range(n):
        d["u"] = a[i]
        d["u"][0] += 1
    d["u"][1] = 0


def returned_by_a_function(a, b, n):
    def pick(x):
        if n > 1:
            return x[1:]
        return x[:2]

    pick(a)[0] = 4
    pick(pick(b))[0] = 5


def in_a_handler(a, b, n):
    c = a[1]
    try:
        c = a[n + 2]
        c[0] = 1
    except IndexError:
        c[1] = 2
    c[2] = 3


def part_of_one_of_several(a, b, n):
    c = a if n > 1 else b
    for i in range(3):
        c[i, i] = n
        v = c[i:]
        v[0, 0] += 2
    c = c[1:]
    c[0] = 6
    return c * 1, v * 1


def one_of_several_of_one_of_several(a, b, n):
    c = a if n > 0 else b
    d = c if n > 1 else c[::-1]
    for _ in range(n):
        d = d[:, 1:] if n > 2 else d
        d[0] = 3
    d[1] = 100
    c[2] = 200
    return c * 1, d * 1


def the_greatest(a, b, n):
    best = a[0]
    for i in range(4):
        if a[i].sum() > best.sum():
            best = a[i]
    best[:] = 0


def none_at_first(a, b, n):
    best = None
    for i in range(n):
        if best is None or b[i].sum() > best.sum():
            best = b[i]
    if best is not None:
        best[:] = 0


def bound_in_the_loop_only(a, b, n):
    for i in range(n):
        c = a[i:] if i % 2 else b[i:]
        c[0] += 5
    if n:
        c[0] = 1


def with_new_axes(a, b, n):
    c = a[None, 0]
    if n > 1:
        c = a[None, n]
    c[0, 0] = 44
    return c * 1


def without_dimensions(a, b, n):
    c = a[0, ..., 1]
    if n > 1:
        c = a[1, ..., n]
    c += 3


def by_masks_and_methods(a, b, n):
    c = a[n] if n < 4 else b[0]
    if b[0, 0] > 0:
        c = b[n % 4]
    c[b[0] > 2] = 1
    c[[0, 1]] += 4
    np.add(c, 1, out=c)
    c.sort()


def moved_axes(a, b, n):
    c = np.flip(a, 0)
    for _ in range(n):
        c = np.swapaxes(c, 0, 1)
        c = np.rot90(c)
        c[0, 1] += 1
    return c * 1


def read_after_the_array_is_written(a, b, n):
    c = a.T if n > 1 else a.copy()
    a[0] = 1
    return c * 1


def parts_of_a_new_array(a, b, n):
    m = np.zeros((4, 4))
    row = m[0]
    for i in range(n):
        row[i] = i
        row = m[i]
    return m, row


def items_of_lists(a, b, n):
    x = [a, b]
    c = x[n % 2]
    c[1:] += 4
    x[n % 2 - 1][0] = 7
    y = ([a, b], [b, a])
    y[n % 2][0][1] = 5


def item_of_a_tuple_in_turns(a, b, n):
    x = (a, b, a[::-1])
    k = n
    while k > 0:
        x[k % 3][k % 4] = k
        k -= 1


def new_arrays_in_a_list(a, b, n):
    x = [np.zeros(4) for _ in range(4)]
    for i in range(n):
        x[(i * 7) % 4][i] += 1
    return x[0], x[1], x[2], x[3]


def two_names_of_a_new_array(a, b, n):
    c = d = np.zeros(3)
    if n > 1:
        c = d = np.ones(3)
    c[0] = 5
    if n > 2:
        e = f = np.full(3, 2.0)
    else:
        e = f = np.ones(3)
    e[1] = 7
    return c, d, e, f


def two_names_of_a_new_array_in_turns(a, b, n):
    for i in range(n + 1):
        c = np.ones(3) * i
        d = c
    c[0] = 5
    return c, d


PROGRAMS = [
    row_of_an_iteration, shorter_in_every_iteration, transposed_and_flipped,
    from_behind_in_every_iteration,
    transposed_until_a_break, every_other_one, step_of_the_run_time, empty_or_not, of_two_arrays,
    rows_that_change_places, row_or_column, in_a_tuple, in_a_dict, returned_by_a_function, in_a_handler,
    part_of_one_of_several, one_of_several_of_one_of_several, the_greatest, none_at_first,
    bound_in_the_loop_only, with_new_axes, without_dimensions, by_masks_and_methods, moved_axes,
    read_after_the_array_is_written, parts_of_a_new_array, items_of_lists, item_of_a_tuple_in_turns,
    new_arrays_in_a_list, two_names_of_a_new_array, two_names_of_a_new_array_in_turns,
]  # fmt: skip


@pytest.mark.parametrize("function", PROGRAMS)
def test_what_is_written_into_a_part_reaches_the_array(function):
    for n in range(4):
        agree(function, ROWS * 1.0, ROWS * 2.0 + 1, n)


@pytest.mark.parametrize("dtype", ["int8", "float32", "complex128"])
@pytest.mark.parametrize(
    "function", [shorter_in_every_iteration, of_two_arrays, rows_that_change_places]
)
def test_any_dtype(function, dtype):
    for n in range(4):
        agree(function, ROWS.astype(dtype), (ROWS + 3).astype(dtype), n)


@pytest.mark.parametrize("function", PROGRAMS)
def test_any_sizes_and_memory(function):
    matrix, number = ag.TensorSpec([None, None], ag.float64), ag.TensorSpec([], ag.int64)
    decorated = ag.jit(function, input_signature=[matrix, matrix, number])
    for n in range(4):
        outcomes = []
        for f in (function, decorated):
            a = np.asfortranarray(ROWS * 1.0)
            b = np.zeros((4, 8))[:, ::2]
            b[...] = ROWS + 3
            try:
                found = f(a, b, np.int64(n))
            except Exception as error:
                found = error.__class__.__mro__[-3]
            outcomes.append((a, b, *(found if isinstance(found, tuple) else (found,))))
        for left, right in zip(*outcomes, strict=True):
            np.testing.assert_array_equal(left, right)


def test_an_element_of_one_of_several_costs_no_pass_over_it():
    def f(a, b, n):
        w = a if n > 2 else b
        for i in range(1, len(a)):
            w[i] = w[i - 1] + i

    text = ag.jit(f).experimental_get_compiler_ir(np.zeros(9), np.zeros(9), 3)("bufferized")
    assert "memref.copy" not in text
    assert "memref.alloc" not in text


def test_a_name_that_may_be_unbound_is_assigned_into():
    def f(n):
        for _ in range(n):
            c = np.zeros(3)
        c[1] = 5
        return c

    np.testing.assert_array_equal(ag.jit(f)(2), [0, 5, 0])
    with pytest.raises(UnboundLocalError):
        ag.jit(f)(0)


def item_of_a_list_that_grows(a, n):
    x = [a, a + 1]
    for i in range(n):
        x.append(a * i)
    x[0][0] = 5
    return a


def array_that_is_an_item(a, n):
    x = []
    for i in range(n):
        x.append(a)
        a += i
    return x[0]


def part_of_a_new_array(a, n):
    if n > 1:
        u = np.zeros(4)
        v = u[1:]
    else:
        u = np.ones(4)
        v = u[:3]
    v[0] = 8
    return u, v


@pytest.mark.parametrize(
    "function",
    [item_of_a_list_that_grows, part_of_a_new_array],
)  # fmt: skip
def test_a_write_that_copies_would_not_see_is_refused(function):
    with pytest.raises(ag.errors.StagingError, match="cop"):
        ag.jit(function)(np.arange(4.0), 3)


def test_an_argument_that_is_an_item_stays_itself():
    plain, given = np.arange(4.0), np.arange(4.0)
    array_that_is_an_item(plain, 3)
    assert ag.jit(array_that_is_an_item)(given, 3) is given
    np.testing.assert_array_equal(given, plain)


def twice_reversed(a, n):
    for _ in range(n):
        a = a[::-1][::-1]
    a[0] = 7
    return a


def perhaps_a_copy(a, n):
    v = a.T if n > 2 else a.copy()
    v[0] = 7
    return v


def raveled(a, n):
    for _ in range(n):
        a = np.ravel(a)
        a += 1
    return a


@pytest.mark.parametrize("function", [twice_reversed, perhaps_a_copy, raveled])
@pytest.mark.parametrize("n", [1, 4])
def test_a_view_of_the_whole_is_not_the_array_itself(function, n):
    given, plain = np.arange(3.0), np.arange(3.0)
    result = ag.jit(function)(given, n)
    np.testing.assert_array_equal(result, function(plain, n))
    np.testing.assert_array_equal(given, plain)
    assert result is not given
