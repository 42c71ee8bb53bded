"""Following values without going the same way twice.

Branches in a row make a graph of values in which the ways from one to another double with each branch.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

_T = TypeVar("_T", bound=Hashable)


def reached(first: Iterable[_T], further: Callable[[_T], Iterable[_T]]) -> Iterator[_T]:
    """What one comes to from the first ones, each once, and what lies behind it before the others."""
    seen: set[_T] = set()
    waiting = list(first)[::-1]
    while waiting:
        each = waiting.pop()
        if each not in seen:
            seen.add(each)
            yield each
            waiting += list(further(each))[::-1]
