"""Python's containers met by run-time values: ``x in (1, 2)``, ``table[i]``, ``d[key]``."""

from __future__ import annotations

import operator
from collections.abc import Callable, ItemsView, KeysView, Mapping, Sequence, ValuesView
from types import FunctionType
from typing import Any

import numpy as np

from agir.autograph import operators
from agir.autograph.operators.generators import Producer
from agir.errors import StagingError
from agir.ir import control_flow, hooks, recording
from agir.ir.building.types import bool_, float64, int64, is_python_number
from agir.ir.emission import emit
from agir.ir.emission.failing import IndexedAtRunTimeError, Unreachable
from agir.ir.emission.python_numbers import as_int
from agir.ir.emission.truth import as_pythons
from agir.ir.ops.core.literals import writable
from agir.ir.ops.core.recorded import tensor
from agir.ir.ops.shapes import numpy_grids
from agir.ir.python import dicts, foreign, run_time_keys
from agir.ir.python.iterators import iterator_builtins
from agir.ir.python.texts import coded_texts
from agir.ir.tensors import dispatch, structure
from agir.ir.tensors.staged import Staged, StandsIn
from agir.ir.tensors.symbolic import SymbolicTensor, holds_key, is_writable
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing.outdated import Identified
from agir.ir.tracing.trace import Trace
from agir.ir.values.alternatives.choices import Chosen, one_of
from agir.ir.values.alternatives.equality import disjunction, equal
from agir.ir.values.alternatives.optional import (
    CheckedTensor,
    MaybeNone,
    absence,
    presence,
    settled,
    unchecked,
)
from agir.ir.values.alternatives.optional import flag as presence_of
from agir.ir.values.heap import objects
from agir.ir.values.heap.items import staged_items
from agir.ir.values.heap.kinds import ByReference, PointsToClasses
from agir.ir.values.sequences import iteration, progressions, tuples
from agir.ir.values.sequences.lists import TracedList, class_of, has_symbols, traced_list
from agir.ir.values.text import need_codes

Thunk = Callable[[], Any]
_FEW = 8
"""A character of so many is one of several texts; of more it is a code point."""

OBJECT_LIMIT = 64
"""Lists of more objects cannot be indexed with run-time values."""


def _alternatives(obj: Any, key: Any) -> Callable[[Callable[[Any], Any]], Any] | None:
    """What does something with a key for each of its alternatives; None for one that has none.

    A key of a dict may be a tuple with such items.
    """
    if isinstance(key, Chosen):
        return key.each
    if type(key) is not tuple or not isinstance(obj, dict):
        return None
    at = next((n for n, each in enumerate(key) if isinstance(each, Chosen)), None)
    if at is None:
        return None

    def of(function: Callable[[Any], Any]) -> Any:
        def known(item: Any) -> Any:
            whole = (*key[:at], item, *key[at + 1 :])
            others = _alternatives(obj, whole)
            return function(whole) if others is None else others(function)

        return key[at].each(known)

    return of


def get_item(trace: Trace, obj: Any, key: Any) -> Thunk | None:
    """What ``obj[key]`` is where Python's own subscript does not know run-time values."""
    if (each := _alternatives(obj, key)) is not None:
        return lambda: each(lambda value: operators.get_item(obj, value))
    if isinstance(obj, dict) and (found := dicts.partly_there(obj, key)) is not None:
        return found
    if _is_by_truth(obj, key):
        return lambda: operators.get_item(obj, _by_number(trace, obj, key))
    if (subscripted := numpy_grids.SUBSCRIPTED.get(id(obj))) is not None:
        if trace.convention.arrays_are_mutable or has_symbols(key):
            return lambda: writable(trace, subscripted(key))
        return None
    if isinstance(obj, SymbolicTensor) or not _is_run_time_key(obj, key):
        return None
    if isinstance(obj, Staged) and obj.is_staged:
        return None
    key = coded_texts.as_key(key)
    if isinstance(obj, (np.ndarray, Tensor)):
        return lambda: dispatch.call("getitem", emit.lift(trace, obj), key)
    if isinstance(obj, (list, tuple)):
        return lambda: _from_list(trace, obj, key)
    if isinstance(obj, str) and len(obj) > _FEW:
        need_codes(trace)
    if isinstance(obj, str) and trace.codes_text:
        return lambda: coded_texts.subscript(trace, obj, key)
    if isinstance(obj, str) and obj and not isinstance(key, slice):
        return lambda: _from_list(trace, list(obj), key)
    if isinstance(obj, range) and not isinstance(key, slice):
        return lambda: _from_range(trace, obj, key)
    if isinstance(obj, dict) and (not obj or hasattr(type(obj), "__missing__")):
        run_time_keys.meets(trace, obj)
    if isinstance(obj, Mapping):
        return lambda: _from_mapping(trace, obj, key)
    return None


