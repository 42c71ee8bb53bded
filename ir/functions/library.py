"""Calls of the library in Python (`agir.ir.plain`) that are functions of the module.

What searches a table or a text is recorded once for arguments of the same types, and called from
then on, so that a program is not as long as all the tables that it asks.  Such a function gets
numbers and lists of numbers, or tuples of these, only reads them, and cannot fail; whatever else
turns up is recorded where it is called.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from agir.autograph.operators import call
from agir.ir import attributes, bindings, emit, hooks, locations
from agir.ir.cells import FunctionScope, Scope
from agir.ir.failing import Unreachable
from agir.ir.functions.lifting import function_of
from agir.ir.symbolic import SymbolicTensor
from agir.ir.trace import Trace
from agir.ir.types import is_python_number
from agir.ir.values import slots
from agir.ir.values.list_slots import Listed
from agir.ir.values.lists import TracedList
from agir.ir.values.slots import Slot, Structure, Typed

_NO_INLINE = "no_inline"


class Made:
    """A function of the module for arguments of these types."""

    def __init__(self, function: Callable[..., Any], arguments: list[Slot]) -> None:
        self.function = function
        self.arguments = arguments
        self.result: Slot | None = None
        """None where it has to be recorded at each call."""
        self.symbol = ""


def library_call(trace: Trace, function: Any, args: Sequence[Any]) -> Any:
    """What a function of the library gives for these arguments."""
    values = [_run_time(trace, each) for each in args]
    arguments = [_slot(trace, each) for each in values]
    if any(each is None for each in arguments):
        return call(function, tuple(args), {})
    known = trace.library.setdefault(id(function), [])
    made = next((each for each in known if each.arguments == arguments), None)
    if made is None:
        made = _record(trace, function, arguments)
        known.append(made)
    if made.result is None:
        return call(function, tuple(args), {})
    operands = slots.pack_all(trace, arguments, values)
    callee = bindings.ir.FlatSymbolRefAttr.get(made.symbol)
    with trace.at_user_line():
        operation = trace.create(
            "func.call",
            made.result.types(),
            operands,
            {"callee": callee, _NO_INLINE: bindings.ir.UnitAttr.get()},
        )
    return _of_library(made.result.unpack(trace, list(operation.results)))


def _run_time(trace: Trace, value: Any) -> Any:
    """A number as one of the run time, so that the function is the same for all."""
    if is_python_number(value):
        return emit.lift(trace, value)
    if type(value) is tuple:
        return tuple(_run_time(trace, each) for each in value)
    return value


def _of_library(value: Any) -> Any:
    """The library's lists are read where there are items."""
    if isinstance(value, TracedList):
        value.is_of_table = True
    return value


def _slot(trace: Trace, value: Any) -> Slot | None:
    """The type of an argument; None for one that such functions do not take."""
    if isinstance(value, TracedList):
        if value.stands_for is not list or (not value.is_staged and not len(value)):
            return None
        slot: Slot = Listed(value.staged(trace).element)
    elif type(value) is tuple or (isinstance(value, SymbolicTensor) and not value.dims):
        slot = slots.slot_of(trace, value).outside(trace.root)
    else:
        return None
    return slot if _is_of_numbers(slot) else None


def _is_of_numbers(slot: Slot) -> bool:
    if isinstance(slot, Listed):
        return _is_of_numbers(slot.element)
    if isinstance(slot, Structure):
        return slot.key[0] is tuple and all(map(_is_of_numbers, slot.items))
    return isinstance(slot, Typed) and not slot.dims


def _is_of_lists(slot: Slot) -> bool:
    if isinstance(slot, Structure):
        return any(map(_is_of_lists, slot.items))
    return isinstance(slot, Listed)


def _record(trace: Trace, function: Any, arguments: list[Slot]) -> Made:
    """Record the function by itself; without a result where that is not all it does."""
    made = Made(function, arguments)
    scope = FunctionScope(trace.scope)
    sites, effects = len(trace.sites), trace.scope.effects
    with trace.attempt() as attempt:
        result = _recorded(trace, scope, made)
        if (
            result is None
            or scope.entered
            or scope.written
            or len(trace.sites) != sites
            or trace.scope.effects != effects
            or not _is_closed(scope)
        ):
            attempt.take_back()
            return made
    symbol = trace.functions.temporary_symbol()
    made.result, made.symbol = result, symbol
    outlined = function_of(scope.block, function.__code__, symbol)
    outlined.attributes[attributes.LIBRARY] = bindings.ir.BoolAttr.get(_is_of_lists(result))
    trace.functions.add(made, [(function.__name__, outlined)])
    return made


def _recorded(trace: Trace, scope: Scope, made: Made) -> Slot | None:
    """The type of the result; None where the function cannot be one by itself."""
    stack, trace.stack = trace.stack, locations.Stack(sys._getframe(1))
    error, trace.error = trace.error, None  # nothing fails in it, so that its loops go to their ends
    try:
        with trace.inside(scope), trace.journal.frame():
            block = scope.block
            given = [
                block.add_argument(kind, locations.unknown())
                for slot in made.arguments
                for kind in slot.types()
            ]
            values = slots.unpack_all(trace, made.arguments, given)
            try:
                output = call(made.function, tuple(map(_of_library, values)), {})
            except Unreachable:
                return None
            output = _run_time(trace, output)
            slot = _slot(trace, output)
            if slot is None:
                return None
            trace.create("func.return", (), slot.pack(trace, output))
            return slot
    finally:
        trace.stack, trace.error = stack, error


def _is_closed(scope: Scope) -> bool:
    """Whether the function uses nothing of outside."""
    blocks = set(scope.block.blocks())
    return all(
        value.block in blocks for operation in scope.block.walk() for value in operation.operands
    )


hooks.library_call = library_call
