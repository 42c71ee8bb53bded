"""Reading and writing parts of arrays: ``x[key]``, ``x[key] = v``, views, in-place operators."""

from __future__ import annotations

import operator
from functools import partial
from typing import Any

import numpy as np

from agir.errors import StagingError
from agir.ir.building.types import DType, TensorType
from agir.ir.emission import broadcast, emit, failing, gathering
from agir.ir.emission.views import Selection, add_axes, extract, is_whole, read_part
from agir.ir.ops.calls.ufunc_calls import result_dtypes
from agir.ir.ops.core import chosen, layouts, permuted
from agir.ir.ops.core.assigned import (
    as_assigned,
    as_item,
    as_stored,
    fitted_shape,
    guard_repeats,
    guard_units,
    items_stored,
    value_type,
)
from agir.ir.ops.core.rearranged import (
    Flat,
    Seen,
    as_writable_as,
    check_not_read_only,
)
from agir.ir.ops.core.recorded import array_of
from agir.ir.ops.core.repeating import put_in_part
from agir.ir.ops.indexing import advanced, advanced_keys
from agir.ir.ops.indexing.subscripts import concrete, expand, select
from agir.ir.table import TABLE
from agir.ir.tensors import dispatch
from agir.ir.tensors.lacking import kind_of
from agir.ir.tensors.symbolic import (
    Dim,
    Dims,
    SymbolicTensor,
    Track,
    is_array,
    is_writable,
    known_elements,
    own_elements,
    static_shape,
)
from agir.ir.tracing import loops
from agir.ir.tracing.trace import Trace

# x[key]


def _getitem_rule(x: TensorType, key: Any) -> TensorType:
    return TensorType(x.dtype, _shape_of(x, key), x.weak)


def _shape_of(x: TensorType, key: Any) -> tuple[int | None, ...]:
    if advanced_keys.holds_arrays(key):
        parsed = advanced_keys.parse(key, x.shape)
        sliced = map(_slice_size, parsed.slices, x.shape)
        return advanced_keys.result_shape(parsed, tuple(sliced))
    entries = key if isinstance(key, tuple) else (key,)
    if None not in x.shape and not any(_is_symbolic_entry(e) for e in entries):
        plain = tuple(concrete(e) for e in entries)
        whole: Any = np.broadcast_to(np.empty((), x.dtype.numpy), [d or 0 for d in x.shape])
        return tuple(operator.getitem(whole, plain).shape)
    shape: list[int | None] = []
    axis = 0
    for entry in expand(key, len(x.shape)):
        if entry is None:
            shape.append(1)
            continue
        if isinstance(entry, slice):
            shape.append(_slice_size(entry, x.shape[axis]))
        axis += 1
    return tuple(shape)


def _is_symbolic_entry(entry: Any) -> bool:
    parts = (entry.start, entry.stop, entry.step) if isinstance(entry, slice) else (entry,)
    return any(isinstance(p, SymbolicTensor) for p in parts)


def _slice_size(key: slice, size: int | None) -> int | None:
    if key == slice(None):
        return size
    if size is None or _is_symbolic_entry(key):
        return None
    bounds = (concrete(v) for v in (key.start, key.stop, key.step))
    return len(range(*slice(*bounds).indices(size)))


def _getitem_emit(trace: Trace, result: TensorType, x: Any, key: Any) -> Any:
    tensor = emit.lift(trace, x)
    elements = getattr(tensor.storage, "elements", None)
    if elements is not None and type(concrete(key)) is int:
        return elements[concrete(key)]
    if (number := _known_number(tensor, key)) is not None:
        return number
    if advanced_keys.holds_arrays(key):
        return advanced.read(trace, tensor, key)
    selection = select(trace, tensor, key)
    if not tensor.dims:
        if is_array(tensor) and trace.convention.arrays_are_mutable and key != ():
            return dispatch.call("reshape", tensor, static_shape(selection.dims))
        ssa = add_axes(trace, tensor.ssa, tensor.dtype, selection)
        return trace.make(ssa, tensor.dtype, selection.dims, result.weak)
    if not selection.layout and not _is_view_of_one(trace, key):
        return trace.make(permuted.element(trace, tensor, selection), tensor.dtype, ())
    own_elements(trace, tensor)
    if type(tensor.storage) is Seen:
        return _seen_part(trace, tensor, selection)
    if isinstance(tensor.storage, Flat):
        part = extract(trace, tensor.ssa, tensor.dtype, selection)
        return trace.make(part, tensor.dtype, selection.dims)
    if not is_writable(tensor.storage):
        part = extract(trace, tensor.ssa, tensor.dtype, selection)
        return as_writable_as(tensor, trace.make(part, tensor.dtype, selection.dims))
    return permuted.view_of(trace, tensor, selection)


