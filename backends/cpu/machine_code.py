"""Machine code: made by LLVM's engine from the LLVM dialect, or found in the cache.

What is kept of a program is the object file and its *interface*: the functions that can be called,
and those that it calls of the host's, without their bodies.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from agir.backends.cpu.cache import files, store
from agir.backends.cpu.calling import callbacks, pool
from agir.backends.cpu.code.frames import depth_limit, largest_frame
from agir.backends.cpu.code.letting_go import let_go
from agir.backends.cpu.debug_lines import add_lines
from agir.backends.cpu.library import shared
from agir.backends.cpu.passes.analysis.functions import KERNEL
from agir.backends.cpu.passes.bufferization.strided_arguments import can_be_strided
from agir.backends.mlir.llvm_options import avoid_crashes
from agir.backends.mlir.modules import symbols
from agir.config import config
from agir.errors import LoweringError, StageError
from agir.ir.building import bindings
from agir.ir.building.attributes import SIGNATURE
from agir.records import dataclass

_OURS = "agir."
_STRIDED, _LARGE = 1, 2  # flags of what is kept
_KEPT = ("sym_name", "function_type")


class Program(Protocol):
    """What the engine needs of a program: one of its stages, made if need be."""

    def get(self, stage: str) -> Any:
        """The stage of this name."""

    def derived(
        self, stage: str, change: Callable[[Any], None], described: str | None = None
    ) -> Program:
        """The program that goes on from a stage with a change in it."""

    def identity(self) -> str | None:
        """A text that says all that the machine code depends on; None to have it made anew."""


Make = Callable[[Program], "MachineCode"]


@dataclass(frozen=True)
class MachineCode:
    """The code of a program, and what there is to know for calling it."""

    interface: Any
    """A module of the functions that are called from outside or are the host's; None for none."""
    object: bytes
    stack: int
    """The bytes of stack that the deepest recursion takes; 0 where nothing calls itself."""
    strided: bool
    """Whether arguments may be passed with any strides, to code made for them."""
    large: bool
    """Whether it may allocate buffers that the pool is for."""


def machine_code(program: Program, make: Make | None = None) -> MachineCode:
    """The code of a program, from the cache if it is there; else it is made."""
    # the lines of a program are not in its key
    key = None if config.debug_info else store.key(program)
    found = store.find(key) if key else None
    if found is not None:
        strided, large = bool(found.flags & _STRIDED), bool(found.flags & _LARGE)
        interface = bindings.ir.Module.parse(found.interface)
        return MachineCode(interface, found.code, found.stack, strided, large)
    made = (make or _made)(program)
    if key:
        flags = (_STRIDED if made.strided else 0) | (_LARGE if made.large else 0)
        interface = "" if made.interface is None else str(made.interface)
        store.keep(key, files.Content(made.stack, flags, interface, made.object))
    return made


def _made(program: Program) -> MachineCode:
    if config.debug_info:
        program = program.derived("llvm", add_lines)
    module, elsewhere = shared.apart(program.get("llvm"))
    code = object_code(module, elsewhere)
    depth = depth_limit(module)
    return MachineCode(
        _interface(module),
        code,
        depth * largest_frame(code) if depth else 0,
        may_be_strided(program),
        pool.wanted(module),
    )


def library_code(program: Program) -> MachineCode:
    """The code of a library of shared functions."""
    module = program.get("llvm")
    names = shared.export(module)
    engine = new_engine(module, keep_object=True)
    looked_up(engine, module, names[0])
    code = object_of(engine)
    let_go(engine)
    return MachineCode(None, code, 0, strided=False, large=False)


def may_be_strided(program: Program) -> bool:
    """Whether code can be made of a program that takes arguments with any strides."""
    try:
        return can_be_strided(program.get("optimized_hlo"))
    except StageError:  # it began with a later stage
        return False


def _interface(module: Any) -> Any:
    """A module with what of another one's functions is called across its border."""
    ir = bindings.ir
    made = ir.Module.create(ir.Location.unknown())
    with ir.InsertionPoint(made.body), ir.Location.unknown():
        for operation in symbols(module).values():
            if operation.name != "llvm.func":
                continue
            kept = {
                name: attribute
                for name, attribute in operation.attributes.items()
                if name.startswith(_OURS) or name in _KEPT
            }
            if _is_called(operation, kept):
                ir.Operation.create("llvm.func", attributes=kept, regions=1)
    return made


def _is_called(function: Any, kept: Collection[str]) -> bool:
    """Whether a function is one that others call, or says something about itself."""
    if KERNEL in kept:
        return False
    linkage = str(function.attributes.get("linkage", ""))
    is_defined = bool(function.regions[0].blocks)
    is_ours = any(word in linkage for word in ("internal", "linkonce"))
    return (is_defined and not is_ours) or len(kept) > len(_KEPT)


def object_code(module: Any, elsewhere: Sequence[str] = ()) -> bytes:
    """The relocatable machine code of a module in the LLVM dialect.

    Functions that are `elsewhere` do not have to be there yet.
    """
    engine = new_engine(module, keep_object=True)
    engine.kept = callbacks.stand_in(engine, symbols(module), elsewhere)
    for name, function in symbols(module).items():
        if SIGNATURE in function.attributes:  # else the engine looks for private functions too
            looked_up(engine, module, name)
    code = object_of(engine)
    let_go(engine)
    return code


def object_of(engine: Any) -> bytes:
    """The machine code of an engine that keeps it, and in which something has been looked up."""
    with _file() as path:
        engine.dump_to_object_file(path)
        with open(path, "rb") as file:
            return file.read()


@contextmanager
def _file() -> Iterator[str]:
    """The path of an empty file, in memory where the system has such files."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("agir")
        try:
            yield f"/proc/self/fd/{descriptor}"
        finally:
            os.close(descriptor)
    else:
        import tempfile  # only where it is needed, for it takes a while

        with tempfile.TemporaryDirectory(prefix="agir-") as folder:
            yield os.path.join(folder, "code.o")


def new_engine(module: Any, *, keep_object: bool = False, level: int | None = None) -> Any:
    """LLVM's engine for a module in the LLVM dialect: optimizes, and compiles what is looked up.

    At a level of optimization, or else at the one of the options.
    """
    avoid_crashes()
    try:
        return bindings.execution_engine.ExecutionEngine(
            module,
            opt_level=config.opt_level if level is None else level,
            enable_object_dump=keep_object,
        )
    except RuntimeError as error:
        raise LoweringError(f"LLVM refuses the module: {error}") from None


def looked_up(engine: Any, module: Any, name: str) -> int:
    """The address of a function, called with one array of pointers to its arguments."""
    address: int = engine.raw_lookup(name)
    if not address:
        missing = ", ".join(_unresolved(module)) or "unknown"
        raise LoweringError(f"the code of {name!r} cannot be linked: no symbol {missing}")
    return address


def _unresolved(module: Any) -> list[str]:
    """The functions that are declared only and that the process does not have."""
    process = ctypes.CDLL(None)
    return [
        name
        for name, operation in symbols(module).items()
        if operation.name == "llvm.func"
        and not operation.regions[0].blocks
        and not hasattr(process, name)
    ]
