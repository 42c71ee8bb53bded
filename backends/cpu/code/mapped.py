"""Memory for code that lies in a file, for profilers that look for names there, as ``py-spy`` does.

The file is a library with nothing but room for the code and the names in it; what the process writes to
the memory stays its own.
"""

from __future__ import annotations

import mmap
import os
import struct
import tempfile
from collections.abc import Sequence

from agir.backends.cpu.code.elf import X86_64, Symbol

_PAGE = mmap.PAGESIZE
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SEGMENT, _SECTION = struct.Struct("<IIQQQQQQ"), struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_IDENTITY = b"\x7fELF\x02\x01\x01"
_LIBRARY, _LOADED, _READ_AND_RUN = 3, 1, 5  # ET_DYN, PT_LOAD, PF_R | PF_X
_GLOBAL_FUNCTION, _FUNCTION = 0x12, 2
_BITS, _SYMBOLS, _STRINGS = 1, 2, 3  # of sections: SHT_PROGBITS, SHT_SYMTAB, SHT_STRTAB
_RUN = 6  # SHF_ALLOC | SHF_EXECINSTR
_NAMES = b"\0.text\0.symtab\0.strtab\0.shstrtab\0"


def is_possible() -> bool:
    """Whether what lies in the folder for temporary files may be run."""
    return not os.statvfs(tempfile.gettempdir()).f_flag & os.ST_NOEXEC


def memory(size: int, code: int, symbols: Sequence[tuple[Symbol, int]]) -> mmap.mmap:
    """Memory that can be written to; the symbols, with their places, are in its first `code` bytes."""
    room = -(-size // _PAGE) * _PAGE
    functions = [(each, at) for each, at in symbols if each.kind == _FUNCTION and each.size]
    descriptor, _ = tempfile.mkstemp(".so", f"agir-{os.getpid()}-")
    try:
        os.write(descriptor, _library(room, code, functions))
        return mmap.mmap(
            descriptor, size, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE, offset=_PAGE
        )
    finally:
        os.close(descriptor)


def _library(room: int, code: int, functions: Sequence[tuple[Symbol, int]]) -> bytes:
    names, table = b"\0", bytes(_SYMBOL.size)
    for symbol, at in functions:
        table += _SYMBOL.pack(len(names), _GLOBAL_FUNCTION, 0, 1, _PAGE + at, symbol.size)
        names += f"agir::{symbol.name}".encode() + b"\0"
    end = _PAGE + room
    places = [end, end + len(table), end + len(table) + len(names)]
    sections = [
        bytes(_SECTION.size),
        _SECTION.pack(_NAMES.index(b".text"), _BITS, _RUN, _PAGE, _PAGE, code, 0, 0, 16, 0),
        _SECTION.pack(
            *(_NAMES.index(b".symtab"), _SYMBOLS, 0, 0, places[0], len(table)),
            *(3, 1, 8, _SYMBOL.size),
        ),
        _SECTION.pack(_NAMES.index(b".strtab"), _STRINGS, 0, 0, places[1], len(names), 0, 0, 1, 0),
        _SECTION.pack(
            _NAMES.index(b".shstrtab"), _STRINGS, 0, 0, places[2], len(_NAMES), 0, 0, 1, 0
        ),
    ]
    after = places[2] + len(_NAMES)
    header = _HEADER.pack(
        *(_IDENTITY.ljust(16, b"\0"), _LIBRARY, X86_64, 1, 0, _HEADER.size, after, 0),
        *(_HEADER.size, _SEGMENT.size, 1, _SECTION.size, len(sections), len(sections) - 1),
    )
    segment = _SEGMENT.pack(_LOADED, _READ_AND_RUN, _PAGE, _PAGE, _PAGE, code, code, _PAGE)
    front = (header + segment).ljust(_PAGE, b"\0")
    return front + bytes(room) + table + names + _NAMES + b"".join(sections)
