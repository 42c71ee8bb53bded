"""Rules of the `math` dialect, on scalars and elementwise on tensors."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from agir.backends.reference.core.integers import convert, on_signed, unsigned, width
from agir.backends.reference.core.operation import Operation, Rule, always
from agir.backends.reference.core.types import smallest_normal
from agir.errors import UndefinedBehaviour

from .arith import OPERATIONS as ARITH

Function = Callable[..., Any]


def _elementwise(function: Callable[[float], float]) -> Rule:
    """A function that NumPy lacks, one Python float at a time."""
    vectorised = np.frompyfunc(function, 1, 1)
    return lambda operation: (
        lambda value: np.asarray(vectorised(np.asarray(value, np.float64)), np.float64).astype(
            operation.results[0].dtype
        )[()]
    )


def _precise(function: Function) -> Rule:
    """A function in the next wider format: NumPy's own are good to some 4 units only.

    Extended precision is that of the platform, which may be double precision again.
    """

    def rule(operation: Operation) -> Function:
        dtype = operation.results[0].dtype
        wide = np.longdouble if dtype == np.float64 else np.float64
        return lambda *values: function(*(np.asarray(v, wide) for v in values)).astype(dtype)[()]

    return rule


_EXTENDED = np.finfo(np.longdouble).nmant > np.finfo(np.float64).nmant


def _complement(operation: Operation) -> Function:
    """``erfc``: C's is good to some 3 units, so where there is a wider format it is computed anew."""
    by_c = _elementwise(math.erfc)(operation)
    dtype = operation.results[0].dtype
    if not _EXTENDED:
        return by_c

    def value(x: Any) -> Any:
        known = np.asarray(by_c(x))
        wide = np.asarray(x, np.longdouble)
        size = np.minimum(np.abs(wide), 30)
        tail = np.where(
            size < 2, 1 - _erf_series(np.minimum(size, 2)), _fraction(np.maximum(size, 2))
        )
        near = np.where(wide < 0, 2 - tail, tail)
        return np.where(np.isfinite(wide), near.astype(dtype), known)[()]

    return value


def _erf_series(x: Any) -> Any:
    """``2 / sqrt(pi) exp(-x^2) (x + 2/3 x^3 + 4/15 x^5 + ...)``, all of one sign."""
    term = total = x
    for n in range(1, 60):
        term = term * (2 * x * x) / (2 * n + 1)
        total = total + term
    return total * np.exp(-x * x) * _slope()


def _fraction(x: Any) -> Any:
    """The continued fraction ``exp(-x^2) / sqrt(pi) / (x + (1/2) / (x + (2/2) / (x + ...)))``."""
    below = x
    for n in range(150, 0, -1):
        below = x + (np.longdouble(n) / 2) / below
    return np.exp(-x * x) / below * _slope() / 2


def _slope() -> Any:
    """``2 / sqrt(pi)``."""
    return 2 / np.sqrt(np.arccos(np.longdouble(-1)))


def _reciprocal_root(value: Any) -> Any:
    return value.dtype.type(1) / np.sqrt(value)


def _round(value: Any) -> Any:
    """To the nearest integer, halves away from zero."""
    whole = np.trunc(value)
    away = (abs(value - whole) >= 0.5).astype(value.dtype)
    return np.copysign(whole + np.copysign(away, value), value)


def _is_normal(value: Any) -> Any:
    return np.isfinite(value) & (abs(value) >= smallest_normal(value.dtype))


def _clamp(operation: Operation) -> Function:
    maximum = ARITH["arith.maximumf"](operation)
    minimum = ARITH["arith.minimumf"](operation)
    return lambda value, low, high: minimum(maximum(value, low), high)


def _fused_multiply_add(operation: Operation) -> Function:
    """One rounding only, which NumPy cannot do: in double precision, or exactly for ``f64``."""
    dtype = operation.results[0].dtype
    if dtype == np.float64:
        exact = np.frompyfunc(_exact_multiply_add, 3, 1)
        return lambda a, b, c: np.asarray(exact(a, b, c), dtype)[()]
    return lambda a, b, c: _round_to_odd_sum(
        a.astype(np.float64) * b.astype(np.float64), c.astype(np.float64)
    ).astype(dtype)


def _exact_multiply_add(a: float, b: float, c: float) -> float:
    if not (math.isfinite(a) and math.isfinite(b) and math.isfinite(c)):
        return a * b + c
    import fractions  # few programs need them

    exact = fractions.Fraction(a) * fractions.Fraction(b) + fractions.Fraction(c)
    try:
        return float(exact) if exact else a * b + c
    except OverflowError:
        return math.inf if exact > 0 else -math.inf


