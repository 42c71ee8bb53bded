"""Objects of a program's classes that are known by their numbers: rows of a table for each class.

A first trace takes an object apart: its attributes are what branches and loops carry.  That cannot be
where objects refer to each other in chains that only the run time knows (linked lists, trees), or
where an object that changes goes by several names.  Then the function is traced again, and objects of
that class are *numbers*: a table has a column for each attribute, in cells like all other state, so
two names of one object are one number.  While tracing, what stands for such an object is an instance
of a subclass of its class, so methods, properties and operators are those of the class; its attributes
are read from the table and written into it.
"""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import FrozenInstanceError, fields, replace
from functools import cached_property, partial
from types import FunctionType, MemberDescriptorType
from typing import Any

from agir.autograph import operators
from agir.autograph.operators import Attribute
from agir.autograph.operators.calls import is_converted_on_the_way
from agir.autograph.operators.objects import in_class
from agir.errors import OperatorNotAllowedInGraphError, StagingError
from agir.ir import hooks
from agir.ir.building import bindings
from agir.ir.building.cells import Cell, Scope
from agir.ir.building.types import bool_, int64
from agir.ir.emission import emit
from agir.ir.tensors import structure
from agir.ir.tensors.staged import StandsIn
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing import trace as traces
from agir.ir.tracing.trace import Trace
from agir.ir.values import columns, text
from agir.ir.values.abstract_values import (
    KINDS,
    AbstractValue,
    JoinError,
    Maybe,
    MaybeUnbound,
    Static,
    Structure,
    Wrap,
    join,
    nests_without_end,
)
from agir.ir.values.alternatives.optional import for_place, presence, settled, unchecked
from agir.ir.values.heap import assembling
from agir.ir.values.heap.abstract_items import (
    abstract_element,
    as_items,
    copied,
    from_list,
    general,
    listed,
)
from agir.ir.values.heap.items import Items
from agir.ir.values.heap.kinds import ByReference, PointsToClass, PointsToClasses, place_of
from agir.ir.values.heap.pools import POOLS, Beginnings, before
from agir.ir.values.heap.references import ByNumber, referring
from agir.records import dataclass

_HOOKS = ("__getattribute__", "__getattr__", "__setattr__", "__delattr__")


