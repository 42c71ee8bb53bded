"""``functools.cache`` while tracing: Python's own cache would hand on values of another branch.

What a call has given for known arguments is not recorded twice.  A function that calls itself so, and
gives run-time values, has a table of the compiled function instead: the function is traced again,
and then its arguments are run-time values, so that it is recorded once.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from agir.autograph.operators import call
from agir.ir.building.types import is_python_number
from agir.ir.control_flow.effects import has_run_time_values
from agir.ir.emission import emit
from agir.ir.plain.hashed import mappings
from agir.ir.plain.hashed.mappings import HashDict
from agir.ir.tensors.symbolic import Retrace, SymbolicTensor, holds_run_time
from agir.ir.tracing.trace import Trace
from agir.ir.values.sequences.tuples import TracedTuple

_WRAPPER: Any = type(functools.lru_cache(None)(abs))


class ByMemo(Retrace):
    """A function remembers its results in a table."""

    def __init__(self, function: Any) -> None:
        super().__init__()
        self.function = function

    def tell(self, trace: Trace) -> None:
        """It has a table."""
        trace.remembering.append(self.function)


def find(trace: Trace, function: Any) -> Callable[..., Any] | None:
    """What stands for a function that remembers what it has given."""
    if type(function) is not _WRAPPER or not trace.convention.arrays_are_mutable:
        return None
    return functools.partial(_called, trace, function)


def begin(trace: Trace) -> None:
    """Give functions of outside their tables, before anything is recorded."""
    for each in trace.remembering:
        _table(trace, each)


def _table(trace: Trace, function: Any) -> HashDict | None:
    """Where the results of a function are kept; None where Python keeps them."""
    if not any(_code(function) is _code(each) for each in trace.remembering):
        return None
    _, found, scope = trace.memos.get(id(function), (None, None, None))
    if scope is None or not trace.scope.encloses(scope):
        found = HashDict()
        trace.journal.made(found)
        trace.memos[id(function)] = (function, found, trace.scope)
    return found


def _code(function: Any) -> Any:
    return getattr(function.__wrapped__, "__code__", function.__wrapped__)


def _called(trace: Trace, function: Any, *args: Any, **kwargs: Any) -> Any:
    are_keys = not kwargs and all(map(_is_key, args))
    if are_keys and (table := _table(trace, function)) is not None:
        with trace.at_user_line():
            values = tuple(_run_time(trace, each) for each in args)
        key = values[0] if len(values) == 1 else values
        return call(mappings.remembered, (table, key, function.__wrapped__, values), {})
    if any(map(_is_of_run_time, (*args, *kwargs.values()))):
        if are_keys:
            raise ByMemo(function)
        return function(*args, **kwargs)  # which says that they are no keys
    key = ("remembered", id(function), args, tuple(kwargs.items()))
    found = trace.scope.recall("memo", key)
    if found is None:
        trace.running.append(function)
        try:
            found = (call(function.__wrapped__, args, kwargs),)
        finally:
            trace.running.pop()
        is_inner = any(each is function for each in trace.running)
        if is_inner and are_keys and has_run_time_values(found[0]):
            raise ByMemo(function)
        trace.scope.memo[key] = found
    return found[0]


def _is_key(value: Any) -> bool:
    """Whether it is a number, or a tuple of such."""
    if type(value) is tuple:
        return all(map(_is_key, value))
    is_number = isinstance(value, SymbolicTensor) and not value.dims
    return is_number or is_python_number(value) or isinstance(value, TracedTuple)


def _is_of_run_time(value: Any) -> bool:
    return holds_run_time(value) or isinstance(value, TracedTuple)


def _run_time(trace: Trace, value: Any) -> Any:
    if isinstance(value, SymbolicTensor | TracedTuple):
        return value
    if type(value) is tuple:
        return tuple(_run_time(trace, each) for each in value)
    found = emit.lift(trace, value)
    return trace.make(found.ssa, found.dtype, (), weak=True)
