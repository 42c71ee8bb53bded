"""Calls of the library in Python (`agir.ir.plain`) that are functions of the module.

What searches a table or a text is recorded once for arguments of the same types, and called from
then on, so that a program is not as long as all the tables that it asks.  Such a function gets
numbers and lists of numbers, tuples of these and texts, gives back the lists that it changes, and
cannot fail; whatever else turns up is recorded where it is called.  A number may be None, or of one
of several classes; a list, or a text, may lie in a pool, which is passed in and handed back.

What concerns no pool is the same in all traces: later ones take over a copy of what was recorded.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from agir.autograph.operators import call
from agir.config import config
from agir.ir import recording
from agir.ir.building import attributes, bindings, locations
from agir.ir.building.cells import Cell, FunctionScope, Scope
from agir.ir.building.checks import EXCEEDS
from agir.ir.building.private_functions import callees, rename, symbol_of
from agir.ir.building.program import Operation
from agir.ir.building.types import is_python_number
from agir.ir.emission import emit
from agir.ir.emission.failing import Unreachable
from agir.ir.functions.lifting import function_of
from agir.ir.tensors import structure
from agir.ir.tensors.staged import StandsIn
from agir.ir.tensors.symbolic import SymbolicTensor, holds_run_time
from agir.ir.tracing import ranges
from agir.ir.tracing.trace import Trace
from agir.ir.values import abstract_values
from agir.ir.values.abstract_values import AbstractValue, Static, Structure, Typed
from agir.ir.values.alternatives.choices import Choice, Chosen
from agir.ir.values.alternatives.mixed_numbers import Mixed, MixedNumber
from agir.ir.values.alternatives.optional import MaybeNone, Nullable
from agir.ir.values.heap.kinds import BY_REFERENCE, PointsToClass
from agir.ir.values.heap.references import AbstractReference, ByNumber
from agir.ir.values.sequences.abstract_lists import Listed
from agir.ir.values.sequences.lists import TracedList

_NO_INLINE = "no_inline"
_NEVER_FAIL = frozenset((EXCEEDS, "unbound", "index", "list_index"))
"""Checks that tell of a mistake in the library: no subscript of it is outside, no int too large."""


_MOST_SHARED = 64
"""How many functions that one function of the library has led to are kept for later traces."""


class Made:
    """A function of the module for arguments of these types."""

    def __init__(self, function: Callable[..., Any], arguments: list[AbstractValue]) -> None:
        self.function = function
        self.arguments = arguments
        self.elements = _elements(arguments)
        self.result: AbstractValue | None = None
        """None where it has to be recorded at each call."""
        self.symbol = ""
        self.cells: list[Cell] = []
        """What it reads of outside: the library's own arrays, and pools."""
        self.written: list[Cell] = []
        """The cells of pools that it changes, whose contents come after its result."""
        self.shared: Shared | None = None
        """What other traces can take over of it."""


class Shared:
    """A function as it was recorded, for any module; ``called`` are those that it calls, by symbol."""

    def __init__(self, made: Made, recorded: Operation, called: dict[str, Shared]) -> None:
        self.function = made.function
        self.arguments = made.arguments
        self.result = made.result
        self.recorded = recorded
        self.called = called


_SHARED: dict[tuple[Any, ...], list[Shared]] = {}
"""By a function of the library, with the settings that it is recorded with."""


def library_call(trace: Trace, function: Any, args: Sequence[Any]) -> Any:
    """What a function of the library gives for these arguments."""
    if not any(map(holds_run_time, args)):
        return call(function, tuple(args), {})
    trace.count_searches(1)
    values = list(args)
    found = [_abstract(trace, each) for each in values]
    arguments = [each for each in found if each is not None]
    if len(arguments) < len(values):
        return call(function, tuple(args), {})
    made = _made(trace, function, arguments)
    if made.result is None:
        return call(function, tuple(args), {})
    operands = abstract_values.pack_all(trace, arguments, values)
    callee = bindings.ir.FlatSymbolRefAttr.get(made.symbol)
    operands += map(trace.scope.read, made.cells)
    changed = [trace.scope.read(cell).type for cell in made.written]
    with trace.at_user_line():
        operation = trace.create(
            "func.call",
            [*made.result.types(), *changed],
            operands,
            {
                "callee": callee,
                _NO_INLINE: bindings.ir.UnitAttr.get(),
                attributes.LENGTHS: attributes.i64_array(list(_lengths(made.result))),
            },
        )
    results = list(operation.results)
    for cell in reversed(made.written):
        trace.scope.write(cell, results.pop())
    return made.result.unpack(trace, results)


