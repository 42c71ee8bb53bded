"""round(x, digits) gives the float that Python gives, ties and great numbers included."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable

import pytest

import agir as ag


def rounding(digits: int) -> Callable[[float], float]:
    def f(x):
        return round(x, digits)

    return ag.jit(f)


def floats(digits: int, count: int) -> list[float]:
    """Bit patterns, ties, and numbers about as large as digits are told for."""
    chance = random.Random(digits)
    found = [0.0, -0.0, 0.5, 2.675, 1.005, float("inf"), float("-inf"), 5e-324, 1.7e308]
    for _ in range(count):
        found += [
            struct.unpack("d", struct.pack("Q", chance.getrandbits(64)))[0],
            chance.randrange(-(10**6), 10**6) * 5 * 10.0 ** -max(digits + 1, 0),
            chance.randrange(-(2**53), 2**53) / 2 ** chance.randrange(60),
            chance.uniform(-1, 1) * 10.0 ** chance.randrange(-5, 18),
        ]
    return found


@pytest.mark.parametrize("digits", [0, 1, 2, 5, 15, 16, 22, -1, -3, -15, -22])
def test_the_nearest_float(digits: int) -> None:
    decorated = rounding(digits)
    for x in floats(digits, 200):
        try:
            wanted = round(x, digits)
        except OverflowError:  # beyond the greatest float
            continue
        assert repr(decorated(x)) == repr(wanted), x


def test_digits_that_no_float_can_tell_are_refused() -> None:
    with pytest.raises(ag.errors.StagingError, match="22 at most"):
        rounding(23)(0.5)
