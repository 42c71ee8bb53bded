"""What is asked of a value's class is answered as for the value that would be there in plain Python."""

from __future__ import annotations

import collections
import numbers
import typing
from collections.abc import (
    Callable,
    Collection,
    Container,
    Hashable,
    Iterable,
    Mapping,
    MutableSequence,
    Sequence,
    Set,
    Sized,
)
from typing import Any

import numpy as np
import pytest

import agir as ag

CLASSES = (
    *(Iterable, Sized, Container, Collection, Hashable, Sequence, MutableSequence, Set, Mapping),
    *(Callable, numbers.Number, numbers.Complex, numbers.Real, numbers.Integral),
    *(int, float, complex, bool, str, bytes, list, tuple, dict, set, object, type(None)),
    *(np.ndarray, np.generic, np.integer, np.floating, collections.Counter, collections.deque),
    *(typing.SupportsFloat, typing.SupportsIndex, int | float, (int, str), (list, (tuple, set))),
)
NAMES = (
    *("__iter__", "__len__", "__getitem__", "__call__", "__add__", "__index__", "__contains__"),
    *("__array__", "append", "keys", "items", "shape", "dtype", "real", "size", "bit_length"),
    *("upper", "T", "__name__", "nothing", "weak", "recorder", "stands_for", "conjugate"),
)
VALUES = (
    *(3, 2.5, True, 1j, np.float64(3), np.int32(3), np.bool_(True), np.ones(3), np.array(3.0)),
    *([1, 2], [1.5] * 200, [[1], [2, 3]] * 80, (1, 2), "abc", "", b"abc", bytearray(b"ab"), {1: 2}),
    *({"a": 1}, {1}, frozenset([1]), None, [1, "a"], collections.deque([1]), {}, [], ()),
    *(collections.Counter("abc"), collections.defaultdict(int, {1: 2}), range(5)),
)


def of_classes(x):
    return [isinstance(x, kind) for kind in CLASSES]


def of_names(x):
    return [name for name in NAMES if hasattr(x, name)]


def of_itself(x):
    kind = type(x)
    return [kind.__name__, x.__class__.__name__, kind is int, kind in (int, float), callable(x)]


def of_a_pattern(x):
    match x:
        case str():
            return "text"
        case Mapping():
            return "mapping"
        case Iterable():
            return "iterable"
        case numbers.Integral():
            return "whole"
    return "other"


@pytest.mark.parametrize("function", [of_classes, of_names, of_itself, of_a_pattern])
@pytest.mark.parametrize("value", VALUES, ids=lambda value: f"{type(value).__name__}{value!r:.9}")
def test_as_in_plain_python(function: Any, value: Any) -> None:
    decorated = ag.jit(function)
    for _ in range(2):
        assert decorated(value) == function(value)


def test_of_items_and_of_what_branches_make() -> None:
    def flat(values, found):
        for each in values:
            if isinstance(each, Iterable) and not isinstance(each, str):
                flat(each, found)
            elif hasattr(each, "upper"):
                found.append(each.upper())
            else:
                found.append(each)
        return found

    def either(n):
        value = n if n > 0 else n / 2
        return [
            isinstance(value, numbers.Integral),
            hasattr(value, "hex"),
            hasattr(value, "numerator"),
        ]

    for given in ([1, [2, [3, "a"], 4], [5]], [1, [2, [3, "b"], 5], [6]]):
        assert ag.jit(flat)(given, []) == flat(given, [])
    decorated = ag.jit(either)
    assert [decorated(n) for n in (3, -3)] == [either(3), either(-3)]


@pytest.mark.parametrize(
    ("value", "name"),
    [(3, "items"), (2.5, "weak"), ([1] * 200, "items"), ({1: 2}, "entries"), ("abc", "codes")],
)
def test_attributes_that_only_our_objects_have(value: Any, name: str) -> None:
    assert ag.jit(lambda x: getattr(x, name, 7))(value) == 7
    with pytest.raises(AttributeError, match=name):
        ag.jit(lambda x: getattr(x, name))(value)


def test_an_attribute_that_is_not_there_is_caught() -> None:
    def keys_of(x):
        try:
            return sum(x.keys())
        except AttributeError:
            pass
        try:
            return len(x.items)
        except AttributeError:
            return -1

    decorated = ag.jit(keys_of)
    for given in (3, 2.5, [1] * 200, (1,), {1: 2}, "abc", np.ones(3)):
        assert decorated(given) == keys_of(given)


def test_classes_of_agirs_own_are_still_asked_for() -> None:
    @ag.function
    def f(x):
        return isinstance(x, ag.Tensor) and hasattr(x, "dtype")

    assert f(ag.constant(2.0))
