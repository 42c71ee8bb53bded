"""Special functions, computed in float64: gamma, error and Bessel functions, and what is near them."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from agir.families.signatures import operand as _operand
from agir.families.signatures import tensor as _tensor
from agir.ir.ops.core.operands import composition as _composition
from agir.ir.ops.elementwise.activations import log_sigmoid, softplus, softsign
from agir.ir.tensors.dispatch import call as _call


def _special(function: Callable[[Any], Any]) -> Callable[..., Any]:
    """A public function of one tensor of floats (integers are converted), computed in float64."""

    @functools.wraps(function)
    def public(x: Any, name: Any = None) -> Any:
        given = _tensor(x)
        if given.dtype.is_complex:
            raise TypeError(f"{function.__name__}() is not defined for {given.dtype}")
        dtype = given.dtype if given.dtype.is_floating else "float64"
        return _call("cast", function(_call("cast", given, "float64")), dtype)

    del public.__wrapped__  # its signature is not the function's
    public.__annotations__ = {"x": Any, "name": Any, "return": Any}
    return _composition()(public)


def _where(condition: Any, x: Any, y: Any) -> Any:
    return _call("where", condition, x, y)


def _polynomial(x: Any, coefficients: list[float]) -> Any:
    """By Horner's rule, the coefficient of the highest power first."""
    total = x * 0.0 + coefficients[0]
    for coefficient in coefficients[1:]:
        total = total * x + coefficient
    return total


# Gamma.

_LANCZOS = [
    0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313,
    -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6,
    1.5056327351493116e-7,
]  # fmt: skip
"""Of Lanczos' approximation of the gamma function with g = 7."""


def _log_gamma(x: Any) -> Any:
    """Of numbers that are not less than one half."""
    z = x - 1.0
    total = z * 0.0 + _LANCZOS[0]
    for i, coefficient in enumerate(_LANCZOS[1:], 1):
        total = total + coefficient / (z + float(i))
    shifted = z + 7.5
    found = (z + 0.5) * (_call("log", shifted) - 1.0) - 7.0
    found = found + (0.5 * math.log(2 * math.pi)) + _call("log", total)
    return _where(_call("isinf", x), math.inf, found)


@_special
def lgamma(x: Any) -> Any:
    """The logarithm of the magnitude of the gamma function; infinite at 0, -1, -2, ...

    >>> ag.math.lgamma([1.0, 4.0]).numpy().round(3)
    array([0.   , 1.792], dtype=float32)

    Shapes: x [...] -> [...]
    Dtypes: bool, int, uint -> float64; float -> the same
    Raises: OperandTypeError for other dtypes
    Source: Lanczos 1964, A precision approximation of the gamma function
    """
    low = x < 0.5
    found = _log_gamma(_where(low, 1.0 - x, x))
    fraction = x - _call("floor", x)
    sine = _call("abs", _call("sin", fraction * math.pi))
    mirrored = math.log(math.pi) - _call("log", sine) - found
    mirrored = _where(fraction == 0.0, math.inf, mirrored)
    return _where(low, _where(_call("isinf", x), math.inf, mirrored), found)


_DIGAMMA = [1 / 12, -691 / 32760, 1 / 132, -1 / 240, 1 / 252, -1 / 120, 1 / 12]
"""Of the asymptotic series in ``1 / x ** 2``, the highest power first."""


@_special
def digamma(x: Any) -> Any:
    """The derivative of `lgamma`; NaN at 0, -1, -2, ...

    >>> ag.math.digamma([1.0, 2.0]).numpy().round(3)
    array([-0.577,  0.423], dtype=float32)

    Shapes: x [...] -> [...]
    Dtypes: bool, int, uint -> float64; float -> the same
    Raises: OperandTypeError for other dtypes
    """
    low = x <= 0.0
    shifted = _where(low, 1.0 - x, x)
    found = shifted * 0.0
    for _ in range(10):
        small = shifted < 10.0
        found = found - _where(small, 1.0 / shifted, 0.0)
        shifted = shifted + _where(small, 1.0, 0.0)
    squared = 1.0 / (shifted * shifted)
    series = _polynomial(squared, _DIGAMMA) * squared
    found = found + _call("log", shifted) - 0.5 / shifted - series
    fraction = x - _call("floor", x)
    mirrored = found - math.pi / _call("tan", fraction * math.pi)
    return _where(low, _where(fraction == 0.0, math.nan, mirrored), found)


