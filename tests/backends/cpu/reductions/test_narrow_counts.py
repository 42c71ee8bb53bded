"""Truth values: counted in blocks, read and written as bytes; elements that are formulas."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag


def stage(function, name, *arguments):
    return ag.jit(function).experimental_get_compiler_ir(*arguments)(name)


def total(mask):
    return mask.sum()


def opposite(mask):
    return np.count_nonzero(~mask)


def of_numbers(mask):
    numbers = mask.astype(np.float32) * 3 - 1
    return (numbers > 1).sum(), np.sum((numbers < 0) & mask), mask.mean()


def by_rows(mask):
    return mask.reshape(-1, 1).sum(axis=0), mask.sum(dtype=np.int32)


SIZES = [0, 1, 63, 64, 65, 255, 256, 1000, 32767, 32768, 32769, 65536, 70001, 131072]


@pytest.mark.parametrize("function", [total, opposite, of_numbers, by_rows])
def test_counts(function):
    compiled = ag.jit(function, reduce_retracing=True)
    random = np.random.default_rng(3)
    for n in SIZES[function is of_numbers :]:  # the mean of nothing warns
        for mask in (random.random(n) < 0.4, np.ones(n, bool), np.zeros(n, bool)):
            np.testing.assert_equal(compiled(mask), function(mask))


def test_counts_of_several_dimensions():
    mask = np.random.default_rng(3).random((3, 5, 40_000)) < 0.5
    for given in (mask, mask[:, ::2], mask[::-1, :, ::-3], mask.transpose(2, 0, 1), mask[0].T):
        for function in (total, opposite):
            assert ag.jit(function)(given) == function(given)


def test_a_large_count():
    mask = np.ones(3_000_000, bool)
    assert ag.jit(total)(mask) == 3_000_000


def test_blocks():
    text = stage(total, "loops", np.ones(100_000, bool))
    assert "i16" in text
    assert text.count("scf.for") == 2
    # as wide as what counts: nothing would be won
    assert "i16" not in stage(lambda x: (x > 0).sum(), "loops", np.ones(100_000))


def chosen(mask, x):
    y = np.where(mask, x, -x)
    mask[1:] &= mask[:-1]
    return y, ~mask | (y > 3)


def one_by_one(mask, x):
    found = np.zeros(mask.shape, bool)
    for i in range(mask.size):
        if mask[i] and x[i] > 2:
            found[i] = True
            mask[i] = x[i] < 5
    return found, mask.any(), mask.all()


@pytest.mark.parametrize("function", [chosen, one_by_one])
def test_truth_values_in_memory(function):
    random = np.random.default_rng(9)
    for n in (1, 7, 16, 100):
        mask, x = random.random(n) < 0.5, random.random(n) * 9
        mine, plain = mask.copy(), mask.copy()
        np.testing.assert_equal(ag.jit(function)(mine, x), function(plain, x))
        np.testing.assert_equal(mine, plain)


def test_bytes():
    text = stage(one_by_one, "llvm", np.ones(9, bool), np.ones(9))
    assert "-> i8" in text
    assert "!llvm.ptr -> i1" not in text
    assert ": i1, !llvm.ptr" not in text


def places(mask):
    return np.nonzero(mask), np.flatnonzero(mask), np.argwhere(mask)


@pytest.mark.parametrize("shape", [(0,), (1,), (40,), (5, 6), (0, 3), (3, 0), (2, 3, 4)])
def test_where_elements_are_not_zero(shape):
    mask = np.random.default_rng(1).random(shape) < 0.5
    np.testing.assert_equal(ag.jit(places)(mask), places(mask))


def taken(mask, n):
    k = 0
    for i in np.arange(3, n, 2):
        k += i * 2
    return np.arange(2.0, 22.0)[mask], np.eye(4, dtype=int)[1, n % 4], k


def test_formulas():
    mask = np.arange(20) % 3 == 0
    for n in (0, 3, 9):
        np.testing.assert_equal(ag.jit(taken)(mask, n), taken(mask, n))
    text = stage(lambda m: np.flatnonzero(m), "optimized_hlo", mask)
    assert "linalg.index" not in text
    assert "arith.floordivsi" not in text


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint64])
def test_counts_of_narrow_dtypes(dtype):
    def count(mask):
        return mask.sum(dtype=dtype), (mask > 0).sum(axis=0, dtype=dtype)

    for n in (0, 1, 300):
        mask = np.arange(n) % 2 == 0
        np.testing.assert_equal(ag.jit(count)(mask), count(mask))
