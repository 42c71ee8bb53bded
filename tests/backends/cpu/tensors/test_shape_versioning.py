"""Arrays whose sizes only the run time knows: they are repeated where NumPy repeats them, computed
in place where they are not, and wrong sizes are NumPy's errors."""

from __future__ import annotations

import copy
import re

import numpy as np
import pytest

import agir as ag


def added(n, x, k):
    p = np.zeros((n, x.shape[1]), x.dtype)
    for _ in range(k):
        p += x
    return p


def assigned(n, x, k):
    p = np.ones((n, n), x.dtype)
    for _ in range(k):
        p[:] = p + x
    return p


def rebound(n, x, k):
    p, q = np.zeros((n, n), x.dtype), np.ones((n, 1), x.dtype)
    for _ in range(k):
        r = p - q * x
        q = q + 1
        p[0] += r[0, :n]
    return p, q


def inner_part(n, x, k):
    p = np.zeros((n, n), x.dtype)
    for _ in range(k):
        p[1:-1, 1:-1] += x[:-2, 1:-1] - x[1:-1, 2:]
    return p


def every_second_backwards(n, x, k):
    p = np.zeros((n, x.shape[1]), x.dtype)
    for i in range(k):
        p[::-2] += x[::2] + i
        p[:, ::-1] -= p
    return p


def bounds_of_numbers(n, x, k):
    for _ in range(k):
        x[1 : n - 1, 1 : n - 1] = (
            x[: n - 2, 1 : n - 1] + x[2:n, 1 : n - 1] - x[1 : n - 1, : n - 2] - x[1 : n - 1, 2:n]
        )
    return x


def kept_and_written(n, x, k):
    p = np.zeros((n, n), x.dtype)
    old = p
    for _ in range(k):
        before = p.copy()
        p += x
        x[...] = before - p
    return p, old, x


def while_it_grows(n, x, k):
    p, i = np.zeros((n, n), x.dtype), 0
    while i < k:
        p -= x * i
        if i % 2:
            p[1:] += x[:-1]
        i += 1
    return p


def in_iteration(n, x, k):
    out, s = np.empty((k, n), x.dtype), np.zeros(n, x.dtype)
    for t in range(k):
        for u in range(2):
            s = s + x[t] - u
        out[t, :] = s
    return out


def sizes_that_change(n, x, k):
    total = x[0] * 0
    for t in range(k):
        p = np.full((t + 1, n), 2, x.dtype)
        p += x[: t + 1]
        total = total + p.sum(axis=0)
    return total


FUNCTIONS = [
    *(added, assigned, rebound, inner_part, every_second_backwards, bounds_of_numbers),
    *(kept_and_written, while_it_grows, in_iteration, sizes_that_change),
]


def of_numpy(function, *arguments):
    """What a function gives and leaves in its arguments, or how it fails."""
    arguments = copy.deepcopy(arguments)
    try:
        with np.errstate(all="ignore"):
            return function(*arguments), arguments
    except (ValueError, IndexError) as error:
        return type(error), None


@pytest.mark.parametrize("dtype", [np.float64, np.int32, np.complex64, np.bool_])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_as_numpy_does(function, dtype):
    if dtype is np.bool_ and function not in (added, assigned):
        pytest.skip("NumPy subtracts no truth values")
    compiled = ag.jit(function)
    x = (np.arange(36).reshape(6, 6) % 7).astype(dtype)
    for n in (6, 1, 5, 0, 7, 2, -3, 6):
        for k in (3, 0, 1):
            expected, after = of_numpy(function, n, x, k)
            given = copy.deepcopy((n, x, k))
            if after is None:
                with pytest.raises(expected):
                    compiled(*given)
                continue
            result = compiled(*given)
            np.testing.assert_equal(result, expected)
            np.testing.assert_array_equal(given[1], after[1])


@pytest.mark.parametrize("function", [added, assigned, inner_part], ids=lambda f: f.__name__)
def test_nothing_is_allocated_in_a_loop(function):
    text = ag.jit(function).experimental_get_compiler_ir(5, np.ones((5, 5)), 3)("bufferized")
    loops = text[text.index("scf.for") :]
    assert "linalg.generic" in loops
    assert "memref.alloc" not in loops
    assert "memref.copy" not in loops
    assert "remui" not in text  # where elements are repeated


def test_what_may_be_repeated_is_asked_once():
    arguments = 5, np.ones((5, 5)), 3
    text = ag.jit(bounds_of_numbers).experimental_get_compiler_ir(*arguments)("optimized_hlo")
    usual, other = re.split(r"\n    } else {", text)
    assert usual.count("scf.for") == other.count("scf.for") == 1
    assert "tensor.generate" not in usual
    assert "tensor.generate" in other


def test_an_explanation_shows_what_ran():
    text = str(ag.jit(bounds_of_numbers).explain(6, np.ones((6, 6)), 3))
    assert "for in another form, not run" in text
    shown = text[: text.index("not run")]
    assert text.count("add") == shown.count("add")
