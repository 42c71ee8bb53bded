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

import gc
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from types import CellType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from agir.autograph.operators import PossiblyUndefined, Undefined, content_of
from agir.errors import StagingError
from agir.ir.building.cells import Scope
from agir.ir.building.program import Block, Operation, Value
from agir.ir.building.types import DType, int64
from agir.ir.emission.views import View
from agir.ir.tensors import structure
from agir.ir.tensors.symbolic import (
    Dim,
    Owned,
    SymbolicTensor,
    is_only_number,
    is_writable,
    own_elements,
)
from agir.ir.tracing.trace import Trace
from agir.ir.values import abstract_values
from agir.ir.values.abstract_values import AbstractValue, Static, Take, Typed, Wrap
from agir.ir.values.arrays import parts
from agir.ir.values.arrays.axis_numbers import as_carried, as_number
from agir.ir.values.arrays.one_of import OneOf, base_of, root_of, storage_of
from agir.ir.values.arrays.parts import Member, Part, as_part, chosen, places

_NUMBERS = (str, bytes, int, float, complex, np.ndarray, type(None))
_LEAVES = (*_NUMBERS, Undefined, ModuleType, type, DType, Trace, Scope, Block, Operation, Value)


@dataclass(frozen=True)
class OneArray(AbstractValue):
    """One of several arrays, or another one: its number, those of the parts, and the elements.

    Where it is always one of those that are known, only sizes are carried that are not known.
    """

    kind: Typed
    members: tuple[Member, ...]
    always: bool
    in_list: bool = False
    """Whether it waits in a list: the arrays may have other elements by now than were carried."""

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, OneArray)
            and (self.kind, self.always, self.in_list) == (other.kind, other.always, other.in_list)
            and len(self.members) == len(other.members)
            and all(map(_is_same, self.members, other.members))
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def _parts(self) -> list[Part]:
        return [each for each in self.members if isinstance(each, Part)]

    @property
    def _sizes(self) -> list[int]:
        """The axes of which sizes are carried."""
        return [axis for axis, d in enumerate(self.kind.dims) if d is None] if self.always else []

    @property
    def _carried(self) -> list[Typed]:
        return [] if self.always else [self.kind]

    def types(self) -> list[Any]:
        """The MLIR types that carry the abstract value."""
        numbers = [t for part in self._parts for t in part.types()]
        sizes = [int64.mlir()] * len(self._sizes)
        return [
            int64.mlir(),
            *numbers,
            *sizes,
            *(t for kind in self._carried for t in kind.types()),
        ]

    def dtypes(self) -> list[DType]:
        """The element types of what carries the abstract value."""
        numbers = [d for part in self._parts for d in part.dtypes()]
        sizes = [int64] * len(self._sizes)
        return [int64, *numbers, *sizes, *(kind.dtype for kind in self._carried)]

    def pack(self, trace: Trace, value: Any) -> list[Any]:
        """The SSA values that carry the Python value."""
        number = trace.constant(int64, len(self.members))
        numbers = [_numbers_of_none(trace, each) for each in self.members]
        for condition, at, given in self._found(trace, value):
            number = chosen(trace, condition, trace.constant(int64, at), number)
            pairs = zip(given, numbers[at], strict=True)
            numbers[at] = [chosen(trace, condition, new, old) for new, old in pairs]
        sizes = [as_carried(trace, value.dims[axis]) for axis in self._sizes]
        elements = abstract_values.pack_all(trace, self._carried, [value] * len(self._carried))
        return [number, *(n for part in numbers for n in part), *sizes, *elements]

    def _found(self, trace: Trace, value: Any) -> list[tuple[Any, int, list[Any]]]:
        """Which of the arrays the value is, each under a condition, with the numbers of a part."""
        found = []
        for condition, place in places(trace, value, self._is_known):
            assert place is not None, "what was joined into a part is one"
            at, numbers = self._placed(trace, place)
            found.append((condition, at, numbers))
        return found

    def copied(self, value: SymbolicTensor) -> SymbolicTensor | None:
        """The array whose elements are carried, as it may be none of those that are known."""
        found, storage = places(None, value, self._is_known), storage_of(value)
        if not isinstance(storage, OneOf):
            return None if found else value
        if len(found) == len(storage.arrays):
            return None
        return storage.spare if len(found) == len(storage.members) else value

    def _is_known(self, array: SymbolicTensor) -> bool:
        return any(array is (m.base if isinstance(m, Part) else m) for m in self.members)

    def _placed(self, trace: Trace, place: Member) -> tuple[int, list[Any]]:
        for at, member in enumerate(self.members):
            if member is place:
                return at, []
        part = as_part(trace, place)
        for at, member in enumerate(self.members):
            if isinstance(member, Part) and member.holds(part):
                return at, member.packed(trace, part)
        raise StagingError(
            trace.explain(
                "a name that is one of several arrays, or parts of them, depending on run-time values "
                "gets a part that is none of these: copy it"
            )
        )

    def unpack(self, trace: Trace, carried: list[Any]) -> Any:
        """The Python value, from SSA values taken off the front of ``carried``."""
        number = carried.pop(0)
        members = tuple(
            each.unpack(trace, carried) if isinstance(each, Part) else each for each in self.members
        )
        dtype, own = self.kind.dtype, None
        elements = None if self.always else carried[0]
        if self.always:
            sizes = {axis: carried.pop(0) for axis in self._sizes}
            dims = self.kind.with_sizes(
                trace, lambda axis: Dim(value=as_number(trace, sizes[axis]))
            )
        else:
            dims = self.kind.unpack(trace, carried).dims
            own = SymbolicTensor(trace, Owned(trace.scope, elements), dtype, dims)
        storage = OneOf(trace.scope, number, members, own, dtype, dims)
        if elements is not None and not self.in_list:
            trace.scope.memo[storage, storage.state(trace)] = elements
        made = SymbolicTensor(trace, storage, dtype, dims)
        made.shared = True
        return made

    def placeholder(self, trace: Trace) -> list[Any]:
        """Values that stand where there is none."""
        number = trace.constant(int64, len(self.members))
        numbers = [n for each in self.members for n in _numbers_of_none(trace, each)]
        sizes = [trace.constant(int64, 0) for _ in self._sizes]
        return [number, *numbers, *sizes, *(n for k in self._carried for n in k.placeholder(trace))]

    def assemble(self, take: Take, wrap: Wrap) -> Any:
        """The value for the caller."""
        raise AssertionError("one of several arrays is one of its own before it is returned")

    def describe(self) -> str:
        """The abstract value in the words of an error message."""
        return self.kind.describe()

    def by_value(self) -> AbstractValue:
        """The abstract value of the elements."""
        return self.kind

    def outside(self, scope: Scope) -> AbstractValue:
        """The abstract value as it is seen from outside the region that made it."""
        kind = self.kind.outside(scope)
        assert isinstance(kind, Typed), "the type of a tensor stays one"
        members = tuple(m.outside(scope) if isinstance(m, Part) else m for m in self.members)
        return OneArray(kind, members, self.always, self.in_list)


