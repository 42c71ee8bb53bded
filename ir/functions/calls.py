"""Calls of converted functions while tracing: which are part of the trace, which are real calls.

A call usually becomes part of the trace: the function runs on the symbols.  That has no end where a
function calls itself under a condition that is known only at run time, so the trace keeps the
*activations* of the functions that are being run.  One that is entered again inside a branch or
loop opened since is recursive on run-time values: the trace is begun anew, and in it every call of
this function is a call of a function of the module, which calls itself
(`agir.ir.functions.outlining`).  A recursion that Python values decide never meets such a region, and
is unrolled as Python runs it.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from agir.autograph.operators import Names
from agir.by_identity import IdentityDict
from agir.errors import OperatorNotAllowedInGraphError, StagingError
from agir.ir import hooks
from agir.ir.arguments import Arguments
from agir.ir.building.cells import Scope
from agir.ir.control_flow import TooCostly
from agir.ir.functions import signature
from agir.ir.functions.outlining import Outlined
from agir.ir.plain.hashed.tables import Table
from agir.ir.tensors.staged import StandsIn
from agir.ir.tensors.symbolic import Retrace
from agir.ir.tracing.trace import Trace
from agir.ir.values import abstract_values
from agir.ir.values.abstract_values import JoinError
from agir.ir.values.heap import references
from agir.ir.values.sequences.lists import TracedList

UNROLLED = "__ag_unrolled__"
"""A module of the library whose functions call themselves as deep as values nest, and no deeper."""
_MANY_CALLS = 5_000
"""More calls of itself that a function makes while tracing would take seconds."""


class Restart(Retrace):
    """Ends the trace: a function has turned out to be recursive, which its first call must know."""

    def __init__(self, code: CodeType) -> None:
        self.code = code

    def tell(self, trace: Trace) -> None:
        """It is recorded by itself."""
        trace.recursive[id(self.code)] = self.code


class Many(Restart):
    """Ends the trace: a function calls itself very often, on numbers that Python knows."""

    def tell(self, trace: Trace) -> None:
        """It is recorded by itself, on any numbers."""
        super().tell(trace)
        trace.calls_itself_often.add(id(self.code))


@dataclass(frozen=True)
class Activation:
    """A converted function that is being run, on these arguments, from this region on."""

    key: Hashable
    arguments: Arguments
    scope: Scope
    speculation: int
    function: Outlined | None = None


def entering(trace: Trace, function: Callable[..., Any]) -> Callable[..., Any]:
    """What to call in the place of a converted function or method."""
    if isinstance(function, MethodType):
        return functools.partial(entering(trace, function.__func__), function.__self__)
    if not isinstance(function, FunctionType):
        return function
    return functools.partial(_call, trace, function)


def _key(function: FunctionType) -> Hashable:
    """Equal for functions of the same code and the same variables around it."""
    cells = [cell for cell in function.__closure__ or () if not _holds_operators(cell)]
    # Not the code itself: to hash it takes all the functions in it into account.
    return (id(function.__code__), tuple(map(id, cells)))


def _holds_operators(cell: Any) -> bool:
    """True for the cells of what only converted code has, of which each copy has its own."""
    try:
        return isinstance(cell.cell_contents, ModuleType | Names)
    except ValueError:
        return False


_signatures: IdentityDict[dict[Any, inspect.Signature]] = IdentityDict()


def _signature(code: Any, defaults: int, keyword_only: tuple[str, ...]) -> inspect.Signature:
    known = _signatures.get(code)
    if known is None:
        known = {}
        _signatures.set(code, known)
    key = (defaults, keyword_only)
    if key not in known:
        known[key] = _signature_of(code, defaults, keyword_only)
    return known[key]


def _signature_of(code: Any, defaults: int, keyword_only: tuple[str, ...]) -> inspect.Signature:
    def stand_in() -> None: ...

    made = FunctionType(code, {}, closure=tuple(map(_cell, code.co_freevars)) or None)
    made.__defaults__ = (None,) * defaults
    made.__kwdefaults__ = dict.fromkeys(keyword_only)
    return inspect.signature(made)


def _cell(name: str) -> Any:
    return (lambda: name).__closure__[0]  # type: ignore[index]


def _bind(function: FunctionType, args: Any, kwargs: Any) -> Arguments | None:
    """The arguments by parameter; None where they do not fit, which Python will say."""
    keyword_only = function.__kwdefaults__ or {}
    defaults = function.__defaults__ or ()
    signature = _signature(function.__code__, len(defaults), tuple(keyword_only))
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError:
        return None
    given = set(bound.arguments)
    bound.apply_defaults()
    positional = [
        name
        for name, parameter in signature.parameters.items()
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    ]
    known = dict(zip(positional[len(positional) - len(defaults) :], defaults, strict=True))
    known.update(keyword_only)
    bound.arguments.update({n: v for n, v in known.items() if n not in given})
    return Arguments(bound)


def _call(trace: Trace, function: FunctionType, /, *args: Any, **kwargs: Any) -> Any:
    arguments = _bind(function, args, kwargs)
    if arguments is None:
        return function(*args, **kwargs)
    key, code = _key(function), function.__code__
    if id(code) in trace.unrolled or function.__globals__.get(UNROLLED, False):
        return _unrolled(trace, key, function, arguments)
    found = _recursive(trace, key, arguments)
    if found is None:
        if id(code) not in trace.recursive or any(each.key == key for each in trace.activations):
            return _unrolled(trace, key, function, arguments)
    elif id(code) not in trace.recursive:
        raise Restart(code)
    elif found.function is not None and found.speculation == trace.speculation:
        return found.function.call(arguments.values)
    if trace.speculation:
        raise TooCostly
    if id(code) in trace.calls_itself_often:
        arguments = arguments.replaced([hooks.library.lifted(each) for each in arguments.values])
    return _outline(trace, key, function, arguments)


def _unrolled(trace: Trace, key: Hashable, function: FunctionType, arguments: Arguments) -> Any:
    """Run the function as a part of what is being recorded."""
    is_outermost = all(each.key != key for each in trace.activations)
    _count(trace, key, function.__code__, is_outermost)
    try:
        with activation(trace, Activation(key, arguments, trace.scope, trace.speculation)):
            return arguments.apply(function)
    except RecursionError:
        if not is_outermost:
            raise
        reason = trace.obstacles.get(key)
        why = f": {reason}" if reason else ""
        raise StagingError(
            trace.explain(f"{function.__name__} calls itself without end while it is traced{why}")
        ) from None
    finally:
        if is_outermost:
            trace.obstacles.pop(key, None)


def _count(trace: Trace, key: Hashable, code: CodeType, is_outermost: bool) -> None:
    """Tell of a function that calls itself so often that Python would take long."""
    calls = trace.calls[key] = 0 if is_outermost else trace.calls.get(key, 0) + 1
    is_possible = trace.convention.arrays_are_mutable and id(code) not in trace.unrolled
    if calls > _MANY_CALLS and is_possible and id(code) not in trace.recursive:
        raise Many(code)


@contextmanager
def activation(trace: Trace, new: Activation) -> Iterator[None]:
    """The function runs while the context lasts."""
    trace.activations.append(new)
    try:
        yield
    finally:
        trace.activations.pop()


def _recursive(trace: Trace, key: Hashable, arguments: Arguments) -> Activation | None:
    """The activation that this call repeats: of the same function, with arguments of such types."""
    candidates: list[Activation] = [
        each
        for each in reversed(trace.activations)
        if each.key == key
        and (each.scope is not trace.scope or each.speculation != trace.speculation)
    ]
    for each in candidates:
        if each.function is not None and each.function.accepts(arguments.values):
            return each
    repeated = (each for each in candidates if not _goes_inward(trace, each, arguments))
    return next((each for each in repeated if _joins(trace, each, arguments)), None)


def _goes_inward(trace: Trace, found: Activation, arguments: Arguments) -> bool:
    """Whether a call is given the items of what the one before it was given.

    Such calls end with the innermost containers, which are of another type than those around them.
    """
    pairs = zip(found.arguments.values, arguments.values, strict=True)
    return any(
        references.is_within(
            abstract_values.abstract_of(trace, now), abstract_values.abstract_of(trace, before)
        )
        for before, now in pairs
        if _holds_others(before) and _holds_others(now)
    )


def _holds_others(value: Any) -> bool:
    """Whether it is a sequence, or an object or table, of the run time."""
    return isinstance(value, TracedList | Table | StandsIn)


def _joins(trace: Trace, found: Activation, arguments: Arguments) -> bool:
    """True where the arguments of both calls have types in common; notes why they have not."""
    before, now = found.arguments.values, arguments.values
    known = None if found.function is None else found.function.arguments
    for number, name in enumerate(arguments.names):
        try:
            abstract = signature.abstract_argument(trace, now[number], trace.scope)
            first = (
                known[number]
                if known is not None
                else signature.abstract_argument(trace, before[number], trace.scope)
            )
            signature.join(trace, name, first, abstract, trace.scope)
        except JoinError:
            trace.obstacles[found.key] = _OBSTACLE.format(name=name)
            return False
    return True


_NEEDED = (
    "its arguments change from call to call, and it needs one of them as a Python value; where the "
    "calls end must then be decided by Python values too"
)
_OBSTACLE = (
    "under a condition that is known only at run time, it calls itself with another Python object "
    "for {name!r}, or with an array of another number of dimensions; pass numbers, tensors and "
    "tuples of them, or write it as a loop"
)


def _outline(trace: Trace, key: Hashable, function: FunctionType, arguments: Arguments) -> Any:
    """Record the function by itself, and call it.

    One whose body needs a number as a Python value is unrolled instead.
    """
    with trace.attempt() as attempt:
        outlined = Outlined(trace, function, arguments)

        @contextmanager
        def running(scope: Scope) -> Iterator[None]:
            around = trace.activations
            trace.activations = [each for each in around if each.function is not None]
            new = Activation(key, arguments, scope, trace.speculation)
            try:
                with activation(trace, replace(new, function=outlined)):
                    yield
            finally:
                trace.activations = around

        try:
            outlined.settle(running)
            return outlined.call(arguments.values)
        except OperatorNotAllowedInGraphError:
            if not outlined.has_widened:
                raise
            attempt.roll_back()
            trace.unrolled[id(function.__code__)] = function.__code__
            trace.obstacles[key] = _NEEDED
    return _unrolled(trace, key, function, arguments)
