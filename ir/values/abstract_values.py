"""What a variable can be where control flow meets: the lattice of the state of branches and loops.

Each variable of a recorded statement has an *abstract value*: a Python value that stays one, a
tensor type, a name that only some paths bind, a value that may be None (``optional``), one of
several Python values (``choices``), a list of unknown length (``lists``), or a structure of those.
They join (two branches, a loop's entry and its back edge), and say how a Python value
becomes SSA values and back.
"""

from __future__ import annotations

import functools
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from agir.autograph.operators import PossiblyUndefined, Undefined
from agir.ir import hooks, recording
from agir.ir.building.cells import Scope
from agir.ir.building.types import (
    DType,
    TensorType,
    bool_,
    int64,
    is_python_number,
    mlir_type,
    promote,
)
from agir.ir.emission import broadcast, emit, exact_integers
from agir.ir.emission.python_numbers import fitted_int, is_run_time_int
from agir.ir.tensors import dispatch, structure
from agir.ir.tensors.staged import Staged
from agir.ir.tensors.symbolic import (
    Dim,
    Dims,
    Fixed,
    Owned,
    PartOfOne,
    SymbolicTensor,
    is_array,
    is_only_number,
)
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing.trace import Trace


class JoinError(Exception):
    """Two paths leave values that have no common type; the message says which and why."""


Take = Callable[[], Any]
"""Gives the next of a compiled function's results."""
Wrap = Callable[[Any, bool], Any]
"""Makes of an array what the caller is to get; of a scalar that is a number of Python's, if so."""


def as_it_is(value: Any, is_number: bool) -> Any:
    """What a compiled function gives, as NumPy has it; a number of Python's as Python has it."""
    return value.item() if is_number else value


GROWING_TEXT = (
    "text that grows with the iterations of a loop that the run time counts is not recorded; gather "
    "numbers in a list or an array, return them, and put the text together outside of the function"
)


def _or_placeholder(pack: Callable[..., list[Any]]) -> Any:
    """How a value is packed; for one that is only guessed there is nothing to carry."""

    @functools.wraps(pack)
    def packed(self: Any, trace: Trace, value: Any) -> list[Any]:
        if getattr(type(value), "is_guess", False):
            found: list[Any] = self.placeholder(trace)
            return found
        return pack(self, trace, value)

    return packed


class AbstractValue:
    """What a variable can be, and how it is carried.

    No ``ABC``: which abstract value one is is asked for each variable, which takes those longer.
    """

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "pack" in vars(cls):
            cls.pack = _or_placeholder(cls.pack)  # type: ignore[method-assign]

    @property
    def family(self) -> type[AbstractValue]:
        """The class of the abstract values with which it may become one alternative (``choices``)."""
        return type(self)

    @property
    def settling(self) -> str:
        """What to do where a loop leaves another abstract value in each iteration."""
        return "convert the variable to its final type before the loop"

    @abstractmethod
    def types(self) -> list[Any]:
        """The MLIR types that carry the abstract value."""

    @abstractmethod
    def dtypes(self) -> list[DType]:
        """The element types of what carries the abstract value."""

    @abstractmethod
    def pack(self, trace: Trace, value: Any) -> list[Any]:
        """The SSA values that carry the Python value."""

    @abstractmethod
    def unpack(self, trace: Trace, carried: list[Any]) -> Any:
        """The Python value, from SSA values taken off the front of ``carried``."""

    @abstractmethod
    def placeholder(self, trace: Trace) -> list[Any]:
        """Values that stand where there is none, and nothing reads them."""

    @abstractmethod
    def assemble(self, take: Take, wrap: Wrap) -> Any:
        """The value for the caller, from the results of the compiled function."""

    def skip(self, take: Take) -> None:
        """Take what carries it from the results, and make nothing of it: it stands for no value."""
        for _ in self.dtypes():
            take()

    def assemble_all(self, parts: Sequence[Any], places: range, wrap: Wrap) -> list[Any]:
        """The values for the caller of the items at these places of a list, from its columns."""
        return [
            self.assemble(iter([part[place] for part in parts]).__next__, wrap) for place in places
        ]

    def texts(self, parts: Sequence[Any], places: range, wrap: Wrap) -> list[str]:
        """The same of items that are lists of code points, as the texts that these are."""
        return ["".join(map(chr, each)) for each in self.assemble_all(parts, places, wrap)]

    @abstractmethod
    def describe(self) -> str:
        """The abstract value in the words of an error message."""

    def outside(self, scope: Scope) -> AbstractValue:
        """The abstract value as it is seen from outside the region that made it."""
        return self

    @property
    def has_fixed_size(self) -> bool:
        """Whether it can be an item of lists that lie side by side: numbers, and what is of them."""
        return False

    def as_array(self, items: Any) -> Any:
        """What items of this type are as an array; None where that is the array of a column."""
        return None

    def by_value(self) -> AbstractValue:
        """The abstract value of the elements, where it is one of an array that is known by itself."""
        return self

    def join(self, name: str, other: AbstractValue, strict: bool) -> AbstractValue | None:
        """The least abstract value that holds this one and the other.

        Or None if it is not this kind's.
        """
        return None


