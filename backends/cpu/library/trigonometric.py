"""Sine, cosine and tangent for arguments of any size.

``x = n pi/2 + r``.  Up to a limit, three parts of ``pi/2`` are subtracted (Cody and Waite 1980, chapter
8): with a fused multiply-add the first difference is exact, and the second product is taken with
its error, so ``r`` is a pair of numbers that is good to some 100 bits.  A larger argument meets
`large_arguments`, in a branch that vectorised code takes only if one of its lanes does.
"""

from __future__ import annotations

from dataclasses import dataclass

from . import large_arguments
from .builder import Builder, Value
from .coefficients import CONSTANTS, POLYNOMIALS
from .exponentials import rounded

LIMIT = {"f32": 2.0**14, "f64": 2.0**40}


@dataclass
class Angle:
    """``x`` less ``n`` quarter turns, as a pair."""

    n: Value
    r: Value
    low: Value


def sin(b: Builder, x: Value) -> Value:
    """The sine, of ``|x|`` with the sign of ``x``."""
    size = abs(x)
    return _with_sign(b, _guarded(b, size, "sin", sine_of(b, reduce(b, size))), x)


def cos(b: Builder, x: Value) -> Value:
    """The cosine."""
    size = abs(x)
    return _guarded(b, size, "cos", cosine_of(b, reduce(b, size)))


def tan(b: Builder, x: Value) -> Value:
    """The tangent."""
    size = abs(x)
    return _with_sign(b, _guarded(b, size, "tan", tangent_of(b, reduce(b, size))), x)


def _guarded(b: Builder, size: Value, name: str, result: Value) -> Value:
    symbol = large_arguments.symbol(name, b.kind, in_loop=b.in_loop)
    return b.rarely(size > LIMIT[b.kind.name], symbol, size, result)


def _with_sign(b: Builder, value: Value, sign: Value) -> Value:
    lowest = -(2 ** (b.kind.bits - 1))
    return b.float_of(b.bits(value) ^ (b.bits(sign) & lowest))


def reduce(b: Builder, x: Value) -> Angle:
    """``x`` less the nearest multiple of ``pi/2``."""
    name = b.kind.name
    number, n = rounded(b, x, CONSTANTS["TWO_OVER_PI", name][0])
    first, second, third, _ = CONSTANTS["HALF_PI", name]
    near = b.fma(number, -first, x)
    product, error = b.two_product(number, second)
    # near is a multiple of the last place of the product, which is as good as being larger
    r, rest = b.fast_sum(near, -product)
    return Angle(n, r, rest - b.fma(number, third, error))


def sine_of(b: Builder, angle: Angle) -> Value:
    """The sine of the whole angle."""
    return _turned(b, angle, angle.n)


def cosine_of(b: Builder, angle: Angle) -> Value:
    """The cosine of the whole angle: the sine a quarter turn later."""
    return _turned(b, angle, angle.n + 1)


def _turned(b: Builder, angle: Angle, n: Value) -> Value:
    sine = angle.r + _sine_tail(b, angle)
    whole, rest = _cosine_pair(b, angle)
    value = b.select((n & 1).equals(0), sine, whole + rest)
    return b.float_of(b.bits(value) ^ ((n & 2) << (b.kind.bits - 2)))


def tangent_of(b: Builder, angle: Angle) -> Value:
    """The sine over the cosine, or the cosine over the negated sine."""
    sine, sine_low = b.fast_sum(angle.r, _sine_tail(b, angle))
    cosine, cosine_low = b.fast_sum(*_cosine_pair(b, angle))
    even = (angle.n & 1).equals(0)
    above, above_low = b.select(even, sine, cosine), b.select(even, sine_low, cosine_low)
    below, below_low = b.select(even, cosine, -sine), b.select(even, cosine_low, -sine_low)
    first, rest = b.quotient(above, above_low, below, below_low)
    return first + rest


def _sine_tail(b: Builder, angle: Angle) -> Value:
    """What the sine of ``r + low`` is more than ``r``."""
    r, low = angle.r, angle.low
    z = r * r
    p = b.polynomial(z, POLYNOMIALS["SINE", b.kind.name])
    return b.fma(r * z, p, b.fma(low * z, -0.5, low))


def _cosine_pair(b: Builder, angle: Angle) -> tuple[Value, Value]:
    r, low = angle.r, angle.low
    z = r * r
    half = 0.5 * z
    whole = 1.0 - half
    error = (1.0 - whole) - half
    p = b.polynomial(z, POLYNOMIALS["COSINE", b.kind.name])
    # z itself is rounded: its error, halved, counts in the last place
    square_error = b.fma(r, r, -z)
    return whole, error + b.fma(z * z, p, -b.fma(r, low, 0.5 * square_error))
