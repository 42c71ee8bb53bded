"""Text that only the run time knows: lists of code points, and what ``str`` does with them.

A single character is a `Char`, which can be an item of lists.  What is done with code points is in
`codes`, `code_kinds` and `code_numbers`; here they are taken out of texts, and put into new ones.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable
from typing import Any

import numpy as np

from agir.autograph.operators import call
from agir.ir.plain.entering import (
    StandIn,
    codes_of_one,
    encoded,
    entering,
    is_perhaps_none,
    refusing,
    staged_text,
    written,
)
from agir.ir.plain.text import code_kinds, code_numbers, codes, known_texts
from agir.ir.plain.text.known_texts import rows_of

__ag_convert__ = True
__ag_unrolled__ = True  # what calls itself does so for what texts are made of

_CODES = "utf-32-le" if sys.byteorder == "little" else "utf-32-be"


def codes_of(value: Any) -> Any:
    """The code points of a text."""
    if is_perhaps_none(value):
        return codes_of(value._checked)
    if isinstance(value, Char):
        return [value.code]
    if hasattr(value, "codes"):
        return value.codes
    found = codes_of_one(value)
    if found is not None:
        return found
    if not isinstance(value, str):
        raise TypeError(f"must be str, not {_kind_of(value)}")
    return [ord(each) for each in value]


def as_text(value: Any) -> Any:
    """Any text as a list of code points."""
    return Text(codes_of(value))


def in_base(number: int, base: int, prefix: str = "", upper: bool = False) -> Any:
    """An int in a base, as ``bin``, ``hex``, ``oct`` and ``str`` write it."""
    return Text(code_numbers.in_base(number, base, prefix, upper))


def to_int(value: Any, base: int = 10) -> int:
    """``int(text, base)``."""
    if base != 0 and (base < 2 or base > 36):
        raise ValueError("int() base must be >= 2 and <= 36, or 0")
    number, fine = code_numbers.read_int(codes_of(value), base)
    if not fine:
        raise ValueError(f"invalid literal for int() with base {base}: {value!r}")
    return number  # type: ignore[no-any-return]


def code_of(value: Any) -> int:
    """``ord(text)``."""
    if isinstance(value, Char):
        return value.code  # type: ignore[no-any-return]
    found = codes_of(value)
    if len(found) != 1:
        raise TypeError(f"ord() expected a character, but string of length {len(found)} found")
    return found[0]  # type: ignore[no-any-return]


def character(code: int) -> Any:
    """``chr(code)``."""
    if code < 0 or code > 0x10FFFF:
        raise ValueError("chr() arg not in range(0x110000)")
    return Char(code)


def joined(separator: Any, parts: Iterable[Any]) -> Any:
    """``separator.join(parts)``."""
    between = codes_of(separator)
    made = []
    is_first = True
    for part in parts:
        if not isinstance(part, str):
            raise TypeError(f"sequence item: expected str instance, {_kind_of(part)} found")
        if not is_first:
            made.extend(between)
        made.extend(codes_of(part))
        is_first = False
    return Text(made)


def together(one: Any, two: Any) -> Any:
    """``one + two``."""
    for each in (one, two):
        if not isinstance(each, str):
            raise TypeError(f'can only concatenate str (not "{_kind_of(each)}") to str')
    made = []
    made.extend(codes_of(one))
    made.extend(codes_of(two))
    return Text(made)


def repeated(value: Any, count: int) -> Any:
    """``text * count``."""
    if not isinstance(count, int | np.integer):
        raise TypeError(f"can't multiply sequence by non-int of type '{_kind_of(count)}'")
    return Text(codes_of(value) * max(count, 0))


def item(value: Any, key: Any) -> Any:
    """``text[key]``."""
    found = codes_of(value)
    if isinstance(key, slice):
        return Text(found[key])
    if key < -len(found) or key >= len(found):
        raise IndexError("string index out of range")
    return Char(found[key])


def characters(value: Any) -> Any:
    """The characters of a text."""
    return [Char(code) for code in codes_of(value)]


def characters_from_the_end(value: Any) -> Any:
    """``reversed(text)``."""
    return [Char(code) for code in codes_of(value)[::-1]]


def in_order(value: Any, key: Any = None, reverse: bool = False) -> list[Any]:
    """``sorted(text)``."""
    if key is not None:
        return sorted(characters(value), key=key, reverse=reverse)
    return [Char(code) for code in sorted(codes_of(value), reverse=reverse)]


def equal(one: Any, two: Any) -> Any:
    """``one == two``."""
    if not (isinstance(one, str) and isinstance(two, str)):
        return False
    if isinstance(one, Char) and isinstance(two, Char):
        return one.code == two.code
    return codes_of(one) == codes_of(two)


def less(one: Any, two: Any) -> Any:
    """``one < two``."""
    _check_order("<", one, two)
    return codes_of(one) < codes_of(two)


def _check_order(sign: str, one: Any, two: Any) -> None:
    if not (isinstance(one, str) and isinstance(two, str)):
        names = f"'{_kind_of(one)}' and '{_kind_of(two)}'"
        raise TypeError(f"'{sign}' not supported between instances of {names}")


def _kind_of(value: Any) -> Any:
    if is_perhaps_none(value):
        return "NoneType"
    return "other" if known_texts.is_one_of_several(value) else type(value).__name__


def find(value: Any, part: Any) -> int:
    """``text.find(part)``."""
    return codes.find(codes_of(value), codes_of(part))


def _fitting(value: Any, parts: Any, test: Any, start: Any, end: Any) -> Any:
    """Whether a text begins, or ends, with a part or with one of several."""
    if not isinstance(parts, tuple):
        return test(codes_of(value), codes_of(parts), start, end)
    for part in parts:
        if test(codes_of(value), codes_of(part), start, end):
            return True
    return False


def place_among(value: Any, ends: Any, others: Any) -> int:
    """Which of some known texts it is, or -1: their code points, and where those of each end."""
    found = codes_of(value)
    for place in range(len(ends) - 1):
        first = int(ends[place])
        if int(ends[place + 1]) - first == len(found):
            at = 0
            while at < len(found) and int(others[first + at]) == found[at]:
                at += 1
            if at == len(found):
                return place
    return -1


def texts_of(parts: Any) -> Any:
    """Lists of code points as texts."""
    return [Text(part) for part in parts]


def split(value: Any, separator: Any, most: int, at_the_end: bool) -> Any:
    """``text.split(separator, most)``, or ``rsplit``."""
    found = codes_of(value)
    if separator is None:
        return texts_of(codes.last_words(found, most) if at_the_end else codes.words(found, most))
    between = codes_of(separator)
    if len(between) == 0:
        raise ValueError("empty separator")
    if at_the_end:
        return texts_of(codes.split_last(found, between, most))
    return texts_of(codes.split(found, between, most))


def partition(value: Any, separator: Any, at: int) -> Any:
    """What is before a place, the separator that is there, what is after it."""
    found, between = codes_of(value), codes_of(separator)
    return Text(found[:at]), Text(between), Text(found[at + len(between) :])


def translated(value: Any, table: Any) -> Any:
    """``text.translate(table)``."""
    rows = rows_of(table)
    made: list[int] = []
    for code in codes_of(value):
        if rows is None:
            _add_translated(made, code, table)
        else:
            _add_row(made, code, rows)
    return Text(made)


def _add_row(made: list[int], code: int, rows: Any) -> None:
    keys, ends, found = rows
    row = -1
    for place in range(len(keys)):
        if int(keys[place]) == code:
            row = place
    if row < 0:
        made.append(code)
    else:
        for place in range(int(ends[row]), int(ends[row + 1])):
            made.append(int(found[place]))


def _add_translated(made: list[int], code: int, table: Any) -> None:
    if code not in table:
        made.append(code)
        return
    found = table[code]
    if isinstance(found, str):
        made.extend(codes_of(found))
    elif found is not None:
        made.append(found)


class Text(StandIn):
    """A text of the run time."""

    stands_for = str
    is_text = True  # also to functions of the library
    is_of_codes = True

    def __init__(self, codes: Any) -> None:
        self.codes = codes

    @staticmethod
    def plain_of(codes: Any) -> str:
        """The text that the caller gets, of what it is made of."""
        return array("I", codes).tobytes().decode(_CODES, "surrogatepass")

    def plain(self) -> str:
        """The text that the caller gets."""
        return self.plain_of(self.codes)

    @staticmethod
    def coerced(value: Any) -> Any:
        """Any text as one of these."""
        return call(as_text, (value,), {})

    __staged_text__ = staged_text
    __str__ = written("s")
    __repr__ = written("r")
    __format__ = written("")
    __hash__ = refusing("the hash (which keys of dicts need)")
    __fspath__ = refusing("the name of a file")

    def __len__(self) -> int:
        return len(codes_of(self))

    def __bool__(self) -> bool:
        return len(codes_of(self)) > 0

    def __iter__(self) -> Any:
        return characters(self)

    def __reversed__(self) -> Any:
        return characters_from_the_end(self)

    def __contains__(self, part: Any) -> Any:
        return find(self, part) >= 0

    __getitem__ = entering(item)
    __add__ = entering(together)
    __mul__ = entering(repeated)
    __rmul__ = entering(repeated)
    __eq__ = entering(equal)
    __lt__ = entering(less)

    @entering
    def __radd__(self, other: Any) -> Any:
        return together(other, self)

    @entering
    def __ne__(self, other: object) -> Any:
        return not equal(self, other)

    @entering
    def __gt__(self, other: Any) -> Any:
        _check_order(">", self, other)
        return less(other, self)

    @entering
    def __le__(self, other: Any) -> Any:
        _check_order("<=", self, other)
        return not less(other, self)

    @entering
    def __ge__(self, other: Any) -> Any:
        _check_order(">=", self, other)
        return not less(self, other)

    def join(self, parts: Any) -> Any:
        """The parts with this text between them."""
        return joined(self, parts)

    # Searching.

    def find(self, part: Any, start: Any = None, end: Any = None) -> int:
        """Where a part begins first, or -1."""
        return codes.find(codes_of(self), codes_of(part), start, end)

    def rfind(self, part: Any, start: Any = None, end: Any = None) -> int:
        """Where a part begins last, or -1."""
        return codes.find_last(codes_of(self), codes_of(part), start, end)

    def index(self, part: Any, start: Any = None, end: Any = None) -> int:
        """Where a part begins first."""
        found = codes.find(codes_of(self), codes_of(part), start, end)
        if found < 0:
            raise ValueError("substring not found")
        return found

    def rindex(self, part: Any, start: Any = None, end: Any = None) -> int:
        """Where a part begins last."""
        found = codes.find_last(codes_of(self), codes_of(part), start, end)
        if found < 0:
            raise ValueError("substring not found")
        return found

    def count(self, part: Any, start: Any = None, end: Any = None) -> Any:
        """How often a part is there."""
        return codes.count(codes_of(self), codes_of(part), start, end)

    def startswith(self, part: Any, start: Any = None, end: Any = None) -> Any:
        """Whether it begins so."""
        return _fitting(self, part, codes.starts, start, end)

    def endswith(self, part: Any, start: Any = None, end: Any = None) -> Any:
        """Whether it ends so."""
        return _fitting(self, part, codes.ends, start, end)

    # Parts.

    def split(self, sep: Any = None, maxsplit: int = -1) -> Any:
        """The parts between separators."""
        return split(self, sep, maxsplit, False)

    def rsplit(self, sep: Any = None, maxsplit: int = -1) -> Any:
        """The parts between the last separators."""
        return split(self, sep, maxsplit, True)

    def splitlines(self, keepends: bool = False) -> Any:
        """The lines."""
        return texts_of(codes.lines(codes_of(self), keepends))

    def partition(self, sep: Any) -> Any:
        """What is before a separator, the separator, what is after it."""
        at = self.find(sep)
        if len(codes_of(sep)) == 0:
            raise ValueError("empty separator")
        if at < 0:
            return Text(codes_of(self)), Text([]), Text([])
        return partition(self, sep, at)

    def rpartition(self, sep: Any) -> Any:
        """The same for the last separator."""
        at = self.rfind(sep)
        if len(codes_of(sep)) == 0:
            raise ValueError("empty separator")
        if at < 0:
            return Text([]), Text([]), Text(codes_of(self))
        return partition(self, sep, at)

    def strip(self, chars: Any = None) -> Any:
        """The text without characters at its ends."""
        gone = None if chars is None else codes_of(chars)
        return Text(codes.strip(codes_of(self), gone))

    def lstrip(self, chars: Any = None) -> Any:
        """The text without characters at its beginning."""
        gone = None if chars is None else codes_of(chars)
        return Text(codes.strip(codes_of(self), gone, right=False))

    def rstrip(self, chars: Any = None) -> Any:
        """The text without characters at its end."""
        gone = None if chars is None else codes_of(chars)
        return Text(codes.strip(codes_of(self), gone, left=False))

    def removeprefix(self, prefix: Any) -> Any:
        """The text without a part that it begins with."""
        found, gone = codes_of(self), codes_of(prefix)
        return Text(found[len(gone) :] if codes.starts(found, gone) else found)

    def removesuffix(self, suffix: Any) -> Any:
        """The text without a part that it ends with."""
        found, gone = codes_of(self), codes_of(suffix)
        return Text(found[: len(found) - len(gone)] if codes.ends(found, gone) else found)

    # Other texts.

    def replace(self, old: Any, new: Any, count: int = -1) -> Any:
        """The text with a part replaced."""
        return Text(codes.replace(codes_of(self), codes_of(old), codes_of(new), count))

    def translate(self, table: Any) -> Any:
        """The text with characters replaced as a table says."""
        return translated(self, table)

    def expandtabs(self, tabsize: int = 8) -> Any:
        """The text with spaces for tabs."""
        return Text(codes.with_tabs_expanded(codes_of(self), tabsize))

    def zfill(self, width: int) -> Any:
        """The text with zeros before it."""
        return Text(codes.filled_with_zeros(codes_of(self), width))

    def rjust(self, width: int, fillchar: Any = " ") -> Any:
        """The text at the right end of a field."""
        found = codes_of(self)
        return Text(codes.padded(found, width - len(found), 0, code_of(fillchar)))

    def ljust(self, width: int, fillchar: Any = " ") -> Any:
        """The text at the left end of a field."""
        found = codes_of(self)
        return Text(codes.padded(found, 0, width - len(found), code_of(fillchar)))

    def center(self, width: int, fillchar: Any = " ") -> Any:
        """The text in the middle of a field."""
        return Text(codes.centred(codes_of(self), width, code_of(fillchar)))

    def upper(self) -> Any:
        """The text in capitals."""
        return Text(code_kinds.changed(codes_of(self), "upper"))

    def casefold(self) -> Any:
        """The text without differences of case."""
        return Text(code_kinds.changed(codes_of(self), "casefold"))

    def lower(self) -> Any:
        """The text in small letters."""
        return Text(code_kinds.lower(codes_of(self)))

    def capitalize(self) -> Any:
        """The text with a capital at its beginning."""
        return Text(code_kinds.capitalized(codes_of(self)))

    def title(self) -> Any:
        """The text with a capital at the beginning of each word."""
        return Text(code_kinds.titled(codes_of(self)))

    def swapcase(self) -> Any:
        """The text with capitals for small letters, and small letters for capitals."""
        return Text(code_kinds.swapped(codes_of(self)))

    def encode(self, encoding: str = "utf-8", errors: str = "strict") -> Any:
        """The bytes that stand for it."""
        return encoded(self, encoding, errors)

    # Kinds of characters.

    def isdigit(self) -> Any:
        """Whether all characters are digits."""
        return self.are("isdigit")

    def isdecimal(self) -> Any:
        """Whether all characters are digits of a decimal number."""
        return self.are("isdecimal")

    def isnumeric(self) -> Any:
        """Whether all characters stand for numbers."""
        return self.are("isnumeric")

    def isalpha(self) -> Any:
        """Whether all characters are letters."""
        return self.are("isalpha")

    def isalnum(self) -> Any:
        """Whether all characters are letters or digits."""
        return self.are("isalnum")

    def are(self, kind: str) -> Any:
        """Whether there are characters, and all of them of a kind."""
        found = codes_of(self)
        return len(found) > 0 and code_kinds.all_are(found, kind)

    def isspace(self) -> Any:
        """Whether all characters are spaces."""
        found = codes_of(self)
        return len(found) > 0 and len(codes.strip(found, None)) == 0

    def isprintable(self) -> Any:
        """Whether ``repr`` writes all characters as they are."""
        return code_kinds.all_are(codes_of(self), "isprintable")

    def isascii(self) -> Any:
        """Whether all characters are of ASCII."""
        for code in codes_of(self):
            if code > 127:
                return False
        return True

    def isidentifier(self) -> Any:
        """Whether it can be a name of Python's."""
        return code_kinds.is_name(codes_of(self))

    def isupper(self) -> Any:
        """Whether there are capitals, and no small letters."""
        return code_kinds.are_in_one_case(codes_of(self), "isupper", "islower")

    def islower(self) -> Any:
        """Whether there are small letters, and no capitals."""
        return code_kinds.are_in_one_case(codes_of(self), "islower", "isupper")

    def istitle(self) -> Any:
        """Whether words begin with capitals, and have no others."""
        return code_kinds.are_titles(codes_of(self))


class Char(Text):
    """A text of one character."""

    def __init__(self, code: Any) -> None:
        self.code = code

    is_of_codes = False

    @staticmethod
    def plain_of(code: Any) -> str:
        """The text that the caller gets, of what it is made of."""
        return chr(code)

    def plain(self) -> str:
        """The text that the caller gets."""
        return self.plain_of(self.code)
