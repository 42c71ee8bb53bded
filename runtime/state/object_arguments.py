"""The objects that a function gets for those of its caller (`passed_objects`): rows of tables."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from agir.errors import StagingError
from agir.ir import dispatch, emit
from agir.ir.plain.texts import Text
from agir.ir.symbolic import SymbolicTensor
from agir.ir.trace import Trace
from agir.ir.types import as_dtype, int64, python_dtype
from agir.ir.values import columns, text
from agir.ir.values.choices import Choice
from agir.ir.values.items import Items
from agir.ir.values.kinds import ByReference
from agir.ir.values.mixed_numbers import Mixed
from agir.ir.values.objects import Numbered, ObjectKind, name_of
from agir.ir.values.optional import Nullable
from agir.ir.values.references import Given, Refer
from agir.ir.values.slots import JoinError, Maybe, Slot, Static, Structure, Typed
from agir.runtime.state.object_columns import Form, Place
from agir.runtime.state.passed_objects import PassedObjects


def unpassed(trace: Trace, passed: PassedObjects) -> Any:
    """The argument that has brought the tables; those of others are known then."""
    if trace.pools is None:
        raise ByReference
    if any(isinstance(place[-1], str) and place[-1] == "text" for place, _ in passed.layout.lists):
        text.need_codes(trace)
    with trace.at_user_line():
        trace.given_roots = _Entering(trace, passed).roots()
    return trace.given_roots[int(passed.root)]


class _Entering:
    """Has the tables and pools of a trace begin with what the caller has."""

    def __init__(self, trace: Trace, passed: PassedObjects) -> None:
        self._trace = trace
        self._layout = passed.layout
        self._source = passed.columns[0]
        self._supply = iter(passed.columns)
        self._kinds: dict[Any, Any] = {}
        """By class, and by the place where lists of a kind are met."""
        self._find_kinds()
        self._admit()

    def _find_kinds(self) -> None:
        kinds = self._trace.pools.kinds
        names = {name_of(cls) for cls, _ in self._layout.classes}
        if not names <= kinds.classes:
            kinds.classes |= names
            raise ByReference(kinds)
        for cls, _ in self._layout.classes:
            kind = self._kinds[cls] = kinds.of_class(name_of(cls), ObjectKind)
            if not kind.stands_for(cls):
                raise StagingError(
                    self._trace.explain(
                        f"there are objects of two classes named {cls.__qualname__}"
                    )
                )
        for place, _ in self._layout.lists:
            self._kinds[place] = kinds.at(("given", place))

    def _admit(self) -> None:
        """Have the kinds hold what the caller's lists and objects hold."""
        try:
            for cls, fields in self._layout.classes:
                self._kinds[cls].given({name: self._slot(form) for name, form in fields})
            for place, form in self._layout.lists:
                if form is not None:
                    what = "a list of the caller's"
                    self._trace.pools.kinds.admit(what, self._kinds[place], self._slot(form))
        except JoinError as error:
            raise StagingError(self._trace.explain(str(error))) from None

    def roots(self) -> list[Any]:
        """The arguments; all that they refer to has been entered."""
        layout = self._layout
        roots = [(form, self._take(form)) for form in layout.roots]
        classes = [
            (cls, next(self._supply), [(name, form, self._take(form)) for name, form in fields])
            for cls, fields in layout.classes
        ]
        lists = [
            (place, form, next(self._supply), next(self._supply), self._take(form))
            for place, form in layout.lists
        ]
        self._find_firsts([(place, lengths) for place, _, _, lengths, _ in lists])
        trace, zero = self._trace, self._trace.index(0)
        for cls, count, fields in classes:
            table, size = trace.pools.of(self._kinds[cls]), columns.read(trace, count.ssa, zero)
            counted = trace.make(size, int64, (), weak=True)
            table.enter(
                size, {name: self._items(form, parts, counted) for name, form, parts in fields}
            )
            self._note(cls, table, None)
        for place, form, starts, lengths, parts in lists:
            pool = trace.pools.of(self._kinds[place])
            counted = dispatch.call("sum", lengths)
            found = None if form is None else self._items(form, parts, counted)
            first = pool.enter(found, starts.ssa, lengths.ssa)
            self._note(place, pool, first if self._firsts[place] is not None else None)
        for given in trace.given:
            given.begun[:] = trace.pools.of(given.kind).contents()
        one = trace.make(trace.constant(int64, 1), int64, (), weak=True)
        return [self._items(form, parts, one).item(zero) for form, parts in roots]

    def _note(self, key: Any, pool: Any, first: Any) -> None:
        given = Given(self._kinds[key], first, [], self._source, key)
        self._trace.given.append(given)

    def _take(self, form: Form | None) -> list[SymbolicTensor]:
        count = 0 if form is None else len(self._slot(form).types())
        return [next(self._supply) for _ in range(count)]

    def _find_firsts(self, lists: list[tuple[Place, SymbolicTensor]]) -> None:
        """How many lists of their kind come before those of a place; None for none."""
        self._firsts: dict[Place, Any] = {}
        counts: dict[int, Any] = {}
        for place, lengths in lists:
            before = self._firsts[place] = counts.get(id(self._kinds[place]))
            size = emit.from_index(self._trace, emit.dim_value(self._trace, lengths.dims[0]))
            counts[id(self._kinds[place])] = (
                size if before is None else self._trace.op("arith.addi", size.type, size, before)
            )

    def _items(self, form: Form, parts: list[SymbolicTensor], length: SymbolicTensor) -> Items:
        """The values of a place, of which there are so many."""
        trace, slot = self._trace, self._slot(form)
        places = dict(_references(form, slot, self._slot))
        count, made = emit.to_index(trace, length), []
        for at, part in enumerate(parts):
            column = columns.spacious(trace, part.ssa, count)
            first = self._firsts.get(places.get(at, ()))
            if first is not None:
                column = columns.mapped(trace, column, count, partial(_sum, trace, first))
            made.append(column)
        return Items(trace, trace.scope, slot, length, tuple(made))

    def _slot(self, form: Form) -> Slot:
        found: Slot = _SLOTS[form.kind](self, form)
        return found

    def _number(self, form: Form) -> Slot:
        kind: Any = form.of
        if kind in (bool, int, float, complex):
            return Typed(python_dtype(kind()), (), weak=True)
        return Typed(as_dtype(kind), (), weak=False)

    def _text(self, form: Form) -> Slot:
        return Structure((Text, ("codes",)), (Refer(self._kinds[form.of]),))

    def _parts(self, form: Form) -> tuple[Slot, ...]:
        return tuple(map(self._slot, form.parts))


