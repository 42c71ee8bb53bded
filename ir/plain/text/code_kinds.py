"""What kinds of characters there are, and what becomes of them in capitals and in small letters.

All of Unicode, as the running Python has it.  Code points are in lists.
"""

from __future__ import annotations

from typing import Any

from agir.ir.plain.entering import by_itself
from agir.ir.plain.text import unicode_tables
from agir.ir.plain.text.unicode_tables import MANY, MOST, PAGE

__ag_convert__ = True

_SIGMA, _LAST_SIGMA = 0x3A3, 0x3C2


def is_of(code: int, name: str) -> Any:
    """Whether a character is of a kind, which is named as the method of ``str``."""
    where, flags = unicode_tables.kind(name)
    return bool(flags[_place(where, code)])


def _place(where: Any, code: int) -> Any:
    return int(where[(code // PAGE) & (len(where) - 1)]) * PAGE + code % PAGE


@by_itself
def all_are(codes: Any, name: str) -> Any:
    """Whether all characters are of a kind."""
    for code in codes:
        if not is_of(code, name):
            return False
    return True


@by_itself
def are_in_one_case(codes: Any, name: str, other: str) -> Any:
    """Whether there are letters of one case, and none of the other."""
    found = False
    for code in codes:
        if is_of(code, other) or is_of(code, "title"):
            return False
        found = found or is_of(code, name)
    return found


@by_itself
def are_titles(codes: Any) -> Any:
    """``str.istitle``."""
    found = previous = False
    for code in codes:
        if is_of(code, "isupper") or is_of(code, "title"):
            if previous:
                return False
            found = previous = True
        elif is_of(code, "islower"):
            if not previous:
                return False
            found = previous = True
        else:
            previous = False
    return found


@by_itself
def is_name(codes: Any) -> Any:
    """``str.isidentifier``."""
    if len(codes) == 0 or not is_of(codes[0], "isidentifier"):
        return False
    for code in codes[1:]:
        if not is_of(code, "continues"):
            return False
    return True


@by_itself
def changed(codes: Any, name: str) -> Any:
    """What a method of ``str`` makes of each character by itself."""
    made: list[int] = []
    for code in codes:
        _add_changed(made, code, name)
    return made


def _add_changed(made: list[int], code: int, name: str) -> None:
    where, changes, rows = unicode_tables.changes(name)
    change = int(changes[_place(where, code)])
    if change < MANY:
        made.append(code + change)
    else:
        for place in range(MOST):
            each = int(rows[change - MANY, place])
            if each > 0:
                made.append(each)


@by_itself
def lower(codes: Any) -> Any:
    """``str.lower``."""
    made: list[int] = []
    for at in range(len(codes)):
        _add_lower(made, codes, at)
    return made


def _add_lower(made: list[int], codes: Any, at: int) -> None:
    if codes[at] == _SIGMA and _ends_word(codes, at):
        made.append(_LAST_SIGMA)
    else:
        _add_changed(made, codes[at], "lower")


def _ends_word(codes: Any, at: int) -> Any:
    """Whether there is a letter before a place, and none after it."""
    before = at - 1
    while before >= 0 and is_of(codes[before], "ignorable"):
        before -= 1
    if before < 0 or not is_of(codes[before], "cased"):
        return False
    after = at + 1
    while after < len(codes) and is_of(codes[after], "ignorable"):
        after += 1
    return after == len(codes) or not is_of(codes[after], "cased")


@by_itself
def capitalized(codes: Any) -> Any:
    """``str.capitalize``."""
    made: list[int] = []
    for at in range(len(codes)):
        if at == 0:
            _add_changed(made, codes[0], "title")
        else:
            _add_lower(made, codes, at)
    return made


@by_itself
def titled(codes: Any) -> Any:
    """``str.title``."""
    made: list[int] = []
    previous = False
    for at in range(len(codes)):
        if previous:
            _add_lower(made, codes, at)
        else:
            _add_changed(made, codes[at], "title")
        previous = is_of(codes[at], "cased")
    return made


@by_itself
def swapped(codes: Any) -> Any:
    """``str.swapcase``."""
    made: list[int] = []
    for at in range(len(codes)):
        code = codes[at]
        if is_of(code, "isupper"):
            _add_lower(made, codes, at)
        elif is_of(code, "islower"):
            _add_changed(made, code, "upper")
        else:
            made.append(code)
    return made
