"""Methods of Python's containers, called by the name of their class: ``set.union(*sets)``."""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable
from types import MethodDescriptorType, WrapperDescriptorType
from typing import Any

from agir.autograph import operators

Replacement = Callable[..., Any]

_CLASSES = frozenset((list, tuple, dict, set, frozenset, str, deque, defaultdict, OrderedDict))


def find(function: Any, args: tuple[Any, ...]) -> Replacement | None:
    """The method of what it is called with, whose first argument may be of the run time."""
    if not isinstance(function, MethodDescriptorType | WrapperDescriptorType) or not args:
        return None
    if function.__objclass__ not in _CLASSES:
        return None
    kind, name = operators.call(type, (args[0],)), function.__name__
    if getattr(kind, name, None) is not function:
        return None  # a class of the user's has another one

    def method(owner: Any, *rest: Any, **named: Any) -> Any:
        return operators.call(getattr(owner, name), rest, named)

    return method
