"""How code in Python that stands for what is written in C is entered from anywhere."""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar, cast

import numpy as np

from agir.autograph.operators import call
from agir.errors import OperandTypeError, StagingError
from agir.ir import hooks
from agir.ir.building import locations
from agir.ir.recording import explained
from agir.ir.tensors import dispatch, markers
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing import trace


def entering(function: Callable[..., Any]) -> Callable[..., Any]:
    """A method that runs the converted function, whether Python or converted code calls it."""

    def method(*args: Any, **kwargs: Any) -> Any:
        return call(function, args, kwargs)

    return method


def refusing(what: str) -> Callable[..., Any]:
    """A method that says that something is not recorded."""

    def method(owner: Any, *_: Any) -> NoReturn:
        message = (
            f"{what} of a {owner.stands_for.__name__} that only the run time knows is not recorded"
        )
        raise StagingError(explained(message))

    return method


F = TypeVar("F", bound=Callable[..., Any])


def refused(what: str) -> NoReturn:
    """Say that something is not recorded."""
    raise StagingError(explained(f"{what} is not recorded"))


def unhashable(value: Any, instead: str) -> NoReturn:
    """Say that a value cannot be a key."""
    message = f"unhashable type: {value.stands_for.__name__!r} of the run time; {instead}"
    raise OperandTypeError(explained(message))


def refused_unless(holds: Any, what: str) -> None:
    """The same where only the run time knows if it is met."""
    current = trace.current()
    if current is not None and is_of_run_time(holds):
        current.guard(holds.ssa, current.refusal("check", f"{what} is not recorded"))
    elif not holds:
        refused(what)


def by_itself(function: F) -> F:
    """A function of the library that is one of the module, too (`agir.ir.functions.library`)."""

    signature = inspect.signature(function)

    @functools.wraps(function)
    def called(*args: Any, **named: Any) -> Any:
        bound = signature.bind(*args, **named)
        bound.apply_defaults()
        current = trace.current()
        if current is None:
            return function(*bound.args)
        return hooks.library.call(current, function, bound.args)

    return cast(F, called)


def rarely(function: F) -> F:
    """The same of a function that most keys, or texts, have no need of: others do not pay for it."""
    function.is_rare = True  # type: ignore[attr-defined]
    return by_itself(function)


class StandIn:
    """What stands for an object of Python's: it says so where it does not have what that has."""

    is_users = True  # an object of the program's, made of its attributes
    stands_for: type
    """The class of Python's or of its library."""

    def __getattr__(self, name: str) -> NoReturn:
        if name == "stands_for" or name.startswith("__"):
            raise AttributeError(name)
        kind = getattr(self, "stands_for", None)
        if kind is None:
            raise AttributeError(name)
        if hasattr(kind, name):
            refusing(f"the method {name}")(self)
        raise AttributeError(f"{kind.__name__!r} object has no attribute {name!r}")


def written(conversion: str) -> Callable[..., Any]:
    """``__str__`` and its like, which stands in a text that Python puts together."""

    def method(owner: Any, spec: str = "") -> Any:
        return hooks.texts.written(owner, conversion, spec, markers.collecting())

    return method


class OfLayout(StandIn):
    """What stands for arrays, records and numbers of a dtype that is no number's.

    The host puts their text together.
    """

    layout_and_arrays: Callable[[], tuple[Any, list[Any]]]
    __str__ = written("s")
    __repr__ = written("r")
    __format__ = written("")

    def __staged_text__(self, conversion: str, spec: str) -> Any:
        return hooks.texts.of_layout(self, conversion, spec)


class OfArrays(StandIn):
    """What stands for an object that is made of arrays, in the memory of the caller's."""

    __called__: str


_STANDING: dict[type, type] = {}


def standing_for(kind: type, base: type) -> type:
    """The class, one of those that are made of arrays, of what stands for objects of a class."""
    if kind not in _STANDING:
        members = {"stands_for": kind, "__hash__": base.__hash__, "__module__": base.__module__}
        _STANDING[kind] = type(kind.__name__, (base,), members)
    return _STANDING[kind]


def is_perhaps_none(value: Any) -> bool:
    """Whether only the run time knows if it is None."""
    return hasattr(type(value), "_may_be_none")


def is_of_library(*values: Any) -> bool:
    """Whether functions by themselves take the values."""
    current = trace.current()
    return current is not None and hooks.library.takes(current, values)


def lifted(number: Any) -> Any:
    """A known number as one of the run time."""
    return hooks.library.lifted(number)


def number_of_object(value: Any) -> Any:
    """The number of an object that is hashed by its identity; or None."""
    return hooks.library.number_of_object(value)


def presence(value: Any) -> Any:
    """Whether a value is not None, which only the run time knows; None of others."""
    return hooks.library.presence(value)


def unless_none(value: Any) -> Any:
    """The value that it is unless it is None."""
    return hooks.values.unchecked(value)


def expect_items(*pairs: tuple[list[Any], Any]) -> None:
    """Tell lists what each of them will get."""
    hooks.library.expect_items(pairs)


def fill(keys: list[Any]) -> None:
    """See to it that the keys of what the caller gets can be asked for their hashes."""
    hooks.library.fill(keys)


