"""What a function assigns to outside of itself, under NumPy's conventions.

``self.u = self.u + ...`` in a method gives the attribute a new array at each call, after it has
succeeded; so do ``global U``, ``nonlocal u`` and ``PARAMETERS["w"] = ...``.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np

from agir.autograph.operators import Undefined
from agir.autograph.operators.places import Attribute, Contents, Entry, FreeVariable, Place
from agir.errors import StagingError
from agir.ir.building.types import is_python_number
from agir.ir.emission import emit
from agir.ir.plain.records import Fields
from agir.ir.plain.times import OfTime
from agir.ir.state.held import reference_to
from agir.ir.state.outside import Renew, guard_before, is_class, is_outside
from agir.ir.state.outside_containers import NUMBERS, original_of
from agir.ir.tensors import structure
from agir.ir.tensors.staged import Staged
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing.journal import Note
from agir.ir.tracing.trace import Trace
from agir.ir.values.alternatives.optional import CheckedTensor
from agir.records import dataclass
from agir.runtime.recording.outputs import Outputs
from agir.runtime.recording.recorded import Result
from agir.runtime.signatures.given import Values
from agir.runtime.state import array_arguments
from agir.runtime.state.captures import array_of

Leaf = Callable[[Result], Any]
_NUMBERS: dict[str, type] = {"b": bool, "i": int, "u": int, "f": float, "c": complex}
"""Python's numbers, by the kinds of dtypes."""


@dataclass(frozen=True)
class Assigned:
    """A place, and what it gets: a result, or one of the arrays that the call was given.

    ``convert`` makes a number of Python's of a result where the place held one before.  Anything else
    has a structure, with leaves as those of what a function returns.
    """

    put: Callable[[Any], None]
    owner: Callable[[], Any] | None
    """The object of which it is the attribute ``name``; None for other places."""
    name: str
    result: int | None
    given: int | None
    convert: Callable[[Any], Any] | None
    structure: Any = None
    leaves: tuple[Result, ...] = ()

    def value(self, arguments: Values, captures: Sequence[Any], outputs: Any, leaf: Leaf) -> Any:
        """What the place gets."""
        if self.leaves or self.structure is not None:
            return structure.for_caller(self.structure, map(leaf, self.leaves), arguments.known)
        if self.given is not None:
            first = len(arguments)
            if self.given < first:
                return array_arguments.owner(arguments[self.given])
            return array_of(captures[self.given - first])
        value = outputs[self.result]
        return value if self.convert is None else self.convert(value)


def store(
    assignments: Sequence[Assigned],
    arguments: Values,
    captures: Any,
    outputs: Any,
    leaf: Leaf,
) -> None:
    """Assign to the places, all of them after all values are there: some may change places.

    ``leaf`` gives what a leaf is in this call.
    """
    values = [each.value(arguments, captures, outputs, leaf) for each in assignments]
    owners = [each.owner() for each in assignments if each.owner is not None]
    for each, value in zip(assignments, values, strict=True):
        if value is not structure.MISSING:  # the path taken has not assigned it
            each.put(value)
    del owners  # of which an assignment may have taken the last reference


def assigned(
    trace: Trace, symbols: Sequence[SymbolicTensor], outputs: Outputs, around: Around
) -> list[Assigned]:
    """What the function assigns outside of itself; puts back what was there before."""
    if not trace.convention.arrays_are_mutable:
        return []
    _refuse_examples(trace)
    found = []
    arrays = [*symbols, *(tensor for _, tensor in trace.captures)]
    noted = trace.journal.frames[0].noted.items()
    stored = [(key, note, list(_stored(trace, note, around))) for key, note in noted]
    for key, note, changes in sorted(stored, key=lambda each: isinstance(each[1].place, Item)):
        for place, before, after in changes:
            given = next((n for n, each in enumerate(arrays) if each is after and each.dims), None)
            result = python = shape = None
            leaves: tuple[Result, ...] = ()
            if given is None and not _is_one_result(before, after):
                leaves, shape = _leaves(trace, outputs, after)
            elif given is None:
                result = len(outputs.ssa)
                tensor = emit.lift(trace, after)
                outputs.ssa.append(tensor.ssa)
                outputs.dtypes.append(tensor.dtype)
                if is_python_number(before) and not tensor.dims:
                    python = _NUMBERS[tensor.dtype.numpy.kind]
            owner = reference_to(place.owner) if isinstance(place, Attribute) else None
            name = getattr(place, "attribute", place.name)
            put = _putting(place)
            if place.key not in trace.assigned_numbers:
                guard_before(trace, place, before, after)
            found.append(Assigned(put, owner, name, result, given, python, shape, leaves))
            if trace.journal.frames[0].noted.pop(key, None) is not None:
                note.place.set(note.before)
    return found