def _known_number(tensor: SymbolicTensor, key: Any) -> Any:
    """The element at a known place of an array of known elements."""
    places = tuple(map(concrete, key)) if isinstance(key, tuple) else (concrete(key),)
    if len(places) != len(tensor.dims) or not all(type(place) is int for place in places):
        return None
    elements = known_elements(tensor)
    inside = elements is not None and all(
        -size <= place < size for place, size in zip(places, elements.shape, strict=True)
    )
    return elements[places] if elements is not None and inside else None


def _seen_part(trace: Trace, tensor: SymbolicTensor, selection: Selection) -> SymbolicTensor:
    """A part of an array that shows another one's elements, and does so too."""
    storage = Seen(
        trace.scope,
        tensor,
        lambda whole: extract(trace, whole, tensor.dtype, selection),
        layouts.Selecting(selection),
    )
    part = SymbolicTensor(trace, storage, tensor.dtype, selection.dims)
    part.shared = True
    return part


def _is_view_of_one(trace: Trace, key: Any) -> bool:
    """Whether ``x[..., 0]`` is one element, which NumPy gives as a view without dimensions."""
    entries = key if isinstance(key, tuple) else (key,)
    return trace.convention.arrays_are_mutable and any(e is Ellipsis for e in entries)


@dispatch.define(operands=("x",), rule=_getitem_rule, emit=_getitem_emit, verbatim=("key",))
def getitem(x: Any, key: Any) -> Any:
    """
    ``x[key]``: ints, slices, ``...`` and ``None``, with Python's meaning of negative ones; integer
    arrays and boolean masks.

    A part of an array is a view: writing into it writes into the array.  What arrays and masks take
    is an array of its own, as in NumPy.
    """
    return operator.getitem(x, advanced_keys.plain(key))


# x[key] = value


def assign(tensor: SymbolicTensor, key: Any, value: Any) -> None:
    """``tensor[key] = value``: the array, its aliases and its views see the new elements."""
    trace = tensor.recorder
    listed = isinstance(value, (list, tuple)) and emit.is_symbolic(value)
    if not listed and permuted.is_part(value, tensor, key):
        return  # the second half of `x[key] += v`, whose first half wrote through the view
    with trace.at_user_line():
        _check_writable(trace, tensor)
        try:
            if isinstance(tensor.storage, Flat) and _depth(value):
                if advanced_keys.holds_arrays(key) or not _is_element(tensor, key):
                    _assign_repeated(trace, tensor, key, value)
                    return
                if listed and not tensor.dtype.is_bool:
                    raise ValueError("an element of flat cannot be set: that is one number")
            if isinstance(value, (list, tuple)):
                _check_depth(tensor, key, _depth(value))
            if listed:
                value = array_of(items_stored(value, tensor.dtype))
            _assign_fitting(trace, tensor, key, value)
        except (TypeError, ValueError, IndexError, OverflowError) as error:
            trace.locate(error)
            raise


def _assign_fitting(trace: Trace, tensor: SymbolicTensor, key: Any, value: Any) -> None:
    if not tensor.dims and (key is Ellipsis or (isinstance(key, tuple) and not key)):
        whole = emit.lift(trace, as_assigned(value, tensor.dtype))
        ssa = emit.convert(trace, whole.ssa, whole.dtype, tensor.dtype, whole.dims)
        tensor.storage.write(trace, ssa)
    elif advanced_keys.holds_arrays(key):
        advanced.assign(trace, tensor, key, value)
    else:
        _assign_part(trace, tensor, key, value)