class ObjectClass(PointsToClass):
    """The objects of a class: which attributes they have, and of which types these are."""

    noted = ()

    def __init__(self) -> None:
        super().__init__()
        self.cls: type = object
        self.fields: dict[str, AbstractValue] = {}
        self.sure: set[str] | None = None
        """The attributes that every object has from its constructor on; None before one is known."""
        self.stand_in: type = StandsIn
        self.stale: list[FunctionType] = []
        """Functions in attributes that an earlier trace has made, and this one makes anew."""

    def begin(self) -> None:
        """A trace begins, for which nothing has been recorded."""
        super().begin()
        self.stale = [each for abstract in self.fields.values() for each in _functions(abstract)]

    def renew(self, name: str, value: object) -> None:
        """Have a function that is made anew in the place of the one of an earlier trace."""
        if type(value) is FunctionType and name in self.fields:
            old = next((each for each in self.stale if each.__code__ is value.__code__), None)
            if old is not None:
                self.stale.remove(old)
                self.fields[name] = _with_function(self.fields[name], old, value)

    def stands_for(self, cls: type) -> bool:
        """Whether it is that of a class, which it is from now on if it is of none in this trace."""
        is_fit = is_eligible(cls) or structure.is_own(cls)
        if self.cls is not cls and not self.is_read and is_fit:
            self.cls, self.stand_in = cls, _stand_in(cls)
        return self.cls is cls

    def merge(self, name: str, other: ObjectClass) -> None:
        """Hold what another kind holds, too."""
        for each, abstract in other.fields.items():
            mine = self.fields.get(each)
            self.fields[each] = abstract if mine is None else join(self.label(each), mine, abstract)
        if self.sure is None or other.sure is None:
            self.sure = other.sure if self.sure is None else self.sure
        else:
            self.sure &= other.sure

    def held(self) -> Sequence[AbstractValue]:
        """The types of what is held."""
        return tuple(self.fields.values())

    def transform(self, change: Callable[[AbstractValue], AbstractValue]) -> None:
        """Change the types of what is held."""
        self.fields = {name: change(abstract) for name, abstract in self.fields.items()}

    def changed(self, begun: Sequence[Any], now: Sequence[Any]) -> frozenset[str]:
        """The attributes that have been written to, of what a table began with and what it has now."""
        places = {name: slice(*self.places(name)) for name in self.fields}
        return frozenset(
            name
            for name, at in places.items()
            if any(one is not other for one, other in zip(begun[at], now[at], strict=True))
        )

    @property
    def contents(self) -> Structure:
        """All attributes that are known."""
        return Structure((self.cls, tuple(self.fields)), tuple(map(self.abstract, self.fields)))

    @property
    def element(self) -> Structure:
        """All attributes, with which something is recorded now."""
        self.is_read = True
        return self.contents

    def abstract(self, name: str) -> AbstractValue:
        """The type of an attribute, which some objects may not have."""
        found = self.fields[name]
        is_sure = self.sure is None or name in self.sure
        return found if is_sure else Maybe(self.label(name), found)

    def given(self, fields: dict[str, AbstractValue]) -> None:
        """Have objects of the caller: their attributes, of which `Maybe` tells that some lack it."""
        for name, abstract in fields.items():
            inner = abstract.inner if isinstance(abstract, Maybe) else abstract
            known = self.fields.get(name)
            self.fields[name] = inner if known is None else join(self.label(name), known, inner)
        names = {name for name, abstract in fields.items() if not isinstance(abstract, Maybe)}
        self.sure = names if self.sure is None else self.sure & names

    def label(self, name: str) -> str:
        """An attribute in the words of an error message."""
        return f"{self.cls.__name__}.{name}"

    def places(self, name: str) -> tuple[int, int]:
        """Which columns hold an attribute."""
        first = 0
        for each in self.fields:
            count = len(self.abstract(each).types())
            if each == name:
                return first, first + count
            first += count
        raise KeyError(name)


def _functions(abstract: AbstractValue) -> Iterator[FunctionType]:
    """The functions that a value of a type may be."""
    for each in getattr(abstract, "alternatives", (abstract,)):
        if isinstance(each, Static) and type(each.value) is FunctionType:
            yield each.value


def _with_function(abstract: Any, old: FunctionType, new: FunctionType) -> AbstractValue:
    if isinstance(abstract, Static):
        return Static(new) if abstract.value is old else abstract
    if not hasattr(abstract, "alternatives"):
        return abstract  # type: ignore[no-any-return]
    parts = tuple(_with_function(each, old, new) for each in abstract.alternatives)
    return replace(abstract, alternatives=parts)  # type: ignore[no-any-return]


def is_eligible(cls: type) -> bool:
    """Whether objects of a class are nothing but their attributes, and keep them as Python does."""
    return (
        type(cls) in (type, ABCMeta)
        and structure.is_made_of_attributes(cls)
        and getattr(cls, "__new__", None) is object.__new__
        and not structure.is_own(cls)
        and _is_made_by_converted_code(cls)
        and all(map(structure.is_of_a_program, cls.__mro__[:-1]))
        and not any(name in vars(each) for each in cls.__mro__[:-1] for name in _hooks_of(each))
    )


def _is_made_by_converted_code(cls: type) -> bool:
    """Whether what sets the first attributes is converted: no class of a library that is left alone."""
    method = getattr(cls, "__init__", None)
    if type(method) is not FunctionType or method.__code__.co_filename == "<string>":
        return True  # a dataclass's, whose fields are known
    return is_converted_on_the_way(method)


