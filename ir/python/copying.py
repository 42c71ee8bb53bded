"""``copy.copy`` and ``copy.deepcopy``: what they make is new, like what the program itself makes."""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Callable
from typing import Any

from agir.autograph import operators
from agir.errors import StagingError
from agir.ir.tensors import structure
from agir.ir.tensors.symbolic import SymbolicTensor, is_array
from agir.ir.tracing.trace import Trace
from agir.ir.values.abstract_values import Typed
from agir.ir.values.sequences.lists import TracedList, class_of, traced_list

_DEEP = (
    "copy.deepcopy of a list of run-time length that holds more than numbers: copy what it holds, "
    "as in [list(row) for row in rows]"
)
_CONTAINERS = (list, dict, set, deque)


def _copied(trace: Trace, value: Any) -> Any:
    if _is_number(value) or class_of(value) is tuple:
        return value
    if isinstance(value, _CONTAINERS) and hasattr(value, "copy"):
        return _announced(trace, value, operators.call(value.copy, ()))
    return _announced(trace, value, copy.copy(value))


def _deeply_copied(trace: Trace, value: Any, memo: dict[int, Any] | None = None) -> Any:
    found: dict[int, Any] = {} if memo is None else memo
    return _announced(trace, value, _deep(trace, value, found))


def _deep(trace: Trace, value: Any, memo: dict[int, Any]) -> Any:
    if id(value) in memo:
        return memo[id(value)]
    if _is_number(value):
        return value
    if isinstance(value, TracedList) and value.is_staged:
        if not isinstance(value.staged(trace).element, Typed):
            raise StagingError(trace.explain(_DEEP))
        if class_of(value) is tuple:  # of numbers, which do not change either
            return value
        memo[id(value)] = operators.call(value.copy, ())
        return memo[id(value)]
    if type(value) not in (list, tuple, dict) and not isinstance(value, TracedList):
        return copy.deepcopy(value, memo)
    if isinstance(value, (tuple, dict)):
        key, items = structure.parts(value) or (None, [])
        made = structure.rebuild(key, [_deep(trace, each, memo) for each in items])
        return _announced(trace, value, made)
    made = traced_list([])
    memo[id(value)] = made
    for each in value:
        made.append(_deep(trace, each, memo))
    return made


def _is_number(value: Any) -> bool:
    """Whether it is a number, which never changes, and not an array."""
    return isinstance(value, SymbolicTensor) and not value.dims and not is_array(value)


def _announced(trace: Trace, old: Any, new: Any) -> Any:
    return new if new is old or isinstance(new, TracedList) else trace.made(new)


REPLACED: dict[Any, Callable[..., Any]] = {copy.copy: _copied, copy.deepcopy: _deeply_copied}
