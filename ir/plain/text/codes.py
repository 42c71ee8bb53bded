"""What ``str`` and ``bytes`` do with their contents, as functions of lists of numbers.

The numbers are code points of a text, or bytes.  Every function leaves its lists as they are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir.plain.entering import by_itself, unset_ints

__ag_convert__ = True

_OTHER_SPACES = tuple(code for code in range(33, 0x10000) if chr(code).isspace())
_BREAKS = tuple(
    code for code in (*range(33), *_OTHER_SPACES) if len(f"{chr(code)}x".splitlines()) == 2
)
"""The code points that end a line."""


def is_space(code: int) -> Any:
    """Whether ``str.isspace`` says yes."""
    found = 9 <= code <= 13 or 28 <= code <= 32
    if code >= 133:
        found = code in _OTHER_SPACES
    return found


def bound(value: Any, size: int, default: int) -> Any:
    """A bound of a part, between 0 and the size; it is counted from the end where it is negative."""
    if value is None:
        return default
    if value < 0:
        value += size
    return min(max(value, 0), size)


def is_at(codes: Any, wanted: Any, at: int) -> Any:
    """Whether a part stands at a place where there is room for it."""
    for place in range(len(wanted)):
        if codes[at + place] != wanted[place]:
            return False
    return True


@by_itself
def find(codes: Any, wanted: Any, start: Any = 0, end: Any = None) -> int:
    """Where a part begins first, or -1."""
    size = len(codes)
    if start is not None and start > size:
        return -1
    last = bound(end, size, size) - len(wanted)
    for at in range(bound(start, size, 0), last + 1):
        if is_at(codes, wanted, at):
            return at
    return -1


@by_itself
def find_last(codes: Any, wanted: Any, start: Any = 0, end: Any = None) -> int:
    """Where a part begins last, or -1."""
    size = len(codes)
    if start is not None and start > size:
        return -1
    last = bound(end, size, size) - len(wanted)
    for at in range(last, bound(start, size, 0) - 1, -1):
        if is_at(codes, wanted, at):
            return at
    return -1


@by_itself
def count(codes: Any, wanted: Any, start: Any = 0, end: Any = None) -> Any:
    """How often a part is there."""
    size = len(codes)
    if start is not None and start > size:
        return 0
    at, last = bound(start, size, 0), bound(end, size, size)
    if len(wanted) == 0:
        return max(last - at + 1, 0)
    found = 0
    while at + len(wanted) <= last:
        if is_at(codes, wanted, at):
            found += 1
            at += len(wanted)
        else:
            at += 1
    return found


@by_itself
def starts(codes: Any, wanted: Any, start: Any = 0, end: Any = None) -> Any:
    """Whether the part between two bounds begins so."""
    size = len(codes)
    if start is not None and start > size:
        return False
    at, last = bound(start, size, 0), bound(end, size, size)
    return at + len(wanted) <= last and is_at(codes, wanted, at)


@by_itself
def ends(codes: Any, wanted: Any, start: Any = 0, end: Any = None) -> Any:
    """Whether the part between two bounds ends so."""
    size = len(codes)
    if start is not None and start > size:
        return False
    at, last = bound(start, size, 0), bound(end, size, size)
    return at + len(wanted) <= last and is_at(codes, wanted, last - len(wanted))


@by_itself
def replace(codes: Any, old: Any, new: Any, most: int = -1) -> Any:
    """The numbers with a part replaced, so many times at most, or always."""
    made: list[int] = []
    left = len(codes) + 1 if most < 0 else most
    at = 0
    while at < len(codes):
        if left > 0 and at + len(old) <= len(codes) and is_at(codes, old, at):
            made.extend(new)
            left -= 1
            if len(old) == 0:
                made.append(codes[at])
            at += max(len(old), 1)
        else:
            made.append(codes[at])
            at += 1
    if len(old) == 0 and left > 0:
        made.extend(new)
    return made


@by_itself
def strip(codes: Any, gone: Any, left: bool = True, right: bool = True) -> Any:
    """The numbers without some at the ends: those in a list, or spaces."""
    first, last = 0, len(codes)
    if left:
        while first < last and _is_gone(codes[first], gone):
            first += 1
    if right:
        while last > first and _is_gone(codes[last - 1], gone):
            last -= 1
    return codes[first:last]


def _is_gone(code: int, gone: Any) -> Any:
    return is_space(code) if gone is None else code in gone


def split(codes: Any, separator: Any, most: int = -1) -> list[Any]:
    """The parts between separators."""
    parts = []
    left = len(codes) + 1 if most < 0 else most
    first, at = 0, 0
    while at + len(separator) <= len(codes):
        if left > 0 and is_at(codes, separator, at):
            parts.append(codes[first:at])
            left -= 1
            at += len(separator)
            first = at
        else:
            at += 1
    parts.append(codes[first:])
    return parts


def split_last(codes: Any, separator: Any, most: int = -1) -> list[Any]:
    """The parts between the last separators."""
    parts = []
    left = len(codes) + 1 if most < 0 else most
    last = len(codes)
    at = last - len(separator)
    while at >= 0:
        if left > 0 and is_at(codes, separator, at):
            parts.append(codes[at + len(separator) : last])
            left -= 1
            last = at
            at -= len(separator)
        else:
            at -= 1
    parts.append(codes[:last])
    parts.reverse()
    return parts


def word_bounds(codes: Any) -> Any:
    """Where each part between spaces begins and ends, one after the other; none of them is empty.

    There is no branch that depends on where spaces are, for a processor would not foresee them.
    """
    bounds = unset_ints(len(codes) + 1)
    at, count, inside = np.int64(0), np.int64(0), False  # NumPy's integers are not checked
    for code in codes:
        before = inside
        inside = not is_space(code)
        bounds[int(count)] = int(at)
        count += np.int64(inside != before)
        at += 1
    if inside:
        bounds[int(count)] = len(codes)
        count += 1
    del bounds[int(count) :]
    return bounds


def words(codes: Any, most: int = -1) -> list[Any]:
    """The parts between spaces, none of which is empty."""
    bounds = word_bounds(codes)
    parts = []
    number = len(bounds) // 2
    split_off = number if most < 0 else min(number, most)
    for each in range(split_off):
        parts.append(codes[bounds[2 * each] : bounds[2 * each + 1]])
    if split_off < number:
        parts.append(codes[bounds[2 * split_off] :])
    return parts


def last_words(codes: Any, most: int = -1) -> list[Any]:
    """The same, of which the last ones are split off."""
    bounds = word_bounds(codes)
    parts = []
    number = len(bounds) // 2
    first = 0 if most < 0 else max(number - most, 0)
    if first > 0:
        parts.append(codes[: bounds[2 * first - 1]])
    for each in range(first, number):
        parts.append(codes[bounds[2 * each] : bounds[2 * each + 1]])
    return parts


def lines(codes: Any, keep_ends: bool = False) -> list[Any]:
    """The lines."""
    parts = []
    at, first, size = 0, 0, len(codes)
    while at < size:
        code = codes[at]
        at += 1
        if code in _BREAKS:
            end = at if keep_ends else at - 1
            if code == 13 and at < size and codes[at] == 10:
                at += 1
                end = at if keep_ends else end
            parts.append(codes[first:end])
            first = at
    if first < size:
        parts.append(codes[first:])
    return parts


@by_itself
def padded(codes: Any, before: int, after: int, fill: int) -> Any:
    """The numbers with another one before and after them, so many times."""
    made = [fill] * max(before, 0)
    made.extend(codes)
    made.extend([fill] * max(after, 0))
    return made


@by_itself
def centred(codes: Any, width: int, fill: int) -> Any:
    """The numbers in the middle of a field, where ``str.center`` puts them."""
    room = max(max(width, 0) - len(codes), 0)
    before = room // 2 + (room & width & 1)
    return padded(codes, before, room - before, fill)


@by_itself
def filled_with_zeros(codes: Any, width: int) -> Any:
    """The numbers with zeros before them, but after a sign."""
    signed = len(codes) > 0 and (codes[0] == 43 or codes[0] == 45)
    made: list[int] = []
    if signed:
        made.append(codes[0])
    made.extend([48] * max(max(width, 0) - len(codes), 0))
    made.extend(codes[1:] if signed else codes)
    return made


@by_itself
def with_tabs_expanded(codes: Any, size: int) -> Any:
    """The numbers with spaces for tabs."""
    made: list[int] = []
    column = 0
    for code in codes:
        if code == 9:
            count = size - column % size if size > 0 else 0
            made.extend([32] * count)
            column += count
        else:
            made.append(code)
            column = 0 if code == 10 or code == 13 else column + 1
    return made
