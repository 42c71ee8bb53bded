"""The places of Python's that an outlined function writes to: it is passed them and returns them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from agir.autograph.operators import Place
from agir.errors import StagingError
from agir.ir import structure
from agir.ir.cells import Scope
from agir.ir.journal import Frame
from agir.ir.trace import Trace
from agir.ir.values import slots
from agir.ir.values.optional import for_place
from agir.ir.values.slots import JoinError, Slot


class CarriedPlaces:
    """The places of one function, found while it is recorded: those whose value it changes.

    A place need not have changed at the end: a call in the middle sees what is in it then.
    """

    def __init__(self, trace: Trace, outer: Scope, name: str) -> None:
        self.trace = trace
        self.outer = outer
        self.name = name
        self.places: list[Place] = []
        self.slots: list[Slot] = []
        self.left: tuple[Any, ...] = ()
        """What the places held at the end of the last recording."""
        self._entering: tuple[Any, ...] = ()
        self._first_frame = 0
        self._rebuilt: dict[int, object] = {}
        self._texts: dict[int, object] = {}

    def assumptions(self) -> Any:
        """What must be the same after a recording as before it."""
        return [place.key for place in self.places], list(self.slots)

    # Recording the function.

    def begin(self, rebuilt: Sequence[Any]) -> None:
        """A recording begins; ``rebuilt`` are arguments whose containers are copies."""
        self._first_frame = len(self.trace.journal.frames)
        self._rebuilt = {id(each): each for value in rebuilt for each in _containers(value)}
        self._texts = {id(each): each for value in rebuilt for each in _of_texts(value)}
        self.trace.passed_objects |= self._rebuilt

    def take_arguments(self, block: Any) -> None:
        """Append the block arguments that carry the places."""
        location = self.trace.named_location
        made = [
            block.add_argument(kind, location(place.name))
            for place, slot in zip(self.places, self.slots, strict=True)
            for kind in slot.types()
        ]
        self._entering = slots.unpack_all(self.trace, self.slots, made)

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
        return slots.pack_all(self.trace, self.slots, held)

    def hand_back(self, made: list[Any]) -> None:
        """Write what a call has left to the places, from the front of its results."""
        self.put([slot.unpack(self.trace, made) for slot in self.slots])

    # What it teaches.

    def learn(self) -> None:
        """Carry what differs now from what it was at the beginning, with the types it has now."""
        known = {place.key for place in self.places}
        for place in [n.place for frame in self._frames() for n in frame.noted.values()]:
            if place.key in known or self._is_own(place.owner):
                continue
            if not slots.unchanged(self._before(place), place.get()):
                known.add(place.key)
                self._carry(place)
        self.left = tuple(slots.frozen(place.get()) for place in self.places)
        self.slots = [
            self._widened(place, slot, value)
            for place, slot, value in zip(self.places, self.slots, self.left, strict=True)
        ]

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
            message = (
                f"{self.name} changes {place.name} that it was given; a function that calls itself "
                "on run-time values gets a copy of it: return the new value instead"
            )
            raise StagingError(self.trace.explain(message))
        self.places.append(place)
        self.slots.append(self._slot(self._before(place)))

    def _slot(self, value: Any) -> Slot:
        return slots.slot_of(self.trace, value, self.outer).outside(self.outer)

    def _widened(self, place: Place, slot: Slot, value: Any) -> Slot:
        try:
            return slots.join(place.name, slot, self._slot(value)).outside(self.outer)
        except JoinError as error:
            raise StagingError(self.trace.explain(str(error))) from None


def _of_texts(value: Any) -> Iterator[Any]:
    """What texts in a value are made of, which no program changes."""
    found = structure.parts(value)
    for each in () if found is None else found[1]:
        if getattr(type(value), "stands_for", None) is str:
            yield each
        yield from _of_texts(each)


def _containers(value: Any) -> Iterator[Any]:
    found = structure.children(value)
    if found is not None:
        yield value
        for item in found[1]:
            yield from _containers(item)
