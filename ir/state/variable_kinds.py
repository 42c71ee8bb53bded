"""A variable in a trace: its storage, its parts, its abstract value, references to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agir.ir.state import assignment
from agir.ir.symbolic import Owned, SymbolicTensor
from agir.ir.trace import Trace
from agir.ir.values.abstract_values import AbstractValue, Static, Typed, join

if TYPE_CHECKING:
    from agir.ir.state.variables import Variable


class VariableReference:
    """A variable as a key: equal to another reference of the same variable."""

    __slots__ = ("_variable",)

    def __init__(self, variable: Variable) -> None:
        self._variable = variable

    def deref(self) -> Variable:
        """The variable."""
        return self._variable

    def __hash__(self) -> int:
        return id(self._variable)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, VariableReference) and self._variable is other._variable


class Held(Owned):
    """Storage of a variable in a trace."""

    __slots__ = ()

    def write(self, trace: Trace, ssa: Any) -> None:
        """Give the variable another value: not where something has failed that may be caught."""
        super().write(trace, assignment.unless_failed(trace, ssa, self.read(trace)))


class Part(SymbolicTensor):
    """What ``variable[key]`` is in a trace: a tensor of its own, and a place to assign to."""

    __slots__ = ("_key", "_variable")

    def __init__(self, variable: Variable, key: Any, value: SymbolicTensor) -> None:
        super().__init__(value.recorder, value.storage, value.dtype, value.dims, value.weak)
        self.shared = value.shared
        self._variable = variable
        self._key = key

    def assign(self, value: Any, name: str | None = None) -> Variable:
        """Replace this part of the variable, which is returned."""
        self._variable[self._key] = value
        return self._variable

    def assign_add(self, delta: Any, name: str | None = None) -> Variable:
        """Add to this part of the variable, which is returned."""
        return self.assign(self._variable[self._key] + delta)

    def assign_sub(self, delta: Any, name: str | None = None) -> Variable:
        """Subtract from this part of the variable, which is returned."""
        return self.assign(self._variable[self._key] - delta)


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
