"""Elements as bits, and complex numbers from their parts: bitcast, complex."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir.building.types import (
    DType,
    TensorType,
    as_dtype,
    complex64,
    complex128,
    float32,
    promote,
    uint8,
    uint16,
    uint32,
    uint64,
)
from agir.ir.emission import broadcast, emit
from agir.ir.ops.core.operands import operand_type
from agir.ir.ops.elementwise.elementwise import emit_elementwise
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import Dims, SymbolicTensor
from agir.ir.tracing.trace import Trace

_UNSIGNED = {8: uint8, 16: uint16, 32: uint32, 64: uint64}


def _same_bits_rule(x: Any, type: Any) -> TensorType:
    kind, target = operand_type(x), as_dtype(type)
    for dtype in (kind.dtype, target):
        if dtype.kind in "bc":
            raise TypeError(f"bitcast() is not defined for {dtype}")
    if kind.dtype.bits != target.bits:
        raise TypeError(f"same_bits(): {kind.dtype} and {target} differ in width")
    return TensorType(target, kind.shape)


def _same_bits_emit(trace: Trace, result: TensorType, x: Any, type: Any) -> SymbolicTensor:
    tensor = emit.lift(trace, x)
    ssa = tensor.ssa
    if tensor.dtype.is_integer != result.dtype.is_integer or tensor.dtype.is_floating:
        ssa = emit.elementwise(trace, "arith.bitcast", result.dtype, tensor.dims, ssa)
    return trace.make(ssa, result.dtype, tensor.dims)


@dispatch.define(operands=("x",), rule=_same_bits_rule, emit=_same_bits_emit, accepts="iuf")
def same_bits(x: Any, type: Any) -> Any:
    """The bits of each element as an element of another dtype of the same width."""
    return np.ascontiguousarray(x).view(as_dtype(type).numpy).reshape(np.shape(x))


def bitcast(input: Any, type: Any) -> Any:
    """The bits of the elements as elements of another dtype.

    Elements of a narrower dtype get an axis of their own, the least significant first; such an
    axis goes where the dtype is a wider one.
    """
    call = dispatch.call
    kind, target = operand_type(dispatch.type_of(input, "bitcast")), as_dtype(type)
    if kind.dtype.kind in "bc" or target.kind in "bc":
        raise TypeError(f"bitcast() is not defined between {kind.dtype} and {target}")
    if kind.dtype.bits == target.bits:
        return same_bits(input, target)
    bits = same_bits(input, _UNSIGNED[kind.dtype.bits])
    part, whole = _UNSIGNED[target.bits], _UNSIGNED[max(kind.dtype.bits, target.bits)]
    count = max(kind.dtype.bits, target.bits) // min(kind.dtype.bits, target.bits)
    if target.bits < kind.dtype.bits:
        shifts = np.arange(count, dtype=whole.numpy) * target.bits
        parts = call("bitwise_right_shift", call("expand_dims", bits, -1), shifts)
        return same_bits(call("cast", parts, part), target)
    if not kind.shape or kind.shape[-1] != count:
        shape = str(list(kind.shape)).replace("None", "?")
        raise ValueError(
            f"bitcast(): {count} elements of {kind.dtype} make one of {target}, but the shape is "
            f"{shape}"
        )
    shifts = np.arange(count, dtype=whole.numpy) * kind.dtype.bits
    moved = call("bitwise_left_shift", call("cast", bits, whole), shifts)
    return same_bits(call("sum", moved, -1, whole), target)


# Complex numbers.


def _parts(real: Any, imag: Any) -> tuple[DType, DType, bool]:
    dtype, weak = promote(operand_type(real), operand_type(imag))
    if dtype.kind not in "iuf" or dtype.is_storage_only:
        raise TypeError(f"complex() is not defined for {dtype}")
    real_dtype = dtype if dtype.is_floating else as_dtype("float64")
    return real_dtype, complex64 if real_dtype == float32 else complex128, weak


def _complex_rule(real: Any, imag: Any) -> TensorType:
    shape = broadcast.shapes(operand_type(real).shape, operand_type(imag).shape)
    return TensorType(_parts(real, imag)[1], shape)


def _create(trace: Trace, dtype: DType, dims: Dims, *parts: Any) -> Any:
    target = complex64 if dtype == float32 else complex128
    return emit.elementwise(trace, "complex.create", target, dims, *parts)


def _complex_emit(trace: Trace, result: TensorType, real: Any, imag: Any) -> SymbolicTensor:
    dtype = _parts(dispatch.type_of(real), dispatch.type_of(imag))[0]
    return emit_elementwise(trace, {"f": _create}, dtype, result, [real, imag])


@dispatch.define(
    "complex", operands=("real", "imag"), rule=_complex_rule, emit=_complex_emit, accepts="iuf"
)
def complex_(real: Any, imag: Any) -> Any:
    """The complex numbers of these real and imaginary parts.

    >>> ag.complex([1.0, 2.0], [0.0, -1.0]).numpy()
    array([1.+0.j, 2.-1.j], dtype=complex64)

    Shapes: real and imag broadcast
    Dtypes: int, uint, float64 -> complex128; float32 -> complex64
    Raises: OperandValueError where the shapes do not broadcast; OperandTypeError for other
        dtypes
    """
    parts = np.broadcast_arrays(real, imag)
    kinds = [dispatch.type_of(v) for v in (real, imag)]
    found = np.empty(parts[0].shape, _parts(*kinds)[1].numpy)
    found.real, found.imag = parts
    return found
