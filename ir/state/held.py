"""How a trace finds again, without keeping it alive, what an attribute or a name of outside holds."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from agir.autograph.operators import Names
from agir.autograph.operators.places import class_default

Path = tuple[Any, ...]
"""The subscripts that lead from what is held to a part of it."""


class OutdatedError(Exception):
    """A place of outside holds something else than when the function was traced."""


class LayoutError(OutdatedError):
    """An array lies in memory otherwise than row by row, which the trace has assumed."""


class ReadOnlyError(OutdatedError, ValueError):
    """An array is read-only that the trace has assumed can be written into."""


def reference_to(owner: Any) -> Callable[[], Any]:
    """A weak reference, or what stands for one."""
    if isinstance(owner, Names):
        return _Strong(owner)  # which refers to the function weakly
    try:
        return weakref.ref(owner)
    except TypeError:  # its class has __slots__ without __weakref__
        return _Strong(owner)


class _Strong:
    """A reference to an object that cannot be referred to weakly."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __call__(self) -> Any:
        return self.value


def key_of(owner: Any) -> int:
    """What tells the owner of a place from others while a function is traced."""
    return owner.identity if isinstance(owner, Names) else id(owner)


def attribute(owner: Any, name: str) -> Any:
    """A plain attribute of an object, or of its class; None where there is none."""
    own = getattr(owner, "__dict__", {})
    return own[name] if name in own else class_default(owner, name, None)


def held(reference: Callable[[], Any], name: str, path: Path = ()) -> Any:
    """What the place holds now; `OutdatedError` where the way to it is no more."""
    owner = reference()
    value = owner.get(name) if isinstance(owner, Names) else attribute(owner, name)
    try:
        for step in path:
            value = value[step]
    except (LookupError, TypeError):
        raise OutdatedError from None
    return value
