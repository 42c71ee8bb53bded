"""``numpy.repeat`` by one number: a further axis, no division."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag


def flat(x, n):
    return np.repeat(x, n)


def along(x, n):
    return (
        np.repeat(x, n, axis=0),
        np.repeat(x, 3, axis=-1),
        np.repeat(x, 0),
        np.repeat(x, 1, axis=1),
        x.repeat(n, axis=1),
        np.repeat(x.T, 2, 0),
    )


def of_unknown_length(x, n):
    kept = x[x > 2]
    return np.repeat(kept, n), np.repeat(kept, 0), np.repeat(kept, 2), np.repeat(x[:0], n)


SHAPES = [(2, 3), (2, 0), (1, 1), (3, 1)]


@pytest.mark.parametrize("n", [0, 1, 2, 5])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("function", [flat, along, of_unknown_length])
def test_repetitions(function, shape, n):
    x = np.arange(np.prod(shape), dtype=np.int16).reshape(shape)
    found, wanted = ag.jit(function)(x, n), function(x, n)
    if not isinstance(wanted, tuple):
        found, wanted = (found,), (wanted,)
    for one, other in zip(found, wanted, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


def test_no_repetitions_below_zero():
    with pytest.raises(ValueError, match="negative"):
        ag.jit(flat)(np.ones(3), -1)


def test_nothing_is_divided():
    text = str(ag.jit(flat).experimental_get_compiler_ir(np.ones(10), 3)("optimized_hlo"))
    assert "divui" not in text


def test_a_gradient():
    x = np.arange(3.0)
    slope = ag.grad(lambda x: (np.repeat(x, 2) * np.arange(6.0)).sum())(x)
    np.testing.assert_array_equal(slope, [1, 5, 9])
