"""Programs that agir has written itself, with nothing but the stage ``llvm``; code on disk or made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agir.backends.cpu.code.assembly import PACKED
from agir.backends.cpu.code.loading import CannotLoadError, Image
from agir.backends.cpu.machine_code import (
    MachineCode,
    Program,
    looked_up,
    machine_code,
    new_engine,
    object_of,
)
from agir.errors import StageError


class FixedProgram:
    """A program that depends on its text alone: the cache knows it by its kind and that."""

    def __init__(self, kind: str, text: str, make: Callable[[], Any]) -> None:
        """``make`` gives the module in the LLVM dialect."""
        self._kind = kind
        self._text = text
        self._make = make
        self._module: Any = None

    def identity(self) -> str:
        """Its kind and text."""
        return f"// {self._kind}\n{self._text}"

    def get(self, stage: str) -> Any:
        """Its only stage, ``llvm``."""
        if stage != "llvm":
            raise StageError(f"a {self._kind} has no stage {stage!r}")
        if self._module is None:
            self._module = self._make()
        return self._module

    def derived(
        self, stage: str, change: Callable[[Any], None], described: str | None = None
    ) -> FixedProgram:
        """It is never changed."""
        raise StageError(f"a {self._kind} is compiled as it is")


def loaded(program: Program, name: str, level: int | None = None) -> tuple[int, Any]:
    """The address of the packed wrapper of a function, and what has its code in memory.

    ``level`` is LLVM's level of optimization, where that is not a matter of options.
    """

    def made(program: Program) -> MachineCode:
        module = program.get("llvm")
        engine = new_engine(module, keep_object=True, level=level)
        looked_up(engine, module, name)
        return MachineCode(None, object_of(engine), 0, strided=False, large=False)

    try:
        image = Image(machine_code(program, made).object, lambda _: None)
        return image.address(PACKED + name), image
    except CannotLoadError:
        engine = new_engine(program.get("llvm"), level=level)
        return looked_up(engine, program.get("llvm"), name), engine
