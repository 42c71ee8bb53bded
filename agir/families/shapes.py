"""Shapes as values: ``TensorShape``, and how shapes broadcast."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agir.errors import OperandValueError
from agir.families.signatures import require as _require
from agir.families.signatures import tensor as _tensor
from agir.ir.ops.core.operands import composition as _composition
from agir.ir.tensors.dispatch import call as _call
from agir.ir.tensors.tensor import Tensor as _Tensor


def _size(value: Any) -> int | None:
    if value is None:
        return None
    number = int(value)
    if number < 0:
        raise OperandValueError(f"a size is negative: {number}")
    return number


class TensorShape:
    """What is known of a shape: sizes, each an int or None, or nothing where even the rank is not.

    It compares, iterates and is indexed as a tuple, and may be given wherever a shape is.

    >>> ag.TensorShape([2, None]).rank
    2

    Raises: OperandValueError for a negative size, or for what an unknown shape does not tell
    """

    __slots__ = ("_dims",)

    def __init__(self, dims: Any = None) -> None:
        self._dims: tuple[int | None, ...] | None
        if dims is None:
            self._dims = None
        elif isinstance(dims, TensorShape):
            self._dims = dims._dims
        else:
            values = dims.numpy().tolist() if isinstance(dims, _Tensor) else dims
            several = [values] if hasattr(values, "__index__") else values
            self._dims = tuple(map(_size, several))

    @property
    def rank(self) -> int | None:
        """The number of dimensions; None where it is not known."""
        return None if self._dims is None else len(self._dims)

    @property
    def ndims(self) -> int | None:
        """The number of dimensions."""
        return self.rank

    @property
    def dims(self) -> list[int | None] | None:
        """The sizes as a list; None where the rank is not known."""
        return None if self._dims is None else list(self._dims)

    def as_list(self) -> list[int | None]:
        """The sizes as a list; ``ValueError`` where the rank is not known."""
        return list(self._known("as_list()"))

    def _known(self, what: str) -> tuple[int | None, ...]:
        if self._dims is None:
            raise OperandValueError(f"{what} of a shape of unknown rank")
        return self._dims

    def is_fully_defined(self) -> bool:
        """True where every size is known."""
        return self._dims is not None and None not in self._dims

    def assert_is_fully_defined(self) -> None:
        """Raise ``ValueError`` unless every size is known."""
        if not self.is_fully_defined():
            raise OperandValueError(f"the shape {self} is not fully defined")

    def num_elements(self) -> int | None:
        """The product of the sizes; None where one is not known."""
        if self._dims is None:
            return None
        total = 1
        for size in self._dims:
            if size is None:
                return None
            total *= size
        return total

    def with_rank(self, rank: int) -> TensorShape:
        """The shape, which must be able to have that rank; ``ValueError`` where it cannot."""
        return self.merge_with([None] * rank)

    def assert_has_rank(self, rank: int) -> None:
        """Raise ``ValueError`` where the shape has another rank."""
        if self.rank not in (None, rank):
            raise OperandValueError(f"the shape {self} has not the rank {rank}")

    def is_compatible_with(self, other: Any) -> bool:
        """True where a tensor could have both shapes."""
        try:
            self.merge_with(other)
        except ValueError:
            return False
        return True

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raise ``ValueError`` where no tensor could have both shapes."""
        self.merge_with(other)

    def is_subtype_of(self, other: Any) -> bool:
        """True where every tensor of this shape is of the other one."""
        wanted = TensorShape(other)
        if wanted._dims is None:
            return True
        if self._dims is None or len(self._dims) != len(wanted._dims):
            return False
        return all(b is None or a == b for a, b in zip(self._dims, wanted._dims, strict=True))

    def most_specific_compatible_shape(self, other: Any) -> TensorShape:
        """What is common to both shapes."""
        theirs = TensorShape(other)
        if self._dims is None or theirs._dims is None or self.rank != theirs.rank:
            return TensorShape(None)
        pairs = zip(self._dims, theirs._dims, strict=True)
        return TensorShape([a if a == b else None for a, b in pairs])

    def merge_with(self, other: Any) -> TensorShape:
        """All that is known from both shapes; ``ValueError`` where they contradict each other."""
        theirs = TensorShape(other)
        if self._dims is None or theirs._dims is None:
            return theirs if self._dims is None else self
        pairs = list(zip(self._dims, theirs._dims, strict=False))
        if self.rank != theirs.rank or any(None not in p and p[0] != p[1] for p in pairs):
            raise OperandValueError(f"the shapes {self} and {theirs} are not compatible")
        return TensorShape([b if a is None else a for a, b in pairs])

    def concatenate(self, other: Any) -> TensorShape:
        """These sizes and then the others'; of unknown rank where one is."""
        theirs = TensorShape(other)
        if self._dims is None or theirs._dims is None:
            return TensorShape(None)
        return TensorShape((*self._dims, *theirs._dims))

    def __add__(self, other: Any) -> TensorShape:
        return self.concatenate(other)

    def __radd__(self, other: Any) -> TensorShape:
        return TensorShape(other).concatenate(self)

    def __iter__(self) -> Iterator[int | None]:
        return iter(self._known("iteration"))

    def __len__(self) -> int:
        return len(self._known("len()"))

    def __bool__(self) -> bool:
        return self._dims is not None

    def __getitem__(self, key: Any) -> Any:
        if self._dims is None:
            return TensorShape(None) if isinstance(key, slice) else None
        return TensorShape(self._dims[key]) if isinstance(key, slice) else self._dims[key]

    def __eq__(self, other: object) -> bool:
        try:
            return self._dims == TensorShape(other)._dims
        except (TypeError, ValueError):
            return NotImplemented

    def __hash__(self) -> int:
        return hash(self._dims)

    def __repr__(self) -> str:
        return f"TensorShape({self.dims})"

    def __str__(self) -> str:
        if self._dims is None:
            return "<unknown>"
        comma = "," if len(self._dims) == 1 else ""
        return f"({', '.join(map(str, self._dims))}{comma})"


