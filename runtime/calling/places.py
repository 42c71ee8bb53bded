"""Where the run-time values of a call are found among its arguments, and what else is there."""

from __future__ import annotations

import inspect
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from types import MethodType
from typing import Any

import numpy as np

from agir.backends.cpu.native.recipes import Builder, Place, UnfitError
from agir.backends.cpu.native.tables import Kind
from agir.ir.building.types import DType
from agir.ir.tensors import structure
from agir.runtime.signatures.arguments import Signature
from agir.runtime.signatures.conforming import Conformed
from agir.runtime.signatures.trace_types import PROTOCOL, TraceType
from agir.runtime.state.data import PassedObjects, PassedRoot
from agir.runtime.state.object_columns import Form, is_flat
from agir.runtime.state.passed_lists import (
    Listed,
    ListedBytes,
    ListedEntries,
    ListedRows,
    ListedText,
)
from agir.runtime.tensor import EagerTensor

_IMMUTABLE = frozenset((str, bytes, bool, int, float, complex, type(None), type(Ellipsis), DType))

_Taken = Sequence[tuple[Kind, Any]] | None


def _entries(value: ListedEntries) -> _Taken:
    if value.kind is set:
        return [(Kind.ITEMS, value.keys)]
    if value.kind is OrderedDict:  # its own order is nowhere where it can be read
        return None
    return [(Kind.KEYS, value.keys), (Kind.VALUES, value.values)]


_TAKEN: dict[type, Callable[[Any], _Taken]] = {
    Listed: lambda value: [(Kind.NUMBERS, value.column)],
    ListedBytes: lambda value: None,
    ListedText: lambda value: [(Kind.TEXT, value.codes)],
    ListedEntries: _entries,
    ListedRows: lambda value: [
        (Kind.ROWS, value.numbers),
        (Kind.STARTS, value.starts),
        (Kind.LENGTHS, value.lengths),
        (Kind.ORDER, value.order),
    ],
}
"""By what is passed for containers and text, the arrays that it consists of, and what they are."""


def _numbered(roots: Sequence[Form], first: int) -> list[tuple[Form, int]]:
    """The forms of lists of tuples, each with the number of its first column."""
    found = []
    for form in roots:
        found.append((form, first))
        first += 1 + sum(max(len(part.parts), 1) for part in form.parts)
    return found


Watch = Callable[[Any], None]
"""Is told of objects that are not kept alive; once one is gone, so is the recipe."""


def placed(
    python: inspect.Signature, args: Sequence[Any], kwargs: dict[str, Any]
) -> Iterator[tuple[str, Place | Sequence[Place] | None]]:
    """For each parameter where its argument is: in several places, or in none if it is a default."""
    names = list(kwargs)
    taken = 0
    for name, parameter in python.parameters.items():
        if parameter.kind is parameter.VAR_POSITIONAL:
            yield name, [Place.item(0, n) for n in range(taken, len(args))]
            taken = len(args)
        elif parameter.kind is parameter.VAR_KEYWORD:
            rest = [n for n, each in enumerate(names) if each not in python.parameters]
            yield name, [Place.item(0, len(args) + n) for n in rest]
        elif taken < len(args) and parameter.kind is not parameter.KEYWORD_ONLY:
            yield name, Place.item(0, taken)
            taken += 1
        elif name in kwargs:
            yield name, Place.item(0, len(args) + names.index(name))
        else:
            yield name, None


