"""Telling the debugger ``gdb`` what code in memory is: the interface for just-in-time compilers.

An object file is shown to gdb as it is, but for the addresses at which its sections lie.
"""

from __future__ import annotations

import ctypes
import re
import threading
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from agir.backends.cpu.code import elf

_REGISTER, _DESCRIPTOR = "__jit_debug_register_code", "__jit_debug_descriptor"
_ADDED, _GONE = 1, 2
_LIBRARY = re.compile(r"\s(/\S*MLIR\S*\.so\S*)$", re.MULTILINE)
_lock = threading.Lock()


class _Entry(ctypes.Structure):
    """A file in a list of files."""


_Entry._fields_ = [
    ("next", ctypes.POINTER(_Entry)),
    ("previous", ctypes.POINTER(_Entry)),
    ("file", ctypes.c_char_p),
    ("size", ctypes.c_uint64),
]


class _Descriptor(ctypes.Structure):
    """What gdb looks at when it stops where files are registered."""

    _fields_: ClassVar[list[tuple[str, Any]]] = [
        ("version", ctypes.c_uint32),
        ("action", ctypes.c_uint32),
        ("relevant", ctypes.POINTER(_Entry)),
        ("first", ctypes.POINTER(_Entry)),
    ]


Shown = tuple[_Entry, bytes]
"""What gdb may look at as long as the code is there."""

_gone: list[Shown] = []


def announce(code: bytes, addresses: dict[int, int]) -> Shown | None:
    """Tell of an object file whose sections are at these addresses."""
    library = _library()
    if library is None:
        return None
    shown = elf.placed(code, addresses)
    entry = _Entry(file=shown, size=len(shown))
    with _lock:
        descriptor = _Descriptor.in_dll(library, _DESCRIPTOR)
        if descriptor.first:
            entry.next = descriptor.first
            descriptor.first.contents.previous = ctypes.pointer(entry)
        descriptor.first = ctypes.pointer(entry)
        _tell(library, descriptor, entry, _ADDED)
    _settle()
    return entry, shown


def forget(shown: Shown) -> None:
    """Tell that the code of a file is gone; called whenever garbage is collected."""
    _gone.append(shown)
    _settle()


def _settle() -> None:
    """Take what is gone out of the list, unless someone is at it, who does that then."""
    while _gone and _lock.acquire(blocking=False):
        try:
            _take_out(_gone.pop()[0])
        finally:
            _lock.release()


def _take_out(entry: _Entry) -> None:
    library = _library()
    descriptor = _Descriptor.in_dll(library, _DESCRIPTOR)
    if entry.previous:
        entry.previous.contents.next = entry.next
    else:
        descriptor.first = entry.next
    if entry.next:
        entry.next.contents.previous = entry.previous
    _tell(library, descriptor, entry, _GONE)


def _tell(library: Any, descriptor: _Descriptor, entry: _Entry, action: int) -> None:
    descriptor.relevant, descriptor.action = ctypes.pointer(entry), action
    library[_REGISTER]()


@cache
def _library() -> Any:
    """The library with LLVM's side of the interface, where gdb waits."""
    for path in dict.fromkeys(_LIBRARY.findall(Path("/proc/self/maps").read_text())):
        library = ctypes.CDLL(path)
        if hasattr(library, _REGISTER):
            return library
    return None
