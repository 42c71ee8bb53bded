"""How lists that are known by themselves are carried through branches and loops, and to the caller."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from agir.errors import StagingError
from agir.ir import hooks
from agir.ir.building import bindings
from agir.ir.building.types import DType, bool_, int64
from agir.ir.emission import emit
from agir.ir.tensors.symbolic import Dim, SymbolicTensor
from agir.ir.tracing import loops
from agir.ir.tracing import trace as traces
from agir.ir.tracing.trace import Trace
from agir.ir.values import columns
from agir.ir.values.abstract_values import (
    AbstractValue,
    JoinError,
    Structure,
    Take,
    Typed,
    Wrap,
    join,
)
from agir.ir.values.heap import assembling
from agir.ir.values.heap.abstract_items import (
    ITEM,
    Path,
    abstract_element,
    as_items,
    copied,
    general,
)
from agir.ir.values.heap.items import Items, staged_items
from agir.ir.values.heap.kinds import BY_REFERENCE, PointsToClass, learn_of_all, place_of
from agir.ir.values.heap.pools import Reference
from agir.records import dataclass

_UNEVEN = (
    "setting an array element with a sequence: the rows of the list are not all of one length, as "
    "those of an array are"
)


class ByNumber(AbstractValue):
    """What is known by its number; 0 is that of the list or object which stands for none."""

    has_fixed_size = True
    is_reference = True
    kind: PointsToClass

    def types(self) -> list[Any]:
        """The MLIR types that carry the abstract value."""
        return [int64.mlir()]

    def dtypes(self) -> list[DType]:
        """The element types of what carries the abstract value."""
        return [int64]

    def placeholder(self, trace: Trace) -> list[Any]:
        """Values that stand where there is none."""
        return [trace.constant(int64, 0)]

    def assemble(self, take: Take, wrap: Wrap) -> Any:
        """The value for the caller."""
        return assembling.table(self.kind).object(int(take()), wrap)


_DESCRIBED: list[PointsToClass] = []
"""The kinds that are being described: lists may be in lists of their own kind."""


@dataclass(frozen=True)
class AbstractReference(ByNumber):
    """A list of a kind: its number."""

    kind: PointsToClass

    def pack(self, trace: Trace, value: Any) -> list[Any]:
        """The SSA values that carry the Python value: a list that is a value is entered."""
        contents = getattr(value, "snapshot", lambda: value)()
        if not isinstance(contents, Reference):
            contents = entered(trace, self.kind, contents)
        return [contents.number.ssa]

    def unpack(self, trace: Trace, carried: list[Any]) -> Any:
        """The Python value, from SSA values taken off the front of ``carried``."""
        number = trace.make(carried.pop(0), int64, ())
        return hooks.values.standing_for(Reference(self.kind, number), self.kind.made)

    def assemble_all(self, parts: Sequence[Any], places: range, wrap: Wrap) -> list[Any]:
        """The values for the caller of the items at these places of a list, from its columns."""
        if not places:
            return []
        object_of = assembling.table(self.kind).object
        return [object_of(n, wrap) for n in parts[0][places.start : places.stop].tolist()]

    def texts(self, parts: Sequence[Any], places: range, wrap: Wrap) -> list[str]:
        """The same of items that are lists of code points, as the texts that these are."""
        table = assembling.table(self.kind)
        assert isinstance(table, assembling.Lists), "texts are made of lists"
        return table.texts(parts[0][places.start : places.stop])

    def describe(self) -> str:
        """The abstract value in the words of an error message."""
        kind, known, name = self.kind, self.kind.known, self.kind.made.__name__
        if known is None or any(each is kind for each in _DESCRIBED):
            return f"a {name}"
        _DESCRIBED.append(kind)
        try:
            return f"a {name} of {known.describe()}"
        finally:
            _DESCRIBED.pop()

    def as_array(self, items: Items) -> SymbolicTensor:
        """Lists in a list as an array, which has a row for each; they must be of one length."""
        current, element = items.trace, self.kind.element
        if not isinstance(element, Typed):
            raise StagingError(
                current.explain(f"a list of lists whose items are {element.describe()} is no array")
            )
        pool, count = current.pools.of(self.kind), items.index()
        some = current.compare("sgt", count, current.index(0))
        numbers = items.array(0).ssa

        def number(index: Any) -> Any:
            return current.op("tensor.extract", int64.mlir(), numbers, index)

        def width() -> Any:
            return pool.row(number(current.index(0))).index()

        size = loops.if_ok(current, some, width, lambda: current.index(0))
        dynamic = bindings.ir.ShapedType.get_dynamic_size()
        kind = bindings.ir.RankedTensorType.get([dynamic] * 2, element.dtype.mlir())

        def fill(indices: list[Any], made: list[Any]) -> list[Any]:
            row = pool.row(number(indices[0]))
            fits = current.compare("eq", row.index(), size)

            def store() -> list[Any]:
                return loops.nest(current, [size], made[:1], lambda at, into: [put(at[0], into[0])])

            def put(at: Any, into: Any) -> Any:
                place = current.op("arith.addi", at.type, row.start, at)
                value = columns.read(current, row.stored[0], place)
                return current.op("tensor.insert", kind, value, into, indices[0], at)

            whole = loops.either(current, fits, store, lambda: made[:1])
            return [*whole, current.op("arith.andi", fits.type, made[1], fits)]

        empty = current.op("tensor.empty", kind, count, size)
        fine = current.constant(bool_, True)
        found, fine = loops.nest(current, [count], [empty, fine], fill)
        current.guard(fine, current.site("argument", _UNEVEN))
        dims = (Dim(value=count), Dim(value=size))
        return current.make(found, element.dtype, dims)

    def join(self, name: str, other: AbstractValue, strict: bool) -> AbstractValue | None:
        """The least abstract value that holds this one and the other.

        Or None if it is not this kind's.
        """
        kinds = _pools().kinds
        if isinstance(other, AbstractReference) and other.kind.made is self.kind.made:
            return replace(self, kind=kinds.unite(name, self.kind, other.kind))
        items = _items_of(other, self.kind.made)
        if items is None:
            return None
        for item in items:
            kinds.admit(name, self.kind, referring(name, general(item)))
        return self


def _pools() -> Any:
    current = traces.current()
    assert current is not None, "references are of a trace"
    return current.pools


def _items_of(abstract: AbstractValue, made: type) -> Sequence[AbstractValue] | None:
    """The abstract values of what is in a list, or a tuple, that is a value."""
    if isinstance(abstract, Structure) and abstract.key[0] is made:
        return abstract.items
    element = getattr(abstract, "element", None)
    is_list = getattr(abstract, "is_list", False) and getattr(abstract, "kind", None) is made
    return [element] if is_list and element is not None else None


def referring(name: str, abstract: AbstractValue, path: Path = ()) -> AbstractValue:
    """The abstract value with references in the place of the lists that can be items."""
    current = traces.current()
    if current is None or current.pools is None or isinstance(abstract, AbstractReference):
        return abstract
    made = getattr(abstract, "kind", list)  # a tuple of a known length is what it consists of
    items = _items_of(abstract, made)
    if items is None or made not in BY_REFERENCE:
        if alternatives := getattr(abstract, "alternatives", ()):
            parts = (referring(name, each, (*path, at)) for at, each in enumerate(alternatives))
            return replace(abstract, alternatives=tuple(parts))  # type: ignore[type-var]
        if (inner := getattr(abstract, "inner", None)) is not None:
            return replace(abstract, inner=referring(name, inner, path))  # type: ignore[type-var]
        if not isinstance(abstract, Structure):
            return abstract
        parts = (referring(name, item, (*path, at)) for at, item in enumerate(abstract.items))
        return abstract.of(parts)
    found = [referring(name, general(item), (*path, "item")) for item in items]
    if not _alike(found):
        return abstract
    kind = current.pools.kinds.at((name, path, place_of(current)), made)
    for item in found:
        current.pools.kinds.admit(name, kind, item)
    return AbstractReference(kind)


def _alike(items: Sequence[AbstractValue]) -> bool:
    """Whether a list of such items can lie in a pool: they have a common type of a fixed size."""
    if not all(each.has_fixed_size for each in items):
        return False
    try:
        found = functools.reduce(functools.partial(join, ITEM), items) if items else None
    except JoinError:
        return False
    return found is None or found.has_fixed_size


def entered(trace: Trace, kind: PointsToClass, contents: Any) -> Reference:
    """A new list of that kind."""
    if not isinstance(contents, Items) and not len(contents):
        found: Reference = trace.pools.enter(kind, None)
        return found
    if isinstance(contents, Items):
        items = contents.converted(kind.element)
    else:
        items = staged_items(trace, list(contents), kind.element)
    found = trace.pools.enter(kind, items)
    return found


def as_reference(trace: Trace, contents: Any, abstract: Any, path: Path) -> Reference | None:
    """A list that becomes an item, as a reference; None for one that stays a value."""
    abstract = (
        abstract if isinstance(abstract, AbstractReference) and abstract.kind.made is list else None
    )
    kinds = trace.pools.kinds
    if isinstance(contents, Items):
        found = [contents.element]
    else:
        within = abstract.kind.known if isinstance(abstract, AbstractReference) else None
        for value in contents:
            as_items(trace, value, within, (*path, "item"))
        found = [general(abstract_element(trace, value)) for value in contents]
    if not _alike(found):
        return None
    kind = (
        abstract.kind
        if isinstance(abstract, AbstractReference)
        else kinds.at((path, place_of(trace)))
    )
    try:
        for item in found:
            kinds.admit(ITEM, kind, item)
    except JoinError:
        return None
    return entered(trace, kind, contents)


def components(trace: Trace, found: Reference, value: Any) -> list[Any]:
    """What is stored of a value that becomes an item of a list."""
    as_items(trace, value, found.kind.known)
    _admit(trace, found, abstract_element(trace, value))
    parts = found.kind.element.pack(trace, value)
    copied(trace, value, found.kind.element)
    return parts


def expect(pairs: Iterable[tuple[Any, Any]]) -> None:
    """Lists will get items: what their kinds hold is known before anything else is done with them."""
    learn_of_all(functools.partial(_expect, items, value) for items, value in pairs)


def _expect(items: Any, value: Any) -> None:
    found = getattr(items, "reference", None)
    if found is not None:
        trace = traces.current()
        assert trace is not None, "references are of a trace"
        as_items(trace, value, found.kind.known)
        _admit(trace, found, abstract_element(trace, value))


def refill(trace: Trace, found: Reference, items: Items) -> None:
    """Give a list other items."""
    _admit(trace, found, items.element)
    trace.pools.of(found.kind).replace(found.number.ssa, items.converted(found.kind.element))


def _admit(trace: Trace, found: Reference, abstract: AbstractValue) -> None:
    try:
        trace.pools.kinds.admit(ITEM, found.kind, general(abstract))
    except JoinError as error:
        raise StagingError(trace.explain(str(error))) from None


@dataclass(frozen=True)
class Given:
    """Lists of a kind, or objects of a class, that are the caller's, and what these began with."""

    kind: Any
    first: Any
    """The number of the first of them, an SSA value; None for 1."""
    begun: list[Any]
    source: Any
    """Where the caller's are found: in the list that this one stands for, or by an argument, ..."""
    key: Any = None
    """... as those of this kind."""

    def changed(self, trace: Trace) -> Any:
        """What has been written to: whether lists have, or which attributes."""
        now = trace.pools.of(self.kind).contents()
        return self.kind.changed(self.begun, now)


