"""Derivatives of factorizations, solutions and eigenvalues.

With ``g`` the cotangent of a result, each formula is what makes the real part of the inner product of
``g`` with the result's change equal that of the operand's cotangent with the operand's change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agir.ir import bindings
from agir.ir.gradients.core.expressions import Expression, complex_of, element_type, shaped
from agir.ir.gradients.core.matrices import (
    adjoint,
    batch,
    by_place,
    combined,
    diagonal,
    elementwise,
    in_dtype,
    inner,
    place,
    product,
    rank_of,
    reduced,
    scaled,
    tensor_type,
    times,
    transposed,
    triangle,
)
from agir.ir.gradients.rules.host import OPERATIONS, Site
from agir.ir.types import DType

E = Expression
Found = Sequence[E | None]


def _rule(*names: str) -> Callable[[Any], Any]:
    def add(rule: Any) -> Any:
        for name in names:
            OPERATIONS[name] = rule
        return rule

    return add


def _solved(s: Site, a: E, b: E) -> E:
    """``x`` with ``a @ x = b``."""
    return s.host("solve", 0, b.ssa.type, a, b)


def _numbers_type(like: E, dtype: DType) -> Any:
    """The type of a number for each row of matrices."""
    shape = list(shaped(like.ssa.type).shape)[:-1]
    return bindings.ir.RankedTensorType.get(shape, dtype.mlir())


def _inverse(s: Site, a: E) -> E:
    return s.host("inv", 0, a.ssa.type, a)


# Determinants.


@_rule("det")
def _det(s: Site, number: int, g: E) -> Found:
    a = s.input(0)
    return [times(s.host("cofactors", 0, a.ssa.type, a).conj(), g)]


@_rule("cofactors")
def _cofactors(s: Site, number: int, g: E) -> Found:
    """The cofactors are the determinant times the transposed inverse."""
    inverse = _inverse(s, s.input(0))
    turned = adjoint(inverse)
    found = s.result(0)
    with_inverse = inner(transposed(inverse), g)
    through_det = times(found.conj(), with_inverse)
    # the determinant times the inverse is the transposed cofactors
    through_inverse = product(turned, transposed(g), adjoint(transposed(found)))
    return [through_det - through_inverse]


@_rule("slogdet")
def _slogdet(s: Site, number: int, g: E) -> Found:
    a = s.input(0)
    if number == 0 and not a.dtype.is_complex:
        return [None]
    turned = adjoint(_inverse(s, a))
    if number == 1:
        return [times(turned, g)]
    along = g.conj() * s.result(0)  # the sign turns by the imaginary part of the trace
    return [times(turned, complex_of(a.dtype, along.im.like(0), -along.im))]


# Solutions.


@_rule("inv")
def _inv(s: Site, number: int, g: E) -> Found:
    turned = adjoint(s.result(0))
    return [-product(turned, g, turned)]


@_rule("solve")
def _solve(s: Site, number: int, g: E) -> Found:
    back = _solved(s, adjoint(s.input(0)), g)
    return _once(s, -product(back, adjoint(s.result(0))), back)


def _once(s: Site, own: E, back: E) -> Found:
    """The cotangents of matrices and sides, of which either may have been repeated."""
    return [reduced(own, s.input(0)), reduced(back, s.input(1))]


@_rule("triangular_solve")
def _triangular_solve(s: Site, number: int, g: E) -> Found:
    lower = bool(s.options["lower"])
    turned = adjoint(s.input(0))
    back = s.host("triangular_solve", 0, g.ssa.type, turned, g, lower=not lower)
    own = -product(back, adjoint(s.result(0)))
    return _once(s, triangle(own, "sge" if lower else "sle"), back)


@_rule("pseudo_inverse")
def _pseudo_inverse(s: Site, number: int, g: E) -> Found:
    """While the rank stays (Golub and Pereyra 1973)."""
    a, p = s.input(0), s.result(0)
    turned, back = adjoint(p), adjoint(g)
    missed = _from_identity(product(a, p))
    unseen = _from_identity(product(p, a))
    first = product(turned, g, turned)
    second = product(missed, back, p, turned)
    third = product(turned, p, back, unseen)
    return [second + third - first, None]


def _from_identity(value: E) -> E:
    """The identity minus the matrices."""
    trace = value.trace
    return by_place(value, lambda i, j, v: place(trace, "eq", i, j).choose(v.like(1), 0) - v)


@_rule("lstsq")
def _lstsq(s: Site, number: int, g: E) -> Found:
    """The pseudo-inverse times the right-hand sides, while the rank stays."""
    a, b, x = s.input(0), s.input(1), s.result(0)
    trace, rank = s.trace, rank_of(a)
    ends = [(a.ssa, rank - 1), (a.ssa, rank - 2)]
    kind = tensor_type(trace, [*((a.ssa, n) for n in batch(a)), *ends], a.dtype)
    rtol = E(trace, trace.constant(a.dtype.real, 0))
    zero = _boxed(rtol)
    p = s.host("pseudo_inverse", 0, kind, a, zero)
    a, p, b = (_like_batch(value, x) for value in (a, p, b))
    rest = b - product(a, x)
    back = product(adjoint(p), g)
    own = product(rest, adjoint(product(p, back))) - product(back, adjoint(x))
    unseen = g - product(p, a, g)
    own = own + product(adjoint(p), x, adjoint(unseen))
    return _once(s, own, back)


def _boxed(value: E) -> E:
    kind = bindings.ir.RankedTensorType.get([], value.ssa.type)
    return E(value.trace, value.trace.op("tensor.from_elements", kind, value.ssa))


def _like_batch(value: E, like: E) -> E:
    """The matrices repeated as often as others are."""
    if rank_of(value) == rank_of(like):
        return value
    extra = rank_of(like) - rank_of(value)
    sources = [(like.ssa, n) for n in batch(like)]
    sources += [(value.ssa, rank_of(value) - 2), (value.ssa, rank_of(value) - 1)]
    axes = list(range(extra, rank_of(like)))
    return combined(value.trace, sources, value.dtype, [(value, axes)], lambda _, v: v)


# Factors.


@_rule("cholesky")
def _cholesky(s: Site, number: int, g: E) -> Found:
    factor = s.result(0)
    trace, turned = s.trace, adjoint(factor)
    middle = product(turned, g)

    def half(i: Any, j: Any, v: E) -> E:
        diagonal = place(trace, "eq", i, j).choose(v * 0.5, v)
        return place(trace, "sge", i, j).choose(diagonal, 0)

    inside = by_place(middle, half)
    left = _solved(s, turned, inside)
    return [_symmetric(adjoint(_solved(s, turned, adjoint(left))))]


def _symmetric(value: E) -> E:
    return (value + adjoint(value)) * 0.5


@_rule("qr")
def _qr(s: Site, number: int, g: E) -> Found:
    a = s.input(0)
    *_, m, n = shaped(a.ssa.type).shape
    marker = bindings.ir.ShapedType.get_dynamic_size()
    if marker in (m, n):
        raise s.refuse("the numbers of rows and columns are not known while tracing")
    if s.options.get("full_matrices") and m > n:
        raise s.refuse("it has full_matrices; take the reduced factors")
    k = min(m, n)
    q = s.result(0, (a.dtype, _with_last(a, m, k)))
    r = s.result(1, (a.dtype, _with_last(a, k, n)))
    zero = E(s.trace, zeros_of(q if number else r))
    gq, gr = (g, zero) if number == 0 else (zero, g)
    if m >= n:
        return [_tall(s, q, r, gq, gr)]
    left, right = _columns(r, 0, m), _columns(r, m, n)
    own, rest = _columns(gr, 0, m), _columns(gr, m, n)
    through = gq + product(_columns(a, m, n), adjoint(rest))
    found = _tall(s, q, left, through, own)
    return [_beside(a, found, product(q, rest) if right is not None else None)]


def zeros_of(value: E) -> Any:
    """Zeros like a value."""
    from agir.ir.gradients.core.expressions import zeros_like

    return zeros_like(value.trace, value.ssa)


def _with_last(like: E, rows: int, columns: int) -> Any:
    shape = [*list(shaped(like.ssa.type).shape)[:-2], rows, columns]
    return bindings.ir.RankedTensorType.get(shape, element_type(like.ssa.type))


def _tall(s: Site, q: E, r: E, gq: E, gr: E) -> E:
    """The rule where there are at least as many rows as columns."""
    middle = product(gr, adjoint(r)) - product(adjoint(q), gq)
    total = adjoint(gq + product(q, _mirrored(triangle(middle, "sle"))))
    kind = total.ssa.type
    return adjoint(s.host("triangular_solve", 0, kind, r, total, lower=False))


def _mirrored(upper: E) -> E:
    """Self-adjoint matrices of their upper triangles."""
    trace = upper.trace
    return by_place(
        upper + adjoint(upper), lambda i, j, v: place(trace, "eq", i, j).choose(v * 0.5, v)
    )


def _columns(value: E, first: int, last: int) -> E:
    """Some columns of matrices."""
    from agir.ir.gradients.rules.tensor import piece

    trace = value.trace
    rank = rank_of(value)
    rows = shaped(value.ssa.type).shape[rank - 2]
    sources = [(value.ssa, n) for n in batch(value)]
    kind = _with_last(value, rows, last - first)
    like = trace.op("tensor.empty", kind, *_open_extents(value, sources))
    offsets = [0] * (rank - 1) + [first]
    return E(trace, piece(trace, value.ssa, like, offsets), value.masked)


def _open_extents(value: E, sources: Sequence[tuple[Any, int]]) -> list[Any]:
    from agir.ir.gradients.core.expressions import extent

    return [extent(value.trace, v, n) for v, n in sources if shaped(v.type).is_dynamic_dim(n)]


def _beside(like: E, left: E, right: E | None) -> E:
    """Matrices whose first columns are the left ones."""
    if right is None:
        return left
    trace = like.trace
    axis = bindings.ir.IntegerAttr.get(bindings.ir.IntegerType.get_signless(64), rank_of(like) - 1)
    made = trace.create("tensor.concat", (like.ssa.type,), (left.ssa, right.ssa), {"dim": axis})
    return E(trace, made.result, left.masked)


# Eigenvalues and singular values.


def _differences(values: E, like: E) -> E:
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


@_rule("eigh")
def _eigh(s: Site, number: int, g: E) -> Found:
    a = s.input(0)
    v = s.result(1, (a.dtype, a.ssa.type))
    if number == 0:
        return [product(scaled(v, g), adjoint(v))]
    w = s.result(0, (a.dtype.real, _numbers_type(a, a.dtype.real)))
    middle = product(adjoint(v), g)
    middle = _differences(w, middle) * middle
    return [_symmetric(product(v, middle, adjoint(v)))]


@_rule("eigvalsh")
def _eigvalsh(s: Site, number: int, g: E) -> Found:
    a = s.input(0)
    v = s.host("eigh", 1, a.ssa.type, a)
    return [product(scaled(v, g), adjoint(v))]


@_rule("svdvals")
def _svdvals(s: Site, number: int, g: E) -> Found:
    a = s.input(0)
    u, v = _vectors(s, a)
    return [product(scaled(u, g), adjoint(v))]


def _thin(a: E, s_type: Any) -> tuple[Any, Any]:
    """The types of the left and right singular vectors, as many as there are singular values."""
    k = shaped(s_type).shape[-1]
    *many, m, n = shaped(a.ssa.type).shape
    element = element_type(a.ssa.type)
    kinds = bindings.ir.RankedTensorType
    return kinds.get([*many, m, k], element), kinds.get([*many, n, k], element)


def _vectors(s: Site, a: E) -> tuple[E, E]:
    *many, m, n = shaped(a.ssa.type).shape
    marker = bindings.ir.ShapedType.get_dynamic_size()
    k = marker if marker in (m, n) else min(m, n)
    kinds = _thin(a, bindings.ir.RankedTensorType.get([*many, k], a.dtype.real.mlir()))
    u, v = (s.host("svd", at + 1, kind, a, full_matrices=False) for at, kind in enumerate(kinds))
    return u, v


@_rule("svd")
def _svd(s: Site, number: int, g: E) -> Found:
    a = s.input(0)
    m, n = list(shaped(a.ssa.type).shape)[-2:]
    marker = bindings.ir.ShapedType.get_dynamic_size()
    full = bool(s.options.get("full_matrices")) and (marker in (m, n) or m != n)
    if number == 0:
        u, v = _vectors(s, a) if full else _own_vectors(s, a)
        return [product(scaled(u, g), adjoint(v))]
    if full:
        raise s.refuse("it has full_matrices; take as many vectors as there are singular values")
    u, v = _own_vectors(s, a)
    values_type = _numbers_type(transposed(u), a.dtype.real)
    values = s.result(0, (a.dtype.real, values_type))
    own, other = (u, v) if number == 1 else (v, u)
    found = _of_vectors(values, own, other, g, is_left=number == 1)
    return [found if number == 1 else adjoint(found)]


def _own_vectors(s: Site, a: E) -> tuple[E, E]:
    *many, m, n = shaped(a.ssa.type).shape
    marker = bindings.ir.ShapedType.get_dynamic_size()
    k = marker if marker in (m, n) else min(m, n)
    kinds = _thin(a, bindings.ir.RankedTensorType.get([*many, k], a.dtype.real.mlir()))
    u, v = (s.result(at + 1, (a.dtype, kind)) for at, kind in enumerate(kinds))
    return u, v


def _of_vectors(values: E, own: E, other: E, g: E, is_left: bool) -> E:
    """What the cotangent of the left vectors adds to the matrix; of the right, to its adjoint."""
    trace = own.trace
    middle = product(adjoint(own), g)
    squares = values * values
    mixed = _differences(squares, middle) * middle
    inside = scaled(mixed + adjoint(mixed), values)
    if own.dtype.is_complex and not is_left:  # the phase, which the two share, is the right ones'
        turned = by_place(middle, lambda i, j, v: place(trace, "eq", i, j).choose(v - v.conj(), 0))
        inside = inside + scaled(turned * 0.5, _reciprocal(values))
    found = product(own, inside, adjoint(other))
    outside = g - product(own, middle)
    return found + product(scaled(outside, _reciprocal(values)), adjoint(other))


def _reciprocal(values: E) -> E:
    zero = values.equals(0)
    return zero.choose(0, values.like(1) / zero.choose(1, values))


@_rule("eigvals")
def _eigvals(s: Site, number: int, g: E) -> Found:
    a = s.input(0)
    wide = in_dtype(a, g.dtype)
    v = s.host("eig", 1, wide.ssa.type, a)
    return [_real_if(s, _solved(s, adjoint(v), product(diagonal(g, v), adjoint(v))))]


@_rule("eig")
def _eig(s: Site, number: int, g: E) -> Found:
    a = s.input(0)
    kind = in_dtype(a, g.dtype).ssa.type
    v = s.result(1, (g.dtype, kind))
    if number == 0:
        middle = diagonal(g, v)
    else:
        w = s.result(0, (g.dtype, _numbers_type(v, g.dtype)))
        through = product(adjoint(v), g)
        sums = _diagonal_of(through)
        lengths = scaled(product(adjoint(v), v), complex_of(g.dtype, sums.re, sums.re.like(0)))
        middle = _differences(w, through).conj() * (through - lengths)
    return [_real_if(s, _solved(s, adjoint(v), product(middle, adjoint(v))))]


def _diagonal_of(value: E) -> E:
    """The diagonals of matrices."""
    from agir.ir.gradients.core.sums import summed

    trace = value.trace
    only = by_place(value, lambda i, j, v: place(trace, "eq", i, j).choose(v, 0))
    return E(trace, summed(trace, only.ssa, [rank_of(value) - 2]), value.masked)


def _real_if(s: Site, value: E) -> E:
    return in_dtype(value, s.input(0).dtype)


@_rule("expm")
def _expm(s: Site, number: int, g: E) -> Found:
    a = adjoint(s.input(0))
    return [s.host("expm_derivative", 0, a.ssa.type, a, g)]