def _is_one_result(before: Any, after: Any) -> bool:
    """Whether a value is an array or a number of the run time, and no more."""
    if isinstance(after, SymbolicTensor):
        return not isinstance(after, CheckedTensor)
    return isinstance(before, NUMBERS) and isinstance(after, NUMBERS)


_CONSTANTS = (*NUMBERS, str, bytes, type(None), Undefined)


def _leaves(trace: Trace, outputs: Outputs, value: Any) -> tuple[tuple[Result, ...], Any]:
    """What any other value consists of, and its structure."""
    made = isinstance(value, (tuple, Staged, SymbolicTensor, np.ndarray, Fields, OfTime))
    if not (made or trace.journal.is_made_here(value)):
        return (_constant(value),), None
    leaves, key = outputs.taken_apart(value)
    constant = [isinstance(each, _CONSTANTS) for each in leaves]
    return tuple(
        _constant(each) if is_constant else outputs.result(each)
        for each, is_constant in zip(leaves, constant, strict=True)
    ), key


def _constant(value: Any) -> Result:
    """The very object, in every call; it is not kept alive."""
    if isinstance(value, _CONSTANTS):
        return Result(value=value)
    try:
        return Result(held=weakref.ref(value))
    except TypeError:
        return Result(value=value)


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


def _putting(place: Place) -> Callable[[Any], None]:
    if isinstance(place, Attribute):
        return partial(_set_attribute, reference_to(place.owner), place.attribute)
    return place.set


def _set_attribute(reference: Callable[[], Any], name: str, value: Any) -> None:
    owner = reference()
    if not isinstance(value, Undefined):
        is_users = isinstance(type(owner).__setattr__, FunctionType)  # has been asked while tracing
        (object.__setattr__ if is_users else setattr)(owner, name, value)
    elif hasattr(owner, name):
        delattr(owner, name)


def _changed_items(trace: Trace, note: Note, after: Any) -> Iterator[tuple[Place, Any, Any]]:
    """The items that a list of outside gets which holds no arrays, and keeps its length."""
    owner = note.place.owner
    if type(owner) is not list or trace.journal.is_made_here(owner):
        return
    if type(after) is not list or len(after) != len(note.before):
        return
    for number, (old, new) in enumerate(zip(note.before, after, strict=True)):
        place = Item(owner, number)
        known = place.key in trace.assigned_numbers  # it is noted by itself
        if old is not new and not known and _is_value(trace, place, old, new):
            yield place, old, new


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
    """What lies around a traced function: the variables of enclosing functions."""

    def __init__(self, function: Any) -> None:
        closure = getattr(function, "__closure__", None) or ()
        self.cells = {id(cell) for cell in closure}


def _stored(trace: Trace, note: Note, around: Around) -> Iterator[tuple[Place, Any, Any]]:
    """The places that get new values at each call, what they held, and what they get."""
    place: Any = note.place
    if isinstance(place, Contents):
        yield from _items(trace, note)
        return
    if isinstance(place, Item):
        yield place, note.before, place.get()
    if not isinstance(place, Attribute | Entry | FreeVariable):
        return
    if not _lies_outside(trace, place, around):
        return
    after = place.get()
    if after is note.before:
        guard_before(trace, place, note.before, after)
        return
    original = original_of(trace.containers, place.owner)
    if original is not None and isinstance(place, Entry):
        place = Entry(original, place.entry, place.name)
    if _is_value(trace, place, note.before, after):
        yield place, note.before, after


def _lies_outside(trace: Trace, place: Any, around: Around) -> bool:
    if isinstance(place, Attribute):
        return is_outside(trace, place.owner) or is_class(trace, place.owner)
    if isinstance(place, FreeVariable):
        return id(place.owner) in around.cells
    return not (trace.journal.is_made_here(place.owner) or trace.is_callers(place.owner))


def _is_value(trace: Trace, place: Place, before: Any, after: Any) -> bool:
    """Whether it is assigned at each call; begins anew where what was there has to be an argument."""
    if getattr(type(after), "outlives_traces", False):
        return False
    run_time = isinstance(after, SymbolicTensor)
    number = isinstance(before, NUMBERS) and (run_time or isinstance(after, NUMBERS))
    name = isinstance(place, FreeVariable | Entry) and isinstance(before, np.ndarray)
    if (number or (name and run_time and before.ndim)) and place.key not in trace.assigned_numbers:
        raise Renew(place)
    return True


def _items(trace: Trace, note: Note) -> Iterator[tuple[Place, Any, Any]]:
    """The items that an outside list of arrays gets; other changes of a container are refused."""
    original = original_of(trace.containers, note.place.owner)
    after = note.place.get()
    if original is None:
        yield from _changed_items(trace, note, after)
        return
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
