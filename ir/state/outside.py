"""What lies outside of a traced function and may change between calls: attributes and names.

Under NumPy's conventions ``self.u[1:-1] += ...`` in a method changes the object's array, and so does
``U[1:-1] += ...`` where ``U`` is a name of the module or of an enclosing function.  So an array that a
trace finds there becomes a further argument of the compiled function, which reads and writes it where
it lies.  Which array that is each call finds out anew; one of another type makes another trace.  A
number is a constant of the trace, which is for what holds this number, unless the function assigns to
the attribute (``self.steps += 1``): then the trace begins anew with the number as a run-time scalar.
Containers of these are in ``ir/state/outside_containers.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import attrgetter
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from agir.autograph import operators
from agir.autograph.operators import Names, Undefined
from agir.autograph.operators.places import Attribute, Contents, Entry, FreeVariable, Place
from agir.errors import StagingError
from agir.ir.building.types import as_dtype, is_python_number, python_dtype
from agir.ir.plain import sparse, times
from agir.ir.plain.entering import ticks_of
from agir.ir.plain.records import NamedRecords, Records, is_array_of_records, of_fields
from agir.ir.state.held import (
    MISSING,
    Path,
    attribute,
    held,
    is_computed,
    key_of,
    reference_to,
)
from agir.ir.state.outside_containers import NUMBERS, container, fits, sketched
from agir.ir.tensors.staged import Staged
from agir.ir.tensors.symbolic import Retrace, SymbolicTensor
from agir.ir.tracing import opened
from agir.ir.tracing.outdated import OutdatedError
from agir.ir.tracing.trace import Trace


class Outside:
    """What an attribute, or a name, of outside holds at each call."""

    __slots__ = ("name", "places")

    def __init__(self, owner: Any, name: str, path: Path = ()) -> None:
        self.name = name
        self.places: list[tuple[Callable[[], Any], str, Path]] = []
        self.also_in(owner, name, path)

    def also_in(self, owner: Any, name: str, path: Path = ()) -> None:
        """Note another place that holds the same object, if it is not known yet."""
        known = (ref() is owner and (n, p) == (name, path) for ref, n, p in self.places)
        if not any(known):
            self.places.append((reference_to(owner), name, path))

    def array(self) -> Any:
        """What the places hold now; `OutdatedError` where the trace is not for it."""
        found = [held(*place) for place in self.places]
        if not self._fits(found[0]) or any(each is not found[0] for each in found):
            raise OutdatedError
        return found[0]

    def is_current(self) -> bool:
        """Whether the places hold what the trace is for."""
        try:
            self.array()
        except OutdatedError:
            return False
        return True

    def _fits(self, value: Any) -> bool:
        raise NotImplementedError


class OutsideArray(Outside):
    """An array, by the places in which it is found."""

    __slots__ = ("_dtype", "_shape")

    def __init__(self, owner: Any, name: str, array: np.ndarray[Any, Any], path: Path = ()) -> None:
        super().__init__(owner, name, path)
        self._dtype = array.dtype
        self._shape = array.shape

    def _fits(self, value: Any) -> bool:
        same = type(value) is np.ndarray
        return same and value.dtype == self._dtype and value.shape == self._shape


class OutsideValue(Outside):
    """A number or an array, by the attribute, name or entry that the function assigns to."""

    __slots__ = ("_kind", "_read")

    def __init__(self, place: Place) -> None:
        self.name = place.name
        self.places = []
        self._kind = _kind(place.get())
        self._read = place.get
        if isinstance(place, Attribute):
            self.also_in(place.owner, place.attribute)
            self._read = partial(held, reference_to(place.owner), place.attribute)

    def array(self) -> Any:
        """What is there now; `OutdatedError` where it is of another type."""
        found = self._read()
        if _kind(found) != self._kind:
            raise OutdatedError
        return found


def _kind(value: Any) -> Any:
    array = type(value) is np.ndarray
    return (value.dtype, value.shape) if array else type(value)


class Guard(NamedTuple):
    """A constant of a trace: a sketch of what a place held when the function was traced."""

    reference: Callable[[], Any]
    name: str
    sketch: Any

    def check(self) -> None:
        """`OutdatedError` where the place holds something else."""
        if not self.holds():
            raise OutdatedError

    def is_alive(self) -> bool:
        """Whether there is still such an object: one that only the trace had is no more."""
        return self.reference() is not None

    def holds(self) -> bool:
        """Whether the place holds what it held when the function was traced."""
        return fits(self.sketch, held(self.reference, self.name, default=MISSING))


class PlaceGuard(NamedTuple):
    """The same of a variable of an enclosing function, a global name, or an entry."""

    place: Place
    sketch: Any

    def is_alive(self) -> bool:
        """True: it has the place."""
        return True

    def check(self) -> None:
        """`OutdatedError` where the place holds something else."""
        if not self.holds():
            raise OutdatedError

    def holds(self) -> bool:
        """Whether the place holds what it held when the function was traced."""
        value = self.place.get()
        return fits(self.sketch, MISSING if isinstance(value, Undefined) else value)


_PLAIN = (*NUMBERS, str, bytes, type(None), tuple)


def guard_before(trace: Trace, place: Place, before: Any, after: Any) -> None:
    """The trace is for what a place held that is assigned to: perhaps not on every path.

    An object that it held is of no consequence where nothing has read it.
    """
    value = MISSING if isinstance(before, Undefined) else before
    plain = value is MISSING or isinstance(value, _PLAIN)
    if isinstance(value, SymbolicTensor) or not (plain or isinstance(after, Staged)):
        return
    if isinstance(place, Attribute):
        _guard(trace, place.owner, place.attribute, value)
    else:
        trace.guards.setdefault(place.key, PlaceGuard(place, sketched(value)))


_FUNCTIONS = (FunctionType, BuiltinFunctionType, np.ufunc, partial)


def guard_functions(trace: Trace, owner: Any) -> None:
    """The trace is for the functions that an object holds: calls of them do not tell of the object."""
    if not trace.convention.arrays_are_mutable or isinstance(
        owner, (type, ModuleType, *_FUNCTIONS)
    ):
        return
    if not is_outside(trace, owner):
        return
    for name, value in getattr(owner, "__dict__", {}).items():
        if isinstance(value, _FUNCTIONS):
            _guard(trace, owner, name, value)


def find(trace: Trace, owner: Any, name: str) -> Any:
    """What stands for an array, or a container of arrays, in an attribute; None for anything else."""
    if not (is_outside(trace, owner) or is_class(trace, owner)) or _is_assigned(trace, owner, name):
        return None
    if any(each is owner for each in trace.examples):  # its type is part of the call's
        return None
    value = attribute(owner, name, MISSING)
    if value is MISSING:
        if not is_computed(owner, name):
            _guard(trace, owner, name, value)
        return None
    if isinstance(owner, (type, ModuleType)) and (callable(value) or hasattr(value, "__get__")):
        return None  # as names of functions and classes are
    found = _found(trace, owner, name, value)
    if found is None:
        _guard(trace, owner, name, value)
        guard_functions(trace, value)
    return found


class Renew(Retrace):
    """A number or array of outside turned out to be assigned to, so it is no constant."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.endless = f"{place.name} {_ENDLESS}"

    def tell(self, trace: Trace) -> None:
        """The place is passed at each call."""
        trace.assigned_numbers[self.place.key] = self.place


