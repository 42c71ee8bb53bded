"""Parts of arrays that are known to be empty, taken where control does not get."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import agir as ag

sys.path.insert(0, str(Path(__file__).parents[2] / "numpy"))

from agreement import agree, both


def shrinking(c, n):
    v = w = np.repeat(c, n)
    while len(w) > 1:
        w[...] = 0.5
        w = w[:-1]
    return v


def read_in_parts(c, n):
    v = np.repeat(c, n)
    total = v.sum() * 1.5
    for i in range(len(v)):
        total += v[i:].sum() + v[: i + 1].real.max()
    return total, v


def written_in_parts(c, n):
    v = np.tile(c.reshape(-1), n)
    for i in range(len(v) - 1):
        v[i : i + 2] = v[i + 1]
        v[::-2] -= 1
    return v


def masked(c, n):
    v = np.repeat(c, n)
    v[v.real > 1] = n
    for k in range(n):
        w = v[k:]
        w[w == k] = 3
    return v


@pytest.mark.parametrize("f", [shrinking, read_in_parts, written_in_parts, masked])
@pytest.mark.parametrize("dtype", [np.float64, np.complex128, np.int8])
def test_parts_where_control_does_not_get(f, dtype):
    decorated = both(f)
    for shape in [(2, 0), (0, 3), (0,), (2, 2)]:
        for n in (0, 1, 3):
            agree(f, np.ones(shape, dtype), n, decorated=decorated)


def test_every_pass_is_verified():
    before, ag.config.verify = ag.config.verify, True
    try:
        agree(shrinking, np.ones((2, 0)), 2)
    finally:
        ag.config.verify = before
