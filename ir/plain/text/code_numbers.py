"""Numbers as lists of code points: how ints are written and read."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir.plain.entering import by_itself, unset_ints
from agir.ir.plain.text import unicode_tables
from agir.ir.plain.text.codes import is_space

__ag_convert__ = True

_PREFIXES = ((2, 98, 66), (8, 111, 79), (16, 120, 88))
"""Bases with the two letters that say them after a zero."""
_NO_DIGIT = 99
_LONGEST = 67
"""So many characters has an int of 64 bits at most, with its sign and two that say the base."""


@by_itself
def in_base(number: int, base: int, prefix: str = "", upper: bool = False) -> Any:
    """An int in a base, as ``bin``, ``hex``, ``oct`` and ``str`` write it."""
    whole, step = np.int64(number), np.uint64(base)  # NumPy's integers are not checked
    rest = (~whole if number < 0 else whole).astype(np.uint64)
    if number < 0:
        rest = rest + np.uint64(1)
    codes, at, more = unset_ints(_LONGEST), np.int64(_LONGEST), True
    while more and at > 0:
        at -= 1
        codes[int(at)] = _digit(int((rest % step).astype(np.int64)), upper)
        rest = rest // step
        more = rest != 0
    for letter in prefix[::-1]:
        at -= 1
        codes[int(at)] = ord(letter)
    if number < 0:
        at -= 1
        codes[int(at)] = 45
    return codes[int(at) :]


def _digit(value: int, upper: bool) -> int:
    return value + 48 if value < 10 else value + (55 if upper else 87)


def read_int(codes: Any, base: int) -> Any:
    """The number that digits say, and whether they say one."""
    at, end = 0, len(codes)
    while at < end and is_space(codes[at]):
        at += 1
    while end > at and is_space(codes[end - 1]):
        end -= 1
    sign = 1
    if at < end and (codes[at] == 43 or codes[at] == 45):
        sign = 44 - codes[at]
        at += 1
    if base == 10:
        return _read_digits(codes, at, end, base, sign)
    found = _prefix(codes, at, end)
    if found > 0 and (base == 0 or base == found):
        at += 2
        if at < end and codes[at] == 95:
            at += 1
        return _read_digits(codes, at, end, found, sign)
    if base == 0:
        number, fine = _read_digits(codes, at, end, 10, sign)
        return number, fine and (number == 0 or codes[at] != 48)
    return _read_digits(codes, at, end, base, sign)


def _prefix(codes: Any, at: int, end: int) -> int:
    """The base that is said before the digits, or 0."""
    found = 0
    if at + 1 < end and codes[at] == 48:
        for base, small, capital in _PREFIXES:
            if codes[at + 1] == small or codes[at + 1] == capital:
                found = base
    return found


def _read_digits(codes: Any, at: int, end: int, base: int, sign: int) -> Any:
    found = 0
    fine, after_digit = True, False
    while at < end and fine:
        code = codes[at]
        if code == 95:
            fine, after_digit = after_digit, False
        else:
            digit = digit_of(code)
            fine, after_digit = digit < base, True
            if digit < base:
                found = found * base + sign * digit
        at += 1
    return found, fine and after_digit


def digit_of(code: int) -> int:
    """The value of a digit of any script, or of a letter that is one in large bases."""
    if 48 <= code <= 57:
        return code - 48
    if 97 <= code <= 122:
        return code - 87
    if 65 <= code <= 90:
        return code - 55
    found = _NO_DIGIT
    if code > 127:
        for zero in unicode_tables.decimals():
            if zero <= code < zero + 10:
                found = code - int(zero)
    return found
