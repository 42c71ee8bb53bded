"""Names that collide with nothing."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["Namer"]


class Namer:
    """Makes names that are in use neither in the function nor around it."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)
        self.made: set[str] = set()

    def fresh(self, wish: str) -> str:
        """The name itself, or the name with the first free number behind it."""
        name, number = wish, 0
        while name in self._taken:
            number += 1
            name = f"{wish.rstrip('_')}_{number}"
        self._taken.add(name)
        self.made.add(name)
        return name
