"""One trace of a function, compiled: how it is called and how its results come back."""

from __future__ import annotations

import inspect
import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from agir.backends.entry import Entry, Run
from agir.backends.table import Backend, find
from agir.config import config
from agir.errors import message
from agir.ir import hooks
from agir.ir.building.types import TensorSpec
from agir.ir.state.outside import Outside
from agir.ir.state.variables import Variable
from agir.ir.tensors import mistakes, structure
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing import trace
from agir.ir.tracing.outdated import LayoutError
from agir.ir.values.abstract_values import Wrap, as_it_is
from agir.ir.values.heap import assembling
from agir.runtime import pickling
from agir.runtime.blame import at_caller
from agir.runtime.calling import failures, machine_calls
from agir.runtime.calling.machine_calls import RECIPES, Uses
from agir.runtime.calling.passing import as_array
from agir.runtime.calling.short_calls import on_tensors, short_call, wrapped
from agir.runtime.dumping import dump
from agir.runtime.recording import assigned, callers, nested
from agir.runtime.recording.graph import Graph, GraphTensor, captured_tensors
from agir.runtime.recording.recorded import Recorded, Result
from agir.runtime.recording.written import WrittenArrays
from agir.runtime.signatures.function_type import FunctionType
from agir.runtime.signatures.given import Given, Values, at
from agir.runtime.signatures.matching import Parameters
from agir.runtime.signatures.pattern import fill
from agir.runtime.signatures.trace_types import CallType
from agir.runtime.state import array_arguments
from agir.runtime.state.captures import Initialiser, State, array_of
from agir.runtime.tensor import EagerTensor

if TYPE_CHECKING:
    from agir.backends.cpu.explaining.explanation import Explanation
    from agir.runtime.calling import recipes
from agir.runtime.recording.traced import TracedFunction

_ACCEPTED = 1024
"""How many types of calls a concrete function remembers to have checked."""


