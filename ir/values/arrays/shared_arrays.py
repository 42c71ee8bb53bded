"""Names that branches and loops bind to one new array, or to parts of it.

::

    if n > 2:
        u = v = np.zeros(3)
    else:
        v = np.ones(3)
    u[0] = 1                # in v, too, if n > 2

An array that a region makes leaves it as the elements that it has there, a copy for every name.  So
statements have one more variable: which of the names are one array.  Names that are one on every path
stay one.  Where only some paths say so, a number tells it, as for arrays of outside (`one_array`):
the second name is the array of the first, or one of its own.  In a trace that does without numbers,
and where an array and a part of it are left, nothing can be written into either.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from agir.autograph.operators import State
from agir.ir.building.cells import Scope
from agir.ir.building.types import DType, int64
from agir.ir.emission import emit
from agir.ir.tensors import structure
from agir.ir.tensors.staged import Staged
from agir.ir.tensors.symbolic import Fixed, Owned, SymbolicTensor
from agir.ir.tracing.trace import Trace
from agir.ir.values.abstract_values import (
    KINDS,
    AbstractValue,
    MaybeUnbound,
    Take,
    Wrap,
    frozen,
    join,
)
from agir.ir.values.alternatives.optional import Checked, CheckedTensor
from agir.ir.values.arrays.one_of import OneOf, root_of, storage_of, watch
from agir.ir.values.arrays.parts import chosen

NAME = "which names are one array"

Place = tuple[int, ...]
"""Where an array is: the number of the variable, and those of the items of containers."""
Pair = tuple[Place, Place]


def with_sharing(trace: Trace, state: State) -> State:
    """The state with a first variable that says which names are one array."""
    if not trace.convention.arrays_are_mutable:
        return state

    def get() -> tuple[Any, ...]:
        values = state.get()
        return (Held(tuple(map(frozen, values))), *values)

    def put(values: tuple[Any, ...]) -> None:
        told, *plain = values
        state.set(told.applied(plain) if isinstance(told, Told) else tuple(plain))

    keep = (*state.keep, NAME) if state.keep else ()
    return State(get, put, (NAME, *state.names), keep)


def begun(
    trace: Trace, initial: Sequence[Any], carried: Sequence[AbstractValue], around: Scope
) -> list[AbstractValue]:
    """The abstract values of a loop that carries more variables: which of them begin as one."""
    if not (carried and isinstance(carried[0], Shared)):
        return list(carried)
    return [join(NAME, _abstract_of(trace, initial[0], around), carried[0]), *carried[1:]]


@dataclass(frozen=True, eq=False)
class Held:
    """What the variables hold at the end of a path; those ``known`` are one object on every path."""

    values: tuple[Any, ...]
    known: frozenset[int] = frozenset()

    def arrays(self) -> dict[Place, SymbolicTensor]:
        """The arrays among the values, and in them."""
        return {
            place: array
            for at, value in enumerate(self.values)
            if at not in self.known
            for place, array in _arrays(value, (at,))
        }


def _arrays(value: Any, place: Place) -> Iterator[tuple[Place, SymbolicTensor]]:
    if isinstance(value, MaybeUnbound):
        value = value.value
    if isinstance(value, SymbolicTensor):
        if value.dims:
            yield place, value
    elif not (isinstance(value, Staged) and value.is_staged):
        found = structure.parts(value)
        for at, item in enumerate(found[1] if found is not None else ()):
            yield from _arrays(item, (*place, at))


@dataclass(frozen=True)
class _Atom:
    """A new array that a value is, or is a part of, under a condition (i1)."""

    storage: Any
    is_whole: bool
    condition: Any


def _atoms(
    trace: Trace | None, value: SymbolicTensor, around: Scope, is_whole: bool = True
) -> list[_Atom]:
    root = root_of(value)
    storage, is_whole = storage_of(root), is_whole and root is value
    if not isinstance(storage, OneOf):
        return [] if around.encloses(storage.home) else [_Atom(storage, is_whole, None)]
    found = []
    for number, member in enumerate(storage.arrays):
        here = None
        for atom in _atoms(trace, member, around, is_whole):
            if trace is not None:
                here = storage.is_number(trace, number) if here is None else here
            both = emit.both(trace, here, atom.condition)
            found.append(_Atom(atom.storage, atom.is_whole, both))
    return found


@dataclass(frozen=True)
class Shared(AbstractValue):
    """Which of the arrays that the variables hold are one.

    A pair is an array and another one that it may follow.
    """

    around: Scope = field(compare=False)
    present: frozenset[Place]
    same: frozenset[Pair]
    """The first, where it is there at all, is the second, on every path."""
    maybe: frozenset[Pair]
    """On some path both are one new array."""
    parts: frozenset[Pair]
    """On some path one of them is a part of an array of which the other is one, too."""
    watched: frozenset[Place]
    """What has a copy on some path, which would not see that something is written into it."""

    def leaders(self) -> dict[Place, Place]:
        """The array that another one always is."""
        found = {}
        for place in sorted({one for one, _ in self.same}):
            others = [other for one, other in self.same if one == place]
            before = [o for o in others if (o, place) not in self.same or o < place]
            if before:
                found[place] = min(before, key=lambda other: (other in found, other))
        return found

    def followers(self) -> dict[Place, list[Place]]:
        """The arrays that another one may be, in order."""
        found: dict[Place, list[Place]] = {}
        always = self.leaders()
        for one, other in sorted(self.maybe):
            if one not in always and other not in always:
                found.setdefault(one, []).append(other)
        return found

    def types(self) -> list[Any]:
        """The MLIR types that carry the abstract value."""
        return [int64.mlir() for _ in self.followers()]

    def dtypes(self) -> list[DType]:
        """The element types of what carries the abstract value."""
        return [int64 for _ in self.followers()]

    def pack(self, trace: Trace, value: Any) -> list[Any]:
        """The SSA values that carry the Python value."""
        arrays = value.arrays()
        return [
            self._number(trace, arrays, place, leaders)
            for place, leaders in self.followers().items()
        ]

    def _number(
        self, trace: Trace, arrays: dict[Place, SymbolicTensor], place: Place, leaders: list[Place]
    ) -> Any:
        number = trace.constant(int64, len(leaders))
        if place not in arrays:
            return number
        mine = _atoms(trace, arrays[place], self.around)
        for at in reversed(range(len(leaders))):
            leader = arrays.get(leaders[at])
            for theirs in [] if leader is None else _atoms(trace, leader, self.around):
                for each in mine:
                    if each.storage is theirs.storage:
                        here = emit.both(trace, each.condition, theirs.condition)
                        number = chosen(trace, here, trace.constant(int64, at), number)
        return number

    def unpack(self, trace: Trace, carried: list[Any]) -> Any:
        """The Python value, from SSA values taken off the front of ``carried``."""
        return Told(trace, self, {place: carried.pop(0) for place in self.followers()})

    def placeholder(self, trace: Trace) -> list[Any]:
        """Values that stand where there is none."""
        return [trace.constant(int64, len(leaders)) for leaders in self.followers().values()]

    def assemble(self, take: Take, wrap: Wrap) -> Any:
        """The value for the caller."""
        raise AssertionError("no function returns which names are one")

    def describe(self) -> str:
        """The abstract value in the words of an error message."""
        return NAME

    def join(self, name: str, other: AbstractValue, strict: bool) -> AbstractValue | None:
        """The least abstract value that holds this one and the other.

        Or None if it is not this kind's.
        """
        if not isinstance(other, Shared):
            return None
        same = {
            pair
            for pair in self.same | other.same
            if all(pair in each.same or pair[0] not in each.present for each in (self, other))
        }
        return Shared(
            self.around,
            self.present | other.present,
            frozenset(same),
            self.maybe | other.maybe,
            self.parts | other.parts,
            self.watched | other.watched,
        )


def _abstract_of(trace: Trace, value: Held, around: Scope | None) -> AbstractValue:
    assert around is not None, "arrays that change have a place"
    arrays = value.arrays()
    by_object: dict[int, list[Place]] = {}
    by_storage: dict[int, dict[Place, bool]] = {}
    copied = {id(each.storage) for each in trace.watched}
    watched = set()
    for place, array in arrays.items():
        by_object.setdefault(id(array), []).append(place)
        for atom in _atoms(None, array, around):
            if id(atom.storage) in copied:
                watched.add(place)
            known = by_storage.setdefault(id(atom.storage), {})
            known[place] = known.get(place, True) and atom.is_whole
    same = {(a, b) for group in by_object.values() for a in group for b in group if a != b}
    pairs = [
        ((a, b), group[a] and group[b])
        for group in by_storage.values()
        for a in group
        for b in group
        if b < a
    ]
    return Shared(
        around,
        frozenset(arrays),
        frozenset(same),
        frozenset(pair for pair, is_whole in pairs if is_whole),
        frozenset(pair for pair, is_whole in pairs if not is_whole),
        frozenset(watched),
    )


KINDS[Held] = _abstract_of


@dataclass(frozen=True, eq=False)
class Told:
    """Which of the arrays that stand in the variables' places are one: by number."""

    trace: Trace
    abstract: Shared
    numbers: dict[Place, Any]

    def applied(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """The values, with one array in the place of those that are one."""
        found = list(values)
        always = self.abstract.leaders()
        for place in sorted(self.abstract.watched):
            if (array := _at(found, place)) is not None:
                watch(self.trace, array)
        for one, other in sorted(self.abstract.parts):
            if always.get(one, one) != always.get(other, other):
                self._fix(found, one, other)
        for place, leaders in self.abstract.followers().items():
            self._follow(found, place, leaders)
        for place, leader in always.items():
            array = _at(found, leader)
            if array is not None and _at(found, place) is not None:
                self._replace(found, place, array)
        return tuple(found)

    def _follow(self, found: list[Any], place: Place, leaders: list[Place]) -> None:
        trace, array = self.trace, _plain(_at(found, place))
        owners = [_own(_at(found, leader)) for leader in leaders]
        told = trace.tracks_arrays and array is not None and _own(array) is not None
        if not told or any(o is None or o.dtype != array.dtype for o in owners):
            self._fix(found, place, *leaders)
            return
        storage = OneOf(
            trace.scope, self.numbers[place], (*owners, array), None, array.dtype, array.dims
        )
        trace.scope.memo[storage, storage.state(trace)] = array.ssa
        made = SymbolicTensor(trace, storage, array.dtype, array.dims)
        made.shared = True
        self._replace(found, place, made)

    def _fix(self, found: list[Any], *places: Place) -> None:
        """Let nothing be written into arrays from now on."""
        for place in places:
            array = _plain(_at(found, place))
            storage = None if array is None else storage_of(array)
            if isinstance(storage, OneOf):
                watch(self.trace, array)
            if isinstance(storage, (Owned, OneOf)):
                fixed = SymbolicTensor(
                    self.trace, Fixed(self.trace.scope, array.ssa), array.dtype, array.dims
                )
                fixed.shared = True
                self._replace(found, place, fixed)

    def _replace(self, found: list[Any], place: Place, new: SymbolicTensor) -> None:
        found[place[0]] = _with(self.trace, found[place[0]], place[1:], new)


def _at(values: Sequence[Any], place: Place) -> Any:
    """The array at a place; None where there is none."""
    value = values[place[0]]
    for step in place[1:]:
        value = value.value if isinstance(value, MaybeUnbound) else value
        parts = None if isinstance(value, SymbolicTensor) else structure.parts(value)
        if parts is None or step >= len(parts[1]):
            return None
        value = parts[1][step]
    value = value.value if isinstance(value, MaybeUnbound) else value
    return value if isinstance(value, SymbolicTensor) and value.dims else None


def _own(array: Any) -> Any:
    """The array of its own that a name is, or may be one day; None for one that stands for others."""
    storage = None if array is None else storage_of(array)
    if isinstance(storage, OneOf):
        return storage.spare
    return _plain(array) if isinstance(storage, Owned) else None


def _plain(array: Any) -> Any:
    """An array without the check that it is there."""
    return array.unchecked if isinstance(array, CheckedTensor) else array


def _with(trace: Trace, old: Any, steps: Place, new: SymbolicTensor) -> Any:
    """A value with an array in the place of another one, bound and there where the old one is."""
    if isinstance(old, MaybeUnbound):
        return MaybeUnbound(old.trace, old.name, old.bound, _with(trace, old.value, steps, new))
    if isinstance(old, CheckedTensor):
        had = old.storage
        storage = Checked(_plain(new), had.present, had.kind, had.name)
        return CheckedTensor(trace, storage, new.dtype, new.dims, new.weak)
    if not steps:
        return _plain(new)
    key, items = structure.parts(old)  # type: ignore[misc]
    items = list(items)
    items[steps[0]] = _with(trace, items[steps[0]], steps[1:], new)
    return trace.made(structure.rebuild(key, items))
