"""Values that are None on some paths, and places that only some paths fill.

A tensor that may be None is still a tensor: it can be used like one, and each use is checked when
the program runs.  Other values that may be None stand behind a :class:`MaybeNone`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from agir.autograph import operators
from agir.autograph.operators import Attribute, Place, State
from agir.errors import OperatorNotAllowedInGraphError, StagingError
from agir.ir import hooks
from agir.ir.building.cells import Scope
from agir.ir.building.types import bool_
from agir.ir.emission.truth import RULES, as_bool, as_pythons, of_tensor, truth
from agir.ir.tensors import structure
from agir.ir.tensors.staged import Staged, Written, known_as
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing.trace import Trace
from agir.ir.values import text
from agir.ir.values.abstract_values import (
    FIRST,
    JOINS,
    KINDS,
    SPLITS,
    AbstractValue,
    Flagged,
    Maybe,
    MaybeUnbound,
    Static,
    abstract_of,
    join,
)

_NESTED = 3


class Checked:
    """Storage of a value that is there only where a flag is set: each read checks it."""

    __slots__ = ("array", "inner", "kind", "name", "present")

    def __init__(
        self, array: SymbolicTensor, present: SymbolicTensor, kind: str, name: str
    ) -> None:
        self.array = array
        self.inner = array.storage
        self.present = present
        self.kind = kind
        self.name = name

    @property
    def home(self) -> Scope:
        """The region that made the value."""
        home: Scope = self.inner.home
        return home

    def read(self, trace: Trace) -> Any:
        """The value, with a check."""
        key = ("checked", self)
        if trace.scope.recall("memo", key) is None:
            trace.scope.memo[key] = True
            with trace.at_user_line():
                trace.guard(self.present.ssa, trace.site(self.kind, self.name))
        return self.inner.read(trace)

    def write(self, trace: Trace, ssa: Any) -> None:
        """Give an array new contents."""
        self.inner.write(trace, ssa)


@known_as("Tensor")
class CheckedTensor(SymbolicTensor):
    """A tensor that may be None, or that a place may not hold."""

    __slots__ = ()

    @property
    def present(self) -> SymbolicTensor:
        """Whether there is a value (a bool scalar)."""
        present: SymbolicTensor = self.storage.present
        return present

    @property
    def may_be_none(self) -> bool:
        """True for a value that may be None; false for a place that may hold nothing."""
        return bool(self.storage.kind == "none")

    @property
    def unchecked(self) -> SymbolicTensor:
        """The value without the check."""
        array: SymbolicTensor = self.storage.array
        return array

    def __eq__(self, other: object) -> Any:
        return _equal(self.recorder, self, other)

    def __ne__(self, other: object) -> Any:
        return _differ(self.recorder, self, other)

    __hash__ = SymbolicTensor.__hash__

    def __staged_text__(self, conversion: str, spec: str) -> Any:
        if spec or not self.may_be_none:
            return text.field(self, conversion, spec)
        return text.chosen(self.present, ["None", text.field(self.unchecked, conversion, "")])


def _truth(trace: Trace, value: CheckedTensor) -> Any:
    """Whether it is not None and, if so, true (i1)."""
    if not value.may_be_none:
        return of_tensor(trace, value)
    plain = value.unchecked
    return truth(trace, operators.and_(value.present, lambda: as_bool(trace, plain)))


@known_as("value or None")
class MaybeNone(Written):
    """A value other than a tensor that may be None, or that a place may not hold."""

    _OWN = frozenset(["_trace", "_present", "_value", "_kind", "_name"])

    def __init__(
        self, trace: Trace, present: SymbolicTensor, value: Any, kind: str, name: str
    ) -> None:
        self._trace = trace
        self._present = present
        self._value = value
        self._kind = kind
        self._name = name

    @property
    def _may_be_none(self) -> bool:
        return self._kind == "none"

    @property
    def _checked(self) -> Any:
        return self._there(self._kind, self._name)

    def _of_attribute(self, name: str) -> Any:
        """The value, of which an attribute is asked for, or set."""
        if self._may_be_none and not hasattr(None, name):
            return self._there("attribute_of_none", self._name, name)
        return self._checked

    def _there(self, kind: str, *extra: Any) -> Any:
        trace = self._trace
        with trace.at_user_line():
            trace.guard(self._present.ssa, trace.site(kind, *extra))
        return self._value

    def truth(self, trace: Trace) -> Any:
        """Whether it is not None and, if so, true."""
        if not self._may_be_none:
            return truth(trace, self._checked)
        value = self._value
        return truth(trace, operators.and_(self._present, lambda: as_bool(trace, value)))

    def iterate(self, loop: Callable[[Any], None], state: State) -> None:
        """A loop over the value."""
        loop(self._checked)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return operators.get_attr(self._of_attribute(name), name)

    def __staged_text__(self, conversion: str, spec: str) -> Any:
        if spec:
            return text.text_of(self._checked, conversion, spec)
        return text.chosen(self._present, ["None", text.text_of(self._value, conversion, "")])

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._OWN:
            object.__setattr__(self, name, value)
        else:
            operators.set_attr(self._of_attribute(name), name, value)

    def __getitem__(self, key: Any) -> Any:
        return operators.get_item(self._checked, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        operators.set_item(self._checked, key, value)

    def __bool__(self) -> bool:
        raise OperatorNotAllowedInGraphError(
            self._trace.explain(
                f"the truth of {self._name!r}, which may be None, is asked for outside of converted "
                "code"
            )
        )

    def __iter__(self) -> Any:
        return iter(self._checked)

    def __len__(self) -> int:
        return len(self._checked)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call what it is."""
        return operators.call(self._checked, args, kwargs)

    def __eq__(self, other: object) -> Any:
        return _equal(self._trace, self, other)

    def __ne__(self, other: object) -> Any:
        return _differ(self._trace, self, other)

    __hash__ = None  # type: ignore[assignment]


