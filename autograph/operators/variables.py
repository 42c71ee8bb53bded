"""Variables that may have no value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agir.autograph.operators.undefined import (
    PossiblyUndefined,
    Undefined,
    UndefinedReturn,
    unbound_free,
    unbound_local,
)

__all__ = ["is_undefined", "ld", "ld_free", "ldu"]


def ld(value: Any) -> Any:
    """The value of a local variable, for a read that may find it unbound."""
    if isinstance(value, PossiblyUndefined):
        return value.load()
    if isinstance(value, UndefinedReturn):
        return None
    if isinstance(value, Undefined):
        raise unbound_local(value.name)
    return value


def ld_free(value: Any) -> Any:
    """The same for a variable of an enclosing function."""
    if isinstance(value, Undefined):
        raise unbound_free(value.name)
    return ld(value)


def ldu(read: Callable[[], Any], name: str) -> Any:
    """The value of a global variable, or an `Undefined` where there is none."""
    try:
        return read()
    except NameError:
        return Undefined(name)


def is_undefined(value: object) -> bool:
    """Whether a variable has no value."""
    return isinstance(value, Undefined)
