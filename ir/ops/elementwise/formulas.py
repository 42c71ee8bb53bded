"""Formulas that are written once, for NumPy arrays and for scalars that are being recorded.

Only what IEEE 754 and two's complement define to the bit is used in them (``+ - * /``, square root,
shifts), so that a formula gives the same numbers evaluated, compiled and interpreted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from agir.ir.building import attributes
from agir.ir.building.types import DType, as_dtype, bool_, python_dtype
from agir.ir.emission import emit
from agir.ir.tracing.trace import Trace

_ARITHMETIC = {
    "add": ("arith.addi", "arith.addf"),
    "sub": ("arith.subi", "arith.subf"),
    "mul": ("arith.muli", "arith.mulf"),
    "truediv": (None, "arith.divf"),
    "and": ("arith.andi", None),
    "or": ("arith.ori", None),
    "xor": ("arith.xori", None),
    "lshift": ("arith.shli", None),
    "rshift": ("arith.shrui", None),
}
_PREDICATES = {
    "eq": ("eq", "oeq"),
    "lt": ("ult", "olt"),
    "le": ("ule", "ole"),
    "gt": ("ugt", "ogt"),
    "ge": ("uge", "oge"),
}


def _binary(name: str) -> Any:
    integer, floating = _ARITHMETIC[name]

    def method(self: Scalar, other: Any) -> Scalar:
        right = self.like(other)
        operation = floating if self.dtype.is_floating else integer
        ssa = self.trace.op(operation, self.ssa.type, self.ssa, right.ssa)  # type: ignore[arg-type]
        return Scalar(self.trace, ssa, self.dtype)

    return method


def _reflected(name: str) -> Any:
    operate = _binary(name)
    return lambda self, other: operate(self.like(other), self)


def _comparison(name: str) -> Any:
    integer, floating = _PREDICATES[name]

    def method(self: Scalar, other: Any) -> Scalar:
        right = self.like(other)
        compare = emit.compare_floats if self.dtype.is_floating else emit.compare_integers
        predicate = floating if self.dtype.is_floating else integer
        ssa = compare(self.trace, predicate, (), self.ssa, right.ssa)
        return Scalar(self.trace, ssa, bool_)

    return method


class Scalar:
    """A scalar being recorded, with the operators and methods of NumPy's that formulas use.

    Integers are unsigned: shifts fill with zeros and comparisons know no sign.
    """

    __slots__ = ("dtype", "ssa", "trace")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, trace: Trace, ssa: Any, dtype: DType) -> None:
        self.trace = trace
        self.ssa = ssa
        self.dtype = dtype

    def like(self, value: Any) -> Scalar:
        """A number as a scalar of this dtype."""
        if isinstance(value, Scalar):
            return value
        return Scalar(self.trace, self.trace.constant(self.dtype, value), self.dtype)

    def astype(self, dtype: Any) -> Scalar:
        """The value in another dtype."""
        target = as_dtype(dtype)
        ssa = emit.convert(self.trace, self.ssa, self.dtype, target, ())
        return Scalar(self.trace, ssa, target)

    def view(self, dtype: Any) -> Scalar:
        """The same bits as another dtype."""
        target = as_dtype(dtype)
        same = self.dtype.mlir() == target.mlir()
        ssa = self.ssa if same else self.trace.op("arith.bitcast", target.mlir(), self.ssa)
        return Scalar(self.trace, ssa, target)

    __add__, __radd__ = _binary("add"), _reflected("add")
    __sub__, __rsub__ = _binary("sub"), _reflected("sub")
    __mul__, __rmul__ = _binary("mul"), _reflected("mul")
    __truediv__, __rtruediv__ = _binary("truediv"), _reflected("truediv")
    __and__, __or__, __xor__ = _binary("and"), _binary("or"), _binary("xor")
    __lshift__, __rshift__ = _binary("lshift"), _binary("rshift")
    __lt__, __le__ = _comparison("lt"), _comparison("le")
    __gt__, __ge__ = _comparison("gt"), _comparison("ge")
    __eq__ = _comparison("eq")


def where(condition: Any, left: Any, right: Any) -> Any:
    """``left`` where the condition holds, else ``right``."""
    if not isinstance(condition, Scalar):
        return np.where(condition, left, right)
    given = left if isinstance(left, Scalar) else right
    if not isinstance(given, Scalar):
        dtype = python_dtype(given)
        given = Scalar(condition.trace, condition.trace.constant(dtype, given), dtype)
    a, b = given.like(left), given.like(right)
    ssa = emit.select(condition.trace, condition.ssa, a.ssa, b.ssa)
    return Scalar(condition.trace, ssa, given.dtype)


def sqrt(x: Any) -> Any:
    """The square root, which is rounded correctly everywhere."""
    if not isinstance(x, Scalar):
        return np.sqrt(x)
    return Scalar(x.trace, x.trace.op("math.sqrt", x.ssa.type, x.ssa), x.dtype)


def polynomial(x: Any, coefficients: tuple[float, ...]) -> Any:
    """Horner's scheme; the constant coefficient comes first."""
    *rest, total = coefficients
    for coefficient in reversed(rest):
        total = total * x + coefficient
    return total


