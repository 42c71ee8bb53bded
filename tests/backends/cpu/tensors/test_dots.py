"""A vector that is gathered for a product is not put into memory."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag
from agir import errors


def sparse(rows, columns, values, x):
    y = np.zeros(rows.size - 1, values.dtype)
    for i in range(rows.size - 1):
        mine = columns[rows[i] : rows[i + 1]]
        y[i] = values[rows[i] : rows[i + 1]] @ x[mine]
    return y


def scaled(rows, columns, values, x):
    y = np.zeros(rows.size - 1, values.dtype)
    for i in range(rows.size - 1):
        part = values[rows[i] : rows[i + 1]]
        y[i] = np.dot(part * 2 + 1, part - x[i])
    return y


def used_twice(rows, columns, values, x):
    y = np.zeros(rows.size - 1, values.dtype)
    for i in range(rows.size - 1):
        taken = x[columns[rows[i] : rows[i + 1]]]
        y[i] = taken @ taken + taken.sum()
    return y


def matrix(dtype):
    random = np.random.default_rng(5)
    lengths = np.array([0, 3, 1, 40, 0, 9, 17])
    rows = np.concatenate([[0], np.cumsum(lengths)])
    columns = random.integers(-9, 9, rows[-1])
    values, x = ((random.random(n) * 9).astype(dtype) for n in (rows[-1], 9))
    return rows, columns, values, x


@pytest.mark.parametrize("dtype", ["i4", "i8", "f4", "f8", "c16", "f2"])
@pytest.mark.parametrize("function", [sparse, scaled, used_twice])
def test_values(function, dtype):
    arguments = matrix(dtype)
    expected = function(*arguments)
    for options in ({}, {"jit_compile": False}):
        found = ag.jit(function, **options)(*arguments)
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, rtol={"f2": 5e-2, "f4": 1e-5}.get(dtype, 1e-12))


def test_truth_values():
    @ag.jit
    def any_both(x, y, n):
        return (x[:n] & y[:n]) @ y[:n]

    x, y = np.array([[True, False, True, True], [False, True, True, False]])
    for n in range(5):
        assert any_both(x, y, n) == any_both.python_function(x, y, n)


def test_one_pass_and_no_memory():
    text = ag.jit(sparse).experimental_get_compiler_ir(*matrix("f8"))("loops")
    body = text[text.index("scf.for") :]
    assert "memref.alloc" not in body
    # rows, the elements of a row, which are checked and added up, and behind a branch what was wrong
    rows, _, failed = body.partition("scf.if")
    assert rows.count("scf.for") == 2
    assert failed.count("scf.for") == 1


@pytest.mark.parametrize("wrong", [9, -10])
def test_an_index_outside(wrong):
    rows, columns, values, x = matrix("f8")
    columns[5] = wrong
    columns[50] = 100
    with pytest.raises(errors.RuntimeIndexError, match=f"index {wrong} is out of bounds"):
        ag.jit(sparse)(rows, columns, values, x)
