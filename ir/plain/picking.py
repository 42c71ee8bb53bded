"""Items of a sequence by positions that a generator of random numbers has drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__ag_convert__ = True


def picked(population: Any, positions: Sequence[Any]) -> list[Any]:
    """The items at these positions."""
    return [population[int(each)] for each in positions]


def rearrange(items: Any, positions: Sequence[Any]) -> None:
    """Put into each place the item that was at another position."""
    items[:] = [items[int(each)] for each in positions]
