"""Logarithms, and the inverse hyperbolic functions that are made of them.

``x = 2^e (1 + f)`` with ``1 + f`` from 3/4 to 3/2, by the processor's instructions where it has them:
then ``e`` is infinite and ``f`` NaN where the logarithm is.  ``log(1 + f)`` is a polynomial of ``f`` in
single precision; in double precision one of ``s^2``, ``s = f / (2 + f)``, converges faster (Cody and
Waite 1980, chapter 5; Muller 2016, chapter 3).
"""

from __future__ import annotations

import math

from . import instructions
from .builder import SINGLE, Builder, Value
from .coefficients import CONSTANTS, POLYNOMIALS

_LARGE = {"f32": 2.0**13, "f64": 2.0**28}  # from here on x^2 + 1 is x^2


def log(b: Builder, x: Value) -> Value:
    """The natural logarithm."""
    exponent, f = split(b, x)
    unit, *_ = CONSTANTS["LOG_2", b.kind.name]
    return _special(b, x, b.fma(exponent, unit, f + _rest(b, f)))


def log2(b: Builder, x: Value) -> Value:
    """The logarithm to the base 2."""
    exponent, f = split(b, x)
    return _special(b, x, exponent + _in_base(b, f, 2))


def log10(b: Builder, x: Value) -> Value:
    """The logarithm to the base 10; both parts of the unit are positive, as it may be infinite."""
    exponent, f = split(b, x)
    first, second, *_ = CONSTANTS["SHORT_LOG10_2", b.kind.name]
    factor, factor_low, *_ = CONSTANTS["LOG10_E", b.kind.name]
    # the large parts first: they may cancel each other, and exponents times the first part are exact
    near = b.fma(f, factor, exponent * first)
    low = b.fma(f, factor_low, _tail_in_base(b, f, 10))
    return _special(b, x, near + b.fma(exponent, second, low))


def log1p(b: Builder, x: Value) -> Value:
    """``log(1 + x)``; the sum is taken with its error."""
    total, error = b.two_sum(b.constant(1.0), x)
    result = _log_of_pair(b, total, error)
    return b.copysign(_special(b, total, result), x)


def asinh(b: Builder, x: Value) -> Value:
    """``log1p(x + x^2 / (1 + sqrt(1 + x^2)))``, or ``log(2x)``."""
    size = abs(x)
    large = size > _LARGE[b.kind.name]
    square = size * size
    high, low = b.fast_sum(size, square / (1.0 + b.sqrt(1.0 + square)))
    result = _log1p_or_log_of_double(b, high, low, large, size)
    return b.copysign(b.select(size < math.inf, result, size), x)


def acosh(b: Builder, x: Value) -> Value:
    """``log1p(t + sqrt(2t + t^2))`` with ``t = x - 1``, or ``log(2x)``."""
    large = x > _LARGE[b.kind.name]
    t = x - 1.0
    square = b.fma(t, t, t + t)
    high, low = b.two_sum(b.sqrt(square), t)
    result = _log1p_or_log_of_double(b, high, low, large, x)
    return b.select(x < 1.0, math.nan, b.select(x < math.inf, result, x))


def atanh(b: Builder, x: Value) -> Value:
    """Half the logarithm of ``(1 + x) / (1 - x) = 2^e (1 + s) / (1 - s)``.

    ``s`` is a quotient whose terms are rounded once: twice the size less ``(2^e - 1) (1 - x)``, and 2
    and that.  Where ``e`` is 0, it is ``x``.
    """
    size = abs(x)
    rest = 1.0 - size
    exponent, inverse = _exponent_and_inverse(b, rest)
    above = size > 0.5  # then the sum is nearer to 2 than to 1
    more = b.select(above, inverse + inverse, inverse) - 1.0
    s = b.fma(-more, rest, size + size) / b.fma(more, rest, 2.0)
    z = s * s
    near = b.fma(s * z, b.polynomial(z, POLYNOMIALS["AREA_TANGENT", b.kind.name]), s)
    unit, *_ = CONSTANTS["HALF_LOG_2", b.kind.name]
    result = b.fma(b.select(above, 1.0, b.constant(0.0)) - exponent, unit, near)
    result = b.select(size < 1.0, result, b.select(size.equals(1.0), math.inf, math.nan))
    return b.copysign(result, x)


def _log1p_or_log_of_double(b: Builder, high: Value, low: Value, large: Value, x: Value) -> Value:
    total, error = b.two_sum(b.constant(1.0), high)
    total = b.select(large, x, total)
    error = b.select(large, 0.0, error + low)
    return _log_of_pair(b, total, error, b.select(large, 1.0, 0.0))


