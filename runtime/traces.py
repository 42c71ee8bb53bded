"""The traces of one function: found by the type of a call, bounded in number, holding no object."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from agir.config import config
from agir.runtime.signatures.trace_types import CallType, referents

if TYPE_CHECKING:
    from agir.runtime.concrete import ConcreteFunction

Item = TypeVar("Item")

_ALIASES = 1024
"""How many types of calls are remembered that a more general trace serves."""


class Traces:
    """Concrete functions by the types of calls, the one that was used longest ago first.

    There are at most ``config.max_traces``.  A trace whose type names an object that is gone goes
    as well: the callback of the weak reference takes no lock, for it may run anywhere.
    """

    def __init__(self, dropped: Callable[[], None]) -> None:
        self._entries: OrderedDict[CallType, ConcreteFunction] = OrderedDict()
        self._aliases: dict[CallType, CallType] = {}
        self._watched: dict[CallType, list[Any]] = {}
        self._dropped = dropped

    def __len__(self) -> int:
        return len(self._entries)

    def values(self) -> list[ConcreteFunction]:
        """The concrete functions."""
        return _listed(self._entries.values)

    def types(self) -> list[CallType]:
        """The types of calls that they were traced for."""
        return _listed(self._entries.keys)

    def find(self, kind: CallType) -> ConcreteFunction | None:
        """The trace for calls of this type, or the most specific one that is general enough."""
        found = self._entries.get(kind)
        if found is None:
            general = self._aliases.get(kind) or self._supertype(kind)
            if general is None or (found := self._entries.get(general)) is None:
                return None
            if len(self._aliases) >= _ALIASES:
                self._aliases.clear()
            self._aliases[kind] = kind = general
        self.used(kind)
        return found

    def used(self, kind: CallType) -> None:
        """Note that the trace of this type serves a call."""
        with suppress(KeyError):  # it has just been dropped
            self._entries.move_to_end(kind)

    def _supertype(self, kind: CallType) -> CallType | None:
        fitting = [each for each in self.types() if each.is_general and kind.fits(each)]
        for each in fitting:
            if all(each.fits(other) for other in fitting):
                return each
        return fitting[-1] if fitting else None

    def generalized(self, kind: CallType) -> CallType:
        """A type for this call and for those of a trace that is nearly right for it."""
        joined = [(kind.joined(each), each) for each in reversed(self.types())]
        candidates = [(new, each) for new, each in joined if new is not None]
        if not candidates:
            return kind
        return min(candidates, key=lambda pair: _loss(pair[0]))[0]

    def add(self, kind: CallType, concrete: ConcreteFunction) -> None:
        """Keep a trace; the one used longest ago goes where there are too many."""
        self._entries[kind] = concrete
        self._watched[kind] = [
            weakref.ref(each, self._forgetter(kind)) for each in _referents(kind)
        ]
        while len(self._entries) > max(config.max_traces, 1):
            oldest, _ = self._entries.popitem(last=False)
            self._watched.pop(oldest, None)
            self._dropped()
        self._aliases.clear()

    def remove(self, kind: CallType) -> None:
        """Drop the trace of this type."""
        self._entries.pop(kind, None)
        self._watched.pop(kind, None)
        self._aliases.clear()

    def clear(self) -> None:
        """Drop all of them."""
        self._entries.clear()
        self._aliases.clear()
        self._watched.clear()
        self._dropped()

    def _forgetter(self, kind: CallType) -> Callable[[Any], None]:
        traces = weakref.ref(self)

        def forget(reference: Any) -> None:
            mine = traces()
            if mine is not None:
                mine._entries.pop(kind, None)
                mine._aliases.clear()
                mine._watched.pop(kind, None)

        return forget


def _referents(kind: CallType) -> Iterator[Any]:
    for part in kind.parts:
        for each in referents(part):
            if each is not None:
                yield each


def _loss(kind: CallType) -> int:
    """How many sizes a type leaves open."""
    return sum((leaf.shape or ()).count(None) for leaf in kind.leaves)


def _listed(entries: Callable[[], Iterable[Item]]) -> list[Item]:
    """A list of entries, also where an object dies meanwhile, and a trace with it."""
    while True:
        with suppress(RuntimeError):
            return list(entries())