def _hooks_of(cls: type) -> tuple[str, ...]:
    """The methods by which a class would keep attributes in its own way."""
    return _HOOKS[:2] if _is_frozen(cls) else _HOOKS  # those of frozen dataclasses only refuse


def _is_frozen(cls: type) -> bool:
    """Whether it is a dataclass whose objects do not change."""
    parameters = vars(cls).get("__dataclass_params__")
    return parameters is not None and bool(parameters.frozen)


def need(trace: Trace, cls: type) -> None:
    """Trace again, with the objects of a class known by their numbers, if they can be and are not."""
    kinds = PointsToClasses() if trace.pools is None else trace.pools.kinds
    if name_of(cls) not in kinds.classes and is_eligible(cls):
        kinds.classes.add(name_of(cls))
        raise ByReference(kinds)


def grow_without_end(trace: Trace, abstract_values: Iterable[AbstractValue | None]) -> bool:
    """Whether objects in these nest deeper each time; they are known by their numbers if they can."""
    found = [kind for kind in map(nests_without_end, abstract_values) if kind is not None]
    for kind in found:
        need(trace, kind)
    return bool(found)


def name_of(cls: type) -> tuple[str, str]:
    """A class, through all traces: one that a function makes is another one in each."""
    return (cls.__module__, cls.__qualname__)


def candidates(trace: Trace) -> frozenset[Any]:
    """What another trace may know by its numbers, where one is refused: classes, and places of dicts.

    Classes of objects that a branch or loop has made come first, then all others, then dicts and sets.
    """
    known: Collection[Any] = () if trace.pools is None else trace.pools.kinds.classes
    news = [c for c in trace.classes if name_of(c) not in known and is_eligible(c)]
    if news:
        return frozenset(map(name_of, [each for each in news if trace.classes[each]] or news))
    return frozenset(place for _, place in trace.tables_made.values()) - frozenset(known)


def need_keys(trace: Trace, value: Any) -> None:
    """A value is a key: objects that the function has made are known by their numbers, as keys are."""
    if isinstance(value, tuple):
        for each in value:
            need_keys(trace, each)
    value = unchecked(value)
    if structure.attributes(value) is not None and trace.classes.get(type(value), False):
        need(trace, type(value))


def need_tables(trace: Trace, value: Any) -> None:
    """Trace again, with the dicts and sets of the run time that are made where one was by number."""
    found, place = trace.tables_made.get(id(value), (None, None))
    if found is value and place not in trace.pools.kinds.classes:
        trace.pools.kinds.classes.add(place)
        raise ByReference(trace.pools.kinds)


def need_table_of(trace: Trace, part: Any) -> None:
    """The same, where a list is a part of such a dict or set, or stands for one that is."""
    if trace.pools is None:
        return
    for one in [part, *trace.journal.originals(part)]:
        for found, _ in [*trace.tables_made.values()]:
            if any(each is one for each in vars(found).values()):
                need_tables(trace, found)


def begun(cls: type, name: Any = None) -> Any:
    """A new object of a class, before its constructor; None where these are not known by number.

    ``name`` is that of its kind: by default the class, or of a dict or set the place of the program.
    """
    trace = traces.current()
    if trace is None or trace.pools is None:
        return None
    if name is None:
        name = place_of(trace) if structure.is_own(cls) else name_of(cls)
    if name not in trace.pools.kinds.classes:
        return None
    kind: ObjectClass = trace.pools.kinds.of_class(name, ObjectClass)
    if not kind.stands_for(cls):
        return None
    trace.meets(cls)
    number = trace.pools.of(kind).new()
    made = _standing(kind, trace.make(number, int64, ()))
    _object_of(made).begins(trace.scope)
    return made


def initialised(made: Any) -> None:
    """The constructor of an object is done."""
    found = _object_of(made)
    if _is_frozen(found.kind.cls):
        for name, value in _set_by_object(made, found.kind.cls).items():
            found.write(name, value)
    found.is_made()


