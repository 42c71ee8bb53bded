"""What the running Python knows of Unicode, as constant arrays for code that is converted.

An array for all code points would be large, and most of its pages of 128 numbers are equal: there is
each of them once, and beside them which page stands where.  They are made when first asked for.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

Pages = tuple["np.ndarray[Any, Any]", "np.ndarray[Any, Any]"]

PAGE = 128
"""So many code points are in a page."""
_PAGES = 1 << 14
"""So many pages there are, and some for what no code point is."""
_ALL = 0x110000
_ENDS = ((0, 0x32000), (0xE0000, 0xE0200))
"""Between these, and after them, no code point has been given a meaning but as an ideograph or for
private use; all those of a page are alike there."""

# They are kept in dicts: a function that remembers would be one of the program's, and converted.
_kinds: dict[str, Pages] = {}
_changes: dict[str, tuple[Any, Any, Any]] = {}
_decimals: list[Any] = []

MANY = 1 << 24
"""From here on a change of case is the number of a row of what a letter becomes, if that is several."""
MOST = 3
"""A letter becomes so many at most."""


def _is_title(each: str) -> bool:
    return each.istitle() and not each.isupper()


def _is_cased(each: str) -> bool:
    """Whether a letter after it is no longer the first one of a word."""
    return f"{each}a".title()[-1] == "a"


def _is_ignorable(each: str) -> bool:
    """Whether it is looked past where a sigma is perhaps the last letter of a word."""
    return f"a{each}Σ".lower()[-1] == "ς" != f"{each}Σ".lower()[-1]


def _continues(each: str) -> bool:
    return f"a{each}".isidentifier()


_KINDS: dict[str, Callable[[str], bool]] = {
    "title": _is_title,
    "cased": _is_cased,
    "ignorable": _is_ignorable,
    "continues": _continues,
}
"""Kinds of characters that no method of ``str`` asks for."""


def kind(name: str) -> Pages:
    """Which code points are of a kind: one of those above, or what a method of ``str`` says yes to."""
    if name not in _kinds:
        _kinds[name] = _paged(_KINDS.get(name) or getattr(str, name), np.bool_)
    return _kinds[name]


def changes(name: str) -> tuple[Any, Any, Any]:
    """What a method of ``str`` adds to each code point; and the rows of what becomes several.

    A row has zeros at its end.
    """
    if name not in _changes:
        rows: list[list[int]] = []
        pages = _paged(partial(_change, getattr(str, name), rows), np.int32)
        _changes[name] = *pages, np.array(rows, np.int32)
    return _changes[name]


def _change(method: Callable[[str], str], rows: list[list[int]], each: str) -> int:
    made = method(each)
    if len(made) == 1:
        return ord(made) - ord(each)
    rows.append([*map(ord, made), *[0] * (MOST - len(made))])
    return MANY + len(rows) - 1


def _paged(value_of: Callable[[str], int], dtype: Any) -> Pages:
    """The pages of what a function gives for each code point, and which of them stands where."""
    found: dict[tuple[int, ...], int] = {}
    where = np.zeros(_PAGES, np.int16)
    for page in range(_ALL // PAGE):
        first = page * PAGE
        is_varied = any(low <= first < high for low, high in _ENDS)
        row = _row(value_of, first, is_varied)
        where[page] = found.setdefault(row, len(found))
    return where, np.array(list(found), dtype).reshape(-1)


def _row(value_of: Callable[[str], int], first: int, is_varied: bool) -> tuple[int, ...]:
    if is_varied:
        return tuple(map(value_of, map(chr, range(first, first + PAGE))))
    ends = value_of(chr(first)), value_of(chr(first + PAGE - 1))
    return (ends[:1] * PAGE) if ends[0] == ends[1] else _row(value_of, first, True)


def decimals() -> Any:
    """The zeros beyond ASCII: each is followed by the other nine digits of its script."""
    if not _decimals:
        _decimals.append(_all_decimals())
    return _decimals[0]


def _all_decimals() -> Any:
    codes = (code for low, high in _ENDS for code in range(max(low, 128), high))
    return np.array([code for code in codes if unicodedata.decimal(chr(code), -1) == 0])
