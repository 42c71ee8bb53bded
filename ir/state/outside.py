"""Attributes of objects from outside that are arrays, or numbers that the function changes.

Under NumPy's conventions ``self.u[1:-1] += ...`` in a method changes the object's array.  So an array
that a trace finds in an attribute becomes a further argument of the compiled function, which reads
and writes it where it lies.  Which array that is each call finds out anew; one of another type makes
another trace.  A number is a constant of the trace, which is for objects that hold this number,
unless the function assigns to the attribute (``self.steps += 1``): then the trace begins anew with
the number as a run-time scalar.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from agir.autograph.operators.places import Attribute
from agir.ir.symbolic import SymbolicTensor
from agir.ir.trace import Trace
from agir.ir.types import as_dtype, is_python_number, python_dtype


class OutdatedError(Exception):
    """An attribute holds another kind of array than when the function was traced."""


class Outside:
    """What an attribute of an object of outside holds at each call."""

    __slots__ = ("name", "places")

    def __init__(self, owner: Any, name: str) -> None:
        self.name = name
        self.places: list[tuple[Any, str]] = []
        self.also_in(owner, name)

    def also_in(self, owner: Any, name: str) -> None:
        """Note another attribute that holds the same object."""
        self.places.append((reference_to(owner), name))

    def array(self) -> Any:
        """What the attributes hold now; `OutdatedError` where the trace is not for it."""
        found = [vars(reference()).get(name) for reference, name in self.places]
        if not self._fits(found[0]) or any(each is not found[0] for each in found):
            raise OutdatedError
        return found[0]

    def _fits(self, value: Any) -> bool:
        raise NotImplementedError


class OutsideArray(Outside):
    """An array, by the attributes in which it is found."""

    __slots__ = ("_dtype", "_shape")

    def __init__(self, owner: Any, name: str, array: np.ndarray[Any, Any]) -> None:
        super().__init__(owner, name)
        self._dtype = array.dtype
        self._shape = array.shape

    def _fits(self, value: Any) -> bool:
        same = type(value) is np.ndarray
        return same and value.dtype == self._dtype and value.shape == self._shape


class OutsideNumber(Outside):
    """A number, by the attribute that holds it."""

    __slots__ = ("_kind",)

    def __init__(self, owner: Any, name: str, value: Any) -> None:
        super().__init__(owner, name)
        self._kind = type(value)

    def _fits(self, value: Any) -> bool:
        return type(value) is self._kind


def reference_to(owner: Any) -> Any:
    """A weak reference, or what stands for one."""
    try:
        return weakref.ref(owner)
    except TypeError:  # its class has __slots__ without __weakref__
        return _Strong(owner)


class _Strong:
    """A reference to an object that cannot be referred to weakly."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __call__(self) -> Any:
        return self.value


NUMBERS = (bool, int, float, complex, np.generic)
_CONSTANTS = (*NUMBERS, str, bytes)


def _same(one: Any, other: Any) -> bool:
    """Whether two numbers are of one type and value; -0.0 is not 0.0, and NaN is itself."""
    return type(one) is type(other) and repr(one) == repr(other)


class Guard(NamedTuple):
    """A constant of a trace: the value that an attribute had when the function was traced."""

    reference: Callable[[], Any]
    name: str
    value: Any

    def check(self) -> None:
        """`OutdatedError` where the attribute has another value."""
        found = getattr(self.reference(), "__dict__", {}).get(self.name)
        if found is not self.value and not _same(found, self.value):
            raise OutdatedError


def find(trace: Trace, owner: Any, name: str) -> SymbolicTensor | None:
    """The symbol of an array in an attribute; None for anything else that it may be."""
    array = getattr(owner, "__dict__", {}).get(name)
    if isinstance(array, _CONSTANTS):
        if is_outside(trace, owner) and not _is_assigned(trace, owner, name):
            trace.guards[id(owner), name] = Guard(reference_to(owner), name, array)
        return None
    if type(array) is not np.ndarray or not array.ndim or not is_outside(trace, owner):
        return None
    if _is_assigned(trace, owner, name):
        return None
    try:
        dtype = as_dtype(array.dtype)
    except TypeError:
        return None
    for known, tensor in trace.outside:
        if known is array:
            captured = next(o for o, t in trace.captures if t is tensor)
            captured.also_in(owner, name)
            return tensor
    tensor = trace.capture(OutsideArray(owner, name, array), array, dtype)
    trace.outside.append((array, tensor))
    return tensor


def holds(trace: Trace, owner: Any, name: str, value: Any) -> bool:
    """Whether a value is the symbol of the very array that an attribute holds."""
    array = getattr(owner, "__dict__", {}).get(name)
    return any(tensor is value and known is array for known, tensor in trace.outside)


def place_numbers(trace: Trace) -> None:
    """Put symbols in the place of the numbers that the function assigns to."""
    for (_, name), owner in trace.assigned_numbers.items():
        place = Attribute(owner, name)
        value = place.get()
        dtype = as_dtype(value.dtype) if hasattr(value, "dtype") else python_dtype(value)
        tensor = trace.capture(OutsideNumber(owner, name, value), np.asarray(value), dtype)
        tensor.weak = is_python_number(value)
        trace.journal.note(place)
        place.set(tensor)


def is_outside(trace: Trace, owner: Any) -> bool:
    """Whether it is an object of the user's that the traced function has not made."""
    if isinstance(owner, (type, ModuleType)) or type(owner).__module__.startswith("agir."):
        return False
    return not trace.journal.is_made_here(owner)


def _is_assigned(trace: Trace, owner: Any, name: str) -> bool:
    key = Attribute(owner, name).key
    return any(note.place.key == key for f in trace.journal.frames for note in f.noted.values())