@_composition()
def lbeta(x: Any, name: Any = None) -> Any:
    """The logarithm of the beta function of the numbers along the last axis.

    >>> ag.math.lbeta([1.0, 2.0]).numpy().round(3)
    np.float32(-0.693)

    Shapes: x [..., n] -> [...]
    Dtypes: bool, int, uint -> float64; float -> the same
    Raises: OperandTypeError for other dtypes
    """
    values = _tensor(x)
    return lgamma(values) * 0.0 if not values.shape else _log_beta(values)


def _log_beta(values: Any) -> Any:
    total = _call("sum", values, -1, values.dtype)
    return _call("subtract", _call("sum", lgamma(values), -1), lgamma(total))


# The error function's inverse.


def _inverse_erfc(q: Any) -> Any:
    """The number whose complementary error function is ``q``, which is from 0 to 1.

    An approximation by Winitzki, made better by three steps of Halley's method.
    """
    a = 0.147
    logarithm = _call("log", q * (2.0 - q))
    t = 2.0 / (math.pi * a) + 0.5 * logarithm
    found = _call("sqrt", _call("sqrt", t * t - logarithm / a) - t)
    for _ in range(3):
        slope = (2.0 / math.sqrt(math.pi)) * _call("exp", -found * found)
        error = (_call("erfc", found) - q) / slope
        found = found + error / (1.0 + found * error)
    return found


def _inverse_erf(p: Any) -> Any:
    """The same from ``p = 1 - q``, which is no more than one half."""
    a = 0.147
    logarithm = _call("log1p", -p * p)
    t = 2.0 / (math.pi * a) + 0.5 * logarithm
    found = _call("sqrt", _call("maximum", _call("sqrt", t * t - logarithm / a) - t, 0.0))
    found = _where(p < 1e-4, p * (0.5 * math.sqrt(math.pi)), found)
    for _ in range(3):
        slope = (2.0 / math.sqrt(math.pi)) * _call("exp", -found * found)
        error = (_call("erf", found) - p) / slope
        found = found - error / (1.0 + found * error)
    return found


@_special
def erfinv(x: Any) -> Any:
    """The inverse of the error function; infinite at -1 and 1, NaN beyond.

    >>> ag.math.erfinv([0.0, 0.5]).numpy().round(3)
    array([0.   , 0.477], dtype=float32)

    Shapes: x [...] -> [...]
    Dtypes: bool, int, uint -> float64; float -> the same
    Raises: OperandTypeError for other dtypes
    """
    size = _call("abs", x)
    near = _inverse_erf(_call("minimum", size, 0.5))
    far = _inverse_erfc(_call("clip", 1.0 - size, 1e-300, 0.5))
    found = _call("copysign", _where(size <= 0.5, near, far), x)
    found = _where(size == 1.0, _call("copysign", _call("fill_like", x, math.inf), x), found)
    return _where(size <= 1.0, found, math.nan)


@_special
def erfcinv(x: Any) -> Any:
    """The inverse of the complementary error function, from 0 to 2.

    >>> ag.math.erfcinv([1.0, 0.5]).numpy().round(3)
    array([0.   , 0.477], dtype=float32)

    Shapes: x [...] -> [...]
    Dtypes: bool, int, uint -> float64; float -> the same
    Raises: OperandTypeError for other dtypes
    """
    upper = x > 1.0
    q = _where(upper, 2.0 - x, x)
    near = _inverse_erf(_call("clip", 1.0 - q, 0.0, 0.5))
    far = _inverse_erfc(_call("clip", q, 1e-300, 0.5))
    found = _where(q >= 0.5, near, far)
    found = _where(q == 0.0, math.inf, found)
    found = _where(q >= 0.0, found, math.nan)
    return _where(upper, -found, found)


@_special
def ndtri(x: Any) -> Any:
    """The number below which a standard normal variable lies with probability ``x``.

    >>> ag.math.ndtri([0.1, 0.9]).numpy().round(3)
    array([-1.282,  1.282], dtype=float32)

    Shapes: x [...] -> [...]
    Dtypes: bool, int, uint -> float64; float -> the same
    Raises: OperandTypeError for other dtypes
    """
    return -math.sqrt(2.0) * erfcinv(2.0 * x)


# Modified Bessel functions.

_POINTS = 24
_COSINES = [math.cos(math.pi * k / _POINTS) for k in range(_POINTS + 1)]
_WEIGHTS = [0.5 / _POINTS, *[1.0 / _POINTS] * (_POINTS - 1), 0.5 / _POINTS]
"""Of the trapezoidal rule over half a period, which is exact up to rounding for ``|x| < 30``."""


