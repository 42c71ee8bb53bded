"""Structured arrays: an array for each field, and what NumPy does with all of them together.

The arrays of an argument's fields lie in the caller's memory, each with the steps of the records, so
what is written into a field is written there.  A record is a place in such an array, as NumPy's is: it
sees what is written into the array later, and the array what is written into it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from agir.ir.plain.entering import (
    OfArrays,
    OfLayout,
    is_of_run_time,
    names_are_attributes,
    one_of_equal,
    refused,
    refusing,
    unhashable,
)

__ag_convert__ = True

_CLASSES = (np.ndarray, np.memmap, np.recarray)


def is_array_of_records(value: Any) -> bool:
    """Whether a value of Python's is a structured array that has dimensions."""
    return type(value) in _CLASSES and value.dtype.names is not None and value.ndim > 0


def of_fields(kind: Any, layout: Any, column: Any, path: tuple[str, ...] = ()) -> Any:
    """A structured array of a class and dtype: `column` makes the array of each field.

    It is given the names that lead to the field, and the dtype, which may be that of an array.
    """
    made = []
    for name in layout.names:
        inner, way = layout[name], (*path, name)
        nested = inner.base.names is not None
        made.append(of_fields(kind, inner.base, column, way) if nested else column(way, inner))
    return kind(one_of_equal(layout), tuple(made))


_OWN = frozenset(("dtype", "columns", "records", "places", "stands_for"))
"""The attributes that tell what it is of."""


