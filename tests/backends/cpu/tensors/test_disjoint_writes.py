"""Reads beside what has just been written do not keep a copy of the array as it was."""

from __future__ import annotations

import re

import numpy as np
import pytest

import agir as ag


def sweep(c, d):
    for k in range(1, c.shape[1] - 1):
        c[:, k] = d[:, k] * 0.5
        under = 1.0 / (2.0 + c[:, k] * c[:, k - 1])
        d[:, k] = (d[:, k] - c[:, k + 1]) * under
        c[:, k] = c[:, k] * under


def overlapping(c, d):
    for k in range(2, c.shape[1] - 3):
        c[:, k : k + 2] = d[:, k : k + 2] * 0.5
        left, same, across, right = c[:, k - 2 : k], c[:, k], c[:, k + 1 : k + 3], c[:, k + 2]
        d[:, k] = left.sum(axis=1) + same * 3 + across.sum(axis=1) * 5 + right * 7
        c[:, k : k + 2] = c[:, k : k + 2] + across


def elements(c, d):
    for i in range(1, c.shape[0]):
        for j in range(1, c.shape[1]):
            c[i, j] = d[i, j] * 0.5
            d[i, j] = c[i, j] * 2 + c[i, j - 1] * 3 + c[i - 1, j]
            c[i, j] = c[i, j] + d[i - 1, j - 1]


@pytest.mark.parametrize("function", [sweep, overlapping, elements])
def test_values(function):
    plain, given = ([np.random.default_rng(3 + n).random((4, 9)) for n in range(2)] for _ in "ab")
    function(*plain)
    ag.jit(function)(*given)
    for one, other in zip(given, plain, strict=True):
        np.testing.assert_allclose(one, other)


def test_no_array_is_copied_as_a_whole():
    arrays = [np.ones((40, 90)) for _ in range(2)]
    text = ag.jit(sweep).experimental_get_compiler_ir(*arrays)(stage="bufferized")
    assert not re.search(r"memref\.(alloc|copy).*40x90", text)
