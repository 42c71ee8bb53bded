"""Python's containers met by run-time values: ``x in (1, 2)``, ``table[i]``, ``d[key]``."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from agir.errors import OperatorNotAllowedInGraphError, StagingError
from agir.ir import control_flow, dispatch, emit
from agir.ir.choices import Chosen
from agir.ir.lists import TracedList, has_symbols, staged_items
from agir.ir.optional import CheckedTensor, MaybeNone, absence
from agir.ir.staged import Staged
from agir.ir.symbolic import SymbolicTensor
from agir.ir.tensor import Tensor
from agir.ir.trace import Trace
from agir.ir.types import bool_, is_python_number

Thunk = Callable[[], Any]
_NUMERIC = (bool, int, float, complex, np.ndarray, np.generic)


def get_item(trace: Trace, obj: Any, key: Any) -> Thunk | None:
    """What ``obj[key]`` is where Python's own subscript does not know run-time values."""
    if isinstance(key, Chosen):
        return lambda: key.each(lambda value: obj[value])
    if isinstance(obj, SymbolicTensor | Staged) or not has_symbols(key):
        return None
    if isinstance(obj, (np.ndarray, Tensor)):
        return lambda: dispatch.call("getitem", emit.lift(trace, obj), key)
    if isinstance(obj, (list, tuple)):
        return lambda: _from_list(trace, obj, key)
    if isinstance(obj, range) and not isinstance(key, slice):
        return lambda: _from_range(trace, obj, key)
    if isinstance(obj, Mapping):
        return lambda: _from_mapping(trace, obj, key)
    return None


def _from_list(trace: Trace, obj: Any, key: Any) -> Any:
    if trace.rolling:
        raise OperatorNotAllowedInGraphError(
            trace.explain("a Python list is indexed with a run-time value")
        )
    if not isinstance(key, slice) and obj and all(map(is_python_number, obj)):
        found = dispatch.call("getitem", emit.lift(trace, np.asarray(obj)), key)
        return SymbolicTensor(trace, found.storage, found.dtype, found.dims, weak=True)
    return (obj if isinstance(obj, TracedList) else TracedList(obj))[key]


def _from_range(trace: Trace, obj: range, key: Any) -> Any:
    numbers = staged_items(trace, [0])
    _, inside = numbers.with_columns(numbers.columns, emit.lift(trace, len(obj))).checked(key)
    trace.make(inside, bool_, ())
    return dispatch.call("where", key < 0, key + len(obj), key) * obj.step + obj.start


def _from_mapping(trace: Trace, obj: Mapping[Any, Any], key: Any) -> Any:
    entries = list(obj.items())

    def at(position: int) -> Any:
        if position == len(entries):
            with trace.at_user_line():
                trace.guard(trace.constant(bool_, False), trace.site("key"))
            raise control_flow.Unreachable
        known, value = entries[position]
        return control_flow.if_exp(
            trace, equal(trace, key, known), lambda: value, lambda: at(position + 1)
        )

    if not entries:
        raise KeyError(trace.explain("an empty dict is looked up with a run-time key"))
    return at(0)


def set_item(trace: Trace, obj: Any, key: Any, value: Any) -> Thunk | None:
    """What ``obj[key] = value`` does where Python's own does not know run-time values."""
    if isinstance(key, Chosen):
        return lambda: key.each(lambda each: _store(obj, each, value))
    if isinstance(obj, SymbolicTensor | Staged):
        return None
    if isinstance(obj, np.ndarray) and (has_symbols(key) or has_symbols(value)):
        return lambda: _refuse(
            trace,
            "a NumPy array from outside of the traced function is assigned run-time values: pass "
            "it as an argument, or make it inside",
        )
    if not has_symbols(key):
        return None
    if isinstance(obj, Mapping):
        return lambda: _refuse(
            trace,
            "a dict gets a key that is known only at run time: use an array, or a key that is "
            "known while tracing",
        )
    if isinstance(obj, list):
        return lambda: _refuse(
            trace,
            "a list from outside of the traced function is assigned to at a run-time index: make "
            "the list in the function, or use an array",
        )
    return None


