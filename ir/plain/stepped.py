"""Parts of lists that are taken in steps: ``items[::2] = new``, ``del items[::2]``."""

from __future__ import annotations

from typing import Any

__ag_convert__ = True


def assign(items: Any, key: Any, new: Any) -> None:
    """``items[key] = new``, where the key has a step."""
    wanted = list(new)
    if key.step == 1:
        items[key.start : key.stop] = wanted
        return
    places = range(len(items))[key]
    if len(places) != len(wanted):
        raise ValueError(
            f"attempt to assign sequence of size {len(wanted)} to extended slice of size {len(places)}"
        )
    for number in range(len(wanted)):
        items[places[number]] = wanted[number]


def delete(items: Any, key: Any) -> None:
    """``del items[key]``, where the key has a step."""
    places = range(len(items))[key]
    items[:] = [items[place] for place in range(len(items)) if place not in places]
