"""What recorded code writes to besides its variables: attributes, dict entries, lists, globals.

While the body of a branch or loop is recorded, each place it writes to is noted with the value that
it had before.  Then everything is put back, so that the other branch, or the next attempt at the
loop, starts from the same world; and the places become part of the state that the statement hands
on, like variables.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from agir.autograph.operators import Place, State

_log = logging.getLogger("agir.autograph")


class Frame:
    """The writes of one region while it is recorded."""

    def __init__(self) -> None:
        self.noted: dict[Any, tuple[Place, Any]] = {}
        """By the key of the place: the place, and its value before the region."""
        self.born: dict[int, object] = {}
        """The objects made in the region, which nothing outside of it can know."""

    def note(self, place: Place) -> None:
        """Keep the present value of a place, the first time."""
        if id(place.owner) not in self.born and place.key not in self.noted:
            self.noted[place.key] = (place, place.get())

    @property
    def places(self) -> list[Place]:
        """What was written to, in the order of the first write."""
        return [place for place, _ in self.noted.values()]

    def before(self, place: Place) -> Any:
        """The value that the place had before the region."""
        return self.noted[place.key][1] if place.key in self.noted else place.get()

    def copy(self) -> Frame:
        """A frame that keeps the notes when this one has been restored."""
        new = Frame()
        new.noted, new.born = dict(self.noted), dict(self.born)
        return new

    def restore(self) -> None:
        """Put everything back."""
        for place, value in reversed(self.noted.values()):
            place.set(value)
        self.noted.clear()

    def inherit(self, inner: Frame) -> None:
        """Take over what was noted on the way, which belongs to this region."""
        self.born.update(inner.born)
        for key, (place, value) in inner.noted.items():
            if id(place.owner) not in self.born:
                self.noted.setdefault(key, (place, value))


class Journal:
    """The frames of the regions that are being recorded, the innermost last."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []

    def note(self, place: Place) -> None:
        """A place is about to be written to."""
        if self.frames:
            self.frames[-1].note(place)

    def made(self, value: object) -> None:
        """An object has come into being."""
        if self.frames:
            self.frames[-1].born[id(value)] = value

    @contextmanager
    def frame(self) -> Iterator[Frame]:
        """Note what a region writes, and put everything back after it.

        What was made in the region is, from then on, an object of the region around it.
        """
        frame = Frame()
        self.frames.append(frame)
        try:
            yield frame
        finally:
            self.frames.pop()
            frame.restore()
            if self.frames:
                self.frames[-1].born.update(frame.born)

    @contextmanager
    def attempt(self) -> Iterator[Frame]:
        """Note writes that may be taken back by the frame's :meth:`~Frame.restore`, or else stay."""
        frame = Frame()
        self.frames.append(frame)
        try:
            yield frame
        finally:
            self.frames.pop()
            if self.frames:
                self.frames[-1].inherit(frame)


def extended(state: State, places: Sequence[Place], note: Callable[[Place], None]) -> State:
    """The state with places as further variables."""
    if not places:
        return state
    count = len(state.names)

    def get() -> tuple[Any, ...]:
        return (*state.get(), *(place.get() for place in places))

    def put(values: tuple[Any, ...]) -> None:
        state.set(values[:count])
        for place, value in zip(places, values[count:], strict=True):
            note(place)
            place.set(value)

    more = tuple(place.name for place in places)
    return State(get, put, (*state.names, *more), (*state.keep, *more))
