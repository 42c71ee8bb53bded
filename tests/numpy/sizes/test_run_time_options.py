"""NumPy's functions of known values, with a run-time number where NumPy asks no array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import agir as ag

FUNCTIONS: list[Callable[[Any], Any]] = [
    lambda n: np.repeat(2.5, n),
    lambda n: np.repeat(np.float32(1), n),
    lambda n: np.repeat([1, 2], n),
    lambda n: np.repeat([[1, 2], [3, 4]], n, axis=1),
    lambda n: np.repeat([1, 2], [n, 3]),
    lambda n: np.arange(n) + np.repeat(1, n),
    lambda n: np.tile((1, 2), (2, n)),
    lambda n: np.roll([1, 2, 3], n),
    lambda n: np.roll([1, 2, 3], shift=n),
    lambda n: np.broadcast_to(2.5, (n, 2)),
    lambda n: np.pad([1, 2], n),
    lambda n: np.pad([1, 2], (1, n)),
    lambda n: np.take([5, 6, 7, 8], n),
    lambda n: np.resize([1, 2], n),
    lambda n: np.partition([3, 1, 2, 5], n),
    lambda n: np.split(np.arange(6), [n])[0],
    lambda n: np.insert([1, 2, 3], n, 9),
    lambda n: np.delete([1, 2, 3, 4], n),
    lambda n: np.vander([1, 2, 3], n),
    lambda n: np.clip([1, 5, 9], n, 6),
]


@pytest.mark.parametrize("decorator", [ag.jit, ag.function])
@pytest.mark.parametrize("number", range(len(FUNCTIONS)))
def test_known_values(number: int, decorator: Any) -> None:
    function = FUNCTIONS[number]
    decorated = decorator(function)
    for n in (2, 3, 1):
        given = n if decorator is ag.jit else ag.constant(n, ag.int64)
        expected, found = np.asarray(function(n)), np.asarray(decorated(given))
        np.testing.assert_array_equal(found, expected)
        assert found.dtype == expected.dtype
