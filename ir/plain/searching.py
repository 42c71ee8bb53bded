"""``items.index(value, start, stop)`` of lists whose length only the run time knows."""

from __future__ import annotations

from typing import Any

__ag_convert__ = True


def index(items: Any, value: Any, start: int, stop: Any = None) -> int:
    """Where the first item between two bounds is that is equal to a value."""
    size = len(items)
    first = max(start + size, 0) if start < 0 else start
    last = size if stop is None else stop
    last = last + size if last < 0 else min(last, size)
    while first < last:
        if items[first] == value:
            return first
        first += 1
    raise ValueError(f"{value!r} is not in {type(items).__name__}")