class ConcreteFunction:
    """One trace of a function, compiled for the types of its run-time arguments.

    It is called with the arguments of the function, of which those that are constants of the trace
    may be left out, or with the run-time values alone.  ``graph`` is what was recorded,
    ``compilation`` its stages.

    >>> f = ag.function(lambda x: x + 1).get_concrete_function(ag.TensorSpec([2], ag.int32))
    >>> f([1, 2]).numpy()
    array([2, 3], dtype=int32)

    Shapes: as traced
    Raises: TypeError for arguments that do not fit
    """

    __slots__ = ("__dict__", "__weakref__", "_recipes")
    _recipes: tuple[recipes.Entry, ...]

    def __init__(
        self, recorded: Recorded, owner: TracedFunction, kind: CallType, pattern: dict[str, Any]
    ) -> None:
        self._prepare(owner, kind, pattern)
        self._recorded = recorded
        self._dtypes = [d.numpy for d in recorded.dtypes]
        first = len(recorded.leaves)
        self._backend = _backend(owner)
        targets = recorded.in_place if self._backend.in_place else {}
        replaced = {n: result for n, result in recorded.updated if result not in targets}
        written = {n: targets[r] - first for n, r in recorded.updated if r in targets}
        self._state = State(recorded.captures, replaced, written)
        outside = (n for n, _ in recorded.updated if isinstance(recorded.captures[n], Outside))
        places = [*(n for n, _ in recorded.mutated), *(first + n for n in outside)]
        self._written = WrittenArrays(recorded, places, self.name)
        self._in_place = self._backend.in_place and recorded.writes_in_place
        from agir.backends.mlir.added import registered
        from agir.backends.stages import Compilation

        passes = (*registered(), *owner.options.passes)
        self.compilation = Compilation.from_module(recorded.module, passes=passes)

    def _prepare(self, owner: TracedFunction, kind: CallType, pattern: dict[str, Any]) -> None:
        self._owner = owner
        self.kind = kind
        """The type of the calls that it is for."""
        beside = tuple(each for each in owner.signature.opened if each.parameter in pattern)
        signature = owner.signature
        told = signature.knows_identities if signature.convention.arrays_are_mutable else None
        self._parameters = Parameters(signature.python, kind, pattern, beside, told)
        self._graph: Graph | None = None
        self._executable: Run | None = None
        self._lock = threading.Lock()
        self._accepted: set[Any] = set()
        self.derivatives: dict[Any, Any] = {}
        """Its ways back, made by `agir.runtime.gradients.calls`."""
        self.initialiser: Initialiser | None = None
        """Computes the initial values of variables that the trace has created."""
        self.quick: Callable[[Sequence[Any]], Any] = self.call_flat
        """Calls with positional run-time values whose quick key is known to fit."""
        self.plain: Callable[[Sequence[Any]], Any] | None = None
        """The same for values none of which is a tensor; None where that is no shorter."""
        self._recipes = ()
        self._uses = Uses()
        self.tracing_took: float | None = None
        """How many seconds it took to trace, ..."""
        self.compiling_took: float | None = None
        """... and to compile it, or to find its code in the cache; None if neither has been yet."""
        self.function: Callable[[], Any] = lambda: None
        """The decorated function that it is a trace of; None once that is gone."""

    def __reduce__(self) -> Any:
        owner = self._owner
        function = self.function()
        if function is None or owner.receiver is not None or owner.signature.opened:
            raise pickling.of_more_than_types(self.name)
        types = pickling.types_of_call(self.name, self.kind, self._parameters.pattern)
        args, kwargs = owner.signature.as_given(types)
        return pickling.arrived, (function, args, kwargs)

    def ranked(self, values: Sequence[Any] | None = None) -> ConcreteFunction:
        """The concrete function for values of these ranks: this one, where its ranks are known."""
        return self

    @property
    def name(self) -> str:
        """The symbol of the function in its module."""
        return self._owner.symbol

    @property
    def defers_errors(self) -> bool:
        """Whether it raises what tracing has raised: an array that is read-only has come first."""
        return self._recorded.defers_errors

    @property
    def variables(self) -> list[Variable]:
        """The variables that it has captured, in the order of the compiled function's arguments."""
        return self._state.variables()

    @property
    def trainable_variables(self) -> list[Variable]:
        """Those of them that are trainable."""
        return [each for each in self.variables if each.trainable]

    @property
    def graph(self) -> Graph:
        """What was recorded."""
        if self._graph is None:
            self._graph = Graph(self._recorded, self.compilation)
        return self._graph

    @property
    def inputs(self) -> tuple[GraphTensor, ...]:
        """The arguments in the graph, those captured from outside at the end."""
        return self.graph.inputs

    @property
    def outputs(self) -> tuple[GraphTensor, ...]:
        """The results in the graph."""
        return self.graph.outputs

    @property
    def inference_fn(self) -> InferenceFunction:
        """The compiled function itself: from run-time values to results, both flat."""
        return InferenceFunction(self)

    @property
    def function_type(self) -> FunctionType:
        """The types of the parameters, of the result and of what is captured."""
        return FunctionType(
            self._owner.signature.python,
            self._parameters.types(),
            self._output_type(),
            [TensorSpec(each.shape, each.dtype) for each in self.captured_inputs],
        )

    @property
    def structured_input_signature(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The positional arguments and those by keyword only: types, and constants of the trace."""
        types = OrderedDict(self._parameters.types())
        bound = inspect.BoundArguments(self._owner.signature.python, types)
        return bound.args, bound.kwargs

    @property
    def structured_outputs(self) -> Any:
        """The types of the results, in the structure that the function returns."""
        return self._recorded.structured_outputs

    def _output_type(self) -> Any:
        return self.structured_outputs

    def pretty_printed_signature(self, verbose: bool = True) -> str:
        """The types of the parameters and of the result, for people: a paragraph, or one line."""
        kind = self.function_type
        return kind.described(self.name) if verbose else f"{self.name}{kind}"

    @property
    def result_dtypes(self) -> list[Any]:
        """The dtypes of what the compiled function gives, in its order."""
        return list(self._recorded.dtypes)

    @property
    def captured_inputs(self) -> list[Any]:
        """The tensors of outside that the function uses: those it is passed, then its constants."""
        return [*captured_tensors(self._recorded.captures), *self._recorded.constants]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call with arguments of the types that it was traced for; ``TypeError`` for others."""
        key = None if kwargs else self._owner.signature.quick_key(args)
        observed = hooks.observers.active and trace.current() is None
        if key is not None and key in self._accepted and not observed:
            result = self.quick(args)
            self._note_call(args)
            return result
        values = self._values(args, kwargs)
        if observed:
            return hooks.gradients.observe_call(self, values)
        if trace.current() is not None:
            return nested.run(self._owner, fill(self._parameters.pattern, iter(values)))
        if key is not None and len(values) == len(args):
            if len(self._accepted) >= _ACCEPTED:
                self._accepted.clear()
            self._accepted.add(key)
        return self.call_flat(values)

    def _note_call(self, args: tuple[Any, ...]) -> None:
        """After many calls, have machine code make those like this one."""
        if not self._uses.is_due():
            return
        from agir.runtime.calling import recipes

        signature = self._owner.signature
        made = recipes.recipe(
            self,
            signature,
            (args, {}),
            (signature.bound(args, {}), self._values(args, {})),
            weakref.WeakMethod(self._forget_recipes),
            is_alone=True,
        )
        if made is not None:
            self._recipes = (made, *self._recipes[: RECIPES - 1])

    def _forget_recipes(self) -> None:
        """Something is gone that one of them is about."""
        self._recipes = ()

    def _values(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """The run-time values of a call; ``TypeError`` where it does not fit the trace."""
        try:
            return self._parameters.values(args, kwargs)
        except TypeError as error:
            takes = self.function_type.inputs()
            raise TypeError(at_caller(f"{self.name} takes {takes}: {message(error)}")) from None

    def __repr__(self) -> str:
        return f"<agir.ConcreteFunction {self.pretty_printed_signature()}>"

    def call_flat(self, values: Sequence[Any]) -> Any:
        """Call with the run-time values alone."""
        recorded = self._recorded
        if (initialiser := self.initialiser) is not None:
            initialiser.run(values)
            self.initialiser = None
        for guard in recorded.guards:
            guard.check()
        arrays = [as_array(v, leaf) for v, leaf in zip(values, recorded.leaves, strict=True)]
        for position in recorded.by_rows:
            if not arrays[position].flags.c_contiguous:
                raise LayoutError
        if self._written.positions:
            self._written.check(arrays)
        run = self._executable or self._compile()
        outputs = self._state.call(run, arrays, self._check)
        if not self._in_place:
            for position, result in recorded.mutated:
                values[position][...] = outputs[result]
        return self.result(values if isinstance(values, Values) else Values(values), outputs)

    def result(self, values: Values, outputs: Sequence[Any]) -> Any:
        """What is returned, of what the compiled function has given; the caller's own is changed."""
        recorded = self._recorded
        leaf = partial(self._made, values, outputs)
        with assembling.call if recorded.has_slots else nullcontext():
            if recorded.changed or recorded.passed:
                given = self._given(values)
                with callers.changing(recorded, given, values, outputs) as store:
                    result = self._structured(values, outputs)
                    store(leaf)
            else:
                result = self._structured(values, outputs)
            if recorded.assigned:
                assigned.store(recorded.assigned, values, recorded.captures, outputs, leaf)
        for position, contents in recorded.updates:
            array_arguments.restored(values[position], _assembled(contents, outputs, as_it_is))
        return result

    def _given(self, values: Values) -> Given:
        """The arguments as the caller has them: new containers, where it gives numbers alone."""
        if values.given is None:
            values.given = self._parameters.filled(values)
        return values.given

    def is_current(self) -> bool:
        """Whether the trace is for what the objects of outside hold now."""
        if not all(guard.holds() for guard in self._recorded.guards):
            return False
        return all(
            each.is_current() for each in self._recorded.captures if isinstance(each, Outside)
        )

    def _check(self, outputs: Sequence[Any]) -> None:
        """Raise what the compiled function has noted in its error record."""
        if self._recorded.can_fail:
            failures.check(self._recorded, outputs)

    def route(
        self, args: tuple[Any, ...], positions: list[int] | None
    ) -> Callable[[Sequence[Any]], Any]:
        """The short way for calls with arguments of just these types."""
        run = self.quick
        if self.plain is not None and all(type(value) is not EagerTensor for value in args):
            run = self.plain
        if positions is None:
            return run
        return lambda values: run([values[i] for i in positions])

    def _structured(self, values: Values, outputs: Sequence[Any]) -> Any:
        leaves = self._leaves(values, outputs)
        return structure.for_caller(self._recorded.structure, iter(leaves), values.known)

    def _leaves(self, values: Values, outputs: Sequence[Any]) -> list[Any]:
        return [self._made(values, outputs, result) for result in self._recorded.results]

    def _made(self, values: Values, outputs: Sequence[Any], result: Result) -> Any:
        wrap = wrapped if self._owner.convention.returns_tensors else as_it_is
        if result.argument is not None:
            return array_arguments.owner(values[result.argument])
        if result.path is not None:
            return at(self._given(values), result.path)
        if result.alternatives is not None:
            assert result.index is not None, "which it is is computed"
            key, leaves = result.alternatives[int(outputs[result.index])]
            return structure.for_caller(key, (self._made(values, outputs, each) for each in leaves))
        if result.captured is not None:
            return array_of(self._recorded.captures[result.captured])
        if result.choices is not None:
            return _chosen(result, values, outputs, wrap)
        if result.index is None or not (result.abstract or result.is_array):
            return _assembled(result, outputs, wrap)
        if result.index not in values.made:
            values.made[result.index] = _assembled(result, outputs, wrap)
        return values.made[result.index]

    def _shorten(self, run: Run) -> None:
        """Where nothing but results comes back, skip what other functions need."""
        in_place = self._written if self._in_place else None
        tensors = self._owner.convention.returns_tensors
        short = short_call(self._recorded, run, in_place, tensors)
        if short is not None:
            self.plain, self.quick = short, on_tensors(short)

    def explain(self, *args: Any, **kwargs: Any) -> Explanation:
        """What became of the trace (`GenericFunction.explain`); without arguments, not measured."""
        values = self._values(args, kwargs) if args or kwargs else None
        return self.explain_flat(values)

    def explain_flat(self, values: Sequence[Any] | None) -> Explanation:
        """The same for the run-time values alone; None for none."""
        from agir.backends.cpu.explaining.explain import explain

        recorded = self._recorded
        arrays, note = None, "not measured: no values were given"
        if recorded.given:
            note = "not measured: it calls Python functions"
        elif values is not None and not any(isinstance(v, TensorSpec) for v in values):
            given = [as_array(v, leaf) for v, leaf in zip(values, recorded.leaves, strict=True)]
            arrays, note = [*given, *self._state.peek()], ""
        explanation = explain(self.compilation, self._entry(), arrays, note)
        failures.describe(explanation.checks, recorded.sites)
        return explanation

    def _entry(self) -> Entry:
        recorded = self._recorded
        record = [np.dtype(np.int64)] * 3 if recorded.can_fail else []
        in_place = frozenset(recorded.in_place)
        return Entry(self.name, [*self._dtypes, *record], in_place, recorded.given)

    def _compile(self) -> Run:
        with self._lock:
            if self._executable is None:
                dump(self.compilation, self.name, self._owner.source)
                start = time.perf_counter()
                with mistakes.alone():
                    self._executable = self._backend.load(self.compilation, self._entry())
                self.compiling_took = time.perf_counter() - start
                self._shorten(self._executable)
            return self._executable


def _backend(owner: TracedFunction) -> Backend:
    name = "reference" if owner.jit_compile is False else config.backend
    try:
        return find("validated" if name == "cpu" and config.validate else name)
    except ValueError as error:
        raise ValueError(at_caller(f"config.backend: {message(error)}")) from None


def _assembled(result: Result, outputs: Sequence[Any], wrap: Wrap) -> Any:
    """A leaf of what the caller gets, from the outputs of the compiled function."""
    if result.abstract is not None:
        return result.abstract.assemble(iter(outputs[result.index :]).__next__, wrap)
    if result.index is None:
        return result.constant()
    return _elements(result, outputs[result.index], wrap)


def _elements(result: Result, computed: Any, wrap: Wrap) -> Any:
    """What the compiled function has computed, as Python or NumPy would have it."""
    made = wrap(computed, result.is_number)
    return np.array(made) if result.is_array else made


def _chosen(result: Result, values: Sequence[Any], outputs: Sequence[Any], wrap: Any) -> Any:
    """The argument that a leaf is on the path taken, or its elements."""
    assert result.index is not None, "it is computed"
    assert result.choices is not None, "it may be an argument"
    number = int(outputs[result.index])
    argument = result.choices[number] if number < len(result.choices) else None
    if argument is None:
        return _elements(result, outputs[result.index + 1], wrap)
    return array_arguments.owner(values[argument])


class InferenceFunction:
    """The compiled function of a :class:`ConcreteFunction`, without structures.

    It takes the run-time values in their order and gives the list of the results' tensors.
    """

    def __init__(self, concrete: ConcreteFunction) -> None:
        self._concrete = concrete

    @property
    def name(self) -> str:
        """The symbol of the function in its module."""
        return self._concrete.name

    @property
    def graph(self) -> Graph:
        """What was recorded."""
        return self._concrete.graph

    @property
    def function_type(self) -> FunctionType:
        """The type of the concrete function."""
        return self._concrete.function_type

    def __call__(self, *values: Any) -> list[Any]:
        """Call with the run-time values."""
        return self.call_flat(*values)

    def call_flat(self, *values: Any) -> list[Any]:
        """Call with the run-time values, one for each of the leaves of the arguments."""
        checked = self._concrete._parameters.flat(values, {})
        leaves, _ = structure.flatten(self._concrete.call_flat(checked))
        return [leaf for leaf in leaves if isinstance(leaf, (Tensor, np.ndarray, np.generic))]

    def __repr__(self) -> str:
        return f"<agir.InferenceFunction {self.name}{self.function_type}>"


machine_calls.offer(concrete=ConcreteFunction)
