"""What a variable can be where control flow meets: the lattice of the state of branches and loops.

Each variable of a recorded statement has a *slot*: a Python value that stays one, a tensor type, a
name that only some paths bind, or a structure of those.  Slots join (two branches, a loop's entry
and its back edge), and say how a Python value becomes SSA values and back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agir.autograph.operators import PossiblyUndefined, Undefined
from agir.ir import broadcast, dispatch, emit, structure
from agir.ir.cells import Scope
from agir.ir.symbolic import Dim, Fixed, SymbolicTensor
from agir.ir.tensor import Tensor
from agir.ir.trace import Trace
from agir.ir.types import DType, TensorType, bool_, is_python_number, mlir_type, promote


class JoinError(Exception):
    """Two paths leave values that have no common type; the message says which and why."""


@dataclass(frozen=True)
class Static:
    """A Python value that is the same on every path; nothing is carried."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Static) and same_value(self.value, other.value)

    def types(self) -> list[Any]:
        """The MLIR types that carry the slot."""
        return []

    def pack(self, trace: Trace, value: Any) -> list[Any]:
        """The SSA values that carry the Python value."""
        return []

    def unpack(self, trace: Trace, carried: list[Any]) -> Any:
        """The Python value, from SSA values taken off the front of ``carried``."""
        return self.value


@dataclass(frozen=True)
class Typed:
    """A tensor; a dimension is an int, a ``Dim`` that every path shares, or None."""

    dtype: DType
    dims: tuple[Any, ...]
    weak: bool
    shared: bool = False
    """Whether it may be an array that others see too, so that writes have no one place to go."""

    def types(self) -> list[Any]:
        """The MLIR types that carry the slot."""
        return [mlir_type(self.dtype, self._shape)]

    @property
    def _shape(self) -> tuple[int | None, ...]:
        return tuple(d if isinstance(d, int) else None for d in self.dims)

    def pack(self, trace: Trace, value: Any) -> list[Any]:
        """The SSA values that carry the Python value."""
        if not self.dims or is_python_number(value):
            return [broadcast.operand(trace, value, self.dtype, ())]
        tensor = emit.lift(trace, value)
        ssa = emit.convert(trace, tensor.ssa, tensor.dtype, self.dtype, tensor.dims)
        target = mlir_type(self.dtype, self._shape)
        return [ssa if ssa.type == target else trace.op("tensor.cast", target, ssa)]

    def unpack(self, trace: Trace, carried: list[Any]) -> Any:
        """The Python value, from the front of ``carried``."""
        ssa = carried.pop(0)
        dims = tuple(
            Dim(source=ssa, axis=axis) if d is None else d for axis, d in enumerate(self.dims)
        )
        if self.shared and self.dims and trace.convention.arrays_are_mutable:
            return SymbolicTensor(trace, Fixed(trace.scope, ssa), self.dtype, dims, self.weak)
        return trace.make(ssa, self.dtype, dims, self.weak)

    def placeholder(self, trace: Trace) -> list[Any]:
        """Zeros for a path on which the name is unbound."""
        if not self.dims:
            return [trace.constant(self.dtype, 0)]
        extents = [trace.index(0) if d is None else d.value(trace) for d in self.dims
                   if not isinstance(d, int)]  # fmt: skip
        zero = trace.constant(self.dtype, 0)
        return [trace.op("tensor.splat", self.types()[0], zero, *extents)]


@dataclass(frozen=True)
class Maybe:
    """A name that only some paths bind: a flag, and the value where the flag is set."""

    name: str
    inner: Any

    def types(self) -> list[Any]:
        """The MLIR types that carry the slot."""
        return [bool_.mlir(), *self.inner.types()]

    def pack(self, trace: Trace, value: Any) -> list[Any]:
        """The SSA values that carry the Python value."""
        if isinstance(value, Undefined):
            return [trace.constant(bool_, False), *placeholder(trace, self.inner)]
        if isinstance(value, MaybeUnbound):
            return [value.bound.ssa, *self.inner.pack(trace, value.value)]
        return [trace.constant(bool_, True), *self.inner.pack(trace, value)]

    def unpack(self, trace: Trace, carried: list[Any]) -> Any:
        """The Python value, from the front of ``carried``."""
        bound = trace.make(carried.pop(0), bool_, ())
        return MaybeUnbound(trace, self.name, bound, self.inner.unpack(trace, carried))


