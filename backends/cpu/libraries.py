"""Libraries of shared functions in memory: compiled when first needed, or found on disk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agir.backends.cpu import pipelines
from agir.backends.cpu.code.loading import Image
from agir.backends.cpu.library import shared
from agir.backends.cpu.machine_code import library_code, machine_code
from agir.backends.mlir.passes import run
from agir.config import config
from agir.errors import StageError
from agir.ir import bindings

_images: dict[tuple[str, int], Image] = {}


def address(symbol: str) -> int | None:
    """Where a shared function is; None for other symbols.  The caller holds the lock."""
    library = shared.library_of(symbol)
    if library is None:
        return None
    key = library, config.opt_level
    if key not in _images:
        code = machine_code(_Library(library), library_code).object
        _images[key] = Image(code, lambda _: None)
    return _images[key].address(symbol)


class _Library:
    """A library as a program."""

    def __init__(self, name: str) -> None:
        self._text = shared.text(name)
        self._module: Any = None

    def identity(self) -> str:
        """Its text."""
        return f"// library\n{self._text}"

    def get(self, stage: str) -> Any:
        """Its only stage, ``llvm``."""
        if stage != "llvm":
            raise StageError(f"a library has no stage {stage!r}")
        if self._module is None:
            self._module = bindings.ir.Module.parse(self._text)
            run(self._module, "llvm", pipelines.LLVM, None)
        return self._module

    def derived(
        self, stage: str, change: Callable[[Any], None], described: str | None = None
    ) -> _Library:
        """A library is never changed."""
        raise StageError("a library is compiled as it is")
