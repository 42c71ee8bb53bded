"""Rules of the `vector` dialect.  A vector is an array, which no rule writes to."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agir.backends.reference.core.memory import MemRef
from agir.backends.reference.core.operation import Operation, Rule, always
from agir.backends.reference.core.slices import check_index, mixed
from agir.errors import UndefinedBehaviour, UnsupportedOperation

from . import math
from .arith import bitcast, maximum, minimum

Array = Any
Function = Callable[..., Any]

FOLDS: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda a, b: a + b,
    "mul": lambda a, b: a * b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "minsi": np.minimum,
    "maxsi": np.maximum,
    "minnumf": np.fmin,
    "maxnumf": np.fmax,
    "minimumf": minimum,
    "maximumf": maximum,
}
"""What combines two elements, by the name of the reduction."""


def _row(memref: MemRef, indices: Sequence[Any], shape: Sequence[int]) -> Array:
    """The elements from an index on, along the last axes, of which all have to be there."""
    for index, size in zip(indices, memref.sizes, strict=True):
        check_index(index, size)
    leading = len(memref.sizes) - len(shape)
    ends = [int(at) + n for at, n in zip(indices[leading:], shape, strict=True)]
    if any(end > size for end, size in zip(ends, memref.sizes[leading:], strict=True)):
        raise UndefinedBehaviour(f"a vector of {shape} at {tuple(map(int, indices))}")
    inner = [slice(int(at), end) for at, end in zip(indices[leading:], ends, strict=True)]
    return memref.array[tuple(indices[:leading]) + tuple(inner)]


def _load(operation: Operation) -> Function:
    shape = operation.results[0].fill(())
    return lambda memref, *indices: _row(memref, indices, shape).copy()


def _store(value: Array, memref: MemRef, *indices: Any) -> tuple[()]:
    _row(memref, indices, value.shape)[...] = value
    return ()


def _masked(memref: MemRef, indices: Sequence[Any], mask: Array) -> tuple[Array, Array]:
    """The elements whose bit is set, and where these are; the others need not exist."""
    row, lanes = memref.array[tuple(indices[:-1])], np.flatnonzero(mask)
    places = int(indices[-1]) + lanes
    check_index(places, memref.sizes[-1])
    return row, places


def _masked_load(memref: MemRef, *operands: Any) -> Array:
    *indices, mask, rest = operands
    row, places = _masked(memref, indices, mask)
    found = rest.copy()
    found[mask] = row[places]
    return found


def _masked_store(memref: MemRef, *operands: Any) -> tuple[()]:
    *indices, mask, value = operands
    row, places = _masked(memref, indices, mask)
    row[places] = value[mask]
    return ()


def _gather(source: Any, *operands: Any) -> Array:
    *indices, offsets, mask, rest = operands
    array = source.array if isinstance(source, MemRef) else source
    row, places = array[tuple(indices[:-1])], int(indices[-1]) + offsets[mask]
    check_index(places, array.shape[-1])
    found = rest.copy()
    found[mask] = row[places]
    return found


def _scatter(memref: MemRef, *operands: Any) -> tuple[()]:
    *indices, offsets, mask, value = operands
    row = memref.array[tuple(indices[:-1])]
    for at, item in zip(int(indices[-1]) + offsets[mask], value[mask], strict=True):
        check_index(at, memref.sizes[-1])
        row[at] = item
    return ()


def _expand_load(memref: MemRef, *operands: Any) -> Array:
    *indices, mask, rest = operands
    row, count = memref.array[tuple(indices[:-1])], int(mask.sum())
    places = int(indices[-1]) + np.arange(count)
    check_index(places, memref.sizes[-1])
    found = rest.copy()
    found[mask] = row[places]
    return found


def _compress_store(memref: MemRef, *operands: Any) -> tuple[()]:
    *indices, mask, value = operands
    row, count = memref.array[tuple(indices[:-1])], int(mask.sum())
    places = int(indices[-1]) + np.arange(count)
    check_index(places, memref.sizes[-1])
    row[places] = value[mask]
    return ()


def _broadcast(operation: Operation) -> Function:
    type_ = operation.results[0]
    shape = type_.fill(())
    return lambda value: np.array(np.broadcast_to(value, shape), type_.dtype)


def _position(operation: Operation) -> Callable[[Sequence[Any]], tuple[int, ...]]:
    static = operation.attribute("static_position")
    return lambda dynamic: mixed(static, dynamic)


def _extract(operation: Operation) -> Function:
    position = _position(operation)

    def run(source: Array, *dynamic: Any) -> Any:
        found = source[position(dynamic)]
        return found.copy() if isinstance(found, np.ndarray) else found

    return run


def _insert(operation: Operation) -> Function:
    position = _position(operation)

    def run(value: Any, target: Array, *dynamic: Any) -> Array:
        found = target.copy()
        found[position(dynamic)] = value
        return found

    return run


def _extract_strided_slice(operation: Operation) -> Function:
    offsets, sizes, strides = map(operation.attribute, ("offsets", "sizes", "strides"))
    part = tuple(
        slice(at, at + (n - 1) * by + 1, by)
        for at, n, by in zip(offsets, sizes, strides, strict=True)
    )
    return lambda source: source[part].copy()


def _insert_strided_slice(operation: Operation) -> Function:
    offsets = operation.attribute("offsets")

    def run(value: Array, target: Array) -> Array:
        found = target.copy()
        inner = [
            slice(at, at + n)
            for at, n in zip(offsets[target.ndim - value.ndim :], value.shape, strict=True)
        ]
        leading = tuple(offsets[: target.ndim - value.ndim])
        found[leading + tuple(inner)] = value
        return found

    return run


def _reduction(operation: Operation) -> Function:
    fold = _fold(operation)

    def run(value: Array, *start: Any) -> Any:
        *rest, found = value[::-1] if not start else [*value[::-1], *start]
        for each in reversed(rest):
            found = fold(found, each)
        return found

    return run


def _fold(operation: Operation) -> Callable[[Any, Any], Any]:
    found = re.search(r"<(\w+)>", operation.attribute("kind"))
    if found is None or found[1] not in FOLDS:
        raise UnsupportedOperation(f"a reduction of the kind {operation.attribute('kind')}")
    return FOLDS[found[1]]


def _multi_reduction(operation: Operation) -> Function:
    fold, axes = _fold(operation), operation.attribute("reduction_dims")

    def run(source: Array, start: Any) -> Any:
        rows = np.moveaxis(source, axes, range(len(axes)))
        found = start
        for row in rows.reshape((-1, *rows.shape[len(axes) :])):
            found = fold(found, row)
        return found

    return run


def _step(operation: Operation) -> Function:
    size, dtype = operation.results[0].fill(())[0], operation.results[0].dtype
    return lambda: np.arange(size, dtype=dtype)


def _shuffle(operation: Operation) -> Function:
    order = np.maximum(np.array(operation.attribute("mask")), 0)  # a lane of poison is any
    return lambda one, other: np.concatenate([one, other])[order]


def _shape_cast(operation: Operation) -> Function:
    shape = operation.results[0].fill(())
    return lambda value: value.reshape(shape)


def _transpose(operation: Operation) -> Function:
    axes = operation.attribute("permutation")
    return lambda value: np.transpose(value, axes).copy()


def _from_elements(operation: Operation) -> Function:
    type_ = operation.results[0]
    return lambda *items: np.array(items, type_.dtype).reshape(type_.fill(()))


def _constant_mask(operation: Operation) -> Function:
    return lambda: _mask(operation, operation.attribute("mask_dim_sizes"))


def _create_mask(operation: Operation) -> Function:
    return lambda *sizes: _mask(operation, sizes)


def _mask(operation: Operation, sizes: Sequence[Any]) -> Array:
    shape = operation.results[0].fill(())
    found = np.zeros(shape, bool)
    found[tuple(slice(0, max(0, int(n))) for n in sizes)] = True
    return found


def _transfer(operation: Operation, rank: int) -> Function:
    """What finds, for indices into a source of some sizes, where each lane is, and which are there."""
    map_ = operation.attribute("permutation_map")
    in_bounds = operation.attribute("in_bounds")

    def places(indices: Sequence[Any], sizes: Sequence[int], shape: Sequence[int]) -> Any:
        where = [np.full(shape, int(index)) for index in indices]
        inside = np.ones(shape, bool)
        for lane, axis in enumerate(map_.dimensions):
            if axis is None:
                continue
            steps = np.arange(shape[lane]).reshape([-1 if n == lane else 1 for n in range(rank)])
            where[axis] = where[axis] + steps
            exists = (where[axis] >= 0) & (where[axis] < sizes[axis])
            if in_bounds and in_bounds[lane] and not exists.all():
                raise UndefinedBehaviour("a transfer that is said to be in bounds is not")
            inside &= exists
        return where, inside

    return places


def _transfer_read(operation: Operation) -> Function:
    shape = operation.results[0].fill(())
    places = _transfer(operation, len(shape))
    source, index, padding, mask = operation.segments

    def run(*operands: Any) -> Array:
        (given,) = operands[source]
        array = given.array if isinstance(given, MemRef) else given
        where, inside = places(operands[index], array.shape, shape)
        if operands[mask]:
            inside = inside & operands[mask][0]
        found = np.full(shape, operands[padding][0], array.dtype)
        found[inside] = array[tuple(each[inside] for each in where)]
        return found

    return run


def _transfer_write(operation: Operation) -> Function:
    places = _transfer(operation, len(operation.operands[0].shape or ()))
    value, target, index, mask = operation.segments

    def run(*operands: Any) -> Any:
        (written,), (given,) = operands[value], operands[target]
        is_memref = isinstance(given, MemRef)
        array = given.array if is_memref else given.copy()
        where, inside = places(operands[index], array.shape, written.shape)
        if operands[mask]:
            inside = inside & operands[mask][0]
        array[tuple(each[inside] for each in where)] = written[inside]
        return () if is_memref else array

    return run


OPERATIONS: dict[str, Rule] = {
    "vector.load": _load,
    "vector.store": always(_store),
    "vector.maskedload": always(_masked_load),
    "vector.maskedstore": always(_masked_store),
    "vector.gather": always(_gather),
    "vector.scatter": always(_scatter),
    "vector.expandload": always(_expand_load),
    "vector.compressstore": always(_compress_store),
    "vector.transfer_read": _transfer_read,
    "vector.transfer_write": _transfer_write,
    "vector.broadcast": _broadcast,
    "vector.extract": _extract,
    "vector.insert": _insert,
    "vector.extract_strided_slice": _extract_strided_slice,
    "vector.insert_strided_slice": _insert_strided_slice,
    "vector.from_elements": _from_elements,
    "vector.fma": math.OPERATIONS["math.fma"],
    "vector.reduction": _reduction,
    "vector.multi_reduction": _multi_reduction,
    "vector.step": _step,
    "vector.shuffle": _shuffle,
    "vector.shape_cast": _shape_cast,
    "vector.transpose": _transpose,
    "vector.bitcast": bitcast,
    "vector.constant_mask": _constant_mask,
    "vector.create_mask": _create_mask,
}
