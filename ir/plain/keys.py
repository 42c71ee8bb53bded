"""``functools.cmp_to_key``: objects that a function of two of them puts in order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__ag_convert__ = True


class Key:
    """A value, and what compares it with others; for tracing an object of a program's class."""

    __module__ = "functools"
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, compare: Callable[[Any, Any], Any], obj: Any) -> None:
        self.compare = compare
        self.obj = obj

    def __lt__(self, other: Any) -> Any:
        return self.compare(self.obj, other.obj) < 0

    def __gt__(self, other: Any) -> Any:
        return self.compare(self.obj, other.obj) > 0

    def __eq__(self, other: object) -> Any:
        return self.compare(self.obj, other.obj) == 0  # type: ignore[attr-defined]

    def __le__(self, other: Any) -> Any:
        return self.compare(self.obj, other.obj) <= 0

    def __ge__(self, other: Any) -> Any:
        return self.compare(self.obj, other.obj) >= 0


def from_comparison(mycmp: Callable[[Any, Any], Any]) -> Callable[[Any], Key]:
    """``cmp_to_key(mycmp)``."""

    def key(obj: Any) -> Key:
        return Key(mycmp, obj)

    return key