def numbered(trace: Trace, kind: PointsToClass, order: SymbolicTensor, first: Any) -> Items:
    """The items of a list that are lists of a kind, by their numbers from a first one on."""
    length = emit.dim_value(trace, order.dims[0])
    column = columns.mapped(
        trace, order.ssa, length, lambda at: trace.op("arith.addi", at.type, at, first)
    )
    return Items(
        trace, trace.scope, AbstractReference(kind), emit.counted(trace, length), (column,)
    )


class Left(AbstractValue):
    """What a function leaves to its caller, and no variable holds."""

    def unpack(self, trace: Trace, carried: list[Any]) -> Any:
        """The Python value, from SSA values taken off the front of ``carried``."""
        raise NotImplementedError

    def placeholder(self, trace: Trace) -> list[Any]:
        """Values that stand where there is none."""
        raise NotImplementedError


@dataclass(frozen=True)
class AbstractHeap(Left):
    """What a function returns that refers to lists: it, and all lists of those kinds."""

    inner: AbstractValue
    kinds: tuple[PointsToClass, ...]

    def types(self) -> list[Any]:
        """The MLIR types that carry the abstract value."""
        return [*(t for kind in self.kinds for t in _table_types(kind)), *self.inner.types()]

    def dtypes(self) -> list[DType]:
        """The element types of what carries the abstract value."""
        return [*_table_dtypes(self.kinds), *self.inner.dtypes()]

    def pack(self, trace: Trace, value: Any) -> list[Any]:
        """The SSA values that carry the Python value."""
        own = self.inner.pack(trace, value)
        return [*_table_contents(trace, self.kinds), *own]

    def assemble(self, take: Take, wrap: Wrap) -> Any:
        """The value for the caller."""
        with assembling.call:
            assembling.take_tables(self.kinds, take)
            return self.inner.assemble(take, wrap)

    def describe(self) -> str:
        """The abstract value in the words of an error message."""
        return self.inner.describe()


