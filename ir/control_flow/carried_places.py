"""The places of Python's that an outlined function writes to: it is passed them and returns them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from agir.autograph.operators import Place
from agir.errors import StagingError
from agir.ir.building.cells import Scope
from agir.ir.tensors import structure
from agir.ir.tracing.journal import Frame
from agir.ir.tracing.trace import Trace
from agir.ir.values import abstract_values
from agir.ir.values.abstract_values import AbstractValue, JoinError
from agir.ir.values.alternatives.optional import for_place
from agir.ir.values.heap.kinds import ByReference
from agir.ir.values.sequences.lists import TracedList


class CarriedPlaces:
    """The places of one function, found while it is recorded: those whose value it changes.

    A place need not have changed at the end: a call in the middle sees what is in it then.
    """

    def __init__(self, trace: Trace, outer: Scope, name: str) -> None:
        self.trace = trace
        self.outer = outer
        self.name = name
        self.places: list[Place] = []
        self.abstract_values: list[AbstractValue] = []
        self.left: tuple[Any, ...] = ()
        """What the places held at the end of the last recording."""
        self._entering: tuple[Any, ...] = ()
        self._first_frame = 0
        self._rebuilt: dict[int, object] = {}
        self._texts: dict[int, object] = {}

    def assumptions(self) -> Any:
        """What must be the same after a recording as before it."""
        return [place.key for place in self.places], list(self.abstract_values)

    # Recording the function.

    def begin(self, rebuilt: Sequence[Any]) -> None:
        """A recording begins; ``rebuilt`` are arguments whose containers are copies."""
        self._first_frame = len(self.trace.journal.frames)
        copies = [each for value in rebuilt for each in _containers(value) if not _is_itself(each)]
        self._rebuilt = {id(each): each for each in copies}
        self._texts = {id(each): each for value in rebuilt for each in _of_texts(value)}
        self.trace.passed_objects |= self._rebuilt

    def take_arguments(self, block: Any) -> None:
        """Append the block arguments that carry the places."""
        location = self.trace.named_location
        made = [
            block.add_argument(kind, location(place.name))
            for place, abstract in zip(self.places, self.abstract_values, strict=True)
            for kind in abstract.types()
        ]
        self._entering = abstract_values.unpack_all(self.trace, self.abstract_values, made)

    def enter(self) -> None:
        """Let the places hold what was passed."""
        self.put(self._entering)

    def put(self, values: Sequence[Any]) -> None:
        """Write to the places."""
        for place, value in zip(self.places, values, strict=True):
            self.trace.journal.note(place)
            place.set(for_place(place, value))

    def pack(self, values: Sequence[Any] | None = None) -> list[Any]:
        """The SSA values of what the places hold."""
        held = [place.get() for place in self.places] if values is None else values
        return abstract_values.pack_all(self.trace, self.abstract_values, held)

    def hand_back(self, made: list[Any]) -> None:
        """Write what a call has left to the places, from the front of its results."""
        self.put([abstract.unpack(self.trace, made) for abstract in self.abstract_values])

    # What it teaches.

    def learn(self) -> None:
        """Carry what differs now from what it was at the beginning, with the types it has now."""
        known = {place.key for place in self.places}
        for place in [n.place for frame in self._frames() for n in frame.noted.values()]:
            if place.key in known or self._is_own(place.owner):
                continue
            if not abstract_values.unchanged(self._before(place), place.get()):
                known.add(place.key)
                self._carry(place)
        self.left = tuple(abstract_values.frozen(place.get()) for place in self.places)
        self.abstract_values = [
            self._widened(place, abstract, value)
            for place, abstract, value in zip(
                self.places, self.abstract_values, self.left, strict=True
            )
        ]

    def forget(self, values: Iterable[Any]) -> None:
        """Carry nothing of these arguments, which the function gets in another way from now on."""
        gone = {id(each) for value in values for each in _containers(value)}
        pairs = zip(self.places, self.abstract_values, strict=True)
        kept = [(place, abstract) for place, abstract in pairs if id(place.owner) not in gone]
        self.places = [place for place, _ in kept]
        self.abstract_values = [abstract for _, abstract in kept]

    def _is_own(self, owner: object) -> bool:
        """Whether an object is of the function alone: made in it, or a part of text that it got."""
        own = id(owner) in self._texts
        return own or any(each.has_made(owner) for each in self._frames())

    def _frames(self) -> list[Frame]:
        return self.trace.journal.frames[self._first_frame :]

    def _before(self, place: Place) -> Any:
        """What the place held before the function was entered."""
        for frame in self._frames():
            if place.key in frame.noted:
                return frame.before(place)
        return place.get()

    def _carry(self, place: Place) -> None:
        if id(place.owner) in self._rebuilt:
            if isinstance(place.owner, TracedList) and self.trace.pools is None:
                raise ByReference
            message = (
                f"{self.name} changes {place.name} that it was given; a function that calls itself "
                "on run-time values gets a copy of it: return the new value instead"
            )
            raise StagingError(self.trace.explain(message))
        self.places.append(place)
        self.abstract_values.append(self._abstract(self._before(place)))

    def _abstract(self, value: Any) -> AbstractValue:
        return abstract_values.abstract_of(self.trace, value, self.outer).outside(self.outer)

    def _widened(self, place: Place, abstract: AbstractValue, value: Any) -> AbstractValue:
        try:
            return abstract_values.join(place.name, abstract, self._abstract(value)).outside(
                self.outer
            )
        except JoinError as error:
            raise StagingError(self.trace.explain(str(error))) from None


def _of_texts(value: Any) -> Iterator[Any]:
    """What texts in a value are made of, which no program changes."""
    found = structure.parts(value)
    for each in () if found is None else found[1]:
        if getattr(type(value), "stands_for", None) is str:
            yield each
        yield from _of_texts(each)


def _is_itself(value: Any) -> bool:
    """Whether a container is passed by its number, and so is the caller's."""
    return isinstance(value, TracedList) and value.is_known_by_itself


def _containers(value: Any) -> Iterator[Any]:
    found = structure.children(value)
    if found is not None or isinstance(value, TracedList):
        yield value
    for item in () if found is None else found[1]:
        yield from _containers(item)
