"""Which dicts and sets have keys of the run time, and what Python's own become that meet such keys.

A dict or set that the function makes, or is given, is Python's as long as its keys are known.  Where
it meets a key that only the run time knows, the function is traced again, and what is made at that
place of the program, or given there, is a table from the beginning (`agir.ir.plain.hashed.tables`).
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from enum import Enum
from functools import partial
from types import BuiltinMethodType
from typing import Any

import numpy as np

from agir.autograph import operators
from agir.autograph.operators import call
from agir.autograph.operators.generators import Producer
from agir.errors import StagingError
from agir.ir import recording
from agir.ir.building.types import is_python_number
from agir.ir.plain.entering import OfArrays
from agir.ir.plain.hashed import mappings, sets
from agir.ir.plain.hashed.counters import HashCounter
from agir.ir.plain.hashed.mappings import HashDefaults, HashDict
from agir.ir.plain.hashed.orders import HashOrderedDict
from agir.ir.plain.hashed.sets import HashFrozenSet, HashSet
from agir.ir.plain.hashed.views import View
from agir.ir.python.dicts import TracedCounter, TracedDefaults
from agir.ir.python.iterators.iterator_builtins import listed
from agir.ir.python.texts import coded_texts
from agir.ir.tensors.staged import Staged
from agir.ir.tensors.symbolic import Retrace, holds_key
from agir.ir.tracing import opened
from agir.ir.tracing.trace import REPRESENTED, Trace
from agir.ir.values.heap import objects
from agir.ir.values.heap.kinds import ByReference, place_of
from agir.ir.values.sequences import iteration

Replacement = Callable[..., Any]
Table = HashDict | HashFrozenSet

_TABLES: dict[type, type] = {
    dict: HashDict,
    defaultdict: HashDefaults,
    OrderedDict: HashOrderedDict,
    Counter: HashCounter,
    set: HashSet,
    frozenset: HashFrozenSet,
}
_DICTS: tuple[type, ...] = tuple(each for each in _TABLES if issubclass(each, dict))
_SETS = (set, frozenset)
_COMBINING = ("union", "symmetric_difference", "intersection", "difference")
_CHANGING = ("add", "discard", "remove", "update", *(f"{each}_update" for each in _COMBINING[1:]))
"""Methods that change a set, perhaps by items of the run time, ..."""
_ASKING = (*_COMBINING, "isdisjoint", "issubset", "issuperset")
"""... and others, to which items of the run time may be given."""
_CHANGED = {"update": "add", "difference_update": "discard"}
"""What a method of sets that changes one item by item does with each, ..."""
_GATHERING = (*_COMBINING, "issubset", "intersection_update", "symmetric_difference_update")
"""... and those that go through all items before they change anything."""
_ENTERING = frozenset(("setdefault", "pop", "update", "subtract", "__ior__"))
"""Methods of dicts that may give a dict keys of the run time, or take such."""


class ByTable(Retrace):
    """What is made at a place has keys of the run time."""

    def __init__(self, place: Hashable) -> None:
        super().__init__()
        self.place = place

    def tell(self, trace: Trace) -> None:
        """It is a table."""
        trace.tables.add(self.place)


def represented(trace: Trace | None, value: Any) -> Any:
    """A new dict or set as the function gets it."""
    if trace is None or not trace.convention.arrays_are_mutable:
        return value
    place = place_of(trace)
    if place in trace.tables:
        return table_of(trace, value)
    if type(value) is defaultdict:
        value = TracedDefaults(value.default_factory, value)
    if type(value) is Counter:
        value = TracedCounter(value)
    trace.made_at[id(value)] = (value, place)
    return value


for _kind in (*_DICTS, set, TracedCounter, TracedDefaults):
    REPRESENTED[_kind] = represented


def table_of(trace: Trace, value: Any) -> Any:
    """A table with the entries of a dict or set of Python's."""
    kind = value.stands_for if isinstance(value, TracedDefaults | TracedCounter) else type(value)
    if isinstance(value, dict):
        factory = [value.default_factory] if isinstance(value, defaultdict) else []
        made = _new(trace, kind, *factory)
        for key, item in value.items():
            call(mappings.put, (made, key, item), {})
        return made
    made = _new(trace, kind)
    call(sets.enter_known, (made, value), {})
    return made


