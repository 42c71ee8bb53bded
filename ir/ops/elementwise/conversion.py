"""Conversion between dtypes, and copies."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir.building.types import TensorType, as_dtype
from agir.ir.emission import emit
from agir.ir.ops.core import layouts
from agir.ir.ops.core.operands import operand_type
from agir.ir.tensors.dispatch import define
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing.trace import Trace


def _cast_rule(x: Any, dtype: Any) -> TensorType:
    return TensorType(as_dtype(dtype), operand_type(x).shape)


def _cast_emit(trace: Trace, result: TensorType, x: Any, dtype: Any) -> SymbolicTensor:
    tensor = emit.lift(trace, x)
    ssa = emit.convert(trace, tensor.ssa, tensor.dtype, result.dtype, tensor.dims)
    made = trace.make(ssa, result.dtype, tensor.dims)
    layouts.derive(made, [tensor])
    return made


@define(operands=("x",), rule=_cast_rule, emit=_cast_emit)
def cast(x: Any, dtype: Any) -> Any:
    """The values converted to ``dtype``: truncation towards zero, nonzero to True, real part."""
    target = as_dtype(dtype).numpy
    source = np.asarray(x)
    if source.dtype.kind == "c" and target.kind != "c":
        source = (source != 0) if target.kind == "b" else source.real
    return source.astype(target)


def _copy_rule(x: Any) -> TensorType:
    kind = operand_type(x)
    return TensorType(kind.dtype, kind.shape)


def _copy_emit(trace: Trace, result: TensorType, x: Any) -> SymbolicTensor:
    tensor = emit.lift(trace, x)
    return trace.make(tensor.ssa, tensor.dtype, tensor.dims)


@define(operands=("x",), rule=_copy_rule, emit=_copy_emit, numpy=(np.copy,))
def copy(x: Any) -> Any:
    """A tensor of its own with the same elements.

    >>> ag.identity([1.0, 2.0]).numpy()
    array([1., 2.], dtype=float32)

    Shapes: x [...] -> [...]
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    return np.array(x)