def _equal(trace: Trace, value: Any, other: Any) -> Any:
    """``value == other`` of a value that may be None, which equals nothing but None."""
    if other is None:
        return absence(trace, value)
    present, theirs = flag(value), flag(other)
    if present is None or _is_array(unchecked(value)):
        return _plain(value) == other

    def same() -> Any:
        if theirs is None:
            return unchecked(value) == other
        return operators.and_(theirs, lambda: unchecked(value) == unchecked(other))

    equal = operators.and_(present, same)
    if theirs is not None:
        neither = operators.not_(operators.or_(present, lambda: theirs))
        equal = operators.or_(equal, lambda: neither)
    of_numpy = any(map(_is_numpys, (unchecked(value), unchecked(other))))
    return equal if of_numpy else as_pythons(trace, equal)


def _differ(trace: Trace, value: Any, other: Any) -> Any:
    if other is not None and (flag(value) is None or _is_array(unchecked(value))):
        return _plain(value) != other
    return operators.not_(_equal(trace, value, other))


def _is_numpys(value: Any) -> bool:
    """Whether it is a number or array of NumPy's, whose comparisons give bools of NumPy's."""
    is_known = isinstance(value, np.ndarray | np.generic)
    return is_known or (isinstance(value, SymbolicTensor) and not value.weak)


def _is_array(value: Any) -> bool:
    return isinstance(value, SymbolicTensor) and bool(value.dims)


def _plain(value: Any) -> Any:
    """The value, checked to be there."""
    if isinstance(value, CheckedTensor):
        return SymbolicTensor(value.recorder, value.storage, value.dtype, value.dims, value.weak)
    return value._checked


def flag(value: Any) -> SymbolicTensor | None:
    """Whether a value is not None; None for one that cannot be."""
    if isinstance(value, CheckedTensor):
        return value.present if value.may_be_none else None
    if isinstance(value, MaybeNone):
        return value._present if value._may_be_none else None
    return None


def presence(value: Any) -> SymbolicTensor | None:
    """Whether a place holds this value; None for one that it surely does."""
    if isinstance(value, CheckedTensor):
        return None if value.may_be_none else value.present
    if isinstance(value, MaybeNone):
        return None if value._may_be_none else value._present
    return None


def unchecked(value: Any) -> Any:
    """The value without the check, or as it is."""
    if isinstance(value, CheckedTensor):
        return value.unchecked
    return value._value if isinstance(value, MaybeNone) else value


def settled(value: Any, inside: bool = False) -> Any:
    """What a function returns, checked to be there: only entries of dicts and objects may lack."""
    if presence(value) is not None:
        return value if inside else _read(value)
    found = structure.children(value)
    if found is None or isinstance(value, Staged):
        return value
    loose = not isinstance(value, (list, tuple))
    items = [settled(each, loose) for each in found[1]]
    same = all(new is old for new, old in zip(items, found[1], strict=True))
    return value if same else structure.rebuild(found[0], items)


def _read(value: Any) -> Any:
    plain = _plain(value)
    if isinstance(plain, SymbolicTensor):
        plain.ssa  # noqa: B018 - the check is recorded
        return unchecked(value)
    return plain


def _forward(name: str) -> Any:
    function = getattr(operator, name)

    def method(self: MaybeNone, other: Any) -> Any:
        return function(self._checked, other)

    return method


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "lt", "le", "gt", "ge"):
    setattr(MaybeNone, f"__{_name}__", _forward(_name))


def absence(trace: Trace, value: Any) -> Any:
    """``value is None``: a bool scalar for a value that may be None, else Python's answer."""
    present = flag(value)
    if present is None:
        return absence(trace, _plain(value)) if presence(value) is not None else value is None
    with trace.at_user_line():
        true = trace.constant(bool_, True)
        absent = trace.make(trace.op("arith.xori", true.type, present.ssa, true), bool_, ())
    inner = unchecked(value)
    if flag(inner) is None and not hooks.values.alternatives(inner):
        return absent
    if _nests(inner, _NESTED):
        raise StagingError(
            trace.explain(
                "whether a value is None is asked of one of several, each of which may be one of "
                "several that may be None, and so on"
            )
        )
    return operators.or_(absent, lambda: operators.is_(inner, None))


