"""The arguments that a function is traced on, with holes where run-time values go.

A pattern lives as long as its trace, so objects that are keyed by their identity are held weakly.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from types import MethodType
from typing import Any

from agir.ir.tensors import structure
from agir.runtime.signatures.trace_types import Identity, Method, TraceType, TracingContext


class Placeholder:
    """Stands in bound arguments where a run-time value goes."""

    def __repr__(self) -> str:
        return "<tensor>"

    def take(self, supply: Iterator[Any]) -> Any:
        """What goes here, with the tensors in it taken from ``supply``."""
        return next(supply)

    def is_constant(self) -> bool:
        """Whether nothing is taken from the supply."""
        return False


class Made(Placeholder):
    """Stands where a value of a user's :class:`TraceType` goes."""

    def __init__(self, kind: TraceType, name: str) -> None:
        self.kind = kind
        self.name = name

    def take(self, supply: Iterator[Any]) -> Any:
        """The value that the type makes of its tensors, or its placeholder."""
        count = len(self.kind.flatten())
        if not count:
            return self.kind.placeholder_value(TracingContext(self.name))
        return self.kind.from_tensors(iter([next(supply) for _ in range(count)]))

    def is_constant(self) -> bool:
        """True for a type without tensors."""
        return not self.kind.flatten()


class Weak(Placeholder):
    """Stands where an object goes that the pattern does not keep alive."""

    def __init__(self, value: Any) -> None:
        self._reference = weakref.ref(value)

    def get(self) -> Any:
        """The object; None once it is gone."""
        return self._reference()

    def take(self, supply: Iterator[Any]) -> Any:
        """The object."""
        found = self.get()
        if found is None:
            raise ReferenceError("an object that the function was traced with is gone")
        return found

    def is_constant(self) -> bool:
        """True: it is the same at every call."""
        return True


class WeakMethod(Weak):
    """Stands where a bound method goes."""

    def __init__(self, value: MethodType) -> None:
        self._reference = weakref.WeakMethod(value)


PLACEHOLDER = Placeholder()


def constant(value: Any, part: Any) -> Any:
    """What stands in a pattern for a value whose part of the key is this."""
    if isinstance(part, Identity):
        return Weak(value)
    if isinstance(part, Method) and isinstance(part.receiver, Identity):
        return WeakMethod(value)
    return value


def fill(
    pattern: Any, supply: Iterator[Any], note: Callable[[object], None] = lambda made: None
) -> Any:
    """The arguments, with the holes filled; what a user's type makes is noted."""

    def filled(leaf: Any) -> Any:
        if not isinstance(leaf, Placeholder):
            return leaf
        value = leaf.take(supply)
        if isinstance(leaf, Made):
            note(value)
        return value

    return structure.transform(filled, pattern)


def is_constant(pattern: Any) -> bool:
    """Whether there is no hole in it for a run-time value."""
    leaves, _ = structure.flatten(pattern)
    return all(not isinstance(leaf, Placeholder) or leaf.is_constant() for leaf in leaves)


def objects(pattern: Any) -> list[Any]:
    """The objects that it refers to weakly."""
    return [leaf.get() for leaf in structure.flatten(pattern)[0] if isinstance(leaf, Weak)]
