"""Objects of a program's classes among the arguments of a call, passed as tables of numbers.

A trace is then one for any objects of these classes, and its size does not depend on how many there
are.  All that the objects refer to goes with them: other objects, lists and text, each once, so
cycles and what several of them share are as in the caller's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from agir.ir.tensors import structure
from agir.runtime.state.columns import Numbers
from agir.runtime.state.data import (
    Data,
    Memory,
    PassedObjects,
    PassedRoot,
    Place,
    UndescribedError,
    VariedError,
)
from agir.runtime.state.object_columns import (
    ATOMS,
    TABLES,
    Columns,
    DifferentError,
    Layout,
    attributes_of,
    container_kind,
    is_flat,
    is_object,
    parts_of,
)
from agir.runtime.state.passed_lists import ANY
from agir.runtime.state.passed_lists import passed as passed_as_array


class Reached(NamedTuple):
    """What an argument has of a class."""

    nests: bool
    """Whether there is an object in another one of its class."""
    around: frozenset[type]
    """The classes of the objects in which there are such."""
    objects: frozenset[int]


def classes_in(values: Iterable[Any]) -> dict[type, Reached]:
    """The classes whose objects are in arguments."""
    found: dict[type, Reached] = {}
    seen: set[int] = set()
    waiting: list[tuple[Any, frozenset[type]]] = [(each, frozenset()) for each in values]
    while waiting:
        value, around = waiting.pop()
        kind = type(value)
        if kind in ATOMS or kind is np.ndarray:
            continue
        if id(value) in seen:
            if kind in found:
                known = found[kind]
                found[kind] = known._replace(nests=known.nests or kind in around)
            continue
        seen.add(id(value))
        if is_object(value):
            known = found.get(kind, Reached(False, frozenset(), frozenset()))
            found[kind] = Reached(
                known.nests or kind in around,
                known.around | around,
                known.objects | {id(value)},
            )
            inner = around | {kind}
            waiting += [(each, inner) for _, each in attributes_of(value)]
        elif kind in TABLES:
            waiting += [(each, around) for _, inner in parts_of(value) for each in inner]
        elif (parts := structure.children(value)) is not None:
            waiting += [(each, around) for each in parts[1]]
    return found


class Gathering:
    """Numbers the objects that are reached from arguments, and the containers, by their kinds."""

    def __init__(self, memory: Memory, numbered: bool) -> None:
        self.memory = memory
        self._numbered = numbered
        self._roots: list[Any] = []
        self._objects: dict[type, list[Any]] = {}
        self.numbers: dict[int, int] = {}
        """Of objects, and of the containers of each kind, by their identity; they begin with 1."""
        self._containers: dict[Place, list[Any]] = {}
        self._kinds: dict[int, Place] = {}
        self._again: set[int] = set()
        """Containers that have been met several times."""
        self._waiting: list[tuple[Any, Place]] = []

    def root(self, value: Any, is_varied: bool = False) -> PassedRoot:
        """Take an argument, or a part of one, and all that it refers to.

        ``is_varied`` tells of a tuple that others are not as long as it.
        """
        number = len(self._roots)
        if is_varied:
            self.memory.varied.add(("root", number))
        self._roots.append(value)
        self._waiting.append((value, ("root", number)))
        while self._waiting:
            self._visit(*self._waiting.pop())
        return PassedRoot(str(number))

    def shared_root(self, value: Any) -> PassedRoot:
        """Take an argument that shares containers with those taken.

        A tuple that is one of these is of any length here, too.
        """
        return self.root(value, is_varied=type(value) is tuple and self.has(value))

    def has(self, value: Any) -> bool:
        """Whether a container has been met."""
        return id(value) in self._kinds

    def of(self, kind: Any) -> list[Any]:
        """The objects of a class, or the containers of a kind, in the order of their numbers."""
        found = self._objects if isinstance(kind, type) else self._containers
        return found.get(kind, [])

    def _visit(self, value: Any, place: Place) -> None:
        kind = type(value)
        if kind in ATOMS:
            return
        if kind is list:
            self._visit_container(value, place)
        elif kind in TABLES or (kind is tuple and place in self.memory.varied):
            self._visit_container(value, (*place, container_kind(value)))
        elif isinstance(value, tuple):
            self._waiting += [(each, (*place, n)) for n, each in enumerate(value)]
        elif id(value) not in self.numbers and is_object(value):
            known = self._objects.setdefault(kind, [])
            known.append(value)
            self.numbers[id(value)] = len(known)
            for name, each in attributes_of(value):
                if type(each) not in ATOMS:
                    self._waiting.append((each, (kind, name)))

    def _visit_container(self, value: Any, place: Place) -> None:
        memory = self.memory
        place = memory.kind(place)
        if id(value) in self._kinds:
            self._again.add(id(value))
        known = memory.kind(self._kinds.setdefault(id(value), place))
        if known != place:
            memory.parents[place] = known
            self._containers.setdefault(known, []).extend(self._containers.pop(place, ()))
            self._look_into(self._containers[known], known)
        elif id(value) not in self.numbers:
            self.numbers[id(value)] = 0  # until all are there
            self._containers.setdefault(place, []).append(value)
            self._look_into([value], place)

    def _look_into(self, containers: list[Any], place: Place) -> None:
        for each in containers:
            for name, values in parts_of(each):
                self._look_at(values, (*place, name))

    def _look_at(self, values: Iterable[Any], place: Place) -> None:
        """Have the values of a place be visited that may refer to others."""
        classes = set(map(type, values)) - ATOMS
        is_varied = place in self.memory.varied
        if classes == {tuple} and not is_varied and len(set(map(len, rows := list(values)))) == 1:
            for n, column in enumerate(zip(*rows, strict=True)):
                self._look_at(column, (*place, n))
        elif classes:
            self._waiting += [(each, place) for each in values if type(each) in classes]

    def passed(self) -> tuple[Layout, tuple[Any, ...]]:
        """The forms, and the columns; raises `UndescribedError`."""
        roots = [(value, self._is_own(value)) for value in self._roots]
        for found in self._containers.values():
            self.numbers.update((id(each), number) for number, each in enumerate(found, 1))
        columns = Columns(self.memory, self.numbers, self.of)
        layout = columns.layout(roots, list(self._objects), list(self._containers))
        arrays = tuple(each.view(Numbers) for each in columns.made)
        arrays[0].source = self
        return layout, arrays

    def _is_own(self, value: Any) -> bool:
        """Whether an argument is a container that nothing else refers to: it needs no number."""
        if self._numbered or id(value) not in self._kinds or id(value) in self._again:
            return False
        place = self.memory.kind(self._kinds[id(value)])
        others = [each for each in self._containers.pop(place) if each is not value]
        if others:
            self._containers[place] = others
        return True


Pack = Callable[[str, Any], Any]


def passed(
    given: dict[str, Any],
    data: Data,
    static: frozenset[str],
    memory: Memory,
    pack: Pack,
) -> tuple[dict[str, Any], Layout] | None:
    """What is passed for arguments, some of which have data in them, and what these are like.

    ``pack`` gives what is passed for any other argument, or part of one.  None where none of them has
    such data; raises `UndescribedError` where there is something among it that tables cannot hold.
    """
    gathering, classes = Gathering(memory, data.numbered), data.classes
    is_of_it = is_container if data.numbered else is_of_data

    def replaced(value: Any, name: str) -> Any:
        if type(value) is tuple and name in data.tuples:
            return gathering.root(value, is_varied=True)
        if _is_root(value, classes) or (name in data.names and is_of_it(value)):
            return gathering.root(value)
        parts = structure.children(value)
        if parts is None or isinstance(value, list):
            return None
        if name not in data.names and not _holds(value, classes):
            return None
        items = [(replaced(item, name), item) for item in parts[1]]
        if all(new is None for new, _ in items):
            return None
        return structure.rebuild(
            parts[0], [pack(name, old) if new is None else new for new, old in items]
        )

    found = {n: None if n in static else replaced(value, n) for n, value in given.items()}
    if all(value is None for value in found.values()):
        return None
    others = [name for name in given if found[name] is None and name not in static]
    while shared := [name for name in others if _shares(given[name], gathering)]:
        found |= {name: gathering.shared_root(given[name]) for name in shared}
        others = [name for name in others if name not in shared]
    try:
        layout, columns = gathering.passed()
    except VariedError as error:  # each place once
        memory.varied.add(error.place)
        return passed(given, data, static, memory, pack)
    whole = {n: pack(n, given[n]) if value is None else value for n, value in found.items()}
    _put_first(whole, layout, columns)
    return whole, layout


class Alike:
    """What a call has passed for its data, from which that for the same kind of data is made.

    Looking at what data are like takes longer than most of what is done with short ones.  What is made
    by this is just what `passed` makes: of containers that hold no others, as long as it has met
    nothing new since.
    """

    def __init__(self, whole: dict[str, Any], data: Data, memory: Memory, layout: Layout) -> None:
        self.data = data
        self.layout = layout
        self.kinds: dict[Any, Any] = {}
        """The types of calls, by what the other arguments are."""
        self._memory = memory
        self._names = {name: type(each) for name, each in whole.items() if type(each) in _ROOTS}

    def passed(self, given: dict[str, Any], pack: Pack) -> dict[str, Any] | None:
        """What is passed for arguments; None where there is something that is not like those before."""
        names = self._names
        roots = [each for name, each in given.items() if name in names]
        if len(roots) < len(names) or len(set(map(id, roots))) < len(roots):
            return None
        if not all(map(is_container, roots)):
            return None
        if not all(type(each) in _APART for name, each in given.items() if name not in names):
            return None
        columns = Columns(self._memory, {}, lambda kind: [])
        try:
            columns.again(roots, self.layout)
        except (DifferentError, UndescribedError):
            return None
        arrays = tuple(each.view(Numbers) for each in columns.made)
        arrays[0].source = Gathering(self._memory, numbered=False)
        numbers = iter(range(len(roots)))
        return {
            name: self._root(names[name], arrays, str(next(numbers)))
            if name in names
            else pack(name, each)
            for name, each in given.items()
        }

    def _root(self, kind: type, arrays: tuple[Any, ...], root: str) -> Any:
        return PassedRoot(root) if kind is PassedRoot else PassedObjects(self.layout, arrays, root)


_ROOTS = frozenset((PassedObjects, PassedRoot))
_APART = frozenset((bool, int, float, complex, type(None), np.ndarray))
"""Classes of what surely shares nothing with data."""


def alike(
    whole: dict[str, Any], given: dict[str, Any], data: Data, memory: Memory, layout: Layout
) -> Alike | None:
    """For further data like these; None where they have to be looked at."""
    made = Alike(whole, data, memory, layout)
    is_simple = not data.numbered and len(made._names) == len(layout.roots) and is_flat(layout)
    return made if is_simple and made._names.keys() <= data.names else None


def is_container(value: Any) -> bool:
    """Whether it is a list, dict or set of Python's."""
    return type(value) is list or type(value) in TABLES


