"""Reading and writing the elements that index arrays and masks choose."""

from __future__ import annotations

from typing import Any

from agir.ir.building import attributes
from agir.ir.emission import emit, gathering
from agir.ir.ops.core.assigned import Elements
from agir.ir.ops.indexing.advanced_keys import AdvancedKey
from agir.ir.ops.indexing.places import Place, Places
from agir.ir.tensors.symbolic import Dim, Dims, SymbolicTensor
from agir.ir.tracing import loops
from agir.ir.tracing.loops import if_ok
from agir.ir.tracing.trace import Trace


class Taken:
    """The elements that the arrays of a key take of a tensor (of which the slices were taken).

    ``dims`` are their dimensions without new axes, ``result_dims`` with them.
    """

    def __init__(self, trace: Trace, x: SymbolicTensor, key: AdvancedKey) -> None:
        self.trace, self.x, self.key = trace, x, key
        self.places = Places(trace, x.dims, key)
        shared = self.places.shared
        self.kept: list[int] = [e for e in key.layout if e is not None and e is not Ellipsis]
        before = key.layout[: key.layout.index(Ellipsis)]
        self.start = sum(1 for entry in before if entry is not None)
        self.stop = self.start + len(shared)
        sliced = [x.dims[axis] for axis in self.kept]
        self.dims: Dims = (*sliced[: self.start], *shared, *sliced[self.start :])

    @property
    def result_dims(self) -> Dims:
        """The dimensions of what is taken, new axes included."""
        return tuple(self._with_new_axes(self.dims, 1))

    @property
    def axes(self) -> list[Any]:
        """For each of the result's dimensions the sliced axis that it is, or ``...`` or None."""
        shared = [Ellipsis] * (self.stop - self.start)
        return self._with_new_axes(
            [*self.kept[: self.start], *shared, *self.kept[self.start :]], None
        )

    def _with_new_axes(self, values: Any, new: Any) -> list[int | Dim | Any]:
        """One value for each dimension, and ``new`` for those that the key adds."""
        remaining = iter(values)
        found: list[Any] = []
        for entry in self.key.layout:
            if entry is None:
                found.append(new)
            else:
                count = self.stop - self.start if entry is Ellipsis else 1
                found += [next(remaining) for _ in range(count)]
        return found

    def _indices(self, own: list[Any], look_up: Any, keep_inside: bool) -> list[Any]:
        """Where in the tensor the element stands that has these indices among the taken ones."""
        shared, others = own[self.start : self.stop], own[: self.start] + own[self.stop :]
        found = dict(zip(self.kept, others, strict=True))
        for place in self.places.found:
            at = place.ssa
            if place.dims:
                element = look_up(place, shared[len(shared) - len(place.dims) :])
                at = place.index(self.trace, element, keep_inside)
            found[place.axis] = at
        return [found[axis] for axis in range(len(self.x.dims))]

    def read(self) -> Any:
        """The elements as an SSA value; zeros where there are none to read from."""
        if self.places.ok is None or not self.places.may_be_empty:
            return self._gathered()
        trace, dtype = self.trace, self.x.dtype

        def nothing() -> Any:
            return emit.constant_like(trace, dtype, self.dims, 0)

        return if_ok(trace, self.places.ok, self._gathered, nothing)

    def _gathered(self) -> Any:
        """``linalg.generic`` over the positions, which are kept inside the axes."""
        trace, x, rank = self.trace, self.x, len(self.dims)
        letters = [f"d{i}" for i in range(rank)]
        space = ", ".join(letters)
        arrays = [place for place in self.places.found if place.dims]
        maps = [
            f"affine_map<({space}) -> ({', '.join(letters[self.stop - len(p.dims) : self.stop])})>"
            for p in arrays
        ]
        source = x.ssa

        def element(*scalars: Any) -> tuple[Any, ...]:
            kind = trace.index_type()
            own = [trace.op("linalg.index", kind, dim=attributes.i64(i)) for i in range(rank)]
            found = {place.axis: value for place, value in zip(arrays, scalars, strict=False)}
            at = self._indices(own, lambda place, _: found[place.axis], keep_inside=True)
            return (trace.op("tensor.extract", x.dtype.mlir(), source, *at) if at else source,)

        inputs = [place.ssa for place in arrays]
        init = emit.empty(trace, x.dtype, self.dims)
        maps.append(gathering.identity_map(rank))
        kinds = ["parallel"] * rank
        return gathering.generic(trace, inputs, [init], maps, kinds, element).result

    def written(self, value: Any) -> Any:
        """The tensor with the value's elements in place of those taken; the last one counts."""
        trace = self.trace
        source = Elements(trace, value, self.x.dtype, self.result_dims)
        sizes = [emit.dim_value(trace, d) for d in self.dims]
        ok = emit.both(trace, self.places.ok, source.ok)
        if ok is not None:  # after a failure nothing may be touched
            sizes[0] = emit.select(trace, ok, sizes[0], trace.index(0))
        zero = trace.index(0)

        def look_up(place: Place, indices: list[Any]) -> Any:
            return trace.op("tensor.extract", place.dtype.mlir(), place.ssa, *indices)

        def store(own: list[Any], carried: list[Any]) -> list[Any]:
            (whole,) = carried
            element = source.at(self._with_new_axes(own, zero))
            at = self._indices(own, look_up, keep_inside=False)
            return [trace.op("tensor.insert", whole.type, element, whole, *at) if at else element]

        return loops.nest(trace, sizes, [self.x.ssa], store)[0]