class Walk:
    """Goes through bound arguments, in the order of their run-time values, and tells a builder."""

    def __init__(
        self,
        builder: Builder,
        signature: Signature,
        values: Sequence[Any],
        written: Sequence[int],
        is_open: bool,
        watch: Watch,
    ) -> None:
        self._builder = builder
        self._signature = signature
        self._values = values
        self._written = frozenset(written)
        self._is_open = is_open
        self._watch = watch
        self.nodes: dict[int, int] = {}
        """By the numbers of the run-time values that are arrays."""
        self._next = 0
        self._roots: list[tuple[Form, int]] = []
        """The forms of data, each with the number of the run-time value that is its first column."""

    def argument(self, name: str, place: Any, raw: Any, prepared: Any) -> None:
        """The argument for a parameter, as it was given and as it is used."""
        if not isinstance(place, list):
            self._value(place, raw, prepared, name)
            return
        found = structure.children(prepared)
        given = raw.values() if isinstance(raw, dict) else raw
        if found is None or len(found[1]) != len(place):
            raise UnfitError
        for where, one, other in zip(place, given, found[1], strict=True):
            self._value(where, one, other, name)

    def finish(self) -> None:
        """All the run-time values have been found."""
        if self._next != len(self._values):
            raise UnfitError

    def _value(self, place: Place | None, raw: Any, prepared: Any, name: str) -> None:
        if isinstance(raw, TraceType) or hasattr(type(raw), PROTOCOL):
            raise UnfitError
        if type(prepared) in (PassedObjects, PassedRoot):
            self._data(place, raw, prepared)
            return
        if place is not None and type(prepared) in _TAKEN:
            self._taken(place, raw, prepared, name)
            return
        is_static = name in self._signature.static
        leaf = None if is_static else self._signature.leaf(prepared, name)
        if leaf is not None:
            self._leaf(place, raw, prepared)
            return
        found = structure.children(raw)
        if found is None:
            self._constant(place, raw, prepared)
        elif place is None or not (type(raw) in (list, dict) or isinstance(raw, tuple)):
            raise UnfitError
        else:
            self._container(place, raw, prepared, name)

    def _taken(self, place: Place, raw: Any, prepared: Any, name: str) -> None:
        """Numbers in a container, or a text, that are passed as arrays."""
        kinds = _TAKEN[type(prepared)](prepared)
        if kinds is None:
            raise UnfitError
        least = self._signature.least(name)
        for kind, array in kinds:
            self._builder.taken(place, self._next, raw, kind, array, least)
            if self._values[self._next] is not array:
                raise UnfitError
            self._next += 1

    def _data(self, place: Place | None, raw: Any, prepared: PassedObjects | PassedRoot) -> None:
        """A list of tuples of numbers, which the tables of a call have columns for."""
        if isinstance(prepared, PassedObjects):
            layout = prepared.layout
            if layout.lists or not is_flat(layout):
                raise UnfitError
            self._roots = _numbered(layout.roots, self._next)
            self._next += len(prepared.columns)
        form, first = self._roots[int(prepared.root)]
        if place is None or form.of is not None or form.parts[0].kind != "tuple_":
            raise UnfitError
        parts = form.parts[0].parts
        self._builder.taken(place, first, raw, Kind.LENGTH, self._values[first])
        for n, part in enumerate(parts):
            if part.kind != "number":
                raise UnfitError
            column = self._values[first + 1 + n]
            which = len(parts), n
            self._builder.taken(place, first + 1 + n, raw, Kind.COLUMN, column, part=which)

    def _leaf(self, place: Place | None, raw: Any, prepared: Any) -> None:
        number = self._next
        self._next += 1
        value = prepared.value if isinstance(prepared, Conformed) else prepared
        if value is not raw or self._values[number] is not raw:
            raise UnfitError
        if isinstance(raw, np.ndarray):
            where = self._builder.object_at(raw) if place is None else place
            self.nodes[number] = self._array(where, number, raw, None)
        elif type(raw) is EagerTensor:
            where = self._builder.object_at(raw) if place is None else place
            self.nodes[number] = self._array(where, number, raw.array, raw)
        elif place is not None:
            self._builder.number(place, number, raw)

    def _array(self, place: Place, number: int, array: Any, holder: Any) -> int:
        return self._builder.array(
            place,
            number,
            array,
            holder,
            Kind.ARRAY if holder is None else Kind.TENSOR,
            written=number in self._written,
            is_open=self._is_open,
        )

    def _container(self, place: Place, raw: Any, prepared: Any, name: str) -> None:
        one, other = structure.children(raw), structure.children(prepared)
        if one is None or other is None or one[0] != other[0]:
            raise UnfitError
        if any(type(key) is not str for key in (raw if isinstance(raw, dict) else ())):
            raise UnfitError
        number = self._builder.container(place, raw, is_apart=True)
        for n, (mine, ready) in enumerate(zip(one[1], other[1], strict=True)):
            self._value(Place.item(number, n), mine, ready, name)

    def _constant(self, place: Place | None, raw: Any, prepared: Any) -> None:
        if prepared is not raw:
            raise UnfitError
        if type(raw) in _IMMUTABLE:
            self._builder.keep(raw)
        elif type(raw) in (MethodType, set):
            raise UnfitError  # it is another object each time, or may hold others
        else:
            self._watch(raw)
        if place is not None:
            self._builder.constant(place, raw)
