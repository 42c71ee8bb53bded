"""Telling the profiler ``perf`` what code in memory is: its names, and the lines it comes from.

Two files, as perf's documentation has them: ``perf-PID.map``, which ``perf report`` reads as it is,
and ``jit-PID.dump``, from which ``perf inject --jit`` makes files with code and lines.
"""

from __future__ import annotations

import mmap
import os
import struct
import tempfile
import threading
import time
from collections.abc import Iterator
from typing import BinaryIO

from agir.backends.cpu.code.elf import ObjectFile, Symbol
from agir.backends.cpu.code.line_table import LineTable

_MAPS = "/tmp"
"""Where perf looks for maps, whatever the folder for temporary files is."""
_MAGIC, _VERSION = 0x4A695444, 1
_HEADER, _RECORD = struct.Struct("<IIIIIIQQ"), struct.Struct("<IIQ")
_CODE, _LINES = struct.Struct("<IIQQQQ"), struct.Struct("<QQ")
_LINE = struct.Struct("<QII")
_LOAD, _DEBUG = 0, 2
_FUNCTION = 2  # STT_FUNC

_lock = threading.Lock()


def announce(file: ObjectFile, addresses: dict[int, int]) -> None:
    """Tell of the functions of an object file whose sections are at these addresses."""
    table = LineTable(file)
    with _lock:
        files = _files()
        for section in file.sections:
            if section.is_code and section.index in addresses:
                for symbol in section.symbols:
                    if symbol.kind == _FUNCTION and symbol.size:
                        code = section.data[symbol.value : symbol.value + symbol.size]
                        files.tell(symbol, addresses[section.index], code, table)


class _Files:
    """The two files of a process."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self._count = 0
        self._map = open(os.path.join(_MAPS, f"perf-{self.process}.map"), "a", encoding="utf-8")  # noqa: SIM115
        path = os.path.join(tempfile.gettempdir(), f"jit-{self.process}.dump")
        self._dump: BinaryIO = open(path, "w+b")  # noqa: SIM115
        machine = 62  # EM_X86_64
        self._dump.write(
            _HEADER.pack(_MAGIC, _VERSION, _HEADER.size, machine, 0, self.process, _now(), 0)
        )
        self._dump.flush()
        # perf finds the file by this: it records what is mapped to be run
        self._marker = mmap.mmap(
            self._dump.fileno(), _HEADER.size, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_EXEC
        )

    def tell(self, symbol: Symbol, section: int, code: bytes, table: LineTable) -> None:
        """Write of one function."""
        start, name = section + symbol.value, f"agir::{symbol.name}"
        self._map.write(f"{start:x} {symbol.size:x} {name}\n")
        self._map.flush()
        if lines := [*_lines(symbol, section, table)]:
            self._record(_DEBUG, _LINES.pack(start, len(lines)) + b"".join(lines))
        self._count += 1
        thread = threading.get_native_id()
        head = _CODE.pack(self.process, thread, start, start, symbol.size, self._count)
        self._record(_LOAD, head + name.encode() + b"\0" + code)
        self._dump.flush()

    def _record(self, kind: int, content: bytes) -> None:
        self._dump.write(_RECORD.pack(kind, _RECORD.size + len(content), _now()) + content)


def _lines(symbol: Symbol, section: int, table: LineTable) -> Iterator[bytes]:
    """The places in a function from which on another line is meant."""
    for row in table.rows:
        inside = symbol.value <= row.address < symbol.value + symbol.size
        if row.section == symbol.section and inside and row.line:
            file = row.file.encode() + b"\0"
            yield _LINE.pack(section + row.address, row.line, row.column) + file


def _now() -> int:
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


_open: list[_Files] = []


def _files() -> _Files:
    """The files of this process, which may have been forked."""
    if not _open or _open[0].process != os.getpid():
        _open[:] = [_Files()]
    return _open[0]
