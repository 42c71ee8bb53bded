"""What NumPy's functions give of numbers and lists that are known at run time only."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag

NUMBERS = {
    "sqrt": lambda x, n: x / np.sqrt(n),
    "of a quotient": lambda x, n: x / np.sqrt(x.shape[0] // n),
    "maximum": lambda x, n: x * np.maximum(n, 2),
    "add": lambda x, n: x + np.add(n, 2),
    "abs": lambda x, n: x * np.abs(n),
    "python's abs": lambda x, n: x * abs(n),
    "math": lambda x, n: x * (n**0.5),
    "divmod": lambda x, n: x * np.divmod(n, 2)[0],
    "clip": lambda x, n: x * np.clip(n, 0, 2),
    "where": lambda x, n: x * np.where(n > 1, n, 0),
    "as float32": lambda x, n: x * np.minimum(n, 3).astype(np.float32),
}


def summed_roots(x, n):
    total = 0.0
    for k in range(int(n)):
        total += np.sqrt(k)
    return x * total


@pytest.mark.parametrize("number", [2, 2.5, np.int64(2), np.float32(2)])
@pytest.mark.parametrize("function", [*NUMBERS.values(), summed_roots], ids=[*NUMBERS, "in a loop"])
def test_numbers_that_numpy_gives_have_a_dtype_that_counts(function, number):
    x = np.ones(3, np.float32)
    found, wanted = ag.jit(function)(x, number), function(x, number)
    assert found.dtype == wanted.dtype
    np.testing.assert_allclose(found, wanted, rtol=1e-6)


LISTS = {
    "max": lambda x, n: np.max([n, x[0]]),
    "argmin": lambda x, n: np.argmin([n, 2 * n, x[1]]),
    "sum of a tuple": lambda x, n: np.sum((n, x[0], 3)),
    "mean": lambda x, n: np.mean((n, 2 * n)),
    "any": lambda x, n: np.any([x[0] > 2, n > 1]),
    "dot": lambda x, n: np.dot([n, 2 * n], [1, 2]),
    "dot on the right": lambda x, n: np.dot([1, 2], [n, 2 * n]),
    "sort": lambda x, n: np.sort([n, x[0], 2]),
    "median": lambda x, n: np.median([n, x[0], 2]),
    "norm": lambda x, n: np.linalg.norm([x[0], n]),
    "det": lambda x, n: np.linalg.det([[n, 1], [2, x[0]]]),
    "rows": lambda x, n: np.argmax([[x[0], n], [n, 3.5]], axis=1),
    "ufunc": lambda x, n: np.sqrt([n, 2 * n]),
    "ufunc of two": lambda x, n: np.minimum([n, x[0]], 1.5),
    "matmul": lambda x, n: np.matmul([[n, 1], [2, x[0]]], [1, n]),
    "reduce": lambda x, n: np.maximum.reduce([x, 2 * x, x * n]),
    "reduce rows": lambda x, n: np.add.reduce([x, n * x], axis=1),
    "interp": lambda x, n: np.interp([n, 2 * n], [0, 3, 9], [1, 2, n]),
    "where": lambda x, n: np.where([n > 2, n > 1, n > 0], x, 0),
    "concatenate": lambda x, n: np.concatenate(([n], x)),
    "lengths": lambda x, n: np.tile(2.0, (int(n),)),
    "shape": lambda x, n: np.reshape(np.arange(6), (int(n), 3)),
}


@pytest.mark.parametrize("number", [2, 2.5])
@pytest.mark.parametrize("function", LISTS.values(), ids=LISTS)
def test_functions_are_given_lists_of_what_is_known_at_run_time(function, number):
    x = np.array([1.0, 4.0, 2.0])
    found, wanted = ag.jit(function)(x, number), function(x, number)
    assert np.asarray(found).dtype == np.asarray(wanted).dtype
    np.testing.assert_allclose(found, wanted, rtol=1e-14)
