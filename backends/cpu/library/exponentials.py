"""The exponential function and its kin.

``x = n log(2) + r`` with an integer ``n`` and ``|r| <= log(2)/2`` (Cody and Waite 1980, chapter 6):
the product with the first part of ``log(2)`` is fused with the difference, which is then exact.
What is common to them is ``expm1(r)`` as a pair of numbers.
"""

from __future__ import annotations

from agir.records import dataclass

from . import instructions
from .builder import Builder, Value
from .coefficients import CONSTANTS, POLYNOMIALS

# Beyond these the result is 0 or infinity.
_LOWEST = {"f32": -104.0, "f64": -746.0}
_HIGHEST = {"f32": 89.0, "f64": 710.0}
_SATURATED = {"f32": 20.0, "f64": 40.0}  # expm1(-x) is -1, tanh(x/2) is 1
_MANY = 60  # 1 - 2^-60 is 1


@dataclass
class Power:
    """2 to a power that is there as a number and as an integer; only one of both is used."""

    number: Value
    integer: Value

    def times(self, x: Value) -> Value:
        """``x`` times this, rounded once."""
        b = x.builder
        if instructions.available():
            return instructions.times_power(b, x, self.number)
        return b.scaled(x, self.integer)

    def power(self) -> Value:
        """This, where it is a normal number."""
        b = self.number.builder
        if instructions.available():
            return instructions.times_power(b, b.constant(1.0), self.number)
        return b.power_of_two(self.integer)

    def inverse(self) -> Value:
        """One over this, or less than 2^-60 where that is less."""
        b = self.number.builder
        if instructions.available():
            return instructions.times_power(b, b.constant(1.0), -self.number)
        few = b.select(self.integer > _MANY, _MANY, self.integer)
        return b.power_of_two(b.constant(0, few.type) - few)

    def less_one(self) -> Power:
        """Half of this."""
        return Power(self.number - 1.0, self.integer - 1)


@dataclass
class Reduced:
    """``exp(x) = 2^n exp(r + low)``."""

    n: Power
    r: Value
    low: Value


def exp(b: Builder, x: Value) -> Value:
    """``exp(x)``."""
    name = b.kind.name
    reduced = reduce(b, b.clamp(x, _LOWEST[name], _HIGHEST[name]))
    return reduced.n.times(1.0 + _expm1(b, reduced.r))


def exp2(b: Builder, x: Value) -> Value:
    """``2^x``."""
    name = b.kind.name
    bound = 1080.0 if name == "f64" else 155.0
    x = b.clamp(x, -bound, bound)
    fraction, power = fraction_and_power(b, x)
    return power.times(power_of_fraction(b, fraction))


def fraction_and_power(b: Builder, x: Value) -> tuple[Value, Power]:
    """What ``x`` is more than the nearest integer, and 2 to that."""
    number, n = rounded(b, x)
    if instructions.available():
        number = b.op("math.roundeven", x)
    return x - number, Power(number, n)


def power_of_fraction(b: Builder, x: Value) -> Value:
    """``2^x`` between -1/2 and 1/2."""
    return b.fma(x, b.polynomial(x, POLYNOMIALS["EXPONENTIAL_2", b.kind.name]), 1.0)


def expm1(b: Builder, x: Value) -> Value:
    """``exp(x) - 1`` as ``2^n (expm1(r) + (1 - 2^-n))``."""
    name = b.kind.name
    reduced = reduce(b, b.clamp(x, -_SATURATED[name], _HIGHEST[name]))
    above = 1.0 - reduced.n.inverse()
    return b.copysign(reduced.n.times(above + _expm1(b, reduced.r, reduced.low)), x)


def tanh(b: Builder, x: Value) -> Value:
    """``t / (t + 2)`` with ``t = expm1(2x)``, less the errors of the sum and the division."""
    size = b.clamp(abs(x), None, _SATURATED[b.kind.name] / 2)
    reduced = reduce(b, size + size)
    scale = reduced.n.power()
    t = b.fma(scale, _expm1(b, reduced.r, reduced.low), scale - 1.0)
    below = t + 2.0
    missing = t - (below - 2.0)
    inverse = 1.0 / below
    near = t * inverse
    rest = b.fma(-near, missing, b.fma(-near, below, t))
    return b.copysign(b.fma(rest, inverse, near), x)


def sinh(b: Builder, x: Value) -> Value:
    """An odd polynomial up to 1, then ``(exp(x) - exp(-x)) / 2``."""
    size = abs(x)
    half = _half_exp(b, size)
    square = size * size
    small = b.fma(
        size * square, b.polynomial(square, POLYNOMIALS["HYPERBOLIC_SINE", b.kind.name]), size
    )
    return b.copysign(b.select(size < 1.0, small, half - 0.25 / half), x)


def cosh(b: Builder, x: Value) -> Value:
    """``(exp(x) + exp(-x)) / 2``."""
    half = _half_exp(b, abs(x))
    return half + 0.25 / half


def _half_exp(b: Builder, x: Value) -> Value:
    """``exp(x) / 2``, which does not overflow where the half of it fits."""
    reduced = reduce(b, b.clamp(x, None, _HIGHEST[b.kind.name] + 1.0))
    return reduced.n.less_one().times(1.0 + _expm1(b, reduced.r))


def rounded(b: Builder, x: Value, factor: float = 1.0) -> tuple[Value, Value]:
    """The integer nearest to ``factor * x``, as a number and as an integer.

    Adding 1.5 * 2^52 leaves it in the low bits of the sum, whatever rounding a conversion takes;
    of a NaN these bits are arbitrary, but defined.
    """
    magic = b.kind.magic
    shifted = b.fma(x, factor, magic) if factor != 1.0 else x + magic
    bits = b.bits(shifted) - b.kind.pattern(magic)
    return shifted - magic, bits


def reduce(b: Builder, x: Value) -> Reduced:
    """``x`` less the nearest multiple of ``log(2)``."""
    name = b.kind.name
    number, n = rounded(b, x, CONSTANTS["LOG2_E", name][0])
    first, second, *_ = CONSTANTS["LOG_2", name]
    near = b.fma(number, -first, x)
    r = b.fma(number, -second, near)
    return Reduced(Power(number, n), r, b.fma(number, -second, near - r))


def _expm1(b: Builder, r: Value, low: Value | None = None) -> Value:
    p = b.polynomial(r, POLYNOMIALS["EXPONENTIAL", b.kind.name])
    return b.fma(r * r, p, r) if low is None else r + b.fma(r * r, p, low)


def expm1_pair(b: Builder, reduced: Reduced) -> tuple[Value, Value]:
    """``expm1(r + low)`` as a pair."""
    r, low = reduced.r, reduced.low
    high, rest = b.fast_sum(r, (r * r) * b.polynomial(r, POLYNOMIALS["EXPONENTIAL", b.kind.name]))
    return high, rest + b.fma(low, r, low)
