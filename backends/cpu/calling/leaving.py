"""What a compiled function that has ended early raises; `passes.leaving` says how it does."""

from __future__ import annotations

import ctypes
import struct
from typing import TYPE_CHECKING, Any

from agir.backends.cpu.calling.results import free
from agir.backends.mlir.lock import compiling
from agir.backends.mlir.modules import find
from agir.errors import RuntimeMemoryError, StageError
from agir.ir.building import bindings, locations

if TYPE_CHECKING:
    from agir.backends.cpu.machine_code import Program

COUNT = 3
"""How many results say it, the last ones of the function: a reason, a number and the place."""

NO_MEMORY, INTERRUPTED = 1, 2
"""The reasons; the number is a float64, how many bytes there should be; or it is the address of what
Python's ``PyErr_Fetch`` gave."""

LEFT_AT = "agir.left_at"
"""Says the place of a branch of the stage ``llvm`` that leaves."""

_restore = ctypes.pythonapi.PyErr_Restore
_restore.argtypes = [ctypes.c_void_p] * 3
_restore.restype = None


class Leaving:
    """Raises what has ended a function of a program, with the user's line."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def __call__(self, reason: int, number: int, place: int) -> None:
        """Raise it; the numbers are the last results."""
        if reason == INTERRUPTED:
            _raise_kept(number, self._line(place))
        size = struct.unpack("d", struct.pack("q", number))[0]
        raise RuntimeMemoryError(
            f"there is no memory for an array of {size / 1e9:.1f} GB{self._line(place)}"
        )

    def _line(self, place: int) -> str:
        """The line of a message that says where it was; empty where the stages do not."""
        try:
            module = self._program.get("llvm")
        except StageError:
            return ""
        with compiling, bindings.context():
            for branch in find(module, "llvm.cond_br"):
                if LEFT_AT in branch.attributes and branch.attributes[LEFT_AT].value == place:
                    return locations.with_source(branch.location)
        return ""


def _raise_kept(address: int, line: str) -> None:
    """Raise the exception that ``PyErr_Fetch`` has put there."""
    kept: Any = (ctypes.c_void_p * 3).from_address(address)
    parts = list(kept)
    free(address)
    try:
        _restore(*parts)  # ctypes raises what it finds after the call
    except BaseException as error:
        if line and hasattr(error, "add_note"):
            error.add_note(line.lstrip("\n"))
        raise
