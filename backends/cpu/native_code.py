"""The machine code of a call, for all processes: compiled when first needed, or found on disk."""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.fixed_programs import FixedProgram, loaded
from agir.backends.cpu.native import program
from agir.backends.cpu.native.machine import ImpossibleError
from agir.backends.mlir.lock import compiling
from agir.errors import LoweringError
from agir.ir import bindings

_LEVEL = 0
"""LLVM makes the code in half the time then, and a call takes five per cent longer."""


def load() -> tuple[int, Any]:
    """The address of what begins with it, and what has the code in memory."""
    text = program.text()
    code = FixedProgram("call", text, lambda: bindings.ir.Module.parse(text))
    with compiling, bindings.context():
        try:
            return loaded(code, program.BEGIN, _LEVEL)
        except LoweringError as error:
            raise ImpossibleError(str(error)) from None
