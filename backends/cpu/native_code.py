"""The machine code of a call, for all processes: compiled when first needed, or found on disk."""

from __future__ import annotations

from functools import cache
from typing import Any

from agir.backends.cpu.fixed_programs import FixedProgram, loaded
from agir.backends.cpu.native import columns, machine, program
from agir.backends.cpu.native.machine import ImpossibleError
from agir.backends.cpu.native.taking import Taking
from agir.backends.mlir.lock import compiling
from agir.errors import LoweringError
from agir.ir.building import bindings

_LEVEL = 0
"""LLVM makes the code in half the time then, and a call takes five per cent longer."""


def load() -> tuple[int, Any]:
    """The address of what begins with it, and what has the code in memory."""
    return _loaded("call", program.text(), program.BEGIN, _LEVEL)


@cache
def taking() -> Taking | None:
    """The code that takes numbers out of objects; None where this process cannot have it."""
    if not machine.is_possible():
        return None
    try:
        return Taking(_loaded("columns", columns.text(), columns.BEGIN, None))
    except ImpossibleError:
        return None


def _loaded(kind: str, text: str, begin: str, level: int | None) -> tuple[int, Any]:
    code = FixedProgram(kind, text, lambda: bindings.ir.Module.parse(text))
    with compiling, bindings.context():
        try:
            return loaded(code, begin, level)
        except LoweringError as error:
            raise ImpossibleError(str(error)) from None