@dataclass(frozen=True)
class Refilled(AbstractHeap):
    """What is in a list of the caller's, which is known by itself."""

    def enter(self, take: Take, target: list[Any]) -> None:
        """Have the caller's list wherever the function has left the one that stands for it."""
        assembling.take_tables(self.kinds, take)
        assembling.table(self._kind).enter(int(take()), target)

    def assemble(self, take: Take, wrap: Wrap) -> Any:
        """What the caller's list gets."""
        assembling.take_tables(self.kinds, take)
        return assembling.table(self._kind).contents(int(take()), wrap)

    @property
    def _kind(self) -> PointsToClass:
        assert isinstance(self.inner, AbstractReference), "it is known by itself"
        return self.inner.kind


@dataclass(frozen=True)
class Rewritten(Left):
    """What is in lists or objects of the caller's, whose numbers are known, of the first kind."""

    kinds: tuple[PointsToClass, ...]
    names: frozenset[str] | None = None
    """Which attributes of objects are asked for."""

    def types(self) -> list[Any]:
        """The MLIR types that carry the abstract value."""
        return [t for kind in self.kinds for t in _table_types(kind)]

    def dtypes(self) -> list[DType]:
        """The element types of what carries the abstract value."""
        return _table_dtypes(self.kinds)

    def pack(self, trace: Trace, value: Any) -> list[Any]:
        """The SSA values of all lists of these kinds."""
        return _table_contents(trace, self.kinds)

    def assemble(self, take: Take, wrap: Wrap) -> Any:
        """The caller's lists or objects, each with what it gets."""
        assembling.take_tables(self.kinds, take)
        table = assembling.table(self.kinds[0])
        known = assembling.callers(self.kinds[0]).items()
        return [(row, table.contents(number, wrap, self.names)) for number, row in known]

    def describe(self) -> str:
        """The abstract value in the words of an error message."""
        return "the caller's lists"