class Fields(OfArrays, OfLayout):
    """What has fields: an array of records, or one record."""

    __array_priority__ = 1000
    __called__ = "structured array"
    dtype: Any
    __getitem__: Any
    __setitem__: Any

    def __array_function__(self, function: Any, kinds: Any, args: Any, kwargs: Any) -> Any:
        refused(f"{function.__name__}() of structured arrays, which their fields can be given to,")

    def __array_ufunc__(self, function: Any, method: str, *args: Any, **kwargs: Any) -> Any:
        raise TypeError(
            f"ufunc {function.__name__!r} takes no structured arrays: take their fields"
        )

    def __hash__(self) -> int:
        unhashable(self, "what is in its fields can be a key")

    __bool__ = refusing("the truth")
    __contains__ = refusing("membership")

    def number_of(self, name: str) -> int:
        """Which of the fields has a name."""
        if name not in self.dtype.names:
            raise ValueError(f"no field of name {name}")
        return list(self.dtype.names).index(name)

    def __getattr__(self, name: str) -> Any:
        if self.has_field(name):
            return self[name]
        return super().__getattr__(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if self.has_field(name):
            self[name] = value
        elif name in _OWN:
            object.__setattr__(self, name, value)
        else:
            refusing(f"the attribute {name}")(self)

    def has_field(self, name: str) -> bool:
        """Whether an attribute is a field."""
        if name in _OWN or name.startswith("__"):
            return False
        is_named = isinstance(self, NamedRecords | NamedRecord) or names_are_attributes()
        return is_named and name in self.dtype.names

    def __ne__(self, other: Any) -> Any:
        return ~(self == other)


class Records(Fields):
    """A structured array."""

    stands_for: type = np.ndarray
    __hash__ = Fields.__hash__

    def __init__(self, dtype: Any, columns: tuple[Any, ...]) -> None:
        self.dtype = dtype
        self.columns = columns

    def plain(self) -> Any:
        """The array that the caller gets."""
        shape = self.shape
        made = np.zeros(shape, self.dtype)
        for name, column in zip(self.dtype.names, self.columns, strict=True):
            made[name] = column
        return self.as_kind(made)

    @staticmethod
    def as_kind(made: Any) -> Any:
        """The array as one of the class that this one stands for."""
        return made

    def column(self, number: int) -> Any:
        """The array of a field."""
        found = self.columns[number]
        if found is None:
            name = self.dtype.names[number]
            refused(f"the field {name!r} of {self.dtype[name]}")
        return found

    def all_columns(self) -> list[Any]:
        """The arrays of all fields."""
        return [self.column(number) for number in range(len(self.columns))]

    def first_column(self) -> int:
        """The number of a field whose array is known."""
        return next(n for n, each in enumerate(self.columns) if each is not None)

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        number = self.first_column()
        return int(self.columns[number].ndim - self.dtype[number].ndim)

    @property
    def shape(self) -> Any:
        """The sizes."""
        return self.columns[self.first_column()].shape[: self.ndim]

    @property
    def size(self) -> Any:
        """The number of records."""
        count = 1
        for each in self.shape:
            count = count * each
        return count

    @property
    def itemsize(self) -> Any:
        """The bytes of a record."""
        return self.dtype.itemsize

    @property
    def nbytes(self) -> Any:
        """The bytes of all records."""
        return self.size * self.dtype.itemsize

    def __len__(self) -> Any:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        for number in range(len(self)):
            yield self[number]

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            return self.column(self.number_of(key))
        if isinstance(key, list) and len(key) > 0 and isinstance(key[0], str):
            found = tuple(self.column(self.number_of(name)) for name in key)
            return self.__class__(one_of_equal(self.dtype[key]), found)
        places = subscripts(key, self.ndim)
        if are_numbers(places, self.ndim):
            self.columns[self.first_column()][places]  # which fails where there is no such record
            return self.record(places)
        return self.__class__(self.dtype, tuple(each[places] for each in self.all_columns()))

    def record(self, places: Any) -> Any:
        """The record at a place."""
        return (NamedRecord if self.dtype.type is np.record else Record)(self, places)

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, str):
            self.column(self.number_of(key))[...] = value
            return
        if isinstance(key, list) and len(key) > 0 and isinstance(key[0], str):
            self[key][...] = value
            return
        places = subscripts(key, self.ndim)
        columns = self.all_columns()
        for number, part in enumerate(parts_of(value, len(columns))):
            columns[number][places] = part

    def __eq__(self, other: Any) -> Any:
        check_comparable(self, other)
        equal = None
        for number, name in enumerate(self.dtype.names):
            same = self.column(number) == other[name]
            for _ in range(self.dtype[number].ndim):
                same = same.all(axis=-1)
            equal = same if equal is None else equal & same
        return equal

    def argsort(self, axis: int = -1, kind: Any = None, order: Any = None) -> Any:
        """The order of the records: by the fields that are named first, then by the others."""
        if self.ndim != 1:
            refused("sorting of structured arrays of several dimensions")
        first = [] if order is None else [order] if isinstance(order, str) else list(order)
        keys = [self[name] for name in [*first, *(n for n in self.dtype.names if n not in first)]]
        if any(isinstance(each, Records) or each.ndim > 1 for each in keys):
            refused("sorting by fields that are arrays or records")
        of_time = [hasattr(each, "ticks") for each in keys]  # of which NaT is the last
        plain = [k.ticks - 1 if dated else k for k, dated in zip(keys, of_time, strict=True)]
        return np.lexsort(plain[::-1])

    def sort(self, axis: int = -1, kind: Any = None, order: Any = None) -> None:
        """Sort the records where they lie."""
        self[...] = self[self.argsort(axis, kind, order)]

    def take(self, indices: Any) -> Any:
        """The records at these places."""
        return self.reshape(-1)[np.asarray(indices)]

    def tolist(self) -> Any:
        """The records as tuples."""
        if self.ndim != 1:
            refused("tolist() of a structured array of several dimensions")
        return [self[number].item() for number in range(len(self))]

    def copy(self, order: Any = "C") -> Any:
        """A copy of the array."""
        return self.__class__(self.dtype, tuple(each.copy() for each in self.all_columns()))

    def ravel(self) -> Any:
        """The records in one dimension."""
        return self.reshape(-1)

    def flatten(self) -> Any:
        """A copy of the records in one dimension."""
        return self.copy().reshape(-1)

    def reshape(self, *shape: Any) -> Any:
        """The records in another shape."""
        sizes = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape
        if sizes == (-1,):
            sizes = (self.size,)
        made = []
        for number, each in enumerate(self.all_columns()):
            made.append(each.reshape((*sizes, *self.dtype[number].shape)))
        return self.__class__(self.dtype, tuple(made))

    def fill(self, value: Any) -> None:
        """Assign a value to all records."""
        self[...] = value

    def layout_and_arrays(self) -> tuple[Any, list[Any]]:
        """The dtype, and the arrays of numbers that its fields are, in their order."""
        found: list[Any] = []
        for each in self.all_columns():
            found += each.layout_and_arrays()[1] if isinstance(each, OfLayout) else [each]
        return self.dtype, found


