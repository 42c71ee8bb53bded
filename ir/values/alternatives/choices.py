"""One of several alternatives: what a variable is where branches leave different strings, functions
or objects in it, or values of different kinds.

The number of the alternative exists at run time, and what each of them is made of.  What is done
with such a value is recorded once for each alternative, and run for the one that it is; what the
function returns is looked up by the caller.
"""

from __future__ import annotations

import functools
import itertools
import operator
import types
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, NoReturn

import numpy as np

from agir.autograph import operators
from agir.autograph.operators import State, Undefined, changed
from agir.errors import (
    AgirError,
    OperatorNotAllowedInGraphError,
    StagingError,
    UsageError,
    message,
)
from agir.ir.building.cells import Scope
from agir.ir.building.types import DType, bool_, int64
from agir.ir.emission import emit
from agir.ir.emission.failing import Unreachable
from agir.ir.emission.truth import as_bool, as_pythons, truth
from agir.ir.tensors import structure
from agir.ir.tensors.staged import Staged, Written, known_as
from agir.ir.tensors.symbolic import Retrace, SymbolicTensor
from agir.ir.tracing import trace as traces
from agir.ir.tracing.trace import Trace
from agir.ir.values import text
from agir.ir.values.abstract_values import (
    JOINS,
    KINDS,
    AbstractValue,
    JoinError,
    Static,
    Structure,
    Take,
    Typed,
    Wrap,
    abstract_of,
    join,
)

ALTERNATIVES_LIMIT = 32
"""A variable that could be one of more values is refused: each is recorded apart."""

_NAMES = ("__name__", "__qualname__", "__doc__")
"""What a program asks classes and functions for, and no protocol."""
ITEMS_LIMIT = 1000
"""So many items, or no end of them, are not unpacked."""