def table_class(kind: type) -> type:
    """What stands for a dict or set of a class."""
    return _TABLES[kind]


def entered(
    trace: Trace, kind: type, columns: Sequence[Any], factory: Any = None, name: Hashable = None
) -> Any:
    """A table of a class with the keys, or the keys and values, that are in lists.

    ``name`` is that of the kind of those that are known by their numbers.
    """
    made = _new(trace, kind, *([] if factory is None else [factory]), name=name)
    if columns:
        call(mappings.enter if issubclass(kind, dict) else sets.enter, (made, *columns), {})
    return made


def _new(trace: Trace, kind: type, *args: Any, name: Hashable = None) -> Any:
    """An empty table that stands for a dict or set of a class."""
    cls = _TABLES[kind]
    if (made := objects.begun(cls, name)) is None:
        made = cls(kind, *args)
        trace.tables_made[id(made)] = made, place_of(trace)
    else:
        cls.__init__(made, kind, *args)  # type: ignore[misc]
        objects.initialised(made)
    trace.journal.made(made)
    return made


def meets(trace: Trace, owner: Any) -> None:
    """A dict or set of Python's meets a key of the run time: trace again, if it can be a table."""
    for old in trace.journal.originals(owner):
        _meets(trace, old)  # a branch or loop has left one of several: what they are is asked
    _meets(trace, owner)


def _meets(trace: Trace, owner: Any) -> None:
    found, place = trace.made_at.get(id(owner), (None, None))
    if found is not owner:
        if trace.pools is None and trace.journal.is_copied(owner):
            raise ByReference
        opened.open_(trace, owner)
        operators.watch_operators(trace.frames())
    are_texts = {isinstance(key, str) for key in owner}
    if found is not owner or len(are_texts) > 1 or not all(map(_can_be_key, owner)):
        return
    if place not in trace.tables:
        raise ByTable(place)


def updating(trace: Trace, owner: Any, value: Any) -> None:
    """``owner |= value`` comes next, of a set of Python's; a new set would take its place otherwise."""
    if isinstance(value, Table | View):
        meets(trace, owner)
        message = "a set of outside meets one that only the run time knows: use its method"
        raise StagingError(trace.explain(message))


def enter(trace: Trace, value: Any) -> None:
    """A dict or set becomes an item of a list: it is a table by itself if it may change."""
    if isinstance(value, HashDict | HashSet):
        if trace.pools is None:
            raise ByReference
        objects.need_tables(trace, value)
    found, place = trace.made_at.get(id(value), (None, None))
    if found is not value or place in trace.tables:
        return
    if isinstance(value, set) or (isinstance(value, dict) and not value):
        raise ByTable(place)


def note_copy(value: Any, copy: Any) -> None:
    """A dict is a copy of another one, which was made at a place."""
    if (trace := recording.current()) is not None:
        found, place = trace.made_at.get(id(value), (None, None))
        if found is value:
            trace.made_at[id(copy)] = copy, place


def _can_be_key(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_can_be_key, value))
    return value is None or is_python_number(value) or isinstance(value, np.generic | str | Enum)


def displayed(trace: Trace, keys: tuple[Any, ...], values: tuple[Any, ...] | None) -> Any:
    """What ``{...}`` is where some of its keys are run-time values."""
    if not trace.convention.arrays_are_mutable or not any(map(_is_run_time, keys)):
        return None
    with trace.at_user_line():
        if values is None:
            made: Any = _new(trace, set)
            for key in keys:
                call(sets.add, (made, key), {})
        else:
            made = _new(trace, dict)
            for key, value in zip(keys, values, strict=True):
                call(mappings.put, (made, key, value), {})
    return made


def _is_run_time(value: Any) -> bool:
    """Whether a key, or what a table is made of, is or holds what only the run time knows."""
    if (trace := recording.current()) is not None:
        objects.need_keys(trace, value)
    if isinstance(value, Table | View) or coded_texts.holds_text(value):
        return True
    return holds_key(value) or (isinstance(value, Staged) and value.is_staged)


def find(trace: Trace, function: Any, args: tuple[Any, ...]) -> Replacement | None:
    """What stands for a function of dicts and sets, or a method of one, that meets such keys."""
    if type(function) is BuiltinMethodType or hasattr(function, "__self__"):
        return _method(trace, function, args)
    made = function in _MAKING and trace.convention.arrays_are_mutable
    if made and args and isinstance(args[-1], Producer):
        return partial(_of_produced, trace, function)
    if made and args and _has_run_time_items(args[-1]):
        return partial(_MAKING[function], trace)
    return None