def rewritten(kind: PointsToClass, changed: Any) -> Rewritten:
    """The abstract value of what is in the caller's lists of a kind, or in attributes of objects."""
    names = changed if isinstance(changed, frozenset) else None
    return Rewritten(tuple(kinds_in(AbstractReference(kind))), names)


def _table_dtypes(kinds: Sequence[PointsToClass]) -> list[DType]:
    return [d for kind in kinds for d in (*kind.noted, *kind.element.dtypes())]


def _table_contents(trace: Trace, kinds: Sequence[PointsToClass]) -> list[Any]:
    pools = [trace.pools.of(kind) for kind in kinds]
    return [ssa for pool in pools for ssa in pool.contents()]


def _table_types(kind: PointsToClass) -> list[Any]:
    noted = [each.mlir() for each in kind.noted]
    return [columns.column_type(each) for each in (*noted, *kind.element.types())]


def kinds_in(abstract: AbstractValue) -> Iterator[PointsToClass]:
    """The kinds of the lists that an abstract value refers to, and those that these refer to."""
    held = (getattr(each, "kind", None) for each in abstracts_in(abstract))
    for kind in dict.fromkeys(each for each in held if isinstance(each, PointsToClass)):
        kind.is_read = True
        yield kind


def abstracts_in(abstract: AbstractValue) -> Iterator[AbstractValue]:
    """An abstract value, and all that are in it: those of items, of attributes and of alternatives."""
    seen: dict[PointsToClass, None] = {}
    waiting: list[Any] = [abstract]
    while waiting:
        each = waiting.pop()
        if each is None:
            continue
        yield each
        if isinstance(kind := getattr(each, "kind", None), PointsToClass):
            if kind not in seen:
                seen[kind] = None
                waiting.append(kind.contents)
        else:
            several = (getattr(each, name, ()) for name in ("items", "alternatives"))
            waiting += [part for parts in several for part in parts]
            waiting += [getattr(each, name, None) for name in ("element", "inner")]


def is_within(one: AbstractValue, other: AbstractValue) -> bool:
    """Whether values of a type are inside of those of another one, which are not inside of them."""
    return one != other and one in abstracts_in(other) and other not in abstracts_in(one)


def returned(abstract: AbstractValue, *, is_contents: bool = False) -> AbstractValue:
    """The abstract value of what a function returns, or leaves in a list.

    With the lists that it refers to.
    """
    kinds = tuple(kinds_in(abstract))
    if is_contents and isinstance(abstract, AbstractReference):
        return Refilled(abstract, kinds)
    return AbstractHeap(abstract, kinds) if kinds else abstract