_SLOTS: dict[str, Any] = {
    "number": _Entering._number,
    "text": _Entering._text,
    "mixed": lambda self, form: Mixed(form.of),
    "constant": lambda self, form: Static(form.of.value),
    "or_none": lambda self, form: Nullable(*self._parts(form)),
    "perhaps": lambda self, form: Maybe(form.of, *self._parts(form)),
    "one_of": lambda self, form: Choice(self._parts(form)),
    "tuple_": lambda self, form: Structure(form.of, self._parts(form)),
    "object_": lambda self, form: Numbered(self._kinds[form.of]),
    "list_": lambda self, form: Refer(self._kinds[form.of]),
}


def _sum(trace: Trace, one: Any, other: Any) -> Any:
    return trace.op("arith.addi", one.type, one, other)


def _references(form: Form, slot: Slot, slot_of: Any) -> Iterator[tuple[int, Place]]:
    """Which of the columns of a form have numbers of lists, with the places of these."""
    if form.kind in ("list_", "text"):
        yield 0, form.of  # type: ignore[misc]
        return
    at = len(slot.types()) - sum(len(slot_of(part).types()) for part in form.parts)
    for part in form.parts:
        inner = slot_of(part)
        yield from ((at + n, place) for n, place in _references(part, inner, slot_of))
        at += len(inner.types())