def _is_run_time_key(obj: Any, key: Any) -> bool:
    """Whether only the run time knows a key: a number, or text where the keys may be texts."""
    if isinstance(obj, Mapping) and (trace := recording.current()) is not None:
        objects.need_keys(trace, key)
    are_texts = isinstance(obj, Mapping) and coded_texts.holds_text(key)
    return has_symbols(key) or holds_key(key) or are_texts


def _from_list(trace: Trace, obj: Any, key: Any) -> Any:
    _retrace_for_lists(trace, obj)
    if trace.rolling:
        raise IndexedAtRunTimeError(trace.explain("a Python list is indexed with a run-time value"))
    if not isinstance(key, slice) and obj and all(map(is_python_number, obj)):
        found = dispatch.call("getitem", emit.table(trace, obj), key)
        return SymbolicTensor(trace, found.storage, found.dtype, found.dims, weak=True)
    if isinstance(obj, tuple) and not obj:
        return operator.getitem(obj, slice(None) if isinstance(key, slice) else 0)
    if isinstance(obj, tuple) and isinstance(key, slice):
        return tuples.tupled(traced_list(list(obj))[key])
    items = obj if isinstance(obj, TracedList) else TracedList(obj)
    if not isinstance(key, slice) and not items.is_staged and _are_arrays(trace, obj):
        return _one_array(trace, list(obj), key)
    if isinstance(key, slice) or items.is_staged or not any(map(structure.is_mutable, obj)):
        return items[key]
    return _one_of(trace, list(obj), key)


def _are_arrays(trace: Trace, items: Sequence[Any]) -> bool:
    """Whether items of a list are arrays that can be written into."""
    if not (trace.convention.arrays_are_mutable and 0 < len(items) <= OBJECT_LIMIT):
        return False
    return all(isinstance(each, SymbolicTensor) and is_writable(each.storage) for each in items)


def _one_array(trace: Trace, arrays: list[Any], key: Any) -> Any:
    """One of several arrays: itself, and not a copy."""
    position = trace.make(emit.from_index(trace, _position(trace, len(arrays), key)), int64, ())

    def at(number: int) -> Any:
        if number + 1 == len(arrays):
            return arrays[number]
        return operators.if_exp(position == number, lambda: arrays[number], lambda: at(number + 1))

    return at(0)


def _retrace_for_lists(trace: Trace, values: Any) -> None:
    """Trace again with the loops recorded that make so many lists, if they have not been."""
    if isinstance(values, TracedList) and values.is_staged:
        return
    kinds = PointsToClasses() if trace.pools is None else trace.pools.kinds
    many = len(values) > OBJECT_LIMIT and not kinds.are_many
    if many and all(isinstance(each, TracedList) for each in values):
        kinds.are_many = True
        raise ByReference(kinds)


def _one_of(trace: Trace, objects: list[Any], key: Any) -> Any:
    """One of several objects that can change: itself, and not a copy."""
    if len(objects) > OBJECT_LIMIT:
        raise StagingError(
            trace.explain(
                f"a list of {len(objects)} objects is indexed with a run-time value, and each of "
                f"them would be recorded apart, which is done for up to {OBJECT_LIMIT}: use arrays"
            )
        )
    position = emit.from_index(trace, _position(trace, len(objects), key))
    return one_of(trace, trace.make(position, int64, ()), objects)


def _position(trace: Trace, length: int, key: Any) -> Any:
    """A run-time index of a list of known length, checked and brought inside."""
    with trace.at_user_line():
        numbers = staged_items(trace, [0])
        whole = numbers.with_columns(numbers.columns, emit.lift(trace, length))
        position, inside = whole.checked(key)
        return emit.select(trace, inside, position, trace.index(0))


def _from_range(trace: Trace, obj: range, key: Any) -> Any:
    position = emit.from_index(trace, _position(trace, len(obj), key))
    return trace.make(position, int64, (), weak=True) * obj.step + obj.start


def _from_mapping(trace: Trace, obj: Mapping[Any, Any], key: Any) -> Any:
    return dicts.value_at(trace, obj, key, lambda: _no_key(trace, key))


