"""Derivatives of ``scipy.special``: distributions, transformations, and what these are made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log as known_log
from math import pi, sqrt
from typing import Any

from agir.ir.gradients.core.expressions import Expression
from agir.ir.gradients.rules.host import UNKNOWN

E = Expression
_ROOT_OF_2_PI = sqrt(2 * pi)
_DEGREE = pi / 180


def exp(x: E) -> E:
    """``exp(x)``"""
    return x.function("math.exp")


def log(x: E) -> E:
    """``log(x)``"""
    return x.function("math.log")


def log1p(x: E) -> E:
    """``log(1 + x)``"""
    return x.function("math.log1p")


def bell(x: E) -> E:
    """The density of the normal distribution."""
    return exp(x * x * -0.5) * (1 / _ROOT_OF_2_PI)


def sign(x: E) -> E:
    """-1, 0 or 1."""
    return x.equals(0).choose(0, x.like(1).function("math.copysign", x))


def density_of_gamma(f: Any, a: E, x: E) -> E:
    """The density of the gamma distribution."""
    return exp((a - 1.0) * log(x) - x - f.gammaln(a))


def density_of_beta(f: Any, a: E, b: E, x: E) -> E:
    """The density of the beta distribution."""
    return exp((a - 1.0) * log(x) + (b - 1.0) * log1p(-x) - f.betaln(a, b))


def at_zero(m: E, there: Any, elsewhere: E) -> E:
    """One value where a number is zero, and another one elsewhere."""
    return m.equals(0).choose(there, elsewhere)


def _root(x: E) -> E:
    return x.function("math.sqrt")


def _power(x: E, exponent: Any) -> E:
    return exp(log(x) * exponent)


def _density_of_chi2(f: Any, v: E, x: E) -> E:
    half = v * 0.5
    return exp((half - 1.0) * log(x) - x * 0.5 - half * known_log(2) - f.gammaln(half))


def _density_of_t(f: Any, v: E, t: E) -> E:
    more = (v + 1.0) * 0.5
    return exp(f.gammaln(more) - f.gammaln(v * 0.5) - more * log1p(t * t / v)) / _root(v * pi)


def _density_of_f(f: Any, m: E, n: E, x: E) -> E:
    a, b = m * 0.5, n * 0.5
    both = a * log(m * x) + b * log(n) - (a + b) * log(m * x + n)
    return exp(both - f.betaln(a, b)) / x


def _mass_of_poisson(f: Any, k: E, m: E) -> E:
    k = k.function("math.floor")
    return exp(k * log(m) - m - f.gammaln(k + 1.0))


def _gdtr(f: Any, r: E, a: E, b: E, x: E) -> list[Any]:
    density = density_of_gamma(f, b, a * x)
    return [density * x, UNKNOWN, density * a]


def _boxcox(f: Any, r: E, x: E, power: E) -> list[E]:
    slope = at_zero(power, log(x) * log(x) * 0.5, (_power(x, power) * log(x) - r) / power)
    return [_power(x, power - 1.0), slope]


def _inv_boxcox(y: E, power: E, whole: E) -> list[E]:
    """The derivatives of the power ``1 / power`` of ``1 + power * y``, which is ``whole``."""
    inside = power * y + 1.0
    slope = y / (power * inside) - log(inside) / (power * power)
    return [_power(whole, 1.0 - power), whole * at_zero(power, y * y * -0.5, slope)]


def _huber(f: Any, r: E, delta: E, x: E) -> list[E]:
    size = x * sign(x)
    is_near = size.compared("ole", delta)
    return [is_near.choose(0, size - delta), is_near.choose(x, delta * sign(x))]


def _pseudo_huber(f: Any, r: E, delta: E, x: E) -> list[E]:
    share = x / delta
    root = _root(share * share + 1.0)
    return [delta * (2.0 * (root - 1.0) - share * share / root), x / root]


def _owens_t(f: Any, r: E, h: E, a: E) -> list[E]:
    square, more = h * h * -0.5, a * a + 1.0
    by_h = exp(square) * f.erf(a * h * sqrt(0.5)) * (-0.5 / _ROOT_OF_2_PI)
    return [by_h, exp(square * more) / (more * (2 * pi))]


PARTIALS: dict[str, Callable[..., Sequence[Any]]] = {
    "gdtr": _gdtr,
    "gdtrc": lambda f, r, a, b, x: [p if p is UNKNOWN else -p for p in _gdtr(f, r, a, b, x)],
    "gammaincinv": lambda f, r, a, y: [UNKNOWN, 1.0 / density_of_gamma(f, a, r)],
    "gammainccinv": lambda f, r, a, y: [UNKNOWN, -1.0 / density_of_gamma(f, a, r)],
    "betaincinv": lambda f, r, a, b, y: [UNKNOWN, UNKNOWN, 1.0 / density_of_beta(f, a, b, r)],
    "betainccinv": lambda f, r, a, b, y: [UNKNOWN, UNKNOWN, -1.0 / density_of_beta(f, a, b, r)],
    "chdtr": lambda f, r, v, x: [UNKNOWN, _density_of_chi2(f, v, x)],
    "chdtrc": lambda f, r, v, x: [UNKNOWN, -_density_of_chi2(f, v, x)],
    "chdtri": lambda f, r, v, p: [UNKNOWN, -1.0 / _density_of_chi2(f, v, r)],
    "pdtr": lambda f, r, k, m: [UNKNOWN, -_mass_of_poisson(f, k, m)],
    "pdtrc": lambda f, r, k, m: [UNKNOWN, _mass_of_poisson(f, k, m)],
    "stdtr": lambda f, r, v, t: [UNKNOWN, _density_of_t(f, v, t)],
    "stdtrit": lambda f, r, v, p: [UNKNOWN, 1.0 / _density_of_t(f, v, r)],
    "fdtr": lambda f, r, m, n, x: [UNKNOWN, UNKNOWN, _density_of_f(f, m, n, x)],
    "fdtrc": lambda f, r, m, n, x: [UNKNOWN, UNKNOWN, -_density_of_f(f, m, n, x)],
    "fdtri": lambda f, r, m, n, p: [UNKNOWN, UNKNOWN, 1.0 / _density_of_f(f, m, n, r)],
    "owens_t": _owens_t,
    "boxcox": _boxcox,
    "boxcox1p": lambda f, r, x, power: _boxcox(f, r, x + 1.0, power),
    "inv_boxcox": lambda f, r, y, power: _inv_boxcox(y, power, r),
    "inv_boxcox1p": lambda f, r, y, power: _inv_boxcox(y, power, r + 1.0),
    "huber": _huber,
    "pseudo_huber": _pseudo_huber,
    "sindg": lambda f, r, x: [f.cosdg(x) * _DEGREE],
    "cosdg": lambda f, r, x: [f.sindg(x) * -_DEGREE],
    "tandg": lambda f, r, x: [(r * r + 1.0) * _DEGREE],
    "cotdg": lambda f, r, x: [(r * r + 1.0) * -_DEGREE],
}
"""By the function: of (the functions, the result, the operands) the derivatives by the operands."""
