"""Parts of arrays: selections, their extraction and insertion, and views that write through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from agir.ir.building import attributes, bindings
from agir.ir.building.cells import Scope
from agir.ir.building.types import DType, mlir_type
from agir.ir.emission import emit, gathering
from agir.ir.tensors.symbolic import Dim, Dims, SymbolicTensor, static_shape, write_into
from agir.ir.tracing import loops
from agir.ir.tracing.trace import Trace

Size = Any
"""An int, or an SSA value of type ``index``."""


@dataclass
class Axis:
    """What a key takes of one axis: ``size`` elements from ``offset`` on, ``stride`` apart.

    ``dim`` is the dimension of the result, None where the axis was indexed by a single position.
    """

    offset: Size
    size: Size
    stride: Size
    dim: int | Dim | None
    reverse: bool | Any = False
    """Whether the elements are taken from behind: a bool, or an i1 that the run time knows."""

    def is_all_of(self, size: int | Dim) -> bool:
        """Whether all elements of an axis of this size are taken, in their order."""
        return (
            (self.offset, self.stride, self.reverse) == (0, 1, False)
            and self.dim is not None
            and (self.dim is size or self.dim == size)
        )


@dataclass
class Selection:
    """What a key takes of a tensor.

    ``layout`` lists the result's dimensions: the number of an axis, or None for a new one.
    ``valid`` (i1) tells whether single positions are inside axes that may be empty.
    """

    axes: list[Axis]
    layout: list[int | None]
    valid: Any = None
    key: Any = field(default=None, repr=False)
    everything: bool = False
    """Whether it is known to be all of the array, as it lies."""

    @property
    def dims(self) -> Dims:
        """The result's dimensions."""
        found = [1 if axis is None else self.axes[axis].dim for axis in self.layout]
        return tuple(d for d in found if d is not None)

    @property
    def kept(self) -> Dims:
        """The dimensions without the new ones."""
        return tuple(axis.dim for axis in self.axes if axis.dim is not None)

    @property
    def every(self) -> Dims:
        """The dimensions of all axes: 1 for those indexed by a single position."""
        return tuple(1 if axis.dim is None else axis.dim for axis in self.axes)


class View:
    """Storage of a part of another array: reads see its current elements, writes reach it."""

    __slots__ = ("base", "home", "selection")

    def __init__(self, home: Scope, base: SymbolicTensor, selection: Selection) -> None:
        self.home = home
        self.base = base
        self.selection = selection
        base.viewed = True

    def read(self, trace: Trace) -> Any:
        """The part as an SSA value, extracted once for each state of the array."""
        if not trace.scope.encloses(self.home):
            raise LookupError
        key = (self, _state(trace, self.base))
        found = trace.scope.recall("memo", key)
        if found is None:
            found = trace.scope.memo[key] = read_part(trace, self.base, self.selection)
        return found

    def write(self, trace: Trace, ssa: Any) -> None:
        """Write the part into the array."""
        write_part(trace, self.base, self.selection, ssa)
        trace.scope.memo[self, _state(trace, self.base)] = ssa


def read_part(trace: Trace, array: SymbolicTensor, selection: Selection) -> Any:
    """The selected part of an array; of one of several, of the one that it is, and of no other."""
    if _is_one_of(array):
        return array.storage.of_the_array(trace, lambda each: read_part(trace, each, selection))
    return extract(trace, array.ssa, array.dtype, selection)


def write_part(trace: Trace, array: SymbolicTensor, selection: Selection, part: Any) -> None:
    """Give the selected part of an array new elements; of one of several, of the one that it is."""
    if _is_one_of(array):
        array.storage.for_the_array(trace, lambda each: write_part(trace, each, selection, part))
        return
    write_into(trace, array.storage, insert(trace, part, array.ssa, array.dtype, selection))


def _state(trace: Trace, array: SymbolicTensor) -> Any:
    """What the elements of an array are read from: an SSA value, or those of several arrays."""
    return array.storage.state(trace) if _is_one_of(array) else array.ssa


def _is_one_of(array: SymbolicTensor) -> bool:
    """Whether what is done with a part of the array is done with the one of several that it is."""
    return getattr(array.storage, "parts_fit", False)


# Extracting and inserting.


def _slicing(selection: Selection, *arrays: Any) -> tuple[list[Any], dict[str, Any]]:
    axes = selection.axes
    # MLIR may take one axis of a single element for another, which must not have other steps
    steps = [1 if isinstance(_size(a), int) and _size(a) == 1 else a.stride for a in axes]
    return attributes.slicing(arrays, [a.offset for a in axes], list(map(_size, axes)), steps)


def _size(axis: Any) -> Any:
    return axis.dim if isinstance(axis.dim, int) else axis.size


def extract(trace: Trace, whole: Any, dtype: DType, selection: Selection) -> Any:
    """The selected part of an SSA tensor: a scalar where every axis is indexed."""
    if not selection.layout:
        return _guarded(
            trace,
            selection,
            lambda: trace.op("tensor.extract", dtype.mlir(), whole, *_offsets(trace, selection)),
            lambda: trace.constant(dtype, 0),
        )
    if selection.everything:
        return whole
    kept = selection.kept
    if 0 in kept or _has_nothing(whole):  # MLIR has no offset inside an axis that is empty
        return emit.constant_like(trace, dtype, selection.dims, 0)
    part = _guarded(
        trace,
        selection,
        lambda: _extract_slice(trace, whole, dtype, selection),
        lambda: emit.constant_like(trace, dtype, kept, 0),
    )
    part = _reversed(trace, part, dtype, selection)
    return add_axes(trace, part, dtype, selection)


