"""`try` statements over what fails at run time.

The body is recorded; converted code sees to it that nothing in it takes effect after a failure (it
asks :func:`going_on`).  The error record then tells which site has failed, so handlers are branches
on its code: the first that matches clears the record and runs.  What no handler matches stays in
the record, for the `try` around it or for the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agir.autograph.operators import Handler, State, handler_for, no_message, no_state, skip
from agir.ir import control_flow
from agir.ir.building.cells import LoopScope, Scope
from agir.ir.building.types import bool_
from agir.ir.control_flow import messages, raised_hosts
from agir.ir.control_flow.caught import exception_for
from agir.ir.emission import failing
from agir.ir.emission.failing import Attempt, Caught, GoingOn, Unreachable, checks_so_far
from agir.ir.emission.truth import truth
from agir.ir.tensors.symbolic import Fixed
from agir.ir.tracing.trace import Trace

Clause = Callable[[], None]


def going_on(trace: Trace) -> Any:
    """True where the innermost ``try`` has recorded no check yet, else a condition."""
    if trace.error is None:
        return True  # nothing can fail, as in functions of the library
    if not trace.tries or not trace.tries[-1].sites(trace) or _is_assured(trace):
        return True
    with trace.at_user_line():
        return GoingOn(trace, Fixed(trace.scope, failing.succeeded(trace)), bool_, ())


def _is_assured(trace: Trace) -> bool:
    """Whether a branch around has asked already, and nothing could have failed since."""
    reached = checks_so_far(trace)
    scope: Scope | None = trace.scope
    while scope is not None and not isinstance(scope, LoopScope):
        if scope.assured is not None:
            return bool(scope.assured == reached)
        scope = scope.parent
    return False


def try_stmt(
    trace: Trace,
    body: Clause,
    handlers: Sequence[Handler],
    orelse: Clause,
    finalbody: Clause,
    state: State,
) -> None:
    """Run a ``try`` statement while tracing, and record what only the run time decides."""
    if finalbody is skip:
        _handled(trace, body, handlers, orelse, state)
    else:
        _finally(trace, lambda: _handled(trace, body, handlers, orelse, state), finalbody)


def assert_stmt(trace: Trace, test: Any, message: Callable[[], Any]) -> None:
    """``assert test, message()``; the message is made only where the assertion fails."""
    with trace.attempt() as attempt:
        start = len(trace.scope.recorded)
        text = message()
        plain = len(trace.scope.recorded) == start and attempt.only_computed
        if plain and not messages.holds_run_time(text):
            with trace.at_user_line():
                ok = truth(trace, test)
                trace.guard(ok, trace.site("assert", *(() if message is no_message else (text,))))
            return
        attempt.roll_back()

    def fail() -> None:
        failing.record(trace, AssertionError(message()))
        raise Unreachable

    control_flow.if_stmt(trace, test, skip, fail, no_state)


# try ... finally


def _finally(trace: Trace, run: Clause, finalbody: Clause) -> None:
    """Run the last clause whatever has failed, with a clear error record of its own."""
    ends = True
    before = trace.failing()
    try:
        with failing.attempt(trace) as attempt:
            run()
    except Unreachable:
        ends = False
    except BaseException as error:
        if not failing.is_failure(trace, error, tried=True) or not attempt.sites(trace):
            traceback = error.__traceback__
            finalbody()
            error.__traceback__ = traceback
            raise
        failing.record(trace, error)
        ends = False
    if not attempt.sites(trace):
        finalbody()
    else:
        pending = failing.suspend(trace)
        ends = control_flow.run_recorded(trace, finalbody) and ends
        failing.resume(trace, pending, before)
    if not ends:
        raise Unreachable


# try ... except ... else


def _handled(
    trace: Trace, body: Clause, handlers: Sequence[Handler], orelse: Clause, state: State
) -> None:
    ends = True
    try:
        with failing.attempt(trace) as attempt:
            body()
    except Unreachable:
        ends = False
    except BaseException as error:
        if not failing.is_failure(trace, error, tried=True):
            raise
        if not attempt.sites(trace):
            handler = handler_for(error, handlers)
            if handler is None:
                raise
            failing.note_deferred(trace, error)
            handler.body(error)
            return
        failing.record(trace, error)
        ends = False
    if attempt.sites(trace):
        _Dispatch(trace, handlers, orelse, state, ends).run(attempt)
    elif not ends:
        raise Unreachable
    else:
        orelse()


class _Dispatch:
    """The branches on the site that has failed."""

    def __init__(
        self,
        trace: Trace,
        handlers: Sequence[Handler],
        orelse: Clause,
        state: State,
        ends: bool,
    ) -> None:
        self.trace = trace
        self.handlers = handlers
        self.orelse = orelse
        self.state = state
        self.ends = ends
        """Whether control can reach the end of the body."""

    def run(self, attempt: Attempt) -> None:
        self.choose(0, attempt.sites(self.trace))

    def choose(self, index: int, left: list[int]) -> None:
        """Try the handlers from that one on, for the sites that no other has caught."""
        if index == len(self.handlers) or not left:
            self.otherwise(left)
            return
        handler = self.handlers[index]
        classes = handler.classes()
        kinds = {n: failing.class_of(self.trace.sites[n - 1]) for n in left}
        catches = {kind: handler.catches(kind) for kind in dict.fromkeys(kinds.values())}
        matched = [n for n in left if catches[kinds[n]]]
        others = [n for n in left if not catches[kinds[n]]]
        perhaps = [n for n in others if self.trace.sites[n - 1].kind == failing.HOST]
        if not matched and not perhaps:
            self.choose(index + 1, left)
        else:  # though nothing else may be left: what failed before the statement is not for it
            self.branch(
                raised_hosts.is_any(self.trace, matched, perhaps, classes),
                lambda: handle(self.trace, [*matched, *perhaps], handler.body, classes),
                lambda: self.choose(index + 1, others),
            )

    def otherwise(self, left: list[int]) -> None:
        """Nothing has failed, or something that is not caught here."""
        if not self.ends:
            raise Unreachable
        if not left:
            self.orelse()
        elif self.orelse is not skip:
            self.branch(failing.succeeded(self.trace), self.orelse, skip)

    def branch(self, condition: Any, body: Clause, orelse: Clause) -> None:
        scalar = self.trace.make(condition, bool_, ())
        control_flow.if_stmt(self.trace, scalar, body, orelse, self.state)


def handle(
    trace: Trace,
    sites: Sequence[int],
    body: Callable[[BaseException], Any],
    classes: Sequence[type[BaseException]] = (Exception,),
) -> Any:
    """Clear the error record and run a handler, in which the failure is the current exception.

    ``classes`` are those that the handler is for.
    """
    with trace.at_user_line():
        record = failing.suspend(trace)
    error = exception_for(trace, sites, classes)
    trace.caught[id(error)] = Caught(error, record, sites, trace.scope)
    context, traceback = error.__context__, error.__traceback__
    try:
        raise error
    except BaseException:
        error.__context__ = context
        result = body(error)
        raised_hosts.forget(trace, sites, record)
        return result
    finally:
        error.__traceback__ = traceback
