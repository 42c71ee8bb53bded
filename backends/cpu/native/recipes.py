"""Recipes: how the machine code of a call checks its arguments, and makes the result."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agir.backends import stack
from agir.backends.cpu.calling.arguments import accepted, thorough
from agir.backends.cpu.calling.layout import Value
from agir.backends.cpu.calling.leaving import COUNT
from agir.backends.cpu.calling.memory import Plan, new_frame
from agir.backends.cpu.native import objects
from agir.backends.cpu.native.compiled import Compiled
from agir.backends.cpu.native.tables import (
    CONTAINERS,
    ENTRIES,
    LEAVES,
    NODES,
    Axis,
    Copy,
    Field,
    Kind,
    Leaf,
    Made,
    Node,
    Recipe,
    Room,
    Shape,
    Source,
)
from agir.records import dataclass

_NUMBERS = {float: (Kind.FLOAT, "d"), int: (Kind.INT, "q"), bool: (Kind.BOOL, "?")}
_NUMBERS[complex] = (Kind.COMPLEX, "dd")


class UnfitError(Exception):
    """A call that only Python can make."""


@dataclass(frozen=True)
class Place:
    """Where a call finds a value: an item of a container, or an attribute of an object."""

    source: Source
    owner: int
    index: int = 0

    @classmethod
    def item(cls, container: int, index: int) -> Place:
        """The item of a container; the arguments of the call are container 0."""
        return cls(Source.ITEM, container, index)


_RESULTS = {"b": Made.BOOL, "i": Made.INT, "f": Made.FLOAT, "c": Made.COMPLEX}


def _made(value: Value, is_number: bool) -> Made:
    """What becomes of a result."""
    if value.shape is not None:
        return Made.ARRAY
    return _RESULTS[value.dtype.kind] if is_number else Made.SCALAR


_OWN = frozenset((Kind.NUMBERS, Kind.KEYS, Kind.ITEMS, Kind.ROWS, Kind.LENGTH))
"""The first of the arrays that are made of a container."""


_TAKEN_OF: dict[Kind, type] = {
    Kind.TEXT: str, Kind.KEYS: dict, Kind.VALUES: dict, Kind.ITEMS: set
}  # fmt: skip
"""The classes of what arrays are made of; the others are made of lists."""


class Rooms:
    """Memory for arrays that a recipe makes of its arguments; it is freed with the recipe."""

    _free: Any = ctypes.CDLL(None).free
    _free.argtypes, _free.restype = [ctypes.c_void_p], None

    def __init__(self) -> None:
        self._words = (ctypes.c_uint64 * (len(Room) * NODES))()
        self._step = len(Room)
        self.address = ctypes.addressof(self._words)
        self.count = 0

    def next(self) -> int:
        """Where the address and the size of one more go."""
        self.count += 1
        if self.count > NODES:
            raise UnfitError
        return self.address + 8 * self._step * (self.count - 1)

    def __del__(self) -> None:
        """Free it; finalizers of other garbage may still make calls, which then find no memory."""
        held = list(self._words)[:: self._step]
        for n in range(len(self._words)):
            self._words[n] = 0
        for address in held:
            self._free(address)


class Builder:
    """Puts a recipe together, for a call with these arguments of the compiled function."""

    def __init__(self, compiled: Compiled, arguments: Sequence[Any]) -> None:
        self._compiled = compiled
        self._plan = Plan(compiled.signature)
        self._frame, self._pointers = new_frame(self._plan)
        self._base = self._pointers - self._plan.pointers
        self._kept: list[Any] = [self._frame, compiled.owner]
        self._nodes: list[dict[Node, int]] = []
        self._leaves: list[dict[Leaf, int]] = []
        self._copies: list[dict[Copy, int]] = []
        self._containers, self._entries = 1, 0
        self._rooms = Rooms()
        self._arguments = arguments
        self._fixed: list[int] = []
        self._fields = first_fields(compiled.signature.arguments)
        self._stack = _stack(compiled.stack)

    # What has to be looked at.

    def constant(self, place: Place, value: Any) -> None:
        """This object and no other; who calls sees to it that it lives."""
        self._add(place, Kind.CONSTANT, id(value))

    def container(self, place: Place, value: Any, *, is_apart: bool = False) -> int:
        """A tuple, list or dict; gives its number, by which its items are found.

        One of the arguments that has to be apart is the same object as no other one.
        """
        kinds: dict[type, Kind] = {list: Kind.LIST, dict: Kind.DICT}
        kind = kinds.get(type(value), Kind.TUPLE)
        number = self._containers
        self._containers += 1
        keys = 0
        if kind is Kind.DICT:
            self._entries += len(value)
            keys = self._words([id(key) for key in value])
            self.keep(tuple(value))
        self.keep(type(value))
        node = self._add(place, kind, id(type(value)))
        node[Node.SIZE], node[Node.CONTAINER], node[Node.KEYS] = len(value), number, keys
        node[Node.IS_APART] = int(is_apart and kind is not Kind.TUPLE)
        return number

    def taken(
        self,
        place: Place,
        argument: int,
        value: Any,
        kind: Kind,
        array: Any,
        least: tuple[int, int] = (0, 0),
        part: tuple[int, int] = (0, 0),
    ) -> int:
        """What an array is made of: a text, or a container.

        That has at least so many numbers, a list of lists at least so many of these.  ``part`` says of
        tuples how many items they have, and which of them is meant.
        """
        wanted = self._compiled.signature.arguments[argument]
        if not isinstance(value, _TAKEN_OF.get(kind, list)):  # it is the array already
            raise UnfitError
        if wanted.shape != (None,) or wanted.written or array.dtype not in accepted(wanted):
            raise UnfitError
        first, number = self._fields[argument], len(self._nodes)
        node = self._add(place, kind, id(type(value)))
        node[Node.ITEM_SIZE] = array.itemsize
        if kind <= Kind.ROWS:
            node[Node.SIZE], node[Node.ROWS] = least
        node[Node.WIDTH], node[Node.PART] = part
        if kind is not Kind.TEXT:
            if not array.size:  # of which class are they?
                raise UnfitError
            of = type(array[0].item())
            if array.dtype != np.dtype(of):
                raise UnfitError
            node[Node.OF] = id(of)
        if kind is Kind.ITEMS and not objects.functions()["SET_NEXT"]:
            raise UnfitError
        node[Node.ROOM] = self._rooms.next()
        node[Node.IS_APART] = int(kind in _OWN)
        node[Node.CELL] = self._base + self._plan.fields[first]
        node[Node.AXES] = self._axes(array.shape, wanted, first + 3, is_open=True)
        return number

    def number(self, place: Place, argument: int, value: Any) -> None:
        """A number of Python's or NumPy's, which may be any of its class."""
        wanted = self._compiled.signature.arguments[argument]
        kind: Any = type(value)
        if kind in _NUMBERS and wanted.shape is None:
            name, codes = _NUMBERS[kind]
            if codes != wanted.codes:
                raise UnfitError
        elif isinstance(value, np.generic) and wanted.shape is None:
            name = Kind.SCALAR
            if not value.dtype.isbuiltin or value.dtype not in accepted(wanted):
                raise UnfitError
        else:
            raise UnfitError
        node = self._add(place, name, id(kind))
        node[Node.SIZE] = wanted.dtype.itemsize
        node[Node.CELL] = self._base + self._plan.fields[self._fields[argument]]

    def array(
        self,
        place: Place,
        argument: int,
        array: Any,
        holder: Any = None,
        kind: Kind = Kind.ARRAY,
        *,
        written: bool = False,
        is_open: bool = False,
    ) -> int:
        """An array of this type, or what holds one; gives the number of the node."""
        wanted = self._compiled.signature.arguments[argument]
        first = self._fields[argument]
        number = len(self._nodes)
        node = self._add(place, kind, id(type(array if holder is None else holder)))
        flags = objects.CONTIGUOUS_AND_ALIGNED | (objects.WRITEABLE if written else 0)
        if type(array) is not np.ndarray or array.dtype not in accepted(wanted):
            raise UnfitError
        if array.flags.num & flags != flags:
            raise UnfitError
        self.keep(array.dtype)
        node[Node.DTYPE], node[Node.ITEM_SIZE] = id(array.dtype), array.itemsize
        node[Node.RANK] = array.ndim
        node[Node.FLAGS] = flags
        node[Node.WRITTEN] = int(written)
        node[Node.CELL] = self._base + self._plan.fields[first]
        if array.ndim != len(wanted.shape or ()):
            raise UnfitError
        if wanted.shape is None:
            node[Node.SIZE] = wanted.dtype.itemsize
        node[Node.AXES] = self._axes(array.shape, wanted, first + 3, is_open)
        return number

    def node_at(self, place: Place) -> int:
        """The number of the first node of a place."""
        wanted = (int(place.source), place.owner, place.index)
        for number, node in enumerate(self._nodes):
            if (node[Node.SOURCE], node[Node.OWNER], node[Node.INDEX]) == wanted:
                return number
        raise UnfitError

    def fixed(self, argument: int) -> None:
        """What is passed for this argument is always the same."""
        self._fixed.append(argument)

    def object_at(self, owner: Any) -> Place:
        """The place that is this object, which has to live as long as the recipe."""
        self.keep(owner)
        return Place(Source.OBJECT, id(owner))

    def _axes(self, shape: Sequence[int], wanted: Value, first: int, is_open: bool) -> int:
        """The axes, the last one first."""
        words: list[int] = []
        rank = len(shape)
        sizes = wanted.shape or ()
        for axis in reversed(range(rank)):
            size = -1 if is_open and sizes[axis] is None else shape[axis]
            cells = [
                self._base + self._plan.fields[first + n] if unknown is None else 0
                for n, unknown in ((axis, sizes[axis]), (rank + axis, wanted.strides[axis]))
            ]
            words += [size, *cells]
        assert len(words) == rank * len(Axis)
        return self._words(words)

    # What comes back.

    def given(self, node: int) -> None:
        """A part of the result is what the call was given."""
        self._leaves.append({Leaf.KIND: Made.GIVEN, Leaf.OBJECT: node})

    def same(self, value: Any) -> None:
        """A part of the result is always this object."""
        self.keep(value)
        self._leaves.append({Leaf.KIND: Made.CONSTANT, Leaf.OBJECT: id(value)})

    def made(self, result: int, *, is_tensor: bool, is_number: bool = False) -> None:
        """A part of the result is what the compiled code gives: a number of Python's, if so."""
        value, dtype = self._compiled.signature.results[result], self._compiled.dtypes[result]
        fields = self._result(result)
        rank = len(value.shape or ())
        self.keep(dtype)
        self._leaves.append(
            {
                Leaf.KIND: _made(value, is_number),
                Leaf.DTYPE: id(dtype),
                Leaf.ITEM_SIZE: dtype.itemsize,
                Leaf.RANK: rank,
                Leaf.EXTENTS: fields + 24,
                Leaf.FIELDS: fields,
                Leaf.IS_TENSOR: int(is_tensor),
            }
        )

    def copy(self, node: int, result: int, size: int) -> None:
        """A result of so many bytes becomes the contents of an array."""
        is_array = self._compiled.signature.results[result].shape is not None
        self._copies.append(
            {
                Copy.NODE: node,
                Copy.FIELDS: self._result(result),
                Copy.SIZE: size,
                Copy.IS_ARRAY: int(is_array),
            }
        )

    def keep(self, value: Any) -> None:
        """Keep something for as long as the recipe."""
        self._kept.append(value)

    # The whole.

    def finished(
        self,
        positional: int,
        names: Sequence[str],
        shape: Shape,
        *,
        finish: Callable[[list[Any]], Any] | None = None,
        failure: Callable[[int, int, int], Any] | None = None,
        checks_overlap: bool = False,
        releases: bool = True,
        note: Any = None,
    ) -> tuple[Any, ...]:
        """The recipe, as the machine code finds it: a tuple that begins with an array of words.

        The second item is the ``note``.
        """
        limits = (NODES, len(self._nodes)), (CONTAINERS, self._containers), (ENTRIES, self._entries)
        if any(there > most for most, there in (*limits, (LEAVES, len(self._leaves)))):
            raise UnfitError
        self._fill()
        leaving = self._compiled.leaving
        self.keep((tuple(names), finish, failure, leaving, self._rooms))
        results = self._compiled.signature.results
        record = len(results) - (2 * COUNT if leaving else COUNT)
        buffers = [self._result(n) for n, value in enumerate(results) if value.shape is not None]
        fields = {
            Recipe.POSITIONAL: positional,
            Recipe.KEYWORDS: len(names),
            Recipe.NAMES: self._words([id(name) for name in names]),
            Recipe.NODE_COUNT: len(self._nodes),
            Recipe.NODES: self._table(Node, self._nodes),
            Recipe.CHECKS_OVERLAP: int(checks_overlap),
            Recipe.IS_APART: int(self._has_several_containers()),
            Recipe.FUNCTION: self._compiled.address,
            Recipe.POINTERS: self._pointers,
            Recipe.STACK_LOW: self._stack[0],
            Recipe.STACK_HIGH: self._stack[1],
            Recipe.RELEASES: int(releases),
            Recipe.FAILURE: 0 if failure is None else self._result(record),
            Recipe.RAISE: id(failure),
            Recipe.LEFT: 0 if leaving is None else self._result(len(results) - COUNT),
            Recipe.LEAVING: id(leaving),
            Recipe.BUFFER_COUNT: len(buffers),
            Recipe.BUFFERS: self._words(buffers),
            Recipe.ROOM_COUNT: self._rooms.count,
            Recipe.ROOMS: self._rooms.address,
            Recipe.COPY_COUNT: len(self._copies),
            Recipe.COPIES: self._table(Copy, self._copies),
            Recipe.LEAF_COUNT: len(self._leaves),
            Recipe.LEAVES: self._table(Leaf, self._leaves),
            Recipe.SHAPE: shape,
            Recipe.FINISH: id(finish),
        }
        recipe = np.array([fields.get(name, 0) for name in Recipe], np.int64)
        return (recipe, note, *self._kept)

    def _has_several_containers(self) -> bool:
        has_rows = any(node[Node.KIND] == Kind.ROWS for node in self._nodes)
        return has_rows or sum(node.get(Node.IS_APART, 0) for node in self._nodes) > 1

    def _fill(self) -> None:
        """Put the arguments into the frame.

        At the end, when all arrays that calls differ in have been found to be usable where they lie:
        what cannot be used is copied here, and only fixed arguments are worth that.
        """
        signature = self._compiled.signature
        try:
            cells, arrays, _ = thorough(signature, self._arguments)
        except (TypeError, ValueError) as error:
            raise UnfitError from error
        self._plan.cells.pack_into(self._frame, 0, *cells)
        with_arrays = [n for n, value in enumerate(signature.arguments) if value.shape is not None]
        self._kept += [a for n, a in zip(with_arrays, arrays, strict=True) if n in self._fixed]

    def _add(self, place: Place, kind: Kind, wanted: int) -> dict[Node, int]:
        node = {
            Node.KIND: int(kind),
            Node.SOURCE: int(place.source),
            Node.OWNER: place.owner,
            Node.INDEX: place.index,
            Node.TYPE: wanted,
        }
        self._nodes.append(node)
        return node

    def _table(self, kind: type[Field], rows: Sequence[dict[Any, int]]) -> int:
        return self._words([row.get(name, 0) for row in rows for name in kind])

    def _words(self, numbers: Sequence[int]) -> int:
        """The address of these numbers."""
        array = np.array(numbers or [0], np.int64)
        self.keep(array)
        return int(array.__array_interface__["data"][0])

    def _result(self, number: int) -> int:
        """Where the compiled code leaves a result."""
        return self._base + self._plan.result_at(number)


def _stack(needed: int) -> tuple[int, int]:
    """Between which addresses the top of the stack has to be, that so many bytes are free."""
    if not needed:
        return 0, 0
    found = stack.extent()
    if found is None:
        raise UnfitError
    lowest, highest = found
    return lowest + needed, highest


def _words(value: Value) -> int:
    """How many words the descriptor of a buffer has."""
    return 3 + 2 * len(value.shape or ())


def first_fields(values: Sequence[Value]) -> list[int]:
    """Where the fields of each argument begin."""
    found, at = [], 0
    for value in values:
        found.append(at)
        at += 1 if value.shape is None else _words(value)
    return found
