"""What is in an eager TensorArray: a list of tensors, as far as they fit those that were written.

So a tape knows them again, and notes how results are put together of them.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from agir.errors import (
    InvalidArgumentError,
    OperandTypeError,
    OperandValueError,
    RuntimeIndexError,
    RuntimeShapeError,
)
from agir.ir import hooks
from agir.ir.building.types import Shape
from agir.ir.state.tensor_array import TensorArray as TensorArray
from agir.ir.tensors import dispatch
from agir.ir.values.arrays.tensor_array_types import LIMIT, TensorArrayType, weak_array
from agir.runtime.tensor import EagerTensor, convert_to_tensor


class StoredArrays:
    """The elements of an eager TensorArray; None for one that has never been written."""

    def __init__(self, kind: TensorArrayType, size: Any) -> None:
        count = operator.index(size)
        if count < 0:
            raise OperandValueError(f"the size of a TensorArray is negative: {count}")
        self.kind = kind
        self.rows: list[EagerTensor | None] = [None] * count

    def copy(self) -> StoredArrays:
        """The same elements in contents of their own."""
        new = StoredArrays(self.kind, 0)
        new.rows = list(self.rows)
        return new

    def shape(self) -> Shape | None:
        """What is known of the shape of the elements."""
        written = self._first()
        wanted = self.kind.element_shape
        complete = wanted is not None and None not in wanted
        return wanted if written is None or complete or not self.kind.infer_shape else written.shape

    def size(self) -> EagerTensor:
        """The number of elements."""
        return EagerTensor(np.asarray(len(self.rows), np.int32))

    def write(self, index: Any, value: Any) -> None:
        """Replace an element."""
        row = self._converted(value)
        self._check(row)
        place = self._place(index, LIMIT if self.kind.grows else len(self.rows))
        self.rows += [None] * (place + 1 - len(self.rows))
        self.rows[place] = row

    def read(self, index: Any) -> EagerTensor:
        """An element."""
        return self._row(self._place(index, len(self.rows)))

    def stack(self) -> EagerTensor:
        """All elements as one tensor."""
        return self._joined(range(len(self.rows)))

    def gather(self, indices: Any) -> EagerTensor:
        """Some elements as one tensor."""
        return self._joined([self._place(index, len(self.rows)) for index in np.asarray(indices)])

    def unstack(self, value: Any) -> None:
        """Have the rows of a tensor as elements."""
        whole = self._converted(value)
        if not whole.array.ndim:
            raise OperandValueError("unstack() takes a tensor of at least one dimension")
        self._replace([_part(whole, place) for place in range(len(whole.array))], "unstack")

    def scatter(self, indices: Any, value: Any) -> None:
        """Write the rows of a tensor at these indices."""
        where, whole = np.asarray(indices), self._converted(value)
        if where.ndim != 1 or not whole.array.ndim or len(where) != len(whole.array):
            raise OperandValueError(
                "scatter() takes a vector of indices and as many rows, not the shapes "
                f"{list(where.shape)} and {list(whole.shape)}"
            )
        for place, index in enumerate(where):
            self.write(index, _part(whole, place))

    def concat(self) -> EagerTensor:
        """The elements one after the other."""
        rows = [self._row(place) for place in range(len(self.rows))]
        if not rows:
            return self.stack()
        if any(not row.array.ndim for row in rows):
            raise OperandValueError(
                "concat() of a TensorArray of scalars, which have no dimension to join"
            )
        return dispatch.call("concat", rows, 0)  # type: ignore[no-any-return]

    def split(self, value: Any, lengths: Any) -> None:
        """Have pieces of a tensor as elements."""
        whole, each = self._converted(value), np.asarray(lengths)
        array = whole.array
        if not array.ndim or each.ndim != 1 or np.any(each < 0) or each.sum() != len(array):
            raise OperandValueError(
                f"split() of a tensor of shape {list(array.shape)} into pieces of length "
                f"{each.tolist()}"
            )
        ends = np.cumsum(each).tolist()
        pieces = zip([0, *ends], ends, strict=False)
        self._replace([_part(whole, slice(*piece)) for piece in pieces], "split")

    def _replace(self, rows: list[Any], what: str) -> None:
        if not self.kind.grows and len(rows) > len(self.rows):
            raise OperandValueError(
                f"{what}() of more elements than the TensorArray has: {len(rows)} and "
                f"{len(self.rows)}"
            )
        before, self.rows = self.rows, []
        try:
            for row in rows:
                self._check(row)
                self.rows.append(row)
        except ValueError:
            self.rows = before
            raise

    def _first(self) -> EagerTensor | None:
        return next((row for row in self.rows if row is not None), None)

    def _row(self, place: int) -> EagerTensor:
        row = self.rows[place]
        if row is not None:
            return row
        shape = self.shape()
        if shape is None or None in shape:
            raise InvalidArgumentError(
                f"element {place} of a TensorArray is read, which has never been written, and whose "
                "shape is not known; write it first, or give element_shape"
            )
        return EagerTensor(np.zeros([size or 0 for size in shape], self.kind.dtype.numpy))

    def _joined(self, places: Any) -> EagerTensor:
        rows = [self._row(place) for place in places]
        if rows:
            return dispatch.call("stack", rows)  # type: ignore[no-any-return]
        shape = [size or 0 for size in self.shape() or ()]
        return EagerTensor(np.zeros((0, *shape), self.kind.dtype.numpy))

    def _place(self, index: Any, limit: int) -> int:
        try:
            if isinstance(index, bool):
                raise TypeError
            place = operator.index(index)
        except TypeError:
            raise OperandTypeError(
                f"an index of a TensorArray is an integer scalar, not {index!r}"
            ) from None
        if not 0 <= place < limit:
            raise RuntimeIndexError(
                f"index {place} is out of range for {len(self.rows)} elements of a TensorArray"
            )
        return place

    def _converted(self, value: Any) -> EagerTensor:
        """A value in the dtype of the array, to which nothing else writes."""
        weak = weak_array(value)
        self.kind.check_type(dispatch.type_of(value) if weak is None else weak[1])
        if hasattr(value, "__array__"):
            return dispatch.call("cast", convert_to_tensor(value), self.kind.dtype)  # type: ignore[no-any-return]
        return EagerTensor(np.array(value, self.kind.dtype.numpy))

    def _check(self, row: Any) -> None:
        self.kind.check_shape(row.shape)
        written = self._first() if self.kind.infer_shape else None
        if written is not None and written.shape != row.shape:
            raise RuntimeShapeError(
                f"a TensorArray with elements of shape {list(written.shape)} is given one of shape "
                f"{list(row.shape)}"
            )


def _part(whole: EagerTensor, key: Any) -> EagerTensor:
    """Some rows of a tensor, which tapes take note of."""
    if not hooks.observers.active:
        return EagerTensor(np.asarray(whole.array[key]))
    return dispatch.call("getitem", whole, key)  # type: ignore[no-any-return]


def returned(kind: TensorArrayType, rows: list[Any]) -> TensorArray:
    """The TensorArray that a caller gets of a compiled function."""
    contents = StoredArrays(kind, 0)
    contents.rows = [None if row is None else EagerTensor(np.asarray(row)) for row in rows]
    return TensorArray._holding(contents)