def _round_to_odd_sum(a: Any, b: Any) -> Any:
    """The sum, an inexact one moved to an odd mantissa: a second rounding then does no harm."""
    total = a + b
    part = total - a
    error = (a - (total - part)) + (b - part)
    even = (np.asarray(total).view(np.int64) & 1) == 0
    move = even & (error != 0) & np.isfinite(error)
    return np.where(move, np.nextafter(total, np.copysign(np.inf, error)), total)[()]


def _power(base: Any, exponent: Any) -> Any:
    """C's ``pow``; NumPy takes a square root for the exponent ½, which differs at -∞ and -0."""
    special = (exponent == 0.5) & ((base == -np.inf) | (base == 0))
    return np.where(special, abs(base), np.power(base, exponent))[()]


def _integer_power(operation: Operation) -> Function:
    return on_signed(_signed_power)(operation)


def _signed_power(base: Any, exponent: Any) -> Any:
    """Wraps around; a negative exponent rounds the reciprocal towards zero."""
    base, exponent = np.broadcast_arrays(base, exponent)
    if ((base == 0) & (exponent < 0)).any():
        raise UndefinedBehaviour("a negative power of zero")
    power = np.ones_like(base)
    square, remaining = base.copy(), np.abs(exponent)
    remaining = remaining.view(f"u{remaining.itemsize}").copy()
    while remaining.any():
        power = np.where(remaining & 1, power * square, power).astype(base.dtype)
        square, remaining = square * square, remaining >> 1
    units = np.where(abs(base) == 1, power, 0).astype(base.dtype)
    return np.where(exponent < 0, units, power)[()]


def _float_to_integer_power(operation: Operation) -> Function:
    dtype = operation.results[0].dtype
    return lambda base, exponent: np.power(
        base.astype(np.float64), exponent.astype(np.float64)
    ).astype(dtype)


def _count(function: Callable[[Any, int], Any]) -> Rule:
    """A bit count of the unsigned reading."""

    def rule(operation: Operation) -> Function:
        dtype = operation.results[0].dtype
        bits = width(dtype)
        return lambda value: convert(function(unsigned(value), bits), dtype)

    return rule


def _leading_zeros(value: Any, bits: int) -> Any:
    for shift in (1, 2, 4, 8, 16, 32):
        value = value | np.right_shift(value, value.dtype.type(shift))
    return bits - np.bitwise_count(value)


def _trailing_zeros(value: Any, bits: int) -> Any:
    one = value.dtype.type(1)
    return np.minimum(np.bitwise_count(~value & (value - one)), bits)


OPERATIONS: dict[str, Rule] = {
    "math.absf": always(np.abs),
    "math.absi": on_signed(np.abs),
    "math.exp": _precise(np.exp),
    "math.exp2": _precise(np.exp2),
    "math.expm1": _precise(np.expm1),
    "math.log": _precise(np.log),
    "math.log2": _precise(np.log2),
    "math.log10": _precise(np.log10),
    "math.log1p": _precise(np.log1p),
    "math.sqrt": always(np.sqrt),
    "math.rsqrt": _precise(_reciprocal_root),
    "math.cbrt": _precise(np.cbrt),
    "math.sin": _precise(np.sin),
    "math.cos": _precise(np.cos),
    "math.tan": _precise(np.tan),
    "math.sincos": always(lambda value: (np.sin(value), np.cos(value))),
    "math.asin": _precise(np.arcsin),
    "math.acos": _precise(np.arccos),
    "math.atan": _precise(np.arctan),
    "math.atan2": _precise(np.arctan2),
    "math.sinh": _precise(np.sinh),
    "math.cosh": _precise(np.cosh),
    "math.tanh": _precise(np.tanh),
    "math.asinh": _precise(np.arcsinh),
    "math.acosh": _precise(np.arccosh),
    "math.atanh": _precise(np.arctanh),
    "math.erf": _elementwise(math.erf),
    "math.erfc": _complement,
    "math.ceil": always(np.ceil),
    "math.floor": always(np.floor),
    "math.trunc": always(np.trunc),
    "math.round": always(_round),
    "math.roundeven": always(np.rint),
    "math.powf": _precise(_power),
    "math.ipowi": _integer_power,
    "math.fpowi": _float_to_integer_power,
    "math.fma": _fused_multiply_add,
    "math.copysign": always(np.copysign),
    "math.clampf": _clamp,
    "math.isnan": always(np.isnan),
    "math.isinf": always(np.isinf),
    "math.isfinite": always(np.isfinite),
    "math.isnormal": always(_is_normal),
    "math.ctpop": _count(lambda value, bits: np.bitwise_count(value)),
    "math.ctlz": _count(_leading_zeros),
    "math.cttz": _count(_trailing_zeros),
}
