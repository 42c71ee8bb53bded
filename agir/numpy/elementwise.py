"""Functions of each element: NumPy's ufuncs under their own names and those of the standard."""

from __future__ import annotations

from typing import Any

import numpy as _np

from agir.ir.ops.core.operands import composition
from agir.ir.table import TABLE
from agir.numpy.arguments import array, array_function, operand
from agir.numpy.ufuncs import Elementwise as _Elementwise

abs = _Elementwise("abs", _np.absolute)
absolute = _Elementwise("absolute", _np.absolute)
acos = _Elementwise("acos", _np.arccos)
acosh = _Elementwise("acosh", _np.arccosh)
add = _Elementwise("add", _np.add)
arccos = _Elementwise("arccos", _np.arccos)
arccosh = _Elementwise("arccosh", _np.arccosh)
arcsin = _Elementwise("arcsin", _np.arcsin)
arcsinh = _Elementwise("arcsinh", _np.arcsinh)
arctan = _Elementwise("arctan", _np.arctan)
arctan2 = _Elementwise("arctan2", _np.arctan2)
arctanh = _Elementwise("arctanh", _np.arctanh)
asin = _Elementwise("asin", _np.arcsin)
asinh = _Elementwise("asinh", _np.arcsinh)
atan = _Elementwise("atan", _np.arctan)
atan2 = _Elementwise("atan2", _np.arctan2)
atanh = _Elementwise("atanh", _np.arctanh)
bitwise_and = _Elementwise("bitwise_and", _np.bitwise_and)
bitwise_invert = _Elementwise("bitwise_invert", _np.invert)
bitwise_left_shift = _Elementwise("bitwise_left_shift", _np.left_shift)
bitwise_not = _Elementwise("bitwise_not", _np.invert)
bitwise_or = _Elementwise("bitwise_or", _np.bitwise_or)
bitwise_right_shift = _Elementwise("bitwise_right_shift", _np.right_shift)
bitwise_xor = _Elementwise("bitwise_xor", _np.bitwise_xor)
cbrt = _Elementwise("cbrt", _np.cbrt)
ceil = _Elementwise("ceil", _np.ceil)
conj = _Elementwise("conj", _np.conjugate)
conjugate = _Elementwise("conjugate", _np.conjugate)
copysign = _Elementwise("copysign", _np.copysign)
cos = _Elementwise("cos", _np.cos)
cosh = _Elementwise("cosh", _np.cosh)
divide = _Elementwise("divide", _np.divide)
equal = _Elementwise("equal", _np.equal)
exp = _Elementwise("exp", _np.exp)
exp2 = _Elementwise("exp2", _np.exp2)
expm1 = _Elementwise("expm1", _np.expm1)
floor = _Elementwise("floor", _np.floor)
floor_divide = _Elementwise("floor_divide", _np.floor_divide)
fmax = _Elementwise("fmax", _np.fmax)
fmin = _Elementwise("fmin", _np.fmin)
greater = _Elementwise("greater", _np.greater)
greater_equal = _Elementwise("greater_equal", _np.greater_equal)
hypot = _Elementwise("hypot", _np.hypot)
invert = _Elementwise("invert", _np.invert)
isfinite = _Elementwise("isfinite", _np.isfinite)
isinf = _Elementwise("isinf", _np.isinf)
isnan = _Elementwise("isnan", _np.isnan)
left_shift = _Elementwise("left_shift", _np.left_shift)
less = _Elementwise("less", _np.less)
less_equal = _Elementwise("less_equal", _np.less_equal)
log = _Elementwise("log", _np.log)
log10 = _Elementwise("log10", _np.log10)
log1p = _Elementwise("log1p", _np.log1p)
log2 = _Elementwise("log2", _np.log2)
logaddexp = _Elementwise("logaddexp", _np.logaddexp)
logical_and = _Elementwise("logical_and", _np.logical_and)
logical_not = _Elementwise("logical_not", _np.logical_not)
logical_or = _Elementwise("logical_or", _np.logical_or)
logical_xor = _Elementwise("logical_xor", _np.logical_xor)
maximum = _Elementwise("maximum", _np.maximum)
minimum = _Elementwise("minimum", _np.minimum)
mod = _Elementwise("mod", _np.remainder)
multiply = _Elementwise("multiply", _np.multiply)
negative = _Elementwise("negative", _np.negative)
nextafter = _Elementwise("nextafter", _np.nextafter)
not_equal = _Elementwise("not_equal", _np.not_equal)
positive = _Elementwise("positive", _np.positive)
pow = _Elementwise("pow", _np.power)
power = _Elementwise("power", _np.power)
reciprocal = _Elementwise("reciprocal", _np.reciprocal)
remainder = _Elementwise("remainder", _np.remainder)
right_shift = _Elementwise("right_shift", _np.right_shift)
rint = _Elementwise("rint", _np.rint)
sign = _Elementwise("sign", _np.sign)
signbit = _Elementwise("signbit", _np.signbit)
sin = _Elementwise("sin", _np.sin)
sinh = _Elementwise("sinh", _np.sinh)
sqrt = _Elementwise("sqrt", _np.sqrt)
square = _Elementwise("square", _np.square)
subtract = _Elementwise("subtract", _np.subtract)
tan = _Elementwise("tan", _np.tan)
tanh = _Elementwise("tanh", _np.tanh)
true_divide = _Elementwise("true_divide", _np.divide)
trunc = _Elementwise("trunc", _np.trunc)


