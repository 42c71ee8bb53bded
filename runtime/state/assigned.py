"""What a function assigns to outside of itself, under NumPy's conventions.

``self.u = self.u + ...`` in a method gives the attribute a new array at each call, after it has
succeeded; so do ``global U``, ``nonlocal u`` and ``PARAMETERS["w"] = ...``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from agir.autograph.operators import Undefined
from agir.autograph.operators.places import Attribute, Contents, Entry, FreeVariable, Place
from agir.errors import StagingError
from agir.ir import emit, structure
from agir.ir.control_flow.effects import has_run_time_values
from agir.ir.journal import Note
from agir.ir.state.held import reference_to
from agir.ir.state.outside import is_outside
from agir.ir.state.outside_containers import NUMBERS, original_of
from agir.ir.symbolic import SymbolicTensor
from agir.ir.trace import Trace
from agir.ir.types import is_python_number
from agir.records import dataclass
from agir.runtime.state import array_arguments
from agir.runtime.state.captures import array_of

_NUMBERS: dict[str, type] = {"b": bool, "i": int, "u": int, "f": float, "c": complex}
"""Python's numbers, by the kinds of dtypes."""


class Renew(BaseException):
    """Ends the trace: a number of outside turned out to be assigned to, so it is no constant."""

    def __init__(self, place: Place) -> None:
        self.place = place


@dataclass(frozen=True)
class Assigned:
    """A place, and what it gets: a result, or one of the arrays that the call was given.

    ``convert`` makes a number of Python's of a result where the place held one before.
    """

    put: Callable[[Any], None]
    owner: Callable[[], Any] | None
    """The object of which it is the attribute ``name``; None for other places."""
    name: str
    result: int | None
    given: int | None
    convert: Callable[[Any], Any] | None

    def value(self, arguments: Sequence[Any], captures: Sequence[Any], outputs: Any) -> Any:
        """What the place gets."""
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
    """Assign to the places, all of them after all values are there: some may change places."""
    values = [each.value(arguments, captures, outputs) for each in assignments]
    for each, value in zip(assignments, values, strict=True):
        each.put(value)


def assigned(
    trace: Trace, symbols: Sequence[SymbolicTensor], outputs: Any, around: Around
) -> list[Assigned]:
    """What the function assigns outside of itself; puts back what was there before."""
    if not trace.convention.arrays_are_mutable:
        return []
    _refuse_examples(trace)
    found = []
    arrays = [*symbols, *(tensor for _, tensor in trace.captures)]
    for key, note in list(trace.journal.frames[0].noted.items()):
        for place, before, after in _stored(trace, note, around):
            given = next((n for n, each in enumerate(arrays) if each is after and each.dims), None)
            result = python = None
            if given is None:
                result = len(outputs.ssa)
                tensor = emit.lift(trace, after)
                outputs.ssa.append(tensor.ssa)
                outputs.dtypes.append(tensor.dtype)
                if is_python_number(before) and not tensor.dims:
                    python = _NUMBERS[tensor.dtype.numpy.kind]
            owner = reference_to(place.owner) if isinstance(place, Attribute) else None
            name = getattr(place, "attribute", place.name)
            found.append(Assigned(_putting(place), owner, name, result, given, python))
            if trace.journal.frames[0].noted.pop(key, None) is not None:
                note.place.set(note.before)
    return found


def _refuse_examples(trace: Trace) -> None:
    """Refuse assignments to what a user's type has made in the place of an argument."""
    for note in trace.journal.frames[0].noted.values():
        place = note.place
        made = isinstance(place, Attribute) and any(place.owner is o for o in trace.examples)
        if made and place.get() is not note.before:
            raise StagingError(
                f"{place.name} is assigned to, of an argument whose class gives a type of its own: "
                "the object in the function is one that the type's from_tensors() has made, and the "
                "caller's would not change; write into the array "
                f"({place.name}[...] = ...), or return what it is to be"
                + (f"\n  at {note.line}" if note.line is not None else "")
            )


def put_back(trace: Trace) -> None:
    """Take the symbols out of places of outside, when tracing has failed."""
    if not trace.convention.arrays_are_mutable:
        return
    for note in trace.journal.frames[0].noted.values():
        place = note.place
        if isinstance(place, Attribute | Entry | FreeVariable) and has_run_time_values(place.get()):
            place.set(note.before)


