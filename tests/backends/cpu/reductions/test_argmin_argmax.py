"""Loops that keep the greatest or the least element, and what belongs to it, do as Python does."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag


def greatest(x):
    m = x[0]
    for i in range(1, len(x)):
        if x[i] > m:
            m = x[i]
    return m


def least_so_far(x):
    m = x[0] + 1
    for v in x:
        if m > v:
            m = v
    return m


def where_greatest(x):
    m = x[0]
    j = -1
    for i in range(len(x)):
        if x[i] > m:
            m = x[i]
            j = i
    return m, j


def nearest(x):
    best = np.inf
    j = -5
    at = 0.0
    for i in range(len(x)):
        d = abs(x[i] * 2 - 1)
        if d < best:
            best = d
            j = 3 * i + 1
            at = x[i]
    return best, j, at


def from_a_nan(x):
    m = np.nan
    j = -1
    for i in range(len(x)):
        if x[i] > m:
            m = x[i]
            j = i
    return m, j


def up_to_the_last(x):
    m = x[0]
    j = 0
    for i in range(len(x)):
        if x[i] >= m:
            m = x[i]
            j = i
    return m, j


def with_a_sum(x):
    m = x[0]
    s = 0.0
    for i in range(len(x)):
        if x[i] > m:
            m = x[i]
        s += x[i]
    return m, s


def by_while(x):
    m = x[0]
    j = 0
    i = 0
    while i < len(x):
        if x[i] < m:
            m = x[i]
            j = i
        i += 1
    return m, j


def of_some_iterations(x, n, k):
    m = -1
    j = -1
    for i in range(k, n, 3):
        if x[i] > m:
            m = x[i]
            j = i
    return m, j


def among_even_ones(x):
    m = x[0]
    j = -1
    for i in range(len(x)):
        if i % 2 == 0 and x[i] > m:
            m = x[i]
            j = i
    return m, j


def among_those_left(x):
    """The least one, the one before it that is left, and so on."""
    done = np.zeros(len(x), dtype=bool)
    order = np.zeros(5)
    for iteration in range(5):
        best = np.inf
        at = -1
        for i in range(len(x)):
            if x[i] < best and not done[i] and x[i] != 1:
                best = x[i]
                at = i
        if at >= 0:
            done[at] = True
        order[iteration] = at
    return order


def if_wanted(x):
    m, j = x[0], -1
    wanted = x[-1] > 0
    for i in range(len(x)):
        if wanted and x[i] < m:
            m, j = x[i], i
    return m, j


ALL = [
    among_even_ones,
    among_those_left,
    if_wanted,
    greatest,
    least_so_far,
    where_greatest,
    nearest,
    from_a_nan,
    up_to_the_last,
    with_a_sum,
    by_while,
]
COMPILED = {f: ag.jit(reduce_retracing=True)(f) for f in ALL}


_LONG = 64
"""Iterations of loops in which the extremum is looked for before where it is."""


def same(f, compiled, *arguments):
    plain, found = np.array(f(*arguments)), np.array(compiled(*arguments))
    if f is with_a_sum and plain.dtype.kind == "f":
        np.testing.assert_array_equal(found[0], plain[0])
        np.testing.assert_allclose(found, plain, rtol=2e-5 if found.dtype == np.float32 else 1e-12)
        return
    np.testing.assert_array_equal(found, plain)
    if len(arguments[0]) > _LONG:  # in shorter loops any of two zeros may be kept
        np.testing.assert_array_equal(np.signbit(found), np.signbit(plain))


def arrays(n, dtype):
    random = np.random.default_rng(n)
    yield random.normal(size=n).astype(dtype)
    yield np.sort(random.normal(size=n)).astype(dtype)
    yield np.sort(random.normal(size=n))[::-1].astype(dtype)
    for special in (np.nan, np.inf, -np.inf, 0.0, -0.0):
        x = random.integers(-2, 1, n).astype(dtype)
        yield np.full(n, special, dtype)
        x[random.random(n) < 0.3] = special
        yield x
        x = x.copy()
        x[x == 0] *= random.choice([-1, 1], np.count_nonzero(x == 0))
        yield x


@pytest.mark.parametrize("n", [1, 2, 63, 64, 65, 200])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("f", ALL, ids=lambda f: f.__name__)
def test_real_numbers(f, dtype, n):
    for x in arrays(n, dtype):
        same(f, COMPILED[f], x)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i4", "u4", "i8", "u8"])
@pytest.mark.parametrize(
    "f", [greatest, where_greatest, by_while, up_to_the_last, among_even_ones, if_wanted]
)
def test_integers(f, dtype):
    info = np.iinfo(dtype)
    for n in (1, 70, 300):
        x = np.random.default_rng(n).integers(info.min, info.max, n, dtype, endpoint=True)
        assert ag.jit(f)(x) == f(x)
        x = x % 2
        assert ag.jit(f)(x) == f(x)


@pytest.mark.parametrize("k", [0, 1, 5])
@pytest.mark.parametrize("n", [0, 4, 100, 299, 300])
def test_bounds_of_the_run_time(n, k):
    compiled = ag.jit(of_some_iterations)
    for x in (np.random.default_rng(n).normal(size=300), np.arange(300) - 150):
        same(of_some_iterations, compiled, x, n, k)
    with pytest.raises(IndexError):
        compiled(x, 310, k)


def loops(f, x):
    return ag.jit(f).experimental_get_compiler_ir(x)(stage="loops").count("scf.for")


@pytest.mark.parametrize(
    ("f", "count"),
    [
        (among_even_ones, 3),
        (greatest, 3),
        (where_greatest, 3),
        (by_while, 3),
        (up_to_the_last, 1),
        (with_a_sum, 1),
    ],
)
def test_the_greatest_is_found_first(f, count):
    assert loops(f, np.zeros(100)) == count
