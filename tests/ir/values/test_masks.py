"""Masks and index arrays in decorated functions: what callers and aliases see."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag

X = np.arange(12.0).reshape(3, 4)
MASK = np.arange(40) % 3 == 0


def check(function, *arguments):
    """``ag.jit`` does to the arguments, and returns, what the plain function does."""
    plain = [np.array(a) if isinstance(a, np.ndarray) else a for a in arguments]
    expected = function(*plain)
    for options in ({}, {"jit_compile": False}):
        traced = [np.array(a) if isinstance(a, np.ndarray) else a for a in arguments]
        got = ag.jit(function, **options)(*traced)
        for a, b in zip([*plain, expected], [*traced, got], strict=True):
            if a is not None:
                assert np.shape(a) == np.shape(b)
                np.testing.assert_array_equal(a, b)


def test_aliases_and_views_see_masked_writes():
    def f(x, i):
        alias, row, transposed = x, x[1], x.T
        x[x > 3] = -1
        row[row < 0] *= 5
        transposed[i] += 7
        alias[:, i] -= x[:, ::-1][:, i]
        return row.sum() + transposed.sum()

    check(f, X, np.array([0, 2]))


def test_what_a_mask_takes_is_an_array_of_its_own():
    def f(x, n):
        part = x[x > 2]
        double = part * 2
        view = part[1:]
        x[0, 3] = 100
        part[0] = 50
        view[0] = 7
        part += 1
        for _ in range(n):
            part *= 2
        x[x > 100] = 0
        return part.sum() + double.sum() + view.sum()

    check(f, X, 2)


def test_masks_in_loops_and_branches():
    def f(x, n):
        total = 0.0
        for i in range(n):
            part = x[x > i]
            if i > 2:
                part += 1
                x[x < 2] = i
            else:
                part = part - 1
            total += part.sum()
            x[x > i] = np.sqrt(x[x > i])
            x[[i % 3, 0]] += x[i % 3]
        return total

    check(f, X, 5)


def test_only_selected_elements_can_fail():
    def f(a, b):
        a[b != 0] //= b[b != 0]
        return a

    check(f, np.arange(6) * 7, np.array([0, 1, 2, 0, 3, 0]))


def test_a_truth_value_as_a_mask():
    def f(x, n):
        flag = n > 0
        part = x[flag]
        x[flag] = 5
        return part.sum() + x[True].sum() + x[False].sum()

    check(f, X, 1)
    check(f, X, -1)


def test_reductions_of_what_a_mask_takes():
    def f(x):
        low, none = x[x < 7], x[x < -1]
        return x[x > 4].sum() + 10 * x[x > 4].mean() + 100 * low.max() + none.sum()

    check(f, X)
    with pytest.raises(ag.errors.InvalidArgumentError, match="zero-size array"):
        ag.jit(lambda x: x[x > 99].max())(X)


def test_arrays_captured_from_outside_are_read_at_each_call():
    @ag.jit
    def f(x):
        return x[MASK].sum()

    x = np.arange(40.0)
    try:
        assert f(x) == x[MASK].sum()
        MASK[1] = True
        assert f(x) == x[MASK].sum()
    finally:
        MASK[1] = False


def test_lists_hold_traced_positions():
    def f(x, i, j):
        x[[i, j], [0, j]] += 7
        return x[[i, -1]]

    check(f, X, 0, 1)


@pytest.mark.parametrize("compiled", [None, False])
def test_tensors_stay_as_they_are_for_the_caller_of_a_function(compiled):
    @ag.function(jit_compile=compiled)
    def f(x, i):
        x[x > 5] = 0
        x[i] += 1
        return x, x[i]

    x = ag.constant(X)
    whole, part = f(x, ag.constant([0, 0]))
    expected = np.where(X > 5, 0, X)
    expected[0] += 1
    np.testing.assert_array_equal(whole, expected)
    np.testing.assert_array_equal(part, expected[[0, 0]])
    np.testing.assert_array_equal(x, X)


def test_eager_tensors_take_tensors_as_keys():
    x = ag.constant(X)
    np.testing.assert_array_equal(x[x > 5], X[X > 5])
    np.testing.assert_array_equal(x[ag.constant([2, 0])], X[[2, 0]])
    np.testing.assert_array_equal(x[:, ag.constant([[0], [1]])], X[:, [[0], [1]]])
    assert x[ag.constant(np.zeros((0, 2), np.int64))].shape == (0, 2, 4)


def test_dimensions_known_at_run_time():
    def f(x, m, i):
        y = x * 1
        y[m] = 0
        y[:, i] += 1
        return x[m], y, x[m][:, i]

    signature = [
        ag.TensorSpec([None, None], ag.float64),
        ag.TensorSpec([None], ag.bool_),
        ag.TensorSpec([None], ag.int64),
    ]
    mask, index = np.array([True, False, True]), np.array([1, -1])
    for options in ({}, {"jit_compile": False}):
        g = ag.function(f, input_signature=signature, **options)
        for got, expected in zip(g(X, mask, index), f(X, mask, index), strict=True):
            np.testing.assert_array_equal(got, expected)
        with pytest.raises(IndexError, match="along axis 0 the array has 3 elements, the index 2"):
            g(X, mask[:2], index)


def test_a_masked_write_in_a_loop_copies_nothing():
    def select(x, n):
        for _ in range(n):
            x[x > 3.0] = 0.0
            x[x < 1.0] += 2.0

    buffers = ag.jit(select).experimental_get_compiler_ir(np.arange(1000.0), 3)("bufferized")
    assert "memref.alloc" not in buffers
    assert "memref.copy" not in buffers


def test_errors_name_the_line_and_leave_arguments_alone():
    @ag.jit
    def f(x, i):
        x[0] = 9
        x[i] = 1

    x = np.zeros(3)
    with pytest.raises(IndexError, match=r"index 5 is out of bounds[^$]*x\[i\] = 1"):
        f(x, np.array([0, 5]))
    assert not x.any()
