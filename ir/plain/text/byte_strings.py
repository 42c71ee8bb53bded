"""``bytes`` and ``bytearray`` that only the run time knows: lists of numbers."""

from __future__ import annotations

import operator
from typing import Any

from agir.autograph.operators import call
from agir.ir.plain.entering import StandIn, decoded, entering, refusing, text_of_bytes, written
from agir.ir.plain.text import byte_texts, codes

__ag_convert__ = True

_HEX = "0123456789abcdef"


def values_of(value: Any) -> Any:
    """The numbers in bytes."""
    if isinstance(value, Bytes):
        return value.values
    if not isinstance(value, (bytes, bytearray)):
        raise TypeError(f"a bytes-like object is required, not '{type(value).__name__}'")
    return list(value)


def as_bytes(value: Any) -> Any:
    """Any bytes as numbers of the run time."""
    return Bytes(list(values_of(value)))


def from_numbers(numbers: Any) -> Any:
    """``bytes(numbers)``."""
    made = []
    for each in numbers:
        if each < 0 or each > 255:
            raise ValueError("bytes must be in range(0, 256)")
        made.append(each)
    return Bytes(made)


def zeros(count: int) -> Any:
    """``bytes(count)``."""
    if count < 0:
        raise ValueError("negative count")
    return Bytes([0] * count)


def byte_array(source: Any = b"") -> Any:
    """``bytearray(source)``, of a number, bytes, or numbers."""
    if isinstance(source, int):
        if source < 0:
            raise ValueError("negative count")
        return ByteArray([0] * source)
    return ByteArray(numbers_of(source))


def numbers_of(source: Any) -> Any:
    """A new list of what is put into a bytearray: the numbers of bytes, or of an iterable."""
    if isinstance(source, (bytes, bytearray)):
        return list(values_of(source))
    made = []
    for each in source:
        made.append(byte(each))
    return made


def byte(value: Any) -> Any:
    """What is put into a bytearray: a number that is a byte."""
    if not isinstance(value, int):
        value = operator.index(value)
    if value < 0 or value > 255:
        raise ValueError("byte must be in range(0, 256)")
    return value


def like(owner: Any, values: Any) -> Any:
    """Bytes of the class of others."""
    return owner.__class__(values) if isinstance(owner, Bytes) else Bytes(values)


def item(owner: Any, key: Any) -> Any:
    """``data[key]``."""
    found = values_of(owner)
    if isinstance(key, slice):
        return like(owner, found[key])
    if key < -len(found) or key >= len(found):
        raise IndexError(owner.outside)
    return found[key]


def together(one: Any, two: Any) -> Any:
    """``one + two``."""
    made = []
    made.extend(values_of(one))
    made.extend(values_of(two))
    return like(one, made)


def repeated(owner: Any, count: int) -> Any:
    """``data * count``."""
    return like(owner, values_of(owner) * max(count, 0))


def equal(one: Any, two: Any) -> Any:
    """``one == two``."""
    if not (isinstance(one, (bytes, bytearray)) and isinstance(two, (bytes, bytearray))):
        return False
    return values_of(one) == values_of(two)


def less(one: Any, two: Any) -> Any:
    """``one < two``."""
    return values_of(one) < values_of(two)


def part_of(value: Any) -> Any:
    """What is looked for: a byte, or several."""
    return [value] if isinstance(value, int) else values_of(value)


def place_of(owner: Any, part: Any, at: Any) -> Any:
    """A place where a part has been found."""
    if at < 0:
        raise ValueError("subsection not found")
    return at


def joined(separator: Any, parts: Any) -> Any:
    """``separator.join(parts)``."""
    made = []
    is_first = True
    for part in parts:
        if not is_first:
            made.extend(values_of(separator))
        is_first = False
        made.extend(values_of(part))
    return like(separator, made)


def all_like(owner: Any, parts: Any) -> Any:
    """Several bytes, of which each part has the numbers."""
    return [like(owner, part) for part in parts]


def gone_of(part: Any) -> Any:
    """What is taken off the ends: some bytes, or white space."""
    return list(byte_texts.SPACES) if part is None else values_of(part)


