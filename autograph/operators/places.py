"""Where converted code can write, other than to the variables of its own function.

A staged branch or loop has to know what it changed: not only its variables, which are its `State`,
but also an attribute of ``self``, an entry of a dict, the items of a list, a variable of an
enclosing function or of a module.  The operators tell the stagings of every such `Place` before it
is written to.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Hashable
from types import CellType, FunctionType
from typing import Any

from agir.autograph.operators.undefined import Undefined

__all__ = ["Attribute", "Contents", "Entry", "FreeVariable", "Place"]


class Place(ABC):
    """Something that holds a value, which can be read and replaced."""

    key: Hashable
    """Equal for two places that are the same."""
    name: str
    """What the user calls it."""
    owner: object
    """The object that it is a part of."""
    absence = "unbound"
    """What kind of error it is to read the place where it holds nothing."""

    @property
    def missing(self) -> str:
        """What that error says."""
        return self.name

    @property
    def entries(self) -> Any:
        """The dict whose order it is in, if there is one."""
        return self.owner

    @abstractmethod
    def get(self) -> Any:
        """The value; `Undefined` where there is none."""

    @abstractmethod
    def set(self, value: Any) -> None:
        """Replace the value; `Undefined` deletes it."""


_NONE = object()


def class_default(owner: object, attribute: str, default: Any) -> Any:
    """What an object without such an attribute of its own has of its class: a plain value."""
    if isinstance(owner, type):
        return default
    for kind in type(owner).__mro__:
        if attribute in kind.__dict__:
            value = kind.__dict__[attribute]
            return default if hasattr(type(value), "__get__") else value
    return default


def _is_computed(descriptor: Any) -> bool:
    """Whether functions of the user's read and write an attribute, which no object holds."""
    setter = getattr(type(descriptor), "__set__", None)
    return isinstance(descriptor, property) or type(setter) is FunctionType


class Attribute(Place):
    """``obj.name``, as the object itself holds it."""

    def __init__(self, owner: object, name: str) -> None:
        self.owner = owner
        self.attribute = name
        self.key = ("attribute", id(owner), name)
        self.name = f"{type(owner).__name__}.{name}"

    absence = "attribute"

    @property
    def missing(self) -> str:
        """What the ``AttributeError`` says."""
        return f"'{type(self.owner).__name__}' object has no attribute '{self.attribute}'"

    @property
    def entries(self) -> Any:
        """The dict of the object, if it has one."""
        return getattr(self.owner, "__dict__", None)

    def get(self) -> Any:
        """The value; `Undefined` where there is none."""
        own = self.entries
        if own is not None and self.attribute in own:
            return own[self.attribute]
        slot = getattr(type(self.owner), self.attribute, None)
        if hasattr(slot, "__set__") and not _is_computed(slot):
            return getattr(self.owner, self.attribute, Undefined(self.name))
        return class_default(self.owner, self.attribute, Undefined(self.name))

    def set(self, value: Any) -> None:
        """Replace the value; `Undefined` deletes it."""
        own = self.entries or {}
        if isinstance(value, Undefined):
            if isinstance(self.owner, type):
                if self.attribute in vars(self.owner):
                    type.__delattr__(self.owner, self.attribute)
            elif not isinstance(self.get(), Undefined):
                object.__delattr__(self.owner, self.attribute)
        elif value is class_default(self.owner, self.attribute, _NONE):
            if self.attribute in own:  # the class has it
                object.__delattr__(self.owner, self.attribute)
        elif isinstance(self.owner, type):
            type.__setattr__(self.owner, self.attribute, value)
        elif isinstance(type(self.owner).__setattr__, FunctionType):
            object.__setattr__(self.owner, self.attribute, value)  # not by a method of the user's
        else:
            setattr(self.owner, self.attribute, value)


class Entry(Place):
    """``mapping[key]`` of a dict; a module's variable is one of its globals."""

    def __init__(self, owner: dict[Any, Any], entry: Hashable, name: str | None = None) -> None:
        self.owner: dict[Any, Any] = owner
        self.entry = entry
        self.key = ("entry", id(owner), entry)
        self.name = f"[{entry!r}]" if name is None else name
        self.absence = "key" if name is None else "unbound"

    @property
    def missing(self) -> str:
        """The key, or the name of the variable."""
        return repr(self.entry) if self.absence == "key" else self.name

    def get(self) -> Any:
        """The value; `Undefined` where there is none."""
        return self.owner.get(self.entry, Undefined(self.name))

    def set(self, value: Any) -> None:
        """Replace the value; `Undefined` deletes it."""
        if isinstance(value, Undefined):
            self.owner.pop(self.entry, None)
        else:
            self.owner[self.entry] = value


def _refill_list(owner: Any, value: Any) -> None:
    owner[:] = value


def _refill_dict(owner: Any, value: Any) -> None:
    dict.clear(owner)
    dict.update(owner, value)  # Counter.update counts


def _refill_set(owner: Any, value: Any) -> None:
    owner.clear()
    owner.update(value)


def _refill_queue(owner: Any, value: Any) -> None:
    owner.clear()
    owner.extend(value)


_CONTAINERS: dict[type, tuple[Callable[[Any], Any], Callable[[Any, Any], None]]] = {
    list: (list, _refill_list),
    dict: (dict, _refill_dict),
    set: (frozenset, _refill_set),
    bytearray: (bytes, _refill_list),
    deque: (list, _refill_queue),
}


class Contents(Place):
    """All that is in a list, a dict, a set, a deque or a bytearray.

    A container with methods ``snapshot`` and ``restore`` sees to it itself.
    """

    def __init__(self, owner: Any) -> None:
        self.owner = owner
        self.key = ("contents", id(owner))
        kind = next(each for each in _CONTAINERS if isinstance(owner, each))
        self.name = f"the {kind.__name__}"
        self._copy, self._refill = _CONTAINERS[kind]
        if hasattr(owner, "snapshot"):
            self._copy, self._refill = type(owner).snapshot, type(owner).restore

    @staticmethod
    def known(owner: object) -> bool:
        """Whether an object is a container of which this module knows how to restore it."""
        return isinstance(owner, tuple(_CONTAINERS))

    def get(self) -> Any:
        """The value; `Undefined` where there is none."""
        return self._copy(self.owner)

    def set(self, value: Any) -> None:
        """Replace the value; `Undefined` deletes it."""
        self._refill(self.owner, value)


class FreeVariable(Place):
    """A variable of an enclosing function, which is a cell."""

    def __init__(self, cell: CellType, name: str) -> None:
        self.owner: CellType = cell
        self.key = ("variable", id(cell))
        self.name = name

    def get(self) -> Any:
        """The value; `Undefined` where there is none."""
        try:
            return self.owner.cell_contents
        except ValueError:
            return Undefined(self.name)

    def set(self, value: Any) -> None:
        """Replace the value; `Undefined` deletes it."""
        if isinstance(value, Undefined):
            del self.owner.cell_contents
        else:
            self.owner.cell_contents = value
