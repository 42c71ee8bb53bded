"""Derivatives of the `math` dialect."""

from __future__ import annotations

from math import log, pi, sqrt
from typing import Any

from agir.ir.gradients.core import graph
from agir.ir.gradients.core.expressions import Expression
from agir.ir.gradients.rules.elementwise import elementwise, without_derivative

E = Expression


def _unary(name: str, derivative: Any) -> None:
    """The rule of a function of one number, of ``derivative(x, result)``."""
    elementwise(f"math.{name}", lambda c, x, r: c * derivative(x, r))


def _root_of(one: float, x: E, sign: float) -> E:
    return (one + sign * x * x).function("math.sqrt")


_unary("exp", lambda x, r: r)
_unary("exp2", lambda x, r: r * log(2.0))
_unary("expm1", lambda x, r: r + 1.0)
elementwise("math.log", lambda c, x, r: c / x)
elementwise("math.log2", lambda c, x, r: c / (x * log(2.0)))
elementwise("math.log10", lambda c, x, r: c / (x * log(10.0)))
elementwise("math.log1p", lambda c, x, r: c / (x + 1.0))
elementwise("math.rsqrt", lambda c, x, r: c * (-0.5 * r / x))
_unary("sin", lambda x, r: x.function("math.cos"))
_unary("cos", lambda x, r: -x.function("math.sin"))
_unary("tan", lambda x, r: 1.0 + r * r)
_unary("sinh", lambda x, r: x.function("math.cosh"))
_unary("cosh", lambda x, r: x.function("math.sinh"))
_unary("tanh", lambda x, r: 1.0 - r * r)
elementwise("math.asin", lambda c, x, r: c / _root_of(1.0, x, -1.0))
elementwise("math.acos", lambda c, x, r: -(c / _root_of(1.0, x, -1.0)))
elementwise("math.atan", lambda c, x, r: c / (1.0 + x * x))
elementwise("math.asinh", lambda c, x, r: c / _root_of(1.0, x, 1.0))
elementwise("math.acosh", lambda c, x, r: c / _root_of(-1.0, x, 1.0))
elementwise("math.atanh", lambda c, x, r: c / (1.0 - x * x))
_unary("erf", lambda x, r: (-(x * x)).function("math.exp") * (2.0 / sqrt(pi)))
_unary("erfc", lambda x, r: (-(x * x)).function("math.exp") * (-2.0 / sqrt(pi)))


_SAME_SUM = ("tensor.extract", "tensor.expand_shape", "arith.divf")
"""What gives a sum in another form of what it computes with first."""


def is_norm(value: Any) -> bool:
    """Whether a number is a sum that a reduction has made, or a mean: its root is a norm."""
    operation = graph.defining(value)
    while operation is not None and operation.name in _SAME_SUM:
        operation = graph.defining(operation.operands[0])
    return operation is not None and operation.name in ("linalg.reduce", "linalg.contract")


def _root(c: E, x: E, r: E) -> E:
    """At zero the slope is infinite, but a norm's is zero."""
    slope = 0.5 / r
    if is_norm(x.ssa):
        slope = r.equals(0).choose(0, slope)
    return c * slope


elementwise("math.sqrt", _root)
elementwise("math.cbrt", lambda c, x, r: c / (3.0 * r * r))


def _sign(x: E) -> E:
    """-1, 0 or 1, and NaN of NaN."""
    one = x.like(1).function("math.copysign", x)
    return x.equals(0).choose(0, one)


_unary("absf", lambda x, r: _sign(x))
elementwise(
    "math.atan2",
    lambda c, y, x, r: c * (x / (x * x + y * y)),
    lambda c, y, x, r: c * -(y / (x * x + y * y)),
)
elementwise(
    "math.copysign",
    lambda c, x, y, r: c * _sign(x) * x.like(1).function("math.copysign", y),
    None,
)
elementwise("math.fma", lambda c, x, y, z, r: c * y, lambda c, x, y, z, r: c * x, lambda c, *_: c)


def _power_base(c: E, x: E, y: E, r: E) -> E:
    """``y * x ** (y - 1)``, and zero where the exponent is zero."""
    slope = y * x.function("math.powf", y - 1.0)
    return y.equals(0).choose(c.like(0), c * slope)


def _power_exponent(c: E, x: E, y: E, r: E) -> E:
    """``x ** y * log(x)``, and zero where the base is not positive."""
    positive = x > x.like(0)
    safe = positive.choose(x, 1)
    return positive.choose(c * r * safe.function("math.log"), c.like(0))


elementwise("math.powf", _power_base, _power_exponent)


def _whole_power(c: E, x: E, n: E, r: E) -> E:
    exponent = E(c.trace, c.trace.op("arith.sitofp", x.ssa.type, n.ssa))
    return _power_base(c, x, exponent, r)


elementwise("math.fpowi", _whole_power, None)
without_derivative(*(f"math.{name}" for name in ("floor", "ceil", "round", "roundeven", "trunc")))
