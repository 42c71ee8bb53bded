"""Tracing: running the converted function on symbolic arguments, which records its module."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from agir import autograph
from agir.autograph import operators
from agir.autograph.operators import Reconverted
from agir.errors import StagingError
from agir.ir import staging as staging  # claims what converted code does with what is recorded
from agir.ir.building import bindings, locations
from agir.ir.building.locations import Position
from agir.ir.control_flow import deferred_errors, effects
from agir.ir.emission import failing
from agir.ir.functions import calls
from agir.ir.host import hosts
from agir.ir.host.callbacks import Callback
from agir.ir.host.streams import Stream
from agir.ir.module import finish
from agir.ir.ops.core import layouts
from agir.ir.python import foreign, remembered
from agir.ir.state import outside, variables
from agir.ir.state.creation import Created
from agir.ir.tensors import mistakes, structure
from agir.ir.tensors.symbolic import Owned, Retrace, SymbolicTensor
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing.left_to_python import Loops
from agir.ir.tracing.opened import KINDS
from agir.ir.tracing.outdated import Identified, Lengthy, Opening
from agir.ir.tracing.trace import Trace
from agir.ir.values import abstract_values
from agir.ir.values.alternatives import optional
from agir.ir.values.heap import objects as by_number
from agir.ir.values.heap.kinds import ByReference, PointsToClasses
from agir.ir.values.heap.pools import Pools
from agir.runtime.blame import at_caller
from agir.runtime.recording import collecting, raised
from agir.runtime.recording.assigned import Around, assigned
from agir.runtime.recording.callers import Own, changed, passed, tell_returned_apart
from agir.runtime.recording.outputs import Outputs
from agir.runtime.recording.recorded import Recorded, nothing
from agir.runtime.recording.traced import TracedFunction
from agir.runtime.recording.updates import return_contents, written_arguments
from agir.runtime.signatures.pattern import fill, objects
from agir.runtime.signatures.trace_types import CallType, Leaf
from agir.runtime.state import array_arguments
from agir.runtime.state.captures import captured

_MOST = 256
"""So much may turn up that a trace has to know from its beginning, each in a trace of its own."""


_TOO_DEEP = (
    "the calls in {0}, or the objects that it makes, nest deeper than Python's recursion limit while "
    "it is traced"
)


def record(
    traced: TracedFunction,
    arguments: dict[str, Any],
    kind: CallType,
    *,
    may_create: bool = False,
    opened: Sequence[Tensor] = (),
) -> Recorded:
    """Trace the function on bound arguments of the type ``kind``.

    With ``may_create`` it may create variables.  The tensors ``opened``, of outside, are further
    arguments, and not constants.
    """
    _require_mlir()
    function = traced.python_function
    converted = autograph.convert(function) if traced.convert else function
    learnt: list[Retrace] = []
    loops = Loops()
    failed = ""
    while True:
        trace = _begin(traced, arguments, learnt, loops, may_create)
        try:
            # what known numbers of NumPy's make while tracing, compiled code makes without a warning
            with collecting.seldom(), np.errstate(over="ignore"):
                recorded = _record(trace, traced, converted, arguments, kind, opened)
        except Retrace as found:
            trace.journal.frames[0].restore()
            learnt.append(found.with_traceback(None))
            if len(learnt) > _MOST:
                raise StagingError(trace.explain(found.endless)) from None
        except (Identified, Lengthy, Opening):
            trace.journal.frames[0].restore()
            raise
        except Reconverted:
            trace.journal.frames[0].restore()
            converted = autograph.convert(function)
            loops = Loops()
        except BaseException as error:
            if isinstance(error, Exception) and _is_outdated(trace) and str(error) != failed:
                failed = str(error)
                mistakes.concealed(error)
                trace.journal.frames[0].restore()
                learnt.append(ByReference(trace.pools.kinds))
                continue
            _roll_back(trace, is_known=bool(trace.creation or trace.assigned_numbers))
            _tell_of_tracing(trace, error)
            if type(error) is RecursionError:
                deep = StagingError(_TOO_DEEP.format(trace.name))
                _tell_of_tracing(trace, deep)
                raise deep from None
            mistakes.check(error)
            raise
        else:
            recorded.guards = [each for each in recorded.guards if each.is_alive()]
            recorded.let_go([*objects(arguments), traced.receiver])
            return recorded


def _is_outdated(trace: Trace) -> bool:
    """Whether a trace that has failed was for types that have turned out to be others."""
    return trace.pools is not None and bool(trace.pools.kinds.are_outdated)


def _tell_of_tracing(trace: Trace, error: BaseException) -> None:
    """Note of an error that it has ended a trace, and what another one may know."""
    error.is_of_tracing = True  # type: ignore[attr-defined]
    if isinstance(error, Exception):
        error.wanted_numbers = trace.known_numbers.wanted  # type: ignore[attr-defined]
        error.made_classes = by_number.candidates(trace)  # type: ignore[attr-defined]


def _roll_back(trace: Trace, is_known: bool) -> None:
    """Put back what a trace that has failed has assigned to, of outside: nobody has called yet."""
    if is_known or trace.convention.arrays_are_mutable:
        trace.journal.frames[0].restore()


def _require_mlir() -> None:
    try:
        bindings.carrier()
    except ValueError as error:
        raise ValueError(at_caller(str(error))) from error.__cause__


def _begin(
    traced: TracedFunction,
    arguments: dict[str, Any],
    learnt: Sequence[Retrace],
    loops: Loops,
    may_create: bool,
) -> Trace:
    trace = Trace(traced.symbol, traced.convention)
    trace.loops = loops
    for each in learnt:
        each.tell(trace)
    if traced.classes_by_number:
        trace.kinds = trace.kinds or PointsToClasses()
        trace.kinds.classes |= traced.classes_by_number
    trace.pools = None if trace.kinds is None else Pools(trace, trace.kinds)
    trace.creation = [] if may_create else None
    trace.must_compile = traced.jit_compile is True
    trace.may_be_repeated = traced.falls_back
    trace.powers_are_mixed = traced.powers_are_mixed
    trace.name_scope = traced.name_scope or ""
    trace.knows_identities = traced.signature.knows_identities
    trace.is_for_all_calls = traced.signature.input_signature is not None
    trace.lists_are_short = traced.signature.lists_are_short and _holds_others(traced, arguments)
    return trace


def _holds_others(traced: TracedFunction, arguments: dict[str, Any]) -> bool:
    """Whether what the function is given has other objects in it, and so perhaps lists."""
    if traced.receiver is not None or traced.signature.opened:
        return True
    return any(structure.parts(each) is not None for each in arguments.values())


def _record(
    trace: Trace,
    traced: TracedFunction,
    converted: Callable[..., Any],
    arguments: dict[str, Any],
    kind: CallType,
    opened: Sequence[Tensor],
) -> Recorded:
    leaves = kind.leaves
    with trace:
        trace.definition = _definition(traced.python_function)
        closure = getattr(traced.python_function, "__closure__", None) or ()
        trace.cells = frozenset(map(id, closure))
        trace.location = locations.location_of([trace.definition] if trace.definition else [])
        knowable = traced.signature.knowable
        symbols = [_argument(trace, leaf, n, knowable) for n, leaf in enumerate(leaves)]
        outside.place_numbers(trace)
        for each in opened:
            trace.open(each)
        supply = iter(symbols)
        own = Own(trace, kind.same)
        filled = [fill(value, supply, trace.examples.append) for value in arguments.values()]
        unpacked = [array_arguments.unpacked(trace, value) for value in filled]
        pairs = zip(arguments, unpacked, strict=True)
        placed = {key: own.of(value, (key,)) for key, value in pairs}
        for name, (container, place) in traced.signature.originals.items():
            if isinstance(container, KINDS):
                trace.containers.append((container, placed[name]))
                trace.opened.setdefault(id(container), set()).add(place)
        for each in objects(arguments):
            foreign.refuse_iterator(trace, each)
        around = Around(traced.python_function)
        for each in (*objects(arguments), traced.receiver):
            trace.meets(type(each))
            outside.guard_functions(trace, each)
        remembered.begin(trace)
        if trace.has_operators and traced.convert:
            converted = autograph.convert(traced.python_function)
        is_left_alone = traced.convert and converted is traced.python_function
        entered = _as_called if is_left_alone else calls.entering
        returned = _call(trace, traced.signature.apply, entered(trace, converted), placed)
        recorded = _finished(trace, traced, list(leaves), symbols, placed, around, returned)
        again = [number for number, symbol in enumerate(symbols) if id(symbol) in own.unused]
        recorded.unused = frozenset(again)
        effects.warn_of_leaks(trace)
        if trace.may_be_repeated:
            effects.refuse_what_is_left(trace)
    raised.let_go(trace.sites)
    return recorded


def _finished(
    trace: Trace,
    traced: TracedFunction,
    leaves: list[Leaf],
    symbols: Sequence[SymbolicTensor],
    placed: dict[str, Any],
    around: Around,
    returned: Any,
) -> Recorded:
    """The function that ends with what the user's has returned."""
    trace.journal.end()
    trace.known_arrays.end()
    outputs = Outputs(trace, symbols)
    created = trace.creation or []
    returned = _settled(returned, created)
    if (finish_ := traced.options.finish) is not None:
        returned = finish_(trace, returned)
    values, structure_ = outputs.taken_apart(returned)
    tell_returned_apart(trace, values)
    results = [outputs.result(leaf) for leaf in map(variables.settled, values)]
    changes = changed(trace, outputs) if trace.convention.arrays_are_mutable else []
    of_passed = passed(trace, outputs)
    attributes = [] if created else assigned(trace, symbols, outputs, around)
    updates = [] if created else outputs.updates(placed)
    written = [] if created else written_arguments(trace, symbols, traced.options.restores)
    in_place = return_contents(trace, written, outputs.ssa, outputs.dtypes)
    count = len(leaves)
    kinds = [outputs.kind(result) for result in results]
    if trace.pools is not None:
        trace.pools.kinds.check()  # what is returned may have told more of them
    with mistakes.alone():
        module = finish(trace, outputs.ssa, traced.attributes, in_place)
    return Recorded(
        name=trace.name,
        module=module,
        leaves=leaves,
        dtypes=outputs.dtypes,
        structure=outputs.settled(structure_),
        results=results,
        mutated=[(each.argument, each.result) for each in written if each.argument < count],
        captures=[captured(owner) for owner, _ in trace.captures],
        sites=trace.sites,
        given={c.name: c.given for c in trace.callbacks.values() if c.given is not None},
        updates=updates,
        updated=[(w.argument - count, w.result) for w in written if w.argument >= count],
        in_place=in_place,
        constants=list(trace.constants_used.values()),
        outputs=kinds,
        created=created,
        forget=trace.journal.frames[0].restore if created else nothing,
        assigned=[replace(a, structure=outputs.settled(a.structure)) for a in attributes],
        changed=[replace(c, structure=outputs.settled(c.structure)) for c in changes],
        passed=of_passed,
        by_rows=layouts.arguments_by_rows(trace),
        may_act=any(_acts(each) for each in trace.callbacks.values()),
        draws=any(_draws(each) for each in trace.callbacks.values()),
        defers_errors=trace.defers_errors,
        # What tracing itself has changed, such as a list that counts traces, is no constant.
        guards=[guard for guard in trace.guards.values() if guard.holds()],
    )