class Empty(AbstractValue):
    """An abstract value that carries nothing: what it stands for is known while tracing."""

    def types(self) -> list[Any]:
        """The MLIR types that carry the abstract value."""
        return []

    def dtypes(self) -> list[DType]:
        """The element types of what carries the abstract value."""
        return []

    def pack(self, trace: Trace, value: Any) -> list[Any]:
        """The SSA values that carry the Python value."""
        return []

    def placeholder(self, trace: Trace) -> list[Any]:
        """Values that stand where there is none."""
        return []


@dataclass(frozen=True)
class Static(Empty):
    """A Python value that is the same on every path."""

    value: Any
    has_fixed_size = True

    @property
    def settling(self) -> str:
        """What to do where a loop leaves another one in each iteration."""
        return GROWING_TEXT if isinstance(self.value, str) else super().settling

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Static) and same_value(self.value, other.value)

    __hash__ = None  # type: ignore[assignment]

    def unpack(self, trace: Trace, carried: list[Any]) -> Any:
        """The Python value, from SSA values taken off the front of ``carried``."""
        return self.value

    def assemble(self, take: Take, wrap: Wrap) -> Any:
        """The value for the caller."""
        return self.value

    def describe(self) -> str:
        """The abstract value in the words of an error message."""
        kind = getattr(type(self.value), "stands_for", None)  # of which the text is not known
        return f"the Python value {self.value!r}" if kind is None else f"a {kind.__name__}"

    def by_value(self) -> AbstractValue:
        """The abstract value of the elements, where it is one of an array that is known by itself."""
        array = self.value
        if type(self) is not Static or not isinstance(array, SymbolicTensor):
            return self
        return Typed(array.dtype, array.dims, array.weak, array.shared, _without_dims(array))

    def join(self, name: str, other: AbstractValue, strict: bool) -> AbstractValue | None:
        """The least abstract value that holds this one and the other.

        Or None if it is not this kind's.
        """
        if isinstance(self.value, Undefined) and not isinstance(other, Maybe):
            return Maybe(self.value.name, other)
        return None


