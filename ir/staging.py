"""The staged implementation of AutoGraph's operators: what converted code does while tracing.

Registered with ``agir.autograph.operators`` when this module is imported.  Every method finds the
trace that the thread is recording; outside of a trace nothing is staged.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from typing import Any

import numpy as np

from agir.autograph import operators
from agir.autograph.operators import Handler, LoopOptions, Place, State, register
from agir.autograph.operators.exceptions import in_try
from agir.autograph.operators.generators import Producer, until_failure
from agir.errors import OperatorNotAllowedInGraphError, StagingError
from agir.ir import control_flow
from agir.ir import provided as provided  # what modules ask of those above them
from agir.ir.building.types import bool_
from agir.ir.control_flow import checkpoint, contexts, effects, exceptions, unrolling
from agir.ir.emission import truth
from agir.ir.functions import calls
from agir.ir.ops.calls import numpy_protocol
from agir.ir.python import builtins_staged, classes, containers, foreign, made_arrays, run_time_keys
from agir.ir.python.iterators import starred_calls, unpacking
from agir.ir.python.iterators.resumable import Resumable
from agir.ir.python.texts import text_builtins
from agir.ir.recording import explained
from agir.ir.state import array_attributes, outside
from agir.ir.tensors import lacking
from agir.ir.tensors.staged import Staged, StandsIn
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing import trace
from agir.ir.values import text
from agir.ir.values.alternatives import abstract_texts as abstract_texts
from agir.ir.values.alternatives.choices import Chosen
from agir.ir.values.alternatives.optional import MaybeNone
from agir.ir.values.heap import objects

# These register the abstract values of lists and of text.
from agir.ir.values.sequences import abstract_lists as abstract_lists
from agir.ir.values.sequences import iteration

_GIVES_NEW = "a b".split


class MLIRStaging:
    """AutoGraph's staging protocol over the current trace."""

    _references: int | None = None
    """How many references there are to an object that only the call which has given it knows."""

    def is_staged(self, value: object) -> bool:
        """True for symbolic tensors and for staged iterables."""
        if isinstance(value, Staged):
            return value.is_staged
        return isinstance(value, SymbolicTensor) or iteration.is_staged(value)

    def attempt(self) -> AbstractContextManager[Callable[[], None]]:
        """Record something that may be taken back."""
        current = trace.current()
        return nullcontext(_nothing) if current is None else _attempt(current)

    def writing(self, place: Place) -> None:
        """Note what a place holds before it is written to."""
        if (current := trace.current()) is not None:
            if isinstance(place.owner, Chosen | MaybeNone):
                return  # it writes to what it stands for
            effects.check(current, place)
            outside.writing(current, place)
            current.journal.note(place, current.place)

    def updating(self, target: Any, value: Any) -> None:
        """A set that meets a set of the run time is one itself."""
        if (current := trace.current()) is not None and type(target) is set:
            run_time_keys.updating(current, target, value)

    def has_operators(self) -> bool:
        """Whether an object has come up whose class has operators of the user's."""
        current = trace.current()
        return current is not None and current.has_operators

    def made(self, value: Any) -> Any:
        """Note an object that converted code has made."""
        current = trace.current()
        if current is None:
            return value
        if current.convention.arrays_are_mutable:
            if isinstance(value, np.ndarray):  # of a class that stands on NumPy's
                current.known_arrays.note(value)
            foreign.note(current, value)
        return current.made(value)

    def begun(self, kind: type) -> Any:
        """A new object of a class whose objects are known by their numbers, or None."""
        return objects.begun(kind)

    def initialised(self, made: Any) -> None:
        """The constructor of such an object is done."""
        objects.initialised(made)

    def displayed(self, keys: tuple[Any, ...], values: tuple[Any, ...] | None) -> Any:
        """A dict or set with keys that only the run time knows, or None."""
        current = trace.current()
        return None if current is None else run_time_keys.displayed(current, keys, values)

    def result(self, function: Any, value: Any) -> Any:
        """Take note of the arrays that NumPy makes of known values, or record them as tensors."""
        current = trace.current()
        if current is None or not current.convention.arrays_are_mutable:
            return value
        is_container = isinstance(value, dict | set) or type(value) is list
        if is_container and self._is_new(function, sys.getrefcount(value)):
            return current.made(value)
        return made_arrays.result(current, function, foreign.note(current, value))

    def _is_new(self, function: Any, references: int) -> bool:
        """Whether nothing but the call that has just given it knows an object.

        How many references there are to one of which that is true depends on the version of Python.
        """
        if function is _GIVES_NEW:
            self._references = references
        elif self._references is None:
            operators.call(_GIVES_NEW, ())
        return references <= (self._references or 0)

    def get_name(self, names: Any, name: str, value: Any) -> Callable[[], Any] | None:
        """What a name of outside stands for under NumPy's conventions: what it holds at each call."""
        current = trace.current()
        if current is None or not current.convention.arrays_are_mutable:
            return None
        foreign.refuse_iterator(current, value)
        found = outside.find_name(current, names, name, value)
        return None if found is None else lambda: found

    def get_attr(self, obj: Any, name: str) -> Callable[[], Any] | None:
        """What ``obj.name`` is for an array whose sizes are run-time values."""
        current = trace.current()
        if current is None or isinstance(obj, StandsIn):
            return None if current is None else objects.remembered(obj, name)
        if name == "__dict__":
            effects.attributes_of(current, obj, getattr(obj, name, {}))
        return (
            classes.attribute(current, obj, name)
            or array_attributes.find(current, obj, name)
            or objects.remembered(obj, name)
        )

    def set_attr(self, obj: Any, name: str, value: Any) -> Callable[[], Any] | None:
        """What ``obj.name = value`` does where the object holds the value already."""
        current = trace.current()
        if isinstance(obj, StandsIn):
            return objects.setting(obj, name, value)
        if current is not None and name == "shape" and isinstance(obj, SymbolicTensor):
            return partial(array_attributes.assign_shape, current, obj, value)
        if current is not None and isinstance(obj, SymbolicTensor):
            return partial(lacking.set_attribute, obj, name, value)
        if current is not None and classes.refuses(current, obj, name):
            return partial(classes.refuse, current, obj, name, value)
        held = current is not None and outside.holds(current, obj, name, value)
        return _nothing if held else None

    def get_item(self, obj: Any, key: Any) -> Callable[[], Any] | None:
        """What ``obj[key]`` is with a run-time key."""
        current = trace.current()
        return None if current is None else containers.get_item(current, obj, key)

    def set_item(self, obj: Any, key: Any, value: Any) -> Callable[[], Any] | None:
        """What ``obj[key] = value`` does with a run-time key."""
        current = trace.current()
        return None if current is None else containers.set_item(current, obj, key, value)

    def unpack(self, value: Any, count: int) -> Callable[[], Any] | None:
        """What ``a, b = value`` takes apart where only the run time knows the number of items."""
        is_listed = isinstance(value, Producer) and not in_try()
        if not (is_listed or unpacking.is_counted_at_run_time(value)):
            return None
        return partial(unpacking.unpack, _trace(), value, count)

    def unpack_starred(self, value: Any, before: int, after: int) -> Callable[[], Any] | None:
        """What ``a, *b = value`` takes apart where only the run time knows the number of items."""
        is_listed = isinstance(value, Producer) and not in_try()
        if not (is_listed or unpacking.is_counted_at_run_time(value)):
            return None
        return partial(unpacking.unpack_starred, _trace(), value, before, after)

    def call_starred(
        self, function: Any, items: Any, named: dict[str, Any]
    ) -> Callable[[], Any] | None:
        """What ``function(*items)`` is where only the run time knows the number of items."""
        current = trace.current()
        return None if current is None else starred_calls.find(current, function, items, named)

    def compare(self, operator: str, left: Any, right: Any) -> Callable[[], Any] | None:
        """What ``is`` and ``in`` mean for run-time values."""
        current = trace.current()
        return None if current is None else containers.compare(current, operator, left, right)

    def explain(self, message: str) -> str:
        """The message with the user's line."""
        return explained(message)

    def if_stmt(
        self, cond: Any, body: Callable[[], None], orelse: Callable[[], None], state: State
    ) -> None:
        """Record an ``if`` statement."""
        control_flow.if_stmt(_trace(), cond, body, orelse, state)

    def while_stmt(
        self,
        test: Callable[[], Any],
        body: Callable[[], None],
        state: State,
        options: LoopOptions,
    ) -> None:
        """Record a ``while`` loop."""
        with checkpoint.keeping(_trace(), options.checkpoint):
            control_flow.while_stmt(_trace(), test, body, state, options.maximum_iterations)

    def for_stmt(
        self,
        iterated: Any,
        body: Callable[[Any], None],
        extra_test: Callable[[], Any] | None,
        state: State,
        options: LoopOptions,
        start: int = 0,
    ) -> None:
        """Record a ``for`` loop, from the item with the number ``start`` on."""
        if isinstance(iterated, Chosen | MaybeNone):
            iterated.iterate(
                lambda each: operators.for_stmt(each, body, extra_test, state, options), state
            )
            return
        if (
            options.collects
            and extra_test is None
            and start == 0
            and iteration.run_one_by_one(_trace(), iterated, body)
        ):
            return
        name = _target(options)
        if isinstance(iterated, iteration.Once):  # its items may be computed
            body, extra_test = until_failure(body, extra_test, state)
        with checkpoint.keeping(_trace(), options.checkpoint):
            control_flow.for_stmt(
                _trace(),
                iterated,
                body,
                extra_test,
                state,
                name,
                start,
                options.maximum_iterations,
            )

    def offer(
        self,
        iterated: Any,
        body: Callable[[Any], None],
        extra_test: Callable[[], Any] | None,
        state: State,
        options: LoopOptions,
    ) -> bool:
        """Record a loop over what Python knows as one loop, where its body allows it."""
        current = trace.current()
        if current is None:
            return False
        foreign.refuse_iterator(current, iterated, is_run=True)
        with checkpoint.keeping(current, options.checkpoint):
            return unrolling.offer(
                current, iterated, body, extra_test, state, options, _target(options)
            )

    def offer_while(
        self,
        test: Callable[[], Any],
        body: Callable[[], None],
        state: State,
        options: LoopOptions,
    ) -> bool:
        """Record a long ``while`` loop over what Python knows as one loop, where its body allows it."""
        current = trace.current()
        if current is None:
            return False
        with checkpoint.keeping(current, options.checkpoint):
            return unrolling.offer_while(current, test, body, state, options)

    def if_exp(self, cond: Any, body: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
        """Record a conditional expression."""
        return control_flow.if_exp(_trace(), cond, body, orelse)

    def condition(self, value: Any) -> Any:
        """The truth of a value, where it is an operand of ``and`` or ``or`` in a condition."""
        current = _trace()
        if isinstance(value, SymbolicTensor) and not value.dims and value.dtype == bool_:
            return value
        with current.at_user_line():
            return truth.as_bool(current, value)

    def and_(self, left: Any, right: Callable[[], Any]) -> Any:
        """Record ``left and right()``."""
        return control_flow.logical(_trace(), left, right, conjunction=True)

    def or_(self, left: Any, right: Callable[[], Any]) -> Any:
        """Record ``left or right()``."""
        return control_flow.logical(_trace(), left, right, conjunction=False)

    def not_(self, value: Any) -> Any:
        """Record ``not value``."""
        return control_flow.negation(_trace(), value)

    def assert_stmt(self, test: Any, message: Callable[[], Any]) -> None:
        """Record an assertion, checked at run time."""
        exceptions.assert_stmt(_trace(), test, message)

    def text_of(self, value: Any, conversion: str, spec: Any) -> Any:
        """The value as an f-string writes it; None where nothing is being recorded."""
        return None if trace.current() is None else text.text_of(value, conversion, spec)

    def percent(self, pattern: Any, values: Any) -> Any:
        """``pattern % values``; None where nothing is being recorded, or the pattern is no text."""
        if isinstance(pattern, Chosen):
            return pattern.each(lambda each: operators.percent(each, values))
        if trace.current() is None or not isinstance(pattern, str):
            return None
        return text_builtins.percent(pattern, values)

    def region(self) -> Any:
        """The scope that is recorded into."""
        current = trace.current()
        return None if current is None else current.scope

    def refusal(self, message: str) -> Exception:
        """The error, at the user's line."""
        return OperatorNotAllowedInGraphError(_trace().explain(message))

    def resumable(self) -> Any:
        """A generator of functions that run from one ``yield`` to the next."""
        return Resumable()

    def is_instance(self, value: Any, kind: type) -> Any:
        """Whether ``case kind():`` takes the value."""
        return classes.matches(_trace(), value, kind)

    def calling(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A converted function that may have to become a function of the module."""
        current = trace.current()
        return function if current is None else calls.entering(current, function)

    def try_stmt(
        self,
        body: Callable[[], None],
        handlers: Sequence[Handler],
        orelse: Callable[[], None],
        finalbody: Callable[[], None],
        state: State,
    ) -> bool:
        """Run a ``try`` statement, in which checks of the run time may be recorded."""
        current = trace.current()
        if current is not None:
            exceptions.try_stmt(current, body, handlers, orelse, finalbody, state)
        return current is not None

    def going_on(self) -> Any:
        """The condition that nothing has failed since the innermost ``try`` began."""
        current = trace.current()
        return True if current is None else exceptions.going_on(current)

    def in_try(self) -> bool:
        """True while the body of a ``try`` is recorded."""
        current = trace.current()
        return current is not None and bool(current.tries)

    def managed(self, manager: Any) -> Any:
        """A context manager that learns of what fails in its body at run time."""
        current = trace.current()
        if current is None:
            return manager
        if current.convention.arrays_are_mutable:
            foreign.refuse_the_world(current, getattr(manager, "__enter__", manager))
        return contexts.managed(current, manager)

    def builtin(
        self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Callable[..., Any] | None:
        """What stands for a function of Python's or NumPy's that meets run-time values."""
        current = trace.current()
        if current is not None and isinstance(function, SymbolicTensor):
            lacking.call(function)
        if current is None:
            return None
        if builtins_staged.is_recorded(function, args, kwargs):
            return partial(numpy_protocol.plain, function)
        found = builtins_staged.find(current, function, args, kwargs)
        if found is None and (read := array_attributes.reading(current, function, args)):
            return read
        tried = made_arrays.trying(current, function, args, kwargs)
        if tried is not None:
            return partial(tried, found or function)
        if found is None and current.convention.arrays_are_mutable:
            return foreign.watching(current, function, args)
        return found


@contextmanager
def _attempt(current: trace.Trace) -> Iterator[Callable[[], None]]:
    with current.attempt() as attempt:
        yield attempt.roll_back


def _nothing() -> None:
    """Takes back what nothing has recorded."""


def _trace() -> trace.Trace:
    current = trace.current()
    if current is None:
        raise StagingError(
            "a symbolic tensor is used after its trace has ended; return it from the function instead"
        )
    return current


def _target(options: LoopOptions) -> str:
    """The loop variable, which names the counter in the IR."""
    return options.targets[0] if len(options.targets) == 1 else "position"


register(MLIRStaging())
