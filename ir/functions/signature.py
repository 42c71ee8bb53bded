"""The types that go into and out of an outlined function: what can stay a Python value does.

A loop makes a run-time value of every number that it carries.  A function keeps a Python value as
one, for as long as all its calls agree on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from agir.ir.building.cells import Scope
from agir.ir.building.types import is_python_number
from agir.ir.emission.views import View
from agir.ir.plain.hashed.tables import Table
from agir.ir.tensors import structure
from agir.ir.tensors.staged import StandsIn
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing.trace import Trace
from agir.ir.values import abstract_values
from agir.ir.values.abstract_values import AbstractValue, Maybe, Static, Structure, Typed
from agir.ir.values.heap import references
from agir.ir.values.sequences.lists import TracedList


def abstract_argument(trace: Trace, value: Any, scope: Scope) -> AbstractValue:
    """The abstract value of an argument, as seen from the region ``scope``.

    An object that can change is itself in the callee too; a tuple is its items.
    """
    if is_python_number(value) or (isinstance(value, Table) and not isinstance(value, StandsIn)):
        return Static(value)
    if isinstance(value, TracedList) and value.reference is None:
        return Static(value)
    found = structure.children(value)
    if found is None:
        return _shared(abstract_values.abstract_of(trace, value).outside(scope))
    if not isinstance(value, tuple):
        return Static(value)
    return Structure(found[0], tuple(abstract_argument(trace, item, scope) for item in found[1]))


def _shared(abstract: AbstractValue) -> AbstractValue:
    """An array that is passed is one that the caller has too."""
    return (
        replace(abstract, shared=bool(abstract.dims)) if isinstance(abstract, Typed) else abstract
    )


def by_value(trace: Trace, abstract: AbstractValue, scope: Scope) -> AbstractValue:
    """A Python value as a type: of numbers, or of containers of them."""
    if not isinstance(abstract, Static):
        return abstract
    if isinstance(abstract.value, TracedList) and (
        abstract.value.is_staged or trace.pools is not None
    ):
        return references.referring(
            "argument", abstract_values.abstract_of(trace, abstract.value).outside(scope)
        )
    found = structure.children(abstract.value)
    if found is not None and not isinstance(abstract.value, tuple):
        items = tuple(abstract_argument(trace, item, scope) for item in found[1])
        return Structure(found[0], items)
    if abstract_values.is_tensor_like(abstract.value):
        return _shared(abstract_values.abstract_of(trace, abstract.value).outside(scope))
    return abstract


def join(
    trace: Trace, name: str, left: AbstractValue, right: AbstractValue, scope: Scope
) -> AbstractValue:
    """The least abstract value that holds both; ``JoinError`` where there is none."""
    if left == right:
        return left
    left, right = by_value(trace, left, scope), by_value(trace, right, scope)
    if type(left) is type(right) is Structure and left.key == right.key:
        pairs = zip(left.items, right.items, strict=True)
        return Structure(left.key, tuple(join(trace, name, a, b, scope) for a, b in pairs))
    return abstract_values.join(name, left, right).outside(scope)


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


def passed(values: Sequence[Any], carried: Sequence[AbstractValue]) -> Iterator[tuple[Any, Typed]]:
    """(value, abstract value) of the tensors among arguments or results.

    In the order of their SSA values.
    """
    for value, abstract in zip(values, carried, strict=True):
        if isinstance(abstract, Typed):
            yield value, abstract
        elif isinstance(abstract, Structure):
            if hasattr(abstract.key[0], "coerced"):
                continue  # text, which may be known, and has no tensors in it
            found = structure.parts(value)
            assert found is not None, "a value of a structure is one"
            yield from passed(found[1], abstract.items)
        elif isinstance(abstract, Maybe):
            yield from passed([getattr(value, "value", value)], [abstract.inner])
