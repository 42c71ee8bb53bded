"""Floats: ``math.gamma``, ``math.frexp`` and their like, and ``math.fsum``."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

__ag_convert__ = True

_DOMAIN, _RANGE = "math domain error", "math range error"

# The gamma function: Abramowitz and Stegun, Handbook of Mathematical Functions, chapter 6.

_EULER = 0.57721566490153286061
_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798)
_STIRLING = tuple(b / (2 * k * (2 * k - 1)) for k, b in enumerate(_BERNOULLI, 1))
"""6.1.40: of odd powers of 1 / x."""
_LARGE = 12.0
"""From here on the series above is as exact as a float."""


def _zeta_less_one(power: int) -> float:
    """The sum of ``n ** -power`` from 2 on: some terms, and Euler and Maclaurin's rest."""
    last = 16.0
    rest = last ** (1 - power) / (power - 1) - last**-power / 2
    rest += power * last ** (-power - 1) / 12
    rest -= power * (power + 1) * (power + 2) * last ** (-power - 3) / 720
    rest += math.prod(range(power, power + 5)) * last ** (-power - 5) / 30240
    rest -= math.prod(range(power, power + 7)) * last ** (-power - 7) / 1209600
    return math.fsum([n**-power for n in range(2, 17)] + [rest])


_NEAR_TWO = (1 - _EULER, *((-1) ** k * _zeta_less_one(k) / k for k in range(2, 31)))
"""6.1.33: the logarithm of gamma(2 + x), of x and its powers up to x**30."""


def _tail(x: float) -> float:
    """What Stirling's formula lacks."""
    inverse = 1.0 / x
    square, total = inverse * inverse, 0.0
    for factor in reversed(_STIRLING):
        total = total * square + factor
    return total * inverse


def _sine_of_pi_times(x: float) -> float:
    """The size of ``sin(pi * x)``, exactly 0 for integers."""
    rest = abs(math.fmod(x, 1.0))
    return math.sin(math.pi * (rest if rest <= 0.5 else 1.0 - rest))


def gamma(x: float) -> float:
    """The factorial of ``x - 1``, of any number that is no integer below 1."""
    if x != x or x == math.inf:
        return x
    if x == -math.inf or (x <= 0.0 and x == math.floor(x)):
        raise ValueError(_DOMAIN)
    if x > 172.0:
        raise OverflowError(_RANGE)
    if x < -190.0:
        return 0.0 if math.fmod(math.floor(x), 2.0) == 0.0 else -0.0
    size = abs(x) if abs(x) >= 0.5 else 1.0 - x
    half, rest = 1.0, 1.0
    if size <= 24.0 and size == math.floor(size):
        for factor in range(2, int(size)):
            rest *= factor
    else:
        while size < _LARGE:
            rest *= size
            size += 1.0
        half = size ** (size / 2 - 0.25)
        rest = math.sqrt(2 * math.pi) * math.exp(-size) * math.exp(_tail(size)) / rest
    if x >= 0.5:
        found = half * rest * half
    else:
        found = math.pi / _sine_of_pi_times(x) / half / rest / half
        if x <= -0.5:
            found /= -x
        if x < 0.0 and math.fmod(math.floor(x), 2.0) != 0.0:
            found = -found
    if abs(found) == math.inf:
        raise OverflowError(_RANGE)
    return found


def lgamma(x: float) -> float:
    """The logarithm of the size of ``gamma(x)``."""
    if x != x:
        return x
    if x == math.inf or x == -math.inf:
        return math.inf
    if x <= 0.0 and x == math.floor(x):
        raise ValueError(_DOMAIN)
    if x > 0.0:
        found = _log_gamma(x)
    elif x > -1e-20:
        found = -math.log(-x)
    else:
        found = math.log(math.pi) - math.log(_sine_of_pi_times(x)) - math.log(-x) - _log_gamma(-x)
    if found == math.inf:
        raise OverflowError(_RANGE)
    return found


