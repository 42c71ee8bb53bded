"""While loops that count are for loops: they do what Python does, errors and counters included."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag


def total(x, n):
    s = 0.0
    i = 0
    while i < n:
        s += x[i]
        i += 1
    return s, i


def up_to(x, n):
    i = 1
    while n >= i:
        x[i] += x[i - 1]
        i += 1
    return i


def downwards(x, n):
    i = n
    while i >= 0:
        x[i - 1] = 2.0 * x[i] + i
        i -= 1
    return i


def down_to_above(x, n):
    i = n
    while i > 2:
        i = i - 1
        x[i] -= 1.0
    return i


def in_steps(x, n):
    i = 0
    while i < n:
        x[i] += 1.0
        i += 3
    return i


def down_in_steps(x, n):
    i = n
    while i > 0:
        x[i - 1] += i
        i -= 2
    return i


def nested(x, n):
    s = 0.0
    i = 0
    while i < n:
        j = i
        while j >= 1:
            s = 0.5 * s + x[j] * x[i - j]
            j -= 1
        i += 1
    return s, i


def only_while(x, n):
    flag = n < 8
    i = 0
    while i < n and flag:
        x[i] = i
        i += 1
    return i


def that_ends_sooner(x, n):
    i = 0
    while i < n and x[i] < 5.0:
        x[i] += 10.0
        i += 1
    return i


def one_after_another(x, n):
    i = 0
    while i < n:
        x[i] += 1.0
        i += 1
    j = 0
    while j < i - 1:
        x[j] += x[j + 1]
        j += 1
    return i, j


def caught(x, n):
    i = 0
    s = 0.0
    try:
        while i < n:
            s += x[i]
            i += 1
    except IndexError:
        s = -s
    return s, i


ALL = [
    total,
    up_to,
    downwards,
    down_to_above,
    in_steps,
    down_in_steps,
    nested,
    only_while,
    that_ends_sooner,
    one_after_another,
    caught,
]
COMPILED = {f: ag.jit(f) for f in ALL}
NUMBERS = [-(2**63), -(2**62), -2, -1, 0, 1, 2, 5, 8, 9, 10, 11, 12, 2**40, 2**62, 2**63 - 1]


def outcome(f, *arguments):
    x = arguments[0].copy()
    try:
        return f(x, *arguments[1:]), x
    except IndexError as error:
        return str(error).splitlines()[0], arguments[0]


@pytest.mark.parametrize("n", NUMBERS)
@pytest.mark.parametrize("f", ALL, ids=lambda f: f.__name__)
def test_what_python_does(f, n):
    x = np.arange(10.0)
    plain, compiled = outcome(f, x, n), outcome(COMPILED[f], x, n)
    if isinstance(plain[0], str):
        assert compiled[0] == plain[0]
    else:
        np.testing.assert_allclose(compiled[0], plain[0], rtol=1e-13)
    np.testing.assert_allclose(compiled[1], plain[1], rtol=1e-13)


def stage(f, name, *arguments):
    return ag.jit(f).experimental_get_compiler_ir(*arguments)(stage=name)


@pytest.mark.parametrize("f", [total, up_to, downwards, in_steps, nested])
def test_one_of_two_loops_counts_and_checks_nothing(f):
    fast, slow, _ = stage(f, "loops", np.zeros(10), 9).partition("scf.while")
    assert "scf.for" in fast
    assert "arith.cmpi uge" not in fast
    assert slow
    assert "agir.stops" not in fast


def by_steps(x, n, step):
    i = 0
    while i < n:
        x[i] += 1.0
        i += step
        if i < 0:
            step = 2**62
    return i


def by_given_steps(x, n, step):
    i = 1
    while i < n:
        x[i] += 1.0
        i = step + i
    return i


@pytest.mark.parametrize("step", [1, 2, 7, 2**33, 2**61])
@pytest.mark.parametrize("n", [-1, 1, 9, 10, 11, 12, 2**40])
@pytest.mark.parametrize("f", [by_steps, by_given_steps])
def test_steps_of_the_run_time(f, n, step):
    x = np.arange(10.0)
    plain, compiled = outcome(f, x, n, step), outcome(ag.jit(f), x, n, step)
    assert plain[0] == compiled[0]
    np.testing.assert_array_equal(compiled[1], plain[1])


@pytest.mark.parametrize("step", [0, -1])
def test_steps_that_lead_elsewhere(step):
    def f(x, step):
        i = 0
        while i < 5:
            x[i] += 1.0
            i += step
        return i

    x = np.zeros(10)
    if step:
        with pytest.raises(IndexError):
            ag.jit(f)(x, step)
        assert not x.any()
    assert "scf.for" in stage(f, "loops", x, step)


@pytest.mark.parametrize("f", [that_ends_sooner])
def test_others_stay(f):
    assert "scf.for" not in stage(f, "loops", np.zeros(10), 9)


def test_what_looks_at_no_memory_can_be_interrupted():
    def iterations(n):
        k = 0
        while k < n:
            k += 1
        return k

    assert "scf.while" in stage(iterations, "loops", 5)


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "i8", "c16"])
@pytest.mark.parametrize("n", [0, 1, 17])
def test_dtypes(dtype, n):
    def f(x, y):
        i = 0
        while i < len(x):
            y[i] = x[i] * x[i] + y[i]
            i += 1
        return y

    x, y = np.arange(n).astype(dtype), np.ones(n, dtype)
    np.testing.assert_array_equal(ag.jit(f)(x, y.copy()), f(x, y.copy()))


def test_strides():
    x = np.arange(40.0)
    a, b = x.copy()[::4], x.copy()[::4]
    assert COMPILED[one_after_another](a, 10) == one_after_another(b, 10)
    np.testing.assert_array_equal(a, b)