def _set_by_object(made: Any, cls: type) -> dict[str, Any]:
    """What the constructor of a frozen dataclass has set, which goes by ``object.__setattr__``."""
    kept: dict[str, Any] = getattr(super(StandsIn, made), "__dict__", {})
    held = dict(kept)
    kept.clear()
    for each in fields(cls):
        if each.name not in held:
            held[each.name] = object.__getattribute__(made, each.name)
    return held


class Table:
    """The objects of one class.  Number 0 stands where a failed check has left no object."""

    def __init__(self, trace: Trace, kind: ObjectClass) -> None:
        self.trace = trace
        self.kind = kind
        begin = Beginnings(trace)
        self._count = Cell(trace.root, begin.number(int64.mlir(), 1))
        self._made: tuple[Structure, list[Cell]] | None = None

    @property
    def _data(self) -> list[Cell]:
        """A column for each component of the attributes, of all objects."""
        element = self.kind.element
        if self._made is None or self._made[0] != element:
            begin, root = Beginnings(self.trace), self.trace.root
            one = begin.number(self.trace.index_type(), 1)
            blanks = [_blank(begin, each, one) for each in element.types()]
            self._made = element, [Cell(root, each, grows=True) for each in blanks]
        return self._made[1]

    def last(self) -> Any:
        """The number of the last object."""
        return before(self.trace, self.trace.scope.read(self._count))

    def contents(self) -> list[Any]:
        """What a caller needs in order to make objects."""
        return list(map(self.trace.scope.read, self._data))

    def enter(self, count: Any, fields: dict[str, Items]) -> None:
        """Take the objects of the caller, which are there first: an item for each, and for number 0."""
        self.trace.scope.write(self._count, count)
        for name, items in fields.items():
            first, last = self.kind.places(name)
            found = items.converted(self.kind.abstract(name)).columns
            for cell, column in zip(self._data[first:last], found, strict=True):
                self.trace.scope.write(cell, column)

    def new(self) -> Any:
        """The number of a new object, of whose attributes nothing is known."""
        current, scope = self.trace, self.trace.scope
        number = scope.read(self._count)
        one = current.constant(int64, 1)
        scope.write(self._count, current.op("arith.addi", number.type, number, one))
        if self._data:
            at = emit.as_index(current, number)
            blanks = self.kind.element.placeholder(current)
            roomy = columns.grown(current, self.contents(), at, blanks)
            for cell, column, value in zip(self._data, roomy, blanks, strict=True):
                scope.write(cell, columns.write(current, column, at, value))
        return number

    def read(self, number: Any, name: str) -> list[Any]:
        """What carries an attribute of an object."""
        first, last = self.kind.places(name)
        return [self._read(cell, number) for cell in self._data[first:last]]

    def _read(self, cell: Cell, number: Any) -> Any:
        current = self.trace
        column = current.scope.read(cell)
        key = ("attribute", column, number)
        found = current.scope.recall("memo", key)
        if found is None:
            at = emit.as_index(current, number)
            found = current.scope.memo[key] = columns.read(current, column, at)
        return found

    def write(self, number: Any, name: str, parts: Sequence[Any]) -> None:
        """Give an object another value of an attribute."""
        current, (first, last) = self.trace, self.kind.places(name)
        at = emit.as_index(current, number)
        for cell, part in zip(self._data[first:last], parts, strict=True):
            column = current.scope.read(cell)
            current.scope.write(cell, columns.write(current, column, at, part))


def _blank(begin: Beginnings, item: Any, one: Any) -> Any:
    """A column of one item of a type, which is zero where that is a number."""
    ir, kind = bindings.ir, columns.column_type(item)
    if isinstance(item, ir.IntegerType | ir.IndexType):
        return begin.make("tensor.splat", kind, begin.number(item, 0), one)
    if isinstance(item, ir.RankedTensorType | ir.ComplexType):
        return begin.make("tensor.empty", kind, one)
    zero = begin.make("arith.constant", item, value=ir.FloatAttr.get(item, 0.0))
    return begin.make("tensor.splat", kind, zero, one)