def _is_same(left: Member, right: Member) -> bool:
    return left is right or (isinstance(left, Part) and isinstance(right, Part) and left == right)


def _numbers_of_none(trace: Trace, member: Member) -> list[Any]:
    return member.placeholder(trace) if isinstance(member, Part) else []


class Paths:
    """The paths that meet: the variables of the statement, and their values on each.

    What the variables around may be is found out once while the names of the statement are joined.
    """

    def __init__(
        self,
        names: Sequence[str],
        values: Sequence[Sequence[Any]],
        cells: Collection[CellType] = (),
    ) -> None:
        """``cells``: those of the variables by which functions inside of theirs see them."""
        self._names = names
        self._values = values
        self._cells = cells
        self._are_meeting = False
        self._seen: set[int] | None = None

    def several_see(self, storage: Any) -> bool:
        """Whether more than one variable of the statement has the array, on one of the paths."""
        return any(count[id(storage)] > 1 for count in self._counts)

    def others_see(self, trace: Trace, storage: Any) -> bool:
        """Whether one gets at an array by another variable."""
        return id(storage) in self._around(trace)

    @cached_property
    def _counts(self) -> list[Counter[int]]:
        """For each path, how many of the variables have an array."""
        return [Counter(each for v in path for each in _storages(v)) for path in self._values]

    def _around(self, trace: Trace) -> set[int]:
        if self._seen is not None:
            return self._seen
        found = {
            each
            for number, frames in enumerate(trace.functions_around())
            for frame in frames
            for name, value in frame.f_locals.items()
            if number > 0 or name not in self._names  # those of other functions are others
            for each in _storages(value, self._cells)
        }
        self._seen = found if self._are_meeting else None
        return found


