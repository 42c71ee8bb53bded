"""Which of Python's own functions change an object that they are given."""

from __future__ import annotations

import bisect
import heapq
import operator
import random
from collections import deque
from collections.abc import Callable
from types import (
    BuiltinMethodType,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    WrapperDescriptorType,
)
from typing import Any

from agir.autograph.operators.places import Attribute, Contents, Place

__all__ = ["changed"]

_MUTATORS: dict[type, frozenset[str]] = {
    list: frozenset(["append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort"]),
    dict: frozenset(["clear", "pop", "move_to_end", "popitem", "setdefault", "update"]),
    set: frozenset(
        [
            "add",
            "clear",
            "discard",
            "pop",
            "remove",
            "update",
            "difference_update",
            "intersection_update",
            "symmetric_difference_update",
        ]
    ),
    bytearray: frozenset(["append", "clear", "extend", "insert", "pop", "remove", "reverse"]),
    deque: frozenset(
        [
            "append",
            "appendleft",
            "clear",
            "extend",
            "extendleft",
            "insert",
            "pop",
            "popleft",
            "remove",
            "reverse",
            "rotate",
        ]
    ),
}
_MAGIC = frozenset(
    [
        "__setitem__",
        "__delitem__",
        "__iadd__",
        "__imul__",
        "__ior__",
        "__iand__",
        "__isub__",
        "__ixor__",
    ]
)


def _by_identity(*functions: Any) -> dict[int, Any]:
    """The functions by their identity: what is called may be no key of a dict."""
    return {id(each): each for each in functions}


_ATTRIBUTES = _by_identity(
    setattr,
    delattr,
    object.__setattr__,
    object.__delattr__,
)
_FIRST = _by_identity(
    heapq.heapify,
    heapq.heappop,
    heapq.heappush,
    heapq.heappushpop,
    heapq.heapreplace,
    bisect.insort_left,
    bisect.insort_right,
    random.shuffle,
    operator.setitem,
    operator.delitem,
    operator.iadd,
    operator.iand,
    operator.iconcat,
    operator.imul,
    operator.ior,
    operator.isub,
    operator.ixor,
)


def changed(f: Callable[..., Any], args: tuple[Any, ...]) -> Place | None:
    """The place that ``f(*args)`` writes to, if it is known to be one that writes."""
    if type(f) is MethodType and Contents.known(f.__self__):
        return Contents(f.__self__)  # of a library's class, such as `Counter`
    if isinstance(f, BuiltinMethodType | MethodWrapperType) and f.__self__ is not None:
        return _by_method(f.__self__, f.__name__, args) or _by_function(f, args)
    if isinstance(f, MethodDescriptorType | WrapperDescriptorType) and args:
        return _by_method(args[0], f.__name__, args[1:]) or _by_function(f, args)
    return _by_function(f, args)


def _by_method(owner: object, name: str, args: tuple[Any, ...]) -> Place | None:
    for kind, mutators in _MUTATORS.items():
        if isinstance(owner, kind):
            return Contents(owner) if name in mutators or name in _MAGIC else None
    if name in ("__setattr__", "__delattr__") and args:
        return Attribute(owner, args[0])
    return None


def _by_function(f: Any, args: tuple[Any, ...]) -> Place | None:
    if len(args) > 1 and id(f) in _ATTRIBUTES:
        return Attribute(args[0], args[1])
    if args and id(f) in _FIRST and Contents.known(args[0]):
        return Contents(args[0])
    return None
