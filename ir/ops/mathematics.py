"""Mathematical functions: exp, log, sin, erf, floor, maximum, isnan, real, clip, ..."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import erf as scalar_erf
from math import erfc as scalar_erfc
from math import log, log2
from typing import Any

import numpy as np

from agir.ir import broadcast, dispatch, emit
from agir.ir.ops import complex_functions
from agir.ir.ops.elementwise import (
    Emitter,
    Resolve,
    as_ufunc,
    elementwise_operation,
    simple,
)
from agir.ir.ops.operands import native, operand_type
from agir.ir.symbolic import Dims, SymbolicTensor, static_shape
from agir.ir.trace import Trace
from agir.ir.types import DType, TensorType, bool_, float64, int32, int64, mlir_type, promote


def _unchanged(trace: Trace, dtype: DType, dims: Dims, x: Any) -> Any:
    return x


def _scalar(build: Callable[..., Any]) -> Emitter:
    """The emitter that applies ``build(trace, dtype, *scalars)`` to every element."""

    def emitter(trace: Trace, dtype: DType, dims: Dims, *operands: Any) -> Any:
        if not dims:
            return build(trace, dtype, *operands)
        return emit.map_scalars(trace, partial(build, trace, dtype), dtype, dims, *operands)

    return emitter


def _floating(emitter: Emitter, of_complex: Emitter | None = None) -> dict[str, Emitter]:
    """Emitters of a function of real numbers: integers are converted as NumPy converts them."""
    found = dict.fromkeys("biuf", emitter)
    return found if of_complex is None else found | {"c": of_complex}


# Exponentials, logarithms, roots.


def _function(
    name: str,
    ufunc: np.ufunc,
    doc: str,
    mlir: str | None = None,
    of_complex: Emitter | str | None = None,
) -> dispatch.Operation:
    """A function of one number: ``math.name`` on reals, and ``of_complex``."""
    if isinstance(of_complex, str):
        of_complex = simple(of_complex)
    emitters = _floating(simple(mlir or f"math.{name}"), of_complex)
    return elementwise_operation(name, ufunc, emitters, doc)


def _scaled(before: str | None, factor: float, after: str | None) -> Emitter:
    """``after(factor * before(z))`` of complex numbers; a name that is None is left out."""

    def build(trace: Trace, dtype: DType, z: Any) -> Any:
        z = trace.op(before, dtype.mlir(), z) if before else z
        real, scale = dtype.real.mlir(), trace.constant(dtype.real, factor)
        parts = [trace.op(name, real, z) for name in ("complex.re", "complex.im")]
        scaled = [trace.op("arith.mulf", real, part, scale) for part in parts]
        product = trace.op("complex.create", dtype.mlir(), *scaled)
        return trace.op(after, dtype.mlir(), product) if after else product

    return _scalar(build)


_root = complex_functions.of_complex

exp = _function(
    "exp",
    np.exp,
    """``e ** x``.

    >>> ag.exp([0.0, 1.0]).numpy().round(3)
    array([1.   , 2.718], dtype=float32)
    """,
    of_complex="complex.exp",
)
exp2 = _function(
    "exp2",
    np.exp2,
    """``2 ** x``.

    >>> ag.exp2([3.0, -1.0]).numpy()
    array([8. , 0.5], dtype=float32)
    """,
    of_complex=_scaled(None, log(2.0), "complex.exp"),
)
expm1 = _function(
    "expm1",
    np.expm1,
    """``exp(x) - 1``, exact for small ``x``.

    >>> ag.math.expm1([0.0, 1.0]).numpy().round(3)
    array([0.   , 1.718], dtype=float32)
    """,
    of_complex="complex.expm1",
)
log_ = _function(
    "log",
    np.log,
    """The natural logarithm.

    >>> ag.math.log([1.0, 10.0]).numpy().round(3)
    array([0.   , 2.303], dtype=float32)
    """,
    of_complex="complex.log",
)
log2_ = _function(
    "log2", np.log2, """The logarithm to base 2.

    >>> ag.log2([1.0, 8.0]).numpy()
    array([0., 3.], dtype=float32)
    """,
    of_complex=_scaled("complex.log", log2(np.e), None),
)  # fmt: skip
log10 = _function(
    "log10", np.log10, """The logarithm to base 10.

    >>> ag.log10([1.0, 1000.0]).numpy().round(3)
    array([0., 3.], dtype=float32)
    """,
    of_complex=_scaled("complex.log", 1.0 / log(10.0), None),
)  # fmt: skip
log1p = _function(
    "log1p",
    np.log1p,
    """``log(1 + x)``, exact for small ``x``.

    >>> ag.math.log1p([0.0, 1.0]).numpy().round(3)
    array([0.   , 0.693], dtype=float32)
    """,
    of_complex="complex.log1p",
)
sqrt = _function(
    "sqrt",
    np.sqrt,
    """The square root.

    >>> ag.sqrt([0.25, 4.0]).numpy()
    array([0.5, 2. ], dtype=float32)
    """,
    of_complex="complex.sqrt",
)
cbrt = _function(
    "cbrt",
    np.cbrt,
    """The cube root of real numbers.

    >>> ag.cbrt([8.0, -27.0]).numpy().round(3)
    array([ 2., -3.], dtype=float32)
    """,
)


def _square(trace: Trace, dtype: DType, dims: Dims, x: Any) -> Any:
    name = {"f": "arith.mulf", "c": "complex.mul"}.get(dtype.kind, "arith.muli")
    return emit.elementwise(trace, name, dtype, dims, x, x)


square = elementwise_operation(
    "square",
    np.square,
    dict.fromkeys("biufc", _square),
    """``x * x``.

    >>> ag.square([2, -3]).numpy()
    array([4, 9], dtype=int32)
    """,
)


def _one_over(trace: Trace, dtype: DType, dims: Dims, x: Any) -> Any:
    name = "complex.div" if dtype.is_complex else "arith.divf"
    one = emit.constant_like(trace, dtype, dims, 1)
    return emit.elementwise(trace, name, dtype, dims, one, x)


reciprocal = elementwise_operation(
    "reciprocal",
    np.reciprocal,
    dict.fromkeys("fc", _one_over),
    """``1 / x`` of floats and complex.

    >>> ag.math.reciprocal([2.0, 4.0]).numpy()
    array([0.5 , 0.25], dtype=float32)
    """,
)


def _widened(x: Any) -> Any:
    """The operand for a formula of several steps: half precision in float32, as it is compiled."""
    values = np.asarray(native(x))
    dtype = np.exp(values[..., :0] if values.ndim else values).dtype
    return values.astype(np.float32 if dtype == np.float16 else dtype)


def _reciprocal_root(x: Any) -> Any:
    return np.reciprocal(np.sqrt(_widened(x)))


def _emit_reciprocal_root(trace: Trace, dtype: DType, dims: Dims, x: Any) -> Any:
    name = "complex.sqrt" if dtype.is_complex else "math.sqrt"
    return _one_over(trace, dtype, dims, emit.elementwise(trace, name, dtype, dims, x))


rsqrt = elementwise_operation(
    "rsqrt",
    _reciprocal_root,
    dict.fromkeys("biufc", _emit_reciprocal_root),
    """``1 / sqrt(x)``.

    >>> ag.math.rsqrt([4.0, 16.0]).numpy()
    array([0.5 , 0.25], dtype=float32)
    """,
    resolve=as_ufunc(np.sqrt),
)


# Angles.

sin = _function(
    "sin",
    np.sin,
    """The sine.

    >>> ag.sin([0.0, 3.0]).numpy().round(3)
    array([0.   , 0.141], dtype=float32)
    """,
    of_complex="complex.sin",
)
cos = _function(
    "cos",
    np.cos,
    """The cosine.

    >>> ag.cos([0.0, 3.0]).numpy().round(3)
    array([ 1.  , -0.99], dtype=float32)
    """,
    of_complex="complex.cos",
)
tan = _function(
    "tan",
    np.tan,
    """The tangent.

    >>> ag.tan([0.0, 1.0]).numpy().round(3)
    array([0.   , 1.557], dtype=float32)
    """,
    of_complex="complex.tan",
)
sinh = _function(
    "sinh",
    np.sinh,
    """The hyperbolic sine.

    >>> ag.sinh([0.0, 1.0]).numpy().round(3)
    array([0.   , 1.175], dtype=float32)
    """,
    of_complex=_root("sinh"),
)
cosh = _function(
    "cosh",
    np.cosh,
    """The hyperbolic cosine.

    >>> ag.cosh([0.0, 1.0]).numpy().round(3)
    array([1.   , 1.543], dtype=float32)
    """,
    of_complex=_root("cosh"),
)
tanh = _function(
    "tanh",
    np.tanh,
    """The hyperbolic tangent.

    >>> ag.tanh([0.0, 1.0]).numpy().round(3)
    array([0.   , 0.762], dtype=float32)
    """,
    of_complex="complex.tanh",
)
asin = _function(
    "asin",
    np.arcsin,
    """The inverse sine, in radians.

    >>> ag.asin([0.0, 1.0]).numpy().round(3)
    array([0.   , 1.571], dtype=float32)
    """,
    of_complex=_root("asin"),
)
acos = _function(
    "acos",
    np.arccos,
    """The inverse cosine, in radians.

    >>> ag.acos([-1.0, 1.0]).numpy().round(3)
    array([3.142, 0.   ], dtype=float32)
    """,
    of_complex=_root("acos"),
)
atan = _function(
    "atan",
    np.arctan,
    """The inverse tangent, in radians.

    >>> ag.atan([0.0, 1.0]).numpy().round(3)
    array([0.   , 0.785], dtype=float32)
    """,
    of_complex=_root("atan"),
)
asinh = _function(
    "asinh",
    np.arcsinh,
    """The inverse hyperbolic sine.

    >>> ag.asinh([0.0, 1.0]).numpy().round(3)
    array([0.   , 0.881], dtype=float32)
    """,
    of_complex=_root("asinh"),
)
acosh = _function(
    "acosh",
    np.arccosh,
    """The inverse hyperbolic cosine.

    >>> ag.acosh([1.0, 2.0]).numpy().round(3)
    array([0.   , 1.317], dtype=float32)
    """,
    of_complex=_root("acosh"),
)
atanh = _function(
    "atanh",
    np.arctanh,
    """The inverse hyperbolic tangent.

    >>> ag.atanh([0.0, 0.5]).numpy().round(3)
    array([0.   , 0.549], dtype=float32)
    """,
    of_complex=_root("atanh"),
)
atan2 = elementwise_operation(
    "atan2",
    np.arctan2,
    _floating(simple("math.atan2")),
    """The angle of the point whose ordinate is ``x`` and whose abscissa is ``y``: ``atan2(y, x)``.

    >>> ag.atan2([1.0, -1.0], [1.0, 1.0]).numpy().round(3)
    array([ 0.785, -0.785], dtype=float32)
    """,
)


def _hypotenuse(trace: Trace, dtype: DType, x: Any, y: Any) -> Any:
    pair = {"float32": "complex<f32>", "float64": "complex<f64>"}[dtype.name]
    kind = complex_functions.parse(pair)
    return trace.op("complex.abs", dtype.mlir(), trace.op("complex.create", kind, x, y))


hypot = elementwise_operation(
    "hypot",
    np.hypot,
    _floating(_scalar(_hypotenuse)),
    """``sqrt(x ** 2 + y ** 2)``, without overflow on the way.

    >>> ag.hypot([3.0], [4.0]).numpy()
    array([5.], dtype=float32)
    """,
)


# Of statistics.


def _one_by_one(function: Callable[[float], float]) -> Callable[[Any], Any]:
    """A function that NumPy lacks, one element at a time, in the dtype that exp would give."""
    vectorised = np.frompyfunc(function, 1, 1)

    def evaluate(x: Any) -> Any:
        values = np.asarray(native(x))
        dtype = np.exp(values[..., :0] if values.ndim else values).dtype
        return np.asarray(vectorised(values.astype(np.float64)), np.float64).astype(dtype)

    return evaluate


erf = elementwise_operation(
    "erf",
    _one_by_one(scalar_erf),
    _floating(simple("math.erf")),
    """The error function of real numbers.

    >>> ag.math.erf([0.0, 1.0]).numpy().round(3)
    array([0.   , 0.843], dtype=float32)
    """,
    resolve=as_ufunc(np.exp),
)
erfc = elementwise_operation(
    "erfc",
    _one_by_one(scalar_erfc),
    _floating(simple("math.erfc")),
    """``1 - erf(x)``, exact for large ``x``.

    >>> ag.math.erfc([0.0, 1.0]).numpy().round(3)
    array([1.   , 0.157], dtype=float32)
    """,
    resolve=as_ufunc(np.exp),
)


def _sigmoid(x: Any) -> Any:
    x = _widened(x)
    if np.iscomplexobj(x):
        return np.reciprocal(1 + np.exp(-x))
    decay = np.exp(np.where(x < 0, x, -x)[()])  # at most 1
    return np.where(x < 0, decay, np.ones_like(decay))[()] / (1 + decay)


def _emit_sigmoid(trace: Trace, dtype: DType, dims: Dims, x: Any) -> Any:
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


sigmoid = elementwise_operation(
    "sigmoid",
    _sigmoid,
    dict.fromkeys("biufc", _emit_sigmoid),
    """The logistic function ``1 / (1 + exp(-x))``.

    >>> ag.sigmoid([0.0, 2.0]).numpy().round(3)
    array([0.5  , 0.881], dtype=float32)
    """,
    resolve=as_ufunc(np.exp),
)


# Rounding.


def _keeping_integers(ufunc: np.ufunc) -> tuple[Callable[..., Any], Resolve]:
    """(evaluation, dtypes) of a rounding function, which has nothing to do on integers."""

    def evaluate(x: Any) -> Any:
        kind = np.asarray(x).dtype.kind
        return np.asarray(x) if kind in "biu" else ufunc(x)

    def resolve(dtype: DType) -> tuple[DType, DType]:
        return (dtype, dtype)

    return evaluate, resolve


def _rounding(
    name: str, ufunc: np.ufunc, mlir: str, doc: str, of_complex: Emitter | None = None
) -> dispatch.Operation:
    evaluate, resolve = _keeping_integers(ufunc)
    emitters = dict.fromkeys("biu", _unchanged) | {"f": simple(mlir)}
    if of_complex is not None:
        emitters["c"] = of_complex
    numpy = () if ufunc is np.rint else (ufunc,)
    return elementwise_operation(name, evaluate, emitters, doc, resolve=resolve, numpy=numpy)


floor = _rounding(
    "floor",
    np.floor,
    "math.floor",
    """The greatest integer that is not above ``x``.

    >>> ag.floor([1.7, -1.2]).numpy()
    array([ 1., -2.], dtype=float32)
    """,
)
ceil = _rounding(
    "ceil",
    np.ceil,
    "math.ceil",
    """The least integer that is not below ``x``.

    >>> ag.ceil([1.2, -1.2]).numpy()
    array([ 2., -1.], dtype=float32)
    """,
)
trunc = _rounding(
    "trunc",
    np.trunc,
    "math.trunc",
    """The integer next to ``x`` towards zero.

    >>> ag.trunc([1.7, -1.7]).numpy()
    array([ 1., -1.], dtype=float32)
    """,
)


def _round_parts(trace: Trace, dtype: DType, dims: Dims, z: Any) -> Any:
    def op(name: str, of: DType, *operands: Any) -> Any:
        return emit.elementwise(trace, name, of, dims, *operands)

    parts = [op(f"complex.{part}", dtype.real, z) for part in ("re", "im")]
    return op("complex.create", dtype, *(op("math.roundeven", dtype.real, p) for p in parts))


round_to_even = _rounding(
    "round",
    np.rint,
    "math.roundeven",
    """The nearest integer, halves to the even one; of both parts of a complex number.

    >>> ag.round([0.5, 1.5]).numpy()
    array([0., 2.], dtype=float32)
    """,
    _round_parts,
)
rint = _function(
    "rint",
    np.rint,
    """The nearest integer as a float, halves to the even one.

    >>> ag.math.rint([0.5, 1.5]).numpy()
    array([0., 2.], dtype=float32)
    """,
    "math.roundeven",
)


# Signs.


def _sign_of_integer(trace: Trace, dtype: DType, dims: Dims, x: Any) -> Any:
    zero, one = (emit.constant_like(trace, dtype, dims, v) for v in (0, 1))
    if dtype.kind == "u":
        return emit.elementwise(trace, "arith.minui", dtype, dims, x, one)
    low = emit.constant_like(trace, dtype, dims, -1)
    least = emit.elementwise(trace, "arith.minsi", dtype, dims, x, one)
    del zero
    return emit.elementwise(trace, "arith.maxsi", dtype, dims, least, low)


def _sign_of_float(trace: Trace, dtype: DType, dims: Dims, x: Any) -> Any:
    """Of -0.0 it is 0.0, and of NaN it is NaN."""
    zero, one = (emit.constant_like(trace, dtype, dims, v) for v in (0.0, 1.0))
    signed = emit.elementwise(trace, "math.copysign", dtype, dims, one, x)
    nonzero = emit.compare_floats(trace, "one", dims, x, zero)
    number = emit.select(trace, nonzero, signed, zero)
    return emit.select(trace, emit.compare_floats(trace, "uno", dims, x, x), x, number)


sign = elementwise_operation(
    "sign",
    np.sign,
    {"i": _sign_of_integer, "u": _sign_of_integer, "f": _sign_of_float,
     "c": _root("sign")},
    """-1, 0 or 1 by the sign of ``x``; of a complex number, ``x / abs(x)``.

    >>> ag.sign([-3, 0, 7]).numpy()
    array([-1,  0,  1], dtype=int32)
    """,
)  # fmt: skip
copysign = elementwise_operation(
    "copysign",
    np.copysign,
    _floating(simple("math.copysign")),
    """The magnitude of ``x`` with the sign of ``y``.

    >>> ag.copysign([1.0, 2.0], [-0.0, 1.0]).numpy()
    array([-1.,  2.], dtype=float32)
    """,
)


def _sign_bit(trace: Trace, dtype: DType, dims: Dims, x: Any) -> Any:
    bits = {4: int32, 8: int64}[dtype.itemsize]
    whole = trace.op("arith.bitcast", mlir_type(bits, static_shape(dims)), x)
    zero = emit.constant_like(trace, bits, dims, 0)
    return emit.compare_integers(trace, "slt", dims, whole, zero)


signbit = elementwise_operation(
    "signbit",
    np.signbit,
    _floating(_sign_bit),
    """True where the sign is negative: of -0.0 as well.

    >>> ag.numpy.signbit([1.0, -0.0]).numpy()
    array([False,  True])
    """,
)


# The greater and the lesser.


def _extremum(signed: str, unsigned: str, floating: str, of_bool: str) -> dict[str, Emitter]:
    return {
        "b": simple(of_bool),
        "i": simple(signed),
        "u": simple(unsigned),
        "f": simple(floating),
    }


_MAX = _extremum("arith.maxsi", "arith.maxui", "arith.maximumf", "arith.ori")
_MIN = _extremum("arith.minsi", "arith.minui", "arith.minimumf", "arith.andi")
maximum = elementwise_operation(
    "maximum",
    np.maximum,
    _MAX,
    """The greater; NaN where one is NaN.

    >>> ag.maximum([1.0, 5.0], 3.0).numpy()
    array([3., 5.], dtype=float32)
    """,
)
minimum = elementwise_operation(
    "minimum",
    np.minimum,
    _MIN,
    """The lesser; NaN where one is NaN.

    >>> ag.minimum([1.0, 5.0], 3.0).numpy()
    array([1., 3.], dtype=float32)
    """,
)
fmax = elementwise_operation(
    "fmax",
    np.fmax,
    _MAX | {"f": simple("arith.maxnumf")},
    """The greater; NaN only where both are.

    >>> ag.fmax([1.0, float("nan")], 0.5).numpy()
    array([1. , 0.5], dtype=float32)
    """,
)
fmin = elementwise_operation(
    "fmin",
    np.fmin,
    _MIN | {"f": simple("arith.minnumf")},
    """The lesser; NaN only where both are.

    >>> ag.fmin([1.0, float("nan")], 0.5).numpy()
    array([0.5, 0.5], dtype=float32)
    """,
)


def _clip(x: Any, min: Any = None, max: Any = None) -> Any:
    bounded = x if min is None else np.maximum(x, min)
    return bounded if max is None else np.minimum(bounded, max)


def _clip_rule(x: Any, min: Any = None, max: Any = None) -> TensorType:
    kinds = [operand_type(v) for v in (x, min, max) if v is not None]
    dtype, weak = promote(*kinds)
    if dtype.is_complex:
        raise TypeError(f"clip() is not defined for {dtype}")
    return TensorType(dtype, broadcast.shapes(*(k.shape for k in kinds)), weak)


def _clip_emit(trace: Trace, result: TensorType, x: Any, min: Any, max: Any) -> SymbolicTensor:
    bounded = x if min is None else maximum(x, min)
    bounded = bounded if max is None else minimum(bounded, max)
    return dispatch.call("cast", bounded, result.dtype)  # type: ignore[no-any-return]


clip = dispatch.define(
    "clip",
    operands=("x", "min", "max"),
    rule=_clip_rule,
    evaluate=_clip,
    emit=_clip_emit,
    doc="""``x`` kept between ``min`` and ``max``; None is no bound.

    >>> ag.clip([1.0, 5.0, 9.0], 2.0, 8.0).numpy()
    array([2., 5., 8.], dtype=float32)

    Shapes: x, min and max broadcast
    Dtypes: bool, int, uint, float -> with the bounds as NumPy promotes them
    Raises: OperandValueError where the shapes do not broadcast; OperandTypeError for other
        dtypes
    """,
    numpy=(np.clip,),
    accepts="biuf",
)


# Questions.


def _always(answer: bool) -> Emitter:
    def emitter(trace: Trace, dtype: DType, dims: Dims, x: Any) -> Any:
        return emit.constant_like(trace, bool_, dims, answer)

    return emitter


def _compared_with_infinity(predicate: str) -> Emitter:
    def emitter(trace: Trace, dtype: DType, dims: Dims, x: Any) -> Any:
        size = emit.elementwise(trace, "math.absf", dtype, dims, x)
        infinity = emit.constant_like(trace, dtype, dims, np.inf)
        return emit.compare_floats(trace, predicate, dims, size, infinity)

    return emitter


def _unordered(trace: Trace, dtype: DType, dims: Dims, x: Any) -> Any:
    return emit.compare_floats(trace, "uno", dims, x, x)


def _of_both_parts(emitter: Emitter, join: str) -> Emitter:
    def joined(trace: Trace, dtype: DType, dims: Dims, z: Any) -> Any:
        parts = [
            emit.elementwise(trace, name, dtype.real, dims, z)
            for name in ("complex.re", "complex.im")
        ]
        answers = [emitter(trace, dtype.real, dims, part) for part in parts]
        return emit.elementwise(trace, join, bool_, dims, *answers)

    return joined


def _question(
    name: str, ufunc: np.ufunc, emitter: Emitter, of_integers: bool, join: str, doc: str
) -> dispatch.Operation:
    emitters = dict.fromkeys("biu", _always(of_integers))
    emitters |= {"f": emitter, "c": _of_both_parts(emitter, join)}
    return elementwise_operation(name, ufunc, emitters, doc)


isnan = _question(
    "isnan",
    np.isnan,
    _unordered,
    False,
    "arith.ori",
    """True where ``x`` is NaN.

    >>> ag.math.is_nan([1.0, float("nan")]).numpy()
    array([False,  True])
    """,
)
isinf = _question(
    "isinf", np.isinf, _compared_with_infinity("oeq"), False, "arith.ori",
    """True where ``x`` is infinite.

    >>> ag.math.is_inf([1.0, float("inf")]).numpy()
    array([False,  True])
    """,
)  # fmt: skip
isfinite = _question(
    "isfinite", np.isfinite, _compared_with_infinity("olt"), True, "arith.andi",
    """True where ``x`` is neither infinite nor NaN.

    >>> ag.math.is_finite([1.0, float("inf")]).numpy()
    array([ True, False])
    """,
)  # fmt: skip


# Complex numbers.


def _part(name: str) -> Emitter:
    def emitter(trace: Trace, dtype: DType, dims: Dims, z: Any) -> Any:
        return emit.elementwise(trace, name, dtype.real, dims, z)

    return emitter


def _zero(trace: Trace, dtype: DType, dims: Dims, x: Any) -> Any:
    return emit.constant_like(trace, dtype, dims, 0)


def _real_part(dtype: DType) -> tuple[DType, DType]:
    return dtype, dtype.real


def _imag(x: Any) -> Any:
    array = np.asarray(x)
    return array.imag if array.dtype.kind == "c" else np.zeros_like(array)


real = elementwise_operation(
    "real",
    lambda x: np.asarray(x).real,
    dict.fromkeys("biuf", _unchanged) | {"c": _part("complex.re")},
    """The real part.

    >>> ag.math.real(ag.constant([1 + 2j])).numpy()
    array([1.])
    """,
    resolve=_real_part,
    numpy=(np.real,),
)
imag = elementwise_operation(
    "imag",
    _imag,
    dict.fromkeys("biuf", _zero) | {"c": _part("complex.im")},
    """The imaginary part; 0 for real numbers.

    >>> ag.math.imag(ag.constant([1 + 2j])).numpy()
    array([2.])
    """,
    resolve=_real_part,
    numpy=(np.imag,),
)
conj = elementwise_operation(
    "conj",
    np.conjugate,
    dict.fromkeys("biuf", _unchanged) | {"c": simple("complex.conj")},
    """The complex conjugate; real numbers are their own.

    >>> ag.conj(ag.constant([1 + 2j])).numpy()
    array([1.-2.j])
    """,
)


def _angle(x: Any) -> Any:
    values = np.asarray(native(x))
    values = values.astype(np.float64) if values.dtype.kind == "b" else values
    return np.arctan2(_imag(values), values.real)


def _angle_dtype(dtype: DType) -> tuple[DType, DType]:
    if dtype.is_complex:
        return dtype, dtype.real
    return as_ufunc(np.arctan2)(float64 if dtype == bool_ else dtype)


def _angle_of_real(trace: Trace, dtype: DType, dims: Dims, x: Any) -> Any:
    zero = emit.constant_like(trace, dtype, dims, 0.0)
    return emit.elementwise(trace, "math.atan2", dtype, dims, zero, x)


def _angle_of_complex(trace: Trace, dtype: DType, dims: Dims, z: Any) -> Any:
    parts = [_part(name)(trace, dtype, dims, z) for name in ("complex.im", "complex.re")]
    return emit.elementwise(trace, "math.atan2", dtype.real, dims, *parts)


angle = elementwise_operation(
    "angle",
    _angle,
    _floating(_angle_of_real, _angle_of_complex),
    """The angle of a complex number in radians, from -pi to pi.

    >>> ag.angle([1.0, -1.0]).numpy().round(3)
    array([0.   , 3.142], dtype=float32)
    """,
    resolve=_angle_dtype,
    numpy=(np.angle,),
)
