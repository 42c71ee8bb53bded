"""``with`` statements: context managers that learn of failures of the run time."""

from __future__ import annotations

import contextlib
import dis
from types import TracebackType
from typing import Any

from agir.autograph.operators import call, find, is_converted_on_the_way, no_state, skip
from agir.errors import StagingError
from agir.ir import control_flow
from agir.ir.building.checks import EXCEEDS
from agir.ir.building.types import bool_
from agir.ir.control_flow import caught_classes, exceptions, raised_hosts
from agir.ir.emission import failing
from agir.ir.emission.failing import Unreachable
from agir.ir.tracing.trace import Trace


def managed(trace: Trace, manager: Any) -> Any:
    """The manager to enter in the place of another."""
    kind = type(manager)
    if not hasattr(kind, "__enter__") or not hasattr(kind, "__exit__"):
        return manager  # Python says what is wrong with it
    if is_converted_on_the_way(kind.__exit__) or kind is contextlib.suppress:
        return _Managed(trace, manager)
    return _EnteredOnce(trace, manager)


class _EnteredOnce:
    """A manager of a library: it is left once while tracing, and told of no failure."""

    def __init__(self, trace: Trace, manager: Any) -> None:
        self.trace = trace
        self.manager = manager

    def __enter__(self) -> Any:
        self._sites = len(self.trace.sites)
        return self.manager.__enter__()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> Any:
        if any(site.kind != EXCEEDS for site in self.trace.sites[self._sites :]):
            self._refuse_handlers()
        if isinstance(error, Unreachable):
            self.manager.__exit__(None, None, None)
            return False
        return self.manager.__exit__(kind, error, traceback)

    def _refuse_handlers(self) -> None:
        """A generator that waits for exceptions would not see those of the run time."""
        if not issubclass(type(self.manager), contextlib._GeneratorContextManager):
            return
        code = getattr(self.manager.gen, "gi_code", None)
        if code is None or not any(i.opname in _HANDLERS for i in dis.get_instructions(code)):
            return
        raise StagingError(
            self.trace.explain(
                f"the context manager {code.co_name} handles exceptions around its yield, and the "
                "body of this with statement can fail at run time, which the generator does not "
                "see; write it as a class with __enter__ and __exit__, or use try and except"
            )
        )


_HANDLERS = ("CHECK_EXC_MATCH", "JUMP_IF_NOT_EXC_MATCH")


class _Managed:
    """A manager whose ``__exit__`` is recorded once for each kind of exception."""

    def __init__(self, trace: Trace, manager: Any) -> None:
        self.trace = trace
        self.manager = manager
        self.ends = True
        self.suppressed = False

    def __enter__(self) -> Any:
        entered = call(type(self.manager).__enter__, (self.manager,))
        self._mark = failing.attempt(self.trace)
        self._attempt = self._mark.__enter__()
        return entered

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool:
        trace = self.trace
        self._mark.__exit__(None, None, None)
        sites = self._attempt.sites(trace)
        if error is not None and not isinstance(error, Unreachable):
            if not sites or not failing.is_failure(trace, error, tried=True):
                return bool(self._leave(error))
            failing.record(trace, error)
            sites = self._attempt.sites(trace)
        self.ends = error is None
        self._choose(sites)
        return error is not None and self.suppressed

    def _leave(self, error: BaseException | None) -> Any:
        """Call ``__exit__``; what it gives tells whether the exception is suppressed."""
        kind = None if error is None else _public(self.trace, error)
        traceback = None if error is None else error.__traceback__
        return call(type(self.manager).__exit__, (self.manager, kind, error, traceback))

    def _choose(self, left: list[int]) -> None:
        """Branch on the class of what has failed, as far as it is one of these sites."""
        if not left:
            if not self.ends:
                raise Unreachable
            self._leave(None)
            return
        trace = self.trace
        hosts = [n for n in left if trace.sites[n - 1].kind == failing.HOST]
        if hosts and isinstance(self.manager, contextlib.suppress):
            self._suppress(hosts, [n for n in left if n not in hosts])
            return
        first = failing.class_of(trace.sites[left[0] - 1])
        same = [n for n in left if failing.class_of(trace.sites[n - 1]) is first]
        others = [n for n in left if n not in same]
        condition = trace.make(failing.is_any(trace, same), bool_, ())
        control_flow.if_stmt(
            trace,
            condition,
            lambda: self._failed(same),
            lambda: self._choose(others),
            no_state,
        )

    def _suppress(self, hosts: list[int], others: list[int]) -> None:
        """Drop what Python functions have raised, if the host says that its class is named."""
        trace = self.trace
        named: Any = self.manager
        fits = raised_hosts.is_any(trace, [], hosts, tuple(named._exceptions))

        def suppress(error: BaseException) -> None:
            self.suppressed = True

        control_flow.if_stmt(
            trace,
            trace.make(fits, bool_, ()),
            lambda: exceptions.handle(trace, hosts, suppress),
            lambda: self._choose(others),
            no_state,
        )

    def _failed(self, sites: list[int]) -> None:
        """Leave with an exception, which is either suppressed or raised again."""

        def leave(error: BaseException) -> None:
            def again() -> None:
                raise error

            suppresses = self._leave(error)
            if find(suppresses) is not None:
                control_flow.if_stmt(self.trace, suppresses, skip, again, no_state)
            elif not suppresses:
                again()
            self.suppressed = True

        exceptions.handle(self.trace, sites, leave)


def _public(trace: Trace, error: BaseException) -> type[BaseException]:
    """The class of an exception, for one that stands for others the class that these have."""
    kind = type(error)
    if not failing.is_stand_in(error):
        return kind
    sites = trace.caught[id(error)].sites
    if any(trace.sites[number - 1].kind == failing.HOST for number in sites):
        return caught_classes.class_like(error)
    return kind.__mro__[1]
