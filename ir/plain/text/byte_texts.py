"""What ``bytes`` and ``bytearray`` do with their contents as text in ASCII, as functions of lists."""

from __future__ import annotations

from typing import Any

__ag_convert__ = True

SPACES = (9, 10, 11, 12, 13, 32)
"""The bytes that are white space."""


def is_upper(value: Any) -> Any:
    """Whether a byte is a capital letter."""
    return 65 <= value <= 90


def is_lower(value: Any) -> Any:
    """Whether a byte is a small letter."""
    return 97 <= value <= 122


def is_letter(value: Any) -> Any:
    """Whether a byte is a letter."""
    return 65 <= value <= 90 or 97 <= value <= 122


def is_digit(value: Any) -> Any:
    """Whether a byte is a digit."""
    return 48 <= value <= 57


def is_letter_or_digit(value: Any) -> Any:
    """Whether a byte is a letter or a digit."""
    return 48 <= value <= 57 or 65 <= value <= 90 or 97 <= value <= 122


def is_space(value: Any) -> Any:
    """Whether a byte is white space."""
    return 9 <= value <= 13 or value == 32


def all_are(values: Any, is_such: Any) -> Any:
    """Whether there are bytes, and all are of a kind."""
    for value in values:
        if not is_such(value):
            return False
    return len(values) > 0


def are_in_case(values: Any, is_wanted: Any, is_other: Any) -> Any:
    """Whether there are letters, and all are in one case."""
    found = False
    for value in values:
        if is_other(value):
            return False
        if is_wanted(value):
            found = True
    return found


def are_titles(values: Any) -> Any:
    """Whether each word begins with a capital letter, and has no others."""
    found, inside = False, False
    for value in values:
        if (is_upper(value) and inside) or (is_lower(value) and not inside):
            return False
        inside = is_letter(value)
        found = found or inside
    return found


def upper(values: Any) -> Any:
    """All letters as capitals."""
    return [value - 32 if 97 <= value <= 122 else value for value in values]


def lower(values: Any) -> Any:
    """All letters as small ones."""
    return [value + 32 if 65 <= value <= 90 else value for value in values]


def swapped(values: Any) -> Any:
    """Small letters as capitals, and capitals as small letters."""
    return [value ^ 32 if is_letter(value) else value for value in values]


def capitalized(values: Any) -> Any:
    """The first letter as a capital, the others as small ones."""
    made = lower(values)
    if len(made) > 0 and is_lower(made[0]):
        made[0] -= 32
    return made


def titled(values: Any) -> Any:
    """The first letter of each word as a capital, the others as small ones."""
    made = lower(values)
    inside = False
    for at in range(len(made)):
        here = is_lower(made[at])
        if here and not inside:
            made[at] -= 32
        inside = here
    return made


def translated(values: Any, table: Any, delete: Any) -> Any:
    """What a table has for each byte that is not left out."""
    return [value if table is None else table[value] for value in values if value not in delete]


def words(values: Any, most: int) -> Any:
    """What is between white space, split so many times."""
    parts: list[Any] = []
    at, size = 0, len(values)
    while at < size:
        while at < size and is_space(values[at]):
            at += 1
        if at < size:
            end = at
            if len(parts) == most:
                end = size
                while is_space(values[end - 1]):
                    end -= 1
                parts.append(values[at:end])
                at = size
            else:
                while end < size and not is_space(values[end]):
                    end += 1
                parts.append(values[at:end])
                at = end
    return parts


def lines(values: Any, keeps_ends: Any) -> Any:
    """The lines, which end with a line feed, a carriage return, or both."""
    parts: list[Any] = []
    begin, at, size = 0, 0, len(values)
    while at < size:
        if values[at] == 10 or values[at] == 13:
            after = at + 1
            if values[at] == 13 and after < size and values[after] == 10:
                after += 1
            parts.append(values[begin:after] if keeps_ends else values[begin:at])
            begin = at = after
        else:
            at += 1
    if begin < size:
        parts.append(values[begin:])
    return parts
