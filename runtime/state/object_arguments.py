"""The objects that a function gets for those of its caller (`passed_objects`): rows of tables."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from agir.autograph.operators import LoopOptions, State, while_stmt
from agir.errors import StagingError
from agir.ir.building.types import as_dtype, int64, python_dtype
from agir.ir.emission import emit
from agir.ir.plain.text.texts import Text
from agir.ir.python import run_time_keys
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing.trace import Trace
from agir.ir.values import columns, text
from agir.ir.values.abstract_values import AbstractValue, JoinError, Maybe, Static, Structure, Typed
from agir.ir.values.alternatives.choices import Choice
from agir.ir.values.alternatives.mixed_numbers import Mixed
from agir.ir.values.alternatives.optional import Nullable
from agir.ir.values.heap.items import Items, staged_items
from agir.ir.values.heap.kinds import GUESS, ByReference
from agir.ir.values.heap.objects import Numbered, ObjectClass, name_of
from agir.ir.values.heap.references import AbstractReference, Given
from agir.ir.values.sequences.lists import traced_list
from agir.runtime.state.data import PassedObjects, Place
from agir.runtime.state.object_columns import Form, names_in

_SEARCHES = 300
"""A trace of data with text in them that records more of them is made for each of these: a loop over
known letters is unrolled, for example."""


def unpassed(trace: Trace, passed: PassedObjects) -> Any:
    """The argument that has brought the tables; those of others are known then."""
    if trace.pools is None:
        raise ByReference
    if any(place[-1] == "text" for place, _ in passed.layout.lists):
        text.need_codes(trace)
        trace.searches_left = _SEARCHES
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
        names: set[Any] = {name_of(cls) for cls, _ in self._layout.classes}
        names |= {("given", place) for place, _ in self._layout.tables}
        if not names <= kinds.classes:
            kinds.classes |= names
            raise ByReference(kinds)
        for cls, _ in self._layout.classes:
            kind = self._kinds[cls] = kinds.of_class(name_of(cls), ObjectClass)
            if not kind.stands_for(cls):
                raise StagingError(
                    self._trace.explain(
                        f"there are objects of two classes named {cls.__qualname__}"
                    )
                )
        for place, _ in self._layout.lists:
            made = tuple if place[-1] is tuple else list
            self._kinds[place] = kinds.at(("given", place), made)
        for place, _ in self._layout.tables:
            kind = self._kinds[place] = kinds.of_class(("given", place), ObjectClass)
            kind.stands_for(run_time_keys.table_class(place[-1].kind))
            for column in _columns_of(place):
                self._kinds[column] = kinds.at(("given", column))

    def _admit(self) -> None:
        """Have the kinds hold what the caller's lists and objects hold."""
        try:
            for cls, fields in self._layout.classes:
                self._kinds[cls].given({name: self._abstract(form) for name, form in fields})
            for place, (form,) in self._layout.lists:
                self._admit_items(place, form)
            for place, forms in self._layout.tables:
                for column, form in zip(_columns_of(place), forms, strict=True):
                    self._admit_items(column, form)
        except JoinError as error:
            raise StagingError(self._trace.explain(str(error))) from None

    def _admit_items(self, place: Place, form: Form | None) -> None:
        if form is not None:
            what = "a container of the caller's"
            self._trace.pools.kinds.admit(what, self._kinds[place], self._abstract(form))

    def roots(self) -> list[Any]:
        """The arguments; all that they refer to has been entered."""
        layout = self._layout
        roots = [(form, self._take_root(form)) for form in layout.roots]
        classes = [
            (cls, next(self._supply), [(name, form, self._take(form)) for name, form in fields])
            for cls, fields in layout.classes
        ]
        lists, tables = (
            [
                (place, forms, next(self._supply), next(self._supply), list(map(self._take, forms)))
                for place, forms in group
            ]
            for group in (layout.lists, layout.tables)
        )
        self._find_firsts([(place, lengths) for place, _, _, lengths, _ in (*lists, *tables)])
        trace, zero = self._trace, self._trace.index(0)
        for cls, count, fields in classes:
            table, size = trace.pools.of(self._kinds[cls]), columns.read(trace, count.ssa, zero)
            counted = trace.make(size, int64, (), weak=True)
            table.enter(
                size, {name: self._items(form, parts, counted) for name, form, parts in fields}
            )
            self._note(cls, None)
        for place, (form,), starts, lengths, (parts,) in lists:
            first = self._enter(place, form, starts, lengths, parts)
            self._note(place, first if self._firsts[place] is not None else None)
        for place, forms, starts, lengths, columns_of in tables:
            self._fill_tables(place, forms, starts, lengths, columns_of)
            before = self._firsts[place]
            one = trace.constant(int64, 1)
            self._note(place, None if before is None else _sum(trace, before, one))
        for given in trace.given:
            given.begun[:] = trace.pools.of(given.kind).contents()
        return [self._root(form, parts) for form, parts in roots]

    def _take_root(self, form: Form) -> Any:
        if form.kind != "own":
            return self._take(form)
        return next(self._supply), list(map(self._take, form.parts))

    def _root(self, form: Form, parts: Any) -> Any:
        trace = self._trace
        if form.kind != "own":
            one = trace.make(trace.constant(int64, 1), int64, (), weak=True)
            return self._items(form, parts, one).item(trace.index(0))
        count, columns_of = parts
        length = trace.make(columns.read(trace, count.ssa, trace.index(0)), int64, (), weak=True)
        pairs = zip(form.parts, columns_of, strict=True)
        lists = [traced_list(self._own_items(part, each, length)) for part, each in pairs]
        if form.of is tuple:
            return traced_list(lists[0].snapshot(), tuple)
        if form.of is None:
            trace.journal.given(lists[0])
            return lists[0]
        return run_time_keys.entered(trace, form.of.kind, lists, form.of.made)  # type: ignore[attr-defined]

    def _own_items(self, form: Form | None, parts: list[Any], length: SymbolicTensor) -> Any:
        if form is None:
            return staged_items(self._trace, [], GUESS)
        return self._items(form, parts, length)

    def _enter(
        self, place: Place, form: Form | None, starts: Any, lengths: Any, parts: list[Any]
    ) -> Any:
        """Have lists lie in the pool of a place: the number of the first of them."""
        pool = self._trace.pools.of(self._kinds[place])
        counted = dispatch.call("sum", lengths)
        items = None if form is None else self._items(form, parts, counted)
        return pool.enter(items, starts.ssa, lengths.ssa)

    def _fill_tables(
        self, place: Place, forms: Any, starts: Any, lengths: Any, parts: list[Any]
    ) -> None:
        """Make the dicts or sets of a place, each of its entries."""
        trace, of = self._trace, place[-1]
        inner = _columns_of(place)
        firsts = [
            trace.make(self._enter(at, form, starts, lengths, columns), int64, (), weak=True)
            for at, form, columns in zip(inner, forms, parts, strict=True)
        ]
        count = trace.make(
            emit.from_index(trace, emit.dim_value(trace, lengths.dims[0])), int64, (), weak=True
        )
        at: list[Any] = [trace.make(trace.constant(int64, 0), int64, (), weak=True)]

        def restore(values: tuple[Any, ...]) -> None:
            at[:] = values

        def step() -> None:
            pairs = zip(inner, firsts, strict=True)
            lists = [
                AbstractReference(self._kinds[each]).unpack(trace, [(first + at[0]).ssa])
                for each, first in pairs
            ]
            full = lists if None not in forms else ()
            run_time_keys.entered(trace, of.kind, full, of.made, ("given", place))
            at[0] = at[0] + 1

        state = State(lambda: tuple(at), restore, ("number",))
        while_stmt(lambda: at[0] < count, step, state, LoopOptions())

    def _note(self, key: Any, first: Any) -> None:
        given = Given(self._kinds[key], first, [], self._source, key)
        self._trace.given.append(given)

    def _take(self, form: Form | None) -> list[SymbolicTensor]:
        count = 0 if form is None else len(self._abstract(form).types())
        return [next(self._supply) for _ in range(count)]

    def _find_firsts(self, lists: list[tuple[Place, SymbolicTensor]]) -> None:
        """How many lists of their kind come before those of a place; None for none."""
        self._firsts: dict[Place, Any] = {}
        pools = self._trace.pools
        counts = {id(k): pools.of(k).last() for k in self._kinds.values() if pools.has(k)}
        for place, lengths in lists:
            before = self._firsts[place] = counts.get(id(self._kinds[place]))
            size = emit.from_index(self._trace, emit.dim_value(self._trace, lengths.dims[0]))
            counts[id(self._kinds[place])] = (
                size if before is None else self._trace.op("arith.addi", size.type, size, before)
            )

    def _items(self, form: Form, parts: list[SymbolicTensor], length: SymbolicTensor) -> Items:
        """The values of a place, of which there are so many."""
        trace, abstract = self._trace, self._abstract(form)
        places = dict(_references(form, abstract, self._abstract))
        count, made = emit.to_index(trace, length), []
        for at, part in enumerate(parts):
            column = columns.spacious(trace, part.ssa, count)
            first = self._firsts.get(places.get(at, ()))
            if first is not None:
                column = columns.mapped(trace, column, count, partial(_sum, trace, first))
            made.append(column)
        return Items(trace, trace.scope, abstract, length, tuple(made))

    def _abstract(self, form: Form) -> AbstractValue:
        found: AbstractValue = _SLOTS[form.kind](self, form)
        return found

    def _number(self, form: Form) -> AbstractValue:
        kind: Any = form.of
        if kind in (bool, int, float, complex):
            return Typed(python_dtype(kind()), (), weak=True)
        return Typed(as_dtype(kind), (), weak=False)

    def _text(self, form: Form) -> AbstractValue:
        return Structure((Text, ("codes",)), (AbstractReference(self._kinds[form.of]),))

    def _parts(self, form: Form) -> tuple[AbstractValue, ...]:
        return tuple(map(self._abstract, form.parts))


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
    "list_": lambda self, form: AbstractReference(self._kinds[form.of]),
    "table": lambda self, form: Numbered(self._kinds[form.of]),
}


def _columns_of(place: Place) -> list[Place]:
    """The places of the lists that are the keys, and the values, of the dicts or sets of a place."""
    return [(*place, name, "column") for name in names_in(place)]


def _sum(trace: Trace, one: Any, other: Any) -> Any:
    return trace.op("arith.addi", one.type, one, other)


def _references(
    form: Form, abstract: AbstractValue, abstract_of: Any
) -> Iterator[tuple[int, Place]]:
    """Which of the columns of a form have numbers of lists, with the places of these."""
    if form.kind in ("list_", "text", "table"):
        yield 0, form.of  # type: ignore[misc]
        return
    at = len(abstract.types()) - sum(len(abstract_of(part).types()) for part in form.parts)
    for part in form.parts:
        inner = abstract_of(part)
        yield from ((at + n, place) for n, place in _references(part, inner, abstract_of))
        at += len(inner.types())
