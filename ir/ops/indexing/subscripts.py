"""Subscripts: from a Python key to offsets, sizes and strides on each axis.

The key of ``x[...]`` may hold ints, slices, ``...``, ``None`` and integer scalars of the trace.
What is known while tracing is checked and folded; what is not is wrapped, clamped and guarded by
recorded operations, with Python's own meaning.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.errors import RuntimeIndexError, SubscriptError
from agir.ir.building.types import int64, uint64
from agir.ir.emission import emit, inequalities
from agir.ir.emission.views import Axis, Selection, Size
from agir.ir.ops.indexing import strided
from agir.ir.tensors.symbolic import Dim, SymbolicTensor
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing import ranges
from agir.ir.tracing.trace import Trace
from agir.ir.values.alternatives.mixed_numbers import as_index

_MOST = 2**63 - 1
"""The largest number that a position can be."""


def expand(key: Any, rank: int) -> list[Any]:
    """The key as a list with one entry an axis (and None for each new one), ``...`` filled in."""
    entries = list(key) if isinstance(key, tuple) else [key]
    taking = sum(1 for e in entries if e is not None and e is not Ellipsis)
    if taking > rank:
        raise RuntimeIndexError(
            f"too many indices: the array has {rank} dimensions, but {taking} were indexed"
        )
    if not any(e is Ellipsis for e in entries):
        entries.append(Ellipsis)
    at = next(i for i, e in enumerate(entries) if e is Ellipsis)
    if any(e is Ellipsis for e in entries[at + 1 :]):
        raise IndexError("an index can only have a single ellipsis ('...')")
    return entries[:at] + [slice(None)] * (rank - taking) + entries[at + 1 :]


def concrete(value: Any) -> Any:
    """NumPy integers and eager scalars as Python ints; anything else as it is."""
    if isinstance(value, Tensor) and not value.is_symbolic and value.ndim == 0:
        value = value.numpy()[()]
    elif isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    value = as_index(value, "only integers, slices, arrays of integers or bools are indices")
    return int(value) if isinstance(value, np.integer) else value


def is_position(value: Any) -> bool:
    """True for an int or an integer scalar tensor."""
    if isinstance(value, SymbolicTensor):
        return not value.dims and value.dtype.is_integer
    return isinstance(value, int) and not isinstance(value, bool)


def select(trace: Trace, tensor: SymbolicTensor, key: Any) -> Selection:
    """What the key takes of the tensor; checks and guards are recorded."""
    axes: list[Axis] = []
    layout: list[int | None] = []
    valid = None
    for entry in expand(key, len(tensor.dims)):
        if entry is None:
            layout.append(None)
            continue
        size = tensor.dims[len(axes)]
        entry = concrete(entry)
        if isinstance(entry, slice):
            layout.append(len(axes))
            axes.append(_slice(trace, entry, size))
        elif is_position(entry):
            offset, inside = position(trace, entry, size, len(axes))
            axes.append(Axis(offset, 1, 1, None))
            valid = emit.both(trace, valid, inside)
        else:
            raise SubscriptError(unsupported(entry))
    everything = layout == [*range(len(axes))] and all(
        axis.is_all_of(size) for axis, size in zip(axes, tensor.dims, strict=True)
    )
    return Selection(axes, layout, valid, key, everything)


def unsupported(entry: Any) -> str:
    """What to say of an entry that cannot stand in a key."""
    if isinstance(entry, SymbolicTensor):
        return f"a subscript must be an integer, not {entry.dtype}; convert it with agir.cast"
    return (
        "a subscript of a traced array is an integer, a slice, ..., None, or an array of integers "
        f"or bools; {entry!r} is none of them"
    )


def position(trace: Trace, index: Any, size: int | Dim, axis: int) -> tuple[Size, Any]:
    """(offset inside the axis, i1 where even that needs the axis not to be empty)."""
    if isinstance(index, int) and isinstance(size, int):
        if not -size <= index < size:
            raise RuntimeIndexError(
                trace.explain(f"index {index} is out of bounds for axis {axis} with size {size}")
            )
        return index % size, None
    if _may_be_large(trace, index):
        fits = trace.compare("sge", index.ssa, trace.constant(int64, 0))
        trace.guard(fits, trace.site("overflow", "Python int too large to convert to C long"))
    number = index.ssa if isinstance(index, SymbolicTensor) else index
    if (found := ranges.place(trace, number, size)) is not None:
        return found
    return ranges.note_place(trace, number, size, _checked(trace, index, size, axis))


def _checked(trace: Trace, index: Any, dim_size: int | Dim, axis: int) -> tuple[Size, Any]:
    """The position wrapped and guarded, where nothing proves that it is inside."""
    ssa, size = emit.to_index(trace, index), emit.dim_value(trace, dim_size)
    if ranges.is_below(trace, ssa, size) or inequalities.is_inside(trace, ssa, size):
        return ssa, None
    known = ranges.interval(trace, ssa)
    wrapped = ssa
    if known is None or known[0] < 0:
        negative = trace.compare("slt", ssa, trace.index(0))
        wrapped = emit.select(trace, negative, trace.op("arith.addi", ssa.type, ssa, size), ssa)
    if (
        known is not None
        and isinstance(dim_size, int)
        and -dim_size <= known[0]
        and known[1] < dim_size
    ):
        return wrapped, None
    inside = trace.compare("ult", wrapped, size)
    site = trace.site("index", axis)
    trace.guard(inside, site, emit.from_index(trace, ssa), emit.from_index(trace, size))
    safe = emit.select(trace, inside, wrapped, trace.index(0))
    return safe, (None if isinstance(dim_size, int) and dim_size > 0 else inside)


def _bound(trace: Trace, value: Any) -> Any:
    """A bound of a slice; an unsigned number that is larger than all positions is beyond the end."""
    value = concrete(value)
    if not _may_be_large(trace, value):
        return value
    most = trace.constant(int64, _MOST)
    return trace.make(trace.op("arith.minui", most.type, value.ssa, most), int64, ())


def _may_be_large(trace: Trace, value: Any) -> bool:
    """Whether a number may be larger than all positions."""
    if not isinstance(value, SymbolicTensor) or value.dtype != uint64 or value.dims:
        return False
    known = ranges.interval(trace, value.ssa)
    return known is None or known[0] < 0


def _slice(trace: Trace, key: slice, size: int | Dim) -> Axis:
    start, stop, step = (_bound(trace, v) for v in (key.start, key.stop, key.step))
    if isinstance(step, int) and step == 0:
        raise ValueError("slice step cannot be zero")
    if isinstance(size, int) and not any(
        isinstance(v, SymbolicTensor) for v in (start, stop, step)
    ):
        return _static_slice(slice(start, stop, step), size)
    for bound in (start, stop, step):
        if not (bound is None or is_position(bound) or isinstance(bound, bool)):
            kind = bound.dtype if isinstance(bound, SymbolicTensor) else repr(bound)
            raise SubscriptError(
                f"the bounds and the step of a slice are integers or None, not {kind}"
            )
    one_by_one = step is None or (isinstance(step, int) and step == 1)
    backwards = isinstance(step, int) and step == -1
    if start is None and stop is None and (one_by_one or backwards):
        return Axis(0, emit.dim_value(trace, size), 1, size, reverse=backwards)
    if one_by_one and (cut := _cut_off(start, stop)) is not None:
        return _shortened(trace, size, *cut)
    # The same bounds give the same axis: arrays sliced alike have equal sizes.
    key_ = ("slice", *(_known_as(v) for v in (start, stop, step)), size)
    found: Axis | None = trace.scope.recall("memo", key_)
    if found is None:
        if isinstance(step, SymbolicTensor):
            found = strided.axis(trace, start, stop, step, size)
        else:
            found = _dynamic_slice(trace, start, stop, 1 if step is None else step, size)
        trace.scope.memo[key_] = found
    return found


def _cut_off(start: Any, stop: Any) -> tuple[int, int] | None:
    """How many elements a slice leaves out in front and at the end; None where that depends."""
    front = 0 if start is None else start
    back = 0 if stop is None else stop
    if not (isinstance(front, int) and isinstance(back, int)) or front < 0 or back > 0:
        return None
    return None if back == 0 and stop is not None else (front, -back)


def _shortened(trace: Trace, dim_size: int | Dim, front: int, back: int) -> Axis:
    """An axis without its ends.

    ``max(n - 2, 0)`` elements are left by ``x[1:-1]``, ``x[2:]``, ``x[:-2]`` and ``x[1:][:-1]``: one
    dimension for all of them, so that nothing has to be checked where they meet.
    """
    rest = _less(trace, dim_size, front + back)
    size = emit.dim_value(trace, dim_size)
    offset = trace.op("arith.minsi", size.type, trace.index(front), size) if front else 0
    return Axis(offset, emit.dim_value(trace, rest), 1, rest)


def _less(trace: Trace, dim_size: int | Dim, count: int) -> Dim:
    """The dimension of ``count`` elements less, or of none."""
    base, already = trace.scope.recall("memo", ("less of", dim_size)) or (dim_size, 0)
    key = ("less", base, already + count)
    found: Dim | None = trace.scope.recall("memo", key)
    if found is None:
        size = emit.dim_value(trace, base)
        rest = trace.op("arith.subi", size.type, size, trace.index(already + count))
        found = Dim(value=trace.op("arith.maxsi", size.type, rest, trace.index(0)))
        trace.scope.memo[key] = found
        trace.scope.memo["less of", found] = (base, already + count)
    return found


def _known_as(bound: Any) -> Any:
    return ranges.strip(bound.ssa) if isinstance(bound, SymbolicTensor) else bound


def _static_slice(key: slice, dim_size: int) -> Axis:
    taken = range(*key.indices(dim_size))
    size, step = len(taken), taken.step
    if size == 0:
        return Axis(0, 0, 1, 0)
    offset = min(taken[0], taken[-1])
    return Axis(offset, size, abs(step), size, reverse=step < 0 and size > 1)


def _dynamic_slice(trace: Trace, start: Any, stop: Any, step: int, dim_size: int | Dim) -> Axis:
    """Bounds wrapped and clamped as ``slice.indices`` does, in recorded arithmetic."""
    index = trace.index_type()

    def op(name: str, left: Any, right: Any) -> Any:
        return trace.op(f"arith.{name}", index, left, right)

    size = emit.dim_value(trace, dim_size)
    zero, one = trace.index(0), trace.index(1)
    low = zero if step > 0 else trace.index(-1)
    high = size if step > 0 else op("subi", size, one)
    edges = (
        (0, dim_size) if step > 0 else (-1, dim_size - 1 if isinstance(dim_size, int) else dim_size)
    )
    first = strided.bound(trace, start, size, edges, low, high, low if step > 0 else high)
    last = strided.bound(trace, stop, size, edges, low, high, high if step > 0 else low)
    if start is None and step == 1:
        return Axis(0, last, 1, Dim(value=last))
    span = op("subi", last, first) if step > 0 else op("subi", first, last)
    stride = trace.index(abs(step))
    rounded = op("addi", span, trace.index(abs(step) - 1)) if abs(step) > 1 else span
    rounded = op("maxsi", rounded, zero)
    count = op("divui", rounded, stride) if abs(step) > 1 else rounded
    offset = first
    if step < 0:
        whole = op("muli", op("subi", count, one), stride)
        offset = op("subi", first, whole)
    # An empty slice may start outside; nothing is read, but the offset must stay valid.
    offset = op("maxsi", op("minsi", offset, size), zero)
    return Axis(offset, count, abs(step), Dim(value=count), reverse=step < 0)