class Objects:
    """The objects of one kind that a call has left."""

    def __init__(self, kind: ObjectClass, parts: list[Any], made: dict[int, Any]) -> None:
        self._kind, self._parts, self._made = kind, parts, made

    def enter(self, number: int, made: Any) -> None:
        """The object of that number is this one."""
        self._made[number] = made

    def object(self, number: int, wrap: Wrap) -> Any:
        """The object of that number."""
        if number not in self._made:
            made: Any = self._begun(number, wrap)
            self._made[number] = made
            assembling.later(lambda: self._fill(made, number, wrap))
        return self._made[number]

    def contents(self, number: int, wrap: Wrap, only: Collection[str] | None = None) -> Any:
        """Its attributes, perhaps only some of them; of a dict or set what is in it."""
        if structure.is_own(self._kind.cls):
            return self._rebuilt(number, wrap).plain()
        return self._attributes(number, wrap, only)

    def _attributes(
        self, number: int, wrap: Wrap, only: Collection[str] | None = None
    ) -> dict[str, Any]:
        kind, found = self._kind, {}
        for name in (each for each in kind.fields if only is None or each in only):
            first, last = kind.places(name)
            parts = (part[number] for part in self._parts[first:last])
            value = kind.abstract(name).assemble(parts.__next__, wrap)
            if value is not structure.MISSING:
                found[name] = value
        return found

    def _begun(self, number: int, wrap: Wrap) -> Any:
        if not structure.is_own(self._kind.cls):
            return object.__new__(self._kind.cls)
        return self._rebuilt(number, wrap, only=("stands_for", "default_factory")).empty()

    def _fill(self, made: Any, number: int, wrap: Wrap) -> None:
        if structure.is_own(self._kind.cls):
            made.update(self.contents(number, wrap))
            return
        for name, value in self.contents(number, wrap).items():
            object.__setattr__(made, name, value)

    def _rebuilt(self, number: int, wrap: Wrap, only: Collection[str] | None = None) -> Any:
        """A table as it has been recorded."""
        found = self._attributes(number, wrap, only)
        return structure.rebuild((self._kind.cls, tuple(found)), list(found.values()))


class Object:
    """What an instance of a stand-in is: which object, and what its constructor has done so far."""

    def __init__(self, kind: ObjectClass, number: SymbolicTensor) -> None:
        self.kind = kind
        self.number = number
        self._home: Scope | None = None
        """Where its constructor runs."""
        self._set: set[str] = set()

    def begins(self, home: Scope) -> None:
        """Its constructor is run."""
        self._home = home

    def is_made(self) -> None:
        """Its constructor is done: what all of them set, all objects have."""
        kind, self._home = self.kind, None
        before = set(kind.fields) if kind.sure is None else kind.sure
        kind.sure = before & self._set if kind.sure is not None else set(self._set)
        lost = before - kind.sure
        _trace().pools.kinds.are_outdated |= bool(lost & set(kind.fields)) and kind.is_read

    def has(self, name: str) -> bool:
        """Whether an attribute is one of the object, and not of its class."""
        return name in self.kind.fields

    def read(self, owner: Any, name: str) -> Any:
        """An attribute, which is checked to be there."""
        return settled(self.held(owner, name))

    def held(self, owner: Any, name: str) -> Any:
        """An attribute that the object perhaps has."""
        trace, abstract = _trace(), self.kind.abstract(name)
        parts = trace.pools.of(self.kind).read(self.number.ssa, name)
        found = abstract.unpack(trace, parts)
        from_list(trace, found, abstract)
        trace.journal.copied(found)
        found = for_place(Attribute(owner, name), found)
        if getattr(self.kind.cls, "lists_are_of_table", False) and isinstance(found, list):
            found.is_of_table = True  # type: ignore[attr-defined]
        return found

    def write(self, name: str, value: Any) -> None:
        """Set an attribute."""
        trace, kind = _trace(), self.kind
        value = value.load() if isinstance(value, MaybeUnbound) else settled(value)
        kind.renew(name, value)
        before = kind.fields.get(name)
        try:
            self._admit(trace, name, value)
        except JoinError as error:
            raise _refusal(trace, str(error)) from None
        if self._home is trace.scope:
            self._set.add(name)
        trace.pools.kinds.are_outdated |= kind.fields[name] != before and kind.is_read
        abstract = kind.abstract(name)
        trace.pools.of(kind).write(self.number.ssa, name, abstract.pack(trace, value))
        copied(trace, value, abstract)
        listed(trace, value, abstract)

    def _admit(self, trace: Trace, name: str, value: Any) -> None:
        kind, label = self.kind, self.kind.label(name)
        known = kind.fields.get(name)
        path = (label, kind.name)
        as_items(trace, value, known, path)
        found = abstract_element(trace, value)
        if getattr(found, "options", ()):  # text, of which there is no end
            text.need_codes(trace)
            found = hooks.texts.abstract()
        abstract = referring(label, general(found), path)
        joined = abstract if known is None else join(label, known, abstract)
        if not joined.has_fixed_size:
            raise JoinError(f"{label} is {joined.describe()}")
        kind.fields[name] = joined


