"""Offsets, sizes and strides that are partly constants and partly operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agir.errors import UndefinedBehaviour, UnsupportedOperation

from .operation import Operation
from .types import ValueType

_DYNAMIC = -(1 << 63)

Array = Any
Function = Callable[..., Any]


def mixed(static: Sequence[int], dynamic: Sequence[Any]) -> tuple[int, ...]:
    """Fill the unknown places of ``static`` with the run-time values in order."""
    remaining = iter(dynamic)
    return tuple(int(next(remaining)) if size == _DYNAMIC else size for size in static)


def sizes_of(type_: ValueType, dynamic: Sequence[Any]) -> tuple[int, ...]:
    """A run-time shape; a negative size is undefined."""
    shape = type_.fill(tuple(int(size) for size in dynamic))
    if any(size < 0 for size in shape):
        raise UndefinedBehaviour(f"a tensor of shape {shape}")
    return shape


def check_index(index: Any, size: int) -> None:
    """Raise unless ``index`` (or each element of it) is one of ``range(size)``."""
    if isinstance(index, np.ndarray):
        if not ((index >= 0) & (index < size)).all():
            raise UndefinedBehaviour(f"an index out of bounds for a dimension of size {size}")
    elif not 0 <= index < size:
        raise UndefinedBehaviour(f"index {index} out of bounds for a dimension of size {size}")


def _slice(size: int, offset: int, count: int, stride: int) -> slice:
    """One axis of a hyper-rectangle; every index it touches must exist."""
    last = offset + (count - 1) * stride
    inside = 0 <= offset < size and 0 <= last < size if count else 0 <= offset <= size
    if count < 0 or not inside or (stride == 0 and count > 1):
        raise UndefinedBehaviour(
            f"offset {offset}, size {count}, stride {stride} out of bounds for a dimension of "
            f"size {size}"
        )
    if count < 2:
        return slice(offset, offset + count)
    stop = last + stride
    return slice(offset, stop if stop >= 0 else None, stride)


def static_parts(operation: Operation) -> list[tuple[int, ...]]:
    """The offsets, sizes and strides of a slice, as far as they are constants."""
    return [operation.attribute(f"static_{part}") for part in ("offsets", "sizes", "strides")]


def kept_axes(sizes: Sequence[int], reduced: Sequence[int | None]) -> list[int]:
    """The axes that a rank-reducing slice keeps: the others are unit axes."""
    kept: list[int] = []
    for axis, size in enumerate(sizes):
        known = None if size == _DYNAMIC else size
        if len(kept) < len(reduced) and reduced[len(kept)] == known:
            kept.append(axis)
    if len(kept) != len(reduced):
        raise UnsupportedOperation(f"a slice of sizes {sizes} as a tensor of shape {reduced}")
    return kept


def slicer(operation: Operation, count: int) -> Function:
    """Prepare ``(array, operands) → (index, sizes)`` for a slice operation.

    ``count`` operands precede the offsets, sizes and strides.
    """
    static = static_parts(operation)
    groups = operation.segments[count:]

    def run(array: Array, operands: Sequence[Any]) -> tuple[tuple[slice, ...], tuple[int, ...]]:
        offsets, sizes, strides = (
            mixed(part, operands[group]) for part, group in zip(static, groups, strict=True)
        )
        index = tuple(map(_slice, array.shape, offsets, sizes, strides))
        return index, sizes

    return run


def extract_slice(operation: Operation) -> Function:
    """The rule of `tensor.extract_slice`."""
    locate = slicer(operation, 1)
    kept = kept_axes(operation.attribute("static_sizes"), operation.results[0].shape or ())

    def run(*operands: Any) -> Array:
        index, sizes = locate(operands[0], operands)
        return operands[0][index].reshape([sizes[axis] for axis in kept])

    return run


def insert_slice(operation: Operation) -> Function:
    """The rule of `tensor.insert_slice`."""
    locate = slicer(operation, 2)

    def run(*operands: Any) -> Array:
        source, target = operands[0], np.array(operands[1])
        index, sizes = locate(target, operands)
        if source.size != np.prod(sizes, dtype=int):
            raise UndefinedBehaviour(f"a source of shape {source.shape} for a slice of {sizes}")
        target[index] = source.reshape(sizes)
        return target

    return run
