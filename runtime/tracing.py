"""Tracing: running the converted function on symbolic arguments, which records its module."""

from __future__ import annotations

import inspect
import weakref
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Sequence
from dataclasses import dataclass, field, replace
from types import CodeType, MethodType
from typing import Any

import numpy as np

from agir import autograph
from agir.autograph.operators.generators import Producer
from agir.errors import InaccessibleTensorError, StagingError
from agir.ir import emit, failing, locations, structure
from agir.ir.control_flow import effects, foreseen
from agir.ir.convention import Convention
from agir.ir.functions import calls
from agir.ir.locations import Position
from agir.ir.module import finish
from agir.ir.ops.host_calls import HostTensor
from agir.ir.staged import Staged
from agir.ir.state import variables
from agir.ir.state.creation import Created
from agir.ir.state.tensor_array import TensorArray
from agir.ir.state.variables import Variable
from agir.ir.symbolic import SymbolicTensor
from agir.ir.tensor import Tensor
from agir.ir.trace import Site, Trace
from agir.ir.types import DType, TensorSpec, shape_of
from agir.ir.values import optional, slots
from agir.ir.values.optional import CheckedTensor
from agir.runtime import array_arguments, raised
from agir.runtime.blame import at_caller
from agir.runtime.buffers import buffer_of
from agir.runtime.pattern import fill
from agir.runtime.state import captured
from agir.runtime.tensor import EagerTensor
from agir.runtime.trace_types import Leaf
from agir.runtime.updates import return_contents, written_arguments


@dataclass(frozen=True)
class Result:
    """Where a leaf of the returned structure comes from.

    ``index`` numbers the compiled function's results; ``argument`` is the run-time argument that the
    leaf is, where the function returns an array that it was given; ``slot`` makes the leaf of
    several results, from ``index`` on; else ``value`` is constant, or what ``held`` refers to.
    """

    index: int | None = None
    argument: int | None = None
    value: Any = None
    slot: slots.Slot | None = None
    held: weakref.ref[Any] | None = None

    def constant(self) -> Any:
        """The value of a leaf that is constant."""
        return self.value if self.held is None else self.held()


def _nothing() -> None:
    """There is nothing to put back."""


@dataclass
class Recorded:
    """What tracing a function gives: the module, and how to call it and read its results."""

    name: str
    module: Any
    leaves: list[Leaf]
    dtypes: list[DType]
    structure: Any
    results: list[Result]
    mutated: list[tuple[int, int]]
    captures: list[Any]
    """What the arguments after the leaves are: arrays, and `state.Captured` for variables."""
    sites: list[Site] = field(default_factory=list)
    given: dict[str, Any] = field(default_factory=dict)
    """What callbacks use that only this process has, by their names."""
    updates: list[tuple[int, Result]] = field(default_factory=list)
    """The arguments that are TensorArrays which are written to, and what is in them afterwards."""
    updated: list[tuple[int, int]] = field(default_factory=list)
    """(capture, result) for each variable that the function writes."""
    in_place: dict[int, int] = field(default_factory=dict)
    """By result, the last ones of all, the arguments that compiled code writes them into."""
    constants: list[Tensor] = field(default_factory=list)
    """Tensors of outside that stand in the text."""
    outputs: list[Any] = field(default_factory=list)
    """For each of the results its type; None for a constant."""
    created: list[Created] = field(default_factory=list)
    """The variables that the trace has created; then the results are their initial values."""
    forget: Callable[[], None] = _nothing
    """Puts back the places of Python's that a trace which creates variables has written to."""

    def settle(self) -> None:
        """Let go of the variables, and of the objects that hold them."""
        self.created, self.forget = [], _nothing

    @property
    def structured_outputs(self) -> Any:
        """The structure that is returned, with the types of what is computed."""
        pairs = zip(self.results, self.outputs, strict=True)
        leaves = [result.constant() if kind is None else kind for result, kind in pairs]
        return structure.unflatten(self.structure, iter(leaves))

    def let_go(self, objects: Sequence[Any]) -> None:
        """Hold these objects weakly, where they are returned."""
        owners = [getattr(each, "__self__", each) for each in objects]
        for position, result in enumerate(self.results):
            value = result.value
            method = isinstance(value, MethodType)
            owner = value.__self__ if method else value
            if any(owner is each for each in owners if each is not None):
                held = (weakref.WeakMethod if method else weakref.ref)(value)
                self.results[position] = replace(result, value=None, held=held)

    @property
    def writes_in_place(self) -> bool:
        """True where compiled code writes into its arguments; otherwise the caller copies."""
        return any(result in self.in_place for _, result in self.mutated)

    @property
    def can_fail(self) -> bool:
        """True where the compiled function returns an error record."""
        return bool(self.sites)


