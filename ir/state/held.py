"""How a trace finds again, without keeping it alive, what an attribute or a name of outside holds."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import partial
from types import MemberDescriptorType
from typing import Any

from agir.autograph.operators import Names
from agir.autograph.operators.places import class_default
from agir.ir.tracing.outdated import OutdatedError

Path = tuple[Any, ...]
"""The subscripts that lead from what is held to a part of it."""


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


class _Missing:
    """Stands for an attribute that an object does not have."""


MISSING = _Missing()


def attribute(owner: Any, name: str, default: Any = None) -> Any:
    """A plain attribute of an object, or of its class; ``default`` where there is none."""
    own = getattr(owner, "__dict__", {})
    if name in own:
        return own[name]
    if isinstance(owner, type):
        return next((vars(k)[name] for k in owner.__mro__ if name in vars(k)), default)
    if any(type(vars(k).get(name)) is MemberDescriptorType for k in type(owner).__mro__):
        return getattr(owner, name, default)  # of __slots__
    return class_default(owner, name, default)


def is_computed(owner: Any, name: str) -> bool:
    """Whether an attribute that is not there as such is a method or another descriptor's."""
    return any(name in vars(kind) for kind in type(owner).__mro__)


def held(reference: Callable[[], Any], name: str, path: Path = (), default: Any = None) -> Any:
    """What the place holds now; `OutdatedError` where the way to it is no more."""
    owner = reference()
    find = owner.get if isinstance(owner, Names) else partial(attribute, owner)
    value = find(name, default)
    try:
        for step in path:
            value = step(value) if callable(step) else value[step]
    except (LookupError, TypeError):
        raise OutdatedError from None
    return value
