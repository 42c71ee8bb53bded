"""Structured arrays, dates, differences, sparse matrices as arguments: the arrays that they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from agir.ir.building.types import as_dtype
from agir.ir.plain import records, sparse, times
from agir.ir.plain.entering import ticks_of
from agir.ir.plain.records import NamedRecords, Records
from agir.runtime.state.columns import Entries
from agir.runtime.state.data import PassedRecords, PassedSparse, PassedTimes


class Layout:
    """The class of a sparse matrix, and its sizes: a constant of a trace, by its value."""

    __slots__ = ("kind", "shape")

    def __init__(self, kind: str, shape: tuple[int, int]) -> None:
        self.kind = kind
        self.shape = shape

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layout) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        return f"{self.kind} of {self.shape[0]} x {self.shape[1]}"


class _Place:
    """The memory of a record."""

    def __init__(self, record: Any) -> None:
        self.record = record
        found = record.__array_interface__
        self.__array_interface__ = {
            "data": found["data"], "shape": (record.itemsize,), "typestr": "|u1", "version": 3,
        }  # fmt: skip


def is_structured(value: Any) -> bool:
    """Whether a value is an array of records, or a record."""
    if isinstance(value, np.void):
        return value.dtype.names is not None
    return records.is_array_of_records(value)


def is_of_time(value: Any) -> bool:
    """Whether a value is an array of dates or differences, or one of these."""
    return type(value) in _OF_TIME and times.is_of_time(value.dtype)


_OF_TIME = (np.ndarray, np.memmap, np.datetime64, np.timedelta64)


def passed_times(value: Any, pack: Callable[[Any], Any]) -> PassedTimes:
    """What is passed for them."""
    return PassedTimes(value.dtype, pack(ticks_of(value)))


def passed(value: Any, pack: Callable[[Any], Any]) -> PassedRecords:
    """What is passed for it."""
    if isinstance(value, np.void):
        array = np.ndarray((1,), value.dtype, np.asarray(_Place(value)))
        return PassedRecords(value.dtype, "record", _columns(array, Records, pack))
    kind = NamedRecords if isinstance(value, np.recarray) else Records
    return PassedRecords(value.dtype, kind.__name__, _columns(value, kind, pack))


def _columns(array: Any, kind: type, pack: Callable[[Any], Any]) -> Any:
    """The arrays of the fields; None for those of which there is no dtype, such as text."""

    def column(path: tuple[str, ...], inner: Any) -> Any:
        found = at(array, path)
        if is_of_time(found):
            return passed_times(found, pack)
        try:
            as_dtype(inner.base)
        except TypeError:
            return None
        return found

    return _bare(records.of_fields(kind, array.dtype, column))


def at(array: Any, path: tuple[str, ...]) -> Any:
    """The array of a field, by the names that lead to it."""
    for name in path:
        array = array[name]
    return array.view(np.ndarray)


def _bare(value: Any) -> Any:
    """The columns of a structured array as tuples."""
    return tuple(map(_bare, value.columns)) if isinstance(value, Records) else value


def passed_sparse(value: Any) -> PassedSparse:
    """What is passed for a sparse matrix."""
    layout = Layout(type(value).__name__, value.shape)
    return PassedSparse(layout, Entries.of(value.data), Entries.of(value.indices), value.indptr)


def unpassed_sparse(given: PassedSparse) -> Any:
    """What the function gets for a sparse matrix."""
    return sparse.kind_of(given.layout.kind)(*given.layout.shape, *given[1:])


def unpassed_times(given: PassedTimes, unpack: Callable[[Any], Any]) -> Any:
    """What the function gets for dates or differences."""
    return times.made_of(given.layout, unpack(given.ticks))


def unpassed(given: PassedRecords, unpack: Callable[[Any], Any]) -> Any:
    """What the function gets."""
    kind = NamedRecords if given.kind == NamedRecords.__name__ else Records

    def column(path: tuple[str, ...], _: Any) -> Any:
        found, layout = given.columns, given.layout
        for name in path:
            found, layout = found[layout.names.index(name)], layout[name].base
        return unpack(found)

    made = records.of_fields(kind, given.layout, column)
    return made.record((0,)) if given.kind == "record" else made