@dataclass(frozen=True)
class Typed(AbstractValue):
    """A tensor; a dimension is an int, a ``Dim`` that every path shares, or None."""

    dtype: DType
    dims: tuple[Any, ...]
    weak: bool
    shared: bool = False
    """Whether it may be an array that others see too, so that writes have no one place to go."""
    array: bool = False
    """Whether one without dimensions is an array, too, and no number."""
    alike: tuple[Any, ...] = ()
    """For each dimension that is None its mark, where it has one (``alike``)."""

    @property
    def has_fixed_size(self) -> bool:
        """Whether it can be an item of lists that lie side by side."""
        return not self.dims

    @property
    def is_number(self) -> bool:
        """Whether it is a number of Python's."""
        return self.weak and not self.dims and not self.array

    def types(self) -> list[Any]:
        """The MLIR types that carry the abstract value."""
        return [mlir_type(self.dtype, self._shape)]

    def dtypes(self) -> list[DType]:
        """The element types of what carries the abstract value."""
        return [self.dtype]

    @property
    def _shape(self) -> tuple[int | None, ...]:
        return tuple(d if isinstance(d, int) else None for d in self.dims)

    def pack(self, trace: Trace, value: Any) -> list[Any]:
        """The SSA values that carry the Python value."""
        if not self.weak and is_run_time_int(value) and self.dtype.is_integer:
            value = fitted_int(value, self.dtype)
        if self.weak and self.dtype == int64 and type(value) is int:
            value = exact_integers.fitting(trace, value)
        if not self.dims or is_python_number(value):
            return [broadcast.operand(trace, value, self.dtype, ())]
        tensor = emit.lift(trace, value)
        ssa = emit.convert(trace, tensor.ssa, tensor.dtype, self.dtype, tensor.dims)
        target = mlir_type(self.dtype, self._shape)
        return [ssa if ssa.type == target else trace.op("tensor.cast", target, ssa)]

    def unpack(self, trace: Trace, carried: list[Any]) -> Any:
        """The Python value, from SSA values taken off the front of ``carried``."""
        ssa = carried.pop(0)
        dims = self.with_sizes(trace, lambda axis: Dim(source=ssa, axis=axis))
        if (self.dims or self.array) and trace.convention.arrays_are_mutable:
            if self.shared:
                kind = Fixed if self.dims else PartOfOne
                made = SymbolicTensor(trace, kind(trace.scope, ssa), self.dtype, dims, self.weak)
                made.shared = True
                return made
            if self.array:
                return SymbolicTensor(trace, Owned(trace.scope, ssa), self.dtype, dims, self.weak)
        return trace.make(ssa, self.dtype, dims, self.weak)

    def with_sizes(self, trace: Trace, size: Callable[[int], Dim]) -> Dims:
        """The dimensions with what is carried for unknown sizes; one for all that share a mark."""
        alike = self.alike or (None,) * len(self.dims)
        return tuple(
            known
            if known is not None
            else size(axis)
            if mark is None
            else trace.scope.memo.setdefault(("alike", mark), size(axis))
            for axis, (known, mark) in enumerate(zip(self.dims, alike, strict=True))
        )

    def placeholder(self, trace: Trace) -> list[Any]:
        """Values that stand where there is none."""
        if not self.dims:
            return [trace.constant(self.dtype, 0)]
        sizes = [
            trace.index(0) if d is None else d.value(trace)
            for d in self.dims
            if not isinstance(d, int)
        ]
        zero = trace.constant(self.dtype, 0)
        return [trace.op("tensor.splat", self.types()[0], zero, *sizes)]

    def assemble(self, take: Take, wrap: Wrap) -> Any:
        """The value for the caller."""
        made = wrap(take(), self.weak and not self.dims)
        return np.array(made) if self.array else made

    def assemble_all(self, parts: Sequence[Any], places: range, wrap: Wrap) -> list[Any]:
        """The values for the caller of the items at these places of a list, from its columns."""
        if self.weak and not self.dims and places:
            found = parts[0][places.start : places.stop].tolist()
            if type(wrap(parts[0][places.start], True)) is type(found[0]):  # numbers of Python's
                return list(found)
        return super().assemble_all(parts, places, wrap)

    def describe(self) -> str:
        """The abstract value in the words of an error message."""
        shape = [d if isinstance(d, int) else "?" for d in self.dims]
        return f"a tensor of {self.dtype}{shape}".replace("'", "")

    def outside(self, scope: Scope) -> AbstractValue:
        """The abstract value as it is seen from outside the region that made it."""
        # A size computed inside becomes unknown: its SSA value does not exist there.
        dims = tuple(
            d if isinstance(d, int) or d is None or d.is_visible_in(scope) else None
            for d in self.dims
        )
        return self if dims == self.dims and not self.alike else replace(self, dims=dims, alike=())

    def join(self, name: str, other: AbstractValue, strict: bool) -> AbstractValue | None:
        """The least abstract value that holds this one and the other.

        Or None if it is not this kind's.
        """
        return join_tensors(name, self, other, strict) if isinstance(other, Typed) else None


