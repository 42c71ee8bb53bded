"""The order of items that are compared in pairs: sorted runs are merged, each time longer ones."""

from __future__ import annotations

from typing import Any

__ag_convert__ = True


def ordered_places(ranks: list[Any], descending: bool) -> list[int]:
    """Where the items stand in their order; those of equal rank stay in theirs."""
    count = len(ranks)
    order = list(range(count))
    width = 1
    while width < count:
        merged = list(order)
        low = 0
        while low < count:
            middle = min(low + width, count)
            high = min(middle + width, count)
            _merge(ranks, order, merged, low, middle, high, descending)
            low = high
        order = merged
        width = 2 * width
    return order


def _merge(
    ranks: list[Any],
    order: list[int],
    merged: list[int],
    low: int,
    middle: int,
    high: int,
    descending: bool,
) -> None:
    left, right = low, middle
    for place in range(low, high):
        takes_left = left < middle
        if left < middle and right < high:
            one, other = ranks[order[left]], ranks[order[right]]
            takes_left = not (one < other if descending else other < one)
        if takes_left:
            merged[place] = order[left]
            left += 1
        else:
            merged[place] = order[right]
            right += 1
