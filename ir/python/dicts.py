"""Dicts, some of whose entries only some paths make; attributes that only some paths set."""

from __future__ import annotations

import inspect
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import BuiltinMethodType
from typing import Any

import numpy as np

from agir.autograph.operators import Entry, call, if_exp, new, set_item, writing
from agir.errors import InvalidArgumentError, StagingError
from agir.ir import control_flow, hooks, recording
from agir.ir.building.types import float64, int64
from agir.ir.emission import emit, failing
from agir.ir.emission.failing import Unreachable
from agir.ir.plain.text.texts import Text
from agir.ir.python.texts import coded_texts
from agir.ir.tensors import dispatch
from agir.ir.tensors.staged import Keyed, StandsIn, known_as
from agir.ir.tensors.symbolic import SymbolicTensor, holds_key, is_run_time
from agir.ir.tracing.trace import Trace
from agir.ir.values.alternatives.choices import Chosen
from agir.ir.values.alternatives.equality import conjunction, equal
from agir.ir.values.alternatives.optional import presence, settled, unchecked
from agir.ir.values.heap import objects

Replacement = Callable[..., Any]
_NOTHING = object()


def _called(
    trace: Trace, owner: dict[Any, Any], name: str, method: Replacement, *args: Any, **named: Any
) -> Any:
    try:
        inspect.signature(method).bind(trace, owner, *args, **named)
    except TypeError:
        return getattr(dict, name)(owner, *args, **named)  # raises as Python does
    return method(trace, owner, *args, **named)


def find(trace: Trace, function: Any, args: tuple[Any, ...]) -> Replacement | None:
    """What stands for a method of a dict, or a function of one or of an object's attributes."""
    owner = getattr(function, "__self__", None) if type(function) is BuiltinMethodType else None
    if isinstance(owner, dict):
        name = function.__name__
        key = args[0] if args else None
        by_run_time = name in _KEYED and (is_run_time(key) or isinstance(key, Text | Keyed))
        method = (_KEYED if by_run_time else _METHODS).get(name)
        if method is not None:
            return partial(_called, trace, owner, name, method)
        if name in _WHOLE and _is_open(owner):
            _refuse(trace, owner, f"{name}()")
    first = args[0] if args else None
    if isinstance(first, dict) and function in _ALL and _is_open(first):
        if function is len:
            return lambda values: _length(trace, values)
        _refuse(trace, first, f"{function.__name__}()")
    is_held = isinstance(first, StandsIn) or not is_run_time(first)
    if function in _OF_ATTRIBUTES and len(args) > 1 and is_held:
        held = objects.attribute(first, args[1])
        if presence(held) is not None:
            return lambda *rest: _OF_ATTRIBUTES[function](trace, held, *rest)
    return None


def _is_open(mapping: dict[Any, Any]) -> bool:
    return any(presence(value) is not None for value in mapping.values())


def _refuse(trace: Trace, mapping: dict[Any, Any], what: str) -> Any:
    hooks.tables.become(trace, mapping)
    raise StagingError(
        trace.explain(
            f"{what} of a dict, some of whose keys only some of the paths at run time have made; "
            "give every key a value before the branch or loop"
        )
    )


def _length(trace: Trace, mapping: dict[Any, Any]) -> Any:
    flags = [flag for value in mapping.values() if (flag := presence(value)) is not None]
    total: Any = len(mapping) - len(flags)
    for flag in flags:
        total = total + dispatch.call("cast", flag, int64)
    return trace.make(total.ssa, int64, (), weak=True)


_MOST_VALUES = 128
"""Of so many values that a text may stand for each is recorded apart."""


def at(
    trace: Trace,
    mapping: Mapping[Any, Any],
    key: Any,
    found: Callable[[Any], Any],
    missing: Callable[[], Any],
) -> Any:
    """``found(known)`` for the key of the dict that a run-time key turns out to be."""
    entries = list(mapping.items())
    if isinstance(key, Text) and all(presence(value) is None for _, value in entries):
        return _at_text(trace, mapping, key, found, missing)

    def choose(position: int) -> Any:
        if position == len(entries):
            return missing()
        known, value = entries[position]
        flag = presence(value)
        same = conjunction([equal(trace, key, known), True if flag is None else flag])
        return if_exp(same, lambda: found(known), lambda: choose(position + 1))

    return choose(0)


