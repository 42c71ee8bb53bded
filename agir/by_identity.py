"""A dictionary with weak keys that are told apart by identity; any layer may use it."""

from __future__ import annotations

import weakref
from functools import partial
from typing import Generic, TypeVar

__all__ = ["IdentityDict"]

Value = TypeVar("Value")


class IdentityDict(Generic[Value]):
    """Maps objects to values for as long as the objects live.

    Code objects compare by value, and equal ones may come from different files.
    """

    def __init__(self) -> None:
        self._entries: dict[int, tuple[weakref.ref[object], Value]] = {}

    @property
    def entries(self) -> dict[int, tuple[weakref.ref[object], Value]]:
        """The entries by the numbers that the objects are; not to be changed."""
        return self._entries

    def __len__(self) -> int:
        return len(self._entries)

    def values(self) -> list[Value]:
        """The values of the objects that live."""
        return [
            value for reference, value in list(self._entries.values()) if reference() is not None
        ]

    def get(self, key: object) -> Value | None:
        """The value of a key, or None."""
        entry = self._entries.get(id(key))
        return entry[1] if entry is not None and entry[0]() is key else None

    def discard(self, key: object) -> None:
        """Forget the value of a key, if there is one."""
        if self.get(key) is not None:
            del self._entries[id(key)]

    def set(self, key: object, value: Value) -> None:
        """Remember a value."""
        number = id(key)
        # No function of Python's: many are called in a row when garbage is collected, and the user's
        # interrupt would be lost in one of them, for nobody is there to hear of an exception.
        forget = partial(self._entries.pop, number)
        self._entries[number] = (weakref.ref(key, forget), value)
