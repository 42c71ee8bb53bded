"""Text that only the run time knows: lists of code points, and what ``str`` does with them.

A single character is a `Char`, which can be an item of lists.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agir.autograph.operators import call
from agir.ir.plain.entering import entering, refusing, staged_text

__ag_convert__ = True

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_SPACES = " \t\n\r\x0b\x0c"


def codes_of(value: Any) -> Any:
    """The code points of a text."""
    if isinstance(value, Char):
        return [value.code]
    if isinstance(value, Text):
        return value.codes
    return [ord(each) for each in value]


def as_text(value: Any) -> Any:
    """Any text as a list of code points."""
    return Text(codes_of(value))


def decimal(number: int) -> Any:
    """``str(number)``."""
    return in_base(number, 10)


def in_base(number: int, base: int, prefix: str = "", upper: bool = False) -> Any:
    """An int in a base, as ``bin``, ``hex``, ``oct`` and ``str`` write it."""
    codes = []
    rest = number
    if rest < 0:
        codes.append(_digit(-(rest % -base), upper))
        rest = rest // -base
    elif rest == 0:
        codes.append(48)
    while rest > 0:
        codes.append(_digit(rest % base, upper))
        rest = rest // base
    for each in reversed(prefix):
        codes.append(ord(each))
    if number < 0:
        codes.append(45)
    codes.reverse()
    return Text(codes)


def _digit(value: int, upper: bool) -> int:
    return value + 48 if value < 10 else value + (55 if upper else 87)


def to_int(value: Any, base: int = 10) -> int:
    """``int(text, base)``."""
    codes = codes_of(strip(value))
    at, sign = 0, 1
    if len(codes) > 0 and (codes[0] == 43 or codes[0] == 45):
        sign = -1 if codes[0] == 45 else 1
        at = 1
    if at >= len(codes):
        raise ValueError(f"invalid literal for int() with base {base}: {value!r}")
    found = 0
    for place in range(at, len(codes)):
        code = codes[place]
        digit = 99
        if 48 <= code <= 57:
            digit = code - 48
        elif 97 <= code <= 122:
            digit = code - 87
        elif 65 <= code <= 90:
            digit = code - 55
        if digit >= base:
            raise ValueError(f"invalid literal for int() with base {base}: {value!r}")
        found = found * base + sign * digit
    return found


def code_of(value: Any) -> int:
    """``ord(text)``."""
    if isinstance(value, Char):
        return value.code  # type: ignore[no-any-return]
    codes = codes_of(value)
    if len(codes) != 1:
        raise TypeError(f"ord() expected a character, but string of length {len(codes)} found")
    return codes[0]  # type: ignore[no-any-return]


def character(code: int) -> Any:
    """``chr(code)``."""
    if code < 0 or code > 0x10FFFF:
        raise ValueError("chr() arg not in range(0x110000)")
    return Char(code)


def joined(separator: Any, parts: Iterable[Any]) -> Any:
    """``separator.join(parts)``."""
    between = codes_of(separator)
    codes = []
    is_first = True
    for part in parts:
        if not is_first:
            codes.extend(between)
        codes.extend(codes_of(part))
        is_first = False
    return Text(codes)


def together(one: Any, two: Any) -> Any:
    """``one + two``."""
    codes = []
    codes.extend(codes_of(one))
    codes.extend(codes_of(two))
    return Text(codes)


def repeated(value: Any, count: int) -> Any:
    """``text * count``."""
    return Text(codes_of(value) * max(count, 0))


def item(value: Any, key: Any) -> Any:
    """``text[key]``."""
    codes = codes_of(value)
    if isinstance(key, slice):
        return Text(codes[key])
    if key < -len(codes) or key >= len(codes):
        raise IndexError("string index out of range")
    return Char(codes[key])


def characters(value: Any) -> Any:
    """The characters of a text."""
    return [Char(code) for code in codes_of(value)]


def in_order(value: Any, reverse: bool = False) -> list[Any]:
    """``sorted(text)``."""
    return [Char(code) for code in sorted(codes_of(value), reverse=reverse)]


def equal(one: Any, two: Any) -> Any:
    """``one == two``."""
    return codes_of(one) == codes_of(two)


def less(one: Any, two: Any) -> Any:
    """``one < two``."""
    return codes_of(one) < codes_of(two)


def find(value: Any, part: Any, start: int = 0) -> int:
    """``text.find(part, start)``."""
    codes, wanted = codes_of(value), codes_of(part)
    for at in range(max(start, 0), len(codes) - len(wanted) + 1):
        if _is_at(codes, wanted, at):
            return at
    return -1


def _is_at(codes: Any, wanted: Any, at: int) -> Any:
    for place in range(len(wanted)):
        if codes[at + place] != wanted[place]:
            return False
    return True


def count(value: Any, part: Any) -> int:
    """``text.count(part)``."""
    codes, wanted = codes_of(value), codes_of(part)
    if len(wanted) == 0:
        return len(codes) + 1
    found, at = 0, 0
    while at + len(wanted) <= len(codes):
        if _is_at(codes, wanted, at):
            found += 1
            at += len(wanted)
        else:
            at += 1
    return found


def replace(value: Any, old: Any, new: Any) -> Any:
    """``text.replace(old, new)``, where the old part is not empty."""
    codes, wanted, instead = codes_of(value), codes_of(old), codes_of(new)
    made = []
    at = 0
    while at < len(codes):
        if at + len(wanted) <= len(codes) and _is_at(codes, wanted, at):
            made.extend(instead)
            at += len(wanted)
        else:
            made.append(codes[at])
            at += 1
    return Text(made)


def strip(value: Any, characters: Any = _SPACES, left: bool = True, right: bool = True) -> Any:
    """``text.strip(characters)``."""
    codes, gone = codes_of(value), codes_of(characters)
    first, last = 0, len(codes)
    if left:
        while first < last and codes[first] in gone:
            first += 1
    if right:
        while last > first and codes[last - 1] in gone:
            last -= 1
    return Text(codes[first:last])


def padded(value: Any, before: int, after: int, fill: Any) -> Any:
    """A text with characters before and after it."""
    made = []
    code = code_of(fill)
    for _ in range(before):
        made.append(code)
    made.extend(codes_of(value))
    for _ in range(after):
        made.append(code)
    return Text(made)


def filled_with_zeros(value: Any, width: int) -> Any:
    """``text.zfill(width)``."""
    codes = codes_of(value)
    signed = len(codes) > 0 and (codes[0] == 43 or codes[0] == 45)
    made = []
    if signed:
        made.append(codes[0])
    for _ in range(width - len(codes)):
        made.append(48)
    made.extend(codes[1:] if signed else codes)
    return Text(made)


def cased(value: Any, low: int, high: int, change: int) -> Any:
    """A text with the letters of a range moved; other letters than those of ASCII are refused."""
    made = []
    for code in codes_of(value):
        if code > 127:
            raise NotImplementedError("the case of letters that are not ASCII's, at run time")
        made.append(code + change if low <= code <= high else code)
    return Text(made)


def all_in(value: Any, ranges: Any) -> Any:
    """Whether there are characters, and all of them lie in some ranges of ASCII's."""
    codes = codes_of(value)
    for code in codes:
        if code > 127:
            raise NotImplementedError("what kind a character is that is not ASCII's, at run time")
        fits = False
        for low, high in ranges:
            fits = fits or low <= code <= high
        if not fits:
            return False
    return len(codes) > 0


