"""What kind of number it is, and its parts: isnan, isinf, isfinite, real, imag, conj, angle."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir.building.types import DType, bool_, float64
from agir.ir.emission import emit
from agir.ir.ops.core.operands import native
from agir.ir.ops.elementwise.elementwise import (
    Declared,
    Emitter,
    as_ufunc,
    elementwise_operation,
    simple,
)
from agir.ir.ops.elementwise.emitters import floating, unchanged
from agir.ir.tensors.symbolic import Dims
from agir.ir.tracing.trace import Trace

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


def _question(ufunc: np.ufunc, emitter: Emitter, of_integers: bool, join: str) -> Declared:
    emitters = dict.fromkeys("biu", _always(of_integers))
    emitters |= {"f": emitter, "c": _of_both_parts(emitter, join)}
    return elementwise_operation(ufunc, emitters)


@_question(np.isnan, _unordered, False, "arith.ori")
def isnan(x: Any) -> Any:
    """True where ``x`` is NaN.

    >>> ag.math.is_nan([1.0, float("nan")]).numpy()
    array([False,  True])
    """


@_question(np.isinf, _compared_with_infinity("oeq"), False, "arith.ori")
def isinf(x: Any) -> Any:
    """True where ``x`` is infinite.

    >>> ag.math.is_inf([1.0, float("inf")]).numpy()
    array([False,  True])
    """


@_question(np.isfinite, _compared_with_infinity("olt"), True, "arith.andi")
def isfinite(x: Any) -> Any:
    """True where ``x`` is neither infinite nor NaN.

    >>> ag.math.is_finite([1.0, float("inf")]).numpy()
    array([ True, False])
    """


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


@elementwise_operation(
    lambda x: np.asarray(x).real,
    dict.fromkeys("biuf", unchanged) | {"c": _part("complex.re")},
    resolve=_real_part,
    numpy=(np.real,),
)
def real(x: Any) -> Any:
    """The real part.

    >>> ag.math.real(ag.constant([1 + 2j])).numpy()
    array([1.])
    """


@elementwise_operation(
    _imag,
    dict.fromkeys("biuf", _zero) | {"c": _part("complex.im")},
    resolve=_real_part,
    numpy=(np.imag,),
)
def imag(x: Any) -> Any:
    """The imaginary part; 0 for real numbers.

    >>> ag.math.imag(ag.constant([1 + 2j])).numpy()
    array([2.])
    """


@elementwise_operation(
    np.conjugate, dict.fromkeys("biuf", unchanged) | {"c": simple("complex.conj")}
)
def conj(x: Any) -> Any:
    """The complex conjugate; real numbers are their own.

    >>> ag.conj(ag.constant([1 + 2j])).numpy()
    array([1.-2.j])
    """


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


@elementwise_operation(
    _angle, floating(_angle_of_real, _angle_of_complex), resolve=_angle_dtype, numpy=(np.angle,)
)
def angle(x: Any) -> Any:
    """The angle of a complex number in radians, from -pi to pi.

    >>> ag.angle([1.0, -1.0]).numpy().round(3)
    array([0.   , 3.142], dtype=float32)
    """
