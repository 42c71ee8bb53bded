"""What tables have of a caller's objects: forms of values, and the columns that carry these.

Values of one place (an attribute of a class, the items of its lists) are of one *form*, which says what
stands in which columns; what calls have had at a place before is of that form, too.
"""

from __future__ import annotations

import weakref
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from enum import Enum
from itertools import chain
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from agir.ir.building.types import python_dtype
from agir.ir.tensors import structure
from agir.ir.values.alternatives.mixed_numbers import CLASSES, TOWER
from agir.ir.values.heap.objects import is_eligible
from agir.runtime.state import foreign
from agir.runtime.state.data import Memory, Place, UndescribedError, VariedError
from agir.runtime.state.passed_lists import column_of

_NUMBERS = frozenset((bool, int, float, complex))
ATOMS = frozenset((*_NUMBERS, str, bytes, type(None)))
_EXACT = 2**53
"""Ints of at most this size are exact as floats."""


class _Absent:
    """In the place of a value that is not there."""


ABSENT = _Absent()


class Form(NamedTuple):
    """What the values of one place are.

    ``kind`` is the name of a method of `Columns` and of the abstract values that it becomes; ``of``
    is what that needs to know, and ``parts`` are the forms of what the values are made of.
    """

    kind: str
    of: Hashable = None
    parts: tuple[Any, ...] = ()


class Layout:
    """What objects are like: the forms of attributes, and of the items of lists.

    It is part of the key of a trace, by its value.
    """

    __slots__ = ("_hash", "classes", "lists", "roots", "tables")

    def __init__(
        self,
        roots: tuple[Form, ...],
        classes: tuple[tuple[type, tuple[tuple[str, Form], ...]], ...],
        lists: tuple[tuple[Place, tuple[Form | None]], ...],
        tables: tuple[tuple[Place, tuple[Form | None, ...]], ...],
    ) -> None:
        self.roots = roots
        self.classes = classes
        self.lists = lists
        self.tables = tables
        """Dicts with the forms of their keys and values, and sets with that of their items."""
        self._hash = hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return self.roots, self.classes, self.lists, self.tables

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Layout) and self._key() == other._key()

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        names = [cls.__name__ for cls, _ in self.classes]
        return "objects of " + ", ".join(names) if names else "tables"


class DifferentError(Exception):
    """Data are not like those of another call."""


def is_flat(layout: Layout) -> bool:
    """Whether it is one of containers of text, tuples and numbers, each by itself.

    A container of nothing but numbers is none: it is not passed in tables.
    """
    places = [place for place, _ in layout.lists if place[-1] != "text"]
    return not (layout.classes or layout.tables or places) and all(
        root.kind == "own"
        and all(part is not None and _is_flat(part) for part in root.parts)
        and any(part.kind != "number" for part in root.parts)
        for root in layout.roots
    )


def _is_flat(form: Form) -> bool:
    if form.kind == "tuple_":
        return form.of == (tuple, len(form.parts)) and all(map(_is_flat, form.parts))
    return form.kind == "text" or (form.kind == "number" and form.of in _NUMBERS)


def _require_only(values: Iterable[Any], kind: type) -> None:
    if not set(map(type, values)) <= {kind}:
        raise DifferentError


class TableKind(NamedTuple):
    """The class of a dict or set, and what makes the values that are missing."""

    kind: type
    factory: Any

    @classmethod
    def of(cls, value: Any) -> TableKind:
        """That of a dict or set."""
        factory = getattr(value, "default_factory", None)
        return cls(type(value), None if factory is None else Same(factory))

    @property
    def made(self) -> Any:
        """What makes the values that are missing; None for nothing."""
        return None if self.factory is None else self.factory.value


SEQUENCES = frozenset((list, tuple))
TABLES = frozenset((dict, defaultdict, OrderedDict, Counter, set))


def parts_of(value: Any) -> tuple[tuple[str, Iterable[Any]], ...]:
    """What is in a container, by the names of the places in it."""
    if type(value) in SEQUENCES:
        return (("item", value),)
    return (
        (("key", value), ("value", value.values()))
        if isinstance(value, dict)
        else (("key", value),)
    )