def _acts(callback: Callback) -> bool:
    """Whether calling it may do what cannot be taken back."""
    kind = callback.attributes[hosts.CALLBACK]
    return kind.value in hosts.ACTING and not (kind.value == "call" and callback.given is None)


def _draws(callback: Callback) -> bool:
    """Whether it draws from a generator that is there before the call, and after it."""
    return isinstance(callback.given, Stream) and callback.given.is_given


def _settled(returned: Any, created: Sequence[Created]) -> Any:
    """What the compiled function returns: a trace that creates variables, their initial values."""
    if created:
        returned = tuple(each.initial for each in created if each.initial is not None)
    elif isinstance(
        returned, abstract_values.MaybeUnbound
    ):  # AutoGraph has bound it on every path to here
        returned = returned.value
    return optional.settled(returned)


def _definition(python_function: Callable[..., Any]) -> Position | None:
    """Where the function itself stands."""
    code = getattr(inspect.unwrap(python_function), "__code__", None)
    if code is None:
        return None
    return Position(code.co_filename, code.co_firstlineno, 1, code.co_name)


def _as_called(trace: Trace, function: Any) -> Any:
    """A function that is not converted, such as one of a library, as converted code would call it."""
    return lambda *args, **kwargs: operators.call(function, args, kwargs)


def _call(trace: Trace, call: Any, converted: Any, placed: dict[str, Any]) -> Any:
    try:
        return call(converted, placed)
    except RecursionError:
        raise  # of the recorder's, and none that the program may catch
    except failing.Unreachable:
        return None  # every path raises
    except BaseException as error:
        if trace.known_numbers.wanted:
            raise  # a trace that knows them may not fail
        # What may fail or be printed before is known only when the call runs.
        waits = trace.can_fail or trace.scope.effects
        if not (waits and deferred_errors.record(trace, error)):
            raise
        return None


def _is_whole_number(leaf: Leaf) -> bool:
    return leaf.shape == () and leaf.dtype.kind in "biu"


def _argument(trace: Trace, leaf: Leaf, number: int, knowable: Collection[str]) -> SymbolicTensor:
    tensor = trace.argument(leaf.dtype, leaf.shape, leaf.name, leaf.read_only)
    tensor.weak = leaf.weak
    if leaf.name is not None and leaf.name in knowable and _is_whole_number(leaf):
        trace.known_numbers.add(number, leaf.name)
    if leaf.shape and isinstance(tensor.storage, Owned):
        trace.argument_cells[tensor.storage.cell] = number
        layouts.note(tensor, leaf.steps)
    return tensor