def _asymptotic(x: Any, order: int) -> Any:
    """The series in ``1 / x`` of the function divided by ``exp(x)``, for ``x`` of 30 and more."""
    total, term = 1.0, 1.0
    for k in range(1, 19):
        term = term * ((2 * k - 1) ** 2 - 4 * order**2) / (8.0 * k) / x
        total = total + term
    return total * _call("rsqrt", x * (2 * math.pi))


def _scaled_bessel(x: Any, order: int) -> Any:
    size = _call("abs", x)
    near, total = _call("minimum", size, 30.0), size * 0.0
    for cosine, weight in zip(_COSINES, _WEIGHTS, strict=True):
        if order == 0:
            total = total + weight * _call("exp", near * (cosine - 1.0))
        elif cosine > 1e-9:
            part = _call("expm1", near * (-2.0 * cosine)) * _call("exp", near * (cosine - 1.0))
            total = total - weight * cosine * part
    found = _where(size < 30.0, total, _asymptotic(_call("maximum", size, 30.0), order))
    return _call("copysign", found, x) if order else found


@_special
def bessel_i0e(x: Any) -> Any:
    """The modified Bessel function of order 0 divided by ``exp(abs(x))``.

    >>> ag.math.bessel_i0e([0.0, 1.0]).numpy().round(3)
    array([1.   , 0.466], dtype=float32)

    Shapes: x [...] -> [...]
    Dtypes: bool, int, uint -> float64; float -> the same
    Raises: OperandTypeError for other dtypes
    """
    return _scaled_bessel(x, 0)


@_special
def bessel_i1e(x: Any) -> Any:
    """The modified Bessel function of order 1 divided by ``exp(abs(x))``.

    >>> ag.math.bessel_i1e([0.0, 1.0]).numpy().round(3)
    array([0.   , 0.208], dtype=float32)

    Shapes: x [...] -> [...]
    Dtypes: bool, int, uint -> float64; float -> the same
    Raises: OperandTypeError for other dtypes
    """
    return _scaled_bessel(x, 1)


@_special
def bessel_i0(x: Any) -> Any:
    """The modified Bessel function of order 0.

    >>> ag.math.bessel_i0([0.0, 1.0]).numpy().round(3)
    array([1.   , 1.266], dtype=float32)

    Shapes: x [...] -> [...]
    Dtypes: bool, int, uint -> float64; float -> the same
    Raises: OperandTypeError for other dtypes
    """
    return _scaled_bessel(x, 0) * _call("exp", _call("abs", x))


@_special
def bessel_i1(x: Any) -> Any:
    """The modified Bessel function of order 1.

    >>> ag.math.bessel_i1([0.0, 1.0]).numpy().round(3)
    array([0.   , 0.565], dtype=float32)

    Shapes: x [...] -> [...]
    Dtypes: bool, int, uint -> float64; float -> the same
    Raises: OperandTypeError for other dtypes
    """
    return _scaled_bessel(x, 1) * _call("exp", _call("abs", x))


# Others.


@_composition()
def nextafter(x1: Any, x2: Any, name: Any = None) -> Any:
    """The next floating-point number after ``x1`` in the direction of ``x2``.

    >>> ag.math.nextafter(ag.constant([1.0]), [2.0]).numpy() > 1.0
    array([ True])

    Shapes: x1 and x2 broadcast
    Dtypes: float -> the same
    Raises: OperandTypeError for other dtypes
    """
    dtype = _call("add", _operand(x1), _operand(x2)).dtype
    if not dtype.is_floating:
        raise TypeError(f"nextafter() is not defined for {dtype}")
    start, goal = _call("cast", x1, dtype), _call("cast", x2, dtype)
    whole = {16: "int16", 32: "int32", 64: "int64"}[dtype.bits]
    bits = _call("same_bits", start, whole)
    away = _call("equal", _call("greater", goal, start), _call("greater", start, 0))
    step = _call("cast", _where(away, 1, -1), whole)
    moved = _call("same_bits", _call("add", bits, step), dtype)
    least = _call("same_bits", _call("fill_like", bits, 1), dtype)
    moved = _where(_call("equal", start, 0), _call("copysign", least, goal), moved)
    moved = _where(_call("equal", start, goal), goal, moved)
    unordered = _call("logical_or", _call("isnan", start), _call("isnan", goal))
    return _call("cast", _where(unordered, math.nan, moved), dtype)


__all__ = [
    "bessel_i0",
    "bessel_i0e",
    "bessel_i1",
    "bessel_i1e",
    "digamma",
    "erfcinv",
    "erfinv",
    "lbeta",
    "lgamma",
    "log_sigmoid",
    "ndtri",
    "nextafter",
    "softplus",
    "softsign",
]
