"""Convolution: one operation for all ranks, layouts, strides, dilations and groups."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from agir.ir.building.types import TensorType, float32, promote
from agir.ir.emission import emit, gathering
from agir.ir.ops.core.agreement import agree, fitted
from agir.ir.ops.core.folding import initial
from agir.ir.ops.core.operands import native, operand_type
from agir.ir.ops.linalg.contractions import PRODUCT, SUM
from agir.ir.ops.signals import windows
from agir.ir.ops.signals.windows import Motion
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import Dims, SymbolicTensor
from agir.ir.tracing.trace import Trace


def _motions(sizes: Sequence[Any], strides: Any, dilations: Any) -> list[Motion]:
    return [Motion(*each) for each in zip(sizes, strides, dilations, strict=True)]


def _arranged(
    first: bool, batch: Any, places: Sequence[Any], channels: Sequence[Any]
) -> tuple[Any, ...]:
    """What belongs to the axes of an array, in the order of its layout."""
    return (batch, *channels, *places) if first else (batch, *places, *channels)


def _places(values: Sequence[Any], rank: int, first: bool) -> tuple[Any, ...]:
    return tuple(values[-rank:] if first else values[1 : 1 + rank])


def _channels(values: Sequence[Any], rank: int, first: bool) -> tuple[Any, ...]:
    """What belongs to the axes of groups, if there is one, and of channels."""
    return tuple(values[1 : len(values) - rank] if first else values[1 + rank :])


def _rule(
    x: Any, filters: Any, strides: Any, dilations: Any, channels_first: bool = False
) -> TensorType:
    kinds = [operand_type(x), operand_type(filters)]
    rank = len(strides)
    dtype, weak = promote(*kinds)
    if dtype.kind not in "iuf":
        raise TypeError(f"a convolution is not defined for {dtype}")
    motions = _motions(kinds[1].shape[:rank], strides, dilations)
    sizes = _places(kinds[0].shape, rank, channels_first)
    counts = [windows.count(e, m, "conv") for e, m in zip(sizes, motions, strict=True)]
    shape = _arranged(channels_first, kinds[0].shape[0], counts, kinds[1].shape[rank + 1 :])
    return TensorType(dtype, shape, weak)


def _matched(part: Any, weights: Any) -> Any:
    """``[..., in] * [in, out]`` summed over ``in``, with an axis of groups or without."""
    if weights.ndim == 2:
        return np.matmul(part, weights)
    return np.einsum("...gi,igo->...go", part, weights)


def _emit(
    trace: Trace,
    result: TensorType,
    x: Any,
    filters: Any,
    strides: Any,
    dilations: Any,
    channels_first: bool,
) -> SymbolicTensor:
    dtype, rank = result.dtype, len(strides)
    wide = float32 if dtype.is_storage_only else dtype
    tensors = [emit.lift(trace, value) for value in (x, filters)]
    dims = [t.dims for t in tensors]
    ssa = [emit.convert(trace, t.ssa, t.dtype, dtype, t.dims) for t in tensors]
    dims, ssa = _agreed(trace, dims, ssa, dtype, rank, channels_first)
    motions = _motions(dims[1][:rank], strides, dilations)
    sizes = _places(dims[0], rank, channels_first)
    counts = [
        windows.count_dim(trace, size, motion.size, motion, "conv")
        for size, motion in zip(sizes, motions, strict=True)
    ]
    out = _arranged(channels_first, dims[0][0], counts, dims[1][rank + 1 :])
    start = initial(trace, wide, out, 0)
    element = wide.mlir()

    def step(a: Any, b: Any, total: Any) -> tuple[Any]:
        a, b = (emit.convert(trace, value, dtype, wide, ()) for value in (a, b))
        multiplied = trace.op(PRODUCT[wide.kind], element, a, b)
        return (trace.op(SUM[wide.kind], element, total, multiplied),)

    grouped = len(out) - rank - 2
    iterators = ["parallel"] * (1 + rank + grouped) + ["reduction"] * (rank + 1) + ["parallel"]
    maps = _maps(rank, grouped, motions, channels_first)
    made = gathering.generic(trace, ssa, [start], maps, iterators, step).result
    return trace.make(emit.convert(trace, made, wide, dtype, out), dtype, out, result.weak)


def _agreed(
    trace: Trace, dims: Any, ssa: Any, dtype: Any, rank: int, channels_first: bool
) -> tuple[list[Dims], list[Any]]:
    """The operands with equal numbers of groups and of channels, which guards check."""
    *groups, inputs = _channels(dims[0], rank, channels_first)
    message = "the channels of the input and of the filters differ"
    inputs = agree(trace, [inputs, dims[1][rank]], message, keep_static=False)
    pairs = zip(groups, dims[1][rank + 1 : -1], strict=True)
    groups = [agree(trace, pair, message, keep_static=False) for pair in pairs]
    places = _places(dims[0], rank, channels_first)
    targets = [
        _arranged(channels_first, dims[0][0], places, (*groups, inputs)),
        (*dims[1][:rank], inputs, *groups, dims[1][-1]),
    ]
    return targets, [
        fitted(trace, value, dtype, given, wanted)
        for value, given, wanted in zip(ssa, dims, targets, strict=True)
    ]


def _maps(rank: int, grouped: int, motions: Sequence[Motion], channels_first: bool) -> list[str]:
    """The maps over (batch, places, group if there is one, window, channel, output channel).

    The output channel comes last: along it the filters and the result are contiguous.
    """
    window = 1 + rank + grouped
    group = [f"d{1 + rank}"] * grouped
    inner, outer = f"d{window + rank}", f"d{window + rank + 1}"
    space = ", ".join(f"d{i}" for i in range(window + rank + 2))
    read = [windows.reading(1 + i, window + i, m) for i, m in enumerate(motions)]
    written = [f"d{1 + i}" for i in range(rank)]
    results = (
        _arranged(channels_first, "d0", read, (*group, inner)),
        (*(f"d{window + i}" for i in range(rank)), inner, *group, outer),
        _arranged(channels_first, "d0", written, (*group, outer)),
    )
    return [f"affine_map<({space}) -> ({', '.join(each)})>" for each in results]


@dispatch.define(operands=("x", "filters"), rule=_rule, emit=_emit, accepts="iuf")
def convolve(
    x: Any, filters: Any, strides: Any, dilations: Any, channels_first: bool = False
) -> Any:
    """
    The filters moved over ``x`` without padding: products summed over window and input channels.

    ``x`` has the axes batch, places, channels (or batch, channels, places), the filters window,
    channels, output channels.  An axis of groups may stand before the channels of ``x`` and before
    the output channels; the result has the axes of ``x`` with the output channels.
    """
    x, filters = native(np.asarray(x)), native(np.asarray(filters))
    dtype = np.result_type(x, filters)
    wide = np.float32 if dtype == np.float16 else dtype
    x, filters = x.astype(wide), filters.astype(wide)
    rank = len(strides)
    channels = list(range(1, x.ndim - rank))
    last = [axis - len(channels) for axis in range(len(channels))]
    if channels_first:
        x = np.moveaxis(x, channels, last)
    motions = _motions(filters.shape[:rank], strides, dilations)
    counts = [
        windows.count(e, m, "conv") or 0
        for e, m in zip(x.shape[1 : 1 + rank], motions, strict=True)
    ]
    total = np.zeros((x.shape[0], *counts, *filters.shape[rank + 1 :]), wide)
    for offset in product(*(range(m.size) for m in motions)):
        key = [slice(None)] + [
            slice(o * m.dilation, o * m.dilation + (n - 1) * m.stride + 1, m.stride)
            for o, m, n in zip(offset, motions, counts, strict=True)
        ]
        total += _matched(x[tuple(key)], filters[offset])
    return np.moveaxis(total, last, channels) if channels_first else total