def linear_index(trace: Trace, dims: Any, dtype: DType) -> Scalar:
    """The number of the element of a ``linalg.generic`` over the dimensions, in row-major order."""
    index = trace.index_type()
    total = trace.index(0)
    for axis, dim in enumerate(dims):
        position = trace.op("linalg.index", index, dim=attributes.i64(axis))
        if axis:
            total = trace.op("arith.muli", index, total, emit.dim_value(trace, dim))
            total = trace.op("arith.addi", index, total, position)
        else:
            total = position
    return Scalar(trace, emit.from_index(trace, total, dtype), dtype)


Formula = Callable[..., Any]

# Functions to double precision, from arithmetic alone.

_EXPONENT = 52
_MANTISSA = (1 << _EXPONENT) - 1
_ONE = 1023 << _EXPONENT
_LN2_HIGH, _LN2_LOW = 0.693147180369123816490, 1.90821492927058770002e-10
_ATANH = tuple(2.0 / (2 * k + 1) for k in range(12))
_SIN = tuple(float((-1) ** k / np.prod(np.arange(1.0, 2 * k + 2))) for k in range(10))
_COS = tuple(float((-1) ** k / np.prod(np.arange(1.0, 2 * k + 1))) for k in range(10))


def log(x: Any) -> Any:
    """The natural logarithm of positive normal float64."""
    bits = x.view(np.uint64)
    exponent = (bits >> _EXPONENT).astype(np.float64) - 1023.0
    fraction = ((bits & _MANTISSA) | _ONE).view(np.float64)
    upper = fraction > 1.4142135623730951
    fraction = where(upper, fraction * 0.5, fraction)
    exponent = where(upper, exponent + 1.0, exponent)
    s = (fraction - 1.0) / (fraction + 1.0)
    return exponent * _LN2_HIGH + (s * polynomial(s * s, _ATANH) + exponent * _LN2_LOW)


def sincos_turn(t: Any) -> tuple[Any, Any]:
    """The sine and cosine of ``2 pi t`` for float64 in [0, 1)."""
    quarter = (t * 4.0 + 0.5).astype(np.uint64)
    angle = (t - quarter.astype(np.float64) * 0.25) * (2.0 * np.pi)
    square = angle * angle
    sine, cosine = angle * polynomial(square, _SIN), polynomial(square, _COS)
    swapped = (quarter & 1) == 1
    first, second = where(swapped, cosine, sine), where(swapped, sine, cosine)
    sin = where((quarter & 2) == 2, 0.0 - first, first)
    cos = where(((quarter + 1) & 2) == 2, 0.0 - second, second)
    return sin, cos


# The inverse of the normal distribution (Wichura 1988, algorithm AS 241).

_CENTRAL = (
    (3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
     1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
     3.3430575583588128105e4, 2.5090809287301226727e3),
    (1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
     2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4,
     5.2264952788528545610e3),
)  # fmt: skip
_OUTER = (
    (1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
     3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
     2.27238449892691845833e-2, 7.74545014278341407640e-4),
    (1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
     1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
     1.05075007164441684324e-9),
)  # fmt: skip


def normal_quantile(p: Any) -> Any:
    """The number that a standard normal variable is below with probability ``p``.

    For float64 from 1.4e-11 to 1 - 1.4e-11, to about 16 digits.
    """
    q = p - 0.5
    inner = 0.180625 - q * q
    central = q * polynomial(inner, _CENTRAL[0]) / polynomial(inner, _CENTRAL[1])
    below = q < 0.0
    r = sqrt(0.0 - log(where(below, p, 1.0 - p))) - 1.6
    outer = polynomial(r, _OUTER[0]) / polynomial(r, _OUTER[1])
    outer = where(below, 0.0 - outer, outer)
    return where(inner >= 0.0, central, outer)
