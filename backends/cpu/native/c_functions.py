"""Machine code by which C calls a compiled function: a C function around its packed wrapper.

All that differs from call to call lies on its own stack, so any threads may call it at once, with
Python's lock or without.  Python is called only where the compiled function has failed.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from enum import auto
from typing import Any, NamedTuple

import numpy as np

from agir.backends.cpu.calling.arguments import thorough
from agir.backends.cpu.calling.leaving import COUNT
from agir.backends.cpu.calling.memory import Plan, address_of, new_frame
from agir.backends.cpu.native.compiled import Compiled
from agir.backends.cpu.native.machine import packed
from agir.backends.cpu.native.recipes import first_fields
from agir.backends.cpu.native.tables import Field
from agir.backends.cpu.native.words import Code, Word, beginning

BEGIN = "agir_begin_c_function"
_STATE, _NAME = "agir_c_function_state", "agir_c_function"
_POINTER = "!llvm.ptr"
_KINDS = {
    "?": "i8", "b": "i8", "B": "i8", "h": "i16", "H": "i16", "i": "i32", "I": "i32",
    "l": "i64", "L": "i64", "q": "i64", "Q": "i64", "f": "f32", "d": "f64",
}  # fmt: skip
_NARROW = {"?": "zeroext", "b": "signext", "B": "zeroext", "h": "signext", "H": "zeroext"}
"""Numbers that C's functions return in more bits than they have."""

FAILED, LEFT, SAME_MEMORY = range(3)
"""Why a call has failed: as three numbers say, as they say where it was left early, or for two
parameters, whose numbers follow, are one address."""


class Known(Field):
    """What the code needs of the process."""

    FUNCTION = auto()  # the packed wrapper
    FRAME = auto()  # a frame, which has what is the same in all calls
    FAIL = auto()  # what is told of failures: the reason and three numbers


Product = tuple[int, tuple[int, ...]]
"""A constant times the arguments of these numbers."""


class Parameter(NamedTuple):
    """A parameter of the C function: a number of a dtype, or an address."""

    dtype: np.dtype[Any] | None
    positions: tuple[int, ...]
    """The arguments of the compiled function that it is: none of one that it does not need."""
    sizes: tuple[Product, ...] | None = None
    """The largest of these is how many numbers there are; None where that is not known."""

    @property
    def kind(self) -> str:
        """Its type in the LLVM dialect."""
        return _POINTER if self.dtype is None else _KINDS[self.dtype.char]


class Interface(NamedTuple):
    """The C function: its parameters, its result, and where the compiled one leaves that."""

    parameters: tuple[Parameter, ...]
    result: np.dtype[Any] | None
    result_position: int
    """The argument that is an array of one element, for the result."""
    told_apart: tuple[tuple[int, int], ...]
    """The addresses, by their numbers, of which compiled code takes it that they differ."""


def can_be_passed(dtype: np.dtype[Any]) -> bool:
    """Whether C functions take and give such numbers."""
    return dtype.char in _KINDS


def text(compiled: Compiled, interface: Interface) -> str:
    """The module."""
    names = [f"given{n}" for n in range(len(interface.parameters))]
    kinds = [each.kind for each in interface.parameters]
    result = interface.result
    kind = "" if result is None else _KINDS[result.char]
    said = kind
    if result is not None and result.char in _NARROW:
        said = f"({kind} {{llvm.{_NARROW[result.char]}}})"
    code = Code(_NAME, names, result=said or False, kinds=kinds)
    plan = Plan(compiled.signature)
    first = first_fields(compiled.signature.arguments)
    state, pointers = code.static(_STATE), code.array(len(plan.fields))
    constant = code.load(state, Known.FRAME.offset)
    for n, offset in enumerate(plan.fields):
        code.store(constant + offset, pointers, 8 * n)
    for parameter, given in zip(interface.parameters, code.arguments, strict=True):
        cell = code.array(1)
        if parameter.dtype is None:
            code.store(given, cell)
        else:
            code.store_as(parameter.kind, given, cell)
        for position in parameter.positions:
            for n in range(1 if parameter.dtype is not None else 2):
                code.store(cell, pointers, 8 * (first[position] + n))
    for parameter in interface.parameters:
        if parameter.sizes is not None:
            for position in parameter.positions:
                size = _size(code, interface, parameter.sizes)
                code.store(size, pointers, 8 * (first[position] + 3))
    for one, other in interface.told_apart:
        with code.when(code.arguments[one].is_(code.arguments[other])):
            code.run(code.load(state, Known.FAIL.offset), SAME_MEMORY, one, other, 0)
            _give(code, kind, None)
    found = code.array(1)
    if result is not None:
        cell = code.array(1)
        code.store(found, cell)
        for n in range(2):
            code.store(cell, pointers, 8 * (first[interface.result_position] + n))
    results = code.array(max(1, plan.results.size // 8 + 1))
    code.store(results, pointers, 8 * (len(plan.fields) - 1))
    code.run(code.load(state, Known.FUNCTION.offset), pointers)
    count = len(compiled.signature.results)
    for reason in (LEFT, FAILED) if compiled.leaving else (FAILED,):
        if count < COUNT:
            break
        at = [plan.result_at(count - COUNT + n) - plan.results_at for n in range(COUNT)]
        count -= COUNT
        words = [code.load(results, each) for each in at]
        with code.when(words[0].is_not(0)):
            code.run(code.load(state, Known.FAIL.offset), reason, *words)
            _give(code, kind, None)
    _give(code, kind, found)
    return beginning(BEGIN, _STATE, [_NAME]) + code.text()


def _size(code: Code, interface: Interface, products: Sequence[Product]) -> Word:
    """Where the largest of several products is."""
    largest = code.variable(0)
    numbers = {at: n for n, each in enumerate(interface.parameters) for at in each.positions}
    for constant, positions in products:
        product: Any = constant
        for position in positions:
            number = numbers[position]
            product = _widened(code, interface.parameters[number], code.arguments[number]) * product
        with code.when(largest.get() < product):
            largest.set(product)
    return code.address_of(largest)


def _widened(code: Code, parameter: Parameter, given: Word) -> Word:
    """An integer of any width as a word."""
    if parameter.kind == "i64" or parameter.dtype is None:
        return given
    extend = "sext" if parameter.dtype.kind == "i" else "zext"
    return code.result(f"llvm.{extend} {given.name} : {parameter.kind} to i64")


def _give(code: Code, kind: str, place: Any) -> None:
    if kind:
        code.give_as(kind, place)
    else:
        code.give()


_FAIL = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 4)


class CFunction:
    """The code in memory; its ``address`` is good as long as this lives."""

    def __init__(
        self,
        compiled: Compiled,
        loaded: tuple[int, Any],
        arguments: Sequence[Any],
        fail: Callable[[int, int, int, int], None],
    ) -> None:
        """``arguments`` are those of one call: what is no parameter is the same in all calls.

        ``fail`` is called with the reason of a failure (`FAILED` ...) and three numbers.
        """
        plan = Plan(compiled.signature)
        frame, pointers = new_frame(plan)
        cells, arrays, _ = thorough(compiled.signature, arguments)
        plan.cells.pack_into(frame, 0, *cells)
        told = _FAIL(fail)
        self._state = np.zeros(len(Known), np.uint64)
        self._state[Known.FUNCTION] = compiled.address
        self._state[Known.FRAME] = pointers - plan.pointers
        self._state[Known.FAIL] = address_of(told)
        found = np.zeros(1, np.uint64)
        begin, code = loaded
        packed(begin, self._state, found)
        self._kept = frame, arrays, told, code, compiled.owner
        self.address = int(found[0])
