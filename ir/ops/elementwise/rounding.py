"""Rounding and signs: floor, ceil, trunc, round, sign, copysign, signbit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from agir.ir.building.types import DType, int32, int64, mlir_type
from agir.ir.emission import emit
from agir.ir.ops.elementwise import complex_functions
from agir.ir.ops.elementwise.elementwise import (
    Declared,
    Emitter,
    Resolve,
    elementwise_operation,
    emitted,
    simple,
)
from agir.ir.ops.elementwise.emitters import floating, function, unchanged
from agir.ir.tensors.symbolic import Dims, static_shape
from agir.ir.tracing.trace import Trace

# Rounding.


def _keeping_integers(ufunc: np.ufunc) -> tuple[Callable[..., Any], Resolve]:
    """(evaluation, dtypes) of a rounding function, which has nothing to do on integers."""

    def evaluate(x: Any) -> Any:
        kind = np.asarray(x).dtype.kind
        return np.array(x) if kind in "biu" else ufunc(x)

    def resolve(dtype: DType) -> tuple[DType, DType]:
        return (dtype, dtype)

    return evaluate, resolve


def _rounding(ufunc: np.ufunc, mlir: str, of_complex: Emitter | None = None) -> Declared:
    evaluate, resolve = _keeping_integers(ufunc)
    emitters = dict.fromkeys("biu", unchanged) | {"f": simple(mlir)}
    if of_complex is not None:
        emitters["c"] = of_complex
    numpy = () if ufunc is np.rint else (ufunc,)
    return elementwise_operation(evaluate, emitters, resolve=resolve, numpy=numpy)


@_rounding(np.floor, "math.floor")
def floor(x: Any) -> Any:
    """The greatest integer that is not above ``x``.

    >>> ag.floor([1.7, -1.2]).numpy()
    array([ 1., -2.], dtype=float32)
    """


@_rounding(np.ceil, "math.ceil")
def ceil(x: Any) -> Any:
    """The least integer that is not below ``x``.

    >>> ag.ceil([1.2, -1.2]).numpy()
    array([ 2., -1.], dtype=float32)
    """


@_rounding(np.trunc, "math.trunc")
def trunc(x: Any) -> Any:
    """The integer next to ``x`` towards zero.

    >>> ag.trunc([1.7, -1.7]).numpy()
    array([ 1., -1.], dtype=float32)
    """


def _round_parts(trace: Trace, dtype: DType, dims: Dims, z: Any) -> Any:
    def op(name: str, of: DType, *operands: Any) -> Any:
        return emit.elementwise(trace, name, of, dims, *operands)

    parts = [op(f"complex.{part}", dtype.real, z) for part in ("re", "im")]
    return op("complex.create", dtype, *(op("math.roundeven", dtype.real, p) for p in parts))


@_rounding(np.rint, "math.roundeven", _round_parts)
def round_(x: Any) -> Any:
    """The nearest integer, halves to the even one; of both parts of a complex number.

    >>> ag.round([0.5, 1.5]).numpy()
    array([0., 2.], dtype=float32)
    """


@function(np.rint, "math.roundeven", _round_parts, only_numpy="c")
def rint(x: Any) -> Any:
    """The nearest integer as a float, halves to the even one.

    >>> ag.math.rint([0.5, 1.5]).numpy()
    array([0., 2.], dtype=float32)
    """


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


@elementwise_operation(
    np.sign,
    {
        "i": _sign_of_integer,
        "u": _sign_of_integer,
        "f": _sign_of_float,
        "c": complex_functions.of_complex("sign"),
    },
)
def sign(x: Any) -> Any:
    """-1, 0 or 1 by the sign of ``x``; of a complex number, ``x / abs(x)``.

    >>> ag.sign([-3, 0, 7]).numpy()
    array([-1,  0,  1], dtype=int32)
    """


@elementwise_operation(np.copysign, floating(simple("math.copysign")))
def copysign(x: Any, y: Any) -> Any:
    """The magnitude of ``x`` with the sign of ``y``.

    >>> ag.copysign([1.0, 2.0], [-0.0, 1.0]).numpy()
    array([-1.,  2.], dtype=float32)
    """


@emitted("biuf", np.signbit)
def signbit(trace: Trace, dtype: DType, dims: Dims, x: Any) -> Any:
    """True where the sign is negative: of -0.0 as well.

    >>> ag.numpy.signbit([1.0, -0.0]).numpy()
    array([False,  True])
    """
    bits = {4: int32, 8: int64}[dtype.itemsize]
    whole = trace.op("arith.bitcast", mlir_type(bits, static_shape(dims)), x)
    zero = emit.constant_like(trace, bits, dims, 0)
    return emit.compare_integers(trace, "slt", dims, whole, zero)
