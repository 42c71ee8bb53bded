"""The file of one program's code: a head, a hash of the rest, and the rest.

==========  =================================================================
bytes       what
==========  =================================================================
0 to 8      ``agir`` and the number of this format
8 to 40     SHA-256 of all that follows
40 to 72    the key that it was filed under
72 to 88    two numbers about the code
88 to 96    the lengths of the interface and of the object code
96 …        the interface, as text; the object code
==========  =================================================================

Reading checks all of it and interprets nothing else.
"""

from __future__ import annotations

import hashlib
import struct
from typing import NamedTuple

_MAGIC = b"agir\0\0\0\1"
_HASH = slice(len(_MAGIC), len(_MAGIC) + 32)
_HEAD = struct.Struct("<32s2Q2I")


class Content(NamedTuple):
    """What is filed of a program."""

    stack: int
    """The bytes of stack that it needs for calling itself."""
    flags: int
    interface: str
    code: bytes


class DamagedError(Exception):
    """This is not the file that was written."""


def packed(key: str, content: Content) -> bytes:
    """The bytes of a file."""
    text = content.interface.encode()
    lengths = len(text), len(content.code)
    head = _HEAD.pack(bytes.fromhex(key), content.stack, content.flags, *lengths)
    rest = b"".join([head, text, content.code])
    return _MAGIC + hashlib.sha256(rest).digest() + rest


def unpacked(key: str, data: bytes) -> Content:
    """What is in the bytes of a file; `DamagedError` unless it is what was filed under the key."""
    if data[: len(_MAGIC)] != _MAGIC:
        raise DamagedError("it is of another format")
    rest = data[_HASH.stop :]
    if hashlib.sha256(rest).digest() != data[_HASH] or len(rest) < _HEAD.size:
        raise DamagedError("its hash does not match its content")
    found, stack, flags, text, code = _HEAD.unpack_from(rest)
    if found.hex() != key or len(rest) != _HEAD.size + text + code:
        raise DamagedError("it was written under another name")
    at = _HEAD.size + text
    return Content(stack, flags, rest[_HEAD.size : at].decode(), rest[at:])