@contextmanager
def meeting(
    trace: Trace,
    names: Sequence[str],
    values: Sequence[Sequence[Any]],
    cells: Collection[CellType] = (),
) -> Iterator[None]:
    """The names of a statement are joined meanwhile, over its paths."""
    trace.paths = paths = Paths(names, values, cells)
    paths._are_meeting = True
    try:
        yield
    finally:
        paths._are_meeting, paths._seen = False, None


def matters(trace: Trace, array: SymbolicTensor) -> bool:
    """Whether an array that a name may stand for is seen by others than this name."""
    root = root_of(array)
    paths = trace.paths
    if root is not array and trace.tracks_arrays:
        return True  # a part is written through, whoever has the whole
    if root.shared or paths is None:
        return bool(root.shared)
    storage = storage_of(root)
    return bool(paths.several_see(storage) or paths.others_see(trace, storage))


def is_held(trace: Trace, array: SymbolicTensor) -> bool:
    """Whether one gets at an array from a variable."""
    storage = id(storage_of(root_of(array)))
    return any(
        storage in _storages(value)
        for frames in trace.functions_around()
        for frame in frames
        for value in frame.f_locals.values()
    )


def _storages(value: Any, but: Collection[CellType] = ()) -> set[int]:
    """The storages, by identity, of the arrays that a value may be or that one gets at from it."""
    found: set[int] = set()
    waiting = [storage_of(root_of(each)) for each in _arrays_in(value, set(map(id, but)))]
    while waiting:
        storage = waiting.pop()
        if id(storage) not in found:
            found.add(id(storage))
            if isinstance(storage, OneOf):
                waiting += [storage_of(root_of(each)) for each in storage.arrays]
    return found


def _arrays_in(value: Any, seen: set[int]) -> Iterator[SymbolicTensor]:
    """The arrays that one gets at from a value."""
    if is_only_number(value):
        return
    if isinstance(value, SymbolicTensor):
        yield value
    elif not isinstance(value, _LEAVES) and id(value) not in seen:
        seen.add(id(value))
        for item in _reached(value):
            yield from _arrays_in(item, seen)


def _reached(value: Any) -> Iterable[Any]:
    """What a container, an object, or a function with its variables refers to."""
    if isinstance(value, FunctionType):
        by_keyword = value.__kwdefaults__ or {}
        return (*(value.__closure__ or ()), *(value.__defaults__ or ()), *by_keyword.values())
    if isinstance(value, CellType):
        return (content_of(value),)
    if isinstance(value, MethodType):
        return (value.__self__, value.__func__)
    if isinstance(value, partial):
        return (value.func, *value.args, *value.keywords.values())
    if isinstance(value, deque):
        return value
    if isinstance(value, PossiblyUndefined):
        return (getattr(value, "value", None),)
    found = structure.parts(value)
    if found is None and (hasattr(type(value), "__iter__") or hasattr(type(value), "__next__")):
        return gc.get_referents(value)  # iterators, generators, views of dicts
    return () if found is None else found[1]


def _members(abstract: AbstractValue) -> tuple[Member, ...]:
    """The arrays that an abstract value stands for by themselves, and the parts of such."""
    if isinstance(abstract, OneArray):
        return abstract.members
    if isinstance(abstract, Part):
        return (abstract,)
    value = abstract.value if type(abstract) is Static else None
    if not isinstance(value, SymbolicTensor):
        return ()
    if value.dims and value.recorder.convention.arrays_are_mutable:
        own_elements(value.recorder, value)
    return tuple(_alternatives(value)) if is_writable(value.storage) else ()