def is_of_data(value: Any) -> bool:
    """Whether it is a container that is no list, dict or set of numbers of one class."""
    return is_container(value) and passed_as_array(value, ANY) is None


def is_of_containers(value: Any) -> bool:
    """Whether it is a dict of several lists, dicts or sets, such as a graph."""
    kinds = (
        set(map(type, value.values())) if type(value) in TABLES and isinstance(value, dict) else ()
    )
    return len(kinds) == 1 and len(value) > 1 and is_container(next(iter(value.values())))


def has_data(value: Any, numbered: bool = False) -> bool:
    """Whether it is such a container, or any where all are numbered, or a tuple that has one."""
    if isinstance(value, tuple):
        return any(has_data(each, numbered) for each in value)
    return is_container(value) if numbered else is_of_data(value)


def _holds(value: Any, classes: frozenset[type]) -> bool:
    """Whether a tuple, dict or record has objects of these classes in it."""
    parts = structure.children(value)
    return parts is not None and any(
        _is_root(each, classes) or _holds(each, classes) for each in parts[1]
    )


def _is_root(value: Any, classes: frozenset[type]) -> bool:
    """Whether it is an object, or a container of such, or of tuples or containers of such."""
    kind = type(value)
    if kind in classes:
        return True
    if not classes or not is_container(value):
        return False
    items = value.values() if isinstance(value, dict) else value
    kinds = set(map(type, items))
    if kinds & classes:
        return True
    return bool(kinds & {list, tuple, *TABLES}) and any(
        type(each) not in ATOMS and (_is_root(each, classes) or _holds(each, classes))
        for each in items
    )


def _shares(value: Any, gathering: Gathering) -> bool:
    """Whether a container in another argument is among the data, too."""
    if gathering.has(value):
        return True
    if is_container(value):
        inner: Iterable[Any] = chain.from_iterable(values for _, values in parts_of(value))
    else:
        inner = (structure.children(value) or (None, ()))[1]
    return any(type(each) not in ATOMS and _shares(each, gathering) for each in inner)


def _put_first(whole: dict[str, Any], layout: Layout, columns: tuple[Any, ...]) -> None:
    """Have the first of the arguments with objects bring the tables."""
    is_put = False

    def put(value: Any) -> Any:
        nonlocal is_put
        if type(value) is PassedRoot:
            if is_put:
                return value
            is_put = True
            return PassedObjects(layout, columns, value.root)
        parts = structure.children(value)
        if is_put or parts is None or isinstance(value, list):
            return value
        items = list(map(put, parts[1]))
        return structure.rebuild(parts[0], items) if is_put else value

    for name, value in whole.items():
        if not is_put:
            whole[name] = put(value)