@array_function("x")
def real(x: Any, /) -> Any:
    """The real parts.

    >>> ag.numpy.real([1 + 2j]).numpy()
    array([1.])
    """
    return TABLE["real"](x)


@array_function("x")
def imag(x: Any, /) -> Any:
    """The imaginary parts; 0 of real numbers.

    >>> ag.numpy.imag([1 + 2j]).numpy()
    array([2.])
    """
    return TABLE["imag"](x)


@array_function("x")
def angle(x: Any, /, deg: Any = False) -> Any:
    """The angles of complex numbers in radians, or in degrees.

    >>> ag.numpy.angle(1j, deg=True).numpy()
    np.float64(90.0)
    """
    found = TABLE["angle"](x)
    return TABLE["multiply"](found, 180.0 / _np.pi) if deg else found


@array_function("x")
def round(x: Any, /, decimals: int = 0) -> Any:
    """The nearest integers, or numbers of so many decimals; halves to the even one.

    >>> ag.numpy.round([1.26, 2.5], 1).numpy()
    array([1.3, 2.5])
    """
    if not decimals:
        return TABLE["round"](x)
    scale = 10.0 ** abs(decimals)
    there, back = ("multiply", "divide") if decimals > 0 else ("divide", "multiply")
    found = TABLE[back](TABLE["round"](TABLE[there](x, scale)), scale)
    return TABLE["cast"](found, getattr(x, "dtype", found.dtype))


@composition()
def clip(
    x: Any, /, min: Any = None, max: Any = None, out: Any = None, *, a_min: Any = None,
    a_max: Any = None,
) -> Any:  # fmt: skip
    """The elements kept between ``min`` and ``max``, of which None is no bound.

    The dtype is that of ``x`` where the bounds are Python numbers.

    >>> ag.numpy.clip([1, 5, 9], 2, 6).numpy()
    array([2, 5, 6])
    """
    low, high = (operand(own if own is not None else other)
                 for own, other in ((min, a_min), (max, a_max)))  # fmt: skip
    return TABLE["clip"](array(x), low, high)


around = round

__all__ = [
    "abs",
    "absolute",
    "acos",
    "acosh",
    "add",
    "angle",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctan2",
    "arctanh",
    "around",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_not",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "cbrt",
    "ceil",
    "clip",
    "conj",
    "conjugate",
    "copysign",
    "cos",
    "cosh",
    "divide",
    "equal",
    "exp",
    "exp2",
    "expm1",
    "floor",
    "floor_divide",
    "fmax",
    "fmin",
    "greater",
    "greater_equal",
    "hypot",
    "imag",
    "invert",
    "isfinite",
    "isinf",
    "isnan",
    "left_shift",
    "less",
    "less_equal",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "mod",
    "multiply",
    "negative",
    "nextafter",
    "not_equal",
    "positive",
    "pow",
    "power",
    "real",
    "reciprocal",
    "remainder",
    "right_shift",
    "rint",
    "round",
    "sign",
    "signbit",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "subtract",
    "tan",
    "tanh",
    "true_divide",
    "trunc",
]
