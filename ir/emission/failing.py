"""Exceptions as sites of the error record: what is raised in code that may not run.

An exception that leaves a recorded branch or loop body becomes a check that always fails there; the
call raises a copy of it.  A `try` statement keeps an :class:`Attempt`, which knows the sites that
its body has recorded.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from typing import Any

from agir.autograph.operators import Reconverted
from agir.errors import (
    AgirError,
    CannotCompileError,
    InvalidArgumentError,
    OperatorNotAllowedInGraphError,
    UsageError,
)
from agir.ir import hooks
from agir.ir.building import locations
from agir.ir.building.cells import Scope
from agir.ir.building.checks import EXCEEDS, Site
from agir.ir.building.types import bool_, int64
from agir.ir.emission import emit
from agir.ir.tensors import mistakes
from agir.ir.tensors.symbolic import Retrace, SymbolicTensor
from agir.ir.tracing.trace import Trace
from agir.records import dataclass

RAISE = "raise"
"""The kind of the sites that hold an exception, made while tracing."""

HOST = "host"
"""The kind of the sites that stand for whatever exception a Python function raises at run time; the
first operand is the number under which the host keeps it."""

CLASSES: dict[str, type[BaseException]] = {}
"""The exception that each other kind of site stands for; the runtime fills it in."""


STAND_INS: dict[type[BaseException], type[BaseException]] = {}
"""By the class that they stand for, the classes of exceptions without details."""


@dataclass
class Attempt:
    """The body of a `try` statement while it is recorded."""

    start: int
    """How many sites there were when it began."""
    again: set[int] = field(default_factory=set)
    """The numbers of earlier sites that fail once more: raised again, or in a function of its own."""

    def sites(self, trace: Trace) -> list[int]:
        """The numbers (from 1) of the sites at which the body may have failed.

        That an int needs more bits than it has here is no failure of the program.
        """
        new = range(self.start + 1, len(trace.sites) + 1)
        return [*sorted(self.again), *(n for n in new if trace.sites[n - 1].kind != EXCEEDS)]


@dataclass
class Caught:
    """A failure that a handler has been given: its exception, and the error record of then."""

    error: BaseException
    record: tuple[Any, ...]
    sites: Sequence[int]
    home: Scope


class Unreachable(BaseException):
    """Ends the recording of a region whose rest can never run: it has raised, on every path.

    Not an ``Exception``, so that no handler of the user's takes it for one.
    """


class IndexedAtRunTimeError(OperatorNotAllowedInGraphError):
    """A Python list is indexed with the counter of a recorded loop, which unrolling would spare.

    It ends an attempt to record the loop, and no user sees it.
    """


def checks_so_far(trace: Trace) -> tuple[int, int, int]:
    """What tells the point of the innermost ``try`` that recording has reached."""
    attempt = trace.tries[-1]
    return id(attempt), len(attempt.again), len(trace.sites)


class GoingOn(SymbolicTensor):
    """The condition that nothing has failed: where it is false, control is on its way to a handler."""

    __slots__ = ()


_NEVER = (
    Retrace,
    Reconverted,
    Unreachable,
    CannotCompileError,
    KeyboardInterrupt,
    GeneratorExit,
    RecursionError,
    MemoryError,
)


_OWN = "is_of_the_program"


def of_the_program(error: BaseException) -> BaseException:
    """Note that an exception is the program's, whatever its class tells: it was given to it."""
    setattr(error, _OWN, True)
    return error


@contextmanager
def attempt(trace: Trace) -> Iterator[Attempt]:
    """While it lasts, the sites that are recorded belong to the body of a `try`.

    What was found out about values because a check of theirs comes first is forgotten after it.
    """
    new = Attempt(len(trace.sites))
    scope = trace.scope
    memo = dict(scope.memo)
    trace.tries.append(new)
    trace.has_tried = True
    try:
        yield new
    finally:
        trace.tries.pop()
        if new.sites(trace):
            scope.memo = memo


_OF_TRACING = "maximum recursion depth exceeded"
"""What Python says of calls that nest too deeply while they are traced."""


def is_failure(trace: Trace, error: BaseException, tried: bool = False) -> bool:
    """True for an exception of the user's program; others end the recording.

    In the body of a `try` what libraries raise is the program's too; ``tried`` says that it comes
    from one.
    """
    if isinstance(error, _NEVER) and not getattr(error, _OWN, False):
        return False
    if type(error) is RecursionError and str(error).startswith(_OF_TRACING):
        return False
    mistakes.check(error)
    if isinstance(error, AgirError) and not isinstance(error, UsageError):
        return isinstance(error, InvalidArgumentError)
    if id(error) in trace.caught or locations.raised_by_user(error):
        return True
    if isinstance(error, StopIteration):  # of what stands for Python's next()
        return True
    return (tried or bool(trace.tries)) and isinstance(error, Exception)


