"""Mathematical functions: exp, log, sqrt, sin, cos, erf, sigmoid, ..."""

from __future__ import annotations

from collections.abc import Callable
from math import erf as scalar_erf
from math import erfc as scalar_erfc
from math import log, log2
from typing import Any

import numpy as np

from agir.ir.building.types import DType
from agir.ir.emission import emit
from agir.ir.ops.core.operands import native
from agir.ir.ops.elementwise import complex_functions
from agir.ir.ops.elementwise.elementwise import (
    Emitter,
    as_ufunc,
    elementwise_operation,
    emitted,
    simple,
)
from agir.ir.ops.elementwise.emitters import floating, function, scalar
from agir.ir.tensors.symbolic import Dims
from agir.ir.tracing.trace import Trace

# Exponentials, logarithms, roots.


def _scaled(before: str | None, factor: float, after: str | None) -> Emitter:
    """``after(factor * before(z))`` of complex numbers; a name that is None is left out."""

    def build(trace: Trace, dtype: DType, z: Any) -> Any:
        z = trace.op(before, dtype.mlir(), z) if before else z
        real, scale = dtype.real.mlir(), trace.constant(dtype.real, factor)
        parts = [trace.op(name, real, z) for name in ("complex.re", "complex.im")]
        scaled = [trace.op("arith.mulf", real, part, scale) for part in parts]
        product = trace.op("complex.create", dtype.mlir(), *scaled)
        return trace.op(after, dtype.mlir(), product) if after else product

    return scalar(build)


_root = complex_functions.of_complex


@function(np.exp, of_complex="complex.exp")
def exp(x: Any) -> Any:
    """``e ** x``.

    >>> ag.exp([0.0, 1.0]).numpy().round(3)
    array([1.   , 2.718], dtype=float32)
    """


@function(np.exp2, of_complex=_scaled(None, log(2.0), "complex.exp"))
def exp2(x: Any) -> Any:
    """``2 ** x``.

    >>> ag.exp2([3.0, -1.0]).numpy()
    array([8. , 0.5], dtype=float32)
    """


@function(np.expm1, of_complex="complex.expm1")
def expm1(x: Any) -> Any:
    """``exp(x) - 1``, exact for small ``x``.

    >>> ag.math.expm1([0.0, 1.0]).numpy().round(3)
    array([0.   , 1.718], dtype=float32)
    """


@function(np.log, of_complex="complex.log")
def log_(x: Any) -> Any:
    """The natural logarithm.

    >>> ag.math.log([1.0, 10.0]).numpy().round(3)
    array([0.   , 2.303], dtype=float32)
    """


@function(np.log2, of_complex=_scaled("complex.log", log2(np.e), None))
def log2_(x: Any) -> Any:
    """The logarithm to base 2.

    >>> ag.log2([1.0, 8.0]).numpy()
    array([0., 3.], dtype=float32)
    """


@function(np.log10, of_complex=_scaled("complex.log", 1.0 / log(10.0), None))
def log10(x: Any) -> Any:
    """The logarithm to base 10.

    >>> ag.log10([1.0, 1000.0]).numpy().round(3)
    array([0., 3.], dtype=float32)
    """


@function(np.log1p, of_complex="complex.log1p")
def log1p(x: Any) -> Any:
    """``log(1 + x)``, exact for small ``x``.

    >>> ag.math.log1p([0.0, 1.0]).numpy().round(3)
    array([0.   , 0.693], dtype=float32)
    """


@function(np.sqrt, of_complex="complex.sqrt")
def sqrt(x: Any) -> Any:
    """The square root.

    >>> ag.sqrt([0.25, 4.0]).numpy()
    array([0.5, 2. ], dtype=float32)
    """


@function(np.cbrt)
def cbrt(x: Any) -> Any:
    """The cube root of real numbers.

    >>> ag.cbrt([8.0, -27.0]).numpy().round(3)
    array([ 2., -3.], dtype=float32)
    """


@emitted("biufc", np.square)
def square(trace: Trace, dtype: DType, dims: Dims, x: Any) -> Any:
    """``x * x``.

    >>> ag.square([2, -3]).numpy()
    array([4, 9], dtype=int32)
    """
    name = {"f": "arith.mulf", "c": "complex.mul"}.get(dtype.kind, "arith.muli")
    return emit.elementwise(trace, name, dtype, dims, x, x)