def _of_produced(trace: Trace, function: Any, *args: Any, **named: Any) -> Any:
    """A dict or set of what a generator gives, of which there may be as much as the run time says."""
    return call(function, (*args[:-1], listed(trace, args[-1])), named)


def _has_run_time_items(value: Any) -> bool:
    if _is_run_time(value) or iteration.is_staged(value) or isinstance(value, OfArrays):
        return True
    return (
        not isinstance(value, str | bytes | range | np.ndarray)
        and isinstance(value, Iterable)
        and (isinstance(value, list | tuple | set | dict) and any(map(holds_key, value)))
    )


def _method(trace: Trace, function: Any, args: tuple[Any, ...]) -> Replacement | None:
    owner, name = function.__self__, getattr(function, "__name__", "")
    if any(isinstance(each, Producer) for each in args) and not isinstance(owner, Table):
        if name in _CHANGED and isinstance(owner, dict | set):
            return partial(_one_by_one, owner, function, _CHANGED[name])
        if name in _GATHERING and isinstance(owner, _SETS):
            return partial(_given_lists, trace, function)
    if any(owner is kind for kind in _DICTS):
        if name == "fromkeys" and args and isinstance(args[0], Producer):
            return partial(_of_keys_given, trace, function)
        made = name == "fromkeys" and args and _has_run_time_items(args[0])
        return partial(_from_keys, trace, owner) if made else None
    if isinstance(owner, dict) and not isinstance(owner, Table):
        entering = name in _ENTERING or (name == "get" and isinstance(next(iter(args), 0), tuple))
        if entering and args and _has_run_time_items(args[0]):
            meets(trace, owner)
    elif isinstance(owner, _SETS):
        run_time = any(map(_has_run_time_items, args))
        if run_time and type(owner) is set and name in (*_CHANGING, *_ASKING):
            meets(trace, owner)
        if run_time and name in _ASKING:
            return lambda *rest: call(getattr(table_of(trace, owner), name), rest, {})
    return None


def _of_keys_given(trace: Trace, function: Any, keys: Any, *value: Any) -> Any:
    """``dict.fromkeys(keys, value)`` of what a generator gives."""
    return call(function, (listed(trace, keys), *value))


def _given_lists(trace: Trace, method: Any, *others: Any) -> Any:
    """A method of a set that goes through all that a generator gives before it changes anything."""
    given = (listed(trace, each) if isinstance(each, Producer) else each for each in others)
    return call(method, tuple(given))


def _one_by_one(owner: Any, method: Any, changing: str, *others: Any, **named: Any) -> None:
    """A method that changes a dict or set item by item, which a generator sees."""

    def step(item: Any) -> None:
        if isinstance(owner, dict):
            operators.set_item(owner, *operators.unpacked(item, 2))
        else:
            call(getattr(owner, changing), (item,))

    for other in others:
        if isinstance(other, Producer):
            operators.for_stmt(other, step, None, operators.no_state, operators.LoopOptions())
        else:
            call(method, (other,))
    if named:
        call(method, (), named)


def _filled(made: Any, source: Any, **named: Any) -> Any:
    call(made.update, (source,), named)
    return made


def _make_set(trace: Trace, values: Any, kind: type = set) -> Any:
    made = _new(trace, kind)
    call(sets.add_from, (made, values), {})
    return made


def _make_dict(trace: Trace, source: Any, kind: type = dict, **named: Any) -> Any:
    return _filled(_new(trace, kind), source, **named)


def _from_keys(trace: Trace, kind: type, keys: Any, value: Any = None) -> Any:
    made = _new(trace, kind)
    call(mappings.put_all, (made, keys, value), {})
    return made


def _make_default(trace: Trace, factory: Any, pairs: Any) -> Any:
    return _filled(_new(trace, defaultdict, factory), pairs)


_MAKING: dict[Any, Replacement] = {
    set: _make_set,
    frozenset: partial(_make_set, kind=frozenset),
    dict: _make_dict,
    OrderedDict: partial(_make_dict, kind=OrderedDict),
    Counter: partial(_make_dict, kind=Counter),
    defaultdict: _make_default,
}