def _alternatives(value: SymbolicTensor) -> list[SymbolicTensor]:
    """The arrays that a value is one of, each by itself; the value, where one is part of another.

    A name that is chosen anew in each of some branches in a row would be one of two arrays, of which
    one is one of two, and each write a choice among twice as many.
    """
    if not isinstance(value.storage, OneOf):
        return [value]
    found = [each for array in value.storage.arrays for each in _alternatives(array)]
    if any(base_of(each) is not None for each in found):
        return [value]
    return list({id(each): each for each in found}.values())


def may_alias_set(abstract: AbstractValue) -> list[SymbolicTensor]:
    """The arrays that an abstract value tells apart: one of them, or a part of one, is itself."""
    return [_array_of(each) for each in _members(abstract)]


def always_one(abstract: AbstractValue) -> bool:
    """Whether an abstract value stands for an array that is there otherwise, too.

    And never for a copy.
    """
    return abstract.always if isinstance(abstract, OneArray) else bool(_members(abstract))


def as_item(abstract: AbstractValue) -> AbstractValue | None:
    """The abstract value of an array, as an item of a list has it; None where items are copies.

    A list may go wherever arrays of the whole function can be seen; numbers of parts are carried
    that are not known everywhere.
    """
    arrays = may_alias_set(abstract)
    if not arrays or not arrays[0].recorder.tracks_arrays:
        return None
    root = arrays[0].recorder.root
    abstract = _by_parts(abstract, root)
    if any(each.storage.home is not root for each in may_alias_set(abstract)):
        return None
    abstract = abstract.outside(root)
    if not isinstance(abstract, OneArray):
        return abstract
    dims = abstract.kind.dims
    if not abstract.always:
        dims = tuple(d if isinstance(d, int) else None for d in dims)
    return replace(abstract, kind=replace(abstract.kind, dims=dims), in_list=True)


def _by_parts(abstract: AbstractValue, root: Scope) -> AbstractValue:
    """The abstract value with parts in the place of views that a region has made."""
    if isinstance(abstract, OneArray):
        return replace(abstract, members=tuple(_by_part(each, root) for each in abstract.members))
    if type(abstract) is not Static:
        return abstract
    found = _by_part(abstract.value, root)
    return found if isinstance(found, Part) else abstract


def _by_part(member: Member, root: Scope) -> Member:
    if isinstance(member, Part) or member.storage.home is root:
        return member
    return as_part(None, member)


def _kind(abstract: AbstractValue) -> Typed | None:
    if isinstance(abstract, OneArray | Part | Typed):
        kind = abstract.by_value()
        assert isinstance(kind, Typed), "an array has the type of one"
        return kind
    value = abstract.value if type(abstract) is Static else None
    if not isinstance(value, SymbolicTensor) or not _members(abstract):
        return None
    kind = abstract_values.abstract_of_tensor(value.recorder, value)
    assert isinstance(kind, Typed), "an array has the type of one"
    return replace(kind, shared=False)


def join(
    name: str, left: AbstractValue, right: AbstractValue, strict: bool
) -> AbstractValue | None:
    """The abstract value of a name that is one array on one path and another on the other."""
    found = [*_members(left), *_members(right)]
    one, other = _kind(left), _kind(right)
    if not found or one is None or other is None:
        return None
    trace = _array_of(found[0]).recorder
    if not trace.convention.arrays_are_mutable:
        return None
    members = _merged([m for m in found if _is_told(trace, m, (left, right))], strict)
    joined = abstract_values.join_tensors(name, one, other, strict) if members else None
    if joined is None:
        return None
    assert isinstance(joined, Typed), "two tensors join to one"
    may_alias_set = all(_array_of(each).dtype == joined.dtype for each in members)
    if any(isinstance(abstract, Typed) and abstract.shared for abstract in (left, right)):
        may_alias_set = False  # a part of an array, which does not exist outside of the region
    if trace.tracks_arrays and may_alias_set:
        always = all(_is_always(each, members) for each in (left, right))
        if always and len(members) == 1 and isinstance(members[0], Part):
            return members[0]
        return OneArray(replace(joined, shared=False), tuple(members), always)
    for each in members:
        trace.watch(root_of(_array_of(each)))
    return replace(joined, shared=True, array=not joined.dims)


