"""In branches and loops, conditions prove subscripts to be inside; what they do not is checked."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag


def between(x, i):
    return x[i] if 0 <= i < 10 else -1.0


def neighbours(x, i):
    s = -1.0
    if 0 <= i < 9:
        s = x[i] + x[i + 1]
    return s


def otherwise(x, i):
    if i < 0 or i >= 10:
        return -1.0
    return x[i]


def negated(x, i):
    s = -1.0
    if not (i < 0 or not i < 10):
        s = x[i]
    return s


def equal(x, i):
    return x[i] if i == 3 else -1.0


def short_circuit(x, i):
    s = -1.0
    if i >= 0 and i < 10 and x[i] > 2:
        s = x[i]
    return s


def one_after_another(x, i):
    s = 0.0
    if i >= 1:
        if i <= 9:
            s = x[i] - x[i - 1]
    return s


def walking(x, i):
    j = i
    while j >= 0 and j < 10:
        x[j] += 1.0
        j -= 2
    return j


PROVEN = [between, neighbours, otherwise, negated, equal, short_circuit, one_after_another, walking]


def one_side(x, i):
    return x[i] if i < 10 else -1.0


def too_far(x, i):
    return x[i + 1] if 0 <= i < 10 else -1.0


def wrapping(x, i):
    return x[i] if i + 1 < 10 else -1.0


def after_it(x, i):
    s = 0.0
    if 0 <= i < 10:
        s = 1.0
    return s + x[i]


def either(x, i):
    return x[i] if i >= 0 or i < 10 else -1.0


def changed(x, i):
    s = -1.0
    if 0 <= i < 10:
        i = i * 2
        s = x[i]
    return s


def insertion(x, i):
    for k in range(1, 10):
        v = x[k]
        j = k - 1
        while j >= 0 and x[j] > v:
            x[j + 1] = x[j]
            j -= 1
        x[j + 1] = v
    return x[i]


OTHERS = [one_side, too_far, wrapping, after_it, either, changed, insertion]
NUMBERS = [-(2**63), -(2**62), -11, -10, -9, -1, 0, 1, 3, 4, 8, 9, 10, 11, 2**62, 2**63 - 1]
COMPILED = {f: ag.jit(f) for f in [*PROVEN, *OTHERS]}


def checks(f, *arguments):
    text = ag.jit(f).experimental_get_compiler_ir(*arguments)(stage="hlo")
    return text.count("call @fail_unless")


@pytest.mark.parametrize("f", PROVEN)
def test_what_is_proven_is_not_checked(f):
    assert checks(f, np.zeros(10), 3) == 0


@pytest.mark.parametrize("f", OTHERS)
def test_what_is_not_is(f):
    assert checks(f, np.zeros(10), 3) > 0


@pytest.mark.parametrize("i", NUMBERS)
@pytest.mark.parametrize("f", [*PROVEN, *OTHERS], ids=lambda f: f.__name__)
def test_what_python_does(f, i):
    if (f is changed and abs(i) > 2**61) or (f is wrapping and i == 2**63 - 1):
        pytest.skip("what is computed is no integer of 64 bits")
    x = np.array([3.0, 1, 4, 1, 5, 9, 2, 6, 5, 3])
    plain, compiled = x.copy(), x.copy()
    try:
        expected = f(plain, i)
    except IndexError:
        with pytest.raises(IndexError):
            COMPILED[f](compiled, i)
        np.testing.assert_array_equal(compiled, x)
    else:
        assert COMPILED[f](compiled, i) == expected
        np.testing.assert_array_equal(compiled, plain)


def of_run_time_size(n, i, k):
    y = np.arange(n) * 1.0
    s = -1.0
    if i >= 0 and i < n and k < i and k >= 0:
        s = y[i] + y[k]
    return s


def test_sizes_of_the_run_time():
    assert checks(of_run_time_size, 5, 1, 0) <= 1  # whether there are so many elements
    compiled = ag.jit(of_run_time_size)
    for n in (0, 1, 4):
        for i in (-1, 0, 1, 3, 4, 5):
            for k in (-1, 0, 2, 3, 4):
                assert compiled(n, i, k) == of_run_time_size(n, i, k)


def test_arrays_of_unknown_size():
    def f(x, i, j):
        h, w = x.shape
        s = 0.0
        if 0 < i < h - 1 and 0 < j < w - 1:
            s = x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1]
        return s

    signature = [
        ag.TensorSpec((None, None), ag.float64),
        ag.TensorSpec((), ag.int64),
        ag.TensorSpec((), ag.int64),
    ]
    compiled = ag.jit(f, input_signature=signature)
    x = np.arange(20.0).reshape(4, 5)
    for i in range(-2, 6):
        for j in range(-2, 7):
            assert compiled(x, i, j) == f(x, i, j)