def _made(trace: Trace, function: Any, arguments: list[AbstractValue]) -> Made:
    """The function of the module for arguments of these types."""
    known: list[Made] = trace.library.setdefault(id(function), [])
    elements = _elements(arguments)
    for each in known:
        if each.arguments == arguments and each.elements == elements:
            return each
    shared = [] if elements else _SHARED.setdefault(_settings(trace, function), [])
    found = next((each for each in shared if each.arguments == arguments), None)
    if found is not None:
        return _taken_over(trace, found)
    made = _record(trace, function, arguments)
    known.append(made)
    if made.shared is not None:
        shared.append(made.shared)
        del shared[:-_MOST_SHARED]
    return made


def _settings(trace: Trace, function: Any) -> tuple[Any, ...]:
    """A function, with what else it depends on how it is recorded."""
    return (function, trace.convention, config.unroll_limit, trace.powers_are_mixed)


def _taken_over(trace: Trace, shared: Shared) -> Made:
    """A function of the module that an earlier trace has recorded, with those that it calls."""
    known: list[Made] = trace.library.setdefault(id(shared.function), [])
    present = next((each for each in known if each.shared is shared), None)
    if present is not None:
        return present
    called = {name: _taken_over(trace, each).symbol for name, each in shared.called.items()}
    made = Made(shared.function, shared.arguments)
    made.result, made.shared = shared.result, shared
    made.symbol = trace.functions.temporary_symbol()
    function = shared.recorded.clone({})
    rename(function, {symbol_of(function): made.symbol, **called})
    trace.functions.add(made, [(shared.function.__name__, function)])
    known.append(made)
    return made


def _shared(trace: Trace, made: Made, recorded: Operation) -> Shared | None:
    """What other traces can take over; None where a function is about things of its trace."""
    if made.cells or not all(map(_is_of_any_trace, (*made.arguments, made.result))):
        return None
    of_library = {each.symbol: each.shared for known in trace.library.values() for each in known}
    called = {}
    for name in callees(recorded):
        other = of_library.get(name)
        if other is None:
            return None
        called[name] = other
    return Shared(made, recorded.clone({}), called)


def _is_of_any_trace(abstract: AbstractValue | None) -> bool:
    """Whether a type says nothing about classes, or objects, of one trace."""
    if isinstance(abstract, Structure):
        return all(map(_is_of_any_trace, abstract.items))
    if isinstance(abstract, Listed):
        return _is_of_any_trace(abstract.element)
    if isinstance(abstract, Nullable):
        return _is_of_any_trace(abstract.inner)
    return isinstance(abstract, Static | Typed | Mixed)


def library_takes(trace: Trace, values: Sequence[Any]) -> bool:
    """Whether such functions take the values."""
    return all(_abstract(trace, each) is not None for each in values)


def lifted(value: Any) -> Any:
    """A number as one of the run time, so that a function is the same for all."""
    trace = recording.current()
    if trace is not None and is_python_number(value):
        return emit.lift(trace, value)
    if type(value) is tuple:
        return tuple(map(lifted, value))
    return value


def _of_library(value: Any) -> Any:
    """The library's lists are read where there are items, and so are the code points of its texts."""
    for each in (value, getattr(value, "codes", None)):
        if isinstance(each, TracedList):
            each.is_of_table = True
    return value


def _abstract(trace: Trace, value: Any) -> AbstractValue | None:
    """The type of an argument; None for one that such functions do not take."""
    if isinstance(value, TracedList):
        if value.stands_for not in BY_REFERENCE or (not value.is_staged and not len(value)):
            return None
        reference = value.reference
        abstract: AbstractValue = (
            Listed(value.staged(trace).element, value.stands_for)
            if reference is None
            else AbstractReference(reference.kind)
        )
    elif value is None or is_python_number(value) or type(value) is str:
        return Static(value)
    elif type(value) is tuple or getattr(type(value), "is_text", False):
        key, parts = structure.parts(value) or ((tuple, 0), [])
        items = [_abstract(trace, each) for each in parts]
        abstract = Structure(key, tuple(each for each in items if each is not None))
        if len(abstract.items) < len(items):
            return None
    elif isinstance(value, MaybeNone | MixedNumber | StandsIn | Chosen) or (
        isinstance(value, SymbolicTensor) and not value.dims
    ):
        abstract = abstract_values.abstract_of(trace, value).outside(trace.root)
    else:
        return None
    return abstract if _is_of_numbers(abstract) else None


