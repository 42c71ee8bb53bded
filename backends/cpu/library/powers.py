"""Powers and roots."""

from __future__ import annotations

import math

from . import instructions
from .builder import DOUBLE, Builder, Value
from .coefficients import CONSTANTS, POLYNOMIALS
from .exponentials import Power, fraction_and_power, power_of_fraction, rounded
from .logarithms import integer_to_float, split, split_normal


def pow(b: Builder, x: Value, y: Value) -> Value:
    """``exp2(y log2(x))``, in double precision, whose logarithm then is a pair of numbers."""
    size = abs(x)
    magnitude = _power(b, size, y) if b.kind == DOUBLE else _single_power(b, size, y)
    return _signed(b, x, y, magnitude)


def _single_power(single: Builder, x: Value, y: Value) -> Value:
    """The logarithm in double precision, which needs no care; then the fraction in single."""
    b = single.inside(DOUBLE)
    wide, exponent = (b.adopt(single.converted(value, "f64")) for value in (x, y))
    product = b.clamp(_log2_of_single(b, wide) * exponent, -200.0, 200.0)
    fraction, power = fraction_and_power(b, product)
    narrow = power_of_fraction(single, single.adopt(b.converted(fraction, "f32")))
    value = power.times(b.adopt(single.converted(narrow, "f64")))
    return single.adopt(b.converted(value, "f32"))


def _log2_of_single(b: Builder, x: Value) -> Value:
    """The binary logarithm, to 35 bits, of a number of single precision, which here is normal."""
    if instructions.available():
        exponent, f = split(b, x)
    else:
        exponent, f, _ = split_normal(b, x)
    s = f / (2.0 + f)
    return b.fma(s, b.polynomial(s * s, POLYNOMIALS["BINARY_LOGARITHM", "f64"]), exponent)


def _signed(b: Builder, x: Value, y: Value, magnitude: Value) -> Value:
    """The magnitude with its sign, and what the other cases are.

    Where the product with the logarithm is none, as of zero and infinity, the power is 1.
    """
    magnitude = b.select(magnitude.equals(magnitude), magnitude, 1.0)
    whole = b.op("math.roundeven", y).equals(y)
    half = 0.5 * y
    odd = b.op("arith.andi", whole, b.op("math.roundeven", half).differs(half))
    result = b.select(odd, b.copysign(magnitude, x), magnitude)
    finite_negative = b.op("arith.andi", x < 0.0, x.differs(0.5 * x))
    undefined = b.select(whole, b.constant(0, "i1"), finite_negative)
    counts = b.op("arith.andi", x.differs(1.0), y.differs(0.0))
    unknown = b.op("arith.andi", b.op("arith.cmpf uno,", x, y, type="i1"), counts)
    return b.select(b.op("arith.ori", undefined, unknown), math.nan, result)


def _power(b: Builder, x: Value, y: Value) -> Value:
    """Of a number that is not negative."""
    log, log_low = _log2(b, x)
    product, error = b.two_product(log, y)
    unit, *_ = CONSTANTS["LOG_2", "f64"]
    low = b.select(abs(product) < 1100.0, b.fma(log_low, y, error) * unit, 0.0)
    fraction, power = fraction_and_power(b, b.clamp(product, -1100.0, 1100.0))
    p = b.polynomial(fraction, POLYNOMIALS["EXPONENTIAL_2", "f64"])
    growth = b.fma(fraction, p, b.fma(low, fraction * p, low))
    return power.times(1.0 + growth)


def _log2(b: Builder, x: Value) -> tuple[Value, Value]:
    """The binary logarithm as a pair, good to some 66 bits; where it is infinite, so is the first."""
    exponent, f = split(b, x)
    below = 2.0 + f
    s, s_low = b.quotient(f, None, below, (2.0 - below) + f)
    z, error = b.two_product(s, s)
    z_low = b.fma(s + s, s_low, error)
    third, third_low, *_ = CONSTANTS["THIRD", "f64"]
    w, w_low = b.fast_sum(
        b.constant(third), z * b.polynomial(z, POLYNOMIALS["LOGARITHM_TAIL", "f64"])
    )
    p, error = b.two_product(z, w)
    p_low = b.fma(z, w_low + third_low, b.fma(z_low, w, error))
    # log(x) = 2 s (1 + p)
    t, error = b.two_product(s, p)
    t_low = b.fma(s, p_low, b.fma(s_low, p, error))
    high, low = b.fast_sum(s, t)
    low = low + (t_low + s_low)
    factor, factor_low, *_ = CONSTANTS["LOG2_E", "f64"]
    product, error = b.two_product(high, 2.0 * factor)
    low = b.fma(high, 2.0 * factor_low, b.fma(low, 2.0 * factor, error))
    total, rest = b.fast_sum(exponent, product)
    if not instructions.available():
        total = b.select(x < math.inf, total, x)
        total = b.select(x.equals(0.0), -math.inf, total)
    return total, rest + low


def rsqrt(b: Builder, x: Value) -> Value:
    """``1 / sqrt(x)``."""
    return 1.0 / b.sqrt(x)


def cbrt(b: Builder, x: Value) -> Value:
    """The reciprocal cube root by cubic iterations, the last of which gives the root.

    With ``r^3 n`` near 1, the root is ``n r^2`` over the power 2/3 of that.
    """
    size = abs(x)
    mantissa, rest, third = _thirds(b, size)
    number = rest.times(mantissa)
    root = b.polynomial(mantissa, POLYNOMIALS["RECIPROCAL_CUBE_ROOT", b.kind.name])
    root = root * b.polynomial(rest.number, _CUBE_ROOTS)
    if b.kind == DOUBLE:
        miss = b.fma(-(number * root), root * root, 1.0)
        root = b.fma(root * miss, b.fma(miss, 2 / 9, 1 / 3), root)
    square = root * root
    miss = b.fma(-(number * root), square, 1.0)
    part = (number * square) * miss
    y = third.times(b.fma(number, square, part * b.fma(miss, 5 / 9, 2 / 3)))
    usual = b.op("arith.andi", size > 0.0, size < math.inf)
    return b.select(usual, b.copysign(y, x), x)


_CUBE_ROOTS = (1.0, (2 ** (-1 / 3) - 2 ** (1 / 3)) / 2, (2 ** (-1 / 3) + 2 ** (1 / 3)) / 2 - 1)
"""The polynomial that is the reciprocal cube root of 2 to -1, 0 and 1."""


def _thirds(b: Builder, x: Value) -> tuple[Value, Power, Power]:
    """``m``, from 1 to 2, and 2 to ``k``, from -1 to 1, and to ``n``: ``x`` is ``m 2^(k + 3 n)``."""
    if instructions.available():
        exponent = instructions.exponent(b, x)
        third, n = rounded(b, exponent, 1 / 3)
        rest = b.fma(third, -3.0, exponent)
        return instructions.significand(b, x), Power(rest, n), Power(third, n)
    scale = 54 if b.kind == DOUBLE else 24
    tiny = x < b.kind.smallest
    bits = b.bits(b.select(tiny, x * 2.0**scale, x))
    power = (bits >> b.kind.fraction) - b.kind.bias
    mantissa = b.float_of(bits - (power << b.kind.fraction))
    third, n = rounded(b, integer_to_float(b, power), 1 / 3)
    k = power - n * 3
    n = n - b.select(tiny, scale // 3, b.constant(0, n.type))
    return mantissa, Power(integer_to_float(b, k), k), Power(third, n)