@dataclass(frozen=True)
class Structure:
    """A tuple, list, dict, named tuple or dataclass of slots."""

    key: Any
    items: tuple[Any, ...]

    def types(self) -> list[Any]:
        """The MLIR types that carry the slot."""
        return [t for item in self.items for t in item.types()]

    def pack(self, trace: Trace, value: Any) -> list[Any]:
        """The SSA values that carry the Python value."""
        found = structure.children(value)
        assert found is not None, "a value joined into a structure is one"
        return [
            ssa
            for slot, item in zip(self.items, found[1], strict=True)
            for ssa in slot.pack(trace, item)
        ]

    def unpack(self, trace: Trace, carried: list[Any]) -> Any:
        """The Python value, from the front of ``carried``."""
        return structure.rebuild(self.key, [slot.unpack(trace, carried) for slot in self.items])


Slot = Static | Typed | Maybe | Structure


def placeholder(trace: Trace, slot: Slot) -> list[Any]:
    """Values that stand where a name is unbound and nothing reads it."""
    if isinstance(slot, Typed):
        return slot.placeholder(trace)
    if isinstance(slot, Maybe):
        return [trace.constant(bool_, False), *placeholder(trace, slot.inner)]
    if isinstance(slot, Structure):
        return [ssa for item in slot.items for ssa in placeholder(trace, item)]
    return []


class MaybeUnbound(PossiblyUndefined):
    """A name that the path taken at run time may have left unbound."""

    def __init__(self, trace: Trace, name: str, bound: SymbolicTensor, value: Any) -> None:
        self.trace = trace
        self.name = name
        self.bound = bound
        self.value = value

    def load(self) -> object:
        """The value, with a check that raises ``UnboundLocalError`` where there is none."""
        trace = self.trace
        with trace.at_user_line():
            trace.guard(self.bound.ssa, trace.site("unbound", self.name))
        return self.value


def same_value(left: Any, right: Any) -> bool:
    """True where two Python values are interchangeable: the same object, or equal constants."""
    if left is right:
        return True
    if type(left) is not type(right) or isinstance(left, (Tensor, np.ndarray)):
        return False
    if isinstance(left, Undefined):
        return bool(left.name == right.name)
    return (is_python_number(left) and repr(left) == repr(right)) or (
        isinstance(left, (str, bytes)) and bool(left == right)
    )


def frozen(value: Any) -> Any:
    """The value, with copies in the place of containers that may change later."""
    found = structure.children(value)
    if found is None:
        return value
    return structure.rebuild(found[0], [frozen(item) for item in found[1]])


def is_tensor_like(value: Any) -> bool:
    """True for what a traced function can hold in an SSA value."""
    return is_python_number(value) or isinstance(value, (Tensor, np.ndarray, np.generic))


def slot_of(trace: Trace, value: Any, around: Scope | None = None) -> Slot:
    """The slot of one value; numbers and arrays become tensor types.

    With ``around``, the scope around a loop, arrays that exist there stay themselves where arrays
    are mutable: what a loop assigns into without rebinding the name is the same array after it.
    """
    if isinstance(value, Undefined):
        return Static(value)
    if isinstance(value, MaybeUnbound):
        return Maybe(value.name, slot_of(trace, value.value, around))
    if around is not None and _is_array_of(trace, value, around):
        return Static(value)
    if is_tensor_like(value):
        return _typed(trace, value)
    found = structure.children(value)
    if found is None:
        return Static(value)
    return Structure(found[0], tuple(slot_of(trace, item, around) for item in found[1]))


def _is_array_of(trace: Trace, value: Any, scope: Scope) -> bool:
    return (
        trace.convention.arrays_are_mutable
        and isinstance(value, SymbolicTensor)
        and bool(value.dims)
        and scope.encloses(value.storage.home)
    )


def _typed(trace: Trace, value: Any) -> Slot:
    kind = dispatch.type_of(value)
    shared = isinstance(value, SymbolicTensor) and value.shared
    return Typed(kind.dtype, broadcast.dims_of(trace, value), kind.weak, shared)


