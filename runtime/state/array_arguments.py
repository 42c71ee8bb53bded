"""TensorArrays as arguments of compiled functions: elements go in, and what is written comes back.

An eager TensorArray is passed as one tensor, with what else it is made of as a constant.  The function
gets a TensorArray of its trace; after the call the caller's has the contents that this one ended with.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from agir.ir.building.types import as_dtype
from agir.ir.plain import sparse
from agir.ir.state.tensor_array import TensorArray
from agir.ir.tensors import dispatch, structure
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tracing.trace import Trace
from agir.ir.values.arrays.elements import Elements
from agir.ir.values.arrays.tensor_array_types import TensorArrayType
from agir.runtime.blame import at_caller
from agir.runtime.state import foreign, record_arguments
from agir.runtime.state.boxes import Boxed, Element, boxed, is_box, unboxed
from agir.runtime.state.columns import Column, Entries
from agir.runtime.state.data import (
    PassedObjects,
    PassedRecords,
    PassedRoot,
    PassedSparse,
    PassedTimes,
)
from agir.runtime.state.number_lists import (
    unlisted,
    unlisted_bytes,
    unlisted_entries,
    unlisted_rows,
    unlisted_text,
)
from agir.runtime.state.object_arguments import unpassed
from agir.runtime.state.passed_lists import (
    Least,
    Listed,
    ListedBytes,
    ListedEntries,
    ListedRows,
    ListedText,
    passed,
)
from agir.runtime.state.tensor_array import StoredArrays


class Given(NamedTuple):
    """A TensorArray in the arguments of a call: its kind as text, and its elements."""

    kind: str
    column: Any


def packed(value: Any, name: str, boxes: bool = False, lists: Least | None = None) -> Any:
    """An argument, with what can be passed in the place of eager TensorArrays and foreign arrays.

    With ``boxes`` an array without dimensions can be written into; containers of as many numbers
    as ``lists`` says are arrays.
    """
    if isinstance(value, TensorArray):
        return _given(value) if isinstance(value._contents, StoredArrays) else value
    if lists is not None and (arrays := passed(value, lists)) is not None:
        return arrays
    if boxes:
        if record_arguments.is_structured(value):
            return record_arguments.passed(value, lambda each: packed(each, name, boxes))
        if record_arguments.is_of_time(value):
            return record_arguments.passed_times(value, lambda each: packed(each, name, boxes))
        if sparse.is_sparse(value):
            return record_arguments.passed_sparse(value)
        if sparse.is_of_other_format(value):
            said = sparse.OTHER_FORMAT.format(type(value).__name__, name)
            raise TypeError(at_caller(f"argument {name!r} {said}"))
    found = structure.children(value)
    if found is None:
        admitted = foreign.admitted(value, name)
        return boxed(admitted) if boxes and is_box(admitted) else admitted
    items = [packed(item, name, boxes, lists) for item in found[1]]
    same = all(new is old for new, old in zip(items, found[1], strict=True))
    return value if same else structure.rebuild(found[0], items)


def _given(array: TensorArray) -> Given:
    contents = array._contents
    assert isinstance(contents, StoredArrays), "an eager TensorArray is passed"
    kind = contents.kind
    shape = contents.shape()
    known = shape is not None and None not in shape
    if len({row.shape for row in contents.rows if row is not None}) > 1:
        raise ValueError(
            "a TensorArray whose elements have different shapes cannot be passed to a compiled "
            "function"
        )
    described = (kind.dtype.name, kind.grows, kind.element_shape, kind.infer_shape, known)
    rows = contents.stack().numpy() if known else np.zeros(len(contents.rows), np.uint8)
    column = rows.view(Column)
    column.source, column.grows = array, kind.grows
    return Given(repr(described), column)


def unpacked(trace: Trace, value: Any) -> Any:
    """The arguments with TensorArrays of the trace, made of their elements."""
    unpack = _UNPACKED.get(type(value))
    if unpack is not None:
        return unpack(trace, value)
    found = structure.children(value)
    if found is None:
        return value
    items = [unpacked(trace, item) for item in found[1]]
    same = all(new is old for new, old in zip(items, found[1], strict=True))
    return value if same else structure.rebuild(found[0], items)


def _made(trace: Trace, given: Given) -> TensorArray:
    name, grows, shape, infer, known = ast.literal_eval(given.kind)
    kind = TensorArrayType(as_dtype(name), grows, shape, infer)
    column: SymbolicTensor = given.column
    with trace.at_user_line():
        count = column.shape[0]
        size = dispatch.call("shape", column)[0] if count is None else count
        contents = Elements.new(trace, kind, size)
        if known:
            contents = contents.holding(column)
    made = TensorArray._holding(contents)
    made._given = (column, contents)
    return made


_UNPACKED: dict[type, Callable[[Trace, Any], Any]] = {
    Given: _made,
    Boxed: unboxed,
    Listed: unlisted,
    ListedBytes: unlisted_bytes,
    ListedText: unlisted_text,
    ListedRows: unlisted_rows,
    ListedEntries: unlisted_entries,
    PassedObjects: unpassed,
    PassedRecords: lambda trace, value: record_arguments.unpassed(value, partial(unpacked, trace)),
    PassedTimes: lambda trace, value: record_arguments.unpassed_times(
        value, partial(unpacked, trace)
    ),
    PassedSparse: lambda _, value: record_arguments.unpassed_sparse(value),
    PassedRoot: lambda trace, value: trace.given_roots[int(value.root)],
}
"""What makes an argument of what was passed for it, by its class."""


def changed(value: Any) -> list[tuple[SymbolicTensor, TensorArray]]:
    """The TensorArrays among the arguments that the function has written to, each with its tensor."""
    leaves = structure.flatten(value)[0]
    arrays = [leaf for leaf in leaves if isinstance(leaf, TensorArray) and leaf._given is not None]
    return [(a._given[0], a) for a in arrays if a._contents is not a._given[1]]


def restored(column: Any, contents: TensorArray) -> None:
    """Give the caller's TensorArray the contents that the function has left."""
    column.source._contents = contents._contents


def owner(value: Any) -> Any:
    """What the caller has passed for a run-time value."""
    return value.source if isinstance(value, Column | Element | Entries) else value
