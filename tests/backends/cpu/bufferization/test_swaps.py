"""Arrays that change places in branches and loops, and are written back into arguments."""

import numpy as np
import pytest

import agir as ag


def in_a_branch(a, c, n):
    if n > 0:
        a[:], c[:] = c.copy(), a.copy()
    return a, c


def in_a_loop(a, c, n):
    for i in range(n):
        a[:], c[:] = c.copy(), a.copy()
    return a, c


def in_a_while_loop(a, c, n):
    i = 0
    while i < n:
        a[:], c[:] = c.copy(), a.copy()
        i += 1
    return a, c


def in_some_iterations(a, c, n):
    for i in range(n):
        if i % 3 != 1:
            a[:], c[:] = c.copy(), a.copy()
    return a, c


def of_three(a, c, n):
    d = np.zeros(6, int)
    for i in range(n):
        t = a.copy()
        a[:] = c
        c[:] = d
        d[:] = t
    return a, c, d


def with_a_sum(a, c, n):
    for i in range(n):
        a[:], c[:] = c + 1, a.copy()
    return a, c


def of_names(a, c, n):
    x, y = a.copy(), c.copy()
    for i in range(n):
        x, y = y, x
    a[:] = x
    c[:] = y
    return a, c


def in_nested_loops(a, c, n):
    for i in range(n):
        for j in range(2 + i):
            a[:], c[:] = c.copy(), a.copy()
        a[0] += 1
    return a, c


def of_parts(a, c, n):
    for i in range(n):
        a[:3], c[:3] = c[:3].copy(), a[:3].copy()
    return a, c


def until_a_break(a, c, n):
    k = 0
    while True:
        a[:], c[:] = c.copy(), a.copy()
        k += 1
        if k > n:
            break
    return a, c


def of_sums(a, c, n):
    x, y = a + 0, c + 0
    for i in range(n):
        if i % 3 != 1:
            x, y = y, x
    return x, y


def then_written(a, c, n):
    x, y = a + 0, c + 0
    if n > 0:
        x, y = y, x
    x[0] = 100
    return x, y


def of_copies(a, c, n):
    x, y = a.copy(), c.copy()
    for i in range(n):
        x, y = y, x
    x[0] = 100
    return x, y, a, c


def of_arguments(a, c, n):
    for i in range(n):
        a, c = c, a
    b = c.copy()
    a[0] = 100
    return b, c + 1, a + 1


def both_written(a, c, n):
    x, y = a + 0, c + 0
    z = x.copy()
    for i in range(n):
        x, y = y, x
    x[0] = 100
    y[1] = 50
    return x, y, z


SWAPS = (
    in_a_branch,
    in_a_loop,
    in_a_while_loop,
    in_some_iterations,
    of_three,
    with_a_sum,
    of_names,
    in_nested_loops,
    of_parts,
    until_a_break,
    of_sums,
    then_written,
    of_copies,
    of_arguments,
    both_written,
)


@pytest.mark.parametrize("function", SWAPS, ids=lambda each: each.__name__)
@pytest.mark.parametrize("n", range(6))
def test_what_arguments_hold_in_the_end(function, n):
    own, given = ([np.arange(6), np.arange(6) * 10] for _ in range(2))
    wanted = function(*own, n)
    got = ag.jit(function)(*given, n)
    for one, other in zip([*got, *given], [*wanted, *own], strict=True):
        np.testing.assert_array_equal(one, other)


def test_nothing_is_copied_where_each_array_stays_where_it_is():
    def sweeps(a, c, n):
        for _ in range(n):
            a[1:-1] = c[:-2] + c[2:]
            c[1:-1] = a[:-2] + a[2:]

    text = ag.jit(sweeps).experimental_get_compiler_ir(np.ones(100), np.ones(100), 3)("loops")
    assert "memref.copy" not in text
    assert "memref.alloc()" not in text