def record(trace: Trace, error: BaseException, *, is_refusal: bool = False) -> None:
    """Record that control fails here, with that exception; one of agir's own is a refusal."""
    caught = trace.caught.get(id(error))
    if caught is not None and trace.scope.encloses(caught.home):
        _restore(trace, caught)
        return
    note_deferred(trace, error)
    is_deferred = error.__traceback__ is not None and not locations.raised_by_statement(error)
    site = replace(site_of(trace, error), is_refusal=is_refusal, is_deferred=is_deferred)
    with trace.at_user_line():
        explained = _explained(trace, site, error)
        hooks.texts.held(trace, error)
        trace.guard(trace.constant(bool_, False), *explained)


_KEPT = (_OWN, "__notes__")
"""Attributes that say nothing of the exception."""


def details_of(error: BaseException) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """What an exception holds: its arguments, and the attributes that the program has given it."""
    held = {name: value for name, value in vars(error).items() if name not in _KEPT}
    return error.args, held


def note_deferred(trace: Trace, error: BaseException) -> None:
    """The program goes on, or fails, as tracing has failed: NumPy may look at something else first."""
    if id(error) not in trace.caught and not locations.raised_by_user(error):
        trace.defers_errors = True


def _explained(trace: Trace, site: Site, error: BaseException) -> tuple[Any, ...]:
    """The site, and the number of what the host keeps where the arguments hold run-time values."""
    raised = site.kind == RAISE
    said = details_of(error) if raised else site.extra[0] if site.extra else None
    number = hooks.texts.kept(trace, said)
    if number is None:
        return (site,)
    return replace(site, extra=site.extra if raised else (None,), deferred=True), number


def _restore(trace: Trace, caught: Caught) -> None:
    """The failure that a handler was given fails again."""
    trace.fails_again(caught.sites)
    resume(trace, caught.record)


def site_of(trace: Trace, error: BaseException) -> Site:
    """The site that holds an exception, at the line that raised it."""
    place = locations.raised_at(error) or trace.place()
    text = "" if place is None else locations.source_line(place)
    for each in _chain(error):
        each.__traceback__ = None
    if type(error) is AssertionError and len(error.args) <= 1:
        return Site("assert", place, text, error.args)
    return Site(RAISE, place, text, (error,))


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """The exception, and those that it refers to."""
    seen: set[int] = set()
    pending = [error]
    while pending:
        here = pending.pop()
        if here is not None and id(here) not in seen:
            seen.add(id(here))
            yield here
            pending += [here.__cause__, here.__context__]


def is_stand_in(error: BaseException) -> bool:
    """True for an exception that stands for several, of which one has failed (see ``caught``)."""
    return type(error) in STAND_INS.values()


def class_of(site: Site) -> type[BaseException]:
    """The class of the exception that a site raises."""
    return type(site.extra[0]) if site.kind == RAISE else CLASSES[site.kind]


def public_class(site: Site) -> type[BaseException]:
    """The same as the program knows it: Python's, in the place of one of agir's."""
    kind = class_of(site)
    if not kind.__module__.startswith("agir."):
        return kind
    return next(each for each in kind.__mro__ if each.__module__ == "builtins")


# The error record.


def succeeded(trace: Trace) -> Any:
    """Whether nothing is failing (i1)."""
    return trace.compare("eq", trace.failing(), trace.constant(int64, 0))


def is_any(trace: Trace, numbers: Sequence[int], code: Any = None) -> Any:
    """Whether what is failing is one of these sites (i1), or what an earlier error code says."""
    code = trace.failing() if code is None else code
    found = None
    for first, last in _runs(sorted(numbers)):
        low = trace.constant(int64, first)
        if first == last:
            inside = trace.compare("eq", code, low)
        else:
            inside = trace.compare("sge", code, low)
            below = trace.compare("sle", code, trace.constant(int64, last))
            inside = trace.op("arith.andi", inside.type, inside, below)
        found = inside if found is None else trace.op("arith.ori", inside.type, found, inside)
    return found


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    for _, group in itertools.groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        members = [number for _, number in group]
        yield members[0], members[-1]


def suspend(trace: Trace) -> tuple[Any, ...]:
    """Clear the error record; gives what :func:`resume` needs to put it back."""
    assert trace.error is not None
    cells = trace.error.cells
    before = tuple(trace.scope.read(cell) for cell in cells)
    zero = trace.constant(int64, 0)
    for cell in cells:
        trace.scope.write(cell, zero)
    return before


def resume(trace: Trace, record: Sequence[Any], before: Any = None) -> None:
    """Put an error record back, unless something else has failed since.

    ``before`` is an earlier error code: where it was set already, nothing that came after counts.
    """
    assert trace.error is not None
    with trace.at_user_line():
        old = succeeded(trace)
        if before is not None and before != trace.error.code.initial:
            failed = trace.compare("ne", before, trace.constant(int64, 0))
            old = trace.op("arith.ori", old.type, old, failed)
        for cell, value in zip(trace.error.cells, record, strict=True):
            trace.scope.write(cell, emit.select(trace, old, value, trace.scope.read(cell)))