_ENDLESS = (
    "is assigned to in a branch or loop that depends on run-time values, and lies in another object "
    "each time the function is traced: make that object in the function, or pass it in"
)


def writing(trace: Trace, place: Place) -> None:
    """A place is assigned to, perhaps not on every path: an array that it holds is an argument.

    Where it is a name, the trace begins anew.
    """
    if place.key in trace.assigned_numbers or not trace.convention.arrays_are_mutable:
        return
    if _is_of_nowhere(trace, place):
        operators.watch_operators(trace.frames())
    if isinstance(place, Attribute) and trace.scope is not trace.root:
        if not (is_outside(trace, place.owner) or is_class(trace, place.owner)):
            return
        value = place.get()
        if type(value) is np.ndarray:
            tensor = find(trace, place.owner, place.attribute)
            if tensor is not None:
                trace.journal.frames[0].note(place)
                place.set(tensor)
        elif not _is_assigned(trace, place.owner, place.attribute):
            guard_before(trace, place, value, None)
    if isinstance(place, Attribute):
        return
    if isinstance(place, FreeVariable):
        is_name = id(place.owner) in trace.cells
    else:
        is_name = isinstance(place, Entry) and place.absence == "unbound"
    if is_name and type(value := place.get()) is np.ndarray and value.ndim:
        raise Renew(place)


def _is_of_nowhere(trace: Trace, place: Place) -> bool:
    """Whether a dict or set that is written to is neither of outside nor known to be made here."""
    if not isinstance(place, Entry | Contents) or not isinstance(place.owner, dict | set):
        return False
    return not trace.journal.is_known(place.owner) and id(place.owner) not in trace.met


def find_name(trace: Trace, names: Names, name: str, value: Any) -> Any:
    """The same for a name of a module or of an enclosing function."""
    if isinstance(value, SymbolicTensor):
        return None
    found = _found(trace, names, name, value)
    if found is None:
        _guard(trace, names, name, value)
        guard_functions(trace, value)
    return found


def _guard(trace: Trace, owner: Any, name: str, value: Any) -> None:
    """The trace is for what the place held when it was read first, if that can change."""
    key = key_of(owner), name
    if key not in trace.guards and not _is_fixed(owner, name):
        trace.guards[key] = Guard(reference_to(owner), name, sketched(value))


_LIBRARY = "agir.ir.plain."


def _is_fixed(owner: Any, name: str) -> bool:
    """Whether nobody assigns to a place: an attribute of text, say, or a name of our own library."""
    if isinstance(owner, Names):
        module = owner.module(name)
        return module is not None and module.__name__.startswith(_LIBRARY)
    return type(owner) in _WITHOUT_PLACES


_WITHOUT_PLACES = frozenset((bool, int, float, complex, str, bytes, tuple, type(None)))


