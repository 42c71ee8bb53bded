"""A variable in a trace: its storage and its abstract value."""

from __future__ import annotations

from typing import Any

from agir.ir.state import assignment
from agir.ir.tensors.symbolic import Owned
from agir.ir.tracing.trace import Trace
from agir.ir.values.abstract_values import AbstractValue, Static, Typed, join


class Held(Owned):
    """Storage of a variable in a trace."""

    __slots__ = ()

    def write(self, trace: Trace, ssa: Any) -> None:
        """Give the variable another value: not where something has failed that may be caught."""
        super().write(trace, assignment.unless_failed(trace, ssa, self.read(trace)))


class AbstractVariable(Static):
    """A variable that is the same on every path; where another path has a tensor, its value."""

    def describe(self) -> str:
        """The abstract value in the words of an error message."""
        return f"the Variable {self.value.name!r}"

    def join(self, name: str, other: AbstractValue, strict: bool) -> AbstractValue | None:
        """The least abstract value that holds this one and the other.

        Or None if it is not this kind's.
        """
        if isinstance(other, Typed):
            return join(name, Typed(self.value.dtype, self.value.shape, False), other, strict)
        return super().join(name, other, strict)
