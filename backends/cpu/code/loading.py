"""Object files as code that can be called: a linker of our own, for what LLVM makes on x86-64 Linux.

LLVM's engine links what it compiles, and nothing else.  Code that was compiled before, in another
process, is an object file: its sections are copied into memory, the addresses of symbols are filled
in, and then the memory loses the permission to be written to before it gets that to be run.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import struct
import sys
import weakref
from collections.abc import Callable
from functools import cache
from typing import Any

from agir.backends.cpu.code import elf
from agir.config import config
from agir.errors import StageError

_READ, _WRITE, _EXECUTE = 1, 2, 4  # PROT_READ, PROT_WRITE, PROT_EXEC
_CODE, _CONSTANTS, _DATA = _READ | _EXECUTE, _READ, _READ | _WRITE
_FRAMES = ".eh_frame"
_END_OF_FRAMES = 4  # a length of zero
_REGISTER, _FORGET = "__register_frame", "__deregister_frame"
_MASK = (1 << 64) - 1

# The kinds of x86-64's relocations that have a meaning without tables of the linker's: what is
# written (S: the symbol, A: the addend, P: the place), whether relative to P, and its format.
_RELOCATIONS = {
    1: (False, "<Q"),  # R_X86_64_64: S + A
    2: (True, "<i"),  # R_X86_64_PC32: S + A - P
    4: (True, "<i"),  # R_X86_64_PLT32: the same, of a function
    10: (False, "<I"),  # R_X86_64_32
    11: (False, "<i"),  # R_X86_64_32S
    24: (True, "<Q"),  # R_X86_64_PC64
}
_ABSOLUTE = 0xFFF1  # SHN_ABS


class CannotLoadError(Exception):
    """This object file cannot be loaded here; LLVM's engine may be able to."""


def unavailable() -> str:
    """Why object files cannot be loaded on this machine; nothing if they can."""
    machine = os.uname().machine if hasattr(os, "uname") else "unknown"
    if sys.platform != "linux" or machine != "x86_64":
        return f"object files are loaded on x86-64 Linux only; this is {machine} {sys.platform}"
    return ""


def placed(instructions: bytes) -> tuple[int, object]:
    """The address of instructions that need no linking, in the memory that comes with it."""
    memory, base = _fresh(len(instructions))
    memory[: len(instructions)] = instructions
    _protect(base, len(instructions), _CODE)
    return base, memory


