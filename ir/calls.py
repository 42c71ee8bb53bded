"""Calls of converted functions while tracing: which are part of the trace, which are real calls.

A call usually becomes part of the trace: the function runs on the symbols.  That has no end where a
function calls itself under a condition that is known only at run time, so the trace keeps the
*activations* of the functions that are being run.  One that is entered again inside a branch or
loop opened since is recursive on run-time values, and becomes a function of the module, which
calls itself (`agir.ir.outlining`).  A recursion that Python values decide never meets such a region
and is unrolled as Python runs it.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import FunctionType, MethodType, ModuleType
from typing import Any

from agir.errors import OperatorNotAllowedInGraphError
from agir.ir import outlining
from agir.ir.arguments import Arguments
from agir.ir.cells import Scope
from agir.ir.control_flow import TooCostly
from agir.ir.outlining import Outlined
from agir.ir.slots import JoinError
from agir.ir.trace import Trace


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
    return (function.__code__, tuple(map(id, cells)))


def _holds_operators(cell: Any) -> bool:
    """True for the cell through which converted code finds its operators; each copy has its own."""
    try:
        return isinstance(cell.cell_contents, ModuleType)
    except ValueError:
        return False


@functools.lru_cache(maxsize=1024)
def _signature(code: Any, defaults: int, keyword_only: tuple[str, ...]) -> inspect.Signature:
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
    key = _key(function)
    found = _recursive(trace, key, arguments)
    if found is None:
        with activation(trace, Activation(key, arguments, trace.scope, trace.speculation)):
            return function(*args, **kwargs)
    if found.speculation != trace.speculation:
        raise TooCostly
    if found.function is not None:
        return found.function.call(arguments.values)
    return _outline(trace, key, function, arguments)


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
    candidates = [
        each
        for each in reversed(trace.activations)
        if each.key == key
        and (each.scope is not trace.scope or each.speculation != trace.speculation)
    ]
    for each in candidates:
        if each.function is not None and each.function.accepts(arguments.values):
            return each
    return next((each for each in candidates if _joins(trace, each, arguments)), None)


def _joins(trace: Trace, found: Activation, arguments: Arguments) -> bool:
    try:
        if found.function is not None:
            found.function.widened(arguments.values)
        else:
            outlining.common(trace, found.arguments.values, arguments.values)
    except JoinError:
        return False
    return True


def _outline(trace: Trace, key: Hashable, function: FunctionType, arguments: Arguments) -> Any:
    """Record the function by itself, and call it.

    One whose body needs a number as a Python value is unrolled instead.
    """
    with trace.attempt() as take_back:
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
            take_back()
    with activation(trace, Activation(key, arguments, trace.scope, trace.speculation)):
        return arguments.apply(function)
