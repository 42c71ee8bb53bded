"""What the operations of a loop read and write."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from agir.backends.cpu.dependence.arrays import ALLOCATIONS, Place, array_of, place_in_array
from agir.backends.cpu.dependence.linear import ZERO, linear
from agir.ir.building import bindings
from agir.records import dataclass

_PURE = ("arith", "math", "complex", "index", "affine", "ub")
_NO_ACCESS = {
    "memref.subview",
    "memref.cast",
    "memref.dim",
    "memref.get_global",
    "memref.collapse_shape",
    "memref.expand_shape",
    "memref.reinterpret_cast",
    "memref.transpose",
    "memref.extract_strided_metadata",
    "memref.dealloc",
    "memref.assume_alignment",
    *ALLOCATIONS,
    "scf.yield",
    "scf.condition",
    "scf.if",
    "scf.for",
    "scf.while",
}
_VECTOR_ACCESSES = {
    "vector.load",
    "vector.store",
    "vector.maskedload",
    "vector.maskedstore",
    "vector.gather",
    "vector.scatter",
    "vector.expandload",
    "vector.compressstore",
    "vector.transfer_read",
    "vector.transfer_write",
}


@dataclass(frozen=True)
class Access:
    """A read or a write of an array.

    ``place`` has a form for each dimension, None where nothing is known; in each dimension so many
    elements from there on are touched as ``reach`` says.
    """

    operation: Any
    array: Any
    writes: bool
    place: Place
    reach: tuple[int | None, ...]


def accesses(operation: Any) -> list[Access] | None:
    """What an operation and all that is in it reads and writes; None where that is not known."""
    found: list[Access] = []
    for inner in _walk(operation):
        of_one = _of(inner)
        if of_one is None:
            return None
        found += of_one
    return found


def _walk(operation: Any) -> Iterator[Any]:
    yield operation
    for region in operation.regions:
        for block in region.blocks:
            for view in block.operations:
                yield from _walk(view.operation)


def _of(operation: Any) -> list[Access] | None:
    name = operation.name
    if name in _READERS:
        return _READERS[name](operation)
    if name in _NO_ACCESS or name.partition(".")[0] in _PURE:
        return []
    if name.startswith("vector.") and name not in _VECTOR_ACCESSES:
        return []
    return None


def _element(operation: Any, buffer: Any, subscripts: list[Any], writes: bool) -> Access:
    place = place_in_array(buffer, [linear(each) for each in subscripts])
    reach = () if place is None else (1,) * len(place)
    return Access(operation, array_of(buffer), writes, place, reach)


def _load(operation: Any) -> list[Access]:
    buffer, *subscripts = operation.operands
    return [_element(operation, buffer, subscripts, writes=False)]


def _store(operation: Any) -> list[Access]:
    _, buffer, *subscripts = operation.operands
    return [_element(operation, buffer, subscripts, writes=True)]


def _copy(operation: Any) -> list[Access]:
    source, target = operation.operands
    return [_whole(operation, source, writes=False), _whole(operation, target, writes=True)]


def _whole(operation: Any, buffer: Any, *, writes: bool) -> Access:
    """All elements of a buffer."""
    kind = buffer.type
    place = place_in_array(buffer, [ZERO] * kind.rank)
    sizes = [
        None if kind.is_dynamic_dim(axis) else int(kind.get_dim_size(axis))
        for axis in range(kind.rank)
    ]
    reach = () if place is None else _spread(buffer, sizes, len(place))
    return Access(operation, array_of(buffer), writes, place, reach)


def _spread(buffer: Any, sizes: list[int | None], rank: int) -> tuple[int | None, ...]:
    """The sizes of a buffer in the dimensions of its array: known where it has them all."""
    if array_of(buffer) == buffer:
        return tuple(sizes)
    view = buffer.owner.operation
    direct = view.name == "memref.subview" and array_of(buffer) == view.operands[0]
    unknown = bindings.ir.ShapedType.get_dynamic_stride_or_offset()
    if not direct:
        return (None,) * rank
    return tuple(
        None if unknown in (n, s) else (n - 1) * s + 1
        for n, s in zip(
            view.attributes["static_sizes"], view.attributes["static_strides"], strict=True
        )
    )


def _vector_load(operation: Any) -> list[Access]:
    buffer, *subscripts = list(operation.operands)[: 1 + operation.operands[0].type.rank]
    return [_lanes(operation, buffer, subscripts, operation.results[0].type, writes=False)]


def _vector_store(operation: Any) -> list[Access]:
    value, buffer, *rest = operation.operands
    subscripts = rest[: buffer.type.rank]
    return [_lanes(operation, buffer, subscripts, value.type, writes=True)]


def _masked_store(operation: Any) -> list[Access]:
    """As if all lanes were written."""
    *place, _, value = operation.operands
    buffer, *subscripts = place
    return [_lanes(operation, buffer, subscripts, value.type, writes=True)]


def _lanes(
    operation: Any, buffer: Any, subscripts: list[Any], vector: Any, *, writes: bool
) -> Access:
    access = _element(operation, buffer, subscripts, writes)
    shape = list(vector.shape)
    if access.place is None or array_of(buffer).type.rank != len(subscripts):
        return Access(operation, access.array, writes, None, ())
    reach = (1,) * (len(subscripts) - len(shape)) + tuple(shape)
    return Access(operation, access.array, writes, access.place, reach)


def _gather(operation: Any) -> list[Access]:
    """A read of any elements."""
    return [Access(operation, array_of(operation.operands[0]), False, None, ())]


def _transfer_read(operation: Any) -> list[Access] | None:
    if not _is_plain_transfer(operation):
        return None
    return _vector_load(operation)


def _transfer_write(operation: Any) -> list[Access] | None:
    if not _is_plain_transfer(operation) or len(operation.results):
        return None
    return _vector_store(operation)


def _is_plain_transfer(operation: Any) -> bool:
    """Whether the vector's dimensions are the last ones of the buffer, in their order."""
    affine = operation.attributes["permutation_map"].value
    names = [str(result) for result in affine.results]
    return names == [f"d{affine.n_dims - len(names) + i}" for i in range(len(names))]


_READERS: dict[str, Callable[[Any], list[Access] | None]] = {
    "memref.load": _load,
    "memref.store": _store,
    "memref.copy": _copy,
    "vector.load": _vector_load,
    "vector.store": _vector_store,
    "vector.maskedload": _vector_load,
    "vector.maskedstore": _masked_store,
    "vector.gather": _gather,
    "vector.transfer_read": _transfer_read,
    "vector.transfer_write": _transfer_write,
}
