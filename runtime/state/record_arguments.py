"""Structured arrays as arguments: what is passed are the arrays of the fields, where they lie."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from agir.ir.building.types import as_dtype
from agir.ir.plain import records
from agir.ir.plain.records import NamedRecords, Records


class PassedRecords(NamedTuple):
    """A structured array, or a record, among the arguments of a call."""

    layout: Any
    kind: str
    columns: Any


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


def passed(value: Any) -> PassedRecords:
    """What is passed for it."""
    if isinstance(value, np.void):
        array = np.ndarray((1,), value.dtype, np.asarray(_Place(value)))
        return PassedRecords(value.dtype, "record", _columns(array, Records))
    kind = NamedRecords if isinstance(value, np.recarray) else Records
    return PassedRecords(value.dtype, kind.__name__, _columns(value, kind))


def _columns(array: Any, kind: type) -> Any:
    """The arrays of the fields; None for those of which there is no dtype, such as text."""

    def column(path: tuple[str, ...], inner: Any) -> Any:
        try:
            as_dtype(inner.base)
        except TypeError:
            return None
        return at(array, path)

    return _bare(records.of_fields(kind, array.dtype, column))


def at(array: Any, path: tuple[str, ...]) -> Any:
    """The array of a field, by the names that lead to it."""
    for name in path:
        array = array[name]
    return array.view(np.ndarray)


def _bare(value: Any) -> Any:
    """The columns of a structured array as tuples."""
    return tuple(map(_bare, value.columns)) if isinstance(value, Records) else value


def unpassed(given: PassedRecords) -> Any:
    """What the function gets."""
    kind = NamedRecords if given.kind == NamedRecords.__name__ else Records

    def column(path: tuple[str, ...], _: Any) -> Any:
        found, layout = given.columns, given.layout
        for name in path:
            found, layout = found[layout.names.index(name)], layout[name].base
        return found

    made = records.of_fields(kind, given.layout, column)
    return made.record((0,)) if given.kind == "record" else made
