"""Functions that fail leave the arrays that they write into as they were; others copy none."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag


def filled(x, n):
    for i in range(n):
        x[i] = i


def twice(x, n):
    for i in range(n):
        x[i] += 1.0
    for i in range(n - 1):
        x[i] += x[i + 2]


def then_one(x, n):
    for i in range(n):
        x[i] += 1.0
    x[n] = 7.0


def one_first(x, n):
    x[n] = 7.0
    for i in range(n):
        x[i] += 1.0


def by_an_array(x, n):
    p = x.astype(np.int64) + n - 5
    for i in range(5):
        x[p[i]] += 1.0


def divided(x, n):
    for i in range(n):
        x[i] += 10 // (n - 4)


def raising(x, n):
    for i in range(10):
        x[i] = 1.0
    if n > 10:
        raise ValueError("too many")


def in_the_middle(x, n):
    for i in range(10):
        if x[i] == n:
            raise ValueError("found")
        x[i] = -1.0


def caught(x, n):
    x[0] = 5.0
    try:
        for i in range(n):
            x[i] += 1.0
    except IndexError:
        x[1] = -1.0


ALL = [filled, twice, then_one, one_first, by_an_array, divided, raising, in_the_middle]
COMPILED = {f: ag.jit(f) for f in [*ALL, caught]}


@pytest.mark.parametrize("step", [1, 3])
@pytest.mark.parametrize("n", [-20, -3, 0, 4, 5, 8, 9, 10, 11, 12, 1000])
@pytest.mark.parametrize("f", ALL, ids=lambda f: f.__name__)
def test_all_or_nothing(f, n, step):
    whole = np.arange(10.0 * step)
    plain, compiled = whole.copy(), whole.copy()
    try:
        f(plain[::step], n)
    except (IndexError, ValueError, ZeroDivisionError) as error:
        with pytest.raises(type(error).__mro__[-4]):
            COMPILED[f](compiled[::step], n)
        np.testing.assert_array_equal(compiled, whole)
    else:
        COMPILED[f](compiled[::step], n)
        np.testing.assert_array_equal(compiled, plain)


@pytest.mark.parametrize("n", [0, 3, 10, 11])
def test_what_is_caught_is_kept(n):
    plain, compiled = np.arange(10.0), np.arange(10.0)
    caught(plain, n)
    COMPILED[caught](compiled, n)
    checked = slice(None) if n <= 10 else 1
    np.testing.assert_array_equal(compiled[checked], plain[checked])


def test_several_arrays():
    @ag.jit
    def both(x, y, n):
        for i in range(n):
            x[i] = y[i, 0]
            y[i, 1] = i

    x, y = np.ones(5), np.ones((5, 2), np.float32)
    with pytest.raises(IndexError):
        both(x, y, 6)
    assert (x == 1).all()
    assert (y == 1).all()
    both(x, y, 5)
    assert (y[:, 1] == np.arange(5)).all()


def no_iterations(x, n):
    assert n > n, "never"
    for i in range(n - n):
        x[i] = 1


def checked(n, x):
    assert n > n, "never"
    x[0] += 1
    return n


def by_a_call(x, n):
    try:
        x[n] = checked(n, x)
    except KeyError:
        x[1] = 5


@pytest.mark.parametrize("program", [no_iterations, by_a_call])
def test_what_fails_before_anything_is_written(program):
    x = np.arange(3)
    with pytest.raises(AssertionError, match="never"):
        ag.jit(program)(x, 1)
    assert x.tolist() == [0, 1, 2]


def test_an_array_of_outside():
    held = np.zeros(4)

    @ag.jit
    def put(n):
        for i in range(n):
            held[i] = i + 1.0

    with pytest.raises(IndexError):
        put(5)
    assert not held.any()
    put(4)
    assert held.tolist() == [1, 2, 3, 4]


def test_what_a_callback_raises():
    def refuse(value):
        raise KeyError(int(value))

    @ag.jit
    def calling(x, n):
        x[n] = 1.0
        ag.py_function(refuse, [n], [])

    x = np.zeros(3)
    with pytest.raises(KeyError):
        calling(x, 1)
    assert not x.any()


def loops(f):
    return ag.jit(f).experimental_get_compiler_ir(np.zeros(10), 5)(stage="loops")


@pytest.mark.parametrize(("f", "writes"), [(filled, 2), (twice, 4)])
def test_nothing_is_saved_where_checks_foresee_success(f, writes):
    text = loops(f)
    before, saved, after = text.partition("memref.copy")
    assert saved
    assert "memref.store" not in before
    assert before.rstrip().endswith("memref<10xf64>")  # an allocation, in the branch
    assert "scf.yield %x" in before
    assert after.count("memref.store") == writes


def test_what_cannot_be_foreseen_is_saved():
    assert loops(by_an_array).count("memref.copy") == 2


def written_beside_nothing(empty, x, s):
    x.ravel()[1:][0] = s
    empty[:-1] = s


@pytest.mark.parametrize("shape", [(2, 0), (0,), (3, 0, 2)])
def test_arrays_without_elements_are_not_put_back(shape):
    x = np.arange(4.0)
    ag.jit(written_beside_nothing)(np.zeros(shape), x, 7.0)
    assert x.tolist() == [0, 7, 2, 3]
