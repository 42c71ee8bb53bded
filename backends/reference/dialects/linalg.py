"""Rules of the `linalg` dialect.

Named operations carry the body and, once verified, the indexing maps of the `linalg.generic` that
they stand for, so most of them share one rule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agir.backends.reference.core.affine import Map
from agir.backends.reference.core.operation import Frame, Operation, Rule, always
from agir.backends.reference.core.structured import Structured
from agir.errors import UndefinedBehaviour, UnsupportedOperation

Array = Any
Function = Callable[..., Any]

_ELEMENTWISE = (
    "abs add ceil copy div div_unsigned erf exp floor log max min mul negf powf reciprocal round "
    "rsqrt select sqrt square sub tanh"
)
_MAPPED = (
    "generic elementwise contract matmul batch_matmul batch_reduce_matmul matvec vecmat dot "
    "batch_matvec batch_vecmat conv_1d conv_2d conv_3d conv_1d_nwc_wcf conv_1d_ncw_fcw "
    "conv_2d_nhwc_hwcf conv_2d_nchw_fchw depthwise_conv_2d_nhwc_hwc pooling_nhwc_sum "
    "pooling_nhwc_max pooling_nhwc_min pooling_nchw_sum pooling_nchw_max"
)


def _identity(rank: int) -> Map:
    return Map.of_dimensions(rank, range(rank))


def _rank(operation: Operation) -> int:
    return len(operation.operands[-1].shape or ())


def _structured(operation: Operation, maps: Sequence[Map], passes_outputs: bool = True) -> Function:
    """The function of an operation whose last operands are its outputs, one for each result."""
    count = len(operation.results)
    if not count:
        raise UnsupportedOperation("a structured operation must be on tensors")
    inputs, outputs = tuple(maps[:-count]), tuple(maps[-count:])
    kept = set.intersection(*(set(map_.dimensions) for map_ in outputs))
    reductions = tuple(axis for axis in range(maps[0].rank) if axis not in kept)
    body = operation.body(rank=maps[0].rank)
    structured = Structured(body, inputs, outputs, reductions, passes_outputs)
    return lambda frame, *operands: structured.run(frame, operands)


def _mapped(operation: Operation) -> Function:
    """An operation with indexing maps, as an attribute of its own or left by the verifier."""
    maps = operation.attribute("indexing_maps") or operation.attribute(
        "linalg.memoized_indexing_maps"
    )
    if maps is None:
        raise UnsupportedOperation("the operation has no indexing maps")
    return _structured(operation, maps)


def _elementwise(operation: Operation) -> Function:
    maps = [
        _identity(_rank(operation)) if type_.is_tensor else Map.of_dimensions(_rank(operation), ())
        for type_ in operation.operands
    ]
    return _structured(operation, maps)


def _map(operation: Operation) -> Function:
    count = len(operation.operands)
    block = operation.raw.regions[0].blocks[0]
    passes_outputs = len(list(block.arguments)) == count
    return _structured(operation, [_identity(_rank(operation))] * count, passes_outputs)


def _reduce(operation: Operation) -> Function:
    reduced = operation.attribute("dimensions")
    inputs = len(operation.operands) // 2
    rank = len(operation.operands[0].shape or ())
    kept = [axis for axis in range(rank) if axis not in reduced]
    maps = [_identity(rank)] * inputs + [Map.of_dimensions(rank, kept)] * inputs
    return _structured(operation, maps)


def _matching(array: Array, shape: tuple[int, ...]) -> Array:
    if array.shape != shape:
        raise UndefinedBehaviour(f"an operand of shape {array.shape} where {shape} is expected")
    return array


def _broadcast(operation: Operation) -> Function:
    added = operation.attribute("dimensions")

    def run(source: Array, target: Array) -> Array:
        kept = [axis for axis in range(target.ndim) if axis not in added]
        _matching(source, tuple(target.shape[axis] for axis in kept))
        return np.broadcast_to(np.expand_dims(source, added), target.shape)

    return run


def _transpose(operation: Operation) -> Function:
    permutation = operation.attribute("permutation")
    return lambda source, target: _matching(np.transpose(source, permutation), target.shape)


def _fill(value: Any, target: Array) -> Array:
    return np.full(target.shape, value, target.dtype)


def _index(operation: Operation) -> Function:
    slot = operation.space[operation.attribute("dim")]

    def run(frame: Frame) -> tuple[Any]:
        return (frame[slot],)

    return run


OPERATIONS: dict[str, Rule] = {
    "linalg.broadcast": _broadcast,
    "linalg.transpose": _transpose,
    "linalg.fill": always(_fill),
}
REGION_OPERATIONS: dict[str, Rule] = {
    "linalg.index": _index,
    "linalg.map": _map,
    "linalg.reduce": _reduce,
    **{f"linalg.{name}": _elementwise for name in _ELEMENTWISE.split()},
    **{f"linalg.{name}": _mapped for name in _MAPPED.split()},
}
TERMINATORS = frozenset({"linalg.yield"})
