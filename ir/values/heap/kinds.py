"""Which lists are known by themselves because they are items of lists, and what they hold.

A first trace takes a list that is put into a list of run-time length for a value: the items of both
stand in columns.  Where such a list is written to, or has a run-time length itself, the function is
traced again, and then lists that are items are *references*: numbers of lists that lie side by side
in a pool (``pools``).  There is a pool for each kind of list: for each place of the program where
lists begin to be items, unless lists of two places meet in one variable, which makes them one kind.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from agir.autograph.operators import Place
from agir.ir import hooks
from agir.ir.building import locations
from agir.ir.building.types import DType, int64
from agir.ir.tensors.symbolic import Fixed, Retrace, SymbolicTensor
from agir.ir.tracing.trace import Trace, current
from agir.ir.values import text
from agir.ir.values.abstract_values import (
    FIRST,
    KINDS,
    AbstractValue,
    JoinError,
    Static,
    Typed,
    join,
)
from agir.records import dataclass

T = TypeVar("T")


class Guessed(SymbolicTensor):
    """What is taken out of lists that nothing has been put into yet."""

    __slots__ = ()
    is_guess = True


@dataclass(frozen=True)
class Guess(Typed):
    """Its type, which is an int until something is known of it."""

    def unpack(self, trace: Trace, carried: list[Any]) -> Any:
        """The Python value, from SSA values taken off the front of ``carried``."""
        storage = Fixed(trace.scope, carried.pop(0))
        return Guessed(trace, storage, self.dtype, self.dims, self.weak)


GUESS = Guess(int64, (), weak=True)


def _guessed(
    name: str, left: AbstractValue, right: AbstractValue, strict: bool
) -> AbstractValue | None:
    """What is guessed is of whatever type it meets."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Guess):
            return other
    return None


FIRST["guess"] = _guessed
KINDS[Guessed] = lambda trace, value, around: GUESS


class ByReference(Retrace):
    """More has to be known of lists that are items of lists."""

    def __init__(self, kinds: PointsToClasses | None = None) -> None:
        super().__init__()
        self.kinds = PointsToClasses() if kinds is None else kinds

    def tell(self, trace: Trace) -> None:
        """Lists that are items are references."""
        trace.kinds = self.kinds


BY_REFERENCE: tuple[type, ...] = (list, tuple)
"""Sequences of a run-time length that can be items of others: they are references there."""


def learn_of_all(steps: Iterable[Callable[[], T]]) -> list[T]:
    """What the steps give; if one finds that more has to be known, after the others are asked, too."""
    found: list[T] = []
    learnt: ByReference | None = None
    for step in steps:
        try:
            found.append(step())
        except ByReference as error:
            learnt = learnt or error
        except Exception:
            if learnt is None:
                raise
    if learnt is not None:
        raise learnt
    return found


class PointsToClass:
    """Lists whose items are of one type, which may meet in one variable."""

    noted: tuple[DType, ...] = (int64, int64)
    """What a caller needs of each besides its items: where they start, and how many there are."""

    def __init__(self, made: type = list) -> None:
        self.made = made
        """Python's class of them: lists, or tuples."""
        self.name: Hashable = None
        """What tells kinds of objects apart."""
        self.known: AbstractValue | None = None
        """The type of the items; None where nothing has been put into any."""
        self.is_read = False
        """Whether something has been recorded for the type as it is now."""
        self._texts: set[str] = set()
        self._times_grown = self._times_longer = 0

    def begin(self) -> None:
        """A trace begins, for which nothing has been recorded."""
        self.is_read = False
        texts = set().union(*map(_texts_in, self.held()))
        self._times_grown += texts > self._texts
        self._texts = texts

    def note_growth(self, before: AbstractValue, now: AbstractValue) -> None:
        """What has been read may have been made longer, and is put back."""
        known, found = _texts_in(before), _texts_in(now)
        self._times_longer += any(
            text and text in other for other in found - known for text in known
        )

    def held(self) -> Sequence[AbstractValue]:
        """The types of what is held."""
        return () if self.known is None else (self.known,)

    @property
    def texts_grow(self) -> bool:
        """Whether each trace has met another text, which a loop makes of the one before, perhaps."""
        return self._times_grown > _TIMES or self._times_longer > 1

    def merge(self, name: str, other: Any) -> None:
        """Hold what another kind holds, too."""
        if other.known is not None:
            self.known = other.known if self.known is None else join(name, self.known, other.known)

    def transform(self, change: Callable[[AbstractValue], AbstractValue]) -> None:
        """Change the types of what is held."""
        self.known = None if self.known is None else change(self.known)

    def changed(self, begun: Sequence[Any], now: Sequence[Any]) -> Any:
        """Whether lists have been written to, or made, of what a pool began with and what it has."""
        differ = any(one is not other for one, other in zip(begun, now, strict=True))
        return differ and self.made is list

    @property
    def contents(self) -> AbstractValue:
        """The type of the items as far as it is known."""
        return GUESS if self.known is None else self.known

    @property
    def element(self) -> AbstractValue:
        """The type of the items, with which something is recorded now."""
        self.is_read = True
        return self.contents


