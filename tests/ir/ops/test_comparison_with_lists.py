"""Comparisons of arrays with Python's lists and tuples."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "numpy"))

from agreement import agree


def compared(x):
    return (1, 0, 1) == x, x == [1, 0, 1], (1, 2, 3) < x, [1.5, 0, 1] != x, (True, False, True) == x


def negative(x):
    return [1, -2, 3] < x, x >= [[1], [2]], [x[0], 1, x[1]] == x, x < [1, x[2], 1.5]


def masked(x, mask=(1, 0, 1)):
    out = np.zeros(len(x), bool)
    for i, row in enumerate(x):
        first, rest = row[0], row[1:]
        if (mask == np.bitwise_and(mask, rest)).all() and first:
            out[i] = True
    return out


@pytest.mark.parametrize("dtype", [bool, np.int64, np.uint64, np.uint8, np.float32])
@pytest.mark.parametrize("function", [compared, negative])
def test_comparisons_are_numpys(function, dtype):
    agree(function, np.array([1, 0, 3]).astype(dtype))


def test_a_mask_that_is_a_tuple():
    agree(masked, np.random.default_rng(0).integers(0, 2, (50, 4)).astype(bool))
