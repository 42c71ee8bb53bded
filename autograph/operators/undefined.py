"""Variables without a value: what stands in them, and the errors of reading it."""

from __future__ import annotations

import sys
from abc import abstractmethod
from typing import NoReturn

__all__ = ["PossiblyUndefined", "Undefined", "UndefinedReturn"]

if sys.version_info >= (3, 11):
    _LOCAL = "cannot access local variable '{}' where it is not associated with a value"
    _FREE = (
        "cannot access free variable '{}' where it is not associated with a value"
        " in enclosing scope"
    )
else:
    _LOCAL = "local variable '{}' referenced before assignment"
    _FREE = "free variable '{}' referenced before assignment in enclosing scope"


def unbound_local(name: str) -> UnboundLocalError:
    """The error of reading a local variable that has no value, in Python's words."""
    return UnboundLocalError(_LOCAL.format(name))


def unbound_free(name: str) -> NameError:
    """The error of reading a variable of an enclosing function that has no value."""
    return NameError(_FREE.format(name), name=name)


class Undefined:
    """Stands in a variable that has no value; any use raises `UnboundLocalError`."""

    __slots__ = ("name",)
    name: str

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    def __getattr__(self, _: str) -> NoReturn:
        raise unbound_local(self.name)


class UndefinedReturn(Undefined):
    """Stands for the value of a function that has not returned yet; loads as None."""

    __slots__ = ()


def _refuse(self: Undefined, *_: object, **__: object) -> NoReturn:
    raise unbound_local(self.name)


_BINARY = "add sub mul matmul truediv floordiv mod divmod pow lshift rshift and or xor"
_OTHERS = (
    "abs neg pos invert bool int float complex index round trunc floor ceil call len iter next"
    " reversed getitem setitem delitem contains enter exit eq ne lt le gt ge hash format str await"
)
for _name in _OTHERS.split():
    setattr(Undefined, f"__{_name}__", _refuse)
for _name in _BINARY.split():
    for _prefix in ("", "r", "i"):
        setattr(Undefined, f"__{_prefix}{_name}__", _refuse)


class PossiblyUndefined:
    """A variable that a staged statement binds on some of its paths; made by a staging.

    No ``ABC``: whether a value is one is asked for each variable, which takes those longer.
    """

    @abstractmethod
    def load(self) -> object:
        """The value, for a read of the variable: the staging sees to the check."""
