"""Reading relocatable ELF files: the sections with code, their symbols and relocations."""

from __future__ import annotations

import struct
from dataclasses import field

from agir.errors import StageError
from agir.records import dataclass

X86_64, AARCH64 = 62, 183

_WRITABLE, _IN_MEMORY, _EXECUTABLE = 0x1, 0x2, 0x4  # SHF_WRITE, SHF_ALLOC, SHF_EXECINSTR
_SYMBOLS, _RELOCATIONS = 2, 4  # SHT_SYMTAB, SHT_RELA
_ZEROS = 8  # SHT_NOBITS
_ADDRESS = 16
"""Where a section's header has its address."""
_SECTION_SYMBOL, _FILE_SYMBOL = 3, 4  # STT_SECTION, STT_FILE


@dataclass(frozen=True)
class Symbol:
    """A name for a place in a section; `section` is 0 where it is defined elsewhere."""

    name: str
    section: int
    value: int
    kind: int
    size: int = 0


@dataclass(frozen=True)
class Relocation:
    """A place in a section that the linker fills in with a symbol's address."""

    offset: int
    symbol: Symbol
    addend: int
    kind: int


@dataclass
class Section:
    """A section with its contents; `data` is empty where it is `size` zeros."""

    index: int
    name: str
    flags: int
    size: int
    alignment: int
    data: bytes
    symbols: list[Symbol] = field(default_factory=list)
    relocations: list[Relocation] = field(default_factory=list)

    @property
    def is_code(self) -> bool:
        """Whether it holds instructions."""
        return bool(self.flags & _EXECUTABLE)

    @property
    def is_writable(self) -> bool:
        """Whether the program may write to it."""
        return bool(self.flags & _WRITABLE)

    @property
    def is_loaded(self) -> bool:
        """Whether it is in memory when the program runs."""
        return bool(self.flags & _IN_MEMORY)


@dataclass(frozen=True)
class ObjectFile:
    """What an object file holds."""

    machine: int
    sections: list[Section]
    symbols: list[Symbol]

    @property
    def undefined(self) -> list[str]:
        """Names of the symbols that other files have to provide."""
        return [symbol.name for symbol in self.symbols if symbol.name and not symbol.section]


def parse(code: bytes) -> ObjectFile:
    """Read a 64-bit little-endian ELF file; ``StageError`` if it is something else."""
    if code[:6] != b"\x7fELF\x02\x01":
        raise StageError("only object files in 64-bit ELF format can be read")
    machine = struct.unpack_from("<H", code, 18)[0]
    start, size, count, names = _header(code)
    rows = [struct.unpack_from("<IIQQQQIIQQ", code, start + size * i) for i in range(count)]
    contents = [b"" if row[1] == _ZEROS else code[row[4] : row[4] + row[5]] for row in rows]
    sections = [
        Section(i, _name(contents[names], row[0]), row[2], row[5], max(row[8], 1), contents[i])
        for i, row in enumerate(rows)
    ]
    symbols: list[Symbol] = []
    for i, row in enumerate(rows):
        if row[1] == _SYMBOLS:
            symbols = _symbols(contents[i], contents[row[6]], sections)
    for i, row in enumerate(rows):
        if row[1] == _RELOCATIONS:
            sections[row[7]].relocations = _relocations(contents[i], symbols)
    return ObjectFile(machine, sections, symbols)


def placed(code: bytes, addresses: dict[int, int]) -> bytes:
    """The same file, which says that its sections are at these addresses."""
    start, size, _, _ = _header(code)
    changed = bytearray(code)
    for index, address in addresses.items():
        struct.pack_into("<Q", changed, start + size * index + _ADDRESS, address)
    return bytes(changed)


def _header(code: bytes) -> tuple[int, int, int, int]:
    start = struct.unpack_from("<Q", code, 40)[0]
    return (start, *struct.unpack_from("<HHH", code, 58))


def _name(table: bytes, offset: int) -> str:
    return table[offset : table.index(b"\0", offset)].decode()


def _symbols(data: bytes, names: bytes, sections: list[Section]) -> list[Symbol]:
    symbols = []
    for name, info, _, section, value, size in struct.iter_unpack("<IBBHQQ", data):
        kind, inside = info & 0xF, section < len(sections)
        label = sections[section].name if kind == _SECTION_SYMBOL and inside else _name(names, name)
        symbol = Symbol("" if kind == _FILE_SYMBOL else label, section, value, kind, size)
        symbols.append(symbol)
        if section and inside and kind < _SECTION_SYMBOL:
            sections[section].symbols.append(symbol)
    return symbols


def _relocations(data: bytes, symbols: list[Symbol]) -> list[Relocation]:
    return [
        Relocation(offset, symbols[info >> 32], addend, info & 0xFFFFFFFF)
        for offset, info, addend in struct.iter_unpack("<QQq", data)
    ]
