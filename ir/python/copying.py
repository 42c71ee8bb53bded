"""``copy.copy`` and ``copy.deepcopy``: what they make is new, like what the program itself makes."""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Callable
from types import FunctionType
from typing import Any

from agir.autograph import operators
from agir.autograph.operators.objects import in_class
from agir.errors import StagingError
from agir.ir.python.run_time_keys import Table
from agir.ir.python.texts.coded_texts import is_text
from agir.ir.tensors import structure
from agir.ir.tensors.staged import StandsIn
from agir.ir.tensors.structure import is_own
from agir.ir.tensors.symbolic import SymbolicTensor, is_array
from agir.ir.tracing.trace import Trace
from agir.ir.values.abstract_values import AbstractValue, Structure, Typed
from agir.ir.values.sequences.lists import TracedList, class_of, traced_list

_DEEP = (
    "copy.deepcopy of a {} that holds more than numbers and text: copy what it holds, as in "
    "[list(row) for row in rows]"
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
    """A copy of a value and of all that is in it, each once: ``memo`` has those made so far."""
    if id(value) in memo:
        return memo[id(value)]
    if _is_unchanging(value):
        return value
    if isinstance(value, TracedList | Table) and not _is_known(value):
        _check_items(trace, value)
        made = value if class_of(value) in (tuple, frozenset) else operators.call(value.copy, ())
    elif type(value) is list or isinstance(value, TracedList):
        made = memo[id(value)] = traced_list([], class_of(value))
        for each in list.__iter__(value):
            made.append(_deep(trace, each, memo))
    elif type(own := in_class(value, "__deepcopy__")) is FunctionType and not is_own(type(value)):
        made = operators.call(own, (value, memo))
    elif isinstance(value, tuple | dict):
        key, items = structure.children(value) or (None, [])
        made = structure.rebuild(key, [_deep(trace, each, memo) for each in items])
        made = _announced(trace, value, made)
    elif (found := structure.attributes(value)) is not None and not _pickles_itself(type(value)):
        (kind, names), items = found
        made = memo[id(value)] = trace.made(structure.rebuild((kind, ()), []))
        for name, each in zip(names, items, strict=True):
            object.__setattr__(made, name, _deep(trace, each, memo))
    elif isinstance(value, StandsIn):
        raise StagingError(trace.explain(_DEEP.format(f"{class_of(value).__name__} in a table")))
    else:
        made = copy.deepcopy(value, memo)
    memo[id(value)] = made
    memo.setdefault(id(memo), []).append(value)  # which Python does, too: it must not be freed
    return made


def _is_known(value: Any) -> bool:
    """Whether tracing knows all that is in a list; of a table it never does."""
    return isinstance(value, TracedList) and not value.is_staged


def _check_items(trace: Trace, value: Any) -> None:
    """Refuse what holds, perhaps several times, what would have to be copied as well."""
    of_dict = isinstance(value, Table) and hasattr(value, "values_")
    items = value.values_ if of_dict else value
    if isinstance(items, Table) or _is_known(items):
        return  # keys do not change, and nothing has been put there yet
    if not _never_changes(items.staged(trace).element):
        what = f"{value.stands_for.__name__} of run-time length"
        raise StagingError(trace.explain(_DEEP.format(what)))


def _never_changes(abstract: AbstractValue) -> bool:
    """Whether a value is a number, text, or a tuple of such."""
    if isinstance(abstract, Structure):
        kind = abstract.key[0]
        is_text = getattr(kind, "stands_for", None) is str
        return is_text or (kind is tuple and all(map(_never_changes, abstract.items)))
    return isinstance(abstract, Typed)


def _pickles_itself(kind: type) -> bool:
    """Whether a class says what a copy is made of."""
    return any(getattr(kind, name, None) is not getattr(object, name, None) for name in _PICKLING)


_PICKLING = ("__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__getnewargs__")


def _is_unchanging(value: Any) -> bool:
    return _is_number(value) or type(value) in _UNCHANGING or is_text(value)


_UNCHANGING = (bool, int, float, complex, str, bytes, type(None))


def _is_number(value: Any) -> bool:
    """Whether it is a number, which never changes, and not an array."""
    return isinstance(value, SymbolicTensor) and not value.dims and not is_array(value)


def _announced(trace: Trace, old: Any, new: Any) -> Any:
    return new if new is old or isinstance(new, TracedList) else trace.made(new)


REPLACED: dict[Any, Callable[..., Any]] = {copy.copy: _copied, copy.deepcopy: _deeply_copied}
