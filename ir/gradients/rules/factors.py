"""What the rules of factorizations, forwards and backwards, are made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agir.ir.building import bindings
from agir.ir.building.types import DType, int32
from agir.ir.gradients.core.expressions import (
    Expression,
    dimension_size,
    element_type,
    shaped,
    zeros_like,
)
from agir.ir.gradients.core.matrices import (
    adjoint,
    batch,
    by_place,
    combined,
    elementwise,
    in_dtype,
    place,
    rank_of,
    tensor_type,
)
from agir.ir.gradients.core.sums import summed
from agir.ir.gradients.rules.host import Site
from agir.ir.gradients.rules.tensor import piece

E = Expression


def solved(s: Site, a: E, b: E) -> E:
    """``x`` with ``a @ x = b``."""
    return s.host("solve", 0, b.ssa.type, a, b)


def triangular(s: Site, a: E, b: E, lower: bool) -> E:
    """``x`` with ``a @ x = b``, of which the other triangle of ``a`` is not read."""
    return s.host("triangular_solve", 0, b.ssa.type, a, b, lower=lower)


def unit_lower(packed: E) -> E:
    """The left factors of a matrix that holds both, with ones on the diagonal."""
    trace = packed.trace

    def element(i: Any, j: Any, v: E) -> E:
        below = place(trace, "sgt", i, j).choose(v, 0)
        return place(trace, "eq", i, j).choose(v.like(1), below)

    return by_place(packed, element)


def rows_of(s: Site) -> E:
    """The matrices that put the rows in the order that ``lu`` gives as its second result."""
    a = s.input(0)
    trace = s.trace
    order = s.result(1, (int32, numbers_type(a, int32)))

    def element(indices: Any, v: E, row: E) -> E:
        column = trace.op("arith.index_cast", row.ssa.type, indices[-1])
        return place(trace, "eq", row.ssa, column).choose(v.like(1), 0)

    return elementwise(a, element, (order, [*batch(a), rank_of(a) - 2]))


def numbers_type(like: E, dtype: DType) -> Any:
    """The type of a number for each row of matrices."""
    shape = list(shaped(like.ssa.type).shape)[:-1]
    return bindings.ir.RankedTensorType.get(shape, dtype.mlir())


def inverse(s: Site, a: E) -> E:
    """The inverses."""
    return s.host("inv", 0, a.ssa.type, a)


def from_identity(value: E) -> E:
    """The identity minus the matrices."""
    trace = value.trace
    return by_place(value, lambda i, j, v: place(trace, "eq", i, j).choose(v.like(1), 0) - v)


def boxed(value: E) -> E:
    """A number as a tensor."""
    kind = bindings.ir.RankedTensorType.get([], value.ssa.type)
    return E(value.trace, value.trace.op("tensor.from_elements", kind, value.ssa))


def pseudo_inverse(s: Site, a: E) -> E:
    """With all singular values that are not zero."""
    trace, rank = s.trace, rank_of(a)
    ends = [(a.ssa, rank - 1), (a.ssa, rank - 2)]
    kind = tensor_type([*((a.ssa, n) for n in batch(a)), *ends], a.dtype)
    rtol = E(trace, trace.constant(a.dtype.real, 0))
    return s.host("pseudo_inverse", 0, kind, a, boxed(rtol))


def symmetric(value: E) -> E:
    """The self-adjoint parts."""
    return (value + adjoint(value)) * 0.5


def zeros_of(value: E) -> Any:
    """Zeros like a value."""
    return zeros_like(value.trace, value.ssa)


def with_last(like: E, rows: int, columns: int) -> Any:
    """The type of matrices of so many rows and columns."""
    shape = [*list(shaped(like.ssa.type).shape)[:-2], rows, columns]
    return bindings.ir.RankedTensorType.get(shape, element_type(like.ssa.type))


def reduced_factors(s: Site, a: E) -> tuple[E, E, int, int]:
    """Q, R, and the numbers of rows and columns of their product."""
    *_, m, n = shaped(a.ssa.type).shape
    marker = bindings.ir.ShapedType.get_dynamic_size()
    if marker in (m, n):
        raise s.refuse("the numbers of rows and columns are not known while tracing")
    if s.options.get("full_matrices") and m > n:
        raise s.refuse("it has full_matrices; take the reduced factors")
    k = min(m, n)
    q = s.result(0, (a.dtype, with_last(a, m, k)))
    r = s.result(1, (a.dtype, with_last(a, k, n)))
    return q, r, m, n


def columns(value: E, first: int, last: int) -> E:
    """Some columns of matrices."""
    trace = value.trace
    rank = rank_of(value)
    rows = shaped(value.ssa.type).shape[rank - 2]
    sources = [(value.ssa, n) for n in batch(value)]
    kind = with_last(value, rows, last - first)
    like = trace.op("tensor.empty", kind, *open_sizes(value, sources))
    offsets = [0] * (rank - 1) + [first]
    return E(trace, piece(trace, value.ssa, like, offsets), value.masked)


def open_sizes(value: E, sources: Sequence[tuple[Any, int]]) -> list[Any]:
    """The sizes that the types leave open."""
    return [
        dimension_size(value.trace, v, n) for v, n in sources if shaped(v.type).is_dynamic_dim(n)
    ]


def beside(like: E, left: E, right: E | None) -> E:
    """Matrices whose first columns are the left ones."""
    if right is None:
        return left
    trace = like.trace
    axis = bindings.ir.IntegerAttr.get(bindings.ir.IntegerType.get_signless(64), rank_of(like) - 1)
    made = trace.create("tensor.concat", (like.ssa.type,), (left.ssa, right.ssa), {"dim": axis})
    return E(trace, made.result, left.masked)


def differences(values: E, like: E) -> E:
    """One by the j-th minus the i-th value, at (i, j); zero where these are equal."""
    trace = like.trace
    rows, columns = ([*batch(like), rank_of(like) - n] for n in (2, 1))
    wide = in_dtype(values, like.dtype)

    def element(indices: Any, _: E, row: E, column: E) -> E:
        gap = column - row
        same = gap.equals(0)
        same = E(
            trace,
            trace.op(
                "arith.ori",
                same.ssa.type,
                same.ssa,
                place(trace, "eq", indices[-2], indices[-1]).ssa,
            ),
        )
        return same.choose(0, gap.like(1) / same.choose(1, gap))

    return elementwise(like, element, (wide, rows), (wide, columns))


def thin(a: E, s_type: Any) -> tuple[Any, Any]:
    """The types of the left and right singular vectors, as many as there are singular values."""
    k = shaped(s_type).shape[-1]
    *many, m, n = shaped(a.ssa.type).shape
    element = element_type(a.ssa.type)
    kinds = bindings.ir.RankedTensorType
    return kinds.get([*many, m, k], element), kinds.get([*many, n, k], element)


def is_full(s: Site, a: E) -> bool:
    """Whether there may be more singular vectors than values."""
    m, n = list(shaped(a.ssa.type).shape)[-2:]
    marker = bindings.ir.ShapedType.get_dynamic_size()
    return bool(s.options.get("full_matrices")) and (marker in (m, n) or m != n)


def vectors(s: Site, a: E) -> tuple[E, E]:
    """The left and right singular vectors, as many as there are singular values, computed anew."""
    *many, m, n = shaped(a.ssa.type).shape
    marker = bindings.ir.ShapedType.get_dynamic_size()
    k = marker if marker in (m, n) else min(m, n)
    kinds = thin(a, bindings.ir.RankedTensorType.get([*many, k], a.dtype.real.mlir()))
    u, v = (s.host("svd", at + 1, kind, a, full_matrices=False) for at, kind in enumerate(kinds))
    return u, v


def own_vectors(s: Site, a: E) -> tuple[E, E]:
    """The left and right singular vectors that the call itself gives."""
    *many, m, n = shaped(a.ssa.type).shape
    marker = bindings.ir.ShapedType.get_dynamic_size()
    k = marker if marker in (m, n) else min(m, n)
    kinds = thin(a, bindings.ir.RankedTensorType.get([*many, k], a.dtype.real.mlir()))
    u, v = (s.result(at + 1, (a.dtype, kind)) for at, kind in enumerate(kinds))
    return u, v


def reciprocal(values: E) -> E:
    """One by each number; zero by zero."""
    zero = values.equals(0)
    return zero.choose(0, values.like(1) / zero.choose(1, values))


def diagonal_of(value: E) -> E:
    """The diagonals of matrices."""
    trace = value.trace
    only = by_place(value, lambda i, j, v: place(trace, "eq", i, j).choose(v, 0))
    return E(trace, summed(trace, only.ssa, [rank_of(value) - 2]), value.masked)


def pairwise(left: E, right: E, build: Callable[[Any, Any, E, E], E]) -> E:
    """``build(row, column, one, other)`` for the elements of two arrays of matrices."""
    own = list(range(rank_of(right)))
    return elementwise(left, lambda at, v, w: build(at[-2], at[-1], v, w), (right, own))


def repeated(value: E, like: E) -> E:
    """The matrices repeated as often as others are."""
    trace, many = value.trace, batch(like)
    extra = len(many) - len(batch(value))
    own, wanted = (list(shaped(each.ssa.type).shape)[:-2] for each in (value, like))
    if own == wanted and bindings.ir.ShapedType.get_dynamic_size() not in own:
        return value
    rank = rank_of(value)
    sources = [(like.ssa, n) for n in many]
    sources += [(value.ssa, rank - 2), (value.ssa, rank - 1)]
    last = [
        trace.op(
            "arith.subi", trace.index_type(), dimension_size(trace, value.ssa, n), trace.index(1)
        )
        for n in batch(value)
    ]

    def element(indices: Any) -> E:
        places = zip(indices[extra:-2], last, strict=True)  # that of the only one, if it is one
        where = [trace.op("arith.minsi", end.type, at, end) for at, end in places]
        found = trace.op("tensor.extract", value.element, value.ssa, *where, *indices[-2:])
        return E(trace, found, value.masked)

    return combined(trace, sources, value.dtype, [], element)
