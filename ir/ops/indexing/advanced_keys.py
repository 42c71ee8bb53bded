"""Keys that hold arrays: integer index arrays, boolean masks, and what stands beside them.

``x[key]`` with arrays in the key is, as in NumPy, a basic subscript (the slices) of which elements
are then taken by arrays that are broadcast together; a mask stands for the positions where it is
true.  This module reads such a key, from types alone, so that type rules can use it as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any

import numpy as np

from agir.errors import RuntimeIndexError, SubscriptError
from agir.ir.building.types import DType, Shape
from agir.ir.emission import broadcast, emit
from agir.ir.ops.core.operands import operand_type
from agir.ir.ops.indexing.subscripts import concrete, is_position, unsupported
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing.trace import CAPTURE_LIMIT
from agir.records import dataclass

_KINDS = "arrays used as indices must be of integer (or boolean) type"


@dataclass(frozen=True)
class IndexArray:
    """An array of a key (or a position beside one): from ``axis`` on it indexes ``covers`` axes.

    ``value`` is what the user gave, or NumPy integers where the elements are ``known`` while
    tracing; a mask whose elements are not known stays one.
    """

    axis: int
    value: Any
    shape: Shape
    covers: int = 1
    known: bool = False
    is_mask: bool = False


@dataclass(frozen=True)
class AdvancedKey:
    """A key with arrays, taken apart.

    ``slices`` is the basic part, one for each axis.  ``layout`` lists the result's dimensions: the
    number of a sliced axis, None for a new one, and ``...`` for those of the arrays.  ``sizes``
    are what masks, whose elements are known, ask of (axis, size).
    """

    slices: tuple[slice, ...]
    arrays: tuple[IndexArray, ...]
    layout: tuple[Any, ...]
    sizes: tuple[tuple[int, int], ...] = field(default=())

    @property
    def is_sliced(self) -> bool:
        """True where the basic part takes less than everything."""
        return any(s != slice(None) for s in self.slices)

    @property
    def only_mask(self) -> IndexArray | None:
        """The mask, where it is all that stands beside the slices."""
        first = self.arrays[0]
        return first if len(self.arrays) == 1 and first.is_mask else None


def holds_arrays(key: Any) -> bool:
    """True where the key asks for more than ints, slices, ``...`` and None."""
    entries = key if isinstance(key, tuple) else (key,)
    return any(_is_array(entry) for entry in entries)


def _is_array(entry: Any) -> bool:
    if isinstance(entry, (bool, np.bool_, list, tuple)):
        return True
    if isinstance(entry, Tensor):
        return bool(entry.ndim) or entry.dtype.kind == "b"
    if isinstance(entry, np.ndarray):
        return bool(entry.ndim) or entry.dtype.kind == "b"
    return hasattr(entry, "__array__") and not isinstance(entry, np.generic)


def parse(key: Any, shape: Shape) -> AdvancedKey:
    """The key taken apart, for an array of this shape; ``IndexError`` where it does not fit."""
    found = [_entry(e) for e in (key if isinstance(key, tuple) else (key,))]
    rank = len(shape)
    taken = sum(_covered(e) for e in found)
    if taken > rank:
        raise RuntimeIndexError(
            f"too many indices: the array has {rank} dimensions, but {taken} were indexed"
        )
    if sum(1 for e in found if e is Ellipsis) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    if not any(e is Ellipsis for e in found):
        found.append(Ellipsis)
    return _Reader(shape, rank - taken).read(found)


@dataclass(frozen=True)
class _Given:
    """An array of a key: its dtype and shape, and its elements where they are known."""

    value: Any
    dtype: DType
    shape: Shape
    elements: np.ndarray[Any, Any] | None

    @property
    def is_mask(self) -> bool:
        return self.dtype.kind == "b"


def _entry(entry: Any) -> Any:
    """The entry as a slice, None, ``...``, an int, a position or a :class:`_Given`."""
    if _is_array(entry):
        return _given(entry)
    entry = concrete(entry)
    if entry is None or entry is Ellipsis or isinstance(entry, slice) or is_position(entry):
        return entry
    raise SubscriptError(unsupported(entry))


def _given(entry: Any) -> _Given:
    sequence = isinstance(entry, (list, tuple))
    if sequence and emit.is_symbolic(entry):
        kind = operand_type(dispatch.type_of(_as_list(entry), "getitem"))
        given = _Given(_as_list(entry), kind.dtype, kind.shape, None)
    elif isinstance(entry, SymbolicTensor):
        given = _Given(entry, entry.dtype, entry.shape, None)
    else:
        array = entry.numpy() if isinstance(entry, Tensor) else np.asarray(_plain(entry))
        if sequence and not array.size:
            array = array.astype(np.int64)
        fixed = sequence or isinstance(entry, Tensor) or array.size <= CAPTURE_LIMIT
        kind = dispatch.type_of(np.asarray(array))
        value = array if sequence else entry
        given = _Given(value, kind.dtype, kind.shape, np.asarray(array) if fixed else None)
    if not (given.is_mask or given.dtype.is_integer):
        raise RuntimeIndexError(f"{_KINDS}, not {given.dtype}")
    return given


def _as_list(value: Any) -> Any:
    return [_as_list(v) for v in value] if isinstance(value, (list, tuple)) else value


def _plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return value.numpy() if isinstance(value, Tensor) else value


def plain(key: Any) -> Any:
    """The key as NumPy takes it, its eager tensors as arrays."""
    if isinstance(key, tuple):
        return tuple(plain(entry) for entry in key)
    if isinstance(key, list):
        array = np.asarray(_plain(key))
        return array if array.size else array.astype(np.int64)
    return concrete(key.numpy()) if isinstance(key, Tensor) else key


def _covered(entry: Any) -> int:
    if isinstance(entry, _Given) and entry.is_mask:
        return len(entry.shape)
    return 0 if entry is None or entry is Ellipsis else 1


class _Reader:
    """Walks over the entries of a key, axis by axis."""

    def __init__(self, shape: Shape, filled: int) -> None:
        self.shape = shape
        self.filled = filled
        self.slices: list[slice] = []
        self.arrays: list[IndexArray] = []
        self.layout: list[Any] = []
        self.sizes: list[tuple[int, int]] = []
        self.runs = 0
        self.at = 0

    def read(self, entries: Sequence[Any]) -> AdvancedKey:
        """The key; several runs of arrays, apart from each other, put their dimensions first."""
        inside = False
        for entry in entries:
            advanced = isinstance(entry, _Given) or is_position(entry)
            if advanced and not inside:
                self.runs += 1
                self.at = len(self.layout)
            inside = advanced
            self._take(entry)
        self.layout.insert(self.at if self.runs == 1 else 0, Ellipsis)
        return AdvancedKey(
            tuple(self.slices), tuple(self.arrays), tuple(self.layout), tuple(self.sizes)
        )

    def _take(self, entry: Any) -> None:
        if entry is None:
            self.layout.append(None)
        elif entry is Ellipsis:
            for _ in range(self.filled):
                self._slice(slice(None))
        elif isinstance(entry, slice):
            self._slice(entry)
        elif not isinstance(entry, _Given):
            self._index(IndexArray(len(self.slices), entry, ()))
        elif not entry.is_mask:
            self._index(_integers(len(self.slices), entry))
        else:
            self._mask(entry)

    def _slice(self, entry: slice) -> None:
        self.layout.append(len(self.slices))
        self.slices.append(entry)

    def _index(self, array: IndexArray) -> None:
        self.arrays.append(array)
        self.slices += [slice(None)] * array.covers

    def _mask(self, mask: _Given) -> None:
        axis, rank = len(self.slices), len(mask.shape)
        for i, (dim_size, size) in enumerate(zip(mask.shape, self.shape[axis:], strict=False)):
            if None not in (dim_size, size) and dim_size not in (size, 0):
                raise RuntimeIndexError(
                    f"the boolean index does not match the array: along axis {axis + i} the array "
                    f"has {size} elements, the index {dim_size}"
                )
            if size is None and dim_size and mask.elements is not None:
                self.sizes.append((axis + i, dim_size))
        elements = mask.elements
        if 0 in mask.shape:  # an index without elements takes none of any number
            elements = np.zeros([dim_size or 0 for dim_size in mask.shape], bool)
        if elements is None:
            self._index(IndexArray(axis, mask.value, (None,), rank, is_mask=True))
            return
        positions = np.nonzero(np.atleast_1d(elements))
        if not rank:
            self._index(IndexArray(axis, positions[0], positions[0].shape, 0, known=True))
        for i, found in enumerate(positions[:rank]):
            self._index(IndexArray(axis + i, found, found.shape, known=True))


def _integers(axis: int, given: _Given) -> IndexArray:
    if given.elements is None:
        return IndexArray(axis, given.value, given.shape)
    return IndexArray(axis, given.elements.astype(np.int64), given.shape, known=True)


def result_shape(key: AdvancedKey, sliced: Shape) -> Shape:
    """The shape of what the key takes; ``sliced`` is the shape of what its slices take."""
    shape: list[int | None] = []
    for entry in key.layout:
        if entry is Ellipsis:
            shape += arrays_shape(key)
        else:
            shape.append(1 if entry is None else sliced[entry])
    return tuple(shape)


def arrays_shape(key: AdvancedKey) -> Shape:
    """The shape that the arrays are broadcast to."""
    try:
        return broadcast.shapes(*(array.shape for array in key.arrays))
    except ValueError:
        texts = ", ".join(str(list(a.shape)).replace("None", "?") for a in key.arrays)
        raise RuntimeIndexError(
            f"the index arrays do not broadcast against each other: their shapes are {texts}"
        ) from None
