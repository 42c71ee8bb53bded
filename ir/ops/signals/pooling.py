"""Pooling: the greatest element, or the sum, of each window that moves over an array."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from agir.ir.building.types import TensorType, float32
from agir.ir.emission import emit, gathering
from agir.ir.ops.core.folding import MAX, SUM, initial
from agir.ir.ops.core.operands import native, operand_type
from agir.ir.ops.signals import windows
from agir.ir.ops.signals.windows import Motion
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import Dims, SymbolicTensor
from agir.ir.tracing.trace import Trace

_COMBINERS = {"max": MAX, "sum": SUM}
_UFUNCS = {"max": np.maximum, "sum": np.add}


def _motions(axes: Any, window: Any, strides: Any, dilations: Any) -> dict[int, Motion]:
    moved = zip(axes, window, strides, dilations, strict=True)
    return {axis: Motion(*each) for axis, *each in moved}


def _rule(x: Any, kind: str, axes: Any, window: Any, strides: Any, dilations: Any) -> TensorType:
    given = operand_type(x)
    if given.dtype.kind not in "iuf":
        raise TypeError(f"pooling is not defined for {given.dtype}")
    motions = _motions(axes, window, strides, dilations)
    shape = tuple(
        windows.count(size, motions[axis], "pool") if axis in motions else size
        for axis, size in enumerate(given.shape)
    )
    return TensorType(given.dtype, shape, given.weak)


def identity(kind: str, dtype: Any) -> Any:
    """What changes no window: the least number, or zero."""
    value = _COMBINERS[kind][dtype.kind][1]
    return value(dtype) if callable(value) else value


def _emit(
    trace: Trace,
    result: TensorType,
    x: Any,
    kind: str,
    axes: Any,
    window: Any,
    strides: Any,
    dilations: Any,
) -> SymbolicTensor:
    tensor = emit.lift(trace, x)
    dtype = result.dtype
    wide = float32 if dtype.is_storage_only else dtype
    motions = _motions(axes, window, strides, dilations)
    dims: Dims = tuple(
        windows.count_dim(trace, dim, motions[axis].size, motions[axis], "pool")
        if axis in motions
        else dim
        for axis, dim in enumerate(tensor.dims)
    )
    start = initial(trace, wide, dims, identity(kind, wide))
    name = _COMBINERS[kind][wide.kind][0]

    def step(value: Any, _: Any, total: Any) -> tuple[Any]:
        return (trace.op(name, wide.mlir(), total, emit.convert(trace, value, dtype, wide, ())),)

    rank = len(dims)
    iterators = ["parallel"] * rank + ["reduction"] * len(motions)
    # Only its shape is read: the loops have to know how far the window goes.
    shape = emit.empty(trace, float32, tuple(window))
    maps = _maps(rank, motions)
    made = gathering.generic(trace, [tensor.ssa, shape], [start], maps, iterators, step).result
    return trace.make(emit.convert(trace, made, wide, dtype, dims), dtype, dims, result.weak)


def _maps(rank: int, motions: dict[int, Motion]) -> list[str]:
    space = ", ".join(f"d{i}" for i in range(rank + len(motions)))
    places = {axis: rank + i for i, axis in enumerate(motions)}
    read = [
        windows.reading(axis, places[axis], motions[axis]) if axis in motions else f"d{axis}"
        for axis in range(rank)
    ]
    results: Sequence[Sequence[str]] = (
        read,
        [f"d{place}" for place in places.values()],
        [f"d{axis}" for axis in range(rank)],
    )
    return [f"affine_map<({space}) -> ({', '.join(each)})>" for each in results]


@dispatch.define(operands=("x",), rule=_rule, emit=_emit, accepts="iuf")
def pool_windows(x: Any, kind: str, axes: Any, window: Any, strides: Any, dilations: Any) -> Any:
    """The greatest element ("max") or the sum ("sum") of each window along the axes."""
    given = native(np.asarray(x))
    values = given.astype(np.float32) if given.dtype == np.float16 else given
    motions = _motions(axes, window, strides, dilations)
    total: Any = None
    for offset in product(*(range(m.size) for m in motions.values())):
        key: list[Any] = [slice(None)] * values.ndim
        for (axis, motion), start in zip(motions.items(), offset, strict=True):
            count = windows.count(values.shape[axis], motion, "pool") or 0
            first = start * motion.dilation
            key[axis] = slice(first, first + (count - 1) * motion.stride + 1, motion.stride)
        part = values[tuple(key)]
        total = part if total is None else _UFUNCS[kind](total, part)
    return total
