"""How lists of run-time length are carried through branches and loops."""

from __future__ import annotations

from collections import deque
from typing import Any

from agir.ir.building.cells import Scope
from agir.ir.building.types import DType, int64
from agir.ir.tracing.trace import Trace
from agir.ir.values import columns
from agir.ir.values.abstract_values import (
    JOINS,
    KINDS,
    AbstractValue,
    JoinError,
    Structure,
    Take,
    Typed,
    Wrap,
    abstract_of,
    join,
)
from agir.ir.values.heap.abstract_items import general, visible
from agir.ir.values.heap.items import Items, staged_items
from agir.ir.values.heap.pools import Reference
from agir.ir.values.heap.references import AbstractReference, referring
from agir.ir.values.sequences.lists import TracedList, traced_list
from agir.records import dataclass


@dataclass(frozen=True)
class Listed(AbstractValue):
    """A list of unknown length: the length, and a column for each component of an item."""

    element: AbstractValue
    kind: type = list
    family = AbstractReference  # which a list becomes where it meets one
    is_list = True

    def types(self) -> list[Any]:
        """The MLIR types that carry the abstract value."""
        return [int64.mlir(), *(columns.column_type(kind) for kind in self.element.types())]

    def dtypes(self) -> list[DType]:
        """The element types of what carries the abstract value."""
        return [int64, *self.element.dtypes()]

    def pack(self, trace: Trace, value: Any) -> list[Any]:
        """The SSA values that carry the Python value."""
        if isinstance(value, TracedList):
            value = value.snapshot()
        if isinstance(value, Items):
            items = value.converted(self.element)
            trace.keep_copies(items.copies)
        else:
            items = staged_items(trace, list(value), self.element)
        return [items.length.ssa, *items.columns]

    def unpack(self, trace: Trace, carried: list[Any]) -> Any:
        """The Python value, from SSA values taken off the front of ``carried``."""
        length = trace.make(carried.pop(0), int64, (), weak=True)
        count = len(self.element.types())
        found, carried[:count] = tuple(carried[:count]), []
        return traced_list(Items(trace, trace.scope, self.element, length, found), self.kind)

    def placeholder(self, trace: Trace) -> list[Any]:
        """Values that stand where there is none."""
        items = staged_items(trace, [], self.element)
        return [items.length.ssa, *items.columns]

    def assemble(self, take: Take, wrap: Wrap) -> Any:
        """The value for the caller."""
        length = int(take())
        parts = [take() for _ in self.element.dtypes()]
        return self.kind(self.element.assemble_all(parts, range(length), wrap))

    @property
    def is_of_numbers(self) -> bool:
        """Whether it is a list of numbers of Python's, which lie in one column."""
        return self.kind is list and isinstance(self.element, Typed) and self.element.is_number

    def describe(self) -> str:
        """The abstract value in the words of an error message."""
        return f"a {self.kind.__name__} of {self.element.describe()}"

    def outside(self, scope: Scope) -> AbstractValue:
        """The abstract value as it is seen from outside the region that made it."""
        return Listed(general(visible(self.element, scope).outside(scope)), self.kind)

    def join(self, name: str, other: AbstractValue, strict: bool) -> AbstractValue | None:
        """The least abstract value that holds this one and the other.

        Or None if it is not this kind's.
        """
        if isinstance(other, Listed) and other.kind is self.kind:
            return Listed(_united(name, [self.element, other.element]), self.kind)
        if isinstance(other, Structure) and other.key[0] is self.kind:
            items = map(general, other.items)
            return Listed(_united(name, [self.element, *items]), self.kind)
        return None


def _united(name: str, items: list[AbstractValue]) -> AbstractValue:
    element = items[0]
    for each in items[1:]:
        element = general(join(name, element, each))
    return referring(name, element)


def _of_unequal_lists(
    name: str, left: AbstractValue, right: AbstractValue, strict: bool
) -> AbstractValue | None:
    """Two lists that differ in length."""
    if not (isinstance(left, Structure) and isinstance(right, Structure)):
        return None
    kind = left.key[0]
    if kind is not right.key[0] or kind not in (list, deque, tuple):
        return None
    items = [general(item) for item in (*left.items, *right.items)]
    if kind is tuple:
        return _tuple_of(name, items)
    return Listed(_united(name, items), kind)


def _tuple_of(name: str, items: list[AbstractValue]) -> AbstractValue | None:
    """A tuple of unknown length; None where its items are not alike: it is one of several then."""
    try:
        element = _united(name, items)
    except JoinError:
        return None
    return Listed(element, tuple) if _is_one_type(element) else None


def _is_one_type(abstract: AbstractValue) -> bool:
    """Whether a value of that type is no array, and not one of several."""
    if isinstance(abstract, Structure):
        return all(map(_is_one_type, abstract.items))
    return not (abstract.dims if isinstance(abstract, Typed) else hasattr(abstract, "alternatives"))


def _abstract_of_items(current: Trace, value: Items, around: Scope | None) -> AbstractValue:
    return Listed(value.element)


def _abstract_of_reference(current: Trace, value: Reference, around: Scope | None) -> AbstractValue:
    return AbstractReference(value.kind)


def abstract_of_list(current: Trace, value: TracedList, around: Scope | None) -> AbstractValue:
    """The abstract value of a list, or of what stands for another class of Python's."""
    contents = value.snapshot()
    if isinstance(contents, Reference):
        return _abstract_of_reference(current, contents, around)
    if isinstance(contents, Items):
        return Listed(contents.element, value.stands_for)
    items = tuple(abstract_of(current, item, around) for item in list.__iter__(value))
    return Structure((value.stands_for, len(items)), items)


KINDS[Items] = _abstract_of_items
KINDS[Reference] = _abstract_of_reference
KINDS[TracedList] = abstract_of_list
JOINS["lists of two lengths"] = _of_unequal_lists