def _log_of_pair(b: Builder, x: Value, low: Value, more: Value | None = None) -> Value:
    """``log(x + low)``, plus a multiple of ``log(2)``, where ``x`` is positive and finite."""
    exponent, f, low = _split_pair(b, x, low, more)
    first, second, *_ = CONSTANTS["SHORT_LOG_2", b.kind.name]
    rest = _rest(b, f) + b.fma(-low, f, low)
    return b.fma(exponent, first, f + b.fma(exponent, second, rest))


def _split_pair(b: Builder, x: Value, low: Value, more: Value | None) -> tuple[Value, Value, Value]:
    if instructions.available():
        exponent, near = _split_by_instructions(b, x)
        # where x is 0 or infinite, it would be no number
        low = instructions.times_power(b, low, -exponent)
        low = b.select(low > -1.0, low, -1.0)
        return (exponent if more is None else exponent + more), near, low
    exponent, near, power = split_normal(b, x)
    low = b.select(x < 2.0**60, low, 0.0) * b.power_of_two(
        b.constant(0, power.type) - _few(b, power)
    )
    return (exponent if more is None else exponent + more), near, low


def _few(b: Builder, exponent: Value) -> Value:
    return b.select(exponent > 60, 60, exponent)


def _exponent_and_inverse(b: Builder, x: Value) -> tuple[Value, Value]:
    """``e`` of a number from 0 to 1, and 2 to ``-e``."""
    if instructions.available():
        exponent, _ = _split_by_instructions(b, x)
        return exponent, instructions.times_power(b, b.constant(1.0), -exponent)
    exponent, _, power = split_normal(b, x)
    return exponent, b.power_of_two(b.constant(0, power.type) - power)


def _in_base(b: Builder, f: Value, base: int) -> Value:
    """``log(1 + f)`` to another base.

    ``f`` times the factor is exact but for the factor's and the last rounding; what else there is
    is a fourth of it at most, and its errors are.
    """
    factor, *_ = CONSTANTS[f"LOG{base}_E", b.kind.name]
    return b.fma(f, factor, _tail_in_base(b, f, base))


def _tail_in_base(b: Builder, f: Value, base: int) -> Value:
    """What ``log(1 + f)`` to another base is more than ``f`` times the factor."""
    name = b.kind.name
    if b.kind == SINGLE:
        return (f * f) * b.polynomial(f, POLYNOMIALS[f"LOGARITHM_OF_SUM_{base}", name])
    return _rest(b, f) * CONSTANTS[f"LOG{base}_E", name][0]


def _rest(b: Builder, f: Value) -> Value:
    """What ``log(1 + f)`` is more than ``f``."""
    if b.kind.name == "f32":
        p = b.polynomial(f, POLYNOMIALS["LOGARITHM_OF_SUM", "f32"])
        return (f * f) * b.fma(f, p, -0.5)
    half_square = (0.5 * f) * f
    s = f / (2.0 + f)
    z = s * s
    p = b.polynomial(z, POLYNOMIALS["LOGARITHM", b.kind.name])
    return b.fma(s, b.fma(z, p, half_square), -half_square)


def split(b: Builder, x: Value) -> tuple[Value, Value]:
    """``e`` and ``f``; a subnormal number is made normal first."""
    if instructions.available():
        return _split_by_instructions(b, x)
    scale = b.kind.fraction + 2
    tiny = x < b.kind.smallest
    exponent, f, _ = split_normal(b, b.select(tiny, x * 2.0**scale, x))
    return exponent + b.select(tiny, float(-scale), 0.0), f


def _split_by_instructions(b: Builder, x: Value) -> tuple[Value, Value]:
    """The same of any number."""
    near = instructions.mantissa(b, x)
    return instructions.exponent(b, x) - instructions.exponent(b, near), near - 1.0


def split_normal(b: Builder, x: Value) -> tuple[Value, Value, Value]:
    """``e`` as a number, ``f``, and ``e`` as an integer."""
    lowest = b.kind.pattern(0.75)
    bits = b.bits(x)
    power = (bits - lowest) >> b.kind.fraction
    near = b.float_of(bits - (power << b.kind.fraction)) - 1.0
    return integer_to_float(b, power), near, power


def integer_to_float(b: Builder, n: Value) -> Value:
    """A small integer as a number."""
    return b.float_of(n + b.kind.pattern(b.kind.magic)) - b.kind.magic


def _special(b: Builder, x: Value, result: Value) -> Value:
    """Infinity at infinity, minus infinity at 0, NaN below."""
    if instructions.available():
        return result
    result = b.select(x < math.inf, result, x)
    result = b.select(x.equals(0.0), -math.inf, result)
    return b.select(x < 0.0, math.nan, result)
