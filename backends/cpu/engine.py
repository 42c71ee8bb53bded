"""Machine code in memory: LLVM's just-in-time engine, and what a caller holds of it."""

from __future__ import annotations

import ctypes
import os
import struct
import tempfile
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from agir.backends.cpu.arguments import UnusualArgumentError, fast, thorough
from agir.backends.cpu.calling import Frame, Plan
from agir.backends.cpu.errors import LoweringError, StageError
from agir.backends.cpu.functions import SIGNATURE
from agir.backends.cpu.layout import Signature, signature
from agir.backends.cpu.lock import compiling
from agir.backends.cpu.passes import symbols
from agir.backends.cpu.results import Results
from agir.ir import bindings

if TYPE_CHECKING:
    from agir.backends.stages import Compilation

OPTIMIZATION_LEVEL = 2

_UNUSUAL = (
    UnusualArgumentError,
    AttributeError,
    BufferError,
    OverflowError,
    TypeError,
    ValueError,
    struct.error,
)

_packed_function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Executable:
    """A compiled function: takes NumPy arrays and scalars, gives NumPy arrays and scalars.

    Safe to call from several threads at once, which then run in parallel.  `results` are the NumPy
    types of the results, for MLIR's integers carry no sign.
    """

    def __init__(
        self,
        compilation: Compilation,
        name: str,
        results: Sequence[np.dtype[Any]] | None = None,
    ) -> None:
        module = compilation.get("llvm")
        with compiling, bindings.context():
            self.name = name
            self.signature = _signature(module, name)
            self._engine = bindings.execution_engine.ExecutionEngine(
                module, opt_level=OPTIMIZATION_LEVEL, enable_object_dump=False
            )
            self._function = _packed_function(_address(self._engine, module, name))
        self._cells = fast(self.signature)
        self._plan = Plan(self.signature)
        self._pack, self._unpack = self._plan.cells.pack_into, self._plan.results.unpack_from
        self._frames: list[Frame] = []
        values = self.signature.results
        self._results = Results(values, results or [value.dtype for value in values])

    def __call__(self, arguments: Sequence[Any]) -> list[Any]:
        """Run the function; the results never share memory with the arguments."""
        try:
            frame = self._frames.pop()
        except IndexError:
            frame = Frame(self._plan)
        memory = frame.memory
        copies = None
        try:
            self._pack(memory, 0, *self._cells(*arguments))
        except _UNUSUAL:
            cells, copies = thorough(self.signature, arguments)
            self._pack(memory, 0, *cells)
        self._function(frame.pointers)
        fields = self._unpack(memory, self._plan.results_at)
        self._frames.append(frame)
        del copies
        return self._results.read(fields)


def object_code(module: Any) -> bytes:
    """The relocatable machine code of a module in the LLVM dialect."""
    engine = bindings.execution_engine.ExecutionEngine(
        module, opt_level=OPTIMIZATION_LEVEL, enable_object_dump=True
    )
    with tempfile.TemporaryDirectory(prefix="agir-") as folder:
        path = os.path.join(folder, "code.o")
        engine.dump_to_object_file(path)
        with open(path, "rb") as file:
            return file.read()


def _signature(module: Any, name: str) -> Signature:
    function = symbols(module).get(name)
    if function is None:
        raise StageError(f"there is no function {name!r} in this program")
    if SIGNATURE not in function.attributes:
        raise StageError(f"function {name!r} does not say its type in {SIGNATURE!r}")
    return signature(function.attributes[SIGNATURE].value)


def _address(engine: Any, module: Any, name: str) -> int:
    address: int = engine.raw_lookup(name)
    if not address:
        missing = ", ".join(_unresolved(module)) or "none found"
        raise LoweringError(f"the code of {name!r} cannot be linked; missing symbols: {missing}")
    return address


def _unresolved(module: Any) -> list[str]:
    process = ctypes.CDLL(None)
    return [
        name
        for name, operation in symbols(module).items()
        if operation.name == "llvm.func"
        and not operation.regions[0].blocks
        and not hasattr(process, name)
    ]