def _is_always(abstract: AbstractValue, members: Sequence[Member]) -> bool:
    """Whether an abstract value stands for one of the members, and for no other array."""
    if isinstance(abstract, OneArray):
        return abstract.always
    if type(abstract) is not Static:
        return isinstance(abstract, Part)
    return all(any(_is_array(each, array) for each in members) for array in _members(abstract))


def _is_array(member: Member, array: Member) -> bool:
    """Whether a member is an array, or stands for it as a part."""
    if not isinstance(member, Part):
        return member is array
    return isinstance(array, SymbolicTensor) and member.holds(parts.part_of(None, array))


def _array_of(member: Member) -> SymbolicTensor:
    return member.base if isinstance(member, Part) else member


def _is_told(trace: Trace, member: Member, joined: Sequence[AbstractValue]) -> bool:
    """Whether it is of consequence that a name may stand for this array."""
    if isinstance(member, Part):
        return True
    known = [m for abstract in joined if isinstance(abstract, OneArray) for m in abstract.members]
    return any(member is each for each in known) or matters(trace, member)


def _merged(found: Sequence[Member], strict: bool) -> list[Member]:
    """The arrays, each once, with parts of one array as one part."""
    members: list[Member] = []
    for each in found:
        for at, other in enumerate(members):
            if (both := _as_one(other, each, strict)) is not None:
                members[at] = both
                break
        else:
            members.append(each)
    return members


def _as_one(left: Member, right: Member, strict: bool) -> Member | None:
    """One member that is either of two; None where they stay apart."""
    if _is_same(left, right):
        return left
    if strict and any(isinstance(m, SymbolicTensor) and base_of(m) is None for m in (left, right)):
        return None  # the array itself, which is not only a part of it
    one, other = (as_part(None, each) for each in (left, right))
    if not one.is_like(other) or (strict and not one.steps_like(other)):
        return None
    return one.joined(other)


def abstract_of(trace: Trace, value: SymbolicTensor, around: Scope | None) -> AbstractValue | None:
    """The abstract value of one of several arrays that a region has made, or of a part of an array."""
    if around is None or around.encloses(value.storage.home):
        return None
    kind = abstract_values.abstract_of_tensor(trace, value)
    assert isinstance(kind, Typed), "an array has the type of one"
    kind = replace(kind, shared=False) if kind.shared else kind
    places = _outer_places(value, around) if trace.tracks_arrays else None
    if places:
        members = tuple(_merged(places, strict=True))
        always = len(places) == _count(value, around)
        if always and len(members) == 1 and isinstance(members[0], Part):
            return members[0]
        return OneArray(kind, members, always)
    root = root_of(value)
    is_own = is_writable(root.storage) and not around.encloses(root.storage.home)
    is_one = value is root and isinstance(value.storage, OneOf)
    is_part = root is not value and (places is not None or not isinstance(root.storage, OneOf))
    return kind if is_own and (is_one or is_part) else None


def _count(value: SymbolicTensor, around: Scope) -> int:
    """How many arrays it may be one of, or a part of one."""
    storage = as_part(None, value).base.storage
    if around.encloses(storage.home) or not isinstance(storage, OneOf):
        return 1
    return sum(_count(each, around) for each in storage.arrays)


def _outer_places(value: SymbolicTensor, around: Scope) -> list[Member] | None:
    """The arrays around, and parts of them, that a value of a region may be.

    None where it is made of such a one in another way, so that writes have no place to go.
    """
    if not is_writable(value.storage):
        return None
    base = as_part(None, value).base
    if base_of(base) is not None and not around.encloses(base.storage.home):
        return None
    found = places(None, value, lambda array: around.encloses(array.storage.home))
    known = [place for _, place in found if place is not None]
    return known if len(known) == len(found) else None


def watch_views(trace: Trace, values: Sequence[Any], around: Scope) -> None:
    """Watch the arrays of which a region leaves views that are of it alone, and cannot be carried."""
    seen: set[int] = set()
    for value in (each for held in values for each in _arrays_in(held, seen)):
        if not around.encloses(value.storage.home):
            root = root_of(value)
            carried = trace.tracks_arrays and _outer_places(value, around) is not None
            if root is not value and around.encloses(root.storage.home) and not carried:
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


abstract_values.FIRST["one of several arrays"] = join
abstract_values.ARRAY_SLOTS.append(abstract_of)