def codes_of_one(value: Any) -> Any:
    """The code points of one of several known texts, or None."""
    return hooks.texts.codes_of_one(value)


def encoded(value: Any, encoding: str, errors: str) -> Any:
    """``text.encode``"""
    return hooks.texts.encoded(value, encoding, errors)


def decoded(value: Any, encoding: str, errors: str) -> Any:
    """``data.decode``"""
    return hooks.texts.decoded(value, encoding, errors)


def text_of_bytes(values: Any, spec: str) -> Any:
    """The text of bytes of the run time."""
    return hooks.texts.of_bytes(values, spec)


_FEW, _TABLES = 2, 1
"""At so many places of a program's loops, if it has so many tables, more is recorded than a call."""


def is_in_few_loops() -> bool:
    """Whether recording stands in a loop, at one of the first places of which that is asked."""
    current = trace.current()
    if current is None or not current.scope.repeats_since(current.root):
        return False
    if len(current.tables_made) > _TABLES:
        return False  # what frees their lists would be long
    place = tuple(map(locations.position, current.frames()))
    if len(current.written_out) < _FEW:
        current.written_out.add(place)
    return place in current.written_out


def is_known_empty(items: list[Any]) -> bool:
    """Whether tracing knows that there is nothing in a list of a table."""
    return not getattr(items, "is_staged", False) and not list.__len__(items)


def is_by_number(items: list[Any]) -> bool:
    """Whether a list is known by its number, so that functions change it where it lies."""
    return getattr(items, "reference", None) is not None


def as_known(number: Any) -> int:
    """A number that says how long tuples are: an argument's is a constant from then on."""
    return operator.index(number)


def is_of_run_time(number: Any) -> bool:
    """Whether only the run time knows a number."""
    return isinstance(number, SymbolicTensor)


def may_be_known(number: Any) -> bool:
    """Whether tracing knows a number, or would if it were asked for."""
    current = trace.current()
    if current is None or not isinstance(number, SymbolicTensor):
        return True
    return current.known_numbers.may_be_known(number.ssa, current.root.block)


def names_are_attributes() -> bool:
    """Whether fields of records are attributes of all of them, as Numba has it."""
    current = trace.current()
    return current is not None and current.convention.numbers_are_strong


_LAYOUTS: dict[Any, Any] = {}


def one_of_equal(layout: Any) -> Any:
    """The dtype that stands for all that are equal to it, so that branches can tell they are one."""
    return _LAYOUTS.setdefault((layout, layout.type, layout.isalignedstruct), layout)


def resolved_dtypes(ufunc: Any, kinds: tuple[Any, ...]) -> tuple[Any, ...]:
    """The dtypes in which a ufunc of NumPy's computes, and those of its results."""
    try:
        return ufunc.resolve_dtypes((*kinds, *[None] * ufunc.nout))  # type: ignore[no-any-return]
    except TypeError as error:
        raise dispatch.located(TypeError(str(error)), trace.current()) from None


def has_loop(ufunc: Any, kinds: tuple[Any, ...]) -> bool:
    """Whether a ufunc of NumPy's takes such operands."""
    try:
        ufunc.resolve_dtypes((*kinds, *[None] * ufunc.nout))
    except TypeError:
        return False
    return True


def ticks_of(array: Any) -> Any:
    """The memory of an array of dates or differences, as that of numbers."""
    return array.view(np.dtype(np.int64).newbyteorder(array.dtype.byteorder))


def known_ticks(value: Any, like: Any) -> tuple[Any, Any]:
    """The dtype of known dates or differences, and how many units they are.

    Texts, numbers and None are of the dtype `like`.
    """
    known = np.asarray(value)
    if known.dtype.kind not in "mM":
        known = np.asarray(value, like)
    known = known.astype(known.dtype.newbyteorder("="))
    return known.dtype, known.view(np.int64) if known.ndim else int(known.view(np.int64))


def is_known_text(value: Any) -> bool:
    """Whether it is a text that tracing knows."""
    return type(value) is str


def unbound(values: list[Any]) -> Any:
    """A list of a table: no loop is unrolled so that its length stays known.

    A number in brackets after it is taken for that of an item, from 0 on: nothing checks it.
    """
    current = trace.current()
    assert current is not None, "tables are of a trace"
    return unchecked(current.made(values))


def unchecked(values: Any) -> Any:
    """A list of the library, places in which are numbers of items, from 0 on."""
    if type(values) is not list:
        values.is_of_table = True
    return values


def unset_ints(count: Any) -> Any:
    """A list of the library of so many ints, each of which gets its value before it is asked for."""
    current = trace.current()
    return [0] * count if current is None else unchecked(current.made([0]).unset(count))


def represented(function: Callable[..., Any]) -> Callable[..., Any]:
    """What writes the text of a table, as a method that is asked for it while tracing."""

    def method(owner: Any, conversion: str, spec: str) -> Any:
        hooks.texts.need_codes(trace.current())
        made = call(function, (owner,), {})
        return call(format, (made, spec), {}) if spec else made

    return method


def staged_text(value: Any, conversion: str, spec: str) -> Any:
    """What is printed of a text of the run time."""
    codes = call(hooks.texts.codes_of, (value,), {})
    return hooks.texts.coded(codes, conversion, spec)
