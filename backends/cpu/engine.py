"""Machine code in memory, and what a caller holds of it."""

from __future__ import annotations

import ctypes
import logging
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from agir.backends.cpu import libraries, pooling, teaming
from agir.backends.cpu.calling import callbacks, pool, threads
from agir.backends.cpu.calling.arguments import strided
from agir.backends.cpu.calling.caller import make_caller
from agir.backends.cpu.calling.layout import Signature, signature
from agir.backends.cpu.calling.leaving import COUNT, Leaving
from agir.backends.cpu.calling.memory import address_of
from agir.backends.cpu.code.assembly import PACKED
from agir.backends.cpu.code.frames import depth_limit, largest_frame
from agir.backends.cpu.code.loading import CannotLoadError, Image, unavailable
from agir.backends.cpu.library import shared
from agir.backends.cpu.machine_code import (
    MachineCode,
    Program,
    looked_up,
    machine_code,
    may_be_strided,
    new_engine,
    object_of,
)
from agir.backends.cpu.native import compiled
from agir.backends.cpu.passes.analysis.functions import DESTINATIONS, LEAVES
from agir.backends.cpu.passes.bufferization.strided_arguments import mark_strided
from agir.backends.entry import Entry, Run
from agir.backends.mlir.lock import compiling
from agir.backends.mlir.modules import symbols
from agir.backends.stack import WithRoom
from agir.errors import LoweringError, StageError
from agir.ir.building import bindings
from agir.ir.building.attributes import SIGNATURE
from agir.ir.host import hosts
from agir.ir.host.streams import reserving
from agir.records import dataclass

_log = logging.getLogger("agir.cache")
_packed_function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


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
        self.name = name
        with compiling, bindings.context():
            linked = _linked(compilation, name, given or {})
        self.signature = linked.signature
        self.can_be_strided = linked.can_be_strided
        leaving = Leaving(compilation) if linked.leaves else None
        own = self.signature.results[: -COUNT if leaving else None]
        dtypes = results or [value.dtype for value in own]
        #: the same as calling the object, one level of Python less
        other = None if elsewhere is None else partial(elsewhere, self.signature)
        self.call = make_caller(self.signature, dtypes, linked.function, other, leaving)
        if linked.has_callbacks:
            self.call = _raising(reserving(self.call, (given or {}).values()))
        if not linked.acts:
            compiled.note(self.call, linked.function, self.signature, dtypes, leaving)

    def __call__(self, arguments: Sequence[Any]) -> list[Any]:
        """Run the function; the results never share memory with the arguments."""
        return self.call(arguments)


@dataclass(frozen=True)
class _Linked:
    """A function in memory, ready to be called with an array of pointers."""

    function: Callable[[int], None]
    signature: Signature
    has_callbacks: bool
    acts: bool
    """Whether it calls the host for other things than messages of failures."""
    can_be_strided: bool
    leaves: bool
    """Whether it may end early, as its last results say."""


def _linked(program: Program, name: str, given: Mapping[str, Any]) -> _Linked:
    """A function of a program in memory: by our own linker, or else by LLVM's engine."""
    if not unavailable():
        try:
            code = machine_code(program)
        except LoweringError:
            callbacks.natives(symbols(program.get("llvm")), given)  # which may know more
            raise
        try:
            return _loaded(code, name, given)
        except CannotLoadError as error:
            _log.info("%s is compiled, and linked, by LLVM's engine: %s", name, error)
    return _compiled(program, name, given)


def _loaded(code: MachineCode, name: str, given: Mapping[str, Any]) -> _Linked:
    functions = symbols(code.interface)
    form = _signature(functions, name)
    provided = callbacks.natives(functions, given, draws=not code.stack)
    addresses = {
        callbacks.INTERFACE + each: address_of(native) for each, native in provided.items()
    }
    if code.large and (large := pooling.start()):
        addresses |= large.functions()

    def provided_at(symbol: str) -> int | None:
        found = addresses.get(symbol) or libraries.address(symbol)
        return found or teaming.address(symbol)

    image = Image(code.object, provided_at)
    function: Any = _packed_function(image.address(PACKED + name))
    # whoever can call the code keeps it in memory, and what it calls
    function.image, function.provided = image, provided
    function.interface = code.interface  # its functions do not keep it alive
    if code.stack:
        function = WithRoom(function, code.stack)
    acts = _acts(functions, provided)
    return _Linked(function, form, bool(provided), acts, code.strided, _leaves(functions, name))


def _compiled(program: Program, name: str, given: Mapping[str, Any]) -> _Linked:
    module = shared.complete(program.get("llvm"))
    functions = symbols(module)
    form = _signature(functions, name)
    depth = depth_limit(module)
    engine = new_engine(module, keep_object=depth > 0)
    if pool.wanted(module) and (large := pooling.start()):
        large.provide(engine)
    if run := next(filter(None, map(teaming.address, functions)), None):
        engine.raw_register_runtime(threads.RUN, ctypes.c_void_p(run))
    provided = callbacks.natives(functions, given)
    callbacks.register(engine, provided)
    function: Any = _packed_function(looked_up(engine, module, name))
    function.engine, function.provided = engine, provided
    if depth:
        function = WithRoom(function, depth * largest_frame(object_of(engine)))
    acts, any_strides = _acts(functions, provided), may_be_strided(program)
    return _Linked(function, form, bool(provided), acts, any_strides, _leaves(functions, name))


def load(program: Program, entry: Entry) -> Run:
    """The CPU back end."""
    dtypes = [kind for n, kind in enumerate(entry.dtypes) if n not in entry.in_place]
    strided = _Strided(program, entry.name, dtypes, entry.given)
    executable = Executable(program, entry.name, dtypes, entry.given, strided.find)
    strided.possible = executable.can_be_strided
    return executable.call


class _Strided:
    """The same function for large arrays that are not contiguous, compiled when they come."""

    def __init__(self, program: Program, *entry: Any) -> None:
        self._program = program
        self._entry = entry
        self._lock = threading.Lock()
        self._found: dict[tuple[int, ...], Run] = {}
        self.possible = False

    def find(self, signature: Signature, arguments: Sequence[Any]) -> Run | None:
        """What takes these arguments as they are; None where they are copied."""
        positions = strided(signature, arguments)
        if not positions or not self.possible:
            return None
        with self._lock:
            if positions not in self._found:
                name, dtypes, given = self._entry
                program = self._program.derived(
                    "optimized_hlo",
                    lambda module: mark_strided(module, name, positions),
                    f"{name} takes any strides at {positions}",
                )
                self._found[positions] = Executable(program, name, dtypes, given).call
        return self._found[positions]


def _raising(call: Run) -> Run:
    """The call, which raises at its end what a callback raised."""

    def calling(arguments: Sequence[Any]) -> list[Any]:
        with hosts.calling():
            return call(arguments)

    return calling


def _acts(functions: Mapping[str, Any], provided: Iterable[str]) -> bool:
    return not all(hosts.is_of_failures(functions[name]) for name in provided)


def _leaves(functions: Mapping[str, Any], name: str) -> bool:
    return LEAVES in functions[name].attributes


def _signature(functions: Mapping[str, Any], name: str) -> Signature:
    function = functions.get(name)
    if function is None:
        raise StageError(f"there is no function {name!r} in this program")
    if SIGNATURE not in function.attributes:
        raise StageError(f"function {name!r} does not say its type in {SIGNATURE!r}")
    written = function.attributes.get(DESTINATIONS, ())
    return signature(function.attributes[SIGNATURE].value, set(written))
