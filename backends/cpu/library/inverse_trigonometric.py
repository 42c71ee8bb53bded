"""Arcsine, arccosine, arctangent (Cody and Waite 1980, chapters 10 and 11)."""

from __future__ import annotations

from .builder import Builder, Value
from .coefficients import CONSTANTS, POLYNOMIALS


def atan(b: Builder, x: Value) -> Value:
    """An odd polynomial up to 1, beyond it ``pi/2 - atan(1/x)``."""
    size = abs(x)
    large = size > 1.0
    quotient = b.select(large, 1.0, size) / b.select(large, size, 1.0)
    tail = _tail(b, quotient)
    high, low, *_ = CONSTANTS["HALF_PI", b.kind.name]
    total, error = b.fast_sum(b.constant(high), -quotient)
    return b.copysign(b.select(large, total + (error - (tail - low)), quotient + tail), x)


def atan2(b: Builder, y: Value, x: Value) -> Value:
    """The angle of the point ``(x, y)``: the smaller coordinate over the larger, then its octant."""
    height, width = abs(y), abs(x)
    steep = height > width
    below = b.select(steep, height, width)
    quotient = b.select(steep, width, height) / below
    quotient = b.select(height.equals(width), 1.0, quotient)
    quotient = b.select((height + width).equals(0.0), 0.0, quotient)
    left = b.bits(x) < 0
    turned = b.op("arith.xori", steep, left)
    quotient = b.select(turned, -quotient, quotient)
    quarter, half = CONSTANTS["HALF_PI", b.kind.name], CONSTANTS["PI", b.kind.name]
    high, low = (
        b.select(steep, quarter[n], b.select(left, half[n], b.constant(0.0))) for n in (0, 1)
    )
    total, error = b.fast_sum(high, quotient)
    return b.copysign(total + (error + (_tail(b, quotient) + low)), y)


def _tail(b: Builder, x: Value) -> Value:
    """What the arctangent is more than ``x``."""
    square = x * x
    return (x * square) * b.polynomial(square, POLYNOMIALS["ARCTANGENT", b.kind.name])


def asin(b: Builder, x: Value) -> Value:
    """An odd polynomial up to 1/2, beyond it ``pi/2 - 2 asin(sqrt((1 - x) / 2))``."""
    size = abs(x)
    large, root, tail = _asin(b, size)
    high, low, *_ = CONSTANTS["HALF_PI", b.kind.name]
    total, error = b.fast_sum(b.constant(high), -(root + root))
    far = total + (error - ((tail + tail) - low))
    return b.copysign(b.select(large, far, size + tail), x)


def acos(b: Builder, x: Value) -> Value:
    """``pi/2 - asin(x)``, or ``2 asin(sqrt((1 - x) / 2))``, or ``pi`` less that."""
    size = abs(x)
    large, root, tail = _asin(b, size)
    high, low, *_ = CONSTANTS["HALF_PI", b.kind.name]
    negative = x < 0.0
    signed = b.select(negative, -tail, tail)
    near = high - (x - (low - signed))
    half = b.select(negative, high - (root + (tail - low)), root + tail)
    return b.select(large, half + half, near)


def _asin(b: Builder, size: Value) -> tuple[Value, Value, Value]:
    """Whether it is above 1/2; then of the root, else of itself: the number, and asin less it."""
    large = size > 0.5
    rest = (1.0 - size) * 0.5
    square = b.select(large, rest, size * size)
    root = b.select(large, b.sqrt(rest), size)
    return large, root, (root * square) * b.polynomial(square, POLYNOMIALS["ARCSINE", b.kind.name])
