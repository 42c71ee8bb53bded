"""The types that go into and out of an outlined function: slots that stay Python values for longer.

A loop makes a run-time value of every number that it carries.  A function keeps a Python value as
one, for as long as all its calls agree on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from agir.ir import structure
from agir.ir.cells import Scope
from agir.ir.plain.tables import Table
from agir.ir.staged import StandsIn
from agir.ir.symbolic import SymbolicTensor
from agir.ir.trace import Trace
from agir.ir.types import is_python_number
from agir.ir.values import references, slots
from agir.ir.values.lists import TracedList
from agir.ir.values.slots import JoinError, Maybe, Slot, Static, Structure, Typed
from agir.ir.views import View


def argument_slot(trace: Trace, value: Any, scope: Scope) -> Slot:
    """The slot of an argument, as seen from the region ``scope``.

    An object that can change is itself in the callee too; a tuple is its items.
    """
    if is_python_number(value) or (isinstance(value, Table) and not isinstance(value, StandsIn)):
        return Static(value)
    if isinstance(value, TracedList) and value.reference is None:
        return Static(value)
    found = structure.children(value)
    if found is None:
        return _shared(slots.slot_of(trace, value).outside(scope))
    if not isinstance(value, tuple):
        return Static(value)
    return Structure(found[0], tuple(argument_slot(trace, item, scope) for item in found[1]))


def _shared(slot: Slot) -> Slot:
    """An array that is passed is one that the caller has too."""
    return replace(slot, shared=bool(slot.dims)) if isinstance(slot, Typed) else slot


def by_value(trace: Trace, slot: Slot, scope: Scope) -> Slot:
    """A Python value as a type: of numbers, or of containers of them."""
    if not isinstance(slot, Static):
        return slot
    if isinstance(slot.value, TracedList) and (slot.value.is_staged or trace.pools is not None):
        return references.referring("argument", slots.slot_of(trace, slot.value).outside(scope))
    found = structure.children(slot.value)
    if found is not None and not isinstance(slot.value, tuple):
        items = tuple(argument_slot(trace, item, scope) for item in found[1])
        return Structure(found[0], items)
    if slots.is_tensor_like(slot.value):
        return _shared(slots.slot_of(trace, slot.value).outside(scope))
    return slot


def join(trace: Trace, name: str, left: Slot, right: Slot, scope: Scope) -> Slot:
    """The least slot that holds both; ``JoinError`` where there is none."""
    if left == right:
        return left
    left, right = by_value(trace, left, scope), by_value(trace, right, scope)
    if isinstance(left, Structure) and isinstance(right, Structure) and left.key == right.key:
        pairs = zip(left.items, right.items, strict=True)
        return Structure(left.key, tuple(join(trace, name, a, b, scope) for a, b in pairs))
    return slots.join(name, left, right).outside(scope)


def arrays(value: Any) -> Iterator[SymbolicTensor]:
    """The symbolic arrays in an argument, through tuples only, as they are passed."""
    if isinstance(value, SymbolicTensor):
        if value.dims:
            yield value
        return
    for item in (structure.children(value) or (None, []))[1]:
        yield from arrays(item)


def root_of(array: SymbolicTensor) -> Any:
    """The storage that an array is, or is a part of."""
    while isinstance(array.storage, View):
        array = array.storage.base
    return array.storage


def passed(values: Sequence[Any], carried: Sequence[Slot]) -> Iterator[tuple[Any, Typed]]:
    """(value, slot) of the tensors among arguments or results, in the order of their SSA values."""
    for value, slot in zip(values, carried, strict=True):
        if isinstance(slot, Typed):
            yield value, slot
        elif isinstance(slot, Structure):
            if hasattr(slot.key[0], "coerced"):
                continue  # text, which may be known, and has no tensors in it
            found = structure.parts(value)
            assert found is not None, "a value of a structure is one"
            yield from passed(found[1], slot.items)
        elif isinstance(slot, Maybe):
            yield from passed([getattr(value, "value", value)], [slot.inner])


__all__ = ["JoinError", "argument_slot", "arrays", "by_value", "join", "passed", "root_of"]
