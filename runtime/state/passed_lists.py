"""Long lists of numbers as arguments, and lists of such: arrays, and no argument for each number.

A trace is then one for lists of any length, and its size does not depend on it.  The function gets
a list whose length only the run time knows (``number_lists``).  Where it needs more than that (it
unpacks the list, or makes a set of it), its trace fails, and is made once more with an argument for
each number.
"""

from __future__ import annotations

import math
from collections import Counter, OrderedDict
from collections.abc import Callable
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from agir.ir.building.types import python_dtype
from agir.runtime.state.columns import Numbers


class Least(NamedTuple):
    """How many numbers a list has at least that is passed as an array, how many lists a list.

    A dict or set has at least as many keys as a list has numbers.  Text may be passed as one as well.
    """

    numbers: float
    rows: float
    texts: bool = False


MANY = Least(128, 16)
"""Fewer are compiled in less than a second, and more is known of them."""
ANY = Least(1, 1)
NONE = Least(math.inf, math.inf)
MOST_APART = 4096
"""So many numbers of lists may become arguments of their own; of more a trace would take minutes."""
LARGE = Least(MOST_APART + 1, 1)


_NUMBERS = frozenset((bool, int, float, complex))
_DTYPES: dict[type, np.dtype[Any]] = {kind: python_dtype(kind()).numpy for kind in _NUMBERS}
_LIKE_PYTHON = frozenset(kind for kind, dtype in _DTYPES.items() if dtype == np.dtype(kind))
"""The classes whose numbers lie in arrays as in objects."""


class Listed(NamedTuple):
    """A long list of numbers among the arguments of a call."""

    column: Any


def listed(value: Any, least: Least) -> Listed | None:
    """What is passed for a long list of numbers of one class; None for any other value."""
    if type(value) is not list or len(value) < least.numbers:
        return None
    column = _column(value)
    return None if column is None else Listed(column)


class ListedText(NamedTuple):
    """A text among the arguments of a call, of which each one would be a trace: its code points."""

    codes: Any

    def text(self) -> str:
        """The text."""
        return "".join(map(chr, self.codes))


def listed_text(value: str) -> ListedText:
    """What is passed for a text."""
    if value.isascii():
        codes: Any = np.frombuffer(value.encode(), np.uint8)
    else:
        codes = np.frombuffer(value.encode("utf-32-le", "surrogatepass"), np.uint32)
    return ListedText(codes.astype(np.int64).view(Numbers))


class ListedBytes(NamedTuple):
    """A long bytearray among the arguments of a call."""

    column: Any


def listed_bytes(value: bytearray, least: Least) -> ListedBytes | None:
    """What is passed for a long bytearray."""
    if len(value) < least.numbers:
        return None
    return ListedBytes(np.frombuffer(value, np.uint8).astype(np.int64).view(Numbers))


class ListedRows(NamedTuple):
    """A list of many lists of numbers among the arguments of a call.

    The lists lie one behind the other in ``numbers``, each once; ``starts`` and ``lengths`` say where,
    and ``order`` which of them the items are.
    """

    numbers: Any
    starts: Any
    lengths: Any
    order: Any


class ListedEntries(NamedTuple):
    """A dict of numbers by numbers, or a set of numbers, among the arguments of a call."""

    kind: type
    keys: Any
    values: Any
    """None for a set."""


_DICTS = frozenset((dict, OrderedDict, Counter))


def listed_entries(value: Any, least: Least) -> ListedEntries | None:
    """What is passed for a dict or set of many keys of one class; None for any other value."""
    kind = type(value)
    if (kind is not set and kind not in _DICTS) or len(value) < least.numbers:
        return None
    keys = _column(list(value))
    values = None if kind is set else _column(list(value.values()))
    fits = keys is not None and (kind is set or values is not None)
    return ListedEntries(kind, keys, values) if fits else None


def _column(numbers: list[Any]) -> Any:
    """The array of numbers of one class; None where they are no such."""
    kind = type(numbers[0]) if numbers else None
    made = column_of(numbers, kind) if kind in _NUMBERS else None
    return None if made is None else made.view(Numbers)


def column_of(numbers: list[Any], kind: Any) -> Any:
    """The array of a list of numbers of just this class; None where there is anything else."""
    dtype = _DTYPES[kind]
    take = _Taking.take or _loaded(len(numbers))
    if take is not None and kind in _LIKE_PYTHON:
        made = np.empty(len(numbers), dtype)
        return made if take(numbers, kind, made) else None
    if not set(map(type, numbers)) <= {kind}:
        return None
    try:
        return np.fromiter(numbers, dtype, len(numbers))
    except OverflowError:  # an int of more than 64 bits
        return None


class _Taking:
    """What puts numbers into an array, once it is in memory (`backends/cpu/native/taking.py`)."""

    take: Callable[[list[Any], Any, Any], bool] | None = None
    is_impossible = False


_WORTH_LOADING = 4096
"""Of fewer numbers it takes hundreds of calls until what is quicker has made up for being loaded."""


def _loaded(count: int) -> Any:
    if count < _WORTH_LOADING or _Taking.is_impossible:
        return None
    load_taking()
    return _Taking.take


def load_taking() -> None:
    """Have machine code take the numbers of lists from now on, where there can be any."""
    from agir.backends.cpu import native_code

    found = native_code.taking()
    _Taking.is_impossible = found is None
    if found is not None:
        _Taking.take = found.numbers


def passed(value: Any, least: Least) -> Any:
    """What is passed as arrays for many numbers, or for text; None for any other value."""
    kind = type(value)
    if kind is str:
        return listed_text(value) if least.texts else None
    if kind is bytearray:
        return listed_bytes(value, least)
    if kind is list:
        return listed(value, least) or listed_rows(value, least)
    return listed_entries(value, least)


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
    column = _column(list(chain.from_iterable(rows)))
    if column is None:
        return None
    starts = np.cumsum(lengths) - lengths
    numbered = {id(row): number for number, row in enumerate(rows)}
    order = np.fromiter((numbered[id(row)] for row in value), np.int64, len(value))
    return ListedRows(*(each.view(Numbers) for each in (column, starts, lengths, order)))