def _has_nothing(whole: Any) -> bool:
    """Whether a tensor is known to have no elements; a number has one."""
    kind = whole.type
    return isinstance(kind, bindings.ir.RankedTensorType) and 0 in kind.shape


def _offsets(trace: Trace, selection: Selection) -> list[Any]:
    return [
        trace.index(a.offset) if isinstance(a.offset, int) else a.offset for a in selection.axes
    ]


def _extract_slice(trace: Trace, whole: Any, dtype: DType, selection: Selection) -> Any:
    kept = static_shape(selection.kept)
    if not kept:
        return trace.op("tensor.extract", dtype.mlir(), whole, *_offsets(trace, selection))
    if _is_everything(bindings.ir.RankedTensorType(whole.type).shape, selection):
        return whole
    told = _tells_its_axes(selection)
    result = mlir_type(dtype, kept if told else static_shape(selection.every))
    part = trace.create("tensor.extract_slice", (result,), *_slicing(selection, whole)).result
    if told:
        return part
    return gathering.reshape_ssa(trace, part, dtype, selection.every, selection.kept)


def _tells_its_axes(selection: Selection) -> bool:
    """Whether the shape of the part alone says which axes were indexed by a single position.

    MLIR takes them to be the first ones of size 1 when it makes an offset a constant, and gives the
    part another shape, and elements of other places, where they are not.
    """
    sizes = [_size(axis) for axis in selection.axes]
    count = sum(axis.dim is None for axis in selection.axes)
    ones = [number for number, size in enumerate(sizes) if isinstance(size, int) and size == 1]
    first = ones[:count]
    taken = [size for number, size in enumerate(sizes) if number not in first]
    kept = [_size(axis) for axis in selection.axes if axis.dim is not None]
    return all(a is b or (isinstance(a, int) and a == b) for a, b in zip(taken, kept, strict=True))


def _is_everything(shape: Sequence[int | None], selection: Selection) -> bool:
    return all(
        a.dim == size
        and (isinstance(a.offset, int) and a.offset == 0)
        and (isinstance(a.stride, int) and a.stride == 1)
        for a, size in zip(selection.axes, shape, strict=True)
    )


def is_whole(tensor: SymbolicTensor, selection: Selection) -> bool:
    """True where the selection is the whole tensor as it is."""
    everything = _is_everything(static_shape(tensor.dims), selection)
    return everything and all(a.reverse is False for a in selection.axes)


def insert(trace: Trace, part: Any, whole: Any, dtype: DType, selection: Selection) -> Any:
    """The SSA tensor with the selected part replaced."""
    if not selection.layout:
        return _guarded(
            trace,
            selection,
            lambda: trace.op("tensor.insert", whole.type, part, whole, *_offsets(trace, selection)),
            lambda: whole,
        )
    if 0 in selection.kept or _has_nothing(whole):
        return whole
    if selection.everything:
        return part if part.type == whole.type else trace.op("tensor.cast", whole.type, part)
    part = _drop_axes(trace, part, dtype, selection)
    if not selection.axes:
        return part
    part = _reversed(trace, part, dtype, selection)
    return _guarded(
        trace,
        selection,
        lambda: _insert_slice(trace, part, whole, dtype, selection),
        lambda: whole,
    )


def _insert_slice(trace: Trace, part: Any, whole: Any, dtype: DType, selection: Selection) -> Any:
    if not selection.kept:
        return trace.op("tensor.insert", whole.type, part, whole, *_offsets(trace, selection))
    if not _tells_its_axes(selection):
        part = gathering.reshape_ssa(trace, part, dtype, selection.kept, selection.every)
    found = _slicing(selection, part, whole)
    return trace.create("tensor.insert_slice", (whole.type,), *found).result


def _guarded(trace: Trace, selection: Selection, inside: Any, outside: Any) -> Any:
    """``inside()``, or ``outside()`` where an axis that may be empty has no such position."""
    if selection.valid is None:
        return inside()
    return loops.if_ok(trace, selection.valid, inside, outside)


def _reversed(trace: Trace, part: Any, dtype: DType, selection: Selection) -> Any:
    kept = [a for a in selection.axes if a.dim is not None]
    axes = {i: a.reverse for i, a in enumerate(kept) if a.reverse is not False}
    if not axes or _is_uniform(part):
        return part
    return gathering.reverse(trace, part, dtype, selection.kept, axes)


def _is_uniform(part: Any) -> bool:
    """Whether all elements of a tensor are known to be one number."""
    maker = part.maker
    splat = maker is not None and maker.name == "tensor.splat"
    return splat or emit.constant_value(part) is not None


def add_axes(trace: Trace, part: Any, dtype: DType, selection: Selection) -> Any:
    """The part with the new axes of the selection."""
    if None not in selection.layout:
        return part
    return gathering.reshape_ssa(trace, part, dtype, selection.kept, selection.dims)


def _drop_axes(trace: Trace, part: Any, dtype: DType, selection: Selection) -> Any:
    if None not in selection.layout:
        return part
    return gathering.reshape_ssa(trace, part, dtype, selection.dims, selection.kept)