def split(owner: Any, separator: Any, most: int, at_the_end: bool) -> Any:
    """``data.split(separator, most)``, or ``rsplit``."""
    if separator is None:
        if at_the_end and most >= 0:
            parts = byte_texts.words(owner.values[::-1], most)
            return [like(owner, part[::-1]) for part in parts[::-1]]
        return all_like(owner, byte_texts.words(owner.values, most))
    between = values_of(separator)
    if len(between) == 0:
        raise ValueError("empty separator")
    found = owner.values
    if at_the_end:
        return all_like(owner, codes.split_last(found, between, most))
    return all_like(owner, codes.split(found, between, most))


def partition(owner: Any, separator: Any, at: int, is_first: bool) -> Any:
    """What is before a place, the separator that is there, what is after it."""
    found, between = owner.values, values_of(separator)
    if len(between) == 0:
        raise ValueError("empty separator")
    if at < 0:
        whole, none, nothing = like(owner, list(found)), like(owner, []), like(owner, [])
        return (whole, none, nothing) if is_first else (none, nothing, whole)
    after = at + len(between)
    return like(owner, found[:at]), like(owner, list(between)), like(owner, found[after:])


def begin(values: Any, parts: Any, start: Any, end: Any) -> Any:
    """Whether bytes begin with one of some parts."""
    if isinstance(parts, tuple):
        return any(codes.starts(values, values_of(part), start, end) for part in parts)
    return codes.starts(values, values_of(parts), start, end)


def end_so(values: Any, parts: Any, start: Any, end: Any) -> Any:
    """Whether bytes end with one of some parts."""
    if isinstance(parts, tuple):
        return any(codes.ends(values, values_of(part), start, end) for part in parts)
    return codes.ends(values, values_of(parts), start, end)


def fill_of(fill: Any) -> Any:
    """The byte that fills a field."""
    return values_of(fill)[0]


def number_of(source: Any, byteorder: str = "big", signed: bool = False) -> Any:
    """``int.from_bytes(source, byteorder)``."""
    if byteorder != "big" and byteorder != "little":
        raise ValueError("byteorder must be either 'little' or 'big'")
    found = numbers_of(source)
    if byteorder == "little":
        found.reverse()
    number = 0
    if signed and len(found) > 0 and found[0] > 127:
        number = -1
    for each in found:
        number = number * 256 + each
    return number


def bytes_of(number: int, length: int = 1, byteorder: str = "big", signed: bool = False) -> Any:
    """``number.to_bytes(length, byteorder)``."""
    if byteorder != "big" and byteorder != "little":
        raise ValueError("byteorder must be either 'little' or 'big'")
    if length < 0:
        raise ValueError("length argument must be non-negative")
    if number < 0 and not signed:
        raise OverflowError("can't convert negative int to unsigned")
    made, rest = [], number
    for _ in range(length):
        made.append(rest & 255)
        rest >>= 8
    is_negative = signed and len(made) > 0 and made[-1] > 127
    if rest != (-1 if is_negative else 0) or (number > 0 and is_negative):
        raise OverflowError("int too big to convert")
    if byteorder == "big":
        made.reverse()
    return Bytes(made)