def container_kind(value: Any) -> Any:
    """What the place of a list, tuple, dict or set ends with; None for a list."""
    kind = type(value)
    if kind is list:
        return None
    return tuple if kind is tuple else TableKind.of(value)


def is_of_table(place: Place) -> bool:
    """Whether it is the place of dicts or sets."""
    return isinstance(place[-1], TableKind)


def names_in(place: Place) -> tuple[str, ...]:
    """The names of the places in the containers of a place."""
    if not is_of_table(place):
        return ("item",)
    return ("key", "value") if issubclass(place[-1].kind, dict) else ("key",)


def is_object(value: Any) -> bool:
    """Whether it is an object of a class that tables can have."""
    kind = type(value)
    if kind not in _FITTING:
        _FITTING[kind] = is_eligible(kind) and not any(hasattr(kind, each) for each in _MEANING)
    return _FITTING[kind] and structure.attributes(value) is not None


_FITTING: weakref.WeakKeyDictionary[type, bool] = weakref.WeakKeyDictionary()
_MEANING = (*foreign.PROTOCOLS, "__dlpack__", "__buffer__", foreign.TRACED)
"""By which an object says that it is something else, such as an array."""
_CONSTANT = (FunctionType, BuiltinFunctionType, ModuleType, type, Enum, bytes, range, np.dtype)
"""What does not change, and is the same for all objects or one of several."""


def attributes_of(value: Any) -> Iterable[tuple[str, Any]]:
    """The names and values of the attributes of an object."""
    held = getattr(value, "__dict__", None)
    if held is not None and not _has_slots(type(value)):
        return held.items()  # type: ignore[no-any-return]
    parts = structure.attributes(value)
    assert parts is not None, "it is an object"
    (_, names), values = parts
    return zip(names, values, strict=True)


_SLOTTED: weakref.WeakKeyDictionary[type, bool] = weakref.WeakKeyDictionary()


def _has_slots(cls: type) -> bool:
    if cls not in _SLOTTED:
        _SLOTTED[cls] = any("__slots__" in vars(each) for each in cls.__mro__[:-1])
    return _SLOTTED[cls]


def _order(place: Any) -> Any:
    """By which places and classes are sorted: calls that meet the same have the same order."""
    if isinstance(place, tuple):
        return tuple(map(_order, place))
    return (place.__module__, place.__qualname__) if isinstance(place, type) else ("", str(place))