def _putting(place: Place) -> Callable[[Any], None]:
    if isinstance(place, Attribute):
        return partial(_set_attribute, reference_to(place.owner), place.attribute)
    return place.set


def _set_attribute(reference: Callable[[], Any], name: str, value: Any) -> None:
    setattr(reference(), name, value)


class Item(Place):
    """An item of a list."""

    def __init__(self, owner: list[Any], index: int) -> None:
        self.owner: list[Any] = owner
        self.index = index
        self.key = ("item", id(owner), index)
        self.name = f"[{index}]"

    def get(self) -> Any:
        """The item."""
        return self.owner[self.index]

    def set(self, value: Any) -> None:
        """Replace the item."""
        self.owner[self.index] = value


class Around:
    """What lies around a traced function: the variables of enclosing functions, its arguments."""

    def __init__(self, function: Any, placed: dict[str, Any]) -> None:
        closure = getattr(function, "__closure__", None) or ()
        self.cells = {id(cell) for cell in closure}
        self.arguments = {id(each) for value in placed.values() for each in _containers(value)}


def _containers(value: Any) -> Iterator[Any]:
    if (found := structure.children(value)) is not None:
        yield value
        for item in found[1]:
            yield from _containers(item)


def _stored(trace: Trace, note: Note, around: Around) -> Iterator[tuple[Place, Any, Any]]:
    """The places that get new values at each call, what they held, and what they get."""
    place: Any = note.place
    if isinstance(place, Contents):
        yield from _items(trace, note)
        return
    if not isinstance(place, Attribute | Entry | FreeVariable):
        return
    if not _lies_outside(trace, place, around):
        return
    after = place.get()
    if after is note.before:
        return
    original = original_of(trace.containers, place.owner)
    if original is not None and isinstance(place, Entry):
        place = Entry(original, place.entry, place.name)
    if _is_value(trace, place, note.before, after):
        yield place, note.before, after


def _lies_outside(trace: Trace, place: Any, around: Around) -> bool:
    if isinstance(place, Attribute):
        return is_outside(trace, place.owner) and place.attribute in getattr(
            place.owner, "__dict__", {}
        )
    if isinstance(place, FreeVariable):
        return id(place.owner) in around.cells
    made = trace.journal.is_made_here(place.owner)
    return not made and id(place.owner) not in around.arguments


def _is_value(trace: Trace, place: Place, before: Any, after: Any) -> bool:
    """Whether what is assigned is an array or a number, in the place of such."""
    run_time = isinstance(after, SymbolicTensor) and not getattr(after, "outlives_traces", False)
    if isinstance(before, NUMBERS) and not (run_time or isinstance(after, NUMBERS)):
        return False
    name = isinstance(place, FreeVariable | Entry) and isinstance(before, np.ndarray)
    if isinstance(before, NUMBERS) or (name and run_time and before.ndim):
        if place.key not in trace.assigned_numbers:
            raise Renew(place)
        return True
    arrays = (np.ndarray, SymbolicTensor, Undefined, type(None))
    if not run_time and isinstance(after, np.ndarray):
        return False
    return run_time and isinstance(before, arrays)


def _items(trace: Trace, note: Note) -> Iterator[tuple[Place, Any, Any]]:
    """The items that an outside list of arrays gets; other changes of a container are refused."""
    original = original_of(trace.containers, note.place.owner)
    if original is None:
        return
    after = note.place.get()
    pairs = list(zip(note.before, after, strict=False))
    fine = isinstance(original, list) and len(note.before) == len(after) == len(original)
    changed = [(n, old, new) for n, (old, new) in enumerate(pairs) if old is not new]
    if not fine or not all(isinstance(new, SymbolicTensor) for _, _, new in changed):
        raise StagingError(
            f"{note.place.name} of outside, which holds arrays, gains or loses items, or gets others "
            "than arrays: that would happen once, while the function is traced; return what it is "
            f"to hold\n  at {note.line}"
        )
    for number, old, new in changed:
        yield Item(original, number), old, new
