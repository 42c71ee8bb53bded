"""Libraries of shared functions in memory: compiled when first needed, or found on disk."""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.code.loading import Image
from agir.backends.cpu.fixed_programs import FixedProgram
from agir.backends.cpu.library import shared
from agir.backends.cpu.machine_code import library_code, machine_code
from agir.backends.mlir.passes import run
from agir.config import config
from agir.ir.building import bindings

_images: dict[tuple[str, int], Image] = {}


def address(symbol: str) -> int | None:
    """Where a shared function is; None for other symbols.  The caller holds the lock."""
    library = shared.library_of(symbol)
    if library is None:
        return None
    key = library, config.opt_level
    if key not in _images:
        code = machine_code(_program(library), library_code).object
        _images[key] = Image(code, lambda _: None)
    return _images[key].address(symbol)


def _program(library: str) -> FixedProgram:
    text = shared.text(library)

    def lowered() -> Any:
        from agir.backends.cpu.pipelines import LLVM

        module = bindings.ir.Module.parse(text)
        run(module, "llvm", LLVM, None)
        return module

    return FixedProgram("library", text, lowered)
