"""The cotangent of an array of which slices are read: gathered, not added up one after the other.

What is added to slices waits until the whole is asked for.  Where all slices meet, one formula then
computes each element from all of them (a stencil backwards is a stencil); what is left of each is
thin, and is added by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from math import prod
from typing import Any

from agir.ir.building import attributes, bindings
from agir.ir.emission import emit
from agir.ir.gradients.core import graph
from agir.ir.gradients.core.expressions import Expression, dtype_of, shaped, zeros_like
from agir.ir.tracing.trace import Trace
from agir.records import dataclass

SLICE = ("static_offsets", "static_sizes", "static_strides")


@dataclass(frozen=True)
class Box:
    """A part of an array: where it begins along each dimension, and where it ends."""

    begin: tuple[int, ...]
    end: tuple[int, ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        """Its sizes."""
        return tuple(high - low for low, high in zip(self.begin, self.end, strict=True))

    @property
    def elements(self) -> int:
        """How many elements it has."""
        return prod(max(size, 0) for size in self.sizes)

    def meet(self, other: Box) -> Box:
        """What two boxes have in common; it may have no elements."""
        begin = tuple(map(max, self.begin, other.begin))
        return Box(begin, tuple(map(min, self.end, other.end)))

    def moved(self, by: Sequence[int]) -> Box:
        """The box elsewhere."""
        pairs = [(b + d, e + d) for b, e, d in zip(self.begin, self.end, by, strict=True)]
        return Box(tuple(b for b, _ in pairs), tuple(e for _, e in pairs))

    def inside(self, other: Box) -> Box:
        """The box, with positions counted from where another one begins."""
        return self.moved([-b for b in other.begin])

    def without(self, inner: Box) -> Iterator[Box]:
        """The boxes around one in the middle that make it whole."""
        begin, end = list(self.begin), list(self.end)
        for axis, (low, high) in enumerate(zip(inner.begin, inner.end, strict=True)):
            for first, last in ((begin[axis], low), (high, end[axis])):
                if first < last:
                    yield Box(
                        (*begin[:axis], first, *begin[axis + 1 :]),
                        (*end[:axis], last, *end[axis + 1 :]),
                    )
            begin[axis], end[axis] = low, high


def box_of(operation: Any, part: Any, whole: Any) -> Box | None:
    """The part that a slice of known sizes is, None for another one."""
    ir = bindings.ir
    kinds = [shaped(value.type) for value in (part, whole)]
    if kinds[0].rank != kinds[1].rank or not all(kind.has_static_shape for kind in kinds):
        return None
    marker = ir.ShapedType.get_dynamic_stride_or_offset()
    offsets, sizes, strides = (list(operation.attributes[name]) for name in SLICE)
    if marker in offsets or any(stride != 1 for stride in strides):
        return None
    return Box(tuple(offsets), tuple(o + s for o, s in zip(offsets, sizes, strict=True)))


@dataclass
class Slices:
    """What is still to be added to slices of a cotangent; of a part of it nothing is left."""

    emptied: Box | None = None
    added: dict[Box, list[Any]] = field(default_factory=dict)

    def add(self, box: Box, cotangent: Any) -> None:
        """Note what is to be added to a slice."""
        self.added.setdefault(box, []).append(cotangent)

    def total(self, trace: Trace, like: Any, before: Any | None) -> Any:
        """The whole cotangent, which has been that one ``before``, or zero."""
        return _Gathering(trace, self, like, before).total()


class _Gathering:
    """The sum of slices, being recorded."""

    def __init__(self, trace: Trace, slices: Slices, like: Any, before: Any | None) -> None:
        self._trace, self._added, self._emptied = trace, slices.added, slices.emptied
        self._before, self._is_new = before, before is None
        self._now = zeros_like(trace, like) if before is None else before
        self._kept: set[Any] = set()
        """The values that are computed as wholes, for slices elsewhere."""
        moved = [v for box, found in self._added.items() if box != self._emptied for v in found]
        self._kept.update([v for v in moved if self._cost(v, v, is_moved=True) is None])

    def total(self) -> Any:
        """Record the sum."""
        emptied, boxes = self._emptied, list(self._added)
        middle = (emptied or boxes[0]) if boxes or emptied else None
        for box in boxes:
            middle = middle and middle.meet(box)
        every = boxes if emptied is None else [*boxes, emptied]
        if middle is None or any(2 * middle.elements < box.elements for box in every):
            return self._one_by_one()
        if emptied is not None:
            for box in emptied.without(middle):
                self._put(box, self._sum([emptied] if emptied in self._added else [], box))
        has_more = emptied is None and not self._is_new
        self._put(middle, self._sum(boxes, middle, with_before=has_more))
        for box in boxes:
            for rest in box.without(middle) if box != emptied else ():
                self._put(rest, self._sum([box], rest, with_before=True))
        return self._now

    def _one_by_one(self) -> Any:
        if self._emptied is not None:
            self._put(self._emptied, None)
        for number, box in enumerate(self._added):
            first = self._is_new and not number
            self._put(box, self._sum([box], box, with_before=not first))
        return self._now

    def _put(self, box: Box, value: Any | None) -> None:
        if value is None:
            like = _extracted(self._trace, self._now, box)
            value = zeros_like(self._trace, like)
        part = attributes.slicing([value, self._now], box.begin, box.sizes)
        self._now = self._trace.create("tensor.insert_slice", (self._now.type,), *part).result

    def _sum(self, boxes: Sequence[Box], part: Box, with_before: bool = False) -> Any | None:
        total = None
        if with_before:
            total = Expression(self._trace, _extracted(self._trace, self._now, part))
        for box in boxes:
            for value in self._added[box]:
                inner, is_moved = part.inside(box), box != self._emptied
                own = value
                if self._cost(value, value, is_moved) is None:
                    own = _extracted(self._trace, value, inner)
                else:
                    own = self._sliced(value, value, inner, part)
                term = Expression(self._trace, own)
                total = term if total is None else total + term
        return None if total is None else total.ssa

    def _is_before(self, value: Any) -> bool:
        return self._before is not None and bool(value == self._before)

    def _cost(self, value: Any, root: Any, is_moved: bool) -> int | None:
        """How many operations compute a part of a value; None if the whole of it is to be computed.

        That is where what is going to be overwritten would be read at another place.
        """
        if emit.constant_value(value) is not None or (value != root and value in self._kept):
            return 0
        source, operation = value, graph.defining(value)
        if operation is not None and operation.name == "tensor.extract_slice":
            source = operation.operands[0]
        if self._is_before(source):
            return None if is_moved else 0
        if operation is None or not _is_elementwise(operation):
            return 0
        costs = [self._cost(v, root, is_moved) for v in dict.fromkeys(operation.operands)]
        total = 1 + sum(cost or 0 for cost in costs)
        return None if None in costs or total > _MOST else total

    def _sliced(self, value: Any, root: Any, part: Box, place: Box) -> Any:
        """A part of a value, computed from parts; ``place`` is where it belongs."""
        trace, operation = self._trace, graph.defining(value)
        if part.sizes == tuple(shaped(value.type).shape):
            return value
        number = emit.constant_value(value)
        if number is not None:
            return _filled(trace, value, part, number)
        if operation is not None and operation.name == "tensor.extract_slice":
            source = operation.operands[0]
            outer = box_of(operation, value, source)
            if outer is not None:
                moved = part.moved(outer.begin)
                is_same = self._is_before(source) and moved == place
                return _extracted(trace, self._now if is_same else source, moved)
        if operation is None or not _is_elementwise(operation):
            return _extracted(trace, value, part)
        if value != root and value in self._kept:
            return _extracted(trace, value, part)
        parts = {v: self._sliced(v, root, part, place) for v in dict.fromkeys(operation.operands)}
        operands = [parts[v] for v in operation.operands]
        found = {name: operation.attributes[name] for name in operation.attributes}
        return trace.create(operation.name, (_kind(value, part),), operands, found).result


_MOST = 16
"""How many operations are done for slices rather than for the whole before."""
_CHEAP = frozenset(f"arith.{name}" for name in ["addf", "subf", "mulf", "negf", "select", "cmpf"])


def _is_elementwise(operation: Any) -> bool:
    if operation.name not in _CHEAP:
        return False
    shapes = [shaped(v.type) for v in (*operation.operands, *operation.results)]
    return None not in shapes and all(each.shape == shapes[-1].shape for each in shapes)


def _kind(value: Any, part: Box) -> Any:
    ir = bindings.ir
    return ir.RankedTensorType.get(list(part.sizes), shaped(value.type).element_type)


def _filled(trace: Trace, value: Any, part: Box, number: Any) -> Any:
    dtype = dtype_of(value.type)
    assert dtype is not None
    return trace.dense(dtype, part.sizes, number)


def _extracted(trace: Trace, value: Any, part: Box) -> Any:
    if part.sizes == tuple(shaped(value.type).shape):
        return value
    found = attributes.slicing([value], part.begin, part.sizes)
    return trace.create("tensor.extract_slice", (_kind(value, part),), *found).result