def _is_of_numbers(abstract: AbstractValue, around: tuple[PointsToClass, ...] = ()) -> bool:
    """Whether it is made of numbers; a list may be in a list of its own kind."""
    if isinstance(abstract, AbstractReference):
        kind = abstract.kind
        return kind in around or _is_of_numbers(kind.element, (*around, kind))
    if isinstance(abstract, Listed):
        return _is_of_numbers(abstract.element, around)
    if isinstance(abstract, Structure):
        made = abstract.key[0]
        is_value = made is tuple or getattr(made, "is_text", False)
        return is_value and all(_is_of_numbers(each, around) for each in abstract.items)
    if isinstance(abstract, Nullable):
        return _is_of_numbers(abstract.inner, around)
    if isinstance(abstract, Choice):
        return all(_is_of_numbers(each, around) for each in abstract.alternatives)
    if isinstance(abstract, ByNumber | Mixed):
        return True
    return isinstance(abstract, Typed) and not abstract.dims


def _elements(found: Sequence[AbstractValue]) -> list[AbstractValue]:
    """The types of the items of lists that lie in pools."""
    made: list[AbstractValue] = []
    for abstract in found:
        if isinstance(abstract, AbstractReference):
            made.append(abstract.kind.element)
        elif isinstance(abstract, Listed):
            made += _elements([abstract.element])
        elif isinstance(abstract, Structure):
            made += _elements(abstract.items)
        elif isinstance(abstract, Nullable):
            made += _elements([abstract.inner])
        elif isinstance(abstract, Choice):
            made += _elements(abstract.alternatives)
    return made


def _is_of_lists(abstract: AbstractValue) -> bool:
    if isinstance(abstract, Structure):
        return any(map(_is_of_lists, abstract.items))
    return isinstance(abstract, Listed)


def _lengths(abstract: AbstractValue, first: int = 0) -> Iterator[int]:
    """Where the lengths of lists are among what carries a value."""
    if isinstance(abstract, Listed):
        yield first
    elif isinstance(abstract, Structure):
        for each in abstract.items:
            yield from _lengths(each, first)
            first += len(each.types())


def _record(trace: Trace, function: Any, arguments: list[AbstractValue]) -> Made:
    """Record the function by itself; without a result where that is not all it does."""
    made = Made(function, arguments)
    scope = FunctionScope(trace.scope)
    effects = trace.scope.effects
    with trace.attempt() as attempt:
        result = _recorded(trace, scope, made)
        if result is None or trace.scope.effects != effects or not _is_closed(scope):
            attempt.roll_back()
            return made
    symbol = trace.functions.temporary_symbol()
    made.result, made.symbol, made.cells = result, symbol, list(scope.entered)
    outlined = function_of(scope.block, function.__code__, symbol)
    outlined.attributes[attributes.LIBRARY] = bindings.ir.BoolAttr.get(
        bool(made.written) or _is_of_lists(result)
    )
    if getattr(function, "is_rare", False):
        outlined.attributes[attributes.RARE] = bindings.ir.UnitAttr.get()
    made.shared = _shared(trace, made, outlined)
    trace.functions.add(made, [(function.__name__, outlined)])
    return made


def _recorded(trace: Trace, scope: Scope, made: Made) -> AbstractValue | None:
    """The type of the result; None where the function cannot be one by itself."""
    with trace.inside(scope), trace.journal.frame(), _trusting(trace) as trusted:
        given = [
            scope.block.add_argument(kind, locations.unknown())
            for abstract in made.arguments
            for kind in abstract.types()
        ]
        values = abstract_values.unpack_all(trace, made.arguments, given)
        for each in values:
            if isinstance(each, TracedList):
                ranges.assume(trace, each.staged(trace).length.ssa, 0, ranges.LONGEST_LIST)
        try:
            output = lifted(call(made.function, tuple(map(_of_library, values)), {}))
        except Unreachable:
            return None
        abstract = _abstract(trace, output)
        if abstract is None or not _NEVER_FAIL.issuperset(trusted):
            return None
        results = abstract.pack(trace, output)
        made.written = list(scope.written)
        trace.create("func.return", (), [*results, *map(scope.read, made.written)])
        return abstract


@contextmanager
def _trusting(trace: Trace) -> Iterator[list[str]]:
    """Leave out checks of what the library sees to, and with them the tests that end loops."""
    before = trace.stack, trace.error, trace.trusted
    trace.stack, trace.error, trace.trusted = locations.Stack(sys._getframe(2)), None, []
    try:
        yield trace.trusted
    finally:
        trace.stack, trace.error, trace.trusted = before


def _is_closed(scope: Scope) -> bool:
    """Whether the function uses nothing of outside."""
    blocks = set(scope.block.blocks())
    return all(
        value.block in blocks for operation in scope.block.walk() for value in operation.operands
    )
