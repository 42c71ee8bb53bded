"""Reducing by trying: what still fails is kept, and made smaller again.

The way is that of hierarchical delta debugging (Misherghi and Su, 2006): large parts are left out
first, then smaller ones, until nothing more can be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

State = TypeVar("State")
Kind = Callable[[State], Sequence[Callable[[], State | None]]]
"""From what there is to smaller ones, each made when it is asked for; None where it cannot be."""


class Search(Generic[State]):
    """Tries smaller programs; none of them twice."""

    def __init__(
        self,
        text: Callable[[State], str],
        fails: Callable[[str], bool],
        most: int,
    ) -> None:
        self._text, self._fails, self._most = text, fails, most
        self._seen: set[str] = set()

    @property
    def tried(self) -> int:
        """How many have been tried."""
        return len(self._seen)

    def run(self, state: State, kinds: Sequence[Kind[State]]) -> State:
        """The smallest one that was found."""
        self._seen.add(self._text(state))
        is_smaller = True
        while is_smaller and self.tried < self._most:
            is_smaller = False
            for kind in kinds:
                for found in self._reduced(state, kind):
                    state, is_smaller = found, True
        return state

    def _reduced(self, state: State, kind: Kind[State]) -> Iterator[State]:
        """What is found by one kind of change, one after the other; the last is the smallest."""
        at = 0
        while self.tried < self._most:
            ways = kind(state)
            if at >= len(ways):
                return
            made = ways[at]()
            if made is not None and self._is_wanted(made):
                state = made
                yield state
            else:
                at += 1

    def _is_wanted(self, state: State) -> bool:
        text = self._text(state)
        if text in self._seen:
            return False
        self._seen.add(text)
        return self._fails(text)