def _no_key(trace: Trace, key: Any) -> Any:
    with trace.at_user_line():
        hooks.texts.held(trace, KeyError(key))
        trace.guard(trace.constant(bool_, False), trace.site("key"))
    raise Unreachable


def _is_by_truth(obj: Any, key: Any) -> bool:
    """Whether bools that only the run time knows say which items of a sequence are meant."""
    if not isinstance(obj, (list, tuple, str, bytes, range, progressions.Progression)):
        return False
    parts = (key.start, key.stop, key.step) if isinstance(key, slice) else (key,)
    return any(map(_is_bool, parts))


def _is_bool(value: Any) -> bool:
    return isinstance(value, SymbolicTensor) and not value.dims and value.dtype == bool_


def _by_number(trace: Trace, obj: Any, key: Any) -> Any:
    """The subscript with 0 and 1 for the bools, which they are if they are Python's."""
    if isinstance(key, slice):
        parts = (key.start, key.stop, key.step)
        return slice(*(_by_number(trace, obj, e) if _is_bool(e) else e for e in parts))
    if key.weak or not trace.convention.arrays_are_mutable:
        return as_int(key)
    raise TypeError(
        trace.explain(
            f"{type(obj).__name__} indices are integers or slices, not numpy.bool: take int() of it"
        )
    )


def set_item(trace: Trace, obj: Any, key: Any, value: Any) -> Thunk | None:
    """What ``obj[key] = value`` does where Python's own does not know run-time values."""
    if (each := _alternatives(obj, key)) is not None:
        return lambda: each(lambda one: operators.set_item(obj, one, value))
    if _is_by_truth(obj, key):
        return lambda: operators.set_item(obj, _by_number(trace, obj, key), value)
    if isinstance(obj, SymbolicTensor | Staged):
        return None
    if isinstance(obj, np.void):
        return lambda: _into_known(trace)
    if isinstance(obj, np.ndarray) and (has_symbols(key) or has_symbols(value)):
        return lambda: _into_known(trace)
    if trace.convention.arrays_are_mutable and foreign.is_foreign(obj):
        foreign.change(trace, obj)
    if not _is_run_time_key(obj, key):
        return None
    key = coded_texts.as_key(key)
    if isinstance(obj, dict):
        run_time_keys.meets(trace, obj)
    if isinstance(obj, Mapping) and trace.rolling:
        raise IndexedAtRunTimeError(trace.explain("a dict is assigned to at a run-time key"))
    if isinstance(obj, dict) and obj:
        return lambda: dicts.put(trace, obj, key, value)
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


def _into_known(trace: Trace) -> None:
    if trace.convention.arrays_are_mutable:
        trace.known_arrays.written()
    _refuse(
        trace,
        "a NumPy array from outside of the traced function is assigned run-time values: pass it as "
        "an argument, or make it inside",
    )


def _refuse(trace: Trace, message: str) -> Any:
    raise StagingError(trace.explain(message))


def compare(trace: Trace, operator: str, left: Any, right: Any) -> Thunk | None:
    """What ``is``, ``is not``, ``in`` and ``not in`` mean for run-time values."""
    negated = operator.endswith("not") or operator.startswith("not")
    found = _identity if operator.startswith("is") else _membership
    result = found(trace, left, right)
    if result is None:
        return None
    if negated:
        return lambda: _negated(trace, result())
    return lambda: as_pythons(trace, result())


def _negated(trace: Trace, value: Any) -> Any:
    return (not value) if isinstance(value, bool) else control_flow.negation(trace, value)


_WHICH = (
    "whether two objects are the same one is asked with `is`, and a branch or loop may have assigned "
    "one of them anew: compare them with =="
)


_WHICH_ARGUMENTS = (
    "whether two arrays or tuples are the same object is asked with `is`, and the input signature says "
    "nothing of that: leave it out, or compare them with =="
)


_WHICH_TUPLE = (
    "whether two tuples are the same object is asked with `is`, and only the run time knows how long "
    "one of them is: compare them with =="
)


def _are_tuples_of_run_time(one: Any, other: Any) -> bool:
    """Whether two values are tuples, one of them of a run-time length: there is one empty tuple."""
    both = all(isinstance(each, tuple) or class_of(each) is tuple for each in (one, other))
    return both and any(isinstance(each, TracedList) for each in (one, other))


