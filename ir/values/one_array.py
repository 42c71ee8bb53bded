"""Arrays of which the path taken decides the one that a name stands for.

::

    w = a if n > 2 else b
    w[0] = 1                # in a or in b

Where arrays are mutable, a name that branches and loops bind to several arrays that others see too is
one of them: a number tells which.  Few programs write to such an array, or to one that it may be.  So
a trace does without at first: the name stands for the elements alone, which nothing may be written
into, and writes to the others are watched for.  A trace that meets one begins anew, and keeps numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from agir.autograph.operators import PossiblyUndefined, Undefined
from agir.ir import broadcast, emit, loops, structure
from agir.ir.cells import Cell, Scope
from agir.ir.symbolic import Dims, SymbolicTensor, is_writable
from agir.ir.trace import Trace
from agir.ir.types import DType, int64
from agir.ir.values import slots
from agir.ir.values.slots import Slot, Static, Take, Typed, Wrap
from agir.ir.views import View


class OneOf:
    """Storage of one of several arrays, or of elements of its own: the number of none of them."""

    __slots__ = ("cell", "dims", "dtype", "home", "members", "number")

    def __init__(
        self, home: Scope, number: Any, members: tuple[SymbolicTensor, ...], ssa: Any,
        dtype: DType, dims: Dims,
    ) -> None:  # fmt: skip
        self.home = home
        self.number = number
        self.members = members
        for member in members:
            member.viewed = True
        self.cell = Cell(home, ssa)
        self.dtype = dtype
        self.dims = dims

    def state(self, trace: Trace) -> tuple[Any, ...]:
        """The SSA values on which the elements depend."""
        return (*(member.ssa for member in self.members), trace.scope.read(self.cell))

    def read(self, trace: Trace) -> Any:
        """The elements as an SSA value, chosen once for each state of the arrays."""
        if not trace.scope.encloses(self.home):
            raise LookupError
        state = self.state(trace)
        found = trace.scope.recall("memo", (self, state))
        if found is None:
            found = state[-1]
            for number, member in enumerate(self.members):
                found = self._either(trace, number, self._seen(trace, member), found)
            trace.scope.memo[self, state] = found
        return found

    def write(self, trace: Trace, ssa: Any) -> None:
        """Give the array that it is new elements."""
        for number, member in enumerate(self.members):
            old = member.ssa
            new = loops.either(
                trace,
                self._is(trace, number),
                lambda old=old: [_as(trace, ssa, old.type)],  # type: ignore[misc]
                lambda old=old: [old],  # type: ignore[misc]
            )[0]
            member.storage.write(trace, new)
        old = trace.scope.read(self.cell)
        trace.scope.write(self.cell, self._either(trace, len(self.members), ssa, old))
        trace.scope.memo[self, self.state(trace)] = ssa

    def _seen(self, trace: Trace, member: SymbolicTensor) -> Any:
        """An array in the dimensions that all of them have."""
        return _as(trace, member.ssa, trace.scope.read(self.cell).type)

    def _is(self, trace: Trace, number: int) -> Any:
        return trace.compare("eq", self.number, trace.constant(int64, number))

    def _either(self, trace: Trace, number: int, then: Any, otherwise: Any) -> Any:
        return loops.either(trace, self._is(trace, number), lambda: [then], lambda: [otherwise])[0]


def _as(trace: Trace, ssa: Any, wanted: Any) -> Any:
    return ssa if ssa.type == wanted else trace.op("tensor.cast", wanted, ssa)


@dataclass(frozen=True)
class OneArray(Slot):
    """One of several arrays, or another one: its number, and the elements."""

    kind: Typed
    members: tuple[Any, ...]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, OneArray)
            and self.kind == other.kind
            and [*map(id, self.members)] == [*map(id, other.members)]
        )

    __hash__ = None  # type: ignore[assignment]

    def types(self) -> list[Any]:
        """The MLIR types that carry the slot."""
        return [int64.mlir(), *self.kind.types()]

    def dtypes(self) -> list[DType]:
        """The element types of what carries the slot."""
        return [int64, *self.kind.dtypes()]

    def pack(self, trace: Trace, value: Any) -> list[Any]:
        """The SSA values that carry the Python value."""
        return [self._number(trace, value), *self.kind.pack(trace, value)]

    def _number(self, trace: Trace, value: Any) -> Any:
        for number, member in enumerate(self.members):
            if member is value:
                return trace.constant(int64, number)
        found = trace.constant(int64, len(self.members))
        storage = getattr(value, "storage", None)
        if isinstance(storage, OneOf):
            for number, member in enumerate(storage.members):
                here = trace.compare("eq", storage.number, trace.constant(int64, number))
                found = emit.select(trace, here, self._number(trace, member), found)
        return found

    def unpack(self, trace: Trace, carried: list[Any]) -> Any:
        """The Python value, from SSA values taken off the front of ``carried``."""
        number = carried.pop(0)
        ssa = carried[0]
        dims = self.kind.unpack(trace, carried).dims
        storage = OneOf(trace.scope, number, self.members, ssa, self.kind.dtype, dims)
        trace.scope.memo[storage, storage.state(trace)] = ssa
        made = SymbolicTensor(trace, storage, self.kind.dtype, dims)
        made.shared = True
        return made

    def placeholder(self, trace: Trace) -> list[Any]:
        """Values that stand where there is none."""
        return [trace.constant(int64, len(self.members)), *self.kind.placeholder(trace)]

    def assemble(self, take: Take, wrap: Wrap) -> Any:
        """The value for the caller."""
        take()
        return self.kind.assemble(take, wrap)

    def describe(self) -> str:
        """The slot in the words of an error message."""
        return self.kind.describe()

    def outside(self, scope: Scope) -> Slot:
        """The slot as it is seen from outside the region that made it."""
        kind = self.kind.outside(scope)
        assert isinstance(kind, Typed), "the type of a tensor stays one"
        return OneArray(kind, self.members)


@dataclass(frozen=True)
class Paths:
    """The paths that meet: the variables of the statement, and their values on each."""

    names: Sequence[str]
    values: Sequence[Sequence[Any]]


def matters(trace: Trace, array: SymbolicTensor) -> bool:
    """Whether an array that a name may stand for is seen by others than this name."""
    root = _root(array)
    paths = trace.paths
    if root.shared or paths is None:
        return bool(root.shared)
    if any(sum(_holds(value, root) for value in path) > 1 for path in paths.values):
        return True
    return any(
        _holds(value, root)
        for frame in trace.frames()
        for name, value in frame.f_locals.items()
        if name not in paths.names
    )


def _root(array: Any) -> Any:
    while (base := _base(array)) is not None:
        array = base
    return array


def _base(array: Any) -> Any:
    storage = array.storage
    while hasattr(storage, "inner"):
        storage = storage.inner
    return getattr(storage, "base", None)


def _holds(value: Any, root: SymbolicTensor) -> bool:
    if isinstance(value, (Undefined, PossiblyUndefined)):
        return False
    if structure.children(value) is None:
        return isinstance(value, SymbolicTensor) and (value is root or _root(value) is root)
    return any(_holds(item, root) for item in structure.children(value)[1])  # type: ignore[index]


def _arrays(slot: Slot) -> tuple[SymbolicTensor, ...]:
    """The arrays that a slot stands for by themselves."""
    if isinstance(slot, OneArray):
        return slot.members
    value = slot.value if type(slot) is Static else None
    if not isinstance(value, SymbolicTensor) or not value.dims:
        return ()
    return (value,) if is_writable(value.storage) else ()


def _kind(slot: Slot) -> Typed | None:
    if isinstance(slot, OneArray):
        return slot.kind
    if isinstance(slot, Typed):
        return slot
    (value,) = _arrays(slot) or (None,)
    if value is None:
        return None
    return Typed(value.dtype, broadcast.dims_of(value.recorder, value), value.weak)


def join(name: str, left: Slot, right: Slot, strict: bool) -> Slot | None:
    """The slot of a name that is one array on one path and another on the other."""
    arrays = [*_arrays(left), *_arrays(right)]
    one, other = _kind(left), _kind(right)
    if not arrays or one is None or other is None or not (one.dims and other.dims):
        return None
    trace = arrays[0].recorder
    if not trace.convention.arrays_are_mutable:
        return None
    known = [a for slot in (left, right) if isinstance(slot, OneArray) for a in slot.members]
    members = [a for a in arrays if any(a is each for each in known) or matters(trace, a)]
    members = list({id(each): each for each in members}.values())
    if not members:
        return None
    joined = slots.join_tensors(name, one, other, strict)
    assert isinstance(joined, Typed), "two tensors join to one"
    told_apart = all(each.dtype == joined.dtype for each in members)
    if any(isinstance(slot, Typed) and slot.shared for slot in (left, right)):
        told_apart = False  # a part of an array, which does not exist outside of the region
    if trace.tracks_arrays and told_apart:
        return OneArray(replace(joined, shared=False), tuple(members))
    for each in members:
        trace.watch(_root(each))
    return replace(joined, shared=True)


def slot_of(trace: Trace, value: SymbolicTensor, around: Scope | None) -> Slot | None:
    """The slot of one of several arrays that a region has made, or of a part of its own array."""
    storage, root = value.storage, _root(value)
    if around is None or around.encloses(storage.home):
        return None
    kind = slots.slot_of_tensor(trace, value)
    assert isinstance(kind, Typed), "an array has the type of one"
    kind = replace(kind, shared=False)
    if isinstance(storage, OneOf):
        return OneArray(kind, storage.members)
    own = root is not value and is_writable(root.storage) and not isinstance(root.storage, OneOf)
    return kind if own and not around.encloses(root.storage.home) else None


def watch_views(trace: Trace, values: Sequence[Any], around: Scope) -> None:
    """Watch the arrays of which a region leaves views that are of it alone."""
    for value in values:
        if isinstance(value, SymbolicTensor) and not around.encloses(value.storage.home):
            root = _root(value)
            if root is not value and around.encloses(root.storage.home):
                trace.watch(root)


def hoisted(trace: Trace, value: Any, around: Scope) -> Any:
    """The value with views that a branch has made as ones that are made before it."""
    found = None if isinstance(value, Undefined) else structure.children(value)
    if found is None:
        return _hoisted(trace, value, around)
    items = [hoisted(trace, item, around) for item in found[1]]
    same = all(new is old for new, old in zip(items, found[1], strict=True))
    return value if same else structure.rebuild(found[0], items)


def _hoisted(trace: Trace, value: Any, around: Scope) -> Any:
    if not isinstance(value, SymbolicTensor) or around.encloses(value.storage.home):
        return value
    storage = value.storage
    base = getattr(storage, "base", None)
    if not isinstance(base, SymbolicTensor):
        return value
    base = _hoisted(trace, base, around)
    if not around.encloses(base.storage.home) or not all(isinstance(d, int) for d in value.dims):
        return value
    if isinstance(storage, View):
        found = storage.selection
        fixed = all(isinstance(p, int) for axis in found.axes for p in (axis.offset, axis.size))
        if not fixed or found.valid is not None:
            return value
        made: Any = View(around, base, found)
    elif hasattr(storage, "parts"):
        if not all(isinstance(d, int) for d in base.dims):
            return value
        made = type(storage)(around, base, *storage.parts()[2:])
    else:
        return value
    view = SymbolicTensor(trace, made, value.dtype, value.dims)
    view.shared = True
    return view


slots.ARRAYS.append(join)
slots.ARRAY_SLOTS.append(slot_of)
