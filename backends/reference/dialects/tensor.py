"""Rules of the `tensor` dialect.  Tensors are values: no rule writes to an operand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agir.backends.reference.core.operation import Frame, Operation, Rule, always
from agir.backends.reference.core.slices import (
    check_index,
    extract_slice,
    insert_slice,
    mixed,
    sizes_of,
)
from agir.backends.reference.core.space import open_grid, tabulate
from agir.backends.reference.core.types import ValueType, unset
from agir.errors import UndefinedBehaviour, UnsupportedOperation

from .arith import bitcast

Array = Any
Function = Callable[..., Any]


def _empty(operation: Operation) -> Function:
    type_ = operation.results[0]
    return lambda *sizes: unset(sizes_of(type_, sizes), type_.dtype)


def _splat(operation: Operation) -> Function:
    type_ = operation.results[0]
    return lambda value, *sizes: np.full(sizes_of(type_, sizes), value, type_.dtype)


def _from_elements(operation: Operation) -> Function:
    type_ = operation.results[0]
    shape = type_.fill(())
    return lambda *elements: np.array(elements, type_.dtype).reshape(shape)


def _extract(array: Array, *indices: Any) -> Any:
    for index, size in zip(indices, array.shape, strict=True):
        check_index(index, size)
    return array[indices]


def _insert(value: Any, array: Array, *indices: Any) -> Array:
    for index, size in zip(indices, array.shape, strict=True):
        check_index(index, size)
    result = np.array(array)
    result[indices] = value
    return result


def _dim(array: Array, axis: Any) -> Any:
    check_index(axis, array.ndim)
    return np.array(array.shape, np.int64)[axis]


def _checked(array: Array, type_: ValueType) -> Array:
    if not type_.admits(array.shape):
        raise UndefinedBehaviour(f"a tensor of shape {array.shape}, expected {type_.shape}")
    return array


def _cast(operation: Operation) -> Function:
    return lambda array: _checked(array, operation.results[0])


def _reshaped(array: Array, shape: tuple[int, ...], type_: ValueType) -> Array:
    if any(size < 0 for size in shape) or array.size != np.prod(shape, dtype=int):
        raise UndefinedBehaviour(f"reshaping a tensor of shape {array.shape} to {shape}")
    return _checked(array.reshape(shape), type_)


def _reshape(operation: Operation) -> Function:
    return lambda array, shape: _reshaped(array, tuple(shape.tolist()), operation.results[0])


def _expand_shape(operation: Operation) -> Function:
    static = operation.attribute("static_output_shape")
    groups = operation.attribute("reassociation")

    def run(array: Array, *sizes: Any) -> Array:
        shape = mixed(static, sizes)
        for size, group in zip(array.shape, groups, strict=True):
            if size != np.prod([shape[axis] for axis in group], dtype=int):
                raise UndefinedBehaviour(f"expanding a tensor of shape {array.shape} to {shape}")
        return _reshaped(array, shape, operation.results[0])

    return run


def _collapse_shape(operation: Operation) -> Function:
    groups = operation.attribute("reassociation")

    def run(array: Array) -> Array:
        shape = [np.prod([array.shape[axis] for axis in group], dtype=int) for group in groups]
        return _reshaped(array, tuple(map(int, shape)), operation.results[0])

    return run


def _concat(operation: Operation) -> Function:
    axis = operation.attribute("dim")

    def run(*arrays: Array) -> Array:
        others = {array.shape[:axis] + array.shape[axis + 1 :] for array in arrays}
        if len(others) > 1:
            raise UndefinedBehaviour(f"concatenating {[array.shape for array in arrays]}")
        return _checked(np.concatenate(arrays, axis), operation.results[0])

    return run


def _coordinates(array: Array, indices: Array, axes: Sequence[int]) -> tuple[Array, ...]:
    """The last axis of ``indices``, split into one checked index array for each gathered axis."""
    parts = tuple(np.moveaxis(indices, -1, 0))
    for part, axis in zip(parts, axes, strict=True):
        check_index(np.asarray(part), array.shape[axis])
    return parts


def _gather(operation: Operation) -> Function:
    axes = operation.attribute("gather_dims")

    def run(source: Array, indices: Array) -> Array:
        parts = _coordinates(source, indices, axes)
        taken = np.moveaxis(source, axes, range(len(axes)))[parts]
        batch = indices.ndim - 1
        if len(operation.results[0].shape or ()) == batch + source.ndim:
            taken = np.expand_dims(taken, tuple(batch + axis for axis in axes))
        return _checked(taken, operation.results[0])

    return run


def _scatter(operation: Operation) -> Function:
    axes = operation.attribute("scatter_dims")

    def run(source: Array, target: Array, indices: Array) -> Array:
        parts = _coordinates(target, indices, axes)
        result = np.array(target)
        view = np.moveaxis(result, axes, range(len(axes)))
        batch = indices.ndim - 1
        if source.ndim == batch + target.ndim:
            source = np.squeeze(source, tuple(batch + axis for axis in axes))
        if source.shape != view[parts].shape:
            raise UndefinedBehaviour(f"a source of shape {source.shape} for {view[parts].shape}")
        view[parts] = source
        return result

    return run


def _generate(operation: Operation) -> Function:
    body, type_ = operation.body(), operation.results[0]
    return lambda frame, *sizes: (
        tabulate(body, frame, open_grid(sizes_of(type_, sizes)), type_.dtype),
    )


def _pad(operation: Operation) -> Function:
    body, type_ = operation.body(), operation.results[0]
    low, high = operation.attribute("static_low"), operation.attribute("static_high")
    groups = operation.segments

    def run(frame: Frame, *operands: Any) -> tuple[Array]:
        array = operands[0]
        before, after = mixed(low, operands[groups[1]]), mixed(high, operands[groups[2]])
        if any(amount < 0 for amount in (*before, *after)):
            raise UndefinedBehaviour(f"padding by {before} and {after}")
        shape = tuple(map(sum, zip(before, array.shape, after, strict=True)))
        padding = np.ones(shape, np.bool_)
        inner = zip(before, array.shape, strict=True)
        padding[tuple(slice(start, start + size) for start, size in inner)] = False
        result = np.empty(shape, type_.dtype)
        result[~padding] = array.reshape(-1)
        result[padding] = tabulate(body, frame, np.nonzero(padding), type_.dtype)
        return (_checked(result, type_),)

    return run


def _rank(operation: Operation) -> Function:
    if not operation.operands[0].is_tensor:
        raise UnsupportedOperation("only the rank of a tensor is supported")
    return lambda array: np.int64(array.ndim)


OPERATIONS: dict[str, Rule] = {
    "tensor.empty": _empty,
    "tensor.splat": _splat,
    "tensor.from_elements": _from_elements,
    "tensor.extract": always(_extract),
    "tensor.insert": always(_insert),
    "tensor.extract_slice": extract_slice,
    "tensor.insert_slice": insert_slice,
    "tensor.dim": always(_dim),
    "tensor.rank": _rank,
    "tensor.cast": _cast,
    "tensor.reshape": _reshape,
    "tensor.expand_shape": _expand_shape,
    "tensor.collapse_shape": _collapse_shape,
    "tensor.concat": _concat,
    "tensor.gather": _gather,
    "tensor.scatter": _scatter,
    "tensor.bitcast": bitcast,
}
REGION_OPERATIONS: dict[str, Rule] = {
    "tensor.generate": _generate,
    "tensor.pad": _pad,
}
TERMINATORS = frozenset({"tensor.yield"})