def _one_over(trace: Trace, dtype: DType, dims: Dims, x: Any) -> Any:
    name = "complex.div" if dtype.is_complex else "arith.divf"
    one = emit.constant_like(trace, dtype, dims, 1)
    return emit.elementwise(trace, name, dtype, dims, one, x)


@elementwise_operation(np.reciprocal, dict.fromkeys("fc", _one_over))
def reciprocal(x: Any) -> Any:
    """``1 / x`` of floats and complex.

    >>> ag.math.reciprocal([2.0, 4.0]).numpy()
    array([0.5 , 0.25], dtype=float32)
    """


def _widened(x: Any) -> Any:
    """The operand for a formula of several steps: half precision in float32, as it is compiled."""
    values = np.asarray(native(x))
    dtype = np.exp(values[..., :0] if values.ndim else values).dtype
    return values.astype(np.float32 if dtype == np.float16 else dtype)


def _reciprocal_root(x: Any) -> Any:
    return np.reciprocal(np.sqrt(_widened(x)))


@emitted("biufc", _reciprocal_root, resolve=as_ufunc(np.sqrt))
def rsqrt(trace: Trace, dtype: DType, dims: Dims, x: Any) -> Any:
    """``1 / sqrt(x)``.

    >>> ag.math.rsqrt([4.0, 16.0]).numpy()
    array([0.5 , 0.25], dtype=float32)
    """
    name = "complex.sqrt" if dtype.is_complex else "math.sqrt"
    return _one_over(trace, dtype, dims, emit.elementwise(trace, name, dtype, dims, x))


# Angles.


@function(np.sin, of_complex="complex.sin")
def sin(x: Any) -> Any:
    """The sine.

    >>> ag.sin([0.0, 3.0]).numpy().round(3)
    array([0.   , 0.141], dtype=float32)
    """


@function(np.cos, of_complex="complex.cos")
def cos(x: Any) -> Any:
    """The cosine.

    >>> ag.cos([0.0, 3.0]).numpy().round(3)
    array([ 1.  , -0.99], dtype=float32)
    """


@function(np.tan, of_complex="complex.tan")
def tan(x: Any) -> Any:
    """The tangent.

    >>> ag.tan([0.0, 1.0]).numpy().round(3)
    array([0.   , 1.557], dtype=float32)
    """


@function(np.sinh, of_complex=_root("sinh"))
def sinh(x: Any) -> Any:
    """The hyperbolic sine.

    >>> ag.sinh([0.0, 1.0]).numpy().round(3)
    array([0.   , 1.175], dtype=float32)
    """


@function(np.cosh, of_complex=_root("cosh"))
def cosh(x: Any) -> Any:
    """The hyperbolic cosine.

    >>> ag.cosh([0.0, 1.0]).numpy().round(3)
    array([1.   , 1.543], dtype=float32)
    """


@function(np.tanh, of_complex="complex.tanh")
def tanh(x: Any) -> Any:
    """The hyperbolic tangent.

    >>> ag.tanh([0.0, 1.0]).numpy().round(3)
    array([0.   , 0.762], dtype=float32)
    """


@function(np.arcsin, of_complex=_root("asin"))
def asin(x: Any) -> Any:
    """The inverse sine, in radians.

    >>> ag.asin([0.0, 1.0]).numpy().round(3)
    array([0.   , 1.571], dtype=float32)
    """


@function(np.arccos, of_complex=_root("acos"))
def acos(x: Any) -> Any:
    """The inverse cosine, in radians.

    >>> ag.acos([-1.0, 1.0]).numpy().round(3)
    array([3.142, 0.   ], dtype=float32)
    """


@function(np.arctan, of_complex=_root("atan"))
def atan(x: Any) -> Any:
    """The inverse tangent, in radians.

    >>> ag.atan([0.0, 1.0]).numpy().round(3)
    array([0.   , 0.785], dtype=float32)
    """


@function(np.arcsinh, of_complex=_root("asinh"))
def asinh(x: Any) -> Any:
    """The inverse hyperbolic sine.

    >>> ag.asinh([0.0, 1.0]).numpy().round(3)
    array([0.   , 0.881], dtype=float32)
    """


@function(np.arccosh, of_complex=_root("acosh"))
def acosh(x: Any) -> Any:
    """The inverse hyperbolic cosine.

    >>> ag.acosh([1.0, 2.0]).numpy().round(3)
    array([0.   , 1.317], dtype=float32)
    """


