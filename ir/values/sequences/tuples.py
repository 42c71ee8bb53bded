"""Tuples of which only the run time knows how long they are: lists that nothing can change."""

from __future__ import annotations

from typing import Any, NoReturn

from agir.ir.tensors.staged import known_as
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.values.sequences.lists import STANDING, TracedList, class_of, traced_list

_CHANGING = (
    "append", "clear", "copy", "extend", "insert", "pop", "remove", "reverse", "sort",
)  # fmt: skip
"""Methods of lists that tuples do not have."""


def _lacking(name: str) -> property:
    """What a tuple has no method for."""

    def refuse(value: Any) -> NoReturn:
        raise AttributeError(f"'tuple' object has no attribute '{name}'")

    return property(refuse)


@known_as("tuple")
class TracedTuple(TracedList):
    """A tuple of a run-time length; one of a known length is Python's own."""

    stands_for = parts_kind = tuple

    def is_comparable(self, other: object) -> bool:
        """Whether the other one may be equal, and has an order with this one."""
        return isinstance(other, tuple) or class_of(other) is tuple

    def is_same(self, other: TracedList) -> Any:
        """Whether two names are of one tuple: Python knows."""
        return None

    def frozen(self) -> TracedList:
        """What it is now: it does not change."""
        return self

    def __add__(self, other: Any) -> Any:
        return self._joined(self, other)

    def __iadd__(self, other: Any) -> Any:
        return self._joined(self, other)

    def __radd__(self, other: Any) -> Any:
        return self._joined(other, self)

    def _joined(self, one: Any, other: Any) -> Any:
        """Both, one after the other."""
        found = other if one is self else one
        if isinstance(found, SymbolicTensor):
            return NotImplemented
        if not self.is_comparable(found):
            if found is one:
                return NotImplemented
            name = class_of(found).__name__
            raise TypeError(f'can only concatenate tuple (not "{name}") to tuple')
        made = traced_list([])
        made.extend(one)
        made.extend(other)
        return tupled(made)

    def __imul__(self, count: Any) -> Any:
        return self * count

    def __setitem__(self, key: Any, value: Any) -> NoReturn:
        raise TypeError("'tuple' object does not support item assignment")

    def __delitem__(self, key: Any) -> NoReturn:
        raise TypeError("'tuple' object doesn't support item deletion")


def tupled(values: TracedList) -> Any:
    """The tuple of what is in a list that has just been made."""
    if not values.is_staged:
        return tuple(list.__iter__(values))
    return traced_list(values.copy().snapshot(), tuple)


def repeated(value: tuple[Any, ...], count: Any) -> Any:
    """``value * count``."""
    return tupled(traced_list(list(value)) * count) if value else ()


for _name in _CHANGING:
    setattr(TracedTuple, _name, _lacking(_name))
STANDING[tuple] = TracedTuple
