"""Bounds of slices in loops are behind branches; slices are what they were."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag


def sums(x, starts, ends):
    found = np.zeros(starts.size)
    for i in range(starts.size):
        found[i] = x[starts[i] : ends[i]].sum()
    return found


def products(x, starts, ends):
    found = np.zeros(starts.size)
    for i in range(starts.size):
        a = x[starts[i] :]
        b = x[: ends[i]]
        n = min(len(a), len(b))
        found[i] = a[:n] @ b[:n] + len(x[starts[i] : ends[i]][1:-1])
    return found


def assigned(x, starts, ends):
    y = x.copy()
    for i in range(starts.size):
        y[starts[i] : ends[i]] += i
        y[ends[i] :] -= 1
    return y


@pytest.mark.parametrize("size", [0, 1, 7])
@pytest.mark.parametrize("function", [sums, products, assigned])
def test_slices(function, size):
    limits = np.iinfo(np.int64)
    bounds = [0, 1, 3, size - 1, size, size + 1, -1, -2, -size, -size - 1, limits.min, limits.max]
    starts, ends = (each.ravel() for each in np.meshgrid(bounds, bounds))
    x = np.arange(1.0, size + 1)
    compiled = ag.jit(function)
    np.testing.assert_allclose(compiled(x, starts, ends), function(x, starts, ends))
    open_sizes = ag.jit(function, reduce_retracing=True)
    for given in (x, np.append(x, 5.0), np.append(x, [6.0, 7.0])):
        np.testing.assert_allclose(open_sizes(given, starts, ends), function(given, starts, ends))


def test_branches():
    x, starts = np.ones(9), np.arange(9)
    concrete = ag.jit(sums).experimental_get_compiler_ir(x, starts, starts)
    assert concrete("llvm").count("llvm.intr.expect") == 2