class Image:
    """An object file in memory, until the last who refers to it is gone."""

    def __init__(self, code: bytes, provided: Callable[[str], int | None]) -> None:
        """Load the file; ``provided`` gives addresses of symbols that the process does not export."""
        if reason := unavailable():
            raise CannotLoadError(reason)
        try:
            file = elf.parse(code)
        except (StageError, struct.error, IndexError, ValueError) as error:
            raise CannotLoadError(f"not an object file: {error}") from None
        if file.machine != elf.X86_64:
            raise CannotLoadError(f"code for ELF machine {file.machine}")
        self._sections = [each for each in file.sections if each.is_loaded and each.size]
        self._symbols = file.symbols
        self._place()
        self._resolve(provided)
        self._relocate()
        for begin, size, permission in self._parts:
            _protect(self._base + begin, size, permission)
        self._tell_unwinder()
        if config.debug_info:
            from agir.backends.cpu.code import gdb, perf

            addresses = {index: self._base + at for index, at in self._at.items()}
            perf.announce(file, addresses)
            if shown := gdb.announce(code, addresses):
                weakref.finalize(self, gdb.forget, shown).atexit = False

    def address(self, name: str) -> int:
        """Where a symbol of the file is; ``CannotLoadError`` if it has none of that name."""
        for symbol in self._symbols:
            if symbol.name == name and symbol.section in self._at:
                return self._addresses[symbol]
        raise CannotLoadError(f"no symbol {name}")

    def _place(self) -> None:
        """Copy the sections into fresh memory, those of one permission side by side."""
        self._at: dict[int, int] = {}
        self._parts: list[tuple[int, int, int]] = []
        end = 0
        for permission in (_CODE, _CONSTANTS, _DATA):
            begin = end = _aligned(end, mmap.PAGESIZE)
            for section in self._sections:
                if _permission(section) == permission:
                    end = _aligned(end, section.alignment)
                    self._at[section.index] = end
                    end += section.size + (_END_OF_FRAMES if section.name == _FRAMES else 0)
            self._parts.append((begin, end - begin, permission))
        self._memory = self._room(end)
        self._base = _address(self._memory)
        for section in self._sections:
            at = self._at[section.index]
            self._memory[at : at + len(section.data)] = section.data

    def _room(self, size: int) -> mmap.mmap:
        """Memory for all of it, which for profilers is that of a file with the names."""
        if not config.debug_info:
            return _fresh(size)[0]
        from agir.backends.cpu.code import mapped

        if not mapped.is_possible():
            return _fresh(size)[0]
        _, code, _ = self._parts[0]
        known = [
            (symbol, self._at[symbol.section] + symbol.value)
            for symbol in self._symbols
            if symbol.section in self._at
        ]
        return mapped.memory(size, code, known)

    def _resolve(self, provided: Callable[[str], int | None]) -> None:
        """Find the address of every symbol."""
        self._addresses: dict[elf.Symbol, int] = {}
        for symbol in self._symbols:
            if symbol.section in self._at:
                self._addresses[symbol] = self._base + self._at[symbol.section] + symbol.value
            elif symbol.section == _ABSOLUTE:
                self._addresses[symbol] = symbol.value
            elif not symbol.section and symbol.name:
                self._addresses[symbol] = provided(symbol.name) or _exported(symbol.name)

    def _relocate(self) -> None:
        for section in self._sections:
            start = self._at[section.index]
            for relocation in section.relocations:
                if relocation.kind not in _RELOCATIONS:
                    raise CannotLoadError(f"a relocation of kind {relocation.kind}")
                relative, form = _RELOCATIONS[relocation.kind]
                if relocation.symbol not in self._addresses:
                    raise CannotLoadError(f"a symbol that is nowhere: {relocation.symbol.name}")
                value = self._addresses[relocation.symbol] + relocation.addend
                at = start + relocation.offset
                value -= self._base + at if relative else 0
                try:
                    struct.pack_into(
                        form, self._memory, at, value & _MASK if "Q" in form else value
                    )
                except struct.error:
                    raise CannotLoadError(f"{relocation.symbol.name} is too far away") from None

    def _tell_unwinder(self) -> None:
        """Let exceptions, debuggers and profilers find the way through the code's frames."""
        library = _unwinder()
        for section in self._sections if library else ():
            if section.name == _FRAMES:
                address = self._base + self._at[section.index]
                library[_REGISTER](address)
                weakref.finalize(self, _forget_frames, address, self._memory).atexit = False


def _forget_frames(address: int, memory: object) -> None:
    """Before the memory, which this keeps until then, goes."""
    _unwinder()[_FORGET](address)


def _fresh(size: int) -> tuple[mmap.mmap, int]:
    """Memory that can be written to, and its address."""
    memory = mmap.mmap(-1, max(size, 1), mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, _READ | _WRITE)
    return memory, _address(memory)


def _address(memory: mmap.mmap) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(memory))


def _protect(address: int, size: int, permission: int) -> None:
    if size and _libc().mprotect(address, size, permission):
        reason = os.strerror(ctypes.get_errno())
        raise CannotLoadError(f"memory cannot be made executable: {reason}")


def _permission(section: elf.Section) -> int:
    if section.is_code:
        return _CODE
    return _DATA if section.is_writable else _CONSTANTS


def _aligned(number: int, alignment: int) -> int:
    return -(-number // alignment) * alignment


@cache
def _libc() -> Any:
    library = ctypes.CDLL(None, use_errno=True)
    library.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    return library


@cache
def _unwinder() -> Any:
    """The library that unwinds the stack, where it can be told of frames."""
    try:
        library = ctypes.CDLL("libgcc_s.so.1")
        functions = {name: getattr(library, name) for name in (_REGISTER, _FORGET)}
    except (OSError, AttributeError):
        return None
    for function in functions.values():
        function.argtypes, function.restype = [ctypes.c_void_p], None
    return functions


@cache
def _exported(name: str) -> int:
    """The address of a symbol that the process exports, as LLVM's engine finds it."""
    try:
        found = ctypes.cast(getattr(_libc(), name), ctypes.c_void_p).value
    except AttributeError:
        found = None
    if not found:
        raise CannotLoadError(f"no symbol {name}")
    return found
