"""Attributes of objects from outside that a function assigns to, under NumPy's conventions.

``self.u = self.u + ...`` in a method gives the attribute a new array at each call, after it has
succeeded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agir.autograph.operators import Undefined
from agir.autograph.operators.places import Attribute
from agir.ir import emit
from agir.ir.journal import Note
from agir.ir.state.outside import NUMBERS, is_outside, reference_to
from agir.ir.symbolic import SymbolicTensor
from agir.ir.trace import Trace
from agir.ir.types import is_python_number
from agir.runtime.state import array_arguments
from agir.runtime.state.captures import array_of

_NUMBERS: dict[str, type] = {"b": bool, "i": int, "u": int, "f": float, "c": complex}
"""Python's numbers, by the kinds of dtypes."""


class Renew(BaseException):
    """Ends the trace: a number of outside turned out to be assigned to, so it is no constant."""

    def __init__(self, owner: Any, name: str) -> None:
        self.owner = owner
        self.name = name


@dataclass(frozen=True)
class Assigned:
    """An attribute, and what it gets: a result, or one of the arrays that the call was given.

    ``convert`` makes a number of Python's of a result where the attribute held one before.
    """

    owner: Callable[[], Any]
    name: str
    result: int | None
    given: int | None
    convert: Callable[[Any], Any] | None

    def value(self, arguments: Sequence[Any], captures: Sequence[Any], outputs: Any) -> Any:
        """What the attribute gets."""
        if self.given is not None:
            first = len(arguments)
            if self.given < first:
                return array_arguments.owner(arguments[self.given])
            return array_of(captures[self.given - first])
        value = outputs[self.result]
        return value if self.convert is None else self.convert(value)


def store(
    assignments: Sequence[Assigned], arguments: Sequence[Any], captures: Any, outputs: Any
) -> None:
    """Assign to the attributes, all of them after all values are there: some may change places."""
    values = [each.value(arguments, captures, outputs) for each in assignments]
    for each, value in zip(assignments, values, strict=True):
        setattr(each.owner(), each.name, value)


def assigned(trace: Trace, symbols: Sequence[SymbolicTensor], outputs: Any) -> list[Assigned]:
    """What the function assigns to attributes; puts back what they held before."""
    if not trace.convention.arrays_are_mutable:
        return []
    found = []
    arrays = [*symbols, *(tensor for _, tensor in trace.captures)]
    for key, note in list(trace.journal.frames[0].noted.items()):
        if not _is_stored(trace, note):
            continue
        place: Any = note.place
        value = place.get()
        place.set(note.before)
        del trace.journal.frames[0].noted[key]
        reference = reference_to(place.owner)
        given = next((n for n, each in enumerate(arrays) if each is value and each.dims), None)
        result = python = None
        if given is None:
            result = len(outputs.ssa)
            tensor = emit.lift(trace, value)
            outputs.ssa.append(tensor.ssa)
            outputs.dtypes.append(tensor.dtype)
            if is_python_number(note.before) and not tensor.dims:
                python = _NUMBERS[tensor.dtype.numpy.kind]
        found.append(Assigned(reference, place.attribute, result, given, python))
    return found


def _is_stored(trace: Trace, note: Note) -> bool:
    """Whether a place is an attribute that gets a new value at each call."""
    place = note.place
    if not isinstance(place, Attribute) or not is_outside(trace, place.owner):
        return False
    after = place.get()
    run_time = isinstance(after, SymbolicTensor) and not getattr(after, "outlives_traces", False)
    if place.attribute not in getattr(place.owner, "__dict__", {}):
        return False
    if isinstance(note.before, NUMBERS):
        if not (run_time or isinstance(after, NUMBERS)):
            return False
        if (id(place.owner), place.attribute) not in trace.assigned_numbers:
            raise Renew(place.owner, place.attribute)
        return True
    return run_time and isinstance(note.before, (np.ndarray, Undefined, type(None)))
