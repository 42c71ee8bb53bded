"""The staged implementation of AutoGraph's operators: what converted code does while tracing.

Registered with ``agir.autograph.operators`` when this module is imported.  Every method finds the
trace that the thread is recording; outside of a trace nothing is staged.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from agir.autograph.operators import Handler, LoopOptions, Place, State, register
from agir.config import config
from agir.errors import OperatorNotAllowedInGraphError, StagingError
from agir.ir import builtins_staged, contexts, control_flow, exceptions, iteration, trace
from agir.ir.symbolic import SymbolicTensor

_log = logging.getLogger("agir.autograph")


class MLIRStaging:
    """AutoGraph's staging protocol over the current trace."""

    def is_staged(self, value: object) -> bool:
        """True for symbolic tensors and for staged iterables."""
        return isinstance(value, (SymbolicTensor, *iteration.STAGED))

    def attempt(self) -> AbstractContextManager[Callable[[], None]]:
        """Record something that may be taken back."""
        current = trace.current()
        return nullcontext(_nothing) if current is None else current.attempt()

    def writing(self, place: Place) -> None:
        """Note what a place holds before it is written to."""
        if (current := trace.current()) is not None:
            current.journal.note(place)

    def made(self, value: Any) -> Any:
        """Note an object that converted code has made."""
        if (current := trace.current()) is not None:
            current.journal.made(value)
        return value

    def get_item(self, obj: Any, key: Any) -> Callable[[], Any] | None:
        """What ``obj[key]`` is with a run-time key."""
        return None

    def set_item(self, obj: Any, key: Any, value: Any) -> Callable[[], Any] | None:
        """What ``obj[key] = value`` does with a run-time key."""
        return None

    def compare(self, operator: str, left: Any, right: Any) -> Callable[[], Any] | None:
        """What ``is`` and ``in`` mean for run-time values."""
        return None

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
        control_flow.while_stmt(_trace(), test, body, state)

    def for_stmt(
        self,
        iterated: Any,
        body: Callable[[Any], None],
        extra_test: Callable[[], Any] | None,
        state: State,
        options: LoopOptions,
    ) -> None:
        """Record a ``for`` loop."""
        name = _target(options)
        control_flow.for_stmt(_trace(), iterated, body, extra_test, state, name)

    def offer_range(
        self,
        iterated: range,
        body: Callable[[Any], None],
        extra_test: Callable[[], Any] | None,
        state: State,
        options: LoopOptions,
    ) -> bool:
        """Record a long Python range as one loop, where its body allows it.

        Short ranges are left to be unrolled, and so are loops whose body needs the counter as a Python
        int, or that compute nothing from run-time values.
        """
        current = trace.current()
        if current is None or options.unroll is True:
            return False
        if options.unroll is None and len(iterated) <= config.unroll_limit:
            return False
        return _attempt(current, iterated, body, extra_test, state, _target(options))

    def if_exp(self, cond: Any, body: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
        """Record a conditional expression."""
        return control_flow.if_exp(_trace(), cond, body, orelse)

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
        return manager if current is None else contexts.managed(current, manager)

    def builtin(
        self, function: object, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Callable[..., Any] | None:
        """What stands for a function of Python's or NumPy's that meets run-time values."""
        current = trace.current()
        return None if current is None else builtins_staged.find(current, function, args, kwargs)


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


def _attempt(
    current: trace.Trace,
    iterated: range,
    body: Callable[[Any], None],
    extra_test: Callable[[], Any] | None,
    state: State,
    target: str,
) -> bool:
    """Try to record the loop; forget the attempt and say so where its body needs Python values."""
    before, start = state.get(), len(current.scope.recorded)
    with current.attempt() as take_back:
        try:
            control_flow.for_stmt(current, iterated, body, extra_test, state, target)
            if control_flow.reads_run_time_values(current, start):
                return True
            reason = "it computes nothing from run-time values"
        except OperatorNotAllowedInGraphError:
            reason = "its body needs the counter as a Python integer"
        take_back()
    state.set(before)
    _log.info("%s", current.explain(f"a loop of {len(iterated)} iterations is unrolled: {reason}"))
    return False


register(MLIRStaging())