def _store(obj: Any, key: Any, value: Any) -> None:
    from agir.autograph import operators

    operators.set_item(obj, key, value)


def _refuse(trace: Trace, message: str) -> Any:
    raise StagingError(trace.explain(message))


def compare(trace: Trace, operator: str, left: Any, right: Any) -> Thunk | None:
    """What ``is``, ``is not``, ``in`` and ``not in`` mean for run-time values."""
    negated = operator.endswith("not") or operator.startswith("not")
    found = _identity if operator.startswith("is") else _membership
    result = found(trace, left, right)
    if result is None:
        return None
    return (lambda: _negated(trace, result())) if negated else result


def _negated(trace: Trace, value: Any) -> Any:
    return (not value) if isinstance(value, bool) else control_flow.negation(trace, value)


def _identity(trace: Trace, left: Any, right: Any) -> Thunk | None:
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Chosen):
            return functools.partial(one.matches, functools.partial(_is, other))
        if other is None and isinstance(one, (CheckedTensor, MaybeNone)):
            return lambda: absence(trace, one)
    return None


def _is(left: Any, right: Any) -> bool:
    return left is right


def _membership(trace: Trace, value: Any, container: Any) -> Thunk | None:
    if isinstance(container, TracedList) and container.is_staged:
        tensor = container.staged(trace).tensor()
        return lambda: dispatch.call("any", tensor == value)
    if isinstance(container, SymbolicTensor):
        return lambda: dispatch.call("any", container == value)
    if isinstance(value, Chosen):
        return lambda: value.matches(lambda each: each in container)
    symbolic = _has_symbols(value)
    if isinstance(container, range) and symbolic:
        return lambda: _in_range(value, container)
    if isinstance(container, (list, tuple, set, frozenset, Mapping)):
        members = list(container)
        if symbolic or any(map(_has_symbols, members)):
            return lambda: _any_equal(trace, value, members)
    if isinstance(container, np.ndarray) and symbolic:
        return lambda: dispatch.call("any", emit.lift(trace, container) == value)
    return None


def _has_symbols(value: Any) -> bool:
    if isinstance(value, (list, tuple)) and not (isinstance(value, TracedList) and value.is_staged):
        return any(map(_has_symbols, value))
    return isinstance(value, (SymbolicTensor, Chosen))


def _in_range(value: Any, container: range) -> Any:
    if not len(container):
        return False
    low, high = min(container[0], container[-1]), max(container[0], container[-1])
    inside = (value >= low) & (value <= high)
    return inside & ((value - low) % abs(container.step) == 0)


def _any_equal(trace: Trace, value: Any, members: list[Any]) -> Any:
    found = [equal(trace, value, each) for each in members]
    if any(each is True for each in found):
        return True
    unknown = [each for each in found if each is not False]
    if not unknown:
        return False
    return functools.reduce(lambda a, b: dispatch.call("logical_or", a, b), unknown)


def equal(trace: Trace, left: Any, right: Any) -> Any:
    """``left == right`` of nested tuples and lists: a bool, or a bool scalar."""
    if left is right:
        return True
    nested = [isinstance(each, (list, tuple)) for each in (left, right)]
    if all(nested):
        if len(left) != len(right):
            return False
        parts = [equal(trace, a, b) for a, b in zip(left, right, strict=True)]
        if any(part is False for part in parts):
            return False
        parts = [part for part in parts if part is not True]
        return functools.reduce(lambda a, b: dispatch.call("logical_and", a, b), parts, True)
    if any(nested):
        return False
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Tensor) and not isinstance(other, (Tensor, *_NUMERIC)):
            return absence(trace, one) if other is None else False
    result = left == right
    return result if isinstance(result, SymbolicTensor) else bool(result)
