"""Loops whose places are checked before them: they do what Python does, errors included."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag


def total(x, n):
    s = 0.0
    for i in range(n):
        s += x[i]
    return s


def from_a_number(x, n, k):
    for i in range(k, n):
        x[i] = x[i - k] + 2.0 * x[i]
    return x


def backwards(x, n, k):
    for i in range(n - 1, k - 1, -1):
        x[i] += x[n - 1 - i]
    return x


def in_steps(x, n, k):
    for i in range(k, n, 3):
        x[i] = 2.0 * x[i] + x[2 * i - i]
    return x


def doubled(x, n, k):
    s = 0.0
    for i in range(n):
        s = s * 0.5 + x[2 * i + k]
    return s


def triangle(a, n, k):
    s = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            s = 0.5 * s + a[i, j - 1] * a[j + k, i]
    return s


def squares(a, n, k):
    for i in range(1, n - 1):
        for j in range(1, n - k):
            a[i, j] = a[i - 1, j] + a[i, j + 1] - a[i + 1, j - 1]
    return a


def given_in_a_loop(x, n, k):
    for c in (k, 2, 1):
        for i in range(c, n):
            x[i] += x[i - c]
    return x


def of_own_size(n, m):
    x = np.zeros(m)
    for i in range(n):
        x[i] = i
    return x


def only_some(x, n, k):
    for i in range(n):
        if i % 2 == k:
            x[i] = 1.0
    return x


VECTORS = [from_a_number, backwards, in_steps, doubled, given_in_a_loop, only_some]
NUMBERS = [-(2**62), -(2**49), -7, -1, 0, 1, 2, 5, 8, 9, 10, 11, 2**20]
FEW = [-3, -1, 0, 1, 2, 4, 7, 9, 10, 12]


def outcome(f, *arguments):
    copies = [np.copy(a) if isinstance(a, np.ndarray) else a for a in arguments]
    try:
        result = f(*copies)
    except (IndexError, ValueError) as error:
        return type(error).__mro__[-4:], str(error).splitlines()[0]
    return result, [c for c in copies if isinstance(c, np.ndarray)]


def same(f, *arguments):
    plain, compiled = (outcome(g, *arguments) for g in (f, COMPILED[f]))
    if isinstance(plain[1], str):
        assert compiled[1] == plain[1], (f, arguments[1:])
    else:
        np.testing.assert_allclose(compiled[0], plain[0], rtol=1e-13)
        for a, b in zip(compiled[1], plain[1], strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-13)


COMPILED = {f: ag.jit(f) for f in [*VECTORS, total, triangle, squares, of_own_size]}


@pytest.mark.parametrize("f", VECTORS, ids=lambda f: f.__name__)
def test_places_in_vectors(f):
    for n in FEW:
        for k in FEW:
            same(f, np.arange(10.0), n, k)


@pytest.mark.parametrize("f", [triangle, squares], ids=lambda f: f.__name__)
def test_places_in_matrices(f):
    for n in FEW:
        for k in (-2, -1, 0, 1, 3):
            same(f, np.arange(81.0).reshape(9, 9) / 81, n, k)


@pytest.mark.parametrize("n", NUMBERS)
def test_numbers_of_any_size(n):
    same(total, np.arange(10.0), n)
    same(backwards, np.arange(10.0), n, -2)
    same(from_a_number, np.arange(10.0), n, 3)


def test_a_number_that_would_wrap_around():
    x = np.arange(10.0)
    for k in (2**63 - 1, 2**62, -(2**63), -(2**62)):
        with pytest.raises(IndexError):
            COMPILED[doubled](x, 3, k)


def test_a_size_of_the_run_time():
    for m in (0, 1, 5):
        for n in (-1, 0, 1, 4, 5, 6):
            same(of_own_size, n, m)


def stage(f, name, *arguments):
    return ag.jit(f).experimental_get_compiler_ir(*arguments)(stage=name)


@pytest.mark.parametrize("f", [total, from_a_number, backwards, triangle, squares, given_in_a_loop])
def test_one_of_two_loops_has_no_check(f):
    x = np.zeros(10) if f not in (triangle, squares) else np.zeros((10, 10))
    text = stage(f, "loops", x, *([9] if f is total else [9, 1]))
    fast, _, slow = text.partition("} else {")
    assert "arith.cmpi uge" not in fast
    assert "arith.cmpi uge" in slow


def of_places_in_arrays(x, p, n):
    s = 0.0
    for i in range(n):
        s += x[p[i]]
    return s


def test_what_an_array_says_is_checked_in_the_loop():
    text = stage(of_places_in_arrays, "loops", np.zeros(10), np.zeros(10, int), 3)
    assert "arith.cmpi ule" not in text
    compiled = ag.jit(of_places_in_arrays)
    with pytest.raises(IndexError, match="index 10 is out of bounds"):
        compiled(np.zeros(10), np.array([1, 10, 3]), 3)
    assert compiled(np.arange(10.0), np.array([1, -1, 3]), 3) == 13.0
