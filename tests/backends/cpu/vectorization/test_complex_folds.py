"""Complex arithmetic is computed as it is written: MLIR's folders keep no infinities, nor rounding."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import agir as ag

Z = np.array([complex(-np.inf, np.inf), complex(-np.inf, np.nan), complex(np.inf, 0), 1 + 2j,
              complex(-0.0, -0.0), 1e20 + 1j, 1 + 10j, 2 - 7j])  # fmt: skip
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "times_one": lambda z, w: z * 1, "one_times": lambda z, w: 1 * z, "plus_zero": lambda z, w: z + 0,
    "minus_zero": lambda z, w: z - 0, "by_one": lambda z, w: z / 1, "by_zero": lambda z, w: z / 0,
    "there_and_back": lambda z, w: (z + w) - w, "back_and_there": lambda z, w: (z - w) + w,
    "log_of_exp": lambda z, w: np.log(np.exp(z[3:] / 4)),
    "twice_negative": lambda z, w: -np.negative(z),
    "of_one_element": lambda z, w: (z[3] + w[3]) - w[3], "itself": lambda z, w: z - z,
}  # fmt: skip


@pytest.mark.parametrize("dtype", ["complex128", "complex64"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_nothing_is_folded_that_changes_a_number(name: str, dtype: str) -> None:
    z, w = Z.astype(dtype), np.full(len(Z), 1e20, dtype)
    f = FUNCTIONS[name]
    with np.errstate(all="ignore"):
        wanted = np.asarray(f(z, w))
    found = np.asarray(ag.jit(lambda z, w: f(z, w))(z, w))
    for got, part in ((found.real, wanted.real), (found.imag, wanted.imag)):
        np.testing.assert_allclose(got, part, rtol=0 if name != "log_of_exp" else 1e-6)
        zeros = part == 0
        assert (np.signbit(got) == np.signbit(part))[zeros].all()


def test_quotients_of_all_kinds_of_numbers_are_numpys() -> None:
    parts = [0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan, 1e300, 1e-310]
    z = np.array([complex(a, b) for a in parts for b in parts])
    x, y = np.repeat(z, len(z)), np.tile(z, len(z))
    with np.errstate(all="ignore"):
        wanted = x / y
    found = ag.jit(lambda x, y: x / y)(x, y)
    np.testing.assert_array_equal(found.real, wanted.real)
    np.testing.assert_array_equal(found.imag, wanted.imag)
