"""What an outlined function returns: an abstract value, found while the function is recorded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.errors import StagingError
from agir.ir.building.cells import Scope
from agir.ir.building.types import is_python_number
from agir.ir.control_flow.fixpoint import coded
from agir.ir.functions import signature
from agir.ir.tensors import structure
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing.trace import Trace
from agir.ir.values import abstract_values
from agir.ir.values.abstract_values import AbstractValue, JoinError, Static, Structure
from agir.ir.values.alternatives.choices import Chosen
from agir.ir.values.heap.kinds import ByReference
from agir.ir.values.sequences.lists import TracedList


class _Argument:
    """Stands in a result for the array that was passed as an argument."""

    def __init__(self, number: int) -> None:
        self.number = number


class Returned:
    """The result of one function; an array that was passed in and comes back is the caller's."""

    def __init__(self, trace: Trace, outer: Scope) -> None:
        self.trace = trace
        self.outer = outer
        self.abstract: AbstractValue | None = None
        """None as long as no path is known on which the function returns."""
        self._arrays: Sequence[SymbolicTensor] = ()
        self._objects: list[Any] = []
        self._arguments: list[_Argument] = []

    def begin(self, arrays: Sequence[SymbolicTensor], objects: Sequence[Any]) -> None:
        """A recording begins with these arrays, and these objects of the caller's, as arguments."""
        self._arrays, self._objects = arrays, list(objects)
        while len(self._arguments) < len(arrays):
            self._arguments.append(_Argument(len(self._arguments)))

    def known_by_itself(self, value: Any) -> Any:
        """What is returned, so that a list that is elsewhere as well is that one and no copy of it."""
        if isinstance(value, Chosen) and any(map(self._is_elsewhere, value._values)):
            self._by_reference(value)
            for each in value._values:
                self.known_by_itself(each)
            return value.each(lambda each: each)
        if self._is_elsewhere(value):
            self._by_reference(value)
            if isinstance(value, TracedList):
                value.become_item(self.trace, None, ())
        return value

    def _by_reference(self, value: Any) -> None:
        if self.trace.pools is None:
            raise ByReference
        self.trace.journal.copied(value)

    def _is_elsewhere(self, value: Any) -> bool:
        """Whether it is a list that the function has not made, and that its caller does not know."""
        if not isinstance(value, TracedList) or not structure.is_mutable(value):
            return False
        if any(each is value for each in self._objects):
            return False
        journal = self.trace.journal
        stood_for = journal.stood_for_by(value)
        made = all(map(journal.frames[-1].has_made, stood_for or [value]))
        return not (made or value.is_known_by_itself)

    def learn(self, value: Any) -> None:
        """Widen the abstract value by a value that is returned."""
        abstract = self._abstract_of(value)
        try:
            self.abstract = (
                abstract if self.abstract is None else self._join(self.abstract, abstract)
            )
        except JoinError as error:
            raise StagingError(self.trace.explain(str(error))) from None

    def types(self) -> list[Any]:
        """The MLIR types of the result."""
        return [] if self.abstract is None else self.abstract.types()

    def pack(self, value: Any) -> list[Any]:
        """The SSA values of the result."""
        assert self.abstract is not None, "what returns has a result"
        return self.abstract.pack(self.trace, value)

    def placeholder(self) -> list[Any]:
        """SSA values for a call that is not made."""
        return [] if self.abstract is None else self.abstract.placeholder(self.trace)

    def unpack(self, made: list[Any], arrays: Sequence[Any]) -> Any:
        """The result of a call on these arrays, from its SSA values."""
        if self.abstract is None:
            return None
        value = self.abstract.unpack(self.trace, made)
        if isinstance(value, _Argument):
            return arrays[value.number]
        if structure.children(value) is None or not arrays:
            return value
        return structure.transform(
            lambda leaf: arrays[leaf.number] if isinstance(leaf, _Argument) else leaf, value
        )

    def _abstract_of(self, value: Any) -> AbstractValue:
        for number, array in enumerate(self._arrays):
            if value is array:
                return Static(self._arguments[number])
        if is_python_number(value) or any(each is value for each in self._objects):
            return Static(value)
        found = structure.children(value)
        if found is not None:
            return Structure(found[0], tuple(map(self._abstract_of, found[1])))
        return abstract_values.abstract_of(self.trace, value, self.outer).outside(self.outer)

    def _join(self, left: AbstractValue, right: AbstractValue) -> AbstractValue:
        if left == right:
            return left
        if type(left) is type(right) is Structure and left.key == right.key:
            pairs = zip(left.items, right.items, strict=True)
            return Structure(left.key, tuple(self._join(a, b) for a, b in pairs))
        sides = (self._without_identity(left), self._without_identity(right))
        return coded(self.trace, signature.join(self.trace, "retval", *sides, self.outer))

    def _without_identity(self, abstract: AbstractValue) -> AbstractValue:
        if isinstance(abstract, Static) and isinstance(abstract.value, _Argument):
            array = self._arrays[abstract.value.number]
            return abstract_values.abstract_of(self.trace, array).outside(self.outer)
        return abstract