def _stand_in(cls: type) -> type:
    namespace: dict[str, Any] = {
        "__slots__": ("_agir_object",),
        "__module__": cls.__module__,
        "__qualname__": cls.__qualname__,
        "__class__": property(lambda self: cls),
        "__getattribute__": _get,
        "__setattr__": _set,
        "__delattr__": _delete,
    }
    if getattr(cls, "__eq__", None) is object.__eq__:
        namespace |= {"__eq__": _is_same, "__ne__": _is_other, "__hash__": _hash}
    return type(cls.__name__, (StandsIn, cls), namespace)


def _standing(kind: ObjectClass, number: SymbolicTensor) -> Any:
    made: Any = object.__new__(kind.stand_in)
    object.__setattr__(made, "_agir_object", Object(kind, number))
    return made


def _object_of(value: Any) -> Object:
    found: Object = object.__getattribute__(value, "_agir_object")
    return found


def _get(self: Any, name: str) -> Any:
    if name == "__dict__":
        raise OperatorNotAllowedInGraphError(
            _trace().explain("the attributes of an object are asked for as a dict: name them")
        )
    found = _object_of(self) if not name.startswith("__") else None
    if found is not None and found.has(name):
        return found.read(self, name)
    return object.__getattribute__(self, name)


def _set(self: Any, name: str, value: Any) -> None:
    if (write := setting(self, name, value)) is not None:
        write()
    else:
        object.__setattr__(self, name, value)


def attribute(owner: Any, name: str) -> Any:
    """An attribute of any object as that holds it: perhaps one that only some paths have set."""
    if not isinstance(owner, StandsIn):
        return Attribute(owner, name).get()
    found = _object_of(owner)
    return found.held(owner, name) if found.has(name) else None


def remembered(owner: Any, name: str) -> Callable[[], Any] | None:
    """What ``owner.name`` does where that is a ``cached_property`` that is perhaps asked for again."""
    found = in_class(owner, name)
    if type(found) is not cached_property or not operators.is_converted_on_the_way(found.func):
        return None
    own = _object_of(owner) if isinstance(owner, StandsIn) else None
    if own is None and presence(vars(owner).get(name)) is None:
        return None

    def first() -> Any:
        value = operators.call(found.func, (owner,))
        if own is None:
            return operators.kept(owner, name, value)
        own.write(name, value)
        return value

    def read() -> Any:
        if own is not None and not own.has(name):
            _trace().pools.kinds.are_outdated = True  # the next trace asks which objects have it
            return first()
        is_set = presence(attribute(owner, name))
        if is_set is None:
            return getattr(owner, name)
        return operators.if_exp(is_set, lambda: settled(getattr(owner, name)), first)

    return read


