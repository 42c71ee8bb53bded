"""Derivatives of the `complex` dialect.

The gradient with respect to a complex number is the conjugate of the derivative, as TensorFlow has
it: of a real function, the direction of its steepest ascent.  So a cotangent is multiplied by the
conjugate of a holomorphic function's derivative.
"""

from __future__ import annotations

from typing import Any

from agir.ir.gradients.core.expressions import Expression, complex_of
from agir.ir.gradients.rules.elementwise import elementwise, without_derivative

E = Expression


def _holomorphic(name: str, *derivatives: Any) -> None:
    elementwise(
        f"complex.{name}",
        *(lambda c, *v, d=derivative: c * d(*v).conj() for derivative in derivatives),
    )


def _root(z: E) -> E:
    return z.function("complex.sqrt")


elementwise("complex.add", lambda c, x, y, r: c, lambda c, x, y, r: c)
elementwise("complex.sub", lambda c, x, y, r: c, lambda c, x, y, r: -c)
elementwise("complex.neg", lambda c, x, r: -c)
elementwise("complex.conj", lambda c, x, r: c.conj())
_holomorphic("mul", lambda x, y, r: y, lambda x, y, r: x)
elementwise(
    "complex.div",
    lambda c, x, y, r: c / y.conj(),
    lambda c, x, y, r: -(c * (r / y).conj()),
)
_holomorphic("exp", lambda x, r: r)
_holomorphic("expm1", lambda x, r: r + 1.0)
_holomorphic("sin", lambda x, r: x.function("complex.cos"))
_holomorphic("cos", lambda x, r: -x.function("complex.sin"))
_holomorphic("tan", lambda x, r: 1.0 + r * r)
_holomorphic("tanh", lambda x, r: 1.0 - r * r)
elementwise("complex.log", lambda c, x, r: c / x.conj())
elementwise("complex.log1p", lambda c, x, r: c / (x + 1.0).conj())
elementwise("complex.sqrt", lambda c, x, r: c / (2.0 * r).conj())
elementwise("complex.rsqrt", lambda c, x, r: c * (-0.5 * r / x).conj())
elementwise("complex.create", lambda c, a, b, r: c.re, lambda c, a, b, r: c.im)
elementwise("complex.re", lambda c, z, r: complex_of(z.dtype, c, 0))
elementwise("complex.im", lambda c, z, r: complex_of(z.dtype, 0, c))


def _scaled(c: E, direction: E) -> E:
    """The real cotangents times complex numbers."""
    return complex_of(direction.dtype, c * direction.re, c * direction.im)


def _magnitude(c: E, z: E, r: E) -> E:
    """``c * z / |z|``, and zero at zero."""
    safe = r.equals(0).choose(1, r)
    return complex_of(z.dtype, c * (z.re / safe), c * (z.im / safe))


def _angle(c: E, z: E, r: E) -> E:
    square = z.re * z.re + z.im * z.im
    return complex_of(z.dtype, -(c * (z.im / square)), c * (z.re / square))


elementwise("complex.abs", _magnitude)
elementwise("complex.angle", _angle)


def _sign(c: E, z: E, r: E) -> E:
    """``z / |z|`` turns with the angle and does not change with the magnitude."""
    size = z.function("complex.abs", dtype=z.dtype.real)
    safe = size.equals(0).choose(1, size)
    iteration = (r.re * c.im - r.im * c.re) / safe
    iteration = size.equals(0).choose(0, iteration)
    return complex_of(z.dtype, -(iteration * r.im), iteration * r.re)


elementwise("complex.sign", _sign)


def _power_base(c: E, x: E, y: E, r: E) -> E:
    slope = y * x.function("complex.pow", y - 1.0)
    return y.equals(0).choose(c.like(0), c * slope.conj())


def _power_exponent(c: E, x: E, y: E, r: E) -> E:
    zero = x.equals(0)
    safe = zero.choose(1, x)
    return zero.choose(c.like(0), c * (r * safe.function("complex.log")).conj())


elementwise("complex.pow", _power_base, _power_exponent)
without_derivative("complex.constant")
