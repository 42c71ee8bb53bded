"""Rules of the `memref` dialect, and of those of `bufferization` that are about buffers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from agir.backends.reference.core.memory import Buffer, MemRef, row_major
from agir.backends.reference.core.operation import Operation, Rule, always
from agir.backends.reference.core.slices import (
    check_index,
    kept_axes,
    mixed,
    sizes_of,
    static_parts,
)
from agir.backends.reference.core.types import ValueType
from agir.errors import UndefinedBehaviour, UnsupportedOperation

Function = Callable[..., Any]


def _alloc(operation: Operation) -> Function:
    type_ = operation.results[0]

    def run(*sizes: Any) -> MemRef:
        found = sizes_of(type_, sizes)
        return MemRef.contiguous(Buffer.empty(type_.dtype, int(np.prod(found))), found)

    return run


def _realloc(operation: Operation) -> Function:
    type_ = operation.results[0]

    def run(source: MemRef, *sizes: Any) -> MemRef:
        (size,) = sizes_of(type_, sizes)
        made, kept = Buffer.empty(type_.dtype, size), min(size, source.array.size)
        made.data[:kept] = source.array[:kept]
        source.buffer.free()
        return MemRef.contiguous(made, (size,))

    return run


def _load(memref: MemRef, *indices: Any) -> Any:
    for index, size in zip(indices, memref.sizes, strict=True):
        check_index(index, size)
    return memref.array[indices]


def _store(value: Any, memref: MemRef, *indices: Any) -> tuple[()]:
    for index, size in zip(indices, memref.sizes, strict=True):
        check_index(index, size)
    memref.array[indices] = value
    return ()


def _copy(source: MemRef, target: MemRef) -> tuple[()]:
    if source.sizes != target.sizes:
        raise UndefinedBehaviour(f"a memref of sizes {source.sizes} copied to {target.sizes}")
    target.array[...] = source.array.copy()
    return ()


def _clone(memref: MemRef) -> MemRef:
    return MemRef.of(memref.array)


def _dealloc(memref: MemRef) -> tuple[()]:
    memref.buffer.free()
    return ()


def _release(operation: Operation) -> Function:
    """``bufferization.dealloc``: frees what is owned and not among what is kept."""
    memrefs, conditions, kept = operation.segments

    def run(*operands: Any) -> Any:
        owned = {
            id(memref.buffer): memref.buffer
            for memref, is_owned in zip(operands[memrefs], operands[conditions], strict=True)
            if is_owned
        }
        retained = [memref.buffer for memref in operands[kept]]
        for buffer in owned.values():
            if not any(buffer is each for each in retained):
                buffer.free()
        results = tuple(np.bool_(id(each) in owned) for each in retained)
        return results[0] if len(results) == 1 else results

    return run


def _dim(memref: MemRef, axis: Any) -> Any:
    check_index(axis, len(memref.sizes))
    return np.int64(memref.sizes[axis])


def _checked(memref: MemRef, type_: ValueType) -> MemRef:
    if not type_.admits(memref.sizes):
        raise UndefinedBehaviour(f"a memref of sizes {memref.sizes}, expected {type_.shape}")
    return memref


def _cast(operation: Operation) -> Function:
    return lambda memref: _checked(memref, operation.results[0])


def _subview(operation: Operation) -> Function:
    static, (_, *groups) = static_parts(operation), operation.segments
    kept = kept_axes(static[1], operation.results[0].shape or ())

    def run(*operands: Any) -> MemRef:
        source = operands[0]
        offsets, sizes, strides = (
            mixed(part, operands[group]) for part, group in zip(static, groups, strict=True)
        )
        offset = source.offset + sum(
            at * step for at, step in zip(offsets, source.strides, strict=True)
        )
        steps = [by * step for by, step in zip(strides, source.strides, strict=True)]
        return MemRef(
            source.buffer, offset, [sizes[axis] for axis in kept], [steps[axis] for axis in kept]
        )

    return run


def _reinterpret_cast(operation: Operation) -> Function:
    static, (_, *groups) = static_parts(operation), operation.segments

    def run(*operands: Any) -> MemRef:
        (offset,), sizes, strides = (
            mixed(part, operands[group]) for part, group in zip(static, groups, strict=True)
        )
        return MemRef(operands[0].buffer, offset, sizes, strides)

    return run


def _metadata(memref: MemRef) -> tuple[Any, ...]:
    base = MemRef(memref.buffer, 0, (), ())
    return (base, *map(np.int64, (memref.offset, *memref.sizes, *memref.strides)))


def _address(memref: MemRef) -> Any:
    return np.int64(memref.buffer.address)


def _collapse_shape(operation: Operation) -> Function:
    groups = operation.attribute("reassociation")

    def run(memref: MemRef) -> MemRef:
        sizes, strides = [], []
        for group in groups:
            inner = [(memref.sizes[axis], memref.strides[axis]) for axis in group]
            sizes.append(int(np.prod([size for size, _ in inner])))
            strides.append(_stride(inner))
        return MemRef(memref.buffer, memref.offset, sizes, strides)

    return run


def _stride(axes: Sequence[tuple[int, int]]) -> int:
    """The stride of axes that are taken for one."""
    longer = [each for each in axes if each[0] != 1] or [(1, 1)]
    for (_, outer), (size, inner) in pairwise(longer):
        if outer != size * inner and 0 not in [n for n, _ in longer]:
            raise UndefinedBehaviour(f"axes of sizes and strides {axes} are taken for one")
    return longer[-1][1]


def _expand_shape(operation: Operation) -> Function:
    static = operation.attribute("static_output_shape")
    groups = operation.attribute("reassociation")

    def run(memref: MemRef, *given: Any) -> MemRef:
        shape, strides = mixed(static, given), []
        for size, stride, group in zip(memref.sizes, memref.strides, groups, strict=True):
            inner = [shape[axis] for axis in group]
            if size != int(np.prod(inner)):
                raise UndefinedBehaviour(f"sizes {memref.sizes} expanded to {shape}")
            strides += [step * stride for step in row_major(inner)]
        return MemRef(memref.buffer, memref.offset, shape, strides)

    return run


def _reshape(operation: Operation) -> Function:
    def run(memref: MemRef, shape: MemRef) -> MemRef:
        sizes = tuple(map(int, shape.array))
        if memref.strides != row_major(memref.sizes) or np.prod(sizes) != np.prod(memref.sizes):
            raise UndefinedBehaviour(f"sizes {memref.sizes} reshaped to {sizes}")
        return MemRef(memref.buffer, memref.offset, sizes, row_major(sizes))

    return run


def _transpose(operation: Operation) -> Function:
    order = operation.attribute("permutation")
    if order is None or not hasattr(order, "dimensions"):
        raise UnsupportedOperation("the operation has no permutation")
    axes = order.dimensions
    return lambda memref: MemRef(
        memref.buffer,
        memref.offset,
        [memref.sizes[axis] for axis in axes],
        [memref.strides[axis] for axis in axes],
    )


def _get_global(operation: Operation) -> Function:
    find, name = operation.scope.constant, operation.attribute("name")
    return lambda: find(name)


def _alloca_scope(operation: Operation) -> Function:
    body = operation.body()
    return lambda frame: body.run(frame, ())


def _to_tensor(memref: MemRef) -> Any:
    return memref.array.copy()


def _alloc_tensor(operation: Operation) -> Function:
    type_ = operation.results[0]
    sizes, copied, _ = operation.segments
    empty = _alloc(operation)

    def run(*operands: Any) -> Any:
        if operands[copied]:
            return np.array(operands[copied][0])
        return empty(*operands[sizes]).array.astype(type_.dtype)

    return run


def _materialize(operation: Operation) -> Function:
    def run(source: Any, target: Any) -> Any:
        if not isinstance(target, MemRef):
            return source
        target.array[...] = source
        return ()

    return run


def _same(memref: MemRef, *_: Any) -> MemRef:
    return memref


OPERATIONS: dict[str, Rule] = {
    "memref.alloc": _alloc,
    "memref.alloca": _alloc,
    "memref.realloc": _realloc,
    "memref.dealloc": always(_dealloc),
    "memref.load": always(_load),
    "memref.store": always(_store),
    "memref.copy": always(_copy),
    "memref.dim": always(_dim),
    "memref.cast": _cast,
    "memref.memory_space_cast": always(_same),
    "memref.assume_alignment": always(_same),
    "memref.subview": _subview,
    "memref.reinterpret_cast": _reinterpret_cast,
    "memref.extract_strided_metadata": always(_metadata),
    "memref.extract_aligned_pointer_as_index": always(_address),
    "memref.collapse_shape": _collapse_shape,
    "memref.expand_shape": _expand_shape,
    "memref.reshape": _reshape,
    "memref.transpose": _transpose,
    "memref.get_global": _get_global,
    "bufferization.clone": always(_clone),
    "bufferization.dealloc": _release,
    "bufferization.to_tensor": always(_to_tensor),
    "bufferization.to_buffer": always(MemRef.of),
    "bufferization.alloc_tensor": _alloc_tensor,
    "bufferization.materialize_in_destination": _materialize,
    "bufferization.dealloc_tensor": always(lambda _: ()),
}
REGION_OPERATIONS: dict[str, Rule] = {"memref.alloca_scope": _alloca_scope}
TERMINATORS = frozenset({"memref.alloca_scope.return"})