def _at_text(
    trace: Trace,
    mapping: Mapping[Any, Any],
    key: Text,
    found: Callable[[Any], Any],
    missing: Callable[[], Any],
) -> Any:
    """The same for a text: its place among the keys is looked for once."""
    keys = list(mapping)
    if len(keys) > _MOST_VALUES:
        raise StagingError(
            trace.explain(
                f"a dict of {len(keys)} values that are no numbers, and not all text, is asked for a "
                "text that only the run time knows, and each of them would be recorded apart, which "
                f"is done for up to {_MOST_VALUES}"
            )
        )
    place = coded_texts.looked_up(trace, keys, key)

    def choose(position: int) -> Any:
        if position + 1 == len(keys):
            return found(keys[position])
        here = place == position
        return if_exp(here, lambda: found(keys[position]), lambda: choose(position + 1))

    return if_exp(place >= 0, lambda: choose(0), missing) if keys else missing()


_MANY_NUMBERS = 16
"""Among so many known numbers one is searched for; it is compared with each of fewer."""


def number_among(trace: Trace, known: Sequence[Any], key: Any) -> Any:
    """Which of many known numbers a number is equal to, -1 for none; None for anything else."""
    if len(known) < _MANY_NUMBERS or not isinstance(key, SymbolicTensor) or key.dims:
        return None
    kind: Any = {int64: int, float64: float}.get(key.dtype)
    kinds = set(map(type, known))
    if kind is None or not kinds <= ({int, float} if key.weak else {kind}):
        return None
    places: dict[Any, int] = {}
    for place, each in enumerate(known):
        if (equal_to := _equal_of(kind, each)) is not None:
            places.setdefault(equal_to, place)
    if not places:
        return -1
    numbers = sorted(places)
    table = emit.table(trace, numbers)
    at = dispatch.call("minimum", np.searchsorted(table, key), len(numbers) - 1)
    order = [places[each] for each in numbers]
    return if_exp(table[at] == key, lambda: emit.table(trace, order)[at], lambda: -1)


def _equal_of(kind: type, number: Any) -> Any:
    """The number of a class and 64 bits that is equal to another one, if there is one."""
    try:
        found = kind(number)
    except (OverflowError, ValueError):  # too large, infinite, or NaN
        return None
    return found if found == number and _fits(found) else None


def _fits(value: Any) -> bool:
    """Whether a table can hold a value: it is no int of more than 64 bits."""
    return type(value) is not int or -(2**63) <= value < 2**63


def value_at(trace: Trace, mapping: Mapping[Any, Any], key: Any, missing: Callable[[], Any]) -> Any:
    """``mapping[key]`` for a run-time key."""
    values = list(mapping.values())
    kind = type(values[0]) if values else None
    place = None
    if kind in (int, float, str) and all(type(each) is kind and _fits(each) for each in values):
        search = coded_texts.looked_up if isinstance(key, Text) else number_among
        place = search(trace, list(mapping), key)
    if place is None:
        return at(trace, mapping, key, lambda known: unchecked(mapping[known]), missing)

    def value() -> Any:
        if kind is str:
            return Chosen(trace, place, tuple(values))
        numbers = emit.table(trace, values)[place]
        return trace.make(numbers.ssa, numbers.dtype, (), weak=True)

    return if_exp(place >= 0, value, missing)


class Missing(dict[Any, Any]):
    """Dicts with a value for keys that are not there, perhaps only on the path taken."""

    def __getitem__(self, key: Any) -> Any:
        value = super().__getitem__(key)
        there = presence(value)
        if there is None:
            return value
        return if_exp(there, lambda: unchecked(value), lambda: self.__missing__(key))

    def __missing__(self, key: Any) -> Any:
        raise KeyError(key)


@known_as("Counter")
class TracedCounter(Missing, Counter[Any]):
    """A Counter of a function that is being traced."""

    stands_for = Counter
    """Python's class."""

    def __missing__(self, key: Any) -> Any:
        return 0


@known_as("defaultdict")
class TracedDefaults(Missing, defaultdict[Any, Any]):
    """A defaultdict of a function that is being traced: what its factory makes is the trace's."""

    stands_for = defaultdict
    """Python's class."""

    def __missing__(self, key: Any) -> Any:
        if self.default_factory is None:
            raise KeyError(key)
        set_item(self, key, call(self.default_factory, (), {}))
        return self[key]

    def __setattr__(self, name: str, value: Any) -> None:
        trace = recording.current()
        assert trace is not None, "it is of a trace"
        hooks.tables.become(trace, self)  # paths may give it several factories
        message = f"the attribute {name} of a defaultdict with such keys is not assigned to"
        raise StagingError(trace.explain(message))


