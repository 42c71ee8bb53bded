"""``heapq``: a list whose item at place ``n`` is not above those at ``2 * n + 1`` and ``2 * n + 2``.

Items go where CPython puts them, so that the list itself is the same, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

__ag_convert__ = True

_EMPTY = "index out of range"


def heappush(heap: list[Any], item: Any) -> None:
    """Add an item."""
    heap.append(item)
    _rise(heap, 0, len(heap) - 1)


def heappop(heap: list[Any]) -> Any:
    """Take the least item away."""
    if not heap:
        raise IndexError(_EMPTY)
    last = heap.pop()
    if not heap:
        return last
    least = heap[0]
    heap[0] = last
    _sink(heap, 0)
    return least


def heapreplace(heap: list[Any], item: Any) -> Any:
    """Take the least item away, and then add another one."""
    if not heap:
        raise IndexError(_EMPTY)
    least = heap[0]
    heap[0] = item
    _sink(heap, 0)
    return least


def heappushpop(heap: list[Any], item: Any) -> Any:
    """Add an item, and then take the least one away."""
    if heap and heap[0] < item:
        return heapreplace(heap, item)
    return item


def heapify(heap: list[Any]) -> None:
    """Make a heap of a list."""
    for place in reversed(range(len(heap) // 2)):
        _sink(heap, place)


def nlargest(n: int, iterable: Iterable[Any], key: Callable[[Any], Any] | None = None) -> list[Any]:
    """The greatest items, in falling order."""
    return sorted(iterable, key=key, reverse=True)[: max(n, 0)]


def nsmallest(
    n: int, iterable: Iterable[Any], key: Callable[[Any], Any] | None = None
) -> list[Any]:
    """The least items, in rising order."""
    return sorted(iterable, key=key)[: max(n, 0)]


def _rise(heap: list[Any], top: int, place: int) -> None:
    """Let the item at a place pass those above it that are greater."""
    item = heap[place]
    while place > top:
        above = (place - 1) // 2
        if not item < heap[above]:
            break
        heap[place] = heap[above]
        place = above
    heap[place] = item


def _sink(heap: list[Any], top: int) -> None:
    """Move an item to the bottom along the lesser items, and let it rise from there."""
    item, place, count = heap[top], top, len(heap)
    below = 2 * place + 1
    while below < count:
        if below + 1 < count:  # which of both is less no processor foresees
            below += int(not heap[below] < heap[below + 1])
        heap[place] = heap[below]
        place = below
        below = 2 * place + 1
    heap[place] = item
    _rise(heap, top, place)