def _assign_repeated(trace: Trace, flat: SymbolicTensor, key: Any, value: Any) -> None:
    """Several values go into a part of ``x.flat`` one after the other."""
    if isinstance(value, (list, tuple)):
        items = items_stored(value, flat.dtype) if emit.is_symbolic(value) else None
        value = array_of(items) if items is not None else as_stored(value, flat.dtype)
    else:
        value_type(trace, value, flat.dtype)
        value = dispatch.call("cast", value, flat.dtype)
    is_basic = not advanced_keys.holds_arrays(key)
    put_in_part(flat, key, value, is_basic, partial(_assign_fitting, trace, flat))


def _depth(value: Any) -> int:
    """How many dimensions an array of a list has, by its first items."""
    if isinstance(value, (list, tuple)):
        return 1 + (_depth(value[0]) if value else 0)
    return len(getattr(value, "shape", ()))


def _check_depth(tensor: SymbolicTensor, key: Any, depth: int) -> None:
    """``ValueError`` where a list is nested deeper than the part has dimensions."""
    if advanced_keys.holds_arrays(key):
        return
    entries = key if isinstance(key, tuple) else (key,)
    whole = (None, Ellipsis)
    taken = sum(not (any(e is w for w in whole) or isinstance(e, slice)) for e in entries)
    rank = len(tensor.dims) - taken + sum(e is None for e in entries)
    if depth > rank > 0:
        raise ValueError(
            f"a list that is nested {depth} deep is assigned to a part of {rank} dimensions"
        )


def _assign_part(trace: Trace, tensor: SymbolicTensor, key: Any, value: Any) -> None:
    sites = len(trace.sites)
    selection = select(trace, tensor, key)
    if isinstance(tensor.storage, Flat) and _is_element(tensor, key):
        value = as_item(value, tensor.dtype)
    else:
        value = as_assigned(value, tensor.dtype, _is_element(tensor, key))
    part = _assigned(trace, tensor, value, selection)
    if trace.tries and len(trace.sites) > sites:
        # A handler must find the array as it was.
        old = read_part(trace, tensor, selection)
        part = emit.select(trace, failing.succeeded(trace), part, old)
    if tuple(selection.dims) == tuple(tensor.dims) and is_whole(tensor, selection):
        tensor.storage.write(trace, part)
        return
    permuted.write(trace, tensor, selection, part)


def _is_element(tensor: SymbolicTensor, key: Any) -> bool:
    """Whether a basic key is a position along each axis, and nothing else."""
    entries = key if isinstance(key, tuple) else (key,)
    listed = not any(e is None or e is Ellipsis or isinstance(e, slice) for e in entries)
    return listed and len(entries) == len(tensor.dims)


def _check_writable(trace: Trace, tensor: SymbolicTensor) -> None:
    own_elements(trace, tensor)
    check_not_read_only(tensor)
    if is_writable(tensor.storage):
        return
    named = tensor.dims or tensor.shared
    if named and trace.convention.arrays_are_mutable and not trace.tracks_arrays:
        raise Track
    if not tensor.dims:
        said = f"'{kind_of(tensor)}' object does not support item assignment"
        raise TypeError(trace.explain(said))
    raise StagingError(
        trace.explain(
            "this array may be one of several arrays, depending on the path taken at run time, and "
            "is assigned into; assign into a copy (x = x.copy()), or do not rebind the name in the "
            "branch or loop"
        )
    )


def _assigned(trace: Trace, tensor: SymbolicTensor, value: Any, selection: Selection) -> Any:
    """The elements that a value gives; the old ones where it does not fit."""
    dtype = tensor.dtype
    given = dispatch.type_of(value, "item assignment")
    shape = fitted_shape(trace, given.shape, static_shape(selection.dims))
    if not given.shape:
        value_type(trace, value, dtype)
        return broadcast.operand(trace, value, dtype, selection.dims)
    lifted = emit.lift(trace, value)
    dims = lifted.dims[len(lifted.dims) - len(shape) :]
    ok = guard_units(trace, lifted.dims[: len(lifted.dims) - len(shape)])
    if selection.layout:
        for own, wanted in zip(dims[::-1], selection.dims[::-1], strict=False):
            ok = emit.both(trace, ok, guard_repeats(trace, own, wanted))
    value_type(trace, value, dtype)  # NumPy compares the shapes first
    ssa = emit.convert(trace, lifted.ssa, lifted.dtype, dtype, lifted.dims)

    def fitted() -> Any:
        kept = ssa
        if len(dims) != len(lifted.dims):
            kept = gathering.reshape_ssa(trace, ssa, dtype, lifted.dims, dims)
        return _repeated(trace, kept, dtype, dims, selection.dims) if selection.layout else kept

    if ok is None:
        return fitted()
    return loops.if_ok(trace, ok, fitted, lambda: read_part(trace, tensor, selection))


