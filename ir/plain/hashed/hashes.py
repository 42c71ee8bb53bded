"""``hash()`` of what only the run time knows, as CPython 3.11 has it.

Objects/tupleobject.c and Python/pyhash.c.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.autograph.operators import hashed_fields
from agir.ir.plain import times
from agir.ir.plain.entering import entering, number_of_object, presence, rarely, unless_none
from agir.ir.plain.text import known_texts
from agir.ir.plain.text.texts import codes_of

__ag_convert__ = True
__ag_unrolled__ = True  # what calls itself does so for the items of a key

_OF_NONE = 0x1CA3B0F4
"""Python's is an address, and another one in each process."""
_BITS = 61
_MODULUS = (1 << _BITS) - 1
_PRIME_1 = np.uint64(known_texts.PRIME)
_PRIME_2 = np.uint64(14029467366897019727)
_PRIME_5 = np.uint64(2870177450012600261)
_BITS_1, _BITS_2 = known_texts.BITS, 2 * known_texts.BITS
_LENGTHS = np.uint64(2870177450012600261 ^ 3527539)


def hash_of(key: Any) -> Any:
    """``hash(key)`` of numbers and tuples of them; that of text is another one in each process.

    So text has a hash of our own, which is the same for text that is known while tracing.
    """
    if presence(key) is not None:
        return _OF_NONE if key is None else _hash_of_any(unless_none(key))
    return _OF_NONE if key is None else _hash_of_any(key)


def _hash_of_any(key: Any) -> Any:
    """The hash of a key that may be one of several values, text and numbers among them."""
    if known_texts.is_one_of_several(key):
        return key.each(entering(_number_of))
    return _hash_of(key)


def _hash_of(key: Any) -> Any:
    if isinstance(key, tuple):
        return _hash_of_tuple(key)
    if isinstance(key, str):
        return _hash_of_codes(codes_of(key))
    if known_texts.is_of_several_classes(key):
        floats = known_texts.holds_floats(key)
        return _hash_of_float(key) if floats else _hash_of_int(np.int64(key))
    if isinstance(key, (bool, np.bool_)):
        return int(key)
    if isinstance(key, np.uint64):
        return (key % np.uint64(_MODULUS)).astype(np.int64)
    if isinstance(key, (np.datetime64, np.timedelta64)):
        return _hash_of_tuple(times.as_key(key))
    if isinstance(key, (int, np.integer)):
        return _hash_of_int(int(key))
    if isinstance(key, (float, np.floating)):
        return _hash_of_float(key)
    if isinstance(key, (complex, np.complexfloating)):
        return _hash_of_complex(key)
    number = number_of_object(key)
    if number is not None:
        return np.int64(number)
    fields = hashed_fields(key)
    if fields is not None:
        return _hash_of_tuple(fields)
    if isinstance(key, (list, dict, set)):
        raise TypeError(f"unhashable type: '{type(key).__name__}'")
    return key.__hash__()


def _number_of(key: Any) -> Any:
    """The hash of one of several keys, of a class for all."""
    return np.int64(_hash_of(key))


def _hash_of_int(key: Any) -> Any:
    if -_MODULUS < key < _MODULUS:
        return np.int64(key) - (key == -1)
    return _hash_of_large_int(np.int64(key))


@rarely
def _hash_of_large_int(number: Any) -> Any:
    found = number % np.int64(_MODULUS)
    if number < 0 and found != 0:
        found -= np.int64(_MODULUS)
    return found - (found == -1)


def _hash_of_float(key: Any) -> Any:
    number = np.float64(key)  # NumPy's numbers are not checked
    if np.isinf(number):
        return np.int64(314159) if number > 0 else np.int64(-314159)
    if np.isnan(number):
        return np.int64(0)
    if np.abs(number) < 1e15 and number == np.floor(number):
        return _hash_of_int(number.astype(np.int64))
    mantissa, power = np.frexp(np.abs(number))
    part, exponent = np.float64(mantissa), np.int64(power)
    found = np.uint64(0)
    while part != 0.0:
        found = _turned(found, np.int64(28))
        part *= 268435456.0
        exponent -= 28
        whole = part.astype(np.int64)
        part -= whole
        found = found + whole.astype(np.uint64)
        if found >= np.uint64(_MODULUS):
            found = found - np.uint64(_MODULUS)
    result = _turned(found, exponent % np.int64(_BITS)).astype(np.int64)
    result = result if number > 0 else -result
    return result if result != -1 else np.int64(-2)


def _hash_of_complex(key: Any) -> Any:
    real, imaginary = (np.int64(_hash_of_float(part)) for part in (key.real, key.imag))
    result = real + np.int64(1000003) * imaginary  # NumPy's numbers wrap round
    return result if result != -1 else np.int64(-2)


def _turned(value: Any, bits: Any) -> Any:
    """The lower 61 bits, turned round by so many."""
    left, right = bits.astype(np.uint64), (_BITS - bits).astype(np.uint64)
    return ((value << left) & np.uint64(_MODULUS)) | (value >> right)


def _hash_of_codes(codes: Any) -> Any:
    known = known_texts.hash_of(codes)
    if known is not None:
        return known
    at, size = 0, len(codes)
    found = np.uint64(known_texts.EMPTY) ^ np.int64(size).astype(np.uint64)
    while at + known_texts.AT_ONCE <= size:
        found = _mixed(found, codes[at] | (codes[at + 1] << _BITS_1) | (codes[at + 2] << _BITS_2))
        at += known_texts.AT_ONCE
    if size > 0:  # how many are left no processor foresees: the last two, be they mixed in or not
        found = _mixed(found, codes[size - 1] | (codes[max(size - 2, 0)] << _BITS_1))
    return int(found.astype(np.int64))


def _mixed(found: Any, part: int) -> Any:
    found = (found ^ np.int64(part).astype(np.uint64)) * _PRIME_1
    return found ^ (found >> np.uint64(32))


def _hash_of_tuple(key: tuple[Any, ...]) -> int:
    known = known_texts.hash_of_numbers(key)
    if known is not None:
        return known
    found = _PRIME_5
    for item in key:
        found = found + np.int64(hash_of(item)).astype(np.uint64) * _PRIME_2
        found = (found << np.uint64(31)) | (found >> np.uint64(33))
        found = found * _PRIME_1
    found = found + (np.uint64(len(key)) ^ _LENGTHS)
    result = int(found.astype(np.int64))
    return result if result != -1 else 1546275796