@function(np.arctanh, of_complex=_root("atanh"))
def atanh(x: Any) -> Any:
    """The inverse hyperbolic tangent.

    >>> ag.atanh([0.0, 0.5]).numpy().round(3)
    array([0.   , 0.549], dtype=float32)
    """


@elementwise_operation(np.arctan2, floating(simple("math.atan2")))
def atan2(x: Any, y: Any) -> Any:
    """The angle of the point whose ordinate is ``x`` and whose abscissa is ``y``: ``atan2(y, x)``.

    >>> ag.atan2([1.0, -1.0], [1.0, 1.0]).numpy().round(3)
    array([ 0.785, -0.785], dtype=float32)
    """


@emitted("biuf", np.hypot)
@scalar
def hypot(trace: Trace, dtype: DType, x: Any, y: Any) -> Any:
    """``sqrt(x ** 2 + y ** 2)``, without overflow on the way.

    >>> ag.hypot([3.0], [4.0]).numpy()
    array([5.], dtype=float32)
    """
    pair = {"float32": "complex<f32>", "float64": "complex<f64>"}[dtype.name]
    kind = complex_functions.parse(pair)
    return trace.op("complex.abs", dtype.mlir(), trace.op("complex.create", kind, x, y))


# Of statistics.


def _one_by_one(function: Callable[[float], float]) -> Callable[[Any], Any]:
    """A function that NumPy lacks, one element at a time, in the dtype that exp would give."""
    vectorised = np.frompyfunc(function, 1, 1)

    def evaluate(x: Any) -> Any:
        values = np.asarray(native(x))
        dtype = np.exp(values[..., :0] if values.ndim else values).dtype
        return np.asarray(vectorised(values.astype(np.float64)), np.float64).astype(dtype)

    return evaluate


@elementwise_operation(
    _one_by_one(scalar_erf), floating(simple("math.erf")), resolve=as_ufunc(np.exp)
)
def erf(x: Any) -> Any:
    """The error function of real numbers.

    >>> ag.math.erf([0.0, 1.0]).numpy().round(3)
    array([0.   , 0.843], dtype=float32)
    """


@elementwise_operation(
    _one_by_one(scalar_erfc), floating(simple("math.erfc")), resolve=as_ufunc(np.exp)
)
def erfc(x: Any) -> Any:
    """``1 - erf(x)``, exact for large ``x``.

    >>> ag.math.erfc([0.0, 1.0]).numpy().round(3)
    array([1.   , 0.157], dtype=float32)
    """


def _sigmoid(x: Any) -> Any:
    x = _widened(x)
    if np.iscomplexobj(x):
        return np.reciprocal(1 + np.exp(-x))
    decay = np.exp(np.where(x < 0, x, -x)[()])  # at most 1
    return np.where(x < 0, decay, np.ones_like(decay))[()] / (1 + decay)


_SIGMOID = {
    "float": {
        "exp": "math.exp",
        "negative": "arith.negf",
        "add": "arith.addf",
        "divide": "arith.divf",
    },
    "complex": {
        "exp": "complex.exp",
        "negative": "complex.neg",
        "add": "complex.add",
        "divide": "complex.div",
    },
}


@emitted("biufc", _sigmoid, resolve=as_ufunc(np.exp))
def sigmoid(trace: Trace, dtype: DType, dims: Dims, x: Any) -> Any:
    """The logistic function ``1 / (1 + exp(-x))``.

    >>> ag.sigmoid([0.0, 2.0]).numpy().round(3)
    array([0.5  , 0.881], dtype=float32)
    """
    one = emit.constant_like(trace, dtype, dims, 1)
    kind = "complex" if dtype.is_complex else "float"
    names = _SIGMOID[kind]

    def op(name: str, *operands: Any) -> Any:
        return emit.elementwise(trace, names[name], dtype, dims, *operands)

    if dtype.is_complex:
        return op("divide", one, op("add", one, op("exp", op("negative", x))))
    zero = emit.constant_like(trace, dtype, dims, 0)
    below = emit.compare_floats(trace, "olt", dims, x, zero)
    decay = op("exp", emit.select(trace, below, x, op("negative", x)))
    return op("divide", emit.select(trace, below, decay, one), op("add", one, decay))
