"""Nested structures: tuples, lists, dicts, named tuples and dataclasses, taken apart and rebuilt."""

from __future__ import annotations

import dataclasses
import sys
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import FunctionType, MemberDescriptorType, SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from agir.ir.tensors.staged import Staged, StandsIn

Take = Callable[[Any], "tuple[Any, list[Any]] | None"]
"""Tells what a value is and of which others it consists, or None for a leaf."""


LEAVES: set[type] = {bool, int, float, complex, str, bytes, type(None), np.ndarray}
"""Classes that most leaves are of; those of tensors are added."""


def children(value: Any) -> tuple[Any, list[Any]] | None:
    """(what the container is, its items), or None for a leaf.

    Two values have the same structure where these keys are equal all the way down.
    """
    kind = type(value)
    if kind in LEAVES or (isinstance(value, Staged) and value.is_staged):
        return None
    if isinstance(value, StandsIn):
        return None
    if kind is not list and isinstance(value, list) and isinstance(value, Staged):
        return (value.stands_for, len(value)), list(value)  # type: ignore[attr-defined]
    if kind is deque:
        return (deque, _size(value)), list(value)
    if kind in (tuple, list):
        return (kind, len(value)), list(value)
    if kind in (bytearray, ByteItems):
        return (bytearray, len(value)), list(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return (kind, value._fields), list(value)
    if isinstance(value, tuple) and _is_plain_tuple(kind) and not vars_of(value):
        return (kind, len(value)), list(value)
    kind = getattr(kind, "stands_for", kind)
    if isinstance(value, Mapping) and kind.__module__ in ("builtins", "collections"):
        return (kind, _keys(value)), list(value.values())
    if dataclasses.is_dataclass(value) and not isinstance(value, type) and not is_own(kind):
        names = tuple(f.name for f in dataclasses.fields(value))
        return (kind, names), [getattr(value, name) for name in names]
    return None


def _is_plain_tuple(kind: Any) -> bool:
    """Whether objects of a class that extends tuples are nothing but their items."""
    new: Any = tuple.__new__
    return kind.__new__ is new


def vars_of(value: Any) -> dict[str, Any]:
    """The attributes that an object holds in a dict."""
    found: dict[str, Any] = getattr(value, "__dict__", {})
    return found


class ByteItems(list[Any]):
    """What is in a bytearray, where only the run time knows it."""


class _Bounded(int):
    """The number of items of a deque that has a bound."""

    maxlen: int | None = None

    def __eq__(self, other: object) -> bool:
        return int.__eq__(self, other) is True and self.maxlen == getattr(other, "maxlen", None)

    def __hash__(self) -> int:
        return hash((int(self), self.maxlen))


def _size(value: deque[Any]) -> int:
    if value.maxlen is None:
        return len(value)
    size = _Bounded(len(value))
    size.maxlen = value.maxlen
    return size


class _Defaulting(tuple[Any, ...]):
    """The keys of a defaultdict, and what makes the values that are missing."""

    factory: Any = None

    def __eq__(self, other: object) -> bool:
        return tuple.__eq__(self, other) is True and self.factory == getattr(other, "factory", None)

    def __hash__(self) -> int:
        return hash((tuple(self), self.factory))


def _keys(value: Mapping[Any, Any]) -> tuple[Any, ...]:
    if not isinstance(value, defaultdict):
        return tuple(value)
    keys = _Defaulting(value)
    keys.factory = value.default_factory
    return keys


def is_own(kind: type) -> bool:
    """Whether a class is one of agir's, such as a dtype: its values are leaves."""
    return kind.__module__.startswith("agir.")


def in_order_of(other: Any, value: Any) -> Any:
    """A dict with its entries in the order of another one that has the same keys."""
    if type(value) is dict and type(other) is dict and value.keys() == other.keys():
        return {key: value[key] for key in other}
    return value


def attributes(value: Any) -> tuple[Any, list[Any]] | None:
    """The same for the attributes of an object of a class that a user has written in Python."""
    kind: Any = type(value)
    if isinstance(value, StandsIn) or (is_own(kind) and not getattr(kind, "is_users", False)):
        return None
    plain = kind is SimpleNamespace or is_made_of_attributes(kind)
    abstract_values = _abstracts(kind) if plain else []
    if not plain or not (abstract_values or hasattr(value, "__dict__")):
        return None
    names = (
        *(each for each in abstract_values if hasattr(value, each)),
        *getattr(value, "__dict__", ()),
    )
    return (kind, names), [object.__getattribute__(value, name) for name in names]


def is_made_of_attributes(kind: type) -> bool:
    """Whether objects of a class are their attributes, and nothing that C code keeps in them."""
    new = getattr(kind, "__new__", None)
    if type(kind) is type and new is object.__new__:
        return True
    from agir.autograph.operators.calls import is_called_plainly  # few classes need it

    is_known = new is object.__new__ or type(new) is FunctionType
    return is_known and is_called_plainly(kind) and all(map(_has_no_library, kind.__mro__[:-1]))


def _has_no_library(kind: type) -> bool:
    """Whether no code of Python's library changes the attributes of a class's objects."""
    module = kind.__module__.partition(".")[0]
    return is_of_a_program(kind) and (module in _ABSTRACT or module not in sys.stdlib_module_names)


_ABSTRACT = ("abc", "typing")
"""Modules of classes that say nothing but which methods there are."""


def _abstracts(kind: type) -> list[str]:
    """The attributes for which instances have a place without a dict."""
    return [
        name
        for each in kind.__mro__
        for name, found in vars(each).items()
        if type(found) is MemberDescriptorType and is_of_a_program(each)
    ]


_HEAP_TYPE = 1 << 9


def is_of_a_program(kind: type) -> bool:
    """Whether a ``class`` statement has made a class."""
    return bool(kind.__flags__ & _HEAP_TYPE)


def as_kind(kind: Any, value: Any) -> Any:
    """A value as what stands for Python's own class: a known text as one of the run time."""
    coerced = getattr(kind, "coerced", None)
    return value if coerced is None or type(value) is kind else coerced(value)


def parts(value: Any) -> tuple[Any, list[Any]] | None:
    """What a value consists of: the items of a container, the attributes of a user's object."""
    return children(value) or attributes(value)


def is_mutable(value: Any) -> bool:
    """Whether a value is a container or a user's object that can change."""
    if isinstance(value, (tuple, type)) or getattr(type(value), "stands_for", None) is tuple:
        return False
    return isinstance(value, (list, dict)) or parts(value) is not None


MISSING = object()
"""Stands for an entry or attribute that the path taken has not made."""


def rebuild(key: Any, items: list[Any]) -> Any:
    """The container of that key with these items; dicts and objects without those missing."""
    kind, names = key
    if kind in (slice, range):
        return kind(*items)
    if kind is deque:
        return deque(items, getattr(names, "maxlen", None))
    if kind in (tuple, list):
        return kind(items)
    if kind is bytearray:
        return bytearray(items) if all(type(each) is int for each in items) else ByteItems(items)
    if issubclass(kind, tuple):
        return kind(*items) if hasattr(kind, "_fields") else tuple.__new__(kind, items)
    if issubclass(kind, Mapping):
        pairs = zip(names, items, strict=True)
        entries = {name: item for name, item in pairs if item is not MISSING}
        if kind is dict:
            return entries
        if issubclass(kind, defaultdict):
            return kind(getattr(names, "factory", None), entries)
        return kind(entries)
    made = kind() if kind is SimpleNamespace else object.__new__(kind)
    for name, item in zip(names, items, strict=True):
        if item is not MISSING:
            object.__setattr__(made, name, item)
    return made


class Shared(NamedTuple):
    """The key of a container that is met several times: None where it has been met before."""

    number: int
    key: Any


class Numbers:
    """Tells containers that are met again from others."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, int]] = {}
        self._again: set[int] = set()

    def of(self, value: Any) -> tuple[int, bool]:
        """The number of a container, and whether it has been met before."""
        is_known = id(value) in self._known
        _, number = self._known.setdefault(id(value), (value, len(self._known)))
        if is_known:
            self._again.add(number)
        return number, is_known

    def settled(self, key: Any) -> Any:
        """A key, in which only containers that have been met several times are shared."""
        if type(key) is Shared:
            inner = self.settled(key.key)
            return Shared(key.number, inner) if key.number in self._again else inner
        return key if key is None else (key[0], tuple(map(self.settled, key[1])))


def flatten(
    value: Any,
    take: Take = children,
    around: tuple[Any, ...] = (),
    numbers: Numbers | None = None,
) -> tuple[list[Any], Any]:
    """The leaves, and a key with which :func:`unflatten` rebuilds the structure.

    ``take`` tells what a value consists of; ``around`` is what the value is in.  With ``numbers``
    containers that can change are taken apart once.
    """
    found = take(value)
    if found is None:
        return [value], None
    if any(each is value for each in around):
        raise ValueError(f"an object of {type(value).__name__} contains itself")
    number = None
    if numbers is not None and not isinstance(value, tuple):
        number, is_known = numbers.of(value)
        if is_known:
            return [], Shared(number, None)
    key, items = found
    leaves: list[Any] = []
    keys = []
    for item in items:
        below, below_key = flatten(item, take, (*around, value), numbers)
        leaves += below
        keys.append(below_key)
    whole = key, tuple(keys)
    return leaves, whole if number is None else Shared(number, whole)


def unflatten(
    key: Any,
    leaves: Iterator[Any],
    make: Callable[[Any, list[Any]], Any] = rebuild,
    known: dict[int, Any] | None = None,
) -> Any:
    """The structure of the key, with leaves taken from the iterator.

    ``known`` has the containers that have been made before, by their numbers.
    """
    if key is None:
        return next(leaves)
    known = {} if known is None else known
    if type(key) is Shared:
        if key.key is not None:
            known[key.number] = unflatten(key.key, leaves, make, known)
        return known[key.number]
    container, keys = key
    return make(container, [unflatten(below, leaves, make, known) for below in keys])


def for_caller(key: Any, leaves: Iterator[Any], known: dict[int, Any] | None = None) -> Any:
    """The same as the caller gets it."""
    return unflatten(key, leaves, finished, known)


def maker(key: Any) -> Callable[[Iterator[Any]], Any]:
    """What does the same for a key that is met often."""
    if key is None:
        return next
    if _is_shared(key):
        return partial(for_caller, key)
    container, below = key
    makers = list(map(maker, below))
    kind = container[0]
    if kind in (tuple, list):
        return lambda leaves: kind([make(leaves) for make in makers])
    return lambda leaves: finished(container, [make(leaves) for make in makers])


def _is_shared(key: Any) -> bool:
    """Whether a container is met several times."""
    return type(key) is Shared or (key is not None and any(map(_is_shared, key[1])))


def finished(key: Any, items: list[Any]) -> Any:
    """The container as the caller gets it: what stands for Python's own becomes that."""
    plain_of = getattr(key[0], "plain_of", None)
    if plain_of is not None:
        return plain_of(*items)
    made = rebuild(key, items)
    return made.plain() if getattr(key[0], "is_users", False) else made


def told(key: Any, items: list[Any]) -> Any:
    """The container as types are told: what stands for Python's own is a description."""
    made = key[0]
    if not getattr(made, "is_users", False):
        return rebuild(key, items)
    parts = dict(zip(key[1], items, strict=True))
    kind = (parts.get("stands_for") or made.stands_for).__name__
    held = [
        str(parts[name]).removeprefix("a list of ")
        for name in ("entries", "values_")
        if name in parts
    ]
    return f"a {kind} of {' to '.join(held)}" if held else f"a {kind}"


def transform(function: Callable[[Any], Any], value: Any) -> Any:
    """The same structure with the function applied to each leaf."""
    found = children(value)
    if found is None:
        return function(value)
    key, items = found
    return rebuild(key, [transform(function, item) for item in items])
