"""LLVM's own options, which only its command line sets."""

from __future__ import annotations

import ctypes
from functools import cache

from agir.ir.building import bindings

_SAFE = "-enable-epilogue-vectorization=false"
"""The rest of a vectorized loop as a second vectorized one is hardly worth anything, and LLVM takes it
for granted that what enters that one is the result of an instruction: where a loop leaves a value as it
was, it may be an argument or a constant, and the process ends."""


def set_options(*options: str) -> None:
    """Set options of LLVM's for the whole process; one that it does not know is left out.

    Raises ``AttributeError``, ``OSError`` or ``ValueError`` where the bindings have no such way.
    """
    parse = ctypes.CDLL(bindings.library()).LLVMParseCommandLineOptions
    parse.argtypes = [ctypes.c_int, ctypes.POINTER(ctypes.c_char_p), ctypes.c_char_p]
    parse.restype = None
    words = [b"agir", *(option.encode() for option in options)]
    parse(len(words), (ctypes.c_char_p * len(words))(*words), b"")


@cache
def avoid_crashes() -> None:
    """Have LLVM leave out what may end the process."""
    try:
        set_options(_SAFE)
    except (AttributeError, OSError, ValueError):
        return  # bindings that somebody has built in another way