_NUMERIC = ((48, 57),)
_LETTERS = ((65, 90), (97, 122))
_BLANKS = ((9, 13), (28, 32))


class Text:
    """A text of the run time."""

    is_users = True
    stands_for = str

    def __init__(self, codes: Any) -> None:
        self.codes = codes

    def plain(self) -> str:
        """The text that the caller gets."""
        return "".join(map(chr, self.codes))

    @staticmethod
    def coerced(value: Any) -> Any:
        """Any text as one of these."""
        return call(as_text, (value,), {})

    __staged_text__ = staged_text
    __hash__ = refusing("the hash (which keys of dicts need)")
    __fspath__ = refusing("the name of a file")

    def __len__(self) -> int:
        return len(codes_of(self))

    def __bool__(self) -> bool:
        return len(codes_of(self)) > 0

    def __iter__(self) -> Any:
        return characters(self)

    def __reversed__(self) -> Any:
        return [Char(code) for code in codes_of(self)[::-1]]

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
        return less(other, self)

    @entering
    def __le__(self, other: Any) -> Any:
        return not less(other, self)

    @entering
    def __ge__(self, other: Any) -> Any:
        return not less(self, other)

    def join(self, parts: Any) -> Any:
        """The parts with this text between them."""
        return joined(self, parts)

    def find(self, part: Any, start: int = 0) -> int:
        """Where a part begins, or -1."""
        return find(self, part, start)

    def index(self, part: Any, start: int = 0) -> int:
        """Where a part begins."""
        found = find(self, part, start)
        if found < 0:
            raise ValueError("substring not found")
        return found

    def count(self, part: Any) -> int:
        """How often a part is there."""
        return count(self, part)

    def replace(self, old: Any, new: Any) -> Any:
        """The text with a part replaced."""
        return replace(self, old, new)

    def startswith(self, part: Any) -> Any:
        """Whether it begins so."""
        return equal(Text(codes_of(self)[: len(part)]), part)

    def endswith(self, part: Any) -> Any:
        """Whether it ends so."""
        size = len(codes_of(self))
        return size >= len(part) and equal(Text(codes_of(self)[size - len(part) :]), part)

    def strip(self, characters: Any = _SPACES) -> Any:
        """The text without characters at its ends."""
        return strip(self, characters)

    def lstrip(self, characters: Any = _SPACES) -> Any:
        """The text without characters at its beginning."""
        return strip(self, characters, right=False)

    def rstrip(self, characters: Any = _SPACES) -> Any:
        """The text without characters at its end."""
        return strip(self, characters, left=False)

    def zfill(self, width: int) -> Any:
        """The text with zeros before it."""
        return filled_with_zeros(self, width)

    def rjust(self, width: int, fill: Any = " ") -> Any:
        """The text at the right end of a field."""
        return padded(self, width - len(codes_of(self)), 0, fill)

    def ljust(self, width: int, fill: Any = " ") -> Any:
        """The text at the left end of a field."""
        return padded(self, 0, width - len(codes_of(self)), fill)

    def upper(self) -> Any:
        """The text in capitals."""
        return cased(self, 97, 122, -32)

    def lower(self) -> Any:
        """The text in small letters."""
        return cased(self, 65, 90, 32)

    def isdigit(self) -> Any:
        """Whether all characters are digits."""
        return all_in(self, _NUMERIC)

    isdecimal = isnumeric = isdigit

    def isalpha(self) -> Any:
        """Whether all characters are letters."""
        return all_in(self, _LETTERS)

    def isalnum(self) -> Any:
        """Whether all characters are letters or digits."""
        return all_in(self, _NUMERIC + _LETTERS)

    def isspace(self) -> Any:
        """Whether all characters are spaces."""
        return all_in(self, _BLANKS)


class Char(Text):
    """A text of one character."""

    def __init__(self, code: Any) -> None:
        self.code = code

    def plain(self) -> str:
        """The text that the caller gets."""
        return chr(self.code)
