"""Lists, tuples and dicts of outside: their arrays become symbols, what else they hold is constant.

A *sketch* of a value tells it from others without keeping the user's objects alive: of a container what
it consists of, of an array only that it is one, for its type is checked where it is passed.
"""

from __future__ import annotations

import weakref
from array import array
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from agir.ir.plain.records import is_array_of_records
from agir.ir.plain.sparse import is_sparse
from agir.ir.tensors import structure
from agir.ir.tensors.symbolic import SymbolicTensor

Symbol = Callable[[Any, tuple[Any, ...]], Any]


DEPTH = 16
"""Containers that nest deeper are constants: one may contain itself."""


def _parts(value: Any, depth: int) -> tuple[Any, list[Any], list[Any]] | None:
    """(what it is, the subscripts of its items, the items) of a list, tuple or dict."""
    if depth > DEPTH:
        return None
    if not isinstance(value, (list, tuple, dict, deque)):
        return None
    if (found := structure.children(value)) is None:
        return None
    (kind, names), items = found
    steps = list(names) if issubclass(kind, dict) else list(range(len(items)))
    return (kind, names), steps, items


def container(value: Any, path: tuple[Any, ...], symbol: Symbol) -> Any:
    """The container with symbols in the place of the arrays in it; None where it holds none."""
    if not _holds_arrays(value, len(path)):
        return None
    return _replaced(value, path, symbol)


def _holds_arrays(value: Any, depth: int) -> bool:
    if _is_array(value):
        return bool(value.ndim > 0)
    found = _parts(value, depth)
    return found is not None and any(_holds_arrays(each, depth + 1) for each in found[2])


def _is_array(value: Any) -> bool:
    return type(value) is np.ndarray or is_array_of_records(value)


def _replaced(value: Any, path: tuple[Any, ...], symbol: Symbol) -> Any:
    if _is_array(value):
        made = symbol(value, path)
        return value if made is None else made
    if (found := _parts(value, len(path))) is None:
        return value
    key, steps, items = found
    made = [_replaced(v, (*path, s), symbol) for s, v in zip(steps, items, strict=True)]
    return structure.rebuild(key, made)


def original_of(pairs: Sequence[tuple[Any, Any]], made: Any) -> Any:
    """The container for which one of symbols stands, or a part of it; None for any other."""
    for original, replaced in pairs:
        if replaced is made:
            return original
        one, other = _parts(original, 0), _parts(replaced, 0)
        if one is not None and other is not None and one[0] == other[0]:
            inner = [(a, b) for a, b in zip(one[2], other[2], strict=True) if a is not b]
            if (found := original_of(inner, made)) is not None:
                return found
    return None


class _Array(NamedTuple):
    """Stands for an array that is passed at each call."""


class _Records(NamedTuple):
    """Stands for an array of records, dates or differences, or a sparse matrix, that is passed."""

    kind: type
    layout: Any


class _Object(NamedTuple):
    """Stands for an object, by its identity."""

    reference: Any


class _Whole(NamedTuple):
    """Stands for a container."""

    key: Any
    items: tuple[Any, ...]


class _Number(NamedTuple):
    """Stands for a number that the function assigns to, and so is passed at each call."""


NUMBERS = (bool, int, float, complex, np.generic)
_BY_VALUE = (*NUMBERS, str, bytes, type(None))


class _Members(NamedTuple):
    """Stands for what holds its items in no order, or numbers alone."""

    kind: type
    members: Any


def _members(value: Any) -> _Members | None:
    """What a set, a queue or the like consists of; None for anything else."""
    kind = type(value)
    if kind in (set, frozenset):
        return _Members(kind, frozenset((type(each), each) for each in value))
    if kind in (bytearray, array):
        return _Members(kind, bytes(value))
    return None


def sketched(value: Any, depth: int = 0) -> Any:
    """The sketch of a value."""
    if isinstance(value, _BY_VALUE):
        return value
    if (layout := _layout(value)) is not None:
        return _Records(type(value), layout)
    if type(value) is np.ndarray:
        return _Array() if value.ndim else value.copy()
    if isinstance(value, SymbolicTensor):
        return _Number()
    if (found := _parts(value, depth)) is not None:
        return _Whole(found[0], tuple(sketched(each, depth + 1) for each in found[2]))
    if (members := _members(value)) is not None:
        return members
    try:
        return _Object(weakref.ref(value))
    except TypeError:
        return value


def _layout(value: Any) -> Any:
    """What a trace knows of the arrays that an object is passed as; None for anything else."""
    if is_sparse(value):
        return value.shape
    of_time = type(value) is np.ndarray and value.ndim and value.dtype.kind in "mM"
    return value.dtype if of_time or is_array_of_records(value) else None


def is_constant(sketch: Any) -> bool:
    """Whether a sketch is the value itself, which cannot change."""
    return isinstance(sketch, _BY_VALUE)


def is_object(sketch: Any) -> bool:
    """Whether it stands for an object by its identity."""
    return isinstance(sketch, _Object)


def items_of(sketch: Any) -> tuple[Any, ...] | None:
    """The sketches of the items, for that of a container."""
    return sketch.items if isinstance(sketch, _Whole) else None


def fits(sketch: Any, value: Any, depth: int = 0) -> bool:
    """Whether a value is what a sketch is of."""
    if isinstance(sketch, _Object):
        return sketch.reference() is value
    if isinstance(sketch, _Array):
        return type(value) is np.ndarray
    if isinstance(sketch, _Records):
        return type(value) is sketch.kind and _layout(value) == sketch.layout
    if isinstance(sketch, _Number):
        return isinstance(value, NUMBERS)
    if isinstance(sketch, _Whole):
        found = _parts(value, depth)
        if found is None or found[0] != sketch.key:
            return False
        pairs = zip(sketch.items, found[2], strict=True)
        return all(fits(one, other, depth + 1) for one, other in pairs)
    if isinstance(sketch, _Members):
        return type(value) is sketch.kind and _members(value) == sketch
    return sketch is value or _same(sketch, value)


def _same(one: Any, other: Any) -> bool:
    """Whether two constants are of one type and value; -0.0 is not 0.0, and NaN is itself."""
    return type(one) is type(other) and repr(one) == repr(other)
