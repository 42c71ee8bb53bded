"""What recorded code writes to besides its variables: attributes, dict entries, lists, globals.

While the body of a branch or loop is recorded, each place it writes to is noted with the value that
it had before.  Then everything is put back, so that the other branch, or the next attempt at the
loop, starts from the same world; and the places become part of the state that the statement hands
on, like variables.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from agir.autograph.operators import Entry, FreeVariable, Place, State
from agir.ir import hooks
from agir.ir.tensors import structure
from agir.ir.tensors.staged import Staged
from agir.ir.tracing.known_arrays import KnownArrays

_UNCHANGING = (str, bytes)
"""Of what stands for these a copy is as good as the object."""


@dataclass
class Note:
    """A place that is written to, its value before, and the user's line that writes."""

    place: Place
    before: Any
    line: Any = None


def _nowhere() -> None:
    return None


def _nothing() -> None:
    """No array could have been written into."""


def _mark(value: object) -> object:
    """What tells an object again without keeping it alive, where Python can: else itself."""
    try:
        return weakref.ref(value)
    except TypeError:
        return value


def _among(marks: dict[int, object], value: object) -> bool:
    """Whether an object is one of those marked, by identity."""
    mark = marks.get(id(value))
    return mark is not None and (mark() if isinstance(mark, weakref.ref) else mark) is value


class Marks:
    """What is known of objects, by their identity, for as long as they exist."""

    def __init__(self) -> None:
        self._found: dict[int, tuple[object, Any]] = {}

    def set(self, value: object, known: Any) -> None:
        """From now on that is known of the object."""
        self._found[id(value)] = (_mark(value), known)

    def get(self, value: object) -> Any:
        """What is known of it, or None."""
        mark, known = self._found.get(id(value), (None, None))
        return known if _among({id(value): mark}, value) else None


class Frame:
    """The writes of one region while it is recorded."""

    def __init__(self, check: Callable[[], None] = _nothing) -> None:
        self._check = check
        self.noted: dict[Any, Note] = {}
        """By the key of the place."""
        self.orders: dict[int, tuple[Any, dict[Any, Any], list[Any]]] = {}
        """The dicts and objects that are written to, and the order in which their keys were."""
        self.born: dict[int, object] = {}
        """Marks of the objects made in the region, which nothing outside of it can know."""
        self.given: dict[int, object] = {}
        """Marks of those that stand for objects of the caller's."""
        self.inside: dict[Any, Place] = {}
        """The places in those that are written to."""

    def note(self, place: Place, line: Callable[[], Any] = _nowhere) -> None:
        """Keep the present value of a place, the first time."""
        if self._is_own(place.owner):
            self.inside[place.key] = place
        elif place.key not in self.noted:
            if isinstance(entries := place.entries, dict):
                self.orders.setdefault(id(entries), (place.owner, entries, list(entries)))
            self.noted[place.key] = Note(place, place.get(), line())

    def _is_own(self, owner: object) -> bool:
        """Whether nothing outside of the region knows an object."""
        return _among(self.born, owner) and not _among(self.given, owner)

    def has_made(self, value: object) -> bool:
        """Whether an object was made in the region."""
        return _among(self.born, value)

    def before(self, place: Place) -> Any:
        """The value that the place had before the region."""
        return self.noted[place.key].before if place.key in self.noted else place.get()

    def drop(self, place: Place) -> None:
        """Forget about a place: it stays as it is, or is put back by somebody else."""
        note = self.noted.pop(place.key)
        place.set(note.before)

    def copy(self) -> Frame:
        """A frame that keeps the notes, and the order of keys now, when this one has been restored."""
        new = Frame()
        new.noted, new.born = dict(self.noted), dict(self.born)
        new.orders = {
            key: (owner, entries, list(entries)) for key, (owner, entries, _) in self.orders.items()
        }
        return new

    def repeat(self, other: Frame, written: Mapping[Any, Any]) -> None:
        """Write what another region has written to the places that it noted, and was put back."""
        self.born.update(other.born)
        for key, note in other.noted.items():
            self.note(note.place, partial(getattr, note, "line"))
            note.place.set(written[key])
        for _, entries, keys in other.orders.values():
            _reorder(entries, keys)

    def restore(self) -> None:
        """Put everything back."""
        for note in reversed(self.noted.values()):
            note.place.set(note.before)
        self.noted.clear()
        for _, entries, keys in self.orders.values():
            _reorder(entries, keys)
        self.orders.clear()
        self._check()

    def reordered(self) -> list[Any]:
        """The dicts and objects in which keys stand in another order now than they were noted."""
        return [
            owner
            for owner, entries, keys in self.orders.values()
            if [key for key in entries if key in keys] != [key for key in keys if key in entries]
        ]

    def inherit(self, inner: Frame) -> None:
        """Take over what was noted on the way, which belongs to this region."""
        self.born.update(inner.born)
        self.inside.update(inner.inside)
        for key, note in inner.noted.items():
            if self._is_own(note.place.owner):
                self.inside[key] = note.place
            else:
                self.noted.setdefault(key, note)