def _nests(value: Any, deep: int) -> bool:
    """Whether values that may be one of several, or None, are so deep in one another."""
    parts = [unchecked(each) for each in hooks.values.alternatives(value)]
    inner = [each for each in parts if hooks.values.alternatives(each)]
    return bool(inner) and (deep == 1 or any(_nests(each, deep - 1) for each in inner))


def checked(trace: Trace, present: SymbolicTensor, value: Any, kind: str, name: str) -> Any:
    """The value as one that is there only where the flag is set."""
    if isinstance(value, SymbolicTensor) and not isinstance(value, CheckedTensor):
        storage = Checked(value, present, kind, name)
        return CheckedTensor(trace, storage, value.dtype, value.dims, value.weak)
    return MaybeNone(trace, present, value, kind, name)


def for_place(place: Place, value: Any) -> Any:
    """What a place holds of a name that may be unbound: a value that is checked when it is used."""
    if isinstance(value, MaybeUnbound):
        return checked(value.trace, value.bound, value.value, place.absence, place.missing)
    return value


def perhaps_in(key: Any, at: int, value: MaybeUnbound) -> Any:
    """What is in a dict or object if some path has put it there: checked when it is used.

    What generators keep of their variables, in tuples, stays a variable that may be unbound.
    """
    kind, names = key
    if kind is tuple:
        return value
    if issubclass(kind, dict):
        return checked(value.trace, value.bound, value.value, "key", repr(names[at]))
    missing = f"'{kind.__name__}' object has no attribute '{names[at]}'"
    return checked(value.trace, value.bound, value.value, Attribute.absence, missing)


@dataclass(frozen=True)
class Nullable(Flagged):
    """None, or a value."""

    inner: AbstractValue
    name: str = "the value"

    def pack(self, trace: Trace, value: Any) -> list[Any]:
        """The SSA values that carry the Python value."""
        if value is None:
            return self.placeholder(trace)
        if isinstance(value, CheckedTensor) and value.may_be_none:
            return [value.present.ssa, *self.inner.pack(trace, value.unchecked)]
        if isinstance(value, MaybeNone) and value._may_be_none:
            return [value._present.ssa, *self.inner.pack(trace, value._value)]
        return [trace.constant(bool_, True), *self.inner.pack(trace, value)]

    def unpack(self, trace: Trace, carried: list[Any]) -> Any:
        """The Python value, from SSA values taken off the front of ``carried``."""
        present = trace.make(carried.pop(0), bool_, ())
        value = self.inner.unpack(trace, carried)
        if isinstance(value, MaybeUnbound):
            value = checked(trace, value.bound, value.value, "unbound", value.name)
        return checked(trace, present, value, "none", self.name)

    def describe(self) -> str:
        """The abstract value in the words of an error message."""
        return f"None or {self.inner.describe()}"

    def outside(self, scope: Scope) -> AbstractValue:
        """The abstract value as it is seen from outside the region that made it."""
        return Nullable(self.inner.outside(scope), self.name)

    def join(self, name: str, other: AbstractValue, strict: bool) -> AbstractValue | None:
        """The least abstract value that holds this one and the other.

        Or None if it is not this kind's.
        """
        if isinstance(other, Static) and other.value is None:
            return self
        inner = other.inner if isinstance(other, Nullable) else other
        return Nullable(join(name, self.inner, inner, strict), self.name)


def _with_none(
    name: str, left: AbstractValue, right: AbstractValue, strict: bool
) -> AbstractValue | None:
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Static) and one.value is None and not isinstance(other, Static):
            return Nullable(other, name)
    return None


def _array_or_none(
    name: str, left: AbstractValue, right: AbstractValue, strict: bool
) -> AbstractValue | None:
    """None, or an array that is known by itself."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Static) and one.value is None and type(other) is Static:
            return Nullable(other, name) if isinstance(other.value, SymbolicTensor) else None
    return None


def _abstract_of_checked(trace: Trace, value: CheckedTensor, around: Scope | None) -> AbstractValue:
    inner = abstract_of(trace, value.unchecked, around)
    storage = value.storage
    return Nullable(inner, storage.name) if value.may_be_none else Maybe(storage.name, inner)


def _abstract_of_maybe(trace: Trace, value: MaybeNone, around: Scope | None) -> AbstractValue:
    inner = abstract_of(trace, value._value, around)
    return Nullable(inner, value._name) if value._may_be_none else Maybe(value._name, inner)


def _split(value: Any) -> tuple[Any, Any] | None:
    present = presence(value)
    return None if present is None else (present, unchecked(value))


KINDS[CheckedTensor] = _abstract_of_checked
KINDS[MaybeNone] = _abstract_of_maybe
RULES[CheckedTensor] = _truth
SPLITS[CheckedTensor] = SPLITS[MaybeNone] = _split
JOINS["None"] = _with_none
FIRST["array or None"] = _array_or_none