def _log_gamma(x: float) -> float:
    """The same for a number above 0, as exact where it is close to 0."""
    if x >= _LARGE:
        return (x - 0.5) * (math.log(x) - 1.0) + (0.5 * math.log(2 * math.pi) - 0.5) + _tail(x)
    distance, before, product = x - 2.0, 0.0, 1.0
    if x < 0.5:
        distance, before = x, -math.log(x) - math.log1p(x)
    elif x < 1.5:
        distance, before = x - 1.0, -math.log1p(x - 1.0)
    else:
        while distance > 0.5:
            distance -= 1.0
            product *= distance + 2.0
        before = math.log(product)
    total = 0.0
    for factor in reversed(_NEAR_TWO):
        total = (total + factor) * distance
    return total + before


# The parts of floats


def frexp(x: float) -> tuple[float, int]:
    """The mantissa, from a half to one, and the exponent."""
    mantissa, exponent = np.frexp(x)
    return float(mantissa), int(exponent)


def ldexp(x: float, i: int) -> float:
    """``x * 2**i``."""
    found = float(np.ldexp(x, i))
    if found in (math.inf, -math.inf) and math.isfinite(x):
        raise OverflowError(_RANGE)
    return found


def nextafter(x: float, y: float) -> float:
    """The next float from ``x`` towards ``y``."""
    return float(np.nextafter(x, y))


def ulp(x: float) -> float:
    """The value of the last bit."""
    size = abs(x)
    if x != x or size == math.inf:
        return size
    above = nextafter(size, math.inf)
    return size - nextafter(size, 0.0) if above == math.inf else above - size


def remainder(x: float, y: float) -> float:
    """What is left of ``x`` by the multiple of ``y`` that is nearest, of two the even one."""
    if x != x or y != y:
        return x + y
    size, step = abs(x), abs(y)
    if size == math.inf or step == 0.0:
        raise ValueError(_DOMAIN)
    if step == math.inf:
        return x
    above = math.fmod(size, step)
    below = step - above
    rest = above
    if above > below:
        rest = -below
    elif above == below:
        rest = above - 2.0 * math.fmod(0.5 * (size - above), step)
    return math.copysign(1.0, x) * rest


# Sums


def fsum(seq: Iterable[float]) -> float:
    """The sum, rounded once."""
    parts, special, plus, minus = summed(seq)
    if plus and minus:
        raise ValueError("-inf + inf in fsum")
    if special != 0.0:  # infinite, or NaN
        return special
    return _rounded(parts, len(parts))


def summed(seq: Iterable[float]) -> tuple[list[float], float, bool, bool]:
    """Floats whose sum it is, and the sum of what is infinite or NaN, and whether that has both signs.

    Shewchuk, Adaptive precision floating-point arithmetic and fast robust geometric predicates,
    Discrete and Computational Geometry 18, 1997: the sum of all so far is held by floats no two of
    which overlap, the least one first.
    """
    parts = [0.0 for _ in range(64)]  # 2098 bits, 53 in each
    count, special, plus, minus = 0, 0.0, False, False
    for each in seq:
        x = float(each)
        if not math.isfinite(x):
            special += x
            plus, minus = plus or x == math.inf, minus or x == -math.inf
            continue
        kept = 0
        for k in range(count):
            y = parts[k]
            total = x + y
            rest = y - (total - x) if abs(x) >= abs(y) else x - (total - y)
            if rest != 0.0:
                parts[kept] = rest
                kept += 1
            x = total
        if not math.isfinite(x):
            raise OverflowError("intermediate overflow in fsum")
        parts[kept] = x
        count = kept + 1
    return parts[:count], special, plus, minus


def _rounded(parts: list[float], count: int) -> float:
    """The sum of floats that do not overlap; half of a last bit goes where the rest goes."""
    if count == 0:
        return 0.0
    place = count - 1
    total, rest = parts[place], 0.0
    while place > 0 and rest == 0.0:
        place -= 1
        part = parts[place]
        before = total
        total = before + part
        rest = part - (total - before)
    if place > 0 and rest * float(np.sign(parts[place - 1])) > 0.0:
        twice = rest * 2.0
        above = total + twice
        if above - total == twice:
            total = above
    return total + 0.0  # never -0.0
