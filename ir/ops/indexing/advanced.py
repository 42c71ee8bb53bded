"""``x[key]`` and ``x[key] = value`` where the key holds index arrays or masks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from agir.ir.emission import emit, gathering
from agir.ir.emission.views import Selection, extract, insert
from agir.ir.ops.core import chosen, layouts, masks
from agir.ir.ops.core.assigned import as_stored, fitted_shape, guard_repeats, repeats_of_nothing
from agir.ir.ops.indexing.advanced_keys import AdvancedKey, arrays_shape, parse
from agir.ir.ops.indexing.index_arrays import Taken
from agir.ir.ops.indexing.subscripts import select
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import Dim, SymbolicTensor
from agir.ir.tracing.trace import Trace


def read(trace: Trace, tensor: SymbolicTensor, key: Any) -> SymbolicTensor:
    """The elements that the key takes, as an array of their own."""
    parsed = parse(key, tensor.shape)
    x, _ = _sliced(trace, tensor, parsed)
    mask, merged = parsed.only_mask, 0
    if mask is not None and mask.axis == 0 and mask.covers and None not in parsed.layout:
        given = masks.over(trace, mask.value, x.dims[: mask.covers], 0)
        if mask.covers == len(x.dims):
            return chosen.taken(trace, given, x)
        flat = masks.flat(trace, given, mask.covers)
        x = masks.flat(trace, x, mask.covers, flat.dims[0])
        parsed, merged = _over_one_axis(parsed, flat, len(x.dims)), mask.covers - 1
    taken = Taken(trace, x, parsed)
    dims = taken.result_dims
    ssa = gathering.reshape_ssa(trace, taken.read(), x.dtype, taken.dims, dims)
    made = trace.make(ssa, x.dtype, dims)
    axes = [axis + merged if isinstance(axis, int) else axis for axis in taken.axes]
    layouts.derive_taken(made, tensor, axes)
    return made


def _over_one_axis(key: AdvancedKey, mask: SymbolicTensor, rank: int) -> AdvancedKey:
    """The key of a leading mask and nothing else, once the axes of the mask are one."""
    array = replace(key.arrays[0], value=mask, covers=1)
    return AdvancedKey((slice(None),) * rank, (array,), (Ellipsis, *range(1, rank)))


def _sliced(
    trace: Trace, tensor: SymbolicTensor, key: AdvancedKey
) -> tuple[SymbolicTensor, Selection | None]:
    """What the slices of the key take, and how."""
    if not key.is_sliced:
        return trace.make(tensor.ssa, tensor.dtype, tensor.dims), None
    selection = select(trace, tensor, key.slices)
    part = extract(trace, tensor.ssa, tensor.dtype, selection)
    return trace.make(part, tensor.dtype, selection.dims), selection


def assign(trace: Trace, tensor: SymbolicTensor, key: Any, value: Any) -> None:
    """Write the value's elements where the key says, in order; a scalar stands for all."""
    parsed = parse(key, tensor.shape)
    value = as_stored(value, tensor.dtype)
    whole = tensor.ssa
    x, selection = _sliced(trace, tensor, parsed)
    part = _written(trace, x, parsed, value)
    if selection is not None:
        part = insert(trace, part, whole, tensor.dtype, selection)
    tensor.storage.write(trace, part)


def _written(trace: Trace, x: SymbolicTensor, key: AdvancedKey, value: Any) -> Any:
    mask = key.only_mask
    if mask is not None and None not in key.layout:
        covered = x.dims[mask.axis : mask.axis + mask.covers]
        given = masks.over(trace, mask.value, covered, mask.axis)
        part = chosen.assigned(trace, x, given, value)
        if part is None and not x.dims:
            return _written_to_one(trace, x, given, value)
        if part is None:
            part = masks.assign(trace, x, given, mask.axis, value)
        if part is not None:
            return part
    value = _fitting(trace, x, key, value)
    return Taken(trace, x, key).written(value)


def _written_to_one(trace: Trace, x: SymbolicTensor, mask: SymbolicTensor, value: Any) -> Any:
    """An array without dimensions, written as a row of one element is."""
    part = masks.assign(trace, _row(trace, x), _row(trace, mask), 0, value)
    return gathering.reshape_ssa(trace, part, x.dtype, (1,), ())


def _row(trace: Trace, x: SymbolicTensor) -> SymbolicTensor:
    return trace.make(gathering.reshape_ssa(trace, x.ssa, x.dtype, (), (1,)), x.dtype, (1,))


def _fitting(trace: Trace, x: SymbolicTensor, key: AdvancedKey, value: Any) -> Any:
    """The value; ``ValueError`` where it does not fit, which NumPy looks at before the indices."""
    target: list[int | Dim | None] = []
    for entry in key.layout:
        if entry is None:
            target.append(1)
        elif entry is Ellipsis:
            target += arrays_shape(key)
        else:
            target.append(x.dims[entry])
    static = tuple(None if isinstance(size, Dim) else size for size in target)
    given = dispatch.type_of(value, "item assignment")
    nothing = repeats_of_nothing(given.shape, static)
    if nothing is not None:
        return dispatch.call("full", nothing, 0, given.dtype)
    shape = fitted_shape(trace, given.shape, static)
    own = emit.lift(trace, value).dims if shape else ()
    for size, wanted in zip(reversed(own), reversed(target), strict=False):
        if wanted is not None:
            guard_repeats(trace, size, wanted)
    return value
