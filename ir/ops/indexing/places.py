"""Where the arrays of a key point to: positions along axes, checked and broadcast together."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir.building.types import DType, int64
from agir.ir.emission import broadcast, emit
from agir.ir.ops.core import masks
from agir.ir.ops.core.agreement import is_same
from agir.ir.ops.indexing.advanced_keys import AdvancedKey, IndexArray, arrays_shape
from agir.ir.ops.indexing.subscripts import position
from agir.ir.ops.shapes.rearranging import check_indices, guard_indices
from agir.ir.tensors.symbolic import Dim, Dims
from agir.ir.tracing import ranges
from agir.ir.tracing.trace import Trace
from agir.records import dataclass


@dataclass
class Place:
    """Where along one axis: a single ``index``, or integers with these dimensions.

    ``size`` is the size of the axis where positions may be negative, or outside; None where they
    are known to be inside.  ``within`` is (stride, size) where positions count the elements of
    all the axes that a mask covers.
    """

    axis: int
    ssa: Any
    dims: Dims
    size: Any = None
    within: tuple[Any, Any] | None = None
    dtype: DType = int64

    def index(self, trace: Trace, found: Any, keep_inside: bool) -> Any:
        """The position along the axis for an element of the positions."""
        kind = trace.index_type()
        unsigned = self.dtype.kind == "u"
        at = trace.op("arith.index_castui" if unsigned else "arith.index_cast", kind, found)
        if self.within is not None:
            stride, size = self.within
            at = at if stride is None else trace.op("arith.divui", kind, at, stride)
            return at if size is None else trace.op("arith.remui", kind, at, size)
        if self.size is None:
            return at
        if not unsigned:
            negative = trace.compare("slt", at, trace.index(0))
            at = emit.select(trace, negative, trace.op("arith.addi", kind, at, self.size), at)
        if not keep_inside:
            return at
        last = trace.op("arith.subi", kind, self.size, trace.index(1))
        return trace.op("arith.minui", kind, at, last)  # unsigned, a negative one is the greatest


class Places:
    """The places of a key's arrays in a tensor of these dimensions, of which the slices are taken.

    ``shared`` are the dimensions that the arrays are broadcast to.  ``ok`` (i1) tells whether all
    places exist, None where they do; ``may_be_empty`` whether an axis may have no elements at all.
    """

    def __init__(self, trace: Trace, dims: Dims, key: AdvancedKey) -> None:
        arrays_shape(key)
        self.trace = trace
        self.ok: Any = None
        self.may_be_empty = False
        self.found: list[Place] = []
        self._dims = dims
        self._arrays = key.arrays
        self._unchecked: list[tuple[Place, Any, int | Dim]] = []
        for axis, size in key.sizes:
            self._require(masks.guard_size(trace, dims[axis], size, axis), dims[axis])
        resolved = [self._resolve(a) for a in key.arrays]
        self.shared = broadcast.common_dims(trace, resolved, "broadcast_places")
        self._check()
        for place in self.found:
            self._broadcast(place)

    def _require(self, ok: Any, size: int | Dim) -> None:
        self.ok = emit.both(self.trace, self.ok, ok)
        self.may_be_empty |= not isinstance(size, int) or size == 0

    def _resolve(self, array: IndexArray) -> Dims:
        """Add the array's places; gives its dimensions."""
        if array.is_mask:
            return self._mask(array)
        if not array.shape:
            return self._position(array)
        if not array.covers:  # a truth value: it has dimensions, but indexes nothing
            return array.value.shape  # type: ignore[no-any-return]
        dim_size = self._dims[array.axis]
        if array.known and isinstance(dim_size, int) and not self._may_vanish(array):
            return self._known(array, dim_size)
        trace = self.trace
        tensor = emit.lift(trace, _kept(trace, array.value) if array.known else array.value)
        ssa, dtype, size = tensor.ssa, tensor.dtype, emit.dim_value(trace, dim_size)
        if dtype.kind not in "iu" or dtype.bits >= int64.bits:
            ssa, dtype = emit.convert(trace, ssa, dtype, int64, tensor.dims), int64
        place = Place(array.axis, ssa, tensor.dims, size, dtype=dtype)
        low, high = _interval(trace, place)
        if not isinstance(dim_size, int) or low < -dim_size or high >= dim_size:
            self._unchecked.append((place, tensor.ssa, dim_size))
        elif low >= 0:
            place.size = None
        self.found.append(place)
        return tensor.dims

    def _known(self, array: IndexArray, size: int) -> Dims:
        values = array.value
        check_indices(values, size, array.axis, True)
        values = np.where(values < 0, values + size, values)
        tensor = emit.lift(self.trace, _kept(self.trace, values))
        self.found.append(Place(array.axis, tensor.ssa, tensor.dims))
        return tensor.dims

    def _may_vanish(self, array: IndexArray) -> bool:
        """Whether another array may have no elements: then NumPy looks at no position."""
        others = [each for each in self._arrays if each is not array]
        return any(each.is_mask or None in each.shape or 0 in each.shape for each in others)

    def _check(self) -> None:
        """All positions exist, unless the arrays are broadcast to no elements."""
        if 0 in self.shared:
            return
        for place, ssa, size in self._unchecked:
            free = [
                each for each in self.shared
                if isinstance(each, Dim) and not any(is_same(each, own) for own in place.dims)
            ]  # fmt: skip
            self._require(self._guarded(place, ssa, free), size)

    def _guarded(self, place: Place, ssa: Any, free: list[Dim]) -> Any:
        """The check of all positions, recorded once for an array and an axis."""
        trace = self.trace
        values = tuple(each.value(trace) for each in free)
        key = ("inside", ssa, place.size, place.axis, values)
        found = trace.scope.recall("memo", key)
        if found is None:
            wide = emit.convert(trace, place.ssa, place.dtype, int64, place.dims)
            found = guard_indices(trace, wide, place.dims, place.size, place.axis, True, free)
            trace.scope.memo[key] = found
        return found

    def _position(self, array: IndexArray) -> Dims:
        trace, size = self.trace, self._dims[array.axis]
        offset, inside = position(trace, array.value, size, array.axis)
        if inside is not None:
            self._require(inside, size)
        ssa = trace.index(offset) if isinstance(offset, int) else offset
        self.found.append(Place(array.axis, ssa, ()))
        return ()

    def _mask(self, array: IndexArray) -> Dims:
        trace = self.trace
        covered = self._dims[array.axis : array.axis + array.covers]
        mask = masks.over(trace, array.value, covered, array.axis)
        dims: Dims = (masks.count(trace, mask),)
        ssa = masks.positions(trace, mask) if covered else None
        stride: Any = None
        for i in reversed(range(array.covers)):
            size = emit.dim_value(trace, covered[i])
            within = (stride, size if i else None)
            self.found.append(Place(array.axis + i, ssa, dims, within=within))
            if stride is not None:
                size = trace.op("arith.muli", size.type, stride, size)
            stride = size
        return dims

    def _broadcast(self, place: Place) -> None:
        aligned = self.shared[len(self.shared) - len(place.dims) :]
        if any(a is not b and a != b for a, b in zip(place.dims, aligned, strict=True)):
            place.ssa = broadcast.to_dims(self.trace, place.ssa, place.dtype, place.dims, aligned)
            place.dims = aligned


def _interval(trace: Trace, place: Place) -> ranges.Interval:
    """The least and the greatest number that positions may be."""
    signed = place.dtype.kind == "i"
    known = ranges.interval(trace, place.ssa)
    if known is not None and (signed or known[0] >= 0):
        return known
    return ranges.of_bits(place.dtype.bits, signed)


def _kept(trace: Trace, values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """One array for all equal ones, so that it is captured once."""
    key = ("known", values.shape, values.tobytes())
    return trace.root.memo.setdefault(key, values)  # type: ignore[no-any-return]
