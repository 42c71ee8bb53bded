"""``bisect``: where a value belongs in a sorted sequence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__ag_convert__ = True


def bisect_left(
    a: Any, x: Any, lo: int = 0, hi: int | None = None, *, key: Callable[[Any], Any] | None = None
) -> int:
    """Before the items that are equal to the value."""
    return _first(a, lo, hi, key, lambda item: not item < x)


def bisect_right(
    a: Any, x: Any, lo: int = 0, hi: int | None = None, *, key: Callable[[Any], Any] | None = None
) -> int:
    """After the items that are equal to the value."""
    return _first(a, lo, hi, key, lambda item: x < item)


def _first(
    a: Any,
    lo: int,
    hi: int | None,
    key: Callable[[Any], Any] | None,
    is_beyond: Callable[[Any], bool],
) -> int:
    """The first place of which, and of all after it, something is true."""
    if lo < 0:
        raise ValueError("lo must be non-negative")
    low, high = lo, len(a) if hi is None else hi
    while low < high:
        middle = (low + high) // 2
        item = a[middle] if key is None else key(a[middle])
        if is_beyond(item):
            high = middle
        else:
            low = middle + 1
    return low


def insort_left(
    a: Any, x: Any, lo: int = 0, hi: int | None = None, *, key: Callable[[Any], Any] | None = None
) -> None:
    """Put the value before those that are equal to it."""
    a.insert(bisect_left(a, x if key is None else key(x), lo, hi, key=key), x)


def insort_right(
    a: Any, x: Any, lo: int = 0, hi: int | None = None, *, key: Callable[[Any], Any] | None = None
) -> None:
    """Put the value after those that are equal to it."""
    a.insert(bisect_right(a, x if key is None else key(x), lo, hi, key=key), x)
