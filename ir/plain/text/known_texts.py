"""What is known of values while tracing: hashes, tables of ``str.translate``, what they may be."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

Rows = tuple[Any, Any, Any]

EMPTY, PRIME = 14695981039346656037, 11400714785074694791
"""The hash of the text without characters, and by what it is multiplied with some more of them."""
AT_ONCE, BITS = 3, 21
"""So many characters go into it together, each of so many bits; the last two at the end (again)."""
_BITS = 64
_PLACE = 16
"""The bytes of a place in the table of a set of Python's: a hash, and a key."""
_LEAST_PLACES = 8
"""Of a table that lies in the set itself."""


def hash_of(codes: Any) -> int | None:
    """The hash of code points that are all known, as `hashes` has it of others; else None."""
    if getattr(codes, "is_staged", False) or not all(type(each) is int for each in codes):
        return None
    found = EMPTY ^ len(codes)
    parts = [codes[at : at + AT_ONCE] for at in range(0, len(codes) - AT_ONCE + 1, AT_ONCE)]
    if codes:
        parts.append([codes[-1], codes[max(len(codes) - 2, 0)]])
    for part in parts:
        found ^= sum(code << (BITS * n) for n, code in enumerate(part))
        found = found * PRIME % (1 << _BITS)
        found ^= found >> (_BITS // 2)
    return found - ((found >> (_BITS - 1)) << _BITS)


def rows_of(table: Any) -> Rows | None:
    """Keys, where the code points of each begin, and all code points; None for what is not known."""
    if type(table) is not dict or not all(type(key) is int for key in table):
        return None
    parts = list(map(_codes_of, table.values()))
    if any(part is None for part in parts):
        return None
    codes = [code for part in parts if part is not None for code in part]
    ends = np.cumsum([0, *(len(part) for part in parts if part is not None)])
    return np.array(list(table), np.int64), ends, np.array([*codes, 0], np.int64)


def _codes_of(value: Any) -> list[int] | None:
    if value is None:
        return []
    if type(value) is int:
        return [value]
    return list(map(ord, value)) if type(value) is str else None


_NUMBERS = frozenset((bool, int, float))


def hash_of_numbers(key: tuple[Any, ...]) -> int | None:
    """The hash of a tuple of numbers that are known while tracing; None for any other."""
    if not isinstance(key, tuple):  # only the run time knows how long it is
        return None
    known = all(type(item) in _NUMBERS and item == item for item in key)
    return hash(key) if known else None


def places_of(known: Any) -> int:
    """How many places there are in the table of a set of Python's (Objects/setobject.c)."""
    more = (sys.getsizeof(known) - sys.getsizeof(set())) // _PLACE
    return more or _LEAST_PLACES


def is_of_several_classes(value: Any) -> bool:
    """Whether the path taken at run time decides of which class a number is."""
    return hasattr(type(value), "classes")


def holds_floats(number: Any) -> bool:
    """Whether the classes of such a number are not all of integers."""
    return not number.dtype.is_integer


def is_one_of_several(value: Any) -> bool:
    """Whether the path taken at run time decides which of several objects a value is."""
    return hasattr(type(value), "each")