class Flagged(AbstractValue):
    """A flag, and the value where the flag is set."""

    inner: AbstractValue
    absent: Any = None
    """What the caller gets where it is not."""

    @property
    def has_fixed_size(self) -> bool:
        """Whether it can be an item of lists that lie side by side."""
        return self.inner.has_fixed_size

    def types(self) -> list[Any]:
        """The MLIR types that carry the abstract value."""
        return [bool_.mlir(), *self.inner.types()]

    def dtypes(self) -> list[DType]:
        """The element types of what carries the abstract value."""
        return [bool_, *self.inner.dtypes()]

    def placeholder(self, trace: Trace) -> list[Any]:
        """Values that stand where there is none."""
        return [trace.constant(bool_, False), *self.inner.placeholder(trace)]

    def assemble(self, take: Take, wrap: Wrap) -> Any:
        """The value for the caller."""
        if take():
            return self.inner.assemble(take, wrap)
        self.inner.skip(take)
        return self.absent


@dataclass(frozen=True)
class Maybe(Flagged):
    """A name that only some paths bind."""

    name: str
    inner: AbstractValue

    absent = structure.MISSING

    def pack(self, trace: Trace, value: Any) -> list[Any]:
        """The SSA values that carry the Python value."""
        if isinstance(value, Undefined):
            return [trace.constant(bool_, False), *self.inner.placeholder(trace)]
        split = SPLITS.get(type(value))
        parts = None if split is None else split(value)
        if parts is not None:
            return [parts[0].ssa, *self.inner.pack(trace, parts[1])]
        return [trace.constant(bool_, True), *self.inner.pack(trace, value)]

    def unpack(self, trace: Trace, carried: list[Any]) -> Any:
        """The Python value, from SSA values taken off the front of ``carried``."""
        bound = trace.make(carried.pop(0), bool_, ())
        return MaybeUnbound(trace, self.name, bound, self.inner.unpack(trace, carried))

    def describe(self) -> str:
        """The abstract value in the words of an error message."""
        return f"{self.inner.describe()}, or unbound"

    def outside(self, scope: Scope) -> AbstractValue:
        """The abstract value as it is seen from outside the region that made it."""
        return Maybe(self.name, self.inner.outside(scope))

    def join(self, name: str, other: AbstractValue, strict: bool) -> AbstractValue | None:
        """The least abstract value that holds this one and the other.

        Or None if it is not this kind's.
        """
        if isinstance(other, Static) and isinstance(other.value, Undefined):
            return self
        inner = other.inner if isinstance(other, Maybe) else other
        return Maybe(self.name, join(name, self.inner, inner, strict))


@dataclass(frozen=True)
class Structure(AbstractValue):
    """A tuple, list, dict, named tuple, dataclass or object of abstract values."""

    key: Any
    items: tuple[AbstractValue, ...]

    @property
    def has_fixed_size(self) -> bool:
        """Whether it can be an item of lists that lie side by side."""
        return self.key[0] is not list and all(item.has_fixed_size for item in self.items)

    def types(self) -> list[Any]:
        """The MLIR types that carry the abstract value."""
        return [t for item in self.items for t in item.types()]

    def dtypes(self) -> list[DType]:
        """The element types of what carries the abstract value."""
        return [d for item in self.items for d in item.dtypes()]

    def pack(self, trace: Trace, value: Any) -> list[Any]:
        """The SSA values that carry the Python value."""
        found = structure.parts(structure.as_kind(self.key[0], value))
        assert found is not None, "a value joined into a structure is one"
        return [
            ssa
            for abstract, item in zip(self.items, found[1], strict=True)
            for ssa in abstract.pack(trace, item)
        ]

    def unpack(self, trace: Trace, carried: list[Any]) -> Any:
        """The Python value, from SSA values taken off the front of ``carried``."""
        items = [abstract.unpack(trace, carried) for abstract in self.items]
        for at, item in enumerate(items):
            if isinstance(item, MaybeUnbound):  # an entry or attribute that some paths make
                items[at] = hooks.values.perhaps_in(self.key, at, item)
        return trace.made(structure.rebuild(self.key, items))

    def placeholder(self, trace: Trace) -> list[Any]:
        """Values that stand where there is none."""
        return [ssa for item in self.items for ssa in item.placeholder(trace)]

    def assemble(self, take: Take, wrap: Wrap) -> Any:
        """The value for the caller."""
        return structure.finished(
            self.key, [abstract.assemble(take, wrap) for abstract in self.items]
        )

    def assemble_all(self, parts: Sequence[Any], places: range, wrap: Wrap) -> list[Any]:
        """The values for the caller of the items at these places of a list, from its columns."""
        if not self.items:
            return super().assemble_all(parts, places, wrap)
        if getattr(self.key[0], "is_of_codes", False):
            return self.items[0].texts(parts, places, wrap)
        columns, start = [], 0
        for abstract in self.items:
            end = start + len(abstract.dtypes())
            columns.append(abstract.assemble_all(parts[start:end], places, wrap))
            start = end
        rows = zip(*columns, strict=True)
        if self.key[0] is tuple:
            return list(rows)
        if (plain_of := getattr(self.key[0], "plain_of", None)) is not None:
            return list(map(plain_of, *columns))
        return [structure.finished(self.key, list(row)) for row in rows]

    def describe(self) -> str:
        """The abstract value in the words of an error message."""
        made = self.key[0]
        if getattr(made, "is_users", False):  # what stands for an object of Python's
            named = dict(zip(self.key[1], self.items, strict=True)).get("stands_for")
            kind = named.value if isinstance(named, Static) else made.stands_for
            return f"a {kind.__name__}"
        return f"a {made.__name__} of {len(self.items)}"

    def outside(self, scope: Scope) -> AbstractValue:
        """The abstract value as it is seen from outside the region that made it."""
        return self.of(item.outside(scope) for item in self.items)

    def of(self, items: Iterable[AbstractValue]) -> Structure:
        """The same of other items."""
        return type(self)(self.key, tuple(items))

    def join(self, name: str, other: AbstractValue, strict: bool) -> AbstractValue | None:
        """The least abstract value that holds this one and the other.

        Or None if it is not this kind's.
        """
        if not isinstance(other, Structure) or self.key != other.key:
            return None
        items = zip(self.items, other.items, strict=True)
        return self.of(join(name, a, b, strict) for a, b in items)


