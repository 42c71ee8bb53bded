"""Parts of arrays that leave the branch or loop which takes them: what of them has to be carried.

::

    for i in range(n):
        row = m[i, 1:]
    row[0] = 1              # in m

A view of an array of outside is that array and a few numbers: where it begins along each axis, how far
apart its elements are, how many.  Those that the paths do not agree on are carried as numbers, and
the view is made anew of them.  Views of views, flipped and transposed ones are such parts, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agir.ir.building.cells import Scope
from agir.ir.building.types import DType, bool_, int64
from agir.ir.emission import emit
from agir.ir.emission.views import Axis, Selection, View
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import Dim, Dims, SymbolicTensor, is_writable
from agir.ir.tracing.trace import Trace
from agir.ir.values.abstract_values import AbstractValue, Take, Typed, Wrap
from agir.ir.values.arrays.axis_numbers import (
    CARRIED,
    Along,
    Arithmetic,
    agreed,
    as_carried,
    as_number,
    same,
    seen_from,
    within,
)
from agir.ir.values.arrays.one_of import OneOf

_STEP = 10007
"""The least of steps through memory of which none is a multiple of another."""


@dataclass(frozen=True)
class Part(AbstractValue):
    """A part of an array of outside; ``order`` lists its dimensions: axes, or None for a new one."""

    base: SymbolicTensor
    axes: tuple[Along, ...]
    order: tuple[int | None, ...]
    valid: Any = True
    """Whether single positions are inside axes that may be empty: a bool or an i1, or carried."""

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Part)
            and self.base is other.base
            and self.order == other.order
            and all(map(same, self._numbers, other._numbers))
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def _numbers(self) -> tuple[Any, ...]:
        return (*(each for axis in self.axes for each in axis.numbers), self.valid)

    @property
    def _types(self) -> list[DType]:
        kinds = [*(k for _ in self.axes for k in (int64, int64, int64, bool_)), bool_]
        return [k for k, each in zip(kinds, self._numbers, strict=True) if each is CARRIED]

    @property
    def dims(self) -> tuple[Any, ...]:
        """The dimensions; None for a size that is carried."""
        return tuple(1 if axis is None else self.axes[axis].size for axis in self.order)

    def types(self) -> list[Any]:
        """The MLIR types that carry the abstract value."""
        return [each.mlir() for each in self._types]

    def dtypes(self) -> list[DType]:
        """The element types of what carries the abstract value."""
        return self._types

    def pack(self, trace: Trace, value: Any) -> list[Any]:
        """The SSA values that carry the Python value."""
        numbers = self.placeholder(trace)
        for condition, place in places(trace, value, lambda array: array is self.base):
            given = self.packed(trace, as_part(trace, place))
            pairs = zip(given, numbers, strict=True)
            numbers = [chosen(trace, condition, new, old) for new, old in pairs]
        return numbers

    def packed(self, trace: Trace, part: Part) -> list[Any]:
        """The numbers of a part that is one of this kind."""
        assert self.holds(part), "an array joined into a part is one"
        pairs = zip(self._numbers, part._numbers, strict=True)
        return [as_carried(trace, given) for wanted, given in pairs if wanted is CARRIED]

    def unpack(self, trace: Trace, carried: list[Any]) -> Any:
        """The Python value, from SSA values taken off the front of ``carried``."""
        if self == _whole(self.base):  # a view of all of it, which is not the array itself
            return dispatch.call("transpose", self.base, list(range(len(self.axes))))
        axes = [self._axis(trace, axis, carried) for axis in self.axes]
        valid = carried.pop(0) if self.valid is CARRIED else self.valid
        kept = [number for number, axis in enumerate(self.axes) if axis.kept]
        made: Any = self.base
        if not all(map(Along.is_same, self.axes, _whole(made).axes)):
            selection = Selection(axes, list(kept), None if valid is True else valid)
            storage = View(trace.scope, self.base, selection)
            made = SymbolicTensor(trace, storage, self.base.dtype, selection.dims)
            made.shared = True
        return self._arranged(made, kept)

    def _axis(self, trace: Trace, axis: Along, carried: list[Any]) -> Axis:
        numbers = [
            as_number(trace, carried.pop(0)) if each is CARRIED else each for each in axis.numbers
        ]
        offset, stride, size, reverse = numbers
        if not axis.kept:
            return Axis(offset, 1, 1, None)
        dim = size if isinstance(size, (int, Dim)) else Dim(value=size)
        return Axis(offset, emit.dim_value(trace, dim), stride, dim, reverse)

    def _arranged(self, view: Any, kept: Sequence[int]) -> Any:
        """The view with its axes in order, and new ones."""
        order = [axis for axis in self.order if axis is not None]
        made = view
        if order != list(kept):
            made = dispatch.call("transpose", made, [kept.index(axis) for axis in order])
        if None in self.order:
            key = tuple(None if axis is None else slice(None) for axis in self.order)
            made = dispatch.call("getitem", made, key)
        return made

    def placeholder(self, trace: Trace) -> list[Any]:
        """Values that stand where there is none, and nothing reads them."""
        nothing = (0, 1, 0, False)
        numbers = (*(each for _ in self.axes for each in nothing), False)
        pairs = zip(self._numbers, numbers, strict=True)
        return [as_carried(trace, given) for wanted, given in pairs if wanted is CARRIED]

    def assemble(self, take: Take, wrap: Wrap) -> Any:
        """The value for the caller."""
        raise AssertionError("a part is made an array of its own before it is returned")

    def describe(self) -> str:
        """The abstract value in the words of an error message."""
        shape = [d if isinstance(d, int) else "?" for d in self.dims]
        return f"a tensor of {self.base.dtype}{shape}".replace("'", "")

    def by_value(self) -> Typed:
        """The abstract value of the elements."""
        return Typed(self.base.dtype, self.dims, self.base.weak)

    def outside(self, scope: Scope) -> Part:
        """The abstract value as it is seen from outside the region that made it."""
        axes = tuple(axis.each(lambda number: seen_from(number, scope)) for axis in self.axes)
        return Part(self.base, axes, self.order, seen_from(self.valid, scope))

    def is_like(self, other: Part) -> bool:
        """Whether it is a part of the same array with the same axes, wherever those begin."""
        return (
            self.base is other.base
            and self.order == other.order
            and all(a.kept == b.kept for a, b in zip(self.axes, other.axes, strict=True))
        )

    def steps_like(self, other: Part) -> bool:
        """Whether the elements of both are as far apart, and follow in one direction."""
        return all(
            same(a.stride, b.stride) and same(a.reverse, b.reverse)
            for a, b in zip(self.axes, other.axes, strict=True)
        )

    def holds(self, part: Part | None) -> bool:
        """Whether a part is one that this abstract value can carry."""
        return (
            part is not None
            and self.is_like(part)
            and all(
                wanted is CARRIED or same(wanted, given)
                for wanted, given in zip(self._numbers, part._numbers, strict=True)
            )
        )

    def joined(self, other: Part) -> Part:
        """The part that is either of two alike ones."""
        axes = tuple(a.joined(b) for a, b in zip(self.axes, other.axes, strict=True))
        return Part(self.base, axes, self.order, agreed(self.valid, other.valid))


Member = SymbolicTensor | Part
"""One of several arrays: one of outside, or a part of such a one."""


# The part of an array that a view is.


def any_row(tensor: SymbolicTensor) -> Part | None:
    """The part that a row is of the array under all views; None for what is no array."""
    inner = part_of(None, tensor)
    row = Along(CARRIED, 1, 1, False, False)
    rest = [Along(0, 1, size, False, True) for size in tensor.dims[1:]]
    return inner and then(None, inner, [row, *rest], range(1, len(tensor.dims)), CARRIED)


def part_of(trace: Trace | None, tensor: SymbolicTensor) -> Part | None:
    """The part that it is of the array under all views that are parts; None for what is no array.

    Without a trace nothing is recorded: what would have to be computed is carried.
    """
    storage = tensor.storage
    if isinstance(storage, View):
        inner = part_of(trace, storage.base)
        axes = [Along(a.offset, a.stride, _size(a), a.reverse, a.dim is not None)
                for a in storage.selection.axes]  # fmt: skip
        valid = storage.selection.valid
        found = inner and then(
            trace, inner, axes, storage.selection.layout, True if valid is None else valid
        )
    else:
        found = _arranged(trace, tensor)
    if found is None and is_writable(storage):
        found = _whole(tensor)
    return found


def _size(axis: Axis) -> Any:
    return axis.size if axis.dim is None else axis.dim


def _whole(tensor: SymbolicTensor) -> Part:
    axes = tuple(Along(0, 1, size, False, True) for size in tensor.dims)
    return Part(tensor, axes, tuple(range(len(axes))))


def _arranged(trace: Trace | None, tensor: SymbolicTensor) -> Part | None:
    """The part that a transposed or flipped array is; None for other shapes."""
    storage = tensor.storage
    arrange = getattr(storage, "arrange", None)
    if arrange is None or not getattr(storage, "has_views", False):
        return None
    found = arrangement(arrange, storage.base.dims, tensor.dims)
    inner = None if found is None else part_of(trace, storage.base)
    if inner is None or found is None:
        return None
    axes = [Along(0, 1, size, axis in found.flipped, axis in found.order)
            for axis, size in enumerate(storage.base.dims)]  # fmt: skip
    return then(trace, inner, axes, found.order, True)


@dataclass(frozen=True)
class Arrangement:
    """The axes of an array in another order, some of them from behind; None for a new axis."""

    order: tuple[int | None, ...]
    flipped: frozenset[int]


def arrangement(arrange: Callable[[Any], Any], source: Dims, target: Dims) -> Arrangement | None:
    """What is done to the axes of an array, if every dimension of the result is one of them, or new.

    A layout is arranged whose steps tell the axes apart.
    """
    shape = [d if isinstance(d, int) else 7 for d in source]
    steps = list(range(_STEP, _STEP + len(shape)))
    layout = np.lib.stride_tricks.as_strided(np.empty(1, np.int8), shape, steps)
    found = arrange(layout)
    if found is None or found.ndim != len(target):
        return None
    order: list[int | None] = []
    for size, step in zip(target, found.strides, strict=True):
        axis = steps.index(abs(step)) if abs(step) in steps else None
        if axis is None or axis in order or not _same_size(source[axis], size):
            axis = None
        if axis is None and size != 1:
            return None
        order.append(axis)
    lost = [d for axis, d in enumerate(source) if axis not in order]
    flipped = {steps.index(-step) for step in found.strides if -step in steps}
    return None if any(d != 1 for d in lost) else Arrangement(tuple(order), frozenset(flipped))


def _same_size(left: Any, right: Any) -> bool:
    return left is right or (isinstance(left, int) and left == right)


def then(
    trace: Trace | None,
    inner: Part,
    axes: Sequence[Along],
    order: Sequence[int | None],
    valid: Any,
) -> Part | None:
    """The part that a part of a part is; None where that is none of the array."""
    found, places = list(inner.axes), []
    for source, along in zip(inner.order, axes, strict=True):
        if source is not None:
            found[source] = within(trace, inner.axes[source], along)
        elif along.kept and not same(along.size, 1):
            return None  # of an axis that is none of the array's
    for place in order:
        places.append(None if place is None else inner.order[place])
    sure = Arithmetic(trace).both(inner.valid, valid)
    return Part(inner.base, tuple(found), tuple(places), sure)


def chosen(trace: Trace, condition: Any, then: Any, otherwise: Any) -> Any:
    """One of two SSA values, by an i1; the first where there is no condition."""
    return then if condition is None else emit.select(trace, condition, then, otherwise)


def as_part(trace: Trace | None, member: Member | None) -> Part:
    """A part of an array, of which the array itself is one."""
    if isinstance(member, Part):
        return member
    part = None if member is None else part_of(trace, member)
    assert part is not None, "what is written to has elements"
    return part


def places(
    trace: Trace | None, value: Any, is_known: Callable[[SymbolicTensor], bool]
) -> list[tuple[Any, Member | None]]:
    """Which of the arrays that are known a value is, or is a part of: each under a condition (i1).

    Without a trace nothing is recorded, and there are no conditions.  None stands for a part of a part
    that is none of the array.
    """
    if not isinstance(value, SymbolicTensor):
        return []
    if is_known(value):
        return [(None, value)]
    part = part_of(trace, value)
    if part is None or is_known(part.base):
        return [] if part is None else [(None, part)]
    storage, found = part.base.storage, []
    for number, member in enumerate(storage.arrays if isinstance(storage, OneOf) else ()):
        inner = places(trace, member, is_known)
        here = storage.is_number(trace, number) if inner and trace is not None else None
        for condition, place in inner:
            if value is not part.base and place is not None:
                whole = as_part(trace, place)
                place = then(trace, whole, part.axes, part.order, part.valid)
            found.append((emit.both(trace, here, condition), place))
    return found
