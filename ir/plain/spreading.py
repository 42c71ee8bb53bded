"""What functions do with the items of a list that they are given as arguments: ``f(*items)``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agir.ir.plain.entering import refused_unless

__ag_convert__ = True


def several(items: list[Any], name: str) -> list[Any]:
    """The numbers that ``max`` compares: one alone it takes for something to go through."""
    if len(items) == 0:
        raise TypeError(f"{name} expected at least 1 argument, got 0")
    if len(items) == 1:
        raise TypeError(f"'{type(items[0]).__name__}' object is not iterable")
    return items


def transposed(rows: list[Any]) -> Iterator[tuple[Any, ...]]:
    """``zip(*rows)`` of lists."""
    width = min([len(row) for row in rows], default=0)
    for place in range(width):
        yield tuple([row[place] for row in rows])


def check_rows(rows: list[Any]) -> None:
    """Of no rows there are no columns, however many items each would have."""
    refused_unless(len(rows) > 0, "zip(*rows) of no rows")


def column(rows: list[Any], place: int) -> tuple[Any, ...]:
    """One of the tuples that ``zip(*rows)`` of tuples gives."""
    return tuple([row[place] for row in rows])
