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
    """What the angle's low part adds is less than the last place, and left out."""
    r, z = angle.r, angle.r * angle.r
    sine = b.fma(r * z, b.polynomial(z, POLYNOMIALS["SINE", b.kind.name]), r)
    tail = b.polynomial(z, POLYNOMIALS["COSINE", b.kind.name])
    cosine = b.fma(z * z, tail, b.fma(z, -0.5, 1.0))
    value = b.select((n & 1).equals(0), sine, cosine)
    return b.float_of(b.bits(value) ^ ((n & 2) << (b.kind.bits - 2)))


def tangent_of(b: Builder, angle: Angle) -> Value:
    """A polynomial, or minus the reciprocal of its pair: the derivative is 2 at an eighth of a turn."""
    r, low = angle.r, angle.low
    z = r * r
    p = b.polynomial(z, POLYNOMIALS["TANGENT", b.kind.name])
    tangent, rest = b.fast_sum(r, b.fma(r * z, p, b.fma(low, z, low)))
    near = -1.0 / tangent
    missing = b.fma(near, rest, b.fma(near, tangent, 1.0))
    return b.select((angle.n & 1).equals(0), tangent, b.fma(near, missing, near))