def _reorder(owner: dict[Any, Any], keys: list[Any]) -> None:
    if list(owner) != keys and set(owner) == set(keys):
        entries = [(key, owner[key]) for key in keys]
        dict.clear(owner)
        dict.update(owner, entries)  # Counter.update counts


class Journal:
    """The frames of the regions that are being recorded, the innermost last.

    The first one is that of the function itself.
    """

    def __init__(self, arrays: KnownArrays) -> None:
        self.frames: list[Frame] = [Frame()]
        self._arrays = arrays
        self.fresh: dict[int, object] = {}
        """Marks of every object made in a branch or loop."""
        self.copies: dict[int, object] = {}
        """The objects of which a list of run-time length has a copy."""
        self.standing: dict[int, tuple[object, list[object]]] = {}
        """The objects that others stand for, after a branch or in the next iteration of a loop."""
        self.unordered: set[type] = set()
        """Classes of objects whose attributes are in an order that only the run time knows."""
        self.ordered: set[type] = set()
        """Classes whose objects have been asked for their attributes as a dict."""

    def note(self, place: Place, line: Callable[[], Any] = _nowhere) -> None:
        """A place is about to be written to."""
        self.frames[-1].note(place, line)

    def made(self, value: object) -> None:
        """An object has come into being."""
        mark = self.frames[-1].born[id(value)] = _mark(value)
        if len(self.frames) > 1:
            self.fresh[id(value)] = mark

    def given(self, value: object) -> None:
        """An object stands for one of the caller's: it is told of what changes in it."""
        self.frames[0].given[id(value)] = _mark(value)

    def belongs(self, part: object, owner: object) -> None:
        """A part of an object, such as its ``__dict__``, has come into being with it."""
        for frame in self.frames:
            if _among(frame.born, owner):
                frame.born[id(part)] = _mark(part)
        if _among(self.fresh, owner):
            self.fresh[id(part)] = _mark(part)

    def end(self) -> None:
        """The function ends: what it has made is the caller's, another object after each call."""
        self.fresh.update(self.frames[0].born)

    def is_fresh(self, value: object) -> bool:
        """Whether an object was made in a branch or loop, and so may be another in the next."""
        return _among(self.fresh, value)

    def is_made_here(self, value: object) -> bool:
        """Whether an object was made by the function that is traced."""
        return any(_among(frame.born, value) for frame in self.frames)

    def is_known(self, value: object) -> bool:
        """Whether an object was made by converted code, or stands for one of the caller's."""
        return self.is_made_here(value) or _among(self.frames[0].given, value)

    def is_written(self, value: object) -> bool:
        """Whether an object is written to in a region that is being recorded."""
        return any(note.place.owner is value for f in self.frames for note in f.noted.values())

    def copied(self, value: Any) -> None:
        """An object has been copied: from now on a change would be one of the copy only."""
        value = hooks.values.unchecked(value)
        if id(value) in self.copies or isinstance(value, type):
            return
        if isinstance(value, Staged) and value.is_known_by_itself:
            return
        if getattr(type(value), "stands_for", None) in _UNCHANGING:
            return
        if structure.is_mutable(value):
            self.copies[id(value)] = value
        for each in self._standing_for(value):
            self.copied(each)
        found = structure.parts(value)
        for item in (*(found[1] if found is not None else ()), *hooks.values.alternatives(value)):
            self.copied(item)

    def stands(self, new: object, old: object) -> None:
        """After a branch or an iteration of a loop, an object is perhaps another one."""
        self.standing.setdefault(id(old), (old, []))[1].append(new)
        if self.is_copied(old):
            self.copied(new)

    def perhaps(self, values: Iterable[object]) -> dict[int, object]:
        """The objects in some values, and those that stand for them: by their identities."""
        found: dict[int, object] = {}
        waiting = list(values)
        while waiting:
            value = hooks.values.unchecked(waiting.pop())
            if id(value) not in found:
                found[id(value)] = value
                parts = structure.parts(value)
                waiting += [*self._standing_for(value), *(parts[1] if parts is not None else ())]
                waiting += hooks.values.alternatives(value)
        return found

    def stood_for_by(self, value: object) -> list[object]:
        """The objects for which an object stands."""
        pairs = self.standing.values()
        return [old for old, news in pairs if any(new is value for new in news)]

    def originals(self, value: object) -> list[object]:
        """The same, with those for which these stand, and so on: two may stand for each other."""
        found, waiting = {id(value): value}, [value]
        while waiting:
            olds = [old for old in self.stood_for_by(waiting.pop()) if id(old) not in found]
            found |= {id(old): old for old in olds}
            waiting += olds
        return [*found.values()][1:]

    def _standing_for(self, value: object) -> Sequence[object]:
        return self.standing[id(value)][1] if id(value) in self.standing else ()

    def is_copied(self, owner: object) -> bool:
        """Whether there are copies of an object that know nothing of changes to it."""
        return id(owner) in self.copies

    @contextmanager
    def frame(self) -> Iterator[Frame]:
        """Note what a region writes, and put everything back after it.

        What was made in the region is, from then on, an object of the region around it.
        """
        frame = Frame()
        self.frames.append(frame)
        check = self._arrays.watch()
        try:
            yield frame
            check()
        finally:
            self.frames.pop()
            frame.restore()
            self.frames[-1].born.update(frame.born)
            self.frames[-1].inside.update(frame.inside)

    @contextmanager
    def attempt(self) -> Iterator[Frame]:
        """Note writes that may be taken back by the frame's :meth:`~Frame.restore`, or else stay."""
        frame = Frame(self._arrays.watch())
        self.frames.append(frame)
        try:
            yield frame
        finally:
            self.frames.pop()
            self.frames[-1].inherit(frame)


def holds(state: State, place: Place) -> bool:
    """True where the place is one of the variables of the state.

    What a function does to a variable of the function around it is a write to a place; what the
    function around it does itself is not.
    """
    if not isinstance(place, FreeVariable | Entry):
        return False
    value, mark = place.get(), object()
    place.set(mark)
    try:
        return any(each is mark for each in state.get())
    finally:
        place.set(value)


def extended(state: State, places: Sequence[Place], store: Callable[[Place, Any], None]) -> State:
    """The state with places as further variables; ``store`` writes to a place."""
    if not places:
        return state
    count = len(state.names)

    def get() -> tuple[Any, ...]:
        return (*state.get(), *(place.get() for place in places))

    def put(values: tuple[Any, ...]) -> None:
        state.set(values[:count])
        for place, value in zip(places, values[count:], strict=True):
            store(place, value)

    more = tuple(place.name for place in places)
    return State(get, put, (*state.names, *more), (*state.keep, *more))