class NamedRecords(Records):
    """A ``numpy.recarray``, whose fields are attributes."""

    stands_for = np.recarray

    @staticmethod
    def as_kind(made: Any) -> Any:
        """The array as a recarray."""
        return made.view(np.recarray)


class Record(Fields):
    """One record of a structured array."""

    stands_for = np.void
    __hash__ = Fields.__hash__

    def __init__(self, records: Any, places: Any) -> None:
        self.records = records
        self.places = places

    def plain(self) -> Any:
        """The record that the caller gets."""
        return self.records[tuple(int(each) for each in self.places)]

    @property
    def dtype(self) -> Any:
        """The dtype of the array."""
        return self.records.dtype

    def __len__(self) -> Any:
        return len(self.dtype.names)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values())

    def values(self) -> tuple[Any, ...]:
        """What is in the fields."""
        return tuple(each[self.places] for each in self.records.all_columns())

    def number(self, key: Any) -> int:
        """Which of the fields is meant by a name or number."""
        if isinstance(key, str):
            return self.number_of(key)
        if is_of_run_time(key):
            refused("a field whose number only the run time knows")
        return int(range(len(self.dtype.names))[key])

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, list):
            return self.records[key][self.places]
        return self.records.column(self.number(key))[self.places]

    def __setitem__(self, key: Any, value: Any) -> None:
        self.records.column(self.number(key))[self.places] = value

    def __eq__(self, other: Any) -> Any:
        if isinstance(other, Records):
            return other == self
        if other is None:
            return False
        check_comparable(self, other)
        return self.copy().records.__eq__(other.copy().records)[0]

    def __ne__(self, other: Any) -> Any:
        return True if other is None else super().__ne__(other)

    def layout_and_arrays(self) -> tuple[Any, list[Any]]:
        """The dtype, and the arrays of numbers that its fields are, of one record."""
        array: Records = self.copy().records
        return array.layout_and_arrays()

    def item(self) -> Any:
        """The fields as a tuple."""
        return tuple(part.item() for part in self.values())

    tolist = item

    def copy(self) -> Any:
        """A record of its own."""
        taken = (np.array([self.places[0]]), *self.places[1:])
        return self.records[taken].record((0,))


class NamedRecord(Record):
    """A ``numpy.record``, whose fields are attributes."""

    stands_for = np.record


def check_comparable(one: Any, other: Any) -> None:
    """``TypeError`` for what a structured array is not compared with."""
    if not isinstance(other, Fields):
        raise TypeError("Cannot compare structured or void to non-void arrays.")
    if one.dtype.names != other.dtype.names:
        raise TypeError("structured arrays of other fields are compared")


def parts_of(value: Any, count: int) -> Any:
    """What is assigned to each of so many fields where a value is assigned to records."""
    if isinstance(value, Records):
        found: Any = value.all_columns()
    elif isinstance(value, Record):
        found = value.values()
    elif isinstance(value, tuple):
        found = value
    elif isinstance(value, list):
        found = [[row[number] for row in value] for number in range(count)]
    else:
        found = [value] * count
    if len(found) != count:
        raise ValueError(f"could not assign {len(found)} values to the {count} fields of a record")
    return found


def subscripts(key: Any, ndim: int) -> tuple[Any, ...]:
    """The subscripts of a key, one for each dimension as far as they go, without an ellipsis.

    The arrays of fields may have further dimensions.
    """
    given = key if isinstance(key, tuple) else (key,)
    taken = sum(dimensions_of(each) for each in given)
    if taken > ndim:
        raise IndexError(
            f"too many indices for array: array is {ndim}-dimensional, but {taken} were indexed"
        )
    found: list[Any] = []
    for each in given:
        if each is Ellipsis:
            found.extend([slice(None)] * (ndim - taken))
        else:
            found.append(each)
    return tuple(found)


def dimensions_of(key: Any) -> int:
    """How many dimensions a subscript is for."""
    if key is None or key is Ellipsis:
        return 0
    if isinstance(key, np.ndarray) and key.dtype == np.bool_:
        return int(key.ndim)
    return 1


def are_numbers(places: tuple[Any, ...], ndim: int) -> bool:
    """Whether subscripts are a number for each dimension."""
    return len(places) == ndim and all(is_number(each) for each in places)


def is_number(key: Any) -> bool:
    """Whether a subscript is a number."""
    return isinstance(key, (int, np.integer)) and not isinstance(key, bool)