KINDS: dict[type, Callable[[Trace, Any, Scope | None], AbstractValue]] = {}
"""The abstract values of values of further classes."""
JoinRule = Callable[[str, "AbstractValue", "AbstractValue", bool], "AbstractValue | None"]


def _no_rule(
    name: str, left: AbstractValue, right: AbstractValue, strict: bool
) -> AbstractValue | None:
    return None


# The rules are asked in this order, whichever module is imported first and sets its own.
FIRST: dict[str, JoinRule] = dict.fromkeys(
    ("codes of text", "array or None", "guess", "numbers of two classes", "one of several arrays"),
    _no_rule,
)
"""Rules that come before the others: for arrays that go by other names, too, and for numbers."""
JOINS: dict[str, JoinRule] = dict.fromkeys(("lists of two lengths", "None", "choice"), _no_rule)
"""Further rules for two abstract values, tried in order where the abstract values' own have none."""
ARRAY_SLOTS: list[Callable[[Trace, SymbolicTensor, Scope | None], AbstractValue | None]] = []
"""The abstract values of such arrays."""


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


SPLITS: dict[type, Callable[[Any], tuple[Any, Any] | None]] = {
    MaybeUnbound: lambda value: (value.bound, value.value)
}
"""The flag and the value of what may be unbound."""


def same_value(left: Any, right: Any) -> bool:
    """True where two Python values are interchangeable: the same object, or equal constants."""
    if left is right:
        return True
    if type(left) is not type(right) or isinstance(left, (Tensor, np.ndarray)):
        return False
    if isinstance(left, Undefined):
        return bool(left.name == right.name)
    return (is_python_number(left) and repr(left) == repr(right)) or (
        isinstance(left, (str, bytes, frozenset)) and bool(left == right)
    )


def frozen(value: Any) -> Any:
    """The value, with copies in the place of containers that may change later."""
    if isinstance(value, Staged):
        return value.frozen()
    found = None if is_only_number(value) else structure.children(value)
    if found is None:
        return value
    made = structure.rebuild(found[0], [frozen(item) for item in found[1]])
    if isinstance(value, dict):
        hooks.tables.note_copy(value, made)
    return made


def unchanged(before: Any, after: Any) -> bool:
    """True where two contents of a place are the same, containers compared item by item."""
    if same_value(before, after):
        return True
    one, other = structure.children(before), structure.children(after)
    if one is None or other is None or one[0] != other[0]:
        return False
    return all(map(unchanged, one[1], other[1]))


