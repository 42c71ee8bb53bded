"""Reading the line table of an object file: the ``.debug_line`` section, as DWARF 4 has it."""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterator

from agir.backends.cpu.code.elf import ObjectFile, Section
from agir.errors import StageError
from agir.records import dataclass

_TABLE = ".debug_line"
_LATEST = 4
_COPY, _ADVANCE, _LINE, _FILE, _COLUMN = 1, 2, 3, 4, 5
_ADD_CONSTANT, _FIXED_ADVANCE = 8, 9
_END, _ADDRESS = 1, 2  # extended ones, after a zero
_FLAGS = {6, 7, 10, 11}  # whether it is a statement, a block's or prologue's end; no operands


@dataclass(frozen=True, order=True)
class Row:
    """From this address of a section on, instructions come from this place; line 0 is nowhere."""

    section: int
    address: int
    file: str
    line: int
    column: int
    is_end: bool = False


class LineTable:
    """Which line an instruction comes from."""

    def __init__(self, file: ObjectFile) -> None:
        self.rows: list[Row] = []
        for section in file.sections:
            if section.name == _TABLE:
                self.rows += _Reader(section).rows()
        # of several rows at an address the last one counts; an end yields to what begins there
        order = [(row.section, row.address, not row.is_end) for row in self.rows]
        ranks = sorted(range(len(order)), key=order.__getitem__)
        self.rows = [self.rows[n] for n in ranks]
        self._starts = [order[n][:2] for n in ranks]

    def find(self, section: int, address: int) -> Row | None:
        """The place of an instruction; None where the compiler has not said."""
        at = bisect_right(self._starts, (section, address)) - 1
        row = self.rows[at] if at >= 0 else None
        return None if row is None or row.section != section or not row.line else row


class _Reader:
    """The line programs of a section, one after the other."""

    def __init__(self, section: Section) -> None:
        self._data = section.data
        self._at = 0
        self._targets = {each.offset: each for each in section.relocations}

    def rows(self) -> Iterator[Row]:
        """What the programs say."""
        while self._at < len(self._data):
            end = self._number("I") + self._at
            version = self._number("H")
            if version > _LATEST:
                raise StageError(f"a line table of DWARF {version} cannot be read")
            program = self._number("I") + self._at
            least, most = self._number("B"), self._number("B") if version >= 4 else 1
            self._number("B")  # what begins as a statement
            base, span, first = self._number("b"), self._number("B"), self._number("B")
            operands = [self._number("B") for _ in range(first - 1)]
            files = self._files()
            self._at = program
            yield from self._program(end, least * most, (base, span, first), operands, files)
            self._at = end

    def _files(self) -> list[str]:
        folders = [""]
        while folder := self._text():
            folders.append(folder)
        files = [""]
        while name := self._text():
            folder = folders[self._leb()]
            self._leb(), self._leb()  # when it was changed, its size
            files.append(f"{folder}/{name}" if folder else name)
        return files

    def _program(
        self,
        end: int,
        unit: int,
        special: tuple[int, int, int],
        operands: list[int],
        files: list[str],
    ) -> Iterator[Row]:
        base, span, first = special
        section, address, file, line, column = 0, 0, 1, 1, 0
        while self._at < end:
            code = self._number("B")
            if code >= first:
                steps = code - first
                address += steps // span * unit
                line += base + steps % span
                yield Row(section, address, files[file], line, column)
            elif code == _COPY:
                yield Row(section, address, files[file], line, column)
            elif code == 0:
                after = self._leb() + self._at
                kind = self._number("B")
                if kind == _END:
                    yield Row(section, address, files[file], 0, 0, is_end=True)
                    section, address, file, line, column = 0, 0, 1, 1, 0
                elif kind == _ADDRESS:
                    section, address = self._address()
                self._at = after
            elif code == _ADVANCE:
                address += self._leb() * unit
            elif code == _LINE:
                line += self._leb(signed=True)
            elif code == _FILE:
                file = self._leb()
            elif code == _COLUMN:
                column = self._leb()
            elif code == _ADD_CONSTANT:
                address += (255 - first) // span * unit
            elif code == _FIXED_ADVANCE:
                address += self._number("H")
            elif code not in _FLAGS:
                for _ in range(operands[code - 1]):
                    self._leb()

    def _address(self) -> tuple[int, int]:
        """A section and a place in it, which the linker would write here."""
        relocation = self._targets.get(self._at)
        if relocation is None:
            raise StageError("a line table without relocations cannot be read")
        return relocation.symbol.section, relocation.symbol.value + relocation.addend

    def _number(self, kind: str) -> int:
        (value,) = struct.unpack_from(f"<{kind}", self._data, self._at)
        self._at += struct.calcsize(kind)
        return int(value)

    def _leb(self, *, signed: bool = False) -> int:
        value = shift = 0
        while True:
            byte = self._data[self._at]
            self._at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return value - (1 << shift) if signed and byte & 0x40 else value

    def _text(self) -> str:
        end = self._data.index(b"\0", self._at)
        text = self._data[self._at : end].decode()
        self._at = end + 1
        return text
