"""The error function and its complement.

``erfc(x) = exp(-x^2) g(t) / (1 + 2x)`` for ``x >= 3/4`` where ``t = (x - 3) / (x + 3)``; ``g`` is
smooth on the whole half-line (the mapping is that of J. L. Schonfelder, Mathematics of Computation
32, 1978).
"""

from __future__ import annotations

from .builder import Builder, Value
from .coefficients import COMPLEMENT_CENTER, CONSTANTS, ERROR_LIMIT, POLYNOMIALS
from .exponentials import expm1_pair, reduce

_VANISHED = {"f32": 10.5, "f64": 28.0}  # erfc(x) is 0


def erf(b: Builder, x: Value) -> Value:
    """An odd polynomial, then ``1 - erfc(x)``."""
    size = abs(x)
    far = 1.0 - _complement(b, size)
    return b.copysign(b.select(size < ERROR_LIMIT, _near(b, size), far), x)


def erfc(b: Builder, x: Value) -> Value:
    """``1 - erf(x)`` up to 3/4, and ``2 - erfc(-x)`` below."""
    size = abs(x)
    value = _complement(b, size)
    far = b.select(x < 0.0, 2.0 - value, value)
    product, error = b.two_product(x, CONSTANTS["ERROR_SLOPE", b.kind.name][0])
    total, rest = b.fast_sum(b.constant(1.0), -product)
    near = total + (rest - (error + _tail(b, x)))
    return b.select(size < 0.75, near, far)


def _near(b: Builder, x: Value) -> Value:
    return b.fma(x, CONSTANTS["ERROR_SLOPE", b.kind.name][0], _tail(b, x))


def _tail(b: Builder, x: Value) -> Value:
    """What the error function is more than its slope times ``x``."""
    square = x * x
    p = b.polynomial(square, POLYNOMIALS["ERROR", b.kind.name])
    return x * b.fma(square, p, CONSTANTS["ERROR_SLOPE", b.kind.name][1])


def _complement(b: Builder, x: Value) -> Value:
    name = b.kind.name
    x = b.clamp(x, None, _VANISHED[name])
    square, error = b.two_product(x, x)
    t = (x - COMPLEMENT_CENTER) / (x + COMPLEMENT_CENTER)
    constant, constant_low, *_ = CONSTANTS["COMPLEMENT", name]
    _, *others = POLYNOMIALS["SCALED_COMPLEMENT", name]
    g, g_low = b.fast_sum(b.constant(constant), t * b.polynomial(t, others))
    g_low = g_low + constant_low
    twice = x + x
    below, below_low = b.two_sum(b.constant(1.0), twice)
    quotient, rest = b.quotient(g, g_low, below, below_low)
    reduced = reduce(b, -square)
    growth, low = expm1_pair(b, reduced)
    low = low - b.fma(error, growth, error)
    return reduced.n.times(quotient + b.fma(quotient, growth, b.fma(quotient, low, rest)))