def broadcast_static_shape(shape_x: Any, shape_y: Any) -> TensorShape:
    """The shape that two shapes broadcast to; ``ValueError`` where they do not.

    >>> ag.broadcast_static_shape([2, 1], [3])
    TensorShape([2, 3])

    Shapes: of shapes, not of tensors
    """
    x, y = TensorShape(shape_x), TensorShape(shape_y)
    if x.dims is None or y.dims is None:
        return TensorShape(None)
    length = max(len(x), len(y))
    ones: list[int | None] = [1]
    whole = [ones * (length - len(s)) + s.as_list() for s in (x, y)]
    pairs = zip(*whole, strict=True)
    return TensorShape([_broadcast(a, b, x, y) for a, b in pairs])


def _broadcast(a: int | None, b: int | None, x: TensorShape, y: TensorShape) -> int | None:
    if a == b or b == 1:
        return a
    if a == 1:
        return b
    if a is None or b is None:
        return b if a is None else a
    raise OperandValueError(f"the shapes {x} and {y} do not broadcast: {a} and {b} differ")


@_composition()
def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> Any:
    """The shape that two shapes, which are vectors of integers, broadcast to; checked.

    >>> ag.broadcast_dynamic_shape([2, 1], [3]).numpy()
    array([2, 3], dtype=int32)

    Shapes: shape_x [n], shape_y [m] -> [k]
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: InvalidArgumentError where they do not broadcast
    """
    x, y = _tensor(shape_x), _tensor(shape_y)
    length = max(x.shape[0], y.shape[0])
    whole = [
        _call("concat", [_call("full", [length - s.shape[0]], 1, s.dtype), s], 0) for s in (x, y)
    ]
    ones = [_call("equal", s, 1) for s in whole]
    fits = _call("logical_or", _call("equal", *whole), _call("logical_or", *ones))
    _require(fits, "broadcast_dynamic_shape(): the shapes do not broadcast")
    return _call("where", ones[0], whole[1], whole[0])
