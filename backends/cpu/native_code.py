"""The machine code of a call, for all processes: compiled when first needed, or found on disk."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from agir.backends.cpu.cache import store
from agir.backends.cpu.fixed_programs import FixedProgram, loaded
from agir.backends.cpu.native import c_functions, columns, handing_over, machine, program
from agir.backends.cpu.native.compiled import Compiled
from agir.backends.cpu.native.machine import ImpossibleError
from agir.backends.cpu.native.taking import Taking
from agir.backends.mlir.lock import compiling
from agir.errors import LoweringError
from agir.ir.building import bindings

_LEVEL = 0
"""LLVM makes the code in half the time then, and a call takes five per cent longer."""


def load() -> tuple[int, Any]:
    """The address of what begins with it, and what has the code in memory."""
    return _loaded(_call(), program.BEGIN, _LEVEL)


def is_on_disk() -> bool:
    """Whether what calls need has been compiled by this or another process."""
    return machine.is_possible() and all(map(store.has, (_call(), _columns())))


def _call() -> FixedProgram:
    return _program("call", program.text)


def _columns() -> FixedProgram:
    return _program("columns", columns.text)


def _program(kind: str, write: Callable[[], str]) -> FixedProgram:
    text = _written(write)
    return FixedProgram(kind, text, lambda: bindings.ir.Module.parse(text))


@cache
def _written(write: Callable[[], str]) -> str:
    return write()


@cache
def taking() -> Taking | None:
    """The code that takes numbers out of objects; None where this process cannot have it."""
    if not machine.is_possible():
        return None
    try:
        return Taking(_loaded(_columns(), columns.BEGIN, None))
    except ImpossibleError:
        return None


def _loaded(code: FixedProgram, begin: str, level: int | None) -> tuple[int, Any]:
    with compiling, bindings.context():
        try:
            return loaded(code, begin, level)
        except LoweringError as error:
            raise ImpossibleError(str(error)) from None


def handing(
    functions: Mapping[handing_over.Known, Callable[..., int]],
) -> handing_over.HandingOver:
    """The code that NumPy's ufuncs call, which hands over to functions of Python's."""
    code = _program("ufuncs", handing_over.text)
    return handing_over.HandingOver(_loaded(code, handing_over.BEGIN, None), functions)


def c_function(
    compiled: Compiled,
    interface: c_functions.Interface,
    arguments: Sequence[Any],
    fail: Callable[[int, int, int, int], None],
) -> c_functions.CFunction:
    """A function for C around compiled code (`native.c_functions`)."""
    text = c_functions.text(compiled, interface)
    code = FixedProgram("C function", text, lambda: bindings.ir.Module.parse(text))
    found = _loaded(code, c_functions.BEGIN, None)
    return c_functions.CFunction(compiled, found, arguments, fail)