def record(
    python_function: Callable[..., Any],
    arguments: dict[str, Any],
    leaves: Sequence[Leaf],
    call: Callable[[Callable[..., Any], dict[str, Any]], Any],
    convention: Convention,
    name: str,
    attributes: dict[str, str],
    convert: bool = True,
    *,
    creating: bool = False,
    must_compile: bool = False,
    scope: str = "",
) -> Recorded:
    """Trace the function on bound arguments whose run-time values have the types ``leaves``.

    ``call`` applies a function to bound arguments (it knows which are ``*args`` and ``**kwargs``).
    With ``creating`` it may create variables.
    With ``must_compile`` nothing may be recorded that only Python can do; ``scope`` is the name of
    the operations' scope.
    """
    converted = autograph.convert(python_function) if convert else python_function
    recursive: dict[int, CodeType] = {}
    while True:
        trace = Trace(name, convention)
        trace.recursive |= recursive
        trace.creation = [] if creating else None
        trace.must_compile, trace.name_scope = must_compile, scope
        try:
            return _record(trace, python_function, converted, arguments, leaves, call, attributes)
        except calls.Restart as found:
            trace.journal.frames[0].restore()
            recursive[id(found.code)] = found.code
        except BaseException:
            if trace.creation:  # what it has created is not kept where the next call finds it
                trace.journal.frames[0].restore()
            raise


def _record(
    trace: Trace,
    python_function: Callable[..., Any],
    converted: Callable[..., Any],
    arguments: dict[str, Any],
    leaves: Sequence[Leaf],
    call: Callable[[Callable[..., Any], dict[str, Any]], Any],
    attributes: dict[str, str],
) -> Recorded:
    with trace:
        trace.definition = _definition(python_function)
        trace.location = locations.location_of([trace.definition] if trace.definition else [])
        symbols = [_argument(trace, leaf) for leaf in leaves]
        supply = iter(symbols)
        placed = {
            key: array_arguments.unpacked(trace, fill(value, supply))
            for key, value in arguments.items()
        }
        output = _call(trace, call, calls.entering(trace, converted), placed)
        if isinstance(output, slots.MaybeUnbound):  # AutoGraph has bound it on every path to here
            output = output.value
        created = trace.creation or []
        output = tuple(c.initial for c in created if c.initial is not None) if created else output
        returned, key = structure.flatten(optional.settled(output))
        results, ssa, dtypes = _results(trace, returned, symbols)
        updates = [] if created else _updates(trace, placed, symbols, ssa, dtypes)
        written = [] if created else written_arguments(trace, symbols)
        in_place = return_contents(trace, written, ssa, dtypes)
        module = finish(trace, ssa, attributes, in_place)
        captures = [captured(owner) for owner, _ in trace.captures]
        constants = list(trace.constants_used.values())
        effects.warn_of_leaks(trace)
        given = {c.name: c.given for c in trace.callbacks.values() if c.given is not None}
    raised.let_go(trace.sites)
    count = len(leaves)
    return Recorded(
        trace.name,
        module,
        list(leaves),
        dtypes,
        key,
        results,
        [(each.argument, each.result) for each in written if each.argument < count],
        captures,
        trace.sites,
        given,
        updates,
        [(each.argument - count, each.result) for each in written if each.argument >= count],
        in_place,
        constants,
        [_output(result, symbols, ssa, dtypes) for result in results],
        created,
        trace.journal.frames[0].restore if created else _nothing,
    )


def _refuse_lazy(trace: Trace, leaf: Any) -> None:
    """Refuse as a result what computes only when it is iterated over or awaited: too late."""
    if not isinstance(leaf, (Producer, Generator, Coroutine, AsyncGenerator)):
        return
    if isinstance(leaf, Coroutine):
        leaf.close()
    raise TypeError(
        trace.explain(
            f"{trace.name} returns a generator or coroutine, which would run after the call, when "
            "its tensors have no values any more: return a list, or do not decorate the function"
        )
    )


