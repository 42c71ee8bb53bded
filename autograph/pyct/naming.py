"""Names that collide with nothing."""

from __future__ import annotations

from collections.abc import Iterable


class Namer:
    """Makes names that are in use neither in the function nor around it."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)
        self._last: dict[str, int] = {}

    def fresh(self, wish: str) -> str:
        """The name itself, or the name with the first free number behind it."""
        name = wish
        while name in self._taken:
            self._last[wish] = self._last.get(wish, 0) + 1
            name = f"{wish.rstrip('_')}_{self._last[wish]}"
        self._taken.add(name)
        return name
