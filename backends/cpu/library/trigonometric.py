"""Sine, cosine and tangent for arguments of any size.

``x = n pi/2 + r``.  Up to a limit, three parts of ``pi/2`` are subtracted (Cody and Waite 1980, chapter
8): with a fused multiply-add the first difference is exact.  The tangent, whose derivative is up to 2,
needs ``r`` as a pair of numbers; it is good to some 100 bits then.  A larger argument meets
`large_arguments`, in a branch that vectorised code takes only if one of its lanes does.
"""

from __future__ import annotations

from . import large_arguments
from .angles import Angle, cosine_of, sine_of, tangent_of
from .builder import Builder, Value
from .coefficients import CONSTANTS
from .exponentials import rounded

LIMIT = {"f32": 2.0**14, "f64": 2.0**40}


def sin(b: Builder, x: Value) -> Value:
    """The sine, of ``|x|`` with the sign of ``x``."""
    size = abs(x)
    return _with_sign(b, _guarded(b, size, "sin", sine_of(b, _reduce(b, size))), x)


def cos(b: Builder, x: Value) -> Value:
    """The cosine."""
    size = abs(x)
    return _guarded(b, size, "cos", cosine_of(b, _reduce(b, size)))


def tan(b: Builder, x: Value) -> Value:
    """The tangent."""
    size = abs(x)
    return _with_sign(b, _guarded(b, size, "tan", tangent_of(b, _reduce_to_pair(b, size))), x)


def _guarded(b: Builder, size: Value, name: str, result: Value) -> Value:
    symbol = large_arguments.symbol(name, b.kind)
    return b.rarely(size > LIMIT[b.kind.name], symbol, size, result)


def _with_sign(b: Builder, value: Value, sign: Value) -> Value:
    lowest = -(2 ** (b.kind.bits - 1))
    return b.float_of(b.bits(value) ^ (b.bits(sign) & lowest))


def _reduce(b: Builder, x: Value) -> Angle:
    """``x`` less the nearest multiple of ``pi/2``, off by a unit in the last place at most."""
    number, n, near = _less_first_part(b, x)
    _, second, third, _ = CONSTANTS["HALF_PI", b.kind.name]
    r = b.fma(number, -third, b.fma(number, -second, near))
    return Angle(n, r, b.constant(0.0))


def _reduce_to_pair(b: Builder, x: Value) -> Angle:
    """The same as a pair; the second product is taken with its error."""
    number, n, near = _less_first_part(b, x)
    _, second, third, _ = CONSTANTS["HALF_PI", b.kind.name]
    product, error = b.two_product(number, second)
    # near is a multiple of the last place of the product, which is as good as being larger
    r, rest = b.fast_sum(near, -product)
    return Angle(n, r, rest - b.fma(number, third, error))


def _less_first_part(b: Builder, x: Value) -> tuple[Value, Value, Value]:
    """How many multiples, as a number and as an integer, and ``x`` less their first part."""
    name = b.kind.name
    number, n = rounded(b, x, CONSTANTS["TWO_OVER_PI", name][0])
    return number, n, b.fma(number, -CONSTANTS["HALF_PI", name][0], x)