def _in_dims(trace: Trace, ssa: Any, dims: Dims, tensor: SymbolicTensor) -> Any:
    """The result of an in-place operator in the array's dimensions; the old elements if it fails."""
    ok = None
    for own, wanted in zip(dims, tensor.dims, strict=True):
        ok = emit.both(trace, ok, guard_repeats(trace, own, wanted))
    if ok is None:
        return broadcast.to_dims(trace, ssa, tensor.dtype, dims, tensor.dims)
    return loops.if_ok(
        trace,
        ok,
        lambda: _repeated(trace, ssa, tensor.dtype, dims, tensor.dims),
        lambda: tensor.ssa,
    )


def _repeated(trace: Trace, ssa: Any, dtype: DType, dims: Dims, target: Dims) -> Any:
    """The value broadcast to the target, whose sizes are the value's where that knows them."""
    lead = len(target) - len(dims)
    known = [own if isinstance(own, int) and own != 1 else None for own in dims]
    exact = (*target[:lead], *map(_either, known, target[lead:]))
    return emit.cast_dims(trace, broadcast.to_dims(trace, ssa, dtype, dims, exact), dtype, target)


def _either(known: int | None, target: int | Dim) -> int | Dim:
    return target if known is None else known


# x += value, where arrays are mutable


def update_in_place(tensor: SymbolicTensor, name: str, other: Any) -> SymbolicTensor:
    """``tensor op= other`` as NumPy means it: the array itself changes, so aliases see it."""
    trace = tensor.recorder
    sites = len(trace.sites)
    if (
        tensor.storage.home is not trace.scope
    ):  # a region around has it: it becomes the region's state
        own_elements(trace, tensor)
    check_not_read_only(tensor)
    if tensor.dims and not (is_writable(tensor.storage) or hasattr(tensor.storage, "own")):
        _check_writable(trace, tensor)  # as NumPy does before it looks at dtypes
    function = next(f for f in TABLE[name].numpy if isinstance(f, np.ufunc))
    _check_kept(tensor, result_dtypes(function, (tensor, other)))  # before shapes are compared
    result = dispatch.call(name, tensor, other)
    _check_kept(tensor, [result.dtype])
    pairs = zip(result.dims, tensor.dims, strict=False)
    grown = any(isinstance(a, int) and isinstance(b, int) and a != b for a, b in pairs)
    if grown or len(result.dims) != len(tensor.dims):
        raise ValueError(
            trace.explain(
                f"an in-place operator on an array of shape {list(tensor.shape)} cannot hold the "
                f"result's shape {list(result.shape)}"
            )
        )
    with trace.at_user_line():
        if chosen.update(trace, tensor, result):
            return tensor
        ssa = emit.convert(trace, result.ssa, result.dtype, tensor.dtype, result.dims)
        _check_writable(trace, tensor)
        ssa = _in_dims(trace, ssa, result.dims, tensor)
        if trace.tries and len(trace.sites) > sites:
            ssa = emit.select(trace, failing.succeeded(trace), ssa, tensor.ssa)
        tensor.storage.write(trace, ssa)
    return tensor


def fill(tensor: SymbolicTensor, value: Any) -> None:
    """``tensor.fill(value)``: one number in every element."""
    with tensor.recorder.at_user_line():
        check_not_read_only(tensor)
    if getattr(value, "shape", ()):
        raise ValueError(tensor.recorder.explain("fill() takes one number, and no array"))
    tensor[...] = as_assigned(value, tensor.dtype, single=True)


def _check_kept(tensor: SymbolicTensor, results: list[DType]) -> None:
    """``TypeError`` where NumPy does not let the array hold what an operator gives."""
    for dtype in results:
        if not np.can_cast(dtype.numpy, tensor.dtype.numpy, "same_kind"):
            raise TypeError(
                tensor.recorder.explain(
                    f"an in-place operator cannot store {dtype} values in an array of "
                    f"{tensor.dtype}; write x = x op y, or convert one of them"
                )
            )
