"""Reading and writing the elements that index arrays and masks choose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from agir.ir import attributes, broadcast, emit, gathering, loops
from agir.ir.ops import masks
from agir.ir.ops.advanced_keys import AdvancedKey, IndexArray, arrays_shape
from agir.ir.ops.agreement import if_ok
from agir.ir.ops.assigned import Elements, both
from agir.ir.ops.rearranging import check_indices, guard_indices
from agir.ir.ops.subscripts import position
from agir.ir.symbolic import Dim, Dims, SymbolicTensor, static_shape
from agir.ir.trace import Trace
from agir.ir.types import int64, mlir_type

_MASK_IN_PARTS = "the positions where a mask is true"


@dataclass
class _Place:
    """Where along one axis: a position (``index``), or int64 positions with these dimensions.

    ``within`` is (stride, extent) where they count the elements of several axes that a mask covers.
    ``wraps`` tells whether they may be negative; ``size`` is the extent they must be kept inside,
    None where they are known to be.
    """

    axis: int
    ssa: Any
    dims: Dims
    within: tuple[Any, Any] | None = None
    wraps: Any = None
    size: Any = None

    def index(self, trace: Trace, found: Any) -> Any:
        """The position inside the axis for an element of the array."""
        kind = trace.index_type()
        at = trace.op("arith.index_cast", kind, found)
        if self.within is not None:
            stride, extent = self.within
            at = at if stride is None else trace.op("arith.divui", kind, at, stride)
            return at if extent is None else trace.op("arith.remui", kind, at, extent)
        if self.wraps is not None:
            negative = trace.compare("slt", at, trace.index(0))
            wrapped = trace.op("arith.addi", kind, at, self.wraps)
            at = emit.select(trace, negative, wrapped, at)
        if self.size is not None:
            last = trace.op("arith.subi", kind, self.size, trace.index(1))
            at = trace.op("arith.minui", kind, at, last)  # a negative one is greater than any
        return at


class Taken:
    """The elements that the arrays of a key take of a tensor (of which the slices were taken).

    ``ok`` (i1) tells whether all of them exist, as far as only the run time knows.
    """

    def __init__(self, trace: Trace, x: SymbolicTensor, key: AdvancedKey) -> None:
        arrays_shape(key)
        self.trace, self.x, self.key = trace, x, key
        self.ok: Any = None
        self.may_be_empty = False
        for axis, extent in key.extents:
            self._require(masks.guard_extent(trace, x.dims[axis], extent, axis), x.dims[axis])
        self.places: list[_Place] = []
        found: list[Dims] = []
        for array in key.arrays:
            found.append(self._resolve(array))
        self.shared = broadcast.common_dims(trace, found)
        self.places = [self._broadcast(place) for place in self.places]
        self.at = len([e for e in key.layout[: key.layout.index(Ellipsis)] if e is not None])
        kept = [e for e in key.layout if e is not None and e is not Ellipsis]
        self.kept: list[int] = kept
        sliced = [x.dims[axis] for axis in kept]
        self.dims: Dims = (*sliced[: self.at], *self.shared, *sliced[self.at :])
        """The dimensions of what is taken, without new axes."""

    @property
    def result_dims(self) -> Dims:
        """The dimensions of what is taken, new axes included."""
        dims: list[int | Dim] = []
        for entry in self.key.layout:
            if entry is Ellipsis:
                dims += self.shared
            else:
                dims.append(1 if entry is None else self.x.dims[entry])
        return tuple(dims)

    def _require(self, ok: Any, extent: int | Dim) -> None:
        self.ok = both(self.trace, self.ok, ok)
        self.may_be_empty |= not isinstance(extent, int) or extent == 0

    # From arrays of the key to places.

    def _resolve(self, array: IndexArray) -> Dims:
        """Add the array's places; gives its dimensions."""
        if array.is_mask:
            return self._mask(array)
        if not array.shape:
            return self._position(array)
        trace, extent = self.trace, 0
        if array.covers:
            extent = self.x.dims[array.axis]  # type: ignore[assignment]
        values = array.value
        if array.known and isinstance(extent, int) and array.covers:
            check_indices(values, extent, array.axis, True)
            values = np.where(values < 0, values + extent, values)
        tensor = emit.lift(trace, _kept(trace, values) if array.known else values)
        if not array.covers:
            return tensor.dims
        ssa = emit.convert(trace, tensor.ssa, tensor.dtype, int64, tensor.dims)
        place = _Place(array.axis, ssa, tensor.dims)
        if not (array.known and isinstance(extent, int)):
            place.wraps = place.size = emit.dim_value(trace, extent)
            self._require(self._guarded(place, tensor.ssa), extent)
        self.places.append(place)
        return tensor.dims

    def _guarded(self, place: _Place, ssa: Any) -> Any:
        """The check of all positions, recorded once for an array and an extent."""
        trace = self.trace
        key = ("inside", ssa, place.size, place.axis)
        found = trace.scope.recall("memo", key)
        if found is None:
            found = guard_indices(trace, place.ssa, place.dims, place.size, place.axis, True)
            trace.scope.memo[key] = found
        return found

    def _position(self, array: IndexArray) -> Dims:
        trace, extent = self.trace, self.x.dims[array.axis]
        offset, inside = position(trace, array.value, extent, array.axis)
        if inside is not None:
            self._require(inside, extent)
        ssa = trace.index(offset) if isinstance(offset, int) else offset
        self.places.append(_Place(array.axis, ssa, ()))
        return ()

    def _mask(self, array: IndexArray) -> Dims:
        trace = self.trace
        covered = self.x.dims[array.axis : array.axis + array.covers]
        mask = masks.over(trace, array.value, covered, array.axis)
        dims: Dims = (masks.count(trace, mask),)
        if covered:
            ssa = masks.positions(trace, mask)
        stride = None
        for i in reversed(range(array.covers)):
            extent = emit.dim_value(trace, covered[i])
            within = (stride, extent if i else None)
            self.places.append(_Place(array.axis + i, ssa, dims, within))
            stride = (
                extent
                if stride is None
                else trace.op("arith.muli", extent.type, stride, extent)
            )
        return dims

    def _broadcast(self, place: _Place) -> _Place:
        aligned = self.shared[len(self.shared) - len(place.dims) :]
        if place.dims and any(a is not b and a != b for a, b in zip(place.dims, aligned, strict=True)):
            place.ssa = broadcast.to_dims(self.trace, place.ssa, int64, place.dims, aligned)
            place.dims = aligned
        return place

    # Elements.

    def read(self) -> Any:
        """The elements as an SSA value of :attr:`dims`."""
        if self.ok is None or not self.may_be_empty:
            return self._gathered()
        trace, dtype = self.trace, self.x.dtype
        kind = mlir_type(dtype, static_shape(self.dims))
        nothing = lambda: emit.constant_like(trace, dtype, self.dims, 0)  # noqa: E731
        return if_ok(trace, self.ok, kind, self._gathered, nothing)

    def _gathered(self) -> Any:
        trace, x, rank = self.trace, self.x, len(self.dims)
        letters = [f"d{i}" for i in range(rank)]
        arrays = [place for place in self.places if place.dims]
        end = self.at + len(self.shared)
        maps = [
            f"affine_map<({', '.join(letters)}) -> ({', '.join(letters[end - len(p.dims) : end])})>"
            for p in arrays
        ]
        source = x.ssa

        def element(*scalars: Any) -> tuple[Any, ...]:
            kind = trace.index_type()
            own = [trace.op("linalg.index", kind, dim=attributes.i64(i)) for i in range(rank)]
            found = dict(zip(map(id, arrays), scalars, strict=False))
            at = self._indices(own, lambda place, _: found[id(place)])
            return (trace.op("tensor.extract", x.dtype.mlir(), source, *at) if at else source,)

        inputs = [place.ssa for place in arrays]
        init = emit.empty(trace, x.dtype, self.dims)
        maps.append(gathering.identity_map(rank))
        return gathering.generic(
            trace, inputs, [init], maps, ["parallel"] * rank, element
        ).result

    def _indices(self, own: list[Any], look_up: Any) -> list[Any]:
        """Where in the tensor the element stands that has these indices among the taken ones."""
        shared = own[self.at : self.at + len(self.shared)]
        others = own[: self.at] + own[self.at + len(self.shared) :]
        found = dict(zip(self.kept, others, strict=True))
        for place in self.places:
            if place.dims:
                element = look_up(place, shared[len(shared) - len(place.dims) :])
                found[place.axis] = place.index(self.trace, element)
            else:
                found[place.axis] = place.ssa
        return [found[axis] for axis in range(len(self.x.dims))]

    def written(self, value: Any) -> Any:
        """The tensor with the value's elements in place of those taken; the last one counts."""
        trace, target = self.trace, self.result_dims
        source = Elements(trace, value, self.x.dtype, target)
        ok = both(trace, self.ok, source.ok)
        extents = [emit.dim_value(trace, d) for d in self.dims]
        if ok is not None:  # after a failure nothing may be touched
            extents[0] = emit.select(trace, ok, extents[0], trace.index(0))
        for place in self.places:
            place.size = None

        def look_up(place: _Place, indices: list[Any]) -> Any:
            return trace.op("tensor.extract", int64.mlir(), place.ssa, *indices)

        def store(own: list[Any], carried: list[Any]) -> list[Any]:
            element = source.at(self._with_new_axes(own))
            at = self._indices(own, look_up)
            whole = carried[0]
            return [trace.op("tensor.insert", whole.type, element, whole, *at)]

        return loops.nest(trace, extents, [self.x.ssa], store)[0]

    def _with_new_axes(self, own: list[Any]) -> list[Any]:
        remaining = iter(own)
        found: list[Any] = []
        for entry in self.key.layout:
            if entry is None:
                found.append(self.trace.index(0))
            else:
                count = len(self.shared) if entry is Ellipsis else 1
                found += [next(remaining) for _ in range(count)]
        return found


def _kept(trace: Trace, values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """One array for all equal ones, so that it is captured once."""
    key = ("known", values.shape, values.tobytes())
    return trace.root.memo.setdefault(key, values)  # type: ignore[no-any-return]