class PointsToClasses:
    """What is known of the kinds of a function, through all attempts to trace it."""

    def __init__(self) -> None:
        self._at: dict[Hashable, PointsToClass] = {}
        self.are_many = False
        """Whether long loops that make lists are recorded even if Python could run them."""
        self.named: set[Hashable] = set()
        """The variables of functions whose lists are known by themselves: others have them, too."""
        self.classes: set[Hashable] = set()
        """The classes whose objects are known by their numbers, and where dicts and sets are made
        that are (``objects``)."""
        self.are_outdated = False
        """Whether something was recorded for types that have turned out to be others: the trace goes
        on, for it may find more such, and is then made again."""
        self._of_classes: dict[Hashable, PointsToClass] = {}
        self._meeting: list[tuple[str, PointsToClass, PointsToClass]] = []
        self._united: dict[PointsToClass, PointsToClass] = {}
        """What has become part of another kind, of which the trace still has references."""

    def begin(self) -> None:
        """A trace begins, for which nothing has been recorded."""
        self.are_outdated = False
        self._united.clear()
        for kind in (*self._at.values(), *self._of_classes.values()):
            kind.begin()

    @property
    def texts_grow(self) -> bool:
        """Whether a trace is of no use that knows texts as some of those that were met so far."""
        return any(k.texts_grow for k in (*self._at.values(), *self._of_classes.values()))

    def at(self, place: Hashable, made: type = list) -> PointsToClass:
        """The kind of the lists, or tuples, that begin to be items at a place of the program."""
        return self._at.setdefault((place, made), PointsToClass(made))

    def of_class(self, name: Hashable, make: Callable[[], Any]) -> Any:
        """The kind of the objects of a class."""
        if name not in self._of_classes:
            self._of_classes[name] = make()
            self._of_classes[name].name = name
        return self._of_classes[name]

    def admit(self, name: str, kind: PointsToClass, abstract: AbstractValue) -> None:
        """Have lists of that kind hold such items, too; raises `JoinError`."""
        if isinstance(abstract, Guess):
            return
        kind = self._now(kind)
        joined = abstract if kind.known is None else join(name, kind.known, abstract)
        if not joined.has_fixed_size:  # tuples of several lengths are known by themselves
            joined = hooks.values.referring(name, joined)
        if not joined.has_fixed_size:
            raise JoinError(f"{name} is a list that holds {joined.describe()}")
        before, kind.known = kind.known, joined
        if before is None and kind.is_read and joined != GUESS:
            raise ByReference(self)  # before what was guessed goes anywhere else
        if kind.is_read and before is not None and joined != before:
            self.are_outdated = True
            kind.note_growth(before, joined)
            if kind.texts_grow:
                text.need_codes(current())

    def check(self) -> None:
        """Trace again if something was recorded for other types."""
        if self.are_outdated:
            raise ByReference(self)

    def unite(self, name: str, one: PointsToClass, other: PointsToClass) -> Any:
        """Make two kinds one, and those that then meet in what they hold; gives what they are."""
        self._meeting.append((name, self._now(one), self._now(other)))
        if len(self._meeting) == 1:
            for each, kept, gone in self._meeting:
                if kept is not gone:
                    kept.merge(each, gone)
                    self._replace(gone, kept)
            self._meeting.clear()
        return self._now(one)

    def _now(self, kind: PointsToClass) -> PointsToClass:
        """What a kind is part of."""
        while kind in self._united:
            kind = self._united[kind]
        return kind

    def _replace(self, gone: PointsToClass, kept: PointsToClass) -> None:
        """Have one kind wherever another was, but in what has been recorded."""
        self.are_outdated = True
        self._united[gone] = kept
        for kinds in (self._at, self._of_classes):
            kinds.update({place: kept for place, kind in kinds.items() if kind is gone})
            for kind in kinds.values():
                kind.transform(lambda abstract: with_kind(abstract, gone, kept))
        self._meeting[:] = [
            (name, kept if one is gone else one, kept if other is gone else other)
            for name, one, other in self._meeting
        ]


_TIMES = 3
"""After as many traces that have each met more texts, texts are lists of code points."""


def _texts_in(abstract: Any) -> set[str]:
    """Which known texts a type is of."""
    if isinstance(abstract, tuple):
        return set().union(*map(_texts_in, abstract))
    if type(abstract) is Static:
        return {abstract.value} if isinstance(abstract.value, str) else set()
    if not isinstance(abstract, AbstractValue) or not is_dataclass(abstract):
        return set()
    return _texts_in(tuple(getattr(abstract, each.name) for each in fields(abstract)))


def with_kind(abstract: Any, gone: PointsToClass, kept: PointsToClass) -> Any:
    """A type with another kind in the place of one."""
    if isinstance(abstract, tuple):
        return tuple(with_kind(each, gone, kept) for each in abstract)
    if not isinstance(abstract, AbstractValue) or not is_dataclass(abstract):
        return kept if abstract is gone else abstract
    held = {each.name: getattr(abstract, each.name) for each in fields(abstract)}
    changed = {name: with_kind(value, gone, kept) for name, value in held.items()}
    return replace(abstract, **changed) if changed != held else abstract


def place_of(trace: Trace) -> Hashable:
    """Where recording stands, with the calls around."""
    return tuple(map(locations.position, trace.frames()))


def variable(place: locations.Position | None, name: str) -> Hashable:
    """A variable of the function that a place is in."""
    return (name, None) if place is None else (name, place.file, place.function)


class Lengths(Place):
    """How many items each list of a kind has, of which loops over one of them must know."""

    name = "the lists"

    def __init__(self, kind: PointsToClass) -> None:
        self.owner = kind
        self.key = ("lengths", id(kind))

    def get(self) -> Any:
        """Nothing: the lengths are carried with the pool."""
        return None

    def set(self, value: Any) -> None:
        """Nothing, likewise."""


def note_lengths(trace: Trace, places: Iterable[Place]) -> None:
    """Tell what is around a loop of the lists that it has perhaps made longer or shorter."""
    for place in places:
        if isinstance(place, Lengths):
            trace.journal.note(place)
