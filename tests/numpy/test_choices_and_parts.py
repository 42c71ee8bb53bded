"""What NumPy's functions give in dtypes of their own, and views of which one writes."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import agir as ag

sys.path.insert(0, str(Path(__file__).parent))

from agreement import agree

X = np.arange(6.0).reshape(2, 3)
CUBE = np.arange(1, 7).reshape(2, 1, 3)


def chosen(k):
    u = k.astype(np.uint8)
    small, single = np.choose(u % 2, [u, -2]), np.choose(k % 2, [k.astype(np.float32), 300])
    mixed = np.choose(k % 3, [u, 300, 2.5]), np.choose(k % 2, [k > 0, True])
    return small, single, *mixed, np.choose(u % 2, [u, np.int64(300)]), np.choose(k % 2, [1, 2])


def as_complex(k):
    kinds = (
        np.bool_,
        np.int8,
        np.uint16,
        np.int32,
        np.float16,
        np.float32,
        np.complex64,
        np.float64,
    )
    return tuple(np.sort_complex(k.astype(kind)) for kind in kinds)


def of_one_shape(x):
    y, z = np.broadcast_arrays(x, x + 1)
    y[0] = 7
    np.broadcast_arrays(x)[0][1] = 8
    return x, z


def least_of_bools(k):
    return min(k > 1, default=0), max((k > 1)[:1], default=5), min(k[:0], default=2.5)


@pytest.mark.parametrize("function", [chosen, as_complex, least_of_bools])
def test_dtypes(function):
    agree(function, np.array([3, 1, 2]))


def test_arrays_of_one_shape_are_themselves():
    agree(of_one_shape, X)


def part_of_one(b, n):
    if n % 2 == 0:
        b = b.T
    v = b[0, 0, 0, ...]
    v += 1
    v[...] *= 3
    return b


def part_in_a_handler(b, n):
    if n % 2 == 0:
        b = b.T
    try:
        raise ValueError
    except ValueError:
        v = b[..., 0, 0, 1]
        v -= 5
    return b


@pytest.mark.parametrize("function", [part_of_one, part_in_a_handler])
@pytest.mark.parametrize("n", [1, 2])
def test_parts_without_dimensions_of_one_of_several_arrays(function, n):
    cube = CUBE if function is part_of_one else np.arange(8).reshape(2, 2, 2)
    agree(function, cube, n)


def test_histograms_of_complex_numbers_are_refused():
    def count(x):
        return np.histogram(x, bins=3, range=(0, 3))[0]

    with pytest.raises(ag.errors.StagingError, match="complex"):
        ag.jit(count)(X + 1j)
