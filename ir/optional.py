"""Values that are None on some paths, and places that only some paths fill.

A tensor that may be None is still a tensor: it can be used like one, and each use is checked when
the program runs.  Other values that may be None stand behind a :class:`MaybeNone`.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any

from agir.errors import OperatorNotAllowedInGraphError
from agir.ir import text
from agir.ir.cells import Scope
from agir.ir.slots import (
    JOINS,
    KINDS,
    Maybe,
    MaybeUnbound,
    Slot,
    Static,
    Take,
    Typed,
    Wrap,
    join,
    slot_of,
)
from agir.ir.staged import Written
from agir.ir.symbolic import SymbolicTensor
from agir.ir.trace import Trace
from agir.ir.types import DType, bool_


class Checked:
    """Storage of a value that is there only where a flag is set: each read checks it."""

    __slots__ = ("inner", "kind", "name", "present")

    def __init__(self, inner: Any, present: SymbolicTensor, kind: str, name: str) -> None:
        self.inner = inner
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
        return SymbolicTensor(self.trace, self.storage.inner, self.dtype, self.dims, self.weak)

    def __eq__(self, other: object) -> Any:
        return absence(self.trace, self) if other is None else super().__eq__(other)

    def __ne__(self, other: object) -> Any:
        return self.present if other is None else super().__ne__(other)

    __hash__ = SymbolicTensor.__hash__

    def __staged_text__(self, conversion: str, spec: str) -> Any:
        if spec or not self.may_be_none:
            return text.field(self, conversion, spec)
        return text.chosen(self.present, ["None", text.field(self.unchecked, conversion, "")])


class MaybeNone(Written):
    """A value other than a tensor that may be None."""

    def __init__(self, trace: Trace, present: SymbolicTensor, value: Any, name: str) -> None:
        self._trace = trace
        self._present = present
        self._value = value
        self._name = name

    @property
    def _checked(self) -> Any:
        trace = self._trace
        with trace.at_user_line():
            trace.guard(self._present.ssa, trace.site("none", self._name))
        return self._value

    def truth(self, trace: Trace) -> Any:
        """Whether it is not None and, if so, true."""
        from agir.ir import control_flow

        both = control_flow.logical(trace, self._present, lambda: bool(self._value), True)
        return control_flow.truth(trace, both)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._checked, name)

    def __staged_text__(self, conversion: str, spec: str) -> Any:
        if spec:
            return text.text_of(self._checked, conversion, spec)
        return text.chosen(self._present, ["None", text.text_of(self._value, conversion, "")])

    def __getitem__(self, key: Any) -> Any:
        return self._checked[key]

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
        return self._checked(*args, **kwargs)

    def __eq__(self, other: object) -> Any:
        return absence(self._trace, self) if other is None else self._checked == other

    def __ne__(self, other: object) -> Any:
        return self._present if other is None else self._checked != other

    __hash__ = None  # type: ignore[assignment]


def _forward(name: str) -> Any:
    function = getattr(operator, name)

    def method(self: MaybeNone, other: Any) -> Any:
        return function(self._checked, other)

    return method


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "lt", "le", "gt", "ge"):
    setattr(MaybeNone, f"__{_name}__", _forward(_name))


def absence(trace: Trace, value: Any) -> Any:
    """``value is None``: a bool scalar for a value that may be None, else Python's answer."""
    if isinstance(value, CheckedTensor) and value.may_be_none:
        present = value.present
    elif isinstance(value, MaybeNone):
        present = value._present
    else:
        return value is None
    with trace.at_user_line():
        true = trace.constant(bool_, True)
        return trace.make(trace.op("arith.xori", true.type, present.ssa, true), bool_, ())


def checked(trace: Trace, present: SymbolicTensor, value: Any, kind: str, name: str) -> Any:
    """The value as one that is there only where the flag is set."""
    if type(value) is SymbolicTensor:
        storage = Checked(value.storage, present, kind, name)
        return CheckedTensor(trace, storage, value.dtype, value.dims, value.weak)
    return MaybeNone(trace, present, value, name)


def for_place(value: Any) -> Any:
    """What a place holds of a name that may be unbound: a value that is checked when it is used."""
    if isinstance(value, MaybeUnbound):
        return checked(value.trace, value.bound, value.value, "unbound", value.name)
    return value


@dataclass(frozen=True)
class Nullable(Slot):
    """None, or a value: a flag, and the value where the flag is set."""

    inner: Slot
    name: str = "the value"

    def types(self) -> list[Any]:
        return [bool_.mlir(), *self.inner.types()]

    def dtypes(self) -> list[DType]:
        return [bool_, *self.inner.dtypes()]

    def pack(self, trace: Trace, value: Any) -> list[Any]:
        if value is None:
            return self.placeholder(trace)
        if isinstance(value, CheckedTensor) and value.may_be_none:
            return [value.present.ssa, *self.inner.pack(trace, value.unchecked)]
        if isinstance(value, MaybeNone):
            return [value._present.ssa, *self.inner.pack(trace, value._value)]
        return [trace.constant(bool_, True), *self.inner.pack(trace, value)]

    def unpack(self, trace: Trace, carried: list[Any]) -> Any:
        present = trace.make(carried.pop(0), bool_, ())
        return checked(trace, present, self.inner.unpack(trace, carried), "none", self.name)

    def placeholder(self, trace: Trace) -> list[Any]:
        return [trace.constant(bool_, False), *self.inner.placeholder(trace)]

    def assemble(self, take: Take, wrap: Wrap) -> Any:
        present = take()
        value = self.inner.assemble(take, wrap)
        return value if present else None

    def describe(self) -> str:
        return f"None or {self.inner.describe()}"

    def outside(self, scope: Scope) -> Slot:
        return Nullable(self.inner.outside(scope), self.name)

    def absorb(self, name: str, other: Slot, strict: bool) -> Slot | None:
        if isinstance(other, Static) and other.value is None:
            return self
        inner = other.inner if isinstance(other, Nullable) else other
        return Nullable(join(name, self.inner, inner, strict), self.name)


def _with_none(name: str, left: Slot, right: Slot, strict: bool) -> Slot | None:
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Static) and one.value is None and not isinstance(other, Static):
            return Nullable(other, name)
    return None


def _slot_of_checked(trace: Trace, value: CheckedTensor, around: Scope | None) -> Slot:
    inner = slot_of(trace, value.unchecked, around)
    if isinstance(inner, Static):
        inner = Typed(value.dtype, value.dims, value.weak, value.shared)
    storage = value.storage
    return Nullable(inner, storage.name) if value.may_be_none else Maybe(storage.name, inner)


def _slot_of_maybe(trace: Trace, value: MaybeNone, around: Scope | None) -> Slot:
    return Nullable(slot_of(trace, value._value, around), value._name)


KINDS[CheckedTensor] = _slot_of_checked
KINDS[MaybeNone] = _slot_of_maybe
JOINS.insert(0, _with_none)