def _found(trace: Trace, owner: Any, name: str, value: Any) -> Any:
    trace.meets(type(value))
    opened.met(trace, owner, name, value, key_of(owner))
    if type(value) is np.ndarray or is_array_of_records(value):
        return capture(trace, owner, name, value)
    for original, known in trace.containers:
        if original is value:
            return known
    if sparse.is_sparse(value):
        return _sparse(trace, owner, name, value)
    if sparse.is_of_other_format(value):
        said = sparse.OTHER_FORMAT.format(type(value).__name__, name)
        raise StagingError(trace.explain(f"{name} {said}"))
    found = container(value, (), lambda array, path: capture(trace, owner, name, array, path))
    if found is not None:
        _guard(trace, owner, name, value)
        trace.containers.append((value, found))
    return found


def capture(
    trace: Trace, owner: Any, name: str, array: np.ndarray[Any, Any], path: Path = ()
) -> Any:
    """The symbol of an array of outside; None where no trace can take it."""
    if not array.ndim:
        return None
    if is_array_of_records(array):
        return _records(trace, owner, name, array, path)
    if times.is_of_time(array.dtype):
        return _times(trace, owner, name, array, path)
    try:
        dtype = as_dtype(array.dtype)
    except TypeError:
        return None
    for known, tensor in trace.outside:
        if known is array:
            captured = next(o for o, t in trace.captures if t is tensor)
            captured.also_in(owner, name, path)
            return tensor
    tensor = trace.capture(OutsideArray(owner, name, array, path), array, dtype)
    trace.outside.append((array, tensor))
    return tensor


def _times(trace: Trace, owner: Any, name: str, array: Any, path: Path) -> Any:
    """What stands for an array of dates or differences of outside."""
    for original, known in trace.containers:
        if original is array:
            return known
    ticks = capture(trace, owner, name, ticks_of(array), (*path, ticks_of))
    made = times.made_of(array.dtype, ticks)
    trace.containers.append((array, made))
    trace.journal.given(made)
    if not path:
        _guard(trace, owner, name, array)
    return made


def _records(trace: Trace, owner: Any, name: str, array: Any, path: Path) -> Any:
    """What stands for a structured array of outside, with a symbol for each field."""
    for original, known in trace.containers:
        if original is array:
            return known

    def column(way: tuple[str, ...], inner: Any) -> Any:
        found = array
        for each in way:
            found = found[each]
        return capture(trace, owner, name, found.view(np.ndarray), (*path, *way))

    kind = NamedRecords if isinstance(array, np.recarray) else Records
    made = of_fields(kind, array.dtype, column)
    trace.containers.append((array, made))
    trace.journal.given(made)
    if not path:
        _guard(trace, owner, name, array)
    return made


def _sparse(trace: Trace, owner: Any, name: str, matrix: Any) -> Any:
    """What stands for a sparse matrix of outside."""
    arrays = [
        capture(trace, owner, name, getattr(matrix, each), (attrgetter(each),))
        for each in ("data", "indices", "indptr")
    ]
    made = sparse.kind_of(type(matrix).__name__)(*matrix.shape, *arrays)
    trace.containers.append((matrix, made))
    trace.journal.given(made)
    _guard(trace, owner, name, matrix)
    return made


def holds(trace: Trace, owner: Any, name: str, value: Any) -> bool:
    """Whether a value is the symbol of the very array that an attribute holds, in this trace."""
    array = attribute(owner, name)
    found = next((t for known, t in trace.outside if t is value and known is array), None)
    if found is None:
        return False
    captured = next(each for each, tensor in trace.captures if tensor is found)
    captured.also_in(owner, name)
    return True


def place_numbers(trace: Trace) -> None:
    """Put symbols in the place of the numbers, and arrays, that the function assigns anew."""
    for place in trace.assigned_numbers.values():
        value = place.get()
        dtype = as_dtype(value.dtype) if hasattr(value, "dtype") else python_dtype(value)
        tensor = trace.capture(OutsideValue(place), np.asarray(value), dtype)
        tensor.weak = is_python_number(value)
        trace.journal.note(place)
        place.set(tensor)


def is_outside(trace: Trace, owner: Any) -> bool:
    """Whether it is an object or a module of the user's that the traced function has not made."""
    if isinstance(owner, ModuleType):
        return owner.__name__.partition(".")[0] not in _LIBRARIES
    if isinstance(owner, type) or type(owner).__module__.startswith("agir."):
        return False
    return not trace.journal.is_made_here(owner)


def is_class(trace: Trace, owner: Any) -> bool:
    """Whether it is a class of the user's, of which attributes are read: ``Settings.rate``."""
    if not isinstance(owner, type) or owner.__module__.partition(".")[0] in _LIBRARIES:
        return False
    return not trace.journal.is_made_here(owner)


_LIBRARIES = ("agir", "builtins", "numpy", "math", "enum")


def _is_assigned(trace: Trace, owner: Any, name: str) -> bool:
    key = Attribute(owner, name).key
    return any(note.place.key == key for f in trace.journal.frames for note in f.noted.values())
