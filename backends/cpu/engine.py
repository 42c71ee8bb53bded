"""Machine code in memory: LLVM's just-in-time engine, and what a caller holds of it."""

from __future__ import annotations

import ctypes
import os
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

import numpy as np

from agir.backends.cpu.calling import callbacks, pool
from agir.backends.cpu.calling.arguments import strided
from agir.backends.cpu.calling.caller import make_caller
from agir.backends.cpu.calling.layout import Signature, signature
from agir.backends.cpu.code.frames import depth_limit, largest_frame
from agir.backends.cpu.passes.functions import SIGNATURE
from agir.backends.cpu.passes.in_place import DESTINATIONS
from agir.backends.cpu.passes.strided import can_be_strided, mark_strided
from agir.backends.entry import Entry, Run
from agir.backends.mlir.lock import compiling
from agir.backends.mlir.modules import symbols
from agir.backends.stack import with_room
from agir.config import config
from agir.errors import LoweringError, StageError
from agir.ir import bindings
from agir.ir.host import hosts

_packed_function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Program(Protocol):
    """What the engine needs of a program: one of its stages, made if need be."""

    def get(self, stage: str) -> Any:
        """The stage of this name."""

    def derived(self, stage: str, change: Callable[[Any], None]) -> Program:
        """The program that goes on from a stage with a change in it."""


class Executable:
    """A compiled function: takes NumPy arrays and scalars, gives NumPy arrays and scalars.

    Safe to call from several threads at once, which then run in parallel.  `results` are the NumPy
    types of the results, for MLIR's integers carry no sign.  A result that has an argument for its
    destination (`in_place`) is none of them: it is in the argument's array after the call.
    `given` is what callbacks use that only this process has, by their names.
    """

    def __init__(
        self,
        compilation: Program,
        name: str,
        results: Sequence[np.dtype[Any]] | None = None,
        given: Mapping[str, Any] | None = None,
        elsewhere: Callable[[Signature, Sequence[Any]], Run | None] | None = None,
    ) -> None:
        module = compilation.get("llvm")
        with compiling, bindings.context():
            self.name = name
            self.signature = _signature(module, name)
            depth = depth_limit(module)
            engine = _engine(module, keep_object=depth > 0)
            if pool.wanted(module) and (large := pool.start()):
                large.provide(engine)
            provided = callbacks.register(engine, symbols(module), given or {})
            function: Any = _packed_function(_address(engine, module, name))
            frame = largest_frame(_object_of(engine)) if depth else 0
        # whoever can call the code keeps it in memory, and what it calls
        function.engine, function.provided = engine, provided
        if depth:
            function = with_room(function, depth * frame)
        dtypes = results or [value.dtype for value in self.signature.results]
        #: the same as calling the object, one level of Python less
        other = None if elsewhere is None else partial(elsewhere, self.signature)
        self.call = make_caller(self.signature, dtypes, function, other)
        if provided:
            self.call = _raising(self.call)

    def __call__(self, arguments: Sequence[Any]) -> list[Any]:
        """Run the function; the results never share memory with the arguments."""
        return self.call(arguments)


def load(program: Program, entry: Entry) -> Run:
    """The CPU back end."""
    dtypes = [kind for n, kind in enumerate(entry.dtypes) if n not in entry.in_place]
    strided = _Strided(program, entry.name, dtypes, entry.given)
    return Executable(program, entry.name, dtypes, entry.given, strided.find).call


class _Strided:
    """The same function for large arrays that are not contiguous, compiled when they come."""

    def __init__(self, program: Program, *entry: Any) -> None:
        self._program = program
        self._entry = entry
        self._lock = threading.Lock()
        self._found: dict[tuple[int, ...], Run] = {}

    def find(self, signature: Signature, arguments: Sequence[Any]) -> Run | None:
        """What takes these arguments as they are; None where they are copied."""
        positions = strided(signature, arguments)
        if not positions or not can_be_strided(self._program.get("optimized_hlo")):
            return None
        with self._lock:
            if positions not in self._found:
                name, dtypes, given = self._entry
                program = self._program.derived(
                    "optimized_hlo", lambda module: mark_strided(module, name, positions)
                )
                self._found[positions] = Executable(program, name, dtypes, given).call
        return self._found[positions]


def _raising(call: Run) -> Run:
    """The call, which raises at its end what a callback raised."""

    def calling(arguments: Sequence[Any]) -> list[Any]:
        with hosts.calling():
            return call(arguments)

    return calling


def object_code(module: Any) -> bytes:
    """The relocatable machine code of a module in the LLVM dialect."""
    engine = _engine(module, keep_object=True)
    engine.kept = callbacks.stand_in(engine, symbols(module))
    for name, function in symbols(module).items():
        if SIGNATURE in function.attributes:  # else the engine looks for private functions too
            _address(engine, module, name)
    return _object_of(engine)


def _object_of(engine: Any) -> bytes:
    """The machine code of an engine that keeps it, and in which something has been looked up."""
    with tempfile.TemporaryDirectory(prefix="agir-") as folder:
        path = os.path.join(folder, "code.o")
        engine.dump_to_object_file(path)
        with open(path, "rb") as file:
            return file.read()


def _engine(module: Any, *, keep_object: bool = False) -> Any:
    try:
        return bindings.execution_engine.ExecutionEngine(
            module, opt_level=config.opt_level, enable_object_dump=keep_object
        )
    except RuntimeError as error:
        raise LoweringError(f"LLVM refuses the module: {error}") from None


def _signature(module: Any, name: str) -> Signature:
    function = symbols(module).get(name)
    if function is None:
        raise StageError(f"there is no function {name!r} in this program")
    if SIGNATURE not in function.attributes:
        raise StageError(f"function {name!r} does not say its type in {SIGNATURE!r}")
    written = function.attributes.get(DESTINATIONS, ())
    return signature(function.attributes[SIGNATURE].value, set(written))


def _address(engine: Any, module: Any, name: str) -> int:
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