def meet(trace: Trace, name: str, left: Any, right: Any) -> Slot:
    """The slot of a variable that two branches leave with these values."""
    if same_value(left, right):
        return Static(left)
    pair = structure.children(left), structure.children(right)
    if pair[0] and pair[1] and pair[0][0] == pair[1][0]:
        items = zip(pair[0][1], pair[1][1], strict=True)
        return Structure(pair[0][0], tuple(meet(trace, name, a, b) for a, b in items))
    return join(name, slot_of(trace, left), slot_of(trace, right), strict=True)


def join(name: str, left: Slot, right: Slot, strict: bool = False) -> Slot:
    """The least slot that holds both; with ``strict`` two tensors must agree in dtype."""
    if left == right:
        return left
    left, right = _as_type(left), _as_type(right)
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Static) and isinstance(one.value, Undefined):
            return other if isinstance(other, Maybe) else Maybe(one.value.name, other)
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Maybe):
            inner = other.inner if isinstance(other, Maybe) else other
            return Maybe(one.name, join(name, one.inner, inner, strict))
    if isinstance(left, Typed) and isinstance(right, Typed):
        return _join_tensors(name, left, right, strict)
    if isinstance(left, Structure) and isinstance(right, Structure) and left.key == right.key:
        items = zip(left.items, right.items, strict=True)
        return Structure(left.key, tuple(join(name, a, b, strict) for a, b in items))
    raise JoinError(
        f"{_called(name)} is {describe(left)} on one path and {describe(right)} on the other"
    )


def _as_type(slot: Slot) -> Slot:
    """An array that was to stay itself as just its type: the other path has another one."""
    if isinstance(slot, Static) and isinstance(slot.value, SymbolicTensor):
        array = slot.value
        return Typed(array.dtype, array.dims, array.weak, array.shared)
    return slot


def _called(name: str) -> str:
    """The variable in an error message; AutoGraph holds what a function returns in ``retval``."""
    return "the return value" if name.startswith("retval") else repr(name)


def _join_tensors(name: str, left: Typed, right: Typed, strict: bool) -> Slot:
    if len(left.dims) != len(right.dims):
        raise JoinError(
            f"{_called(name)} has {len(left.dims)} dimensions on one path "
            f"and {len(right.dims)} on the other"
        )
    if strict and left.dtype != right.dtype and not (left.weak or right.weak):
        raise JoinError(
            f"{_called(name)} has dtype {left.dtype} on one path and {right.dtype} on the other; "
            "convert one of them with agir.cast"
        )
    types = [TensorType(s.dtype, (), s.weak) for s in (left, right)]
    dtype, weak = promote(*types)
    dims = tuple(
        a if a is b or (isinstance(a, int) and a == b) else None
        for a, b in zip(left.dims, right.dims, strict=True)
    )
    return Typed(dtype, dims, weak, left.shared or right.shared)


def describe(slot: Slot) -> str:
    """The slot in the words of an error message."""
    if isinstance(slot, Typed):
        shape = [d if isinstance(d, int) else "?" for d in slot.dims]
        return f"a tensor of {slot.dtype}{shape}".replace("'", "")
    if isinstance(slot, Structure):
        return f"a {slot.key[0].__name__} of {len(slot.items)}"
    if isinstance(slot, Maybe):
        return f"{describe(slot.inner)}, or unbound"
    return f"the Python value {slot.value!r}"


def outside(slot: Slot, scope: Scope) -> Slot:
    """The slot as it is seen from outside the region that made it.

    Extents computed inside become unknown: their SSA values do not exist there.
    """
    if isinstance(slot, Typed):
        dims = tuple(
            d if isinstance(d, int) or d is None or d.is_visible_in(scope) else None
            for d in slot.dims
        )
        return Typed(slot.dtype, dims, slot.weak, slot.shared)
    if isinstance(slot, Maybe):
        return Maybe(slot.name, outside(slot.inner, scope))
    if isinstance(slot, Structure):
        return Structure(slot.key, tuple(outside(item, scope) for item in slot.items))
    return slot


def pack_all(trace: Trace, slots: Sequence[Slot], values: Sequence[Any]) -> list[Any]:
    """The SSA values of all variables."""
    return [
        ssa for slot, value in zip(slots, values, strict=True) for ssa in slot.pack(trace, value)
    ]


def unpack_all(trace: Trace, slots: Sequence[Slot], carried: Sequence[Any]) -> tuple[Any, ...]:
    """The variables from their SSA values."""
    rest = list(carried)
    return tuple(slot.unpack(trace, rest) for slot in slots)
