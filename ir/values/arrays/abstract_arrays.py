"""What branches and loops carry of a TensorArray: its contents, or nothing where it stays itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from agir.ir import hooks
from agir.ir.building.cells import Scope
from agir.ir.building.types import DType, Shape, int64, mlir_type
from agir.ir.emission import emit
from agir.ir.tensors.symbolic import Dim
from agir.ir.tracing.trace import Trace
from agir.ir.values.abstract_values import AbstractValue, Empty, JoinError, Take, Wrap
from agir.ir.values.arrays.elements import Elements
from agir.ir.values.arrays.tensor_array_types import TensorArrayType
from agir.records import dataclass

Size = Any
"""An int, a `Dim`, or None where paths differ or the size does not exist outside of a region."""


@dataclass(frozen=True)
class ArrayContents(AbstractValue):
    """The contents of a TensorArray.

    ``lazy`` tells that some path comes with no room for elements, ``partial`` that some path comes
    with room for some of them only.  ``aliases`` are the arrays, visible around, that it may be.
    """

    kind: TensorArrayType
    size: Size
    dims: tuple[Size, ...] | None
    lazy: bool
    partial: bool
    spoiled: str | None = None
    aliases: tuple[Any, ...] = ()

    @property
    def full(self) -> bool:
        """Whether the column has room for every element."""
        if self.kind.grows or self.partial:
            return False
        return not (self.lazy and self.dims is not None and None in self.dims)

    @property
    def _carries_size(self) -> bool:
        return self.size is None and not (self.full and self.dims is not None)

    def _shape(self) -> Shape:
        assert self.dims is not None, "a column has dimensions"
        first = self.size if self.full else None
        return tuple(d if isinstance(d, int) else None for d in (first, *self.dims))

    def types(self) -> list[Any]:
        column = [] if self.dims is None else [mlir_type(self.kind.dtype, self._shape())]
        return [*column, *([int64.mlir()] if self._carries_size else [])]

    def dtypes(self) -> list[DType]:
        column = [] if self.dims is None else [self.kind.dtype]
        return [*column, *([int64] if self._carries_size else [])]

    def pack(self, trace: Trace, value: Any) -> list[Any]:
        elements = elements_of(value)
        size = emit.dim_value(trace, elements.size)
        parts = [] if self.dims is None else [self._column(trace, elements)]
        return [*parts, emit.from_index(trace, size)] if self._carries_size else parts

    def _column(self, trace: Trace, elements: Elements) -> Any:
        column = elements.column
        if column is None:
            column = self._zeros(trace, elements.size)
        target = mlir_type(self.kind.dtype, self._shape())
        return column if column.type == target else trace.op("tensor.cast", target, column)

    def _zeros(self, trace: Trace, size: Size) -> Any:
        """A column of elements that were never written: none where their sizes are unknown."""
        assert self.dims is not None, "a column has dimensions"
        sizes = [Dim(value=trace.index(0)) if d is None else d for d in self.dims]
        first = size
        if not self.full:
            known = all(isinstance(d, int) for d in self.dims)
            first = Dim(value=emit.dim_value(trace, size if known else 0))
        zero = trace.constant(self.kind.dtype, 0)
        return emit.splat(trace, zero, self.kind.dtype, (first, *sizes))

    def unpack(self, trace: Trace, carried: list[Any]) -> Any:
        column = None if self.dims is None else carried.pop(0)
        size: Any = self.size
        if self._carries_size:
            number = trace.make(carried.pop(0), int64, ())
            size = Dim(value=emit.to_index(trace, number))
        elif size is None:
            size = Dim(source=column, axis=0)
        dims = self.dims and tuple(
            Dim(source=column, axis=axis + 1) if d is None else d
            for axis, d in enumerate(self.dims)
        )
        full = column is not None and self.full
        scope, kind, spoiled = trace.scope, self.kind, self.spoiled
        elements = Elements(trace, scope, kind, size, dims, column, full, spoiled)
        return hooks.values.traced_array(elements, self.aliases)

    def placeholder(self, trace: Trace) -> list[Any]:
        zero = Dim(value=trace.index(0))
        column = []
        if self.dims is not None:
            column = [self._zeros(trace, zero if self.size is None else self.size)]
        return [*column, *([trace.constant(int64, 0)] if self._carries_size else [])]

    def assemble(self, take: Take, wrap: Wrap) -> Any:
        rows = [] if self.dims is None else list(take())
        size = self.size
        if size is None:
            size = int(take()) if self._carries_size else len(rows)
        rows = [*rows[:size], *[None] * (size - len(rows))]
        return hooks.runtime.returned_array(self.kind, rows)

    def describe(self) -> str:
        dims = () if self.dims is None else self.dims
        shape = "" if not dims else str([d if isinstance(d, int) else "?" for d in dims])
        elements = f"{self.kind.dtype}{shape}".replace("'", "")
        return f"a {'growing ' if self.kind.grows else ''}TensorArray of {elements}"

    def outside(self, scope: Scope) -> AbstractValue:
        dims = self.dims and tuple(_outside(d, scope) for d in self.dims)
        aliases = tuple(each for each in self.aliases if scope.encloses(each._home))
        return replace(self, size=_outside(self.size, scope), dims=dims, aliases=aliases)

    def join(self, name: str, other: AbstractValue, strict: bool) -> AbstractValue | None:
        if isinstance(other, Handle):
            other = other.contents
        return self._joined(name, other) if isinstance(other, ArrayContents) else None

    def _joined(self, name: str, other: ArrayContents) -> AbstractValue:
        one, two = self.dims, other.dims
        clash = one is not None and two is not None and len(one) != len(two)
        same = self.kind.dtype == other.kind.dtype and self.kind.grows == other.kind.grows
        if clash or not same:
            raise JoinError(
                f"{name!r} is {self.describe()} on one path and {other.describe()} on the other"
            )
        dims = one if two is None else two
        if one is not None and two is not None:
            dims = tuple(map(_common, one, two))
        lazy = self.lazy or other.lazy
        partial = self.partial or other.partial
        kind = _common_kind(self.kind, other.kind)
        size, spoiled = _common(self.size, other.size), self.spoiled or other.spoiled
        more = tuple(each for each in other.aliases if each not in self.aliases)
        aliases = (*self.aliases, *more)
        return ArrayContents(kind, size, dims, lazy, partial, spoiled, aliases)


@dataclass(frozen=True, eq=False)
class Handle(Empty):
    """A TensorArray that exists around the branch or loop: what changes is what it contains."""

    array: Any
    contents: ArrayContents

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Handle) and self.array is other.array

    __hash__ = None  # type: ignore[assignment]

    def unpack(self, trace: Trace, carried: list[Any]) -> Any:
        return self.array

    def assemble(self, take: Take, wrap: Wrap) -> Any:
        raise AssertionError("nothing of the trace exists where its results are")

    def describe(self) -> str:
        return self.contents.describe()

    def join(self, name: str, other: AbstractValue, strict: bool) -> AbstractValue | None:
        return self.contents.join(name, other, strict)


def elements_of(value: Any) -> Elements:
    """The contents of a TensorArray of a trace, as they are or were."""
    found: Elements = value if isinstance(value, Elements) else value._elements()
    return found


def abstract_of_elements(trace: Trace, value: Elements, around: Scope | None) -> ArrayContents:
    """The abstract value of contents."""
    partial = value.dims is not None and not value.full
    lazy = value.dims is None
    return ArrayContents(value.kind, value.size, value.dims, lazy, partial, value.spoiled)


def _outside(size: Size, scope: Scope) -> Size:
    visible = not isinstance(size, Dim) or size.is_visible_in(scope)
    return size if visible else None


def _common(left: Size, right: Size) -> Size:
    same = left is right or (isinstance(left, int) and left == right)
    return left if same else None


def _common_kind(left: TensorArrayType, right: TensorArrayType) -> TensorArrayType:
    one, two = left.element_shape, right.element_shape
    shape: Shape | None = None
    if one is not None and two is not None and len(one) == len(two):
        shape = tuple(map(_common, one, two))
    return replace(left, element_shape=shape, infer_shape=left.infer_shape and right.infer_shape)