def hexadecimal(owner: Any) -> Any:
    """``data.hex()``."""
    made = ""
    for each in values_of(owner):
        made += _HEX[each // 16] + _HEX[each % 16]
    return made


class Bytes(StandIn):
    """Bytes of the run time."""

    stands_for: type = bytes
    outside = "index out of range"

    def __init__(self, values: Any) -> None:
        self.values = values

    plain_of: Any = staticmethod(bytes)
    """What the numbers are for the caller."""

    def plain(self) -> Any:
        """The bytes that the caller gets."""
        return self.plain_of(self.values)

    @staticmethod
    def coerced(value: Any) -> Any:
        """Any bytes as these."""
        return call(as_bytes, (value,), {})

    def __staged_text__(self, conversion: str, spec: str) -> Any:
        return text_of_bytes(self.values, spec)

    __str__ = written("s")
    __repr__ = written("r")
    __format__ = written("")
    __hash__ = refusing("the hash (which keys of dicts need)")

    def __len__(self) -> int:
        return len(self.values)

    def __bool__(self) -> bool:
        return len(self.values) > 0

    def __iter__(self) -> Any:
        return self.values

    def __contains__(self, part: Any) -> Any:
        return codes.find(self.values, part_of(part)) >= 0

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

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> Any:
        """The text that they stand for."""
        return decoded(self, encoding, errors)

    def hex(self) -> Any:
        """Two digits for each."""
        return hexadecimal(self)

    def find(self, part: Any, start: Any = None, end: Any = None) -> int:
        """Where a part begins first, or -1."""
        return codes.find(self.values, part_of(part), start, end)

    def rfind(self, part: Any, start: Any = None, end: Any = None) -> int:
        """Where a part begins last, or -1."""
        return codes.find_last(self.values, part_of(part), start, end)

    def split(self, sep: Any = None, maxsplit: int = -1) -> Any:
        """The parts between separators."""
        return split(self, sep, maxsplit, False)

    def rsplit(self, sep: Any = None, maxsplit: int = -1) -> Any:
        """The parts between the last separators."""
        return split(self, sep, maxsplit, True)

    def splitlines(self, keepends: bool = False) -> Any:
        """The lines."""
        return all_like(self, byte_texts.lines(self.values, keepends))

    def partition(self, sep: Any) -> Any:
        """What is before a separator, the separator, what is after it."""
        return partition(self, sep, self.find(sep), True)

    def rpartition(self, sep: Any) -> Any:
        """The same for the last separator."""
        return partition(self, sep, self.rfind(sep), False)

    def strip(self, part: Any = None) -> Any:
        """The bytes without some at their ends."""
        return like(self, codes.strip(self.values, gone_of(part)))

    def lstrip(self, part: Any = None) -> Any:
        """The bytes without some at their beginning."""
        return like(self, codes.strip(self.values, gone_of(part), True, False))

    def rstrip(self, part: Any = None) -> Any:
        """The bytes without some at their end."""
        return like(self, codes.strip(self.values, gone_of(part), False, True))

    def zfill(self, width: int) -> Any:
        """The bytes with zeros before them."""
        return like(self, codes.filled_with_zeros(self.values, width))

    def rjust(self, width: int, fill: Any = b" ") -> Any:
        """The bytes at the right end of a field."""
        found = self.values
        return like(self, codes.padded(found, width - len(found), 0, fill_of(fill)))

    def ljust(self, width: int, fill: Any = b" ") -> Any:
        """The bytes at the left end of a field."""
        found = self.values
        return like(self, codes.padded(found, 0, width - len(found), fill_of(fill)))

    def center(self, width: int, fill: Any = b" ") -> Any:
        """The bytes in the middle of a field."""
        return like(self, codes.centred(self.values, width, fill_of(fill)))

    def expandtabs(self, tabsize: int = 8) -> Any:
        """The bytes with blanks for tabs."""
        return like(self, codes.with_tabs_expanded(self.values, tabsize))

    def translate(self, table: Any, /, delete: Any = b"") -> Any:
        """What a table has for each byte."""
        by = None if table is None else values_of(table)
        return like(self, byte_texts.translated(self.values, by, values_of(delete)))

    def upper(self) -> Any:
        """Letters as capitals."""
        return like(self, byte_texts.upper(self.values))

    def lower(self) -> Any:
        """Letters as small ones."""
        return like(self, byte_texts.lower(self.values))

    def swapcase(self) -> Any:
        """Small letters as capitals, and capitals as small letters."""
        return like(self, byte_texts.swapped(self.values))

    def capitalize(self) -> Any:
        """The first letter as a capital."""
        return like(self, byte_texts.capitalized(self.values))

    def title(self) -> Any:
        """The first letter of each word as a capital."""
        return like(self, byte_texts.titled(self.values))

    def isalpha(self) -> Any:
        """Whether all are letters."""
        return byte_texts.all_are(self.values, byte_texts.is_letter)

    def isdigit(self) -> Any:
        """Whether all are digits."""
        return byte_texts.all_are(self.values, byte_texts.is_digit)

    def isalnum(self) -> Any:
        """Whether all are letters or digits."""
        return byte_texts.all_are(self.values, byte_texts.is_letter_or_digit)

    def isspace(self) -> Any:
        """Whether all are white space."""
        return byte_texts.all_are(self.values, byte_texts.is_space)

    def isascii(self) -> Any:
        """Whether all are less than 128."""
        return all(value < 128 for value in self.values)

    def isupper(self) -> Any:
        """Whether all letters are capitals."""
        return byte_texts.are_in_case(self.values, byte_texts.is_upper, byte_texts.is_lower)

    def islower(self) -> Any:
        """Whether all letters are small ones."""
        return byte_texts.are_in_case(self.values, byte_texts.is_lower, byte_texts.is_upper)

    def istitle(self) -> Any:
        """Whether each word begins with its only capital letter."""
        return byte_texts.are_titles(self.values)

    def index(self, part: Any, start: Any = None, end: Any = None) -> Any:
        """Where a part begins first."""
        return place_of(self, part, codes.find(self.values, part_of(part), start, end))

    def rindex(self, part: Any, start: Any = None, end: Any = None) -> Any:
        """Where a part begins last."""
        return place_of(self, part, codes.find_last(self.values, part_of(part), start, end))

    def join(self, parts: Any) -> Any:
        """The parts with these bytes between them."""
        return joined(self, parts)

    def removeprefix(self, prefix: Any) -> Any:
        """The bytes without a part that they begin with."""
        found, gone = self.values, values_of(prefix)
        return like(self, found[len(gone) :] if codes.starts(found, gone) else list(found))

    def removesuffix(self, suffix: Any) -> Any:
        """The bytes without a part that they end with."""
        found, gone = self.values, values_of(suffix)
        return like(
            self, found[: len(found) - len(gone)] if codes.ends(found, gone) else list(found)
        )

    def count(self, part: Any, start: Any = None, end: Any = None) -> Any:
        """How often a part is there."""
        return codes.count(self.values, part_of(part), start, end)

    def startswith(self, part: Any, start: Any = None, end: Any = None) -> Any:
        """Whether they begin so."""
        return begin(self.values, part, start, end)

    def endswith(self, part: Any, start: Any = None, end: Any = None) -> Any:
        """Whether they end so."""
        return end_so(self.values, part, start, end)

    def replace(self, old: Any, new: Any, count: int = -1) -> Any:
        """The bytes with a part replaced."""
        return like(self, codes.replace(self.values, values_of(old), values_of(new), count))


class ByteArray(Bytes):
    """A bytearray of the run time."""

    stands_for = bytearray
    plain_of = staticmethod(bytearray)
    outside = "bytearray index out of range"
    __hash__ = None  # type: ignore[assignment]

    def __staged_text__(self, conversion: str, spec: str) -> Any:
        return "bytearray(" + text_of_bytes(self.values, spec) + ")"

    def append(self, value: Any) -> None:
        """Add a byte at the end."""
        self.values.append(byte(value))

    def extend(self, source: Any) -> None:
        """Add bytes at the end."""
        self.values.extend(numbers_of(source))

    def insert(self, at: Any, value: Any) -> None:
        """Put a byte before a place."""
        self.values.insert(at, byte(value))

    def pop(self, at: Any = -1) -> Any:
        """Remove the byte at a place, and give it."""
        if len(self.values) == 0:
            raise IndexError("pop from empty bytearray")
        if at < -len(self.values) or at >= len(self.values):
            raise IndexError("pop index out of range")
        return self.values.pop(at)

    def remove(self, value: Any) -> None:
        """Remove the first byte that is equal to a number."""
        if value not in self.values:
            raise ValueError("value not found in bytearray")
        self.values.remove(value)

    def clear(self) -> None:
        """Remove all bytes."""
        self.values.clear()

    def reverse(self) -> None:
        """Turn the order round."""
        self.values.reverse()

    def copy(self) -> Any:
        """Another bytearray of the same bytes."""
        return ByteArray(list(self.values))

    __copy__ = copy

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, slice):
            self.values[key] = numbers_of(value)
            return
        put = byte(value)
        if key < -len(self.values) or key >= len(self.values):
            raise IndexError("bytearray index out of range")
        self.values[key] = put

    def __delitem__(self, key: Any) -> None:
        if not isinstance(key, slice) and (key < -len(self.values) or key >= len(self.values)):
            raise IndexError("bytearray index out of range")
        del self.values[key]

    @entering
    def __iadd__(self, other: Any) -> Any:
        if not isinstance(other, (bytes, bytearray)):
            raise TypeError(f"can't concat {type(other).__name__} to bytearray")
        self.values.extend(numbers_of(other))
        return self

    @entering
    def __imul__(self, count: Any) -> Any:
        self.values[:] = self.values * max(count, 0)
        return self