@known_as("one of several values")
class Chosen(Written):
    """One of several values, by a number known only at run time."""

    _OWN = frozenset(["_trace", "_index", "_values"])

    def __init__(self, trace: Trace, index: SymbolicTensor, values: tuple[Any, ...]) -> None:
        self._trace = trace
        self._index = index
        self._values = values

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """The class of all the values, if it is a user's: for code that is not converted."""
        kinds = set(map(type, self._values))
        has_parts = len(kinds) == 1 and structure.attributes(self._values[0]) is not None
        return kinds.pop() if has_parts else Chosen

    def each(self, function: Callable[[Any], Any]) -> Any:
        """The function of the value: recorded for every one, run for the one that it is."""
        of = self._trying(function)

        def at(position: int) -> Any:
            if position + 1 == len(self._values):
                return of(position)
            here = self._index == position
            return operators.if_exp(here, lambda: of(position), lambda: at(position + 1))

        return at(0)

    def _trying(self, function: Callable[[Any], Any]) -> Callable[[int], Any]:
        """The function of each alternative, by its position; errors are those of the run time."""
        failed: set[int] = set()

        def of(position: int) -> Any:
            try:
                return function(self._values[position])
            except tuple(_RAISED) as error:
                if isinstance(error, AgirError) and not isinstance(error, UsageError):
                    raise
                failed.add(position)  # a branch may be recorded more than once
                return self._raise(error, len(failed))

        return of

    def _raise(self, error: Exception, count: int) -> Any:
        """Raise when the program runs, if it comes to this alternative; now, if none fits."""

        trace = self._trace
        if count == len(self._values):
            raise StagingError(
                trace.explain(
                    f"a value that is {self._described()}, depending on the path taken at run "
                    f"time, is used in a way that does not fit any of these: {message(error)}"
                )
            ) from error
        kind = next(name for each, name in _RAISED.items() if isinstance(error, each))
        with trace.at_user_line():
            site = replace(trace.site(kind, message(error)), is_deferred=True)
            trace.guard(trace.constant(bool_, False), site)
        raise Unreachable

    def iterate(self, loop: Callable[[Any], None], state: State) -> None:
        """A loop over the value: recorded for each alternative."""
        of = self._trying(loop)

        def at(position: int) -> None:
            if position + 1 == len(self._values):
                of(position)
                return
            operators.if_stmt(
                self._index == position,
                lambda: of(position),
                lambda: at(position + 1),
                state,
            )

        at(0)

    def _described(self) -> str:
        return " or ".join(abstract_of(self._trace, value).describe() for value in self._values)

    def operand(self) -> Any:
        """Refused: an operation takes one type; of variables, it takes the value."""
        arrays = (SymbolicTensor, list)
        if all(isinstance(value, arrays) or _has_operand(value) for value in self._values):
            return self.each(self._as_array)
        raise StagingError(
            self._trace.explain(
                f"a value that is {self._described()}, depending on the path taken at run time, is "
                "used as a tensor; give it one type on all paths"
            )
        )

    def _as_array(self, value: Any) -> Any:
        if _has_operand(value):
            return value.operand()
        return emit.lift(self._trace, value) if isinstance(value, list) else value

    def truth(self, trace: Trace) -> Any:
        """The truth of the value that it is."""
        return truth(trace, self.matches(functools.partial(as_bool, trace)))

    def matches(self, predicate: Callable[[Any], Any]) -> Any:
        """Whether a predicate holds: a bool where that is known, else a bool scalar."""
        if any(isinstance(abstract_of(self._trace, value), Typed) for value in self._values):
            return self.each(predicate)
        table = [predicate(value) for value in self._values]
        if not all(isinstance(each, bool) for each in table):
            return self.each(predicate)
        if len(set(table)) == 1:
            return table[0]
        found = [self._index == position for position, holds in enumerate(table) if holds]
        return as_pythons(self._trace, functools.reduce(operator.or_, found))

    def __eq__(self, other: object) -> Any:
        if isinstance(other, Chosen):
            return other.each(lambda value: self == value)
        return self.matches(lambda value: operators.compare("eq", value, other))

    def __ne__(self, other: object) -> Any:
        if isinstance(other, Chosen):
            return other.each(lambda value: self != value)
        return self.matches(lambda value: operators.compare("ne", value, other))

    def __hash__(self) -> int:
        return self._refuse("hash()")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name not in _NAMES:
            raise AttributeError(name)
        try:
            return self._part(name)
        except Retrace:
            for other in self._names():  # so that the next trace knows of all at once
                with suppress(Exception, Retrace):
                    self._part(other)
            raise

    def _part(self, name: str) -> Any:
        return self.each(lambda value: operators.get_attr(value, name))

    def _names(self) -> list[str]:
        """The attributes of the values, as far as they are known and the same."""
        keys = {found[0] for each in self._values if (found := structure.attributes(each))}
        return list(keys.pop()[1]) if len(keys) == 1 else []

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._OWN:
            object.__setattr__(self, name, value)
        else:
            self.each(lambda owner: operators.set_attr(owner, name, value))

    def __getitem__(self, key: Any) -> Any:
        return self.each(lambda value: operators.get_item(value, key))

    def __setitem__(self, key: Any, value: Any) -> None:
        self.each(lambda owner: operators.set_item(owner, key, value))

    def __delitem__(self, key: Any) -> None:
        self.each(lambda owner: operators.del_item(owner, key))

    def __bool__(self) -> bool:
        return self._refuse("the truth of it")

    def __iter__(self) -> Any:
        items = self.each(lambda value: tuple(itertools.islice(value, ITEMS_LIMIT)))
        if not isinstance(items, tuple) or len(items) == ITEMS_LIMIT:
            self._refuse("iteration over it")
        return iter(items)

    def __enter__(self) -> Any:
        return self.each(lambda value: operators.call(type(value).__enter__, (value,), {}))

    def __exit__(self, *details: Any) -> Any:
        return self.each(lambda value: operators.call(type(value).__exit__, (value, *details), {}))

    def __len__(self) -> int:
        return self._refuse("its length")

    def _refuse(self, what: str) -> NoReturn:
        self._trace.ask(self._index.ssa)
        raise OperatorNotAllowedInGraphError(
            self._trace.explain(
                f"{what} is asked for by Python, of a value that is {self._described()}, depending "
                "on the path taken at run time"
            )
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call what it is."""
        return self.each(lambda value: operators.call(value, args, kwargs))

    def __staged_text__(self, conversion: str, spec: str) -> Any:
        options = [text.text_of(value, conversion, spec) for value in self._values]
        return text.chosen(self._index, options)

    def as_text(self) -> Any:
        """The text that it is, if all the values are strings."""
        strings = all(isinstance(value, (str, text.StagedText)) for value in self._values)
        return self.__staged_text__("s", "") if strings else self


def one_of(trace: Trace, index: SymbolicTensor, values: Sequence[Any]) -> Chosen:
    """The value of a number; where that is one of several itself, these are among the values.

    Else a loop that puts such a value among others, again and again, would nest them without end.
    """
    inner = [each._values if type(each) is Chosen else (each,) for each in values]
    firsts = list(itertools.accumulate(map(len, inner[:-1]), initial=0))
    if firsts == list(range(len(values))) and len(inner[-1]) == 1:
        return Chosen(trace, index, tuple(values))
    number = translated(trace, index, firsts)
    for position, (first, value) in enumerate(zip(firsts, values, strict=True)):
        if type(value) is Chosen:
            here = trace.compare("eq", index.ssa, trace.constant(int64, position))
            start = trace.constant(int64, first)
            own = trace.op("arith.addi", start.type, value._index.ssa, start)
            number = emit.select(trace, here, own, number)
    flat = tuple(itertools.chain.from_iterable(inner))
    return Chosen(trace, trace.make(number, int64, ()), flat)


def _has_operand(value: Any) -> bool:
    return isinstance(value, Staged) and value.has_operand


_RAISED: dict[type[Exception], str] = {
    TypeError: "type",
    AttributeError: "attribute",
    KeyError: "key",
    IndexError: "no_item",
}
"""The exceptions that become errors at run time where an alternative raises them."""

_BUILTIN = (types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType)
_OF_NUMPY = (np.ufunc, type(np.take))
_STORING = (dict, type, id, object)


def distributed(function: Any, args: tuple[Any, ...]) -> Callable[..., Any] | None:
    """A function of Python's own that meets alternatives: called for each of them."""
    position = next((n for n, each in enumerate(args) if isinstance(each, Chosen)), None)
    if position is None or not _looks_at_its_arguments(function, args):
        return None

    def call(*args: Any, **kwargs: Any) -> Any:
        chosen: Chosen = args[position]
        before, after = args[:position], args[position + 1 :]
        return chosen.each(lambda value: operators.call(function, (*before, value, *after), kwargs))

    return call


def _looks_at_its_arguments(function: Any, args: tuple[Any, ...]) -> bool:
    if isinstance(function, type):
        asks = function is type and len(args) == 1
        return function.__module__ == "builtins" and (asks or function not in _STORING)
    if isinstance(function, _OF_NUMPY):
        return True
    return isinstance(function, _BUILTIN) and changed(function, args) is None


def _binary(name: str, apply: Callable[[str, Any, Any], Any]) -> tuple[Any, Any]:
    def method(self: Chosen, other: Any) -> Any:
        if isinstance(other, Chosen):
            return other.each(lambda value: method(self, value))
        return self.each(lambda value: apply(name, value, other))

    def reflected(self: Chosen, other: Any) -> Any:
        return self.each(lambda value: apply(name, other, value))

    return method, reflected


def _unary(name: str) -> Any:
    return lambda self: self.each(functools.partial(operators.unary, name))


_ARITHMETIC = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul")
_BITWISE = ("and_", "or_", "xor", "lshift", "rshift")
for _name in (*_ARITHMETIC, *_BITWISE):
    _method, _reflected = _binary(_name, operators.binary)
    setattr(Chosen, f"__{_name.strip('_')}__", _method)
    setattr(Chosen, f"__r{_name.strip('_')}__", _reflected)
for _name in ("lt", "le", "gt", "ge"):
    setattr(Chosen, f"__{_name}__", _binary(_name, operators.compare)[0])
for _name in ("neg", "pos", "invert"):
    setattr(Chosen, f"__{_name}__", _unary(_name))


@dataclass(frozen=True)
class Choice(AbstractValue):
    """One of several alternatives: its number, and what carries each of them."""

    alternatives: tuple[AbstractValue, ...]

    def __post_init__(self) -> None:
        """Alternatives that are equal, or have become so, are one; those of a choice are its own."""
        found = self.alternatives
        parts = (each.alternatives if isinstance(each, Choice) else (each,) for each in found)
        kept: list[AbstractValue] = []
        for each in itertools.chain.from_iterable(parts):
            if each not in kept:
                kept.append(each)
        object.__setattr__(self, "alternatives", tuple(kept))

    @property
    def has_fixed_size(self) -> bool:
        """Whether it can be an item of lists that lie side by side."""
        return all(each.has_fixed_size for each in self.alternatives)

    @property
    def settling(self) -> str:
        """What to do where a loop adds alternatives in each iteration: what is to do with the last."""
        return self.alternatives[-1].settling

    def types(self) -> list[Any]:
        """The MLIR types that carry the abstract value."""
        return [int64.mlir(), *(t for each in self.alternatives for t in each.types())]

    def dtypes(self) -> list[DType]:
        """The element types of what carries the abstract value."""
        return [int64, *(d for each in self.alternatives for d in each.dtypes())]

    def pack(self, trace: Trace, value: Any) -> list[Any]:
        """The SSA values that carry the Python value."""
        if not isinstance(value, Chosen):
            number = self._number(trace, value)
            return [trace.constant(int64, number), *self._payload(trace, {number: [(0, value)]})]
        numbers = [self._number(trace, each) for each in value._values]
        values: dict[int, list[tuple[int, Any]]] = {}
        for position, (number, each) in enumerate(zip(numbers, value._values, strict=True)):
            values.setdefault(number, []).append((position, each))
        payload = self._payload(trace, values, value._index)
        if numbers == list(range(len(numbers))):
            return [value._index.ssa, *payload]
        return [translated(trace, value._index, numbers), *payload]

    def _payload(
        self,
        trace: Trace,
        values: dict[int, list[tuple[int, Any]]],
        index: SymbolicTensor | None = None,
    ) -> list[Any]:
        """What carries each alternative: by its number the values that may be it, each at an index."""
        payload = []
        for number, abstract in enumerate(self.alternatives):
            (_, first), *others = values.get(number) or [(0, None)]
            parts = abstract.pack(trace, first) if number in values else abstract.placeholder(trace)
            for position, value in others:
                assert index is not None, "one value is one alternative"
                here = trace.compare("eq", index.ssa, trace.constant(int64, position))
                pairs = zip(abstract.pack(trace, value), parts, strict=True)
                parts = [emit.select(trace, here, new, old) for new, old in pairs]
            payload += parts
        return payload

    def _number(self, trace: Trace, value: Any) -> int:
        # arrays from outside of the branch, or of the loop that begins, may be themselves in an
        # alternative
        arounds = (None, trace.scope.parent, trace.scope)
        abstract_values = [abstract_of(trace, value, around) for around in arounds]
        numbers = (
            n
            for abstract in abstract_values
            for n, each in enumerate(self.alternatives)
            if _holds(each, abstract)
        )
        found = next(numbers, None)
        assert found is not None, "a value joined into a choice is one of its alternatives"
        return found

    def unpack(self, trace: Trace, carried: list[Any]) -> Any:
        """The Python value, from SSA values taken off the front of ``carried``."""
        index = trace.make(carried.pop(0), int64, ())
        values = tuple(each.unpack(trace, carried) for each in self.alternatives)
        return values[0] if len(values) == 1 else one_of(trace, index, values)

    def placeholder(self, trace: Trace) -> list[Any]:
        """Values that stand where there is none."""
        return [trace.constant(int64, 0), *self._payload(trace, {})]

    def assemble(self, take: Take, wrap: Wrap) -> Any:
        """The value for the caller."""
        index, found = int(take()), None
        for number, each in enumerate(self.alternatives):
            if number == index:
                found = each.assemble(take, wrap)
            else:
                each.skip(take)
        return found

    def describe(self) -> str:
        """The abstract value in the words of an error message."""
        return " or ".join(each.describe() for each in self.alternatives)

    def outside(self, scope: Scope) -> AbstractValue:
        """The abstract value as it is seen from outside the region that made it."""
        return Choice(tuple(each.outside(scope) for each in self.alternatives))

    def join(self, name: str, other: AbstractValue, strict: bool) -> AbstractValue | None:
        """The least abstract value that holds this one and the other.

        Or None if it is not this kind's.
        """
        if isinstance(other, Static) and isinstance(other.value, Undefined):
            return None
        more = other.alternatives if isinstance(other, Choice) else (other,)
        return Choice(functools.reduce(functools.partial(_with, name), more, self.alternatives))


def _holds(alternative: AbstractValue, abstract: AbstractValue) -> bool:
    """Whether an alternative has become what it is by joining the abstract value, too."""
    alternative, abstract = _as_number(alternative), _as_number(abstract)
    if isinstance(abstract, Structure):  # lists of two lengths have become one of any length
        return abstract == alternative or _joined("", alternative, abstract) == alternative
    return _together("", alternative, abstract) == alternative


def _as_number(abstract: AbstractValue) -> AbstractValue:
    """The abstract value of a number, whatever else has it: it never changes."""
    is_number = isinstance(abstract, Typed) and not abstract.dims and not abstract.array
    return replace(abstract, shared=False) if is_number else abstract  # type: ignore[type-var]


def _together(name: str, one: AbstractValue, other: AbstractValue) -> AbstractValue | None:
    """The alternative that two become, or None if they stay two."""
    if one == other:
        return one
    if isinstance(one, Static) or isinstance(other, Static) or one.family is not other.family:
        return None
    return _joined(name, one, other)


def _joined(name: str, one: AbstractValue, other: AbstractValue) -> AbstractValue | None:
    try:
        found = join(name, one, other)
    except JoinError:
        return None
    return None if isinstance(found, Choice) else found


def _with(
    name: str, alternatives: tuple[AbstractValue, ...], new: AbstractValue
) -> tuple[AbstractValue, ...]:
    """The alternatives with one more, which may be one of them already."""
    for position, each in enumerate(alternatives):
        found = _together(name, each, new)
        if found is not None:
            return (*alternatives[:position], found, *alternatives[position + 1 :])
    if len(alternatives) == ALTERNATIVES_LIMIT:
        if isinstance(new, Static) and isinstance(new.value, str):
            text.need_codes(traces.current())
        raise JoinError(
            f"{name!r} is one of more than {ALTERNATIVES_LIMIT} Python values, depending on the path "
            f"taken, the last of them {new.describe()}; use numbers or arrays, or objects that "
            "converted code makes"
        )
    return (*alternatives, new)


def translated(trace: Trace, index: SymbolicTensor, numbers: Sequence[int]) -> Any:
    """The number of an alternative in another numbering."""
    result = trace.constant(int64, numbers[-1])
    for position, number in reversed(list(enumerate(numbers[:-1]))):
        here = trace.compare("eq", index.ssa, trace.constant(int64, position))
        result = trace.op("arith.select", result.type, here, trace.constant(int64, number), result)
    return result


def _of_two(
    name: str, left: AbstractValue, right: AbstractValue, strict: bool
) -> AbstractValue | None:
    return None if isinstance(left, Typed) and isinstance(right, Typed) else Choice((left, right))


def _abstract_of_chosen(trace: Trace, value: Chosen, around: Scope | None) -> AbstractValue:
    return Choice(tuple(abstract_of(trace, each, around) for each in value._values))


def alternatives(value: Any) -> Sequence[Any]:
    """The values of which a value is one; none of others."""
    return value._values if type(value) is Chosen else ()


KINDS[Chosen] = _abstract_of_chosen
JOINS["choice"] = _of_two  # the last resort