def _identity(trace: Trace, left: Any, right: Any) -> Thunk | None:
    left, right = (e if presence(e) is None else settled(e) for e in (left, right))
    if isinstance(left, Chosen):
        return lambda: left.matches(lambda value: operators.is_(value, right))
    if isinstance(right, Chosen):
        return lambda: right.matches(lambda value: operators.is_(left, value))
    pair = unchecked(left), unchecked(right)
    if all(isinstance(each, StandsIn) for each in pair):
        return lambda: _same_where_there(left, right, lambda: objects.same(*pair))
    if left is not None and right is not None and any(isinstance(each, Chosen) for each in pair):
        return lambda: _same_where_there(left, right, lambda: operators.is_(*pair))
    if all(isinstance(each, (CheckedTensor, MaybeNone)) for each in (left, right)):
        return lambda: _both_absent(trace, left, right)
    one, other = unchecked(left), unchecked(right)
    there = presence_of(right) if one is left else presence_of(left)
    same = one is other if there is not None else None
    if isinstance(one, TracedList) and isinstance(other, TracedList):
        same = True if same else one.is_same(other)
    if same is not None and (same is not False or there is None):
        return lambda: same if there is None else operators.and_(there, lambda: same)
    if one is not other and _are_tuples_of_run_time(one, other):
        return lambda: _refuse(trace, _WHICH_TUPLE)
    if _may_be_copies(trace, one, other):
        if trace.pools is None and isinstance(one, TracedList):
            raise ByReference
        objects.need(trace, type(one))
        return lambda: _refuse(trace, _WHICH)
    if isinstance(right, bool) and _may_be_truth(left):
        return lambda: _is_truth(trace, left, right)
    if isinstance(left, bool) and _may_be_truth(right):
        return lambda: _is_truth(trace, right, left)
    if left is not right and _may_be_given_twice(trace, left, right):
        if trace.is_for_all_calls:
            return lambda: _refuse(trace, _WHICH_ARGUMENTS)
        raise Identified
    if left is not right and _are_numbers(left, right):
        return lambda: _is_same_number(trace, left, right)
    if right is None and isinstance(left, (CheckedTensor, MaybeNone)):
        return lambda: absence(trace, left)
    if left is None and isinstance(right, (CheckedTensor, MaybeNone)):
        return lambda: absence(trace, right)
    return None


def _same_where_there(left: Any, right: Any, same: Callable[[], Any]) -> Any:
    """Whether two objects, of which one may be None, are one: ``same()`` where both are there."""
    flags = [each for each in map(presence_of, (left, right)) if each is not None]
    if not flags:
        return same()
    first, last = flags[0], flags[-1]
    there = operators.and_(first, lambda: last)
    both = operators.and_(there, same)
    if len(flags) < 2:
        return both
    neither = operators.not_(operators.or_(first, lambda: last))
    return operators.or_(both, lambda: neither)


def _may_be_copies(trace: Trace, left: Any, right: Any) -> bool:
    """Whether two objects may stand for one, of which a branch or loop has left several."""
    if left is right or type(left) is not type(right) or not structure.is_mutable(left):
        return False
    return trace.journal.is_copied(left) or trace.journal.is_copied(right)


def _may_be_truth(value: Any) -> bool:
    """Whether it is a bool of Python's that only the run time knows; NumPy's are none."""
    value = unchecked(value)
    return _is_bool(value) and value.weak


def _is_truth(trace: Trace, value: Any, wanted: bool) -> Any:
    """``value is True``, where it may be None besides."""

    def same() -> Any:
        known = unchecked(value)
        return known if wanted else control_flow.negation(trace, known)

    present = presence(value)
    absent = absence(trace, value) if isinstance(value, (CheckedTensor, MaybeNone)) else False
    if present is not None or absent is False:
        return same()
    return control_flow.if_exp(trace, absent, lambda: False, same)


def _may_be_given_twice(trace: Trace, left: Any, right: Any) -> bool:
    """Whether both may be one array or tuple of the caller's, of which nobody has been told."""
    if trace.knows_identities or not trace.convention.arrays_are_mutable:
        return False
    arrays = all(isinstance(each, SymbolicTensor) and each.dims for each in (left, right))
    return arrays or (isinstance(left, tuple) and isinstance(right, tuple))


def _are_numbers(left: Any, right: Any) -> bool:
    """Whether both are ints of Python's, both bools or both floats, one of which is of the run time."""
    both = (left, right)
    of_run_time = [each for each in both if isinstance(each, SymbolicTensor)]
    if not of_run_time or not all(each.weak and not each.dims for each in of_run_time):
        return False
    return all(map(_is_bool, both)) or any(
        all(
            each.dtype == dtype if isinstance(each, SymbolicTensor) else type(each) is kind
            for each in both
        )
        for kind, dtype in ((int, int64), (float, float64))
    )


