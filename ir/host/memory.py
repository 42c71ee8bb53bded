"""How much memory the system has left for a program."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path

_GROUP = Path("/sys/fs/cgroup")
_GROUPS = (("memory.max", "memory.current"), ("memory/memory.limit_in_bytes",
            "memory/memory.usage_in_bytes"))  # fmt: skip
"""The limit of the processes that this one is among, and what they have: both generations of it."""


_REST = 0.25
"""What has to be left for everything else, as a part of what is asked for."""


def is_there(size: float) -> bool:
    """Whether so many bytes can be had, and be written to."""
    size *= 1.0 + _REST
    return size <= min(_left(), default=float("inf")) and _is_given(size)


def _left() -> Iterator[float]:
    """What the system says that it has, as far as it says anything."""
    for line in _lines(Path("/proc/meminfo")):
        name, _, rest = line.partition(":")
        if name == "MemAvailable":
            yield 1024.0 * int(rest.split()[0])
    for limit, used in _GROUPS:
        numbers = [*_lines(_GROUP / limit), *_lines(_GROUP / used)]
        if len(numbers) == 2 and all(number.isdigit() for number in numbers):
            yield float(numbers[0]) - float(numbers[1])


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError):
        return []  # another system


def _is_given(size: float) -> bool:
    """Whether the process gets an address for so many bytes; the system gives pages later."""
    library = ctypes.PyDLL(None)
    library.malloc.restype, library.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    library.free.argtypes = [ctypes.c_void_p]
    address = library.malloc(int(size)) if size < 2**63 else None
    library.free(address)
    return address is not None
