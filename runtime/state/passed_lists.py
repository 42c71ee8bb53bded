"""Long lists of numbers as arguments, and lists of such: arrays, and no argument for each number.

A trace is then one for lists of any length, and its size does not depend on it.  The function gets
a list whose length only the run time knows (``number_lists``).  Where it needs more than that (it
unpacks the list, or makes a set of it), its trace fails, and is made once more with an argument for
each number.
"""

from __future__ import annotations

from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from agir.ir.types import python_dtype
from agir.runtime.state.columns import Numbers


class Least(NamedTuple):
    """How many numbers a list has at least that is passed as an array, and how many lists a list."""

    numbers: int
    rows: int


MANY = Least(128, 16)
"""Fewer are compiled in less than a second, and more is known of them."""
ANY = Least(1, 1)


_NUMBERS = frozenset((bool, int, float, complex))


class Listed(NamedTuple):
    """A long list of numbers among the arguments of a call."""

    column: Any


def listed(value: Any, least: Least) -> Listed | None:
    """What is passed for a long list of numbers of one class; None for any other value."""
    if type(value) is not list or len(value) < least.numbers:
        return None
    kind = type(value[0])
    if kind not in _NUMBERS or any(type(each) is not kind for each in value):
        return None
    try:
        return Listed(np.array(value, python_dtype(value[0]).numpy).view(Numbers))
    except OverflowError:  # an int of more than 64 bits
        return None


class ListedRows(NamedTuple):
    """A list of many lists of numbers among the arguments of a call.

    The lists lie one behind the other in ``numbers``, each once; ``starts`` and ``lengths`` say where,
    and ``order`` which of them the items are.
    """

    numbers: Any
    starts: Any
    lengths: Any
    order: Any


def rows_of(value: list[list[Any]]) -> list[list[Any]]:
    """The lists that are the items of a list, each once."""
    return list({id(row): row for row in value}.values())


def listed_rows(value: Any, least: Least) -> ListedRows | None:
    """What is passed for many lists of numbers of one class in a list; None for any other value."""
    if type(value) is not list or len(value) < least.rows or set(map(type, value)) != {list}:
        return None
    rows = rows_of(value)
    lengths = np.fromiter(map(len, rows), np.int64, len(rows))
    if lengths.sum() < least.numbers:
        return None
    numbers = list(chain.from_iterable(rows))
    kinds = set(map(type, numbers))
    if len(kinds) != 1 or not kinds <= _NUMBERS:
        return None
    try:
        column = np.array(numbers, python_dtype(numbers[0]).numpy)
    except OverflowError:
        return None
    starts = np.cumsum(lengths) - lengths
    numbered = {id(row): number for number, row in enumerate(rows)}
    order = np.fromiter((numbered[id(row)] for row in value), np.int64, len(value))
    return ListedRows(*(each.view(Numbers) for each in (column, starts, lengths, order)))