class Columns:
    """Makes columns of values, each place in the columns of its form."""

    def __init__(
        self, memory: Memory, numbers: dict[int, int], members: Callable[[Any], list[Any]]
    ) -> None:
        self.made: list[Any] = []
        self._memory = memory
        self._numbers = numbers
        """Of objects and lists, by their identity."""
        self._of = members
        """Gives the objects of a class, or the lists of a place."""
        self._texts: dict[Place, dict[str, int]] = {}

    def layout(
        self, roots: Iterable[tuple[Any, bool]], classes: Iterable[type], places: Iterable[Place]
    ) -> Layout:
        """The forms of all places; the columns are made meanwhile, in the order of these."""
        memory = self._memory
        for cls in classes:
            memory.names.setdefault(cls, {})
        for place in places:
            memory.containers.setdefault(place)
        of_roots = tuple(
            self._own(each, ("root", n)) if is_own else self._put([each], ("root", n))
            for n, (each, is_own) in enumerate(roots)
        )
        first, self.made = self.made, []
        of_classes: dict[type, Any] = {}
        of_places: dict[Place, Any] = {}
        while True:
            more = sorted(memory.names.keys() - of_classes.keys(), key=_order)
            of_classes |= {each: self._apart(self._fields, each) for each in more}
            kinds = {memory.kind(place) for place in memory.containers} - of_places.keys()
            of_places |= {
                each: self._apart(self._contents, each) for each in sorted(kinds, key=_order)
            }
            if not more and not kinds:
                break
        lists = {place: each for place, each in of_places.items() if not is_of_table(place)}
        tables = {place: each for place, each in of_places.items() if is_of_table(place)}
        lists |= {place: self._apart(self._codes, place) for place in self._texts}
        groups = (of_classes, lists, tables)
        made = (each for group in groups for _, columns in group.values() for each in columns)
        self.made = [*first, *made]
        forms: Any = [tuple((k, each) for k, (each, _) in group.items()) for group in groups]
        return Layout(of_roots, *forms)

    def again(self, roots: Iterable[Any], layout: Layout) -> None:
        """The columns of containers that need no number and hold no others, of a known layout.

        Raises `DifferentError` where they are not of that.
        """
        for value, form in zip(roots, layout.roots, strict=True):
            if container_kind(value) != form.of:
                raise DifferentError
            self.made.append(np.array([len(value)]))
            for (_, values), part in zip(parts_of(value), form.parts, strict=True):
                self._again(list(values), part)
        for place in self._texts:
            self._codes(place)

    def _again(self, values: Sequence[Any], form: Form | None) -> None:
        if form is None:
            if values:
                raise DifferentError
        elif form.kind == "number":
            column = column_of(values if type(values) is list else list(values), form.of)
            if column is None:
                raise DifferentError
            self.made.append(column)
        elif form.kind == "text":
            _require_only(values, str)
            self.text(list(values), form)
        else:
            _require_only(values, tuple)
            if not set(map(len, values)) <= {len(form.parts)}:
                raise DifferentError
            columns = list(zip(*values, strict=True)) or [()] * len(form.parts)
            for part, column in zip(form.parts, columns, strict=True):
                self._again(column, part)

    def _own(self, value: Any, place: Place) -> Form:
        """The form of a container that needs no number, by what is in it."""
        kind = container_kind(value)
        place = self._memory.kind(place if kind is None else (*place, kind))
        self.made.append(np.array([len(value)]))
        parts = tuple(self._items(list(each), (*place, name)) for name, each in parts_of(value))
        return Form("own", kind, parts)

    def _apart(self, function: Callable[[Any], Any], key: Any) -> tuple[Any, list[Any]]:
        """What a function gives of forms, and the columns that it makes meanwhile."""
        self.made = []
        return function(key), self.made

    def _fields(self, cls: type) -> tuple[tuple[str, Form], ...]:
        held = [dict(attributes_of(each)) for each in self._of(cls)]
        self.made.append(np.array([len(held) + 1]))
        names = self._memory.names[cls]
        for name in chain.from_iterable(held):
            names.setdefault(name)
        return tuple(
            (name, self._put([ABSENT, *(each.get(name, ABSENT) for each in held)], (cls, name)))
            for name in sorted(names)
        )

    def _contents(self, place: Place) -> tuple[Form | None, ...]:
        containers = self._of(place)
        self._rows(list(map(len, containers)))
        found: dict[str, list[Any]] = {name: [] for name in names_in(place)}
        for each in containers:
            for name, values in parts_of(each):
                found[name] += values
        return tuple(self._items(values, (*place, name)) for name, values in found.items())

    def _items(self, values: list[Any], place: Place) -> Form | None:
        return self._put(values, place) if values or place in self._memory.kinds else None

    def _rows(self, lengths: Sequence[int]) -> None:
        counts = np.array(lengths, np.int64)
        self.made += [np.cumsum(counts) - counts, counts]

    def _codes(self, place: Place) -> tuple[Form]:
        known = self._texts[place]
        self._rows(list(map(len, known)))
        codes = np.frombuffer("".join(known).encode("utf-32-le", "surrogatepass"), np.uint32)
        self.made.append(codes.astype(np.int64))
        return (Form("number", int),)

    def _put(self, values: list[Any], place: Place) -> Form:
        """The form of the values of a place, whose columns are made."""
        form = self._form(values, place)
        getattr(self, form.kind)(values, form)
        return form

    def _form(self, values: list[Any], place: Place) -> Form:
        """The form of the values of a place, of which some are perhaps absent."""
        memory = self._memory
        known = memory.kinds.setdefault(place, {})
        found = _kinds_of(values)
        known.update((kind, shape) for kind, shape in found.items() if kind not in known)
        groups = set(map(_group, found)) or set(map(_group, known))
        kinds = {kind: shape for kind, shape in known.items() if _group(kind) in {*groups, None}}
        if _is_attribute(place) and any(each is ABSENT for each in values[1:]):
            memory.absent.add(place)
        if place in memory.absent:
            label = f"{place[0].__name__}.{place[1]}"
            return Form("perhaps", label, (self._of_kinds(kinds, values, place),))
        return self._of_kinds(kinds, values, place)

    def _of_kinds(self, kinds: dict[Any, Any], values: list[Any], place: Place) -> Form:
        several = [each for each in kinds if each is not type(None)]
        if len(several) < len(kinds) and several:
            rest = {each: kinds[each] for each in several}
            return Form("or_none", None, (self._of_kinds(rest, values, place),))
        if len(several) > 1 and _NUMBERS.issuperset(several):
            return Form("mixed", tuple(sorted(map(CLASSES.index, several))))
        groups = [self._of_kind(kind, kinds[kind], values, place) for kind in kinds]
        return groups[0] if len(groups) == 1 else Form("one_of", tuple(kinds), tuple(groups))

    def _of_kind(self, kind: Any, shape: Any, values: list[Any], place: Place) -> Form:
        if kind is type(None):
            return Form("constant", Same(None))
        if isinstance(kind, Same):
            if not isinstance(kind.value, _CONSTANT):
                raise UndescribedError
            return Form("constant", kind)
        is_sequence = kind is list or (kind is tuple and place in self._memory.varied)
        if is_sequence or isinstance(kind, TableKind):
            at = place if kind is list else (*place, kind)
            self._memory.containers.setdefault(found := self._memory.kind(at))
            return Form("list_" if is_sequence else "table", found)
        if issubclass(kind, np.datetime64 | np.timedelta64 | np.void):
            raise UndescribedError  # their units, and fields, are no part of the class
        if kind in _NUMBERS or issubclass(kind, np.generic):
            return Form("number", kind)
        if kind is str:
            return Form("text", (*place, "text"))
        if issubclass(kind, tuple):
            mine = [each for each in values if type(each) is kind]
            if not _are_of_shape(mine, shape):
                raise VariedError(place) if kind is tuple else UndescribedError
            count = shape[1] if kind is tuple else len(shape[1])
            columns = list(zip(*mine, strict=True)) or [()] * count
            inner = [self._form(list(each), (*place, n)) for n, each in enumerate(columns)]
            return Form("tuple_", shape, tuple(inner))
        self._memory.names.setdefault(kind, {})
        return Form("object_", kind)

    # The columns of each kind of form.

    def number(self, values: list[Any], form: Form) -> None:
        """One column of numbers."""
        kind: Any = form.of
        dtype = python_dtype(kind()).numpy if kind in _NUMBERS else np.dtype(kind)
        self._column([0 if each is ABSENT else each for each in values], dtype)

    def mixed(self, values: list[Any], form: Form) -> None:
        """Numbers of several classes of Python's, and which each is of."""
        dtype = TOWER[max(form.of)]  # type: ignore[call-overload]
        numbers = [0 if each is ABSENT else each for each in values]
        if not dtype.is_integer and any(type(n) is int and abs(n) > _EXACT for n in numbers):
            raise UndescribedError
        self._column(numbers, dtype.numpy)
        places = {each: number for number, each in enumerate(CLASSES)}
        self._column([places.get(type(each), form.of[0]) for each in values], _INT)  # type: ignore[index]

    def constant(self, values: list[Any], form: Form) -> None:
        """No column: all are the same."""

    def or_none(self, values: list[Any], form: Form) -> None:
        """Whether each is there, and what it is."""
        self._column([each is not None and each is not ABSENT for each in values], _BOOL)
        self._inner([ABSENT if each is None else each for each in values], form.parts[0])

    def perhaps(self, values: list[Any], form: Form) -> None:
        """Whether each object has the attribute, and what it is."""
        self._column([each is not ABSENT for each in values], _BOOL)
        self._inner(values, form.parts[0])

    def one_of(self, values: list[Any], form: Form) -> None:
        """Which of several kinds each is of, and what it is of that."""
        kinds: Any = form.of
        places = {each: number for number, each in enumerate(kinds)}
        found = [None if each is ABSENT else _kind_of(each) for each in values]
        self._column([0 if each is None else places[each] for each in found], _INT)
        for kind, part in zip(kinds, form.parts, strict=True):
            mine = zip(values, found, strict=True)
            self._inner([each if of == kind else ABSENT for each, of in mine], part)

    def tuple_(self, values: list[Any], form: Form) -> None:
        """The columns of each item, side by side."""
        nothing = (ABSENT,) * len(form.parts)
        rows = [nothing if each is ABSENT else each for each in values]
        columns = list(zip(*rows, strict=True)) or [()] * len(form.parts)
        for part, column in zip(form.parts, columns, strict=True):
            self._inner(list(column), part)

    def object_(self, values: list[Any], form: Form) -> None:
        """The numbers of objects."""
        numbers = self._numbers
        self._column([numbers.get(id(each), 0) for each in values], _INT)

    list_ = table = object_

    def text(self, values: list[Any], form: Form) -> None:
        """The numbers of texts, of which each is there once."""
        place: Any = form.of
        known = self._texts.setdefault(place, {})
        for each in values:
            if each is not ABSENT:
                known.setdefault(each, len(known) + 1)
        self._column([0 if each is ABSENT else known[each] for each in values], _INT)

    def _inner(self, values: list[Any], form: Form) -> None:
        getattr(self, form.kind)(values, form)

    def _column(self, numbers: list[Any], dtype: np.dtype[Any]) -> None:
        try:
            self.made.append(np.fromiter(numbers, dtype, len(numbers)))
        except OverflowError:  # an int of more than 64 bits
            raise UndescribedError from None