def number_of(value: Any) -> Any:
    """The number by which an object is known, where that is what its class hashes; else None."""
    is_one = isinstance(value, StandsIn) and type(value).__hash__ is _hash
    return _object_of(value).number if is_one else None


def setting(owner: Any, name: str, value: Any) -> Callable[[], None] | None:
    """What ``owner.name = value`` does; None where a property or descriptor does it."""
    if _is_frozen(owner.__class__):
        raise FrozenInstanceError(f"cannot assign to field {name!r}")
    found = in_class(owner, name)
    if hasattr(type(found), "__set__") and type(found) is not MemberDescriptorType:
        return None
    return partial(_object_of(owner).write, name, value)


def _refusal(trace: Trace, message: str) -> StagingError:
    """An error of what objects with numbers cannot do, which others perhaps can."""
    error = StagingError(trace.explain(message))
    error.is_of_numbers = True  # type: ignore[attr-defined]
    return error


def _delete(self: Any, name: str) -> None:
    raise StagingError(
        _trace().explain(f"the attribute {name!r} is deleted, of an object known by its number")
    )


def same(left: Any, right: Any) -> Any:
    """Whether two objects are one: a bool, or a bool scalar where only the run time knows."""
    if not isinstance(left, StandsIn) or not isinstance(right, StandsIn):
        return left is right
    one, other = _object_of(left), _object_of(right)
    if one.kind is not other.kind:
        return False
    trace = _trace()
    equal = trace.compare("eq", one.number.ssa, other.number.ssa)
    return trace.make(equal, bool_, (), weak=True)


def _is_same(self: Any, other: Any) -> Any:
    return same(self, other) if isinstance(other, StandsIn) else NotImplemented


def _is_other(self: Any, other: Any) -> Any:
    return operators.not_(same(self, other)) if isinstance(other, StandsIn) else NotImplemented


def _hash(self: Any) -> int:
    raise OperatorNotAllowedInGraphError(
        _trace().explain(
            f"a {self.__class__.__name__} of the run time is hashed, which has no value while "
            "tracing: use a number that tells the objects apart"
        )
    )


@dataclass(frozen=True)
class Numbered(ByNumber):
    """An object of a class: its number."""

    kind: ObjectClass

    def pack(self, trace: Trace, value: Any) -> list[Any]:
        """The SSA values that carry the Python value."""
        if not isinstance(value, StandsIn):
            raise _refusal(
                trace,
                f"an object of {self.kind.cls.__name__} that was there before the function was "
                "called meets those that it makes",
            )
        return [_object_of(value).number.ssa]

    def unpack(self, trace: Trace, carried: list[Any]) -> Any:
        """The Python value, from SSA values taken off the front of ``carried``."""
        return _standing(self.kind, trace.make(carried.pop(0), int64, ()))

    def describe(self) -> str:
        """The abstract value in the words of an error message."""
        return f"a {self.kind.cls.__name__}"

    def join(self, name: str, other: AbstractValue, strict: bool) -> AbstractValue | None:
        """The least abstract value that holds this one and the other.

        Or None if it is not this kind's.
        """
        if not isinstance(other, Numbered) or other.kind.cls is not self.kind.cls:
            return None
        if other.kind is self.kind:
            return self
        return Numbered(_trace().pools.kinds.unite(name, self.kind, other.kind))


def _abstract_of(trace: Trace, value: Any, around: Scope | None) -> AbstractValue:
    return Numbered(_object_of(value).kind)


def _trace() -> Trace:
    current = traces.current()
    assert current is not None, "objects with numbers are of a trace"
    return current


KINDS[StandsIn] = _abstract_of
POOLS[ObjectClass] = Table
assembling.TABLES[ObjectClass] = Objects
