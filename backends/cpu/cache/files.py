"""The file of one program's code: a head, a hash of the rest, and the rest.

==========  =================================================================
bytes       what
==========  =================================================================
0 to 8      ``agir`` and the number of this format
8 to 40     SHA-256 of all that follows
40 to 72    the key that it was filed under
72 to 84    the lengths of the fields, of the interface and of the object code
84 …        the fields, as JSON; the interface, as text; the object code
==========  =================================================================

Reading checks all of it and interprets nothing else.
"""

from __future__ import annotations

import hashlib
import json
import struct
from typing import Any

_MAGIC = b"agir\0\0\0\1"
_HASH = slice(len(_MAGIC), len(_MAGIC) + 32)
_HEAD = struct.Struct("<32s3I")

Content = tuple[dict[str, int], str, bytes]
"""Numbers by their names, the interface and the object code."""


class DamagedError(Exception):
    """This is not the file that was written."""


def packed(key: str, fields: dict[str, int], interface: str, code: bytes) -> bytes:
    """The bytes of a file."""
    numbers, text = json.dumps(fields).encode(), interface.encode()
    head = _HEAD.pack(bytes.fromhex(key), len(numbers), len(text), len(code))
    rest = b"".join([head, numbers, text, code])
    return _MAGIC + hashlib.sha256(rest).digest() + rest


def unpacked(key: str, data: bytes) -> Content:
    """What is in the bytes of a file; `DamagedError` unless it is what was filed under the key."""
    if data[: len(_MAGIC)] != _MAGIC:
        raise DamagedError("it is of another format")
    rest = data[_HASH.stop :]
    if hashlib.sha256(rest).digest() != data[_HASH] or len(rest) < _HEAD.size:
        raise DamagedError("its hash does not match its content")
    found, *lengths = _HEAD.unpack_from(rest)
    if found.hex() != key:
        raise DamagedError("it was written under another name")
    parts = _split(rest[_HEAD.size :], lengths)
    fields: Any = json.loads(parts[0])
    return fields, parts[1].decode(), parts[2]


def _split(data: bytes, lengths: list[int]) -> list[bytes]:
    parts = []
    for length in lengths:
        parts.append(data[:length])
        data = data[length:]
    return parts
