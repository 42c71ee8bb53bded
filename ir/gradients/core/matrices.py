"""Formulas of matrices: products, adjoints, triangles; of arrays of matrices, one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agir.ir.building import attributes, bindings
from agir.ir.building.types import DType
from agir.ir.emission import emit, gathering
from agir.ir.gradients.core.expressions import (
    Expression,
    complex_of,
    dimension_size,
    element_type,
    shaped,
)
from agir.ir.gradients.core.structured import contraction
from agir.ir.gradients.core.sums import summed
from agir.ir.tracing import loops
from agir.ir.tracing.trace import Trace

E = Expression
Axes = Sequence[int]


def rank_of(value: E) -> int:
    """The number of dimensions."""
    tensor = shaped(value.ssa.type)
    return 0 if tensor is None else int(tensor.rank)


def tensor_type(sources: Sequence[tuple[Any, int]], dtype: DType) -> Any:
    """The type of a tensor each of whose sizes is one of another tensor."""
    shape = [shaped(value.type).shape[axis] for value, axis in sources]
    return bindings.ir.RankedTensorType.get(shape, dtype.mlir())


def _open(trace: Trace, sources: Sequence[tuple[Any, int]]) -> list[Any]:
    return [
        dimension_size(trace, value, axis)
        for value, axis in sources
        if shaped(value.type).is_dynamic_dim(axis)
    ]


def combined(
    trace: Trace,
    sources: Sequence[tuple[Any, int]],
    dtype: DType,
    inputs: Sequence[tuple[E, Axes]],
    build: Callable[..., E],
) -> E:
    """A tensor of these sizes: ``build(indices, *elements)`` is its element.

    Of each input the element is taken at the indices of its axes.  Scalars have no axes.
    """
    kind = tensor_type(sources, dtype)
    init = trace.op("tensor.empty", kind, *_open(trace, sources))
    rank = len(sources)
    names = ", ".join(f"d{axis}" for axis in range(rank))
    arrays = [(value, axes) for value, axes in inputs if rank_of(value)]
    maps = [f"affine_map<({names}) -> ({', '.join(f'd{a}' for a in axes)})>" for _, axes in arrays]
    masked = any(value.masked for value, _ in inputs)

    def element(*scalars: Any) -> tuple[Any, ...]:
        taken = iter(scalars)
        own = [
            E(trace, next(taken) if rank_of(value) else value.ssa, value.masked)
            for value, _ in inputs
        ]
        index = trace.index_type()
        indices = [
            trace.op("linalg.index", index, dim=attributes.i64(axis)) for axis in range(rank)
        ]
        return (build(indices, *own).ssa,)

    maps.append(gathering.identity_map(rank))
    made = gathering.generic(
        trace, [value.ssa for value, _ in arrays], [init], maps, ["parallel"] * rank, element
    )
    return E(trace, made.result, masked)


def _all(value: E) -> list[tuple[Any, int]]:
    return [(value.ssa, axis) for axis in range(rank_of(value))]


def elementwise(like: E, build: Callable[..., E], *others: tuple[E, Axes], dtype: Any = None) -> E:
    """``build(indices, element, ...)`` for each element of a tensor."""
    own = list(range(rank_of(like)))
    inputs = [(like, own), *others]
    return combined(like.trace, _all(like), dtype or like.dtype, inputs, build)


def batch(value: E) -> list[int]:
    """The axes before those of the matrix."""
    return list(range(rank_of(value) - 2))


def adjoint(value: E) -> E:
    """The conjugates with rows and columns exchanged."""
    return transposed(value).conj()


def transposed(value: E) -> E:
    """Rows and columns exchanged."""
    trace, rank = value.trace, rank_of(value)
    order = [*range(rank - 2), rank - 1, rank - 2]
    sources = [(value.ssa, axis) for axis in order]
    init = trace.op("tensor.empty", tensor_type(sources, value.dtype), *_open(trace, sources))
    found = {"permutation": attributes.i64_array(order)}
    made = trace.create("linalg.transpose", (init.type,), (value.ssa, init), found)
    element = element_type(value.ssa.type)
    emit.body(trace, made, [element, element], lambda a, _: (a,))
    return E(trace, made.result, value.masked)


def product(left: E, *others: E) -> E:
    """The product of matrices."""
    for right in others:
        left = _product(left, right)
    return left


def _product(left: E, right: E) -> E:
    trace, rank = left.trace, rank_of(left)
    ir = bindings.ir
    dims = [ir.AffineDimExpr.get(axis) for axis in range(rank + 1)]
    many, (i, j, k) = dims[: rank - 2], dims[rank - 2 :]
    maps = [ir.AffineMap.get(rank + 1, 0, [*many, *ends]) for ends in ((i, k), (k, j), (i, j))]
    sources = [*((left.ssa, a) for a in range(rank - 1)), (right.ssa, rank - 1)]
    init = zeros(trace, sources, left.dtype)
    made = contraction(trace, [left.ssa, right.ssa], maps[:2], maps[2], init)
    return E(trace, made, left.masked or right.masked)


def zeros(trace: Trace, sources: Sequence[tuple[Any, int]], dtype: DType) -> Any:
    """A tensor of zeros."""
    kind = tensor_type(sources, dtype)
    return trace.op("tensor.splat", kind, trace.constant(dtype, 0), *_open(trace, sources))


def by_place(value: E, build: Callable[[Any, Any, E], E]) -> E:
    """``build(row, column, element)`` for each element of matrices."""
    return elementwise(value, lambda indices, own: build(indices[-2], indices[-1], own))


def place(trace: Trace, predicate: str, row: Any, column: Any) -> E:
    """A condition on the row and the column: ``sgt`` holds below the diagonal."""
    return E(trace, trace.compare(predicate, row, column))


def triangle(value: E, predicate: str) -> E:
    """The elements for which ``row predicate column``; zero elsewhere."""
    trace = value.trace
    return by_place(value, lambda i, j, v: place(trace, predicate, i, j).choose(v, 0))


def scaled(value: E, numbers: E, axis: int = -1) -> E:
    """The columns (``-2``: the rows) times a number each."""
    axes = [*batch(value), rank_of(value) + axis]
    wide = numbers if numbers.dtype == value.dtype else in_dtype(numbers, value.dtype)
    return elementwise(value, lambda _, v, n: v * n, (wide, axes))


def times(value: E, number: E) -> E:
    """Each matrix times a number."""
    wide = in_dtype(number, value.dtype)
    return elementwise(value, lambda _, v, n: n * v, (wide, batch(value)))


def diagonal(numbers: E, like: E) -> E:
    """Diagonal matrices of these numbers; ``like`` says their sizes and dtype."""
    trace, axes = like.trace, [*batch(like), rank_of(like) - 1]
    wide = in_dtype(numbers, like.dtype)

    def element(indices: Any, _: E, n: E) -> E:
        return place(trace, "eq", indices[-2], indices[-1]).choose(n, 0)

    return elementwise(like, element, (wide, axes))


def inner(left: E, right: E) -> E:
    """The sum of the products of elements, the first ones conjugated, for each pair of matrices."""
    rank = rank_of(left)
    axes = None if rank == 2 else [rank - 2, rank - 1]
    return E(left.trace, summed(left.trace, (left.conj() * right).ssa, axes))


def in_dtype(value: E, dtype: DType) -> E:
    """The same numbers in another dtype; of complex numbers the real parts in a real one."""
    if value.dtype == dtype:
        return value
    if dtype.is_complex:
        own = value if value.dtype.is_complex else None
        parts = [own.re, own.im] if own is not None else [value, value.like(0)]
        return complex_of(dtype, *(part.converted(dtype.real) for part in parts))
    return (value.re if value.dtype.is_complex else value).converted(dtype)


def reduced(value: E, like: E) -> E:
    """Matrices summed over the axes along which ``like`` was repeated to be as many."""
    trace = value.trace
    extra = rank_of(value) - rank_of(like)
    if extra:
        value = E(trace, summed(trace, value.ssa, list(range(extra))), value.masked)
    for axis in batch(like):
        value = _reduced_along(value, like, axis)
    if value.ssa.type != like.ssa.type and value.dtype == like.dtype:
        value = E(trace, trace.op("tensor.cast", like.ssa.type, value.ssa), value.masked)
    return value


def _reduced_along(value: E, like: E, axis: int) -> E:
    trace = value.trace
    own, wanted = shaped(value.ssa.type), shaped(like.ssa.type)
    if not wanted.is_dynamic_dim(axis):
        known = not own.is_dynamic_dim(axis) and own.shape[axis] == wanted.shape[axis]
        return value if known or wanted.shape[axis] != 1 else _sum_along(value, like, axis)
    one = trace.compare("eq", dimension_size(trace, like.ssa, axis), trace.index(1))
    open_shape = list(own.shape)
    open_shape[axis] = bindings.ir.ShapedType.get_dynamic_size()
    kind = bindings.ir.RankedTensorType.get(open_shape, own.element_type)

    def either(made: Callable[[], E]) -> Callable[[], list[Any]]:
        def build() -> list[Any]:
            ssa = made().ssa
            return [ssa if ssa.type == kind else trace.op("tensor.cast", kind, ssa)]

        return build

    total = either(lambda: _sum_along(value, like, axis))
    (found,) = loops.either(trace, one, total, either(lambda: value))
    return E(trace, found, value.masked)


def _sum_along(value: E, like: E, axis: int) -> E:
    """The sum along an axis, which stays with the size 1 that ``like`` has there."""
    trace = value.trace
    total = E(trace, summed(trace, value.ssa, [axis]), value.masked)
    sources = [(like.ssa if a == axis else value.ssa, a) for a in range(rank_of(value))]
    axes = [a for a in range(rank_of(value)) if a != axis]
    return combined(trace, sources, value.dtype, [(total, axes)], lambda _, v: v)


def fitted(value: E, axis: int, like: Any, count: int | None = None) -> E:
    """Cut, or filled with zeros, along an axis to the size that ``like`` has, or to a number."""
    trace = value.trace
    tensor = shaped(value.ssa.type)
    shape = list(tensor.shape)
    shape[axis] = count if count is not None else shaped(like.type).shape[axis]
    if shape == list(tensor.shape) and not tensor.is_dynamic_dim(axis):
        return value
    kind = bindings.ir.RankedTensorType.get(shape, tensor.element_type)
    sources = [(like if a == axis else value.ssa, a) for a in range(tensor.rank)]
    open_ = [
        dimension_size(trace, v, a)
        for v, a in sources
        if bindings.ir.RankedTensorType(kind).is_dynamic_dim(a)
    ]
    init = trace.op("tensor.empty", kind, *open_)
    length = dimension_size(trace, value.ssa, axis)

    def element(_: Any) -> tuple[Any, ...]:
        index = trace.index_type()
        where = [trace.op("linalg.index", index, dim=attributes.i64(a)) for a in range(tensor.rank)]
        inside = E(trace, trace.compare("slt", where[axis], length))
        safe = trace.op("arith.select", index, inside.ssa, where[axis], trace.index(0))
        where[axis] = safe
        found = E(trace, trace.op("tensor.extract", tensor.element_type, value.ssa, *where))
        return (inside.choose(found, 0).ssa,)

    rank = tensor.rank
    maps = [gathering.identity_map(rank)]
    made = gathering.generic(trace, [], [init], maps, ["parallel"] * rank, element)
    return E(trace, made.result, value.masked)
