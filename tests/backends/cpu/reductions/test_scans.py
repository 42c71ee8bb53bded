"""Recurrences computed as scans have the results of single iterations."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag
from agir import errors
from agir.backends.cpu.code import host
from agir.backends.cpu.passes.reductions import scans

SIZES = [0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 64, 100]
DTYPES = ["i4", "i8"]


def local_alignment(a, b):
    H = np.zeros((len(a) + 1, len(b) + 1), a.dtype)
    best = a.dtype.type(0)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            score = 3 if a[i - 1] == b[j - 1] else -3
            H[i, j] = max(0, H[i - 1, j - 1] + score, H[i - 1, j] - 2, H[i, j - 1] - 2)
            if H[i, j] > best:
                best = H[i, j]
    return H, best


def edit_distance(a, b):
    D = np.zeros((len(a) + 1, len(b) + 1), a.dtype)
    for i in range(len(a) + 1):
        D[i, 0] = i
    for j in range(len(b) + 1):
        D[0, j] = j
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            D[i, j] = min(D[i - 1, j] + 1, D[i, j - 1] + 1, D[i - 1, j - 1] + cost)
    return D


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", [local_alignment, edit_distance])
def test_alignments(function, dtype):
    random = np.random.default_rng(1)
    for rows, columns in ((0, 5), (5, 0), (3, 1), (4, 15), (5, 16), (6, 17), (7, 40), (9, 67)):
        a, b = (random.integers(0, 3, n).astype(dtype) for n in (rows, columns))
        np.testing.assert_equal(ag.jit(function)(a, b), function(a, b))


def running_sum(x, start):
    found = np.zeros_like(x)
    total = start
    for i in range(len(x)):
        total += x[i]
        found[i] = total
    return found, total


def running_greatest(x, start):
    found = np.zeros_like(x)
    greatest = start
    for i in range(len(x)):
        greatest = max(greatest, x[i])
        found[i] = greatest
    return found, greatest


def falling_least(x, start):
    found = np.zeros_like(x)
    least = start
    for i in range(len(x)):
        least = min(least - 3, x[i], x[i] * 2)
        found[i] = least
    return found, least


def rising_greatest(x, start):
    found = np.zeros_like(x)
    greatest = start
    for i in range(len(x)):
        greatest = max(greatest + 5, x[i])
        found[i] = greatest + i
    return found, greatest


def fading_greatest(x, start):
    found = np.zeros_like(x)
    greatest = start
    count = x.dtype.type(0)
    for i in range(len(x)):
        greatest = max(greatest - 7, x[i], -50)
        found[i] = greatest
        count += x[i] & 1
    return found, greatest + count


def in_place(x, start):
    x = x.copy()
    for i in range(1, len(x)):
        x[i] += x[i - 1]
    return x, start


def two_at_once(x, start):
    sums, greatest = np.zeros_like(x), np.zeros_like(x)
    total, most = start, start
    for i in range(len(x)):
        total += x[i]
        most = max(most - 1, total)
        sums[i], greatest[i] = total, most
    return sums + greatest, total


def from_the_next(x, start):
    x = x.copy()
    for i in range(1, len(x) - 1):
        x[i] = min(x[i - 1] + 2, x[i + 1], x[i])
    return x, start


RUNNING = [
    from_the_next,
    running_sum,
    running_greatest,
    falling_least,
    rising_greatest,
    fading_greatest,
    in_place,
    two_at_once,
]


def same(compiled, *arguments):
    with np.errstate(over="ignore"):
        wanted = compiled.python_function(*arguments)
    np.testing.assert_equal(compiled(*arguments), wanted)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", RUNNING)
def test_running(function, dtype):
    random = np.random.default_rng(4)
    x = random.integers(-60, 60, 100).astype(dtype)
    compiled = ag.jit(function, reduce_retracing=True)
    same(ag.jit(function), x, x.dtype.type(3))
    for n in SIZES:
        same(compiled, x[:n].copy(), x.dtype.type(random.integers(-60, 60)))


@pytest.mark.parametrize("dtype", ["i1", "i2", "u1", "u4", "u8"])
@pytest.mark.parametrize("function", [running_sum, running_greatest, in_place, two_at_once])
def test_other_integers(function, dtype):
    random = np.random.default_rng(4)
    x = random.integers(0, 100, 150).astype(dtype)
    same(ag.jit(function), x, x.dtype.type(3))


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", RUNNING)
def test_numbers_that_wrap_around(function, dtype):
    random = np.random.default_rng(4)
    limits = np.iinfo(dtype)
    compiled = ag.jit(function)
    for place in range(0, 60, 7):
        for edge in (limits.min, limits.max, limits.min + 9, limits.max - 9):
            x = random.integers(-60, 60, 60).astype(dtype)
            x[place] = edge
            for start in (0, limits.min, limits.max):
                same(compiled, x, x.dtype.type(start))
    same(compiled, random.integers(limits.min, limits.max, 60, dtype), x.dtype.type(0))


@pytest.mark.parametrize("function", RUNNING)
def test_which_are_scans(function, monkeypatch):
    monkeypatch.setattr(scans, "vectors", lambda: host.AVX_512)
    assert "vector.shuffle" in loops(function, np.arange(40), np.int64(0))


def scattered(x, n):
    for i in range(1, n):
        x[i * 2] = max(x[i * 2 - 2] - 1, x[i])
    return x


def what_was_there(x, n):
    y = np.zeros_like(x)
    last = x.dtype.type(0)
    for i in range(n):
        y[i] = last
        last = max(last - 1, x[i])
    return y


def farther_back(x, n):
    for i in range(2, n):
        x[i] = max(x[i - 2] - 1, x[i])
    return x


def ahead(x, n):
    for i in range(n - 1):
        x[i + 1] = max(x[i] - 1, x[i + 1])
    return x


def overtaken(x, n):
    total = x.dtype.type(0)
    for i in range(n - 3):
        total += x[i]
        x[i + 3] = total
    return x


def of_floats(x, n):
    y = np.zeros(len(x))
    total = 0.0
    for i in range(n):
        total += x[i] * 0.1
        y[i] = total
    return y


def any_row(x, n):
    table = x[:36].reshape(6, 6).copy()
    for i in range(5):
        for j in range(1, 6):
            table[i, j] = max(table[i, j - 1] - 1, table[x[i] & 3, j])
    return table


@pytest.mark.parametrize(
    "function",
    [scattered, what_was_there, farther_back, ahead, overtaken, of_floats, any_row],
)
def test_other_loops(function):
    x = np.random.default_rng(8).integers(-60, 60, 100)
    compiled = ag.jit(function)
    for n in (0, 1, 2, 20, 49):
        np.testing.assert_array_equal(compiled(x.copy(), n), function(x.copy(), n))


def test_an_index_outside():
    @ag.jit
    def running(x, n):
        total = 0
        y = np.zeros_like(x)
        for i in range(n):
            total += x[i]
            y[i] = total
        return y

    with pytest.raises(errors.RuntimeIndexError, match="index 40 is out of bounds"):
        running(np.arange(40), 50)


def loops(function, *arguments):
    return ag.jit(function).experimental_get_compiler_ir(*arguments)("loops")


def test_vectors(monkeypatch):
    monkeypatch.setattr(scans, "vectors", lambda: host.AVX_512)
    a = np.zeros(40, np.int32)
    text = loops(local_alignment, a, a)
    assert "vector.shuffle" in text
    # the score is never below zero, so nothing can wrap; a distance is asked
    assert "vector.reduction <and>" not in text
    assert "vector.reduction <and>" in loops(edit_distance, a, a)
    assert "vector" not in loops(of_floats, a, 40)
    assert "vector" not in loops(local_alignment, a[:3], a[:3])  # less than a vector


def test_no_vectors_without_masks(monkeypatch):
    monkeypatch.setattr(scans, "vectors", lambda: host.SSE)
    a = np.zeros(40, np.int32)
    assert "vector." not in loops(local_alignment, a, a)