def _output(
    result: Result, symbols: Sequence[SymbolicTensor], ssa: Sequence[Any], dtypes: Sequence[DType]
) -> Any:
    """The type of a leaf of the returned structure; None for a constant."""
    if result.slot is not None:
        return result.slot.describe()
    if result.index is not None:
        return TensorSpec(shape_of(ssa[result.index].type), dtypes[result.index])
    if result.argument is not None:
        symbol = symbols[result.argument]
        return TensorSpec(symbol.shape, symbol.dtype)
    return None


def _definition(python_function: Callable[..., Any]) -> Position | None:
    """Where the function itself stands."""
    code = getattr(inspect.unwrap(python_function), "__code__", None)
    if code is None:
        return None
    return Position(code.co_filename, code.co_firstlineno, 1, code.co_name)


def _call(trace: Trace, call: Any, converted: Any, placed: dict[str, Any]) -> Any:
    try:
        return call(converted, placed)
    except RecursionError:
        raise StagingError(
            f"the calls in {trace.name} nest deeper than Python's recursion limit while it is traced"
        ) from None
    except failing.Unreachable:
        return None  # every path raises
    except BaseException as error:
        # What may fail or be printed before is known only when the call runs.
        waits = trace.can_fail or trace.scope.effects
        if not (waits and foreseen.record(trace, error)):
            raise
        return None


def _argument(trace: Trace, leaf: Leaf) -> SymbolicTensor:
    tensor = trace.argument(leaf.dtype, leaf.shape, leaf.name)
    tensor.weak = leaf.weak
    return tensor


def _results(
    trace: Trace, returned: Sequence[Any], symbols: Sequence[SymbolicTensor]
) -> tuple[list[Result], list[Any], list[DType]]:
    results: list[Result] = []
    ssa: list[Any] = []
    dtypes: list[DType] = []
    for leaf in map(variables.settled, returned):
        if isinstance(leaf, TensorArray) and leaf._given is not None:
            symbol = leaf._given[0]
            at = next(at for at, each in enumerate(symbols) if each is symbol)
            results.append(Result(argument=at))
            continue
        if isinstance(leaf, (Staged, CheckedTensor, HostTensor)):
            slot = slots.returned(trace, leaf)
            results.append(Result(index=len(ssa), slot=slot))
            ssa += slot.pack(trace, leaf)
            dtypes += slot.dtypes()
            continue
        if not slots.is_tensor_like(leaf):
            _refuse_lazy(trace, leaf)
            results.append(Result(value=leaf))
            continue
        tensor = emit.lift(trace, leaf)
        position = _returned_argument(trace, tensor, symbols)
        if position is not None:
            results.append(Result(argument=position))
            continue
        results.append(Result(index=len(ssa)))
        ssa.append(tensor.ssa)
        dtypes.append(tensor.dtype)
    return results, ssa, dtypes


def _returned_argument(
    trace: Trace, tensor: SymbolicTensor, symbols: Sequence[SymbolicTensor]
) -> int | None:
    """Under NumPy's conventions an array that comes in and goes out is one object."""
    if not trace.convention.arrays_are_mutable or not tensor.dims:
        return None
    for position, symbol in enumerate(symbols):
        if symbol is tensor:
            return position
    return None


def _updates(
    trace: Trace, placed: Any, symbols: Sequence[Any], ssa: list[Any], dtypes: list[DType]
) -> list[tuple[int, Result]]:
    """The arguments whose elements the function has changed, and which results these are."""
    found = []
    for symbol, array in array_arguments.changed(placed):
        slot = slots.returned(trace, array)
        position = next(at for at, each in enumerate(symbols) if each is symbol)
        found.append((position, Result(index=len(ssa), slot=slot)))
        ssa += slot.pack(trace, array)
        dtypes += slot.dtypes()
    return found


def as_array(value: Any, leaf: Leaf) -> Any:
    """A run-time argument as the array or scalar that the compiled function takes."""
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, EagerTensor):
        return value.array
    if isinstance(value, Variable):
        return buffer_of(value).tensor().array
    if isinstance(value, Tensor):
        raise InaccessibleTensorError(
            at_caller("a symbolic tensor is passed to a compiled function outside of its trace")
        )
    if isinstance(value, TensorSpec):
        raise TypeError(
            at_caller(
                f"a value is needed for {leaf.name!r}, and {value} is a type; get_concrete_function "
                "takes types"
            )
        )
    return value if leaf.shape == () else np.asarray(value, leaf.dtype.numpy)
