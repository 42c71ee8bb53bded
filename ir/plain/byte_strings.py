"""``bytes`` that only the run time knows: lists of numbers."""

from __future__ import annotations

from typing import Any

from agir.autograph.operators import call
from agir.ir import hooks
from agir.ir.plain import codes
from agir.ir.plain.entering import StandIn, entering, refusing, written

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
    return Bytes(values_of(value))


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


def item(owner: Any, key: Any) -> Any:
    """``data[key]``."""
    found = values_of(owner)
    if isinstance(key, slice):
        return Bytes(found[key])
    if key < -len(found) or key >= len(found):
        raise IndexError("index out of range")
    return found[key]


def together(one: Any, two: Any) -> Any:
    """``one + two``."""
    made = []
    made.extend(values_of(one))
    made.extend(values_of(two))
    return Bytes(made)


def repeated(owner: Any, count: int) -> Any:
    """``data * count``."""
    return Bytes(values_of(owner) * max(count, 0))


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


def hexadecimal(owner: Any) -> Any:
    """``data.hex()``."""
    made = ""
    for each in values_of(owner):
        made += _HEX[each // 16] + _HEX[each % 16]
    return made


class Bytes(StandIn):
    """Bytes of the run time."""

    stands_for = bytes

    def __init__(self, values: Any) -> None:
        self.values = values

    plain_of = staticmethod(bytes)

    def plain(self) -> bytes:
        """The bytes that the caller gets."""
        return self.plain_of(self.values)

    @staticmethod
    def coerced(value: Any) -> Any:
        """Any bytes as these."""
        return call(as_bytes, (value,), {})

    def __staged_text__(self, conversion: str, spec: str) -> Any:
        return hooks.bytes_written(self.values, spec)

    __str__ = written("s")
    __repr__ = written("r")
    __format__ = written("")
    __hash__ = refusing("the hash (which keys of dicts need)")

    def __len__(self) -> int:
        return len(self.values)

    def __bool__(self) -> bool:
        return len(self.values) > 0

    def __iter__(self) -> Any:
        return list(self.values)

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
        return hooks.decoded(self, encoding, errors)

    def hex(self) -> Any:
        """Two digits for each."""
        return hexadecimal(self)

    def find(self, part: Any, start: Any = None, end: Any = None) -> int:
        """Where a part begins first, or -1."""
        return codes.find(self.values, part_of(part), start, end)

    def rfind(self, part: Any, start: Any = None, end: Any = None) -> int:
        """Where a part begins last, or -1."""
        return codes.find_last(self.values, part_of(part), start, end)

    def count(self, part: Any, start: Any = None, end: Any = None) -> Any:
        """How often a part is there."""
        return codes.count(self.values, part_of(part), start, end)

    def startswith(self, part: Any, start: Any = None, end: Any = None) -> Any:
        """Whether they begin so."""
        return codes.starts(self.values, values_of(part), start, end)

    def endswith(self, part: Any, start: Any = None, end: Any = None) -> Any:
        """Whether they end so."""
        return codes.ends(self.values, values_of(part), start, end)

    def replace(self, old: Any, new: Any, count: int = -1) -> Any:
        """The bytes with a part replaced."""
        return Bytes(codes.replace(self.values, values_of(old), values_of(new), count))
