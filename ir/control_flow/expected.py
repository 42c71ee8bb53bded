"""What the loops inside of a loop have settled on, for when that one is recorded again.

A loop is recorded until the types of what it carries settle, and each time so is every loop inside
of it.  If these began anew each time, a nest of n loops would be recorded 2^n times.  So a loop is
expected to carry what it carried the last time, as far as that is something outside of all these
loops: types, arrays of the function.  What the loop around begins with has only become wider since
then, and so has what this one comes to: it comes to the same as without, at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from agir.autograph.operators import Place, State
from agir.ir.building.types import is_python_number
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing.trace import Trace
from agir.ir.values import abstract_values
from agir.ir.values.abstract_values import AbstractValue, JoinError, Static, Typed
from agir.ir.values.arrays.one_array import OneArray, may_alias_set, meeting

Inside = dict[Any, list["Settled"]]
"""By where they stand in the program, what the loops in another one have settled on, in their order."""


@dataclass(frozen=True)
class Widened:
    """What a variable may be besides what it is at first: also what others are at first, by name."""

    abstract: AbstractValue
    others: tuple[str, ...] = ()


@dataclass
class Settled:
    """The fixpoint of a loop: its abstract values that differ from the initial ones, by name."""

    widened: dict[str, Widened] = field(default_factory=dict)
    places: list[Place] = field(default_factory=list)
    inside: Inside = field(default_factory=dict)


@dataclass
class Recording:
    """One recording of a loop: what was inside of it the last time, and what is now."""

    before: Inside
    now: Inside = field(default_factory=dict)


@contextmanager
def recording(trace: Trace, before: Inside) -> Iterator[Recording]:
    """A loop is recorded, in which there were such loops the last time."""
    made = Recording(before)
    trace.recordings.append(made)
    try:
        yield made
    finally:
        trace.recordings.pop()


def begin(trace: Trace) -> tuple[Settled, Settled]:
    """What the loop that is about to be recorded has settled on the last time, and will have now."""
    last, now = Settled(), Settled()
    if trace.recordings:
        around, key = trace.recordings[-1], _where(trace)
        before, found = around.before.get(key, ()), around.now.setdefault(key, [])
        if len(found) < len(before):
            last = before[len(found)]
        found.append(now)
    return last, now


def note(
    trace: Trace,
    now: Settled,
    names: Sequence[str],
    begun: Sequence[AbstractValue],
    settled: Sequence[AbstractValue],
    places: Sequence[Place],
    inside: Inside,
) -> None:
    """Note what the loop has settled on, by what it begins with."""
    first = _by_name(names, begun)
    now.widened = {
        name: _beside(name, abstract, first)
        for name, abstract in _by_name(names, settled).items()
        if abstract != first[name]
    }
    now.places = [place for place in places if not trace.journal.is_fresh(place.owner)]
    now.inside = inside


def _by_name(names: Sequence[str], found: Sequence[AbstractValue]) -> dict[str, AbstractValue]:
    """The abstract values by the names that tell them apart, as those of places may not."""
    count = Counter(names)
    return {name: abstract for name, abstract in zip(names, found, strict=True) if count[name] == 1}


def _where(trace: Trace) -> Any:
    """Where the statement stands that is being recorded, and the calls that have led there."""
    return tuple((frame.f_code, frame.f_lasti) for frame in trace.frames())


def _beside(name: str, settled: AbstractValue, first: Mapping[str, AbstractValue]) -> Widened:
    if not (isinstance(settled, OneArray) and isinstance(first[name], Static)):
        return Widened(settled)
    own = _identities(first[name])
    among = {
        array: each
        for each, abstract in first.items()
        if isinstance(abstract, Static) and each != name
        for array in _identities(abstract)
    }
    others = [each for each in settled.members if id(each) not in own]
    named = tuple(dict.fromkeys(among[id(each)] for each in others if id(each) in among))
    arrays = tuple(each for each in others if id(each) not in among)
    # What it is at first is carried by its elements where it is none of the arrays that are told apart.
    is_carried = not own <= {id(each) for each in settled.members}
    return Widened(replace(settled, members=arrays, always=settled.always or is_carried), named)


def _identities(abstract: AbstractValue) -> set[int]:
    return set(map(id, may_alias_set(abstract)))


def widened(
    trace: Trace, state: State, begun: Sequence[AbstractValue], last: Settled
) -> list[AbstractValue]:
    """The abstract values of what a loop begins with, as wide as it is expected to make them."""
    first = _by_name(state.names, begun)
    pairs = zip(state.names, begun, strict=True)
    with meeting(trace, state.names, [state.get()]):
        return [
            _joined(trace, name, abstract, last.widened.get(name), first)
            if name in first
            else abstract
            for name, abstract in pairs
        ]


def _joined(
    trace: Trace,
    name: str,
    begun: AbstractValue,
    settled: Widened | None,
    first: Mapping[str, AbstractValue],
) -> AbstractValue:
    known = None if settled is None else _known_here(trace, name, settled, first)
    if known is None:
        return begun
    try:
        return abstract_values.join(name, begun, known).outside(trace.scope)
    except JoinError:
        return begun


def _known_here(
    trace: Trace, name: str, settled: Widened, first: Mapping[str, AbstractValue]
) -> AbstractValue | None:
    """As much of an abstract value as is about what is outside of the loops that are recorded again."""
    abstract = settled.abstract
    if type(abstract) is Typed:
        return abstract.outside(trace.scope)
    if isinstance(abstract, OneArray):
        kind = abstract.kind.outside(trace.scope)
        assert isinstance(kind, Typed), "the type of a tensor stays one"
        found = [each for each in abstract.members if _is_there(trace, each)]
        found += [m for each in settled.others for m in _arrays(first.get(each))]
        if not found and not abstract.always:
            return kind
        # In another turn it may be another one of those that it may be at first.
        own = _arrays(first[name])
        members = tuple(found) if found or len(own) < 2 else own
        return replace(abstract, kind=kind, members=members) if members else None
    value = abstract.value if type(abstract) is Static else None
    return abstract if is_python_number(value) or _is_there(trace, value) else None


def _arrays(abstract: AbstractValue | None) -> tuple[Any, ...]:
    """The arrays that a variable may be at first."""
    return tuple(may_alias_set(abstract)) if type(abstract) is Static else ()


def _is_there(trace: Trace, value: Any) -> bool:
    return isinstance(value, SymbolicTensor) and bool(trace.scope.encloses(value.storage.home))
