"""Derivatives of factorizations, solutions and eigenvalues.

With ``g`` the cotangent of a result, each formula is what makes the real part of the inner product of
``g`` with the result's change equal that of the operand's cotangent with the operand's change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agir.ir.gradients.core.expressions import Expression, complex_of
from agir.ir.gradients.core.matrices import (
    adjoint,
    by_place,
    diagonal,
    in_dtype,
    inner,
    place,
    product,
    reduced,
    scaled,
    times,
    transposed,
    triangle,
)
from agir.ir.gradients.rules.factors import (
    beside,
    columns,
    diagonal_of,
    differences,
    from_identity,
    inverse,
    is_full,
    numbers_type,
    own_vectors,
    pseudo_inverse,
    reciprocal,
    reduced_factors,
    repeated,
    rows_of,
    solved,
    symmetric,
    triangular,
    unit_lower,
    vectors,
    zeros_of,
)
from agir.ir.gradients.rules.host import OPERATIONS, Site

E = Expression
Found = Sequence[E | None]


def _rule(*names: str) -> Callable[[Any], Any]:
    def add(rule: Any) -> Any:
        for name in names:
            OPERATIONS[name] = rule
        return rule

    return add


# Determinants.


@_rule("det")
def _det(s: Site, number: int, g: E) -> Found:
    a = s.input(0)
    return [times(s.host("cofactors", 0, a.ssa.type, a).conj(), g)]


@_rule("cofactors")
def _cofactors(s: Site, number: int, g: E) -> Found:
    """The cofactors are the determinant times the transposed inverse."""
    inverted = inverse(s, s.input(0))
    turned = adjoint(inverted)
    found = s.result(0)
    with_inverse = inner(transposed(inverted), g)
    through_det = times(found.conj(), with_inverse)
    # the determinant times the inverse is the transposed cofactors
    through_inverse = product(turned, transposed(g), adjoint(transposed(found)))
    return [through_det - through_inverse]


@_rule("slogdet")
def _slogdet(s: Site, number: int, g: E) -> Found:
    a = s.input(0)
    if number == 0 and not a.dtype.is_complex:
        return [None]
    turned = adjoint(inverse(s, a))
    if number == 1:
        return [times(turned, g)]
    along = g.conj() * s.result(0)  # the sign iterations by the imaginary part of the trace
    return [times(turned, complex_of(a.dtype, along.im.like(0), -along.im))]


# Solutions.


@_rule("inv")
def _inv(s: Site, number: int, g: E) -> Found:
    turned = adjoint(s.result(0))
    return [-product(turned, g, turned)]


@_rule("solve")
def _solve(s: Site, number: int, g: E) -> Found:
    back = solved(s, adjoint(s.input(0)), g)
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
    missed = from_identity(product(a, p))
    unseen = from_identity(product(p, a))
    first = product(turned, g, turned)
    second = product(missed, back, p, turned)
    third = product(turned, p, back, unseen)
    return [second + third - first, None]


@_rule("lstsq")
def _lstsq(s: Site, number: int, g: E) -> Found:
    """The pseudo-inverse times the right-hand sides, while the rank stays."""
    a, b, x = s.input(0), s.input(1), s.result(0)
    p = pseudo_inverse(s, a)
    a, p, b = (repeated(value, x) for value in (a, p, b))
    rest = b - product(a, x)
    back = product(adjoint(p), g)
    own = product(rest, adjoint(product(p, back))) - product(back, adjoint(x))
    unseen = g - product(p, a, g)
    own = own + product(adjoint(p), x, adjoint(unseen))
    return _once(s, own, back)


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
    left = solved(s, turned, inside)
    return [symmetric(adjoint(solved(s, turned, adjoint(left))))]


@_rule("lu")
def _lu(s: Site, number: int, g: E) -> Found:
    left, right = unit_lower(s.result(0)), triangle(s.result(0), "sle")
    below = triangle(product(adjoint(left), triangle(g, "sgt")), "sgt")
    above = triangle(product(triangle(g, "sle"), adjoint(right)), "sle")
    by_right = triangular(s, right, adjoint(below + above), lower=False)
    own = triangular(s, adjoint(left), adjoint(by_right), lower=False)
    return [product(transposed(rows_of(s)), own)]


@_rule("qr")
def _qr(s: Site, number: int, g: E) -> Found:
    a = s.input(0)
    q, r, m, n = reduced_factors(s, a)
    zero = E(s.trace, zeros_of(q if number else r))
    gq, gr = (g, zero) if number == 0 else (zero, g)
    if m >= n:
        return [_tall(s, q, r, gq, gr)]
    left, right = columns(r, 0, m), columns(r, m, n)
    own, rest = columns(gr, 0, m), columns(gr, m, n)
    through = gq + product(columns(a, m, n), adjoint(rest))
    found = _tall(s, q, left, through, own)
    return [beside(a, found, product(q, rest) if right is not None else None)]


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


# Eigenvalues and singular values.


@_rule("eigh")
def _eigh(s: Site, number: int, g: E) -> Found:
    a = s.input(0)
    v = s.result(1, (a.dtype, a.ssa.type))
    if number == 0:
        return [product(scaled(v, g), adjoint(v))]
    w = s.result(0, (a.dtype.real, numbers_type(a, a.dtype.real)))
    middle = product(adjoint(v), g)
    middle = differences(w, middle) * middle
    return [symmetric(product(v, middle, adjoint(v)))]


@_rule("eigvalsh")
def _eigvalsh(s: Site, number: int, g: E) -> Found:
    a = s.input(0)
    v = s.host("eigh", 1, a.ssa.type, a)
    return [product(scaled(v, g), adjoint(v))]


@_rule("svdvals")
def _svdvals(s: Site, number: int, g: E) -> Found:
    a = s.input(0)
    u, v = vectors(s, a)
    return [product(scaled(u, g), adjoint(v))]


@_rule("svd")
def _svd(s: Site, number: int, g: E) -> Found:
    a = s.input(0)
    full = is_full(s, a)
    if number == 0:
        u, v = vectors(s, a) if full else own_vectors(s, a)
        return [product(scaled(u, g), adjoint(v))]
    if full:
        raise s.refuse("it has full_matrices; take as many vectors as there are singular values")
    u, v = own_vectors(s, a)
    values_type = numbers_type(transposed(u), a.dtype.real)
    values = s.result(0, (a.dtype.real, values_type))
    own, other = (u, v) if number == 1 else (v, u)
    found = _of_vectors(values, own, other, g, is_left=number == 1)
    return [found if number == 1 else adjoint(found)]


def _of_vectors(values: E, own: E, other: E, g: E, is_left: bool) -> E:
    """What the cotangent of the left vectors adds to the matrix; of the right, to its adjoint."""
    trace = own.trace
    middle = product(adjoint(own), g)
    squares = values * values
    mixed = differences(squares, middle) * middle
    inside = scaled(mixed + adjoint(mixed), values)
    if own.dtype.is_complex and not is_left:  # the phase, which the two share, is the right ones'
        turned = by_place(middle, lambda i, j, v: place(trace, "eq", i, j).choose(v - v.conj(), 0))
        inside = inside + scaled(turned * 0.5, reciprocal(values))
    found = product(own, inside, adjoint(other))
    outside = g - product(own, middle)
    return found + product(scaled(outside, reciprocal(values)), adjoint(other))


@_rule("eigvals")
def _eigvals(s: Site, number: int, g: E) -> Found:
    a = s.input(0)
    wide = in_dtype(a, g.dtype)
    v = s.host("eig", 1, wide.ssa.type, a)
    return [_real_if(s, solved(s, adjoint(v), product(diagonal(g, v), adjoint(v))))]


@_rule("eig")
def _eig(s: Site, number: int, g: E) -> Found:
    a = s.input(0)
    kind = in_dtype(a, g.dtype).ssa.type
    v = s.result(1, (g.dtype, kind))
    if number == 0:
        middle = diagonal(g, v)
    else:
        w = s.result(0, (g.dtype, numbers_type(v, g.dtype)))
        through = product(adjoint(v), g)
        sums = diagonal_of(through)
        lengths = scaled(product(adjoint(v), v), complex_of(g.dtype, sums.re, sums.re.like(0)))
        middle = differences(w, through).conj() * (through - lengths)
    return [_real_if(s, solved(s, adjoint(v), product(middle, adjoint(v))))]


def _real_if(s: Site, value: E) -> E:
    return in_dtype(value, s.input(0).dtype)


@_rule("expm", "expm_derivative")
def _expm(s: Site, number: int, g: E) -> Found:
    """Which direction is the cotangent's does not matter: the order of directions never does."""
    a, *directions = (adjoint(s.input(n)) for n in range(len(s.operands)))
    kind = a.ssa.type
    found = [s.host("expm_derivative", 0, kind, a, *directions, g)]
    for at in range(len(directions)):
        others = [*directions[:at], *directions[at + 1 :], g]
        found.append(s.host("expm_derivative", 0, kind, a, *others))
    return found