def is_tensor_like(value: Any) -> bool:
    """True for what a traced function can hold in an SSA value."""
    return is_python_number(value) or isinstance(value, (Tensor, np.ndarray, np.generic))


def abstract_of(trace: Trace, value: Any, around: Scope | None = None) -> AbstractValue:
    """The abstract value of one value; numbers and arrays become tensor types.

    With ``around``, the scope around a loop, arrays that exist there stay themselves where arrays
    are mutable: what a loop assigns into without rebinding the name is the same array after it.
    """
    if is_only_number(value) and type(value) is SymbolicTensor:
        return _of_number(value.dtype, value.weak, value.shared)
    if isinstance(value, Undefined):
        return Static(value)
    if isinstance(value, MaybeUnbound):
        return Maybe(value.name, abstract_of(trace, value.value, around))
    for kind in type(value).__mro__:
        if kind in KINDS:
            return KINDS[kind](trace, value, around)
    if around is not None and _is_array_of(trace, value, around):
        return Static(value)
    for of_array in ARRAY_SLOTS if isinstance(value, SymbolicTensor) else ():
        if (abstract := of_array(trace, value, around)) is not None:
            return abstract
    if is_tensor_like(value):
        return abstract_of_tensor(trace, value)
    found = structure.parts(value) if structure.children(value) or _is_new(trace, value) else None
    if found is None:
        return Static(value)
    return Structure(found[0], tuple(abstract_of(trace, item, around) for item in found[1]))


@functools.cache
def _of_number(dtype: DType, weak: bool, shared: bool) -> Typed:
    return Typed(dtype, (), weak, shared)


def returned(trace: Trace, value: Any) -> AbstractValue:
    """The abstract value of what the function returns, as its caller sees it."""
    caller = Scope(None)  # where nothing of the trace exists
    return abstract_of(trace, value, caller).outside(caller)


def parts(value: Any) -> tuple[Any, list[Any]] | None:
    """What a value consists of: the items of a container, the attributes of a user's object."""
    return structure.children(value) or structure.attributes(value)


def _is_new(trace: Trace, value: Any) -> bool:
    """Whether an object has been made in a branch or loop, in code that is converted or not."""
    if trace.journal.is_fresh(value):
        return True
    if trace.journal.is_known(value):
        return False
    found = structure.attributes(value)
    return (
        found is not None
        and any(
            isinstance(v, SymbolicTensor) and v.storage.home is not trace.root for v in found[1]
        )
        and not trace.journal.is_written(value)
    )


def _is_array_of(trace: Trace, value: Any, scope: Scope) -> bool:
    return (
        trace.convention.arrays_are_mutable
        and is_array(value)
        and scope.encloses(value.storage.home)
    )


def abstract_of_tensor(trace: Trace, value: Any) -> AbstractValue:
    """The abstract value of a tensor, an array or a number."""
    if type(value) is np.ndarray and value.ndim and trace.convention.arrays_are_mutable:
        trace.known_arrays.written()  # perhaps: by a name that may be another array's
    kind = dispatch.type_of(value)
    shared = isinstance(value, SymbolicTensor) and value.shared
    dims = broadcast.dims_of(trace, value)
    return Typed(kind.dtype, dims, kind.weak, shared, _without_dims(value))


def _without_dims(value: Any) -> bool:
    return is_array(value) and not value.dims and value.recorder.convention.arrays_are_mutable


_ENDS = (nullcontext, nullcontext)


def meet(
    trace: Trace, name: str, left: Any, right: Any, ends: Sequence[Callable[[], Any]] = _ENDS
) -> AbstractValue:
    """The abstract value of a variable that two branches leave with these values.

    While a context of `ends` lasts, what the branch has written to is as it leaves it.
    """
    if same_value(left, right):
        return Static(left)
    if not is_only_number(left):
        pair = structure.children(left), structure.children(right)
        if pair[0] and pair[1] and pair[0][0] == pair[1][0]:
            items = zip(pair[0][1], pair[1][1], strict=True)
            return Structure(pair[0][0], tuple(meet(trace, name, a, b, ends) for a, b in items))
    around = trace.scope if trace.convention.arrays_are_mutable else None
    found = []
    for value, at_end in zip((left, right), ends, strict=True):
        with at_end():
            found.append(abstract_of(trace, value, around))
    return join(name, found[0], found[1], strict=True)


