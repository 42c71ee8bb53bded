"""Sine, cosine and tangent of an angle that has been reduced to an eighth of a turn."""

from __future__ import annotations

from agir.records import dataclass

from .builder import Builder, Value
from .coefficients import POLYNOMIALS


@dataclass
class Angle:
    """``x`` less ``n`` quarter turns, as a pair."""

    n: Value
    r: Value
    low: Value


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