def partly_there(mapping: dict[Any, Any], key: Any) -> Callable[[], Any] | None:
    """What ``mapping[key]`` is of an entry that only some paths have made: it is checked."""
    if isinstance(mapping, Missing) or holds_key(key) or coded_texts.holds_text(key):
        return None
    if key not in mapping:
        return None
    value = dict.__getitem__(mapping, key)
    return None if presence(value) is None else lambda: settled(value)


def put(trace: Trace, mapping: dict[Any, Any], key: Any, value: Any) -> None:
    """``mapping[key] = value`` for a run-time key, which has to be one that the dict has."""

    def assign(known: Any) -> None:
        set_item(mapping, known, value)

    def new_key() -> None:
        message = (
            "a dict gets a new key that is known only at run time: give it all its keys before, or "
            "use an array"
        )
        error = InvalidArgumentError(trace.explain(message))
        failing.record(trace, error, is_refusal=True)
        raise Unreachable

    at(trace, mapping, key, assign, new_key)


def _get_at(trace: Trace, mapping: dict[Any, Any], key: Any, default: Any = None) -> Any:
    """``mapping.get(key, default)`` for a run-time key."""
    return value_at(trace, mapping, key, lambda: default)


def _refuse_key(name: str) -> Replacement:
    def refuse(trace: Trace, *_: Any) -> Any:
        raise StagingError(
            trace.explain(
                f"{name}() of a dict with a key that is known only at run time: dicts of a traced "
                "function have keys that are known while tracing; use get(), or an array"
            )
        )

    return refuse


def _value(trace: Trace, value: Any, default: Any) -> Any:
    """A value that may be there, or else the default."""
    flag = presence(value)
    if flag is None or default is _NOTHING:
        return value
    return control_flow.if_exp(trace, flag, lambda: unchecked(value), lambda: default)


def _get(trace: Trace, mapping: dict[Any, Any], key: Any, default: Any = None) -> Any:
    return _value(trace, dict.get(mapping, key, default), default)


def _pop(trace: Trace, mapping: dict[Any, Any], key: Any, default: Any = _NOTHING) -> Any:
    if key not in mapping:
        return dict.pop(mapping, key) if default is _NOTHING else default
    writing(Entry(mapping, key))
    return _value(trace, dict.pop(mapping, key), default)


def _popitem(trace: Trace, mapping: dict[Any, Any]) -> Any:
    if _is_open(mapping):
        _refuse(trace, mapping, "popitem()")
    if mapping:
        writing(Entry(mapping, next(reversed(mapping))))
    return dict.popitem(mapping)


def _setdefault(trace: Trace, mapping: dict[Any, Any], key: Any, default: Any = None) -> Any:
    if key in mapping and presence(mapping[key]) is None:
        return mapping[key]
    writing(Entry(mapping, key))
    mapping[key] = _value(trace, mapping[key], default) if key in mapping else default
    return mapping[key]


def _update(trace: Trace, mapping: dict[Any, Any], *given: Any, **named: Any) -> None:
    for key, value in dict(*given, **named).items():
        writing(Entry(mapping, key))
        mapping[key] = _value(trace, value, mapping[key]) if key in mapping else value


def _clear(trace: Trace, mapping: dict[Any, Any]) -> None:
    for key in mapping:
        writing(Entry(mapping, key))
    dict.clear(mapping)


def _copy(trace: Trace, mapping: dict[Any, Any]) -> Any:
    return new(mapping.copy())


def _hasattr(trace: Trace, value: Any, *_: Any) -> Any:
    return presence(value)


def _getattr(trace: Trace, value: Any, _: Any, name: str, *default: Any) -> Any:
    return _value(trace, value, *(default or (_NOTHING,)))


_METHODS: dict[str, Replacement] = {
    "get": _get,
    "pop": _pop,
    "popitem": _popitem,
    "setdefault": _setdefault,
    "update": _update,
    "clear": _clear,
    "copy": _copy,
}
_KEYED: dict[str, Replacement] = {
    "get": _get_at,
    "pop": _refuse_key("pop"),
    "setdefault": _refuse_key("setdefault"),
}
"""Those that are given a run-time key."""
_WHOLE = frozenset(["items", "keys", "values", "__iter__", "__len__", "__contains__", "__eq__"])
_ALL = (len, list, tuple, set, sorted, iter, sum, min, max, any, all, enumerate, zip, reversed)
_OF_ATTRIBUTES: dict[Any, Replacement] = {hasattr: _hasattr, getattr: _getattr}