_INT, _BOOL = np.dtype(np.int64), np.dtype(np.bool_)


def _group(kind: Any) -> Any:
    """What values of several kinds are together: numbers, or text, say; None for what joins any.

    Where calls have had numbers at a place, and others text, each has its trace.
    """
    if kind in _NUMBERS:
        return complex
    return kind if isinstance(kind, type) and issubclass(kind, str | tuple | np.generic) else None


_ALIKE = ATOMS - {bytes} | {list}
"""Classes whose values are all of one kind."""


def _kinds_of(values: list[Any]) -> dict[Any, Any]:
    """The kinds of values that are there, in their order, and the shapes of the first of each."""
    classes = dict.fromkeys(map(type, values))
    classes.pop(_Absent, None)
    if classes.keys() <= _ALIKE:
        return classes
    if classes.keys() == {tuple}:
        return {tuple: _shape_of(next(each for each in values if each is not ABSENT))}
    found: dict[Any, Any] = {}
    for each in values:
        if each is not ABSENT:
            found.setdefault(_kind_of(each), _shape_of(each))
    return found


def _are_of_shape(values: list[Any], shape: Any) -> bool:
    """Whether tuples of one class all have this structure."""
    if shape[0] is tuple:
        return set(map(len, values)) <= {shape[1]}
    return all(_shape_of(each) == shape for each in values)


def _shape_of(value: Any) -> Any:
    """The structure of a tuple; None for anything else."""
    parts = structure.children(value) if isinstance(value, tuple) else None
    return None if parts is None else parts[0]


def _is_attribute(place: Place) -> bool:
    return isinstance(place[0], type) and len(place) == 2


def _kind_of(value: Any) -> Any:
    """What a form depends on of a value: its class, or what is none of the tables' own, itself."""
    kind = type(value)
    if kind in ATOMS and kind is not bytes:
        return kind
    if kind in TABLES:
        return TableKind.of(value)
    if kind is list or isinstance(value, tuple | np.generic) or is_object(value):
        return kind
    return Same(value)


class Same:
    """A value of which all objects have the same, as a part of a key."""

    __slots__ = ("_key", "value")

    def __init__(self, value: Any) -> None:
        self.value = value
        self._key = value if type(value) in ATOMS else id(value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Same) or type(self._key) is not type(other._key):
            return False
        return bool(self._key == other._key)

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return repr(self.value)