def join(
    name: str, left: AbstractValue, right: AbstractValue, strict: bool = False
) -> AbstractValue:
    """The least abstract value that holds both; with ``strict`` two tensors must agree in dtype."""
    if left is right or left == right:
        return left
    for rule in FIRST.values():
        if (found := rule(name, left, right, strict)) is not None:
            return found
    if (found := _joined(name, left, right, strict)) is not None:
        return found
    left, right = (
        abstract.by_value() if type(abstract) is Static else abstract for abstract in (left, right)
    )
    if (found := _joined(name, left, right, strict)) is not None:
        return found
    for rule in JOINS.values():
        if (found := rule(name, left, right, strict)) is not None:
            return found
    raise JoinError(
        f"{called(name)} is {left.describe()} on one path and {right.describe()} on the other"
    )


def _joined(
    name: str, left: AbstractValue, right: AbstractValue, strict: bool
) -> AbstractValue | None:
    """The least abstract value that holds both, where one of them is a kind that holds the other."""
    pairs = ((left, right), (right, left))
    for one, other in pairs:
        if isinstance(one, Maybe) and (found := one.join(name, other, strict)) is not None:
            return found
    for one, other in pairs:
        if (found := one.join(name, other, strict)) is not None:
            return found
    return None


def called(name: str) -> str:
    """The variable in an error message; AutoGraph holds what a function returns in ``retval``."""
    return "the return value" if name.startswith("retval") else repr(name)


def join_tensors(name: str, left: Typed, right: Typed, strict: bool) -> AbstractValue:
    """The type that holds two; raises `JoinError`."""
    if len(left.dims) != len(right.dims):
        raise JoinError(
            f"{called(name)} is {left.describe()} on one path and {right.describe()} on the other, "
            "of another number of dimensions"
        )
    trace = recording.current()
    unify = not left.dims and trace is not None and trace.convention.numbers_are_strong
    if strict and left.dtype != right.dtype and not (left.weak or right.weak or unify):
        raise JoinError(
            f"{called(name)} has dtype {left.dtype} on one path and {right.dtype} on the other; "
            "convert one of them with agir.cast"
        )
    are_weak = left.weak and right.weak
    types = [TensorType(s.dtype, (), are_weak if unify else s.weak) for s in (left, right)]
    dtype, weak = promote(*types)
    dims = tuple(
        a if a is b or (isinstance(a, int) and a == b) else None
        for a, b in zip(left.dims, right.dims, strict=True)
    )
    # One that is a number on some path is one, unless what is written into it is seen elsewhere.
    shared = left.shared or right.shared
    array = left.array or right.array if shared else left.array and right.array
    return Typed(dtype, dims, weak, shared, array)


def pack_all(
    trace: Trace, abstract_values: Sequence[AbstractValue], values: Sequence[Any]
) -> list[Any]:
    """The SSA values of all variables."""
    return [
        ssa
        for abstract, value in zip(abstract_values, values, strict=True)
        for ssa in abstract.pack(trace, value)
    ]


def unpack_all(
    trace: Trace, abstract_values: Sequence[AbstractValue], carried: Sequence[Any]
) -> tuple[Any, ...]:
    """The variables from their SSA values."""
    rest = list(carried)
    return tuple(abstract.unpack(trace, rest) for abstract in abstract_values)


_NESTED = 3
"""How deep objects of one class are in one another where no more of them are to be expected."""


def nests_without_end(abstract: AbstractValue | None, around: tuple[Any, ...] = ()) -> type | None:
    """The class of an object that is in one of its class that is in another one, and so on.

    It is of a list or tree that grows: its type would become longer each time that it is recorded,
    twice as long for a tree.
    """
    if abstract is None or type(abstract) is Static:
        return None
    parts = (*getattr(abstract, "alternatives", ()), getattr(abstract, "inner", None))
    if isinstance(abstract, Structure):
        parts, kind = abstract.items, abstract.key[0]
        if structure.is_of_a_program(kind):
            around = (*around, kind)
            if around.count(kind) > _NESTED:
                return kind  # type: ignore[no-any-return]
    found = (nests_without_end(each, around) for each in parts)
    return next((each for each in found if each is not None), None)