def _is_same_number(trace: Trace, left: Any, right: Any) -> Any:
    """Whether two numbers are one object: Python has one of each small int, and of each truth value."""
    same = left == right
    if _is_bool(left):
        return same
    if (left if isinstance(left, SymbolicTensor) else right).dtype == float64:
        undefined = operators.and_(left != left, lambda: right != right)
        known, message = operators.not_(operators.or_(same, lambda: undefined)), _WHICH_FLOAT
    else:
        small = operators.and_(left >= _KEPT[0], lambda: left <= _KEPT[1])
        known, message = operators.or_(small, lambda: operators.not_(same)), _WHICH_INT
    trace.guard(tensor(known).ssa, trace.refusal("argument", message))
    return same


_KEPT = (-5, 256)
"""The ints that CPython makes once only."""
_WHICH_INT, _WHICH_FLOAT = (
    f"whether two equal {kind}s are the same object is asked with `is`, which depends on how Python "
    "has made them: compare them with =="
    for kind in ("int", "float")
)


def _both_absent(trace: Trace, left: Any, right: Any) -> Any:
    """Whether two values that may be None are the same object."""
    if left is right:
        return True
    return _refuse(
        trace,
        "whether two values that may be None are the same object is asked with `is`: compare them "
        "with ==, or each with None",
    )


_VIEWS = (KeysView, ValuesView, ItemsView)


def _membership(trace: Trace, value: Any, container: Any) -> Thunk | None:
    if (found := coded_texts.membership(value, container)) is not None:
        return found
    if isinstance(container, Mapping | set | frozenset | KeysView):
        objects.need_keys(trace, value)
    if isinstance(container, TracedList) and container.is_staged:
        return lambda: container.staged(trace).contains(value)
    if isinstance(container, progressions.Progression) and _is_number(value):
        return lambda: progressions.contains(container, value)
    if isinstance(container, Producer | iteration.Once):
        return lambda: iterator_builtins.contains(trace, container, value)
    if isinstance(container, Chosen):
        return lambda: container.each(lambda each: operators.in_(value, each))
    if isinstance(container, MaybeNone):
        return lambda: operators.in_(value, container._checked)
    if isinstance(container, str) and _is_number(value):
        kind = {"b": "bool", "f": "float", "c": "complex"}.get(
            emit.lift(trace, value).dtype.kind, "int"
        )
        raise TypeError(f"'in <string>' requires string as left operand, not {kind}")
    if isinstance(container, SymbolicTensor):
        return lambda: dispatch.call("any", container == value)
    if isinstance(value, Chosen):
        return lambda: value.matches(lambda each: operators.in_(each, container))
    if (each := _alternatives(container, value)) is not None:
        return lambda: each(lambda one: operators.in_(one, container))
    if isinstance(container, Mapping) and not holds_key(value):
        flag = presence(container.get(value))
        return None if flag is None else lambda: flag
    symbolic = holds_key(value)
    if isinstance(container, range) and symbolic:
        return lambda: _in_range(value, container)
    if isinstance(container, (list, tuple, set, frozenset, Mapping, *_VIEWS)):
        members = list(container)
        asks = any(map(_has_equality, (value, *members)))
        if symbolic or asks or any(map(holds_key, members)):
            return lambda: _any_equal(trace, value, members)
    if isinstance(container, np.ndarray) and symbolic:
        return lambda: dispatch.call("any", emit.lift(trace, container) == value)
    return None


def _is_number(value: Any) -> bool:
    return is_python_number(value) or (isinstance(value, SymbolicTensor) and not value.dims)


def _in_range(value: Any, container: range) -> Any:
    if not len(container):
        return False
    low, high = min(container[0], container[-1]), max(container[0], container[-1])
    inside = (value >= low) & (value <= high)
    return inside & ((value - low) % abs(container.step) == 0)


def _has_equality(value: Any) -> bool:
    """Whether the class of an object says in Python what it is equal to."""
    return type(getattr(type(unchecked(value)), "__eq__", None)) is FunctionType


def _any_equal(trace: Trace, value: Any, members: list[Any]) -> Any:
    if (place := dicts.number_among(trace, members, value)) is not None:
        return place >= 0
    trace.count_searches(sum(map(_has_equality, members)))
    return disjunction(equal(trace, value, each) for each in members)
