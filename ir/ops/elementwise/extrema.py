"""The greater and the lesser of numbers: maximum, minimum, fmax, fmin, clip."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir.building.types import DType, TensorType, promote
from agir.ir.emission import broadcast, emit
from agir.ir.ops.core.operands import operand_type
from agir.ir.ops.elementwise.comparison import by_parts
from agir.ir.ops.elementwise.elementwise import Emitter, elementwise_operation, simple
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import Dims, SymbolicTensor
from agir.ir.tracing.trace import Trace


def _of_complex(predicate: str) -> Emitter:
    """The first operand where it compares so with the second one, or is NaN."""
    compare = by_parts(predicate)

    def emitter(trace: Trace, dtype: DType, dims: Dims, x: Any, y: Any) -> Any:
        parts = [
            emit.elementwise(trace, name, dtype.real, dims, x)
            for name in ("complex.re", "complex.im")
        ]
        bad = emit.compare_floats(trace, "uno", dims, *parts)
        first = trace.op("arith.ori", bad.type, compare(trace, dtype, dims, x, y), bad)
        return emit.select(trace, first, x, y)

    return emitter


def _extremum(signed: str, unsigned: str, floating: str, of_bool: str) -> dict[str, Emitter]:
    return {
        "b": simple(of_bool),
        "i": simple(signed),
        "u": simple(unsigned),
        "f": simple(floating),
    }


_MAX = _extremum("arith.maxsi", "arith.maxui", "arith.maximumf", "arith.ori")
_MIN = _extremum("arith.minsi", "arith.minui", "arith.minimumf", "arith.andi")


@elementwise_operation(np.maximum, _MAX | {"c": _of_complex("oge")}, only_numpy="c")
def maximum(x: Any, y: Any) -> Any:
    """The greater; NaN where one is NaN.

    >>> ag.maximum([1.0, 5.0], 3.0).numpy()
    array([3., 5.], dtype=float32)
    """


@elementwise_operation(np.minimum, _MIN | {"c": _of_complex("ole")}, only_numpy="c")
def minimum(x: Any, y: Any) -> Any:
    """The lesser; NaN where one is NaN.

    >>> ag.minimum([1.0, 5.0], 3.0).numpy()
    array([1., 3.], dtype=float32)
    """


@elementwise_operation(np.fmax, _MAX | {"f": simple("arith.maxnumf")})
def fmax(x: Any, y: Any) -> Any:
    """The greater; NaN only where both are.

    >>> ag.fmax([1.0, float("nan")], 0.5).numpy()
    array([1. , 0.5], dtype=float32)
    """


@elementwise_operation(np.fmin, _MIN | {"f": simple("arith.minnumf")})
def fmin(x: Any, y: Any) -> Any:
    """The lesser; NaN only where both are.

    >>> ag.fmin([1.0, float("nan")], 0.5).numpy()
    array([0.5, 0.5], dtype=float32)
    """


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


@dispatch.define(
    operands=("x", "min", "max"), rule=_clip_rule, emit=_clip_emit, numpy=(np.clip,), accepts="biuf"
)
def clip(x: Any, min: Any = None, max: Any = None) -> Any:
    """``x`` kept between ``min`` and ``max``; None is no bound.

    >>> ag.clip([1.0, 5.0, 9.0], 2.0, 8.0).numpy()
    array([2., 5., 8.], dtype=float32)

    Shapes: x, min and max broadcast
    Dtypes: bool, int, uint, float -> with the bounds as NumPy promotes them
    Raises: OperandValueError where the shapes do not broadcast; OperandTypeError for other
        dtypes
    """
    if min is None and max is None:
        return np.array(x)
    bounded = x if min is None else np.maximum(x, min)
    return bounded if max is None else np.minimum(bounded, max)
