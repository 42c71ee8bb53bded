"""The pool of large buffers in memory: compiled when first needed, or found on disk."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from agir.backends.cpu.calling import pool
from agir.backends.cpu.calling.pool import Pool
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

_PACKED = "_mlir_"


@cache
def start() -> Pool | None:
    """The pool that all programs share; None where there can be none.  The caller holds the lock."""
    if not pool.is_possible():
        return None
    made = new()
    pool.use(made)
    return made


def new() -> Pool:
    """A pool of its own."""
    program = _Program()
    try:
        image = Image(machine_code(program, _made).object, lambda _: None)
        return Pool(pool.packed(image.address(_PACKED + pool.NAME)), image)
    except CannotLoadError:
        engine = new_engine(program.get("llvm"))
        return Pool(pool.packed(looked_up(engine, program.get("llvm"), pool.NAME)), engine)


def _made(program: Program) -> MachineCode:
    module = program.get("llvm")
    engine = new_engine(module, keep_object=True)
    looked_up(engine, module, pool.NAME)
    return MachineCode("", object_of(engine), 0, strided=False, large=False)


class _Program:
    """The pool as a program."""

    def __init__(self) -> None:
        self._module: Any = None

    def identity(self) -> str:
        """Its text."""
        return f"// pool\n{pool.text()}"

    def get(self, stage: str) -> Any:
        """Its only stage, ``llvm``."""
        if stage != "llvm":
            raise StageError(f"the pool has no stage {stage!r}")
        if self._module is None:
            self._module = pool.module()
        return self._module

    def derived(
        self, stage: str, change: Callable[[Any], None], described: str | None = None
    ) -> _Program:
        """The pool is never changed."""
        raise StageError("the pool is compiled as it is")
