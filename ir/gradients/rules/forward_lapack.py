"""Changes of factorizations, solutions and eigenvalues.

With ``t`` the change of the matrix, each formula is what the equations that define the results say of
theirs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agir.ir.gradients.core.expressions import Expression, complex_of
from agir.ir.gradients.core.matrices import (
    adjoint,
    by_place,
    in_dtype,
    inner,
    place,
    product,
    scaled,
    times,
    transposed,
    triangle,
)
from agir.ir.gradients.rules import factors
from agir.ir.gradients.rules.forward_host import CHANGES, Moving

E = Expression


def _rule(*names: str) -> Callable[[Any], Any]:
    def add(rule: Any) -> Any:
        for name in names:
            CHANGES[name] = rule
        return rule

    return add


# Determinants.


@_rule("det")
def _det(s: Moving, number: int) -> E:
    a = s.input(0)
    return inner(s.host("cofactors", 0, a.ssa.type, a).conj(), s.change(0))


@_rule("cofactors")
def _cofactors(s: Moving, number: int) -> E:
    turned = transposed(factors.inverse(s, s.input(0)))
    found, t = s.result(0), s.change(0)
    return times(turned, inner(found.conj(), t)) - product(found, transposed(t), turned)


@_rule("slogdet")
def _slogdet(s: Moving, number: int) -> E | None:
    a = s.input(0)
    if number == 0 and not a.dtype.is_complex:
        return None
    trace = inner(adjoint(factors.inverse(s, a)), s.change(0))
    if number == 1:
        return in_dtype(trace, a.dtype.real)
    sign = s.result(0, (a.dtype, trace.ssa.type))
    return sign * complex_of(a.dtype, trace.im.like(0), trace.im)


# Solutions.


@_rule("inv")
def _inv(s: Moving, number: int) -> E:
    found = s.result(0)
    return -product(found, s.change(0), found)


@_rule("solve")
def _solve(s: Moving, number: int) -> E:
    return _solution(s, s.change(0), lambda right: s.host("solve", 0, _like(s), s.input(0), right))


@_rule("triangular_solve")
def _triangular_solve(s: Moving, number: int) -> E:
    lower = bool(s.options["lower"])

    def solved(right: E) -> E:
        return s.host("triangular_solve", 0, _like(s), s.input(0), right, lower=lower)

    return _solution(s, triangle(s.change(0), "sge" if lower else "sle"), solved)


def _like(s: Moving) -> Any:
    return s.result(0).ssa.type


def _solution(s: Moving, t: E, solved: Callable[[E], E]) -> E:
    found = s.result(0)
    sides = factors.repeated(s.change(1), found)
    return solved(sides - product(factors.repeated(t, found), found))


@_rule("pseudo_inverse")
def _pseudo_inverse(s: Moving, number: int) -> E:
    """While the rank stays (Golub and Pereyra 1973)."""
    a, p, t = s.input(0), s.result(0), s.change(0)
    turned, back = adjoint(p), adjoint(t)
    missed = factors.from_identity(product(a, p))
    unseen = factors.from_identity(product(p, a))
    return product(p, turned, back, missed) + product(unseen, back, turned, p) - product(p, t, p)


@_rule("lstsq")
def _lstsq(s: Moving, number: int) -> E:
    """The pseudo-inverse times the right-hand sides, while the rank stays."""
    a, x = s.input(0), s.result(0)
    given = (a, factors.pseudo_inverse(s, a), s.change(0), s.input(1), s.change(1))
    a, p, t, b, sides = (factors.repeated(each, x) for each in given)
    turned, back = adjoint(p), adjoint(t)
    seen = product(p, sides - product(t, x)) + product(p, turned, back, b - product(a, x))
    return seen + product(factors.from_identity(product(p, a)), back, turned, x)


# Factors.


@_rule("cholesky")
def _cholesky(s: Moving, number: int) -> E:
    factor = s.result(0)
    trace = s.trace

    def solved(right: E) -> E:
        return s.host("triangular_solve", 0, right.ssa.type, factor, right, lower=True)

    middle = solved(adjoint(solved(factors.symmetric(s.change(0)))))

    def half(i: Any, j: Any, v: E) -> E:
        diagonal = place(trace, "eq", i, j).choose(v * 0.5, v)
        return place(trace, "sge", i, j).choose(diagonal, 0)

    return product(factor, by_place(middle, half))


@_rule("lu")
def _lu(s: Moving, number: int) -> E:
    packed = s.result(0)
    left, right = factors.unit_lower(packed), triangle(packed, "sle")
    moved = product(factors.rows_of(s), s.change(0))
    by_left = factors.triangular(s, left, moved, lower=True)
    both = adjoint(factors.triangular(s, adjoint(right), adjoint(by_left), lower=True))
    return product(left, triangle(both, "sgt")) + product(triangle(both, "sle"), right)


@_rule("qr")
def _qr(s: Moving, number: int) -> E:
    a, t = s.input(0), s.change(0)
    q, r, m, n = factors.reduced_factors(s, a)
    if m >= n:
        return s.once("both", lambda: _tall(s, q, r, t))[number]  # type: ignore[no-any-return]
    left = factors.columns(r, 0, m)
    of_q, of_r = s.once("both", lambda: _tall(s, q, left, factors.columns(t, 0, m)))
    if number == 0:
        return of_q  # type: ignore[no-any-return]
    right, more = factors.columns(a, m, n), factors.columns(t, m, n)
    rest = product(adjoint(of_q), right) + product(adjoint(q), more)
    return factors.beside(a, of_r, rest)


def _tall(s: Moving, q: E, r: E, t: E) -> tuple[E, E]:
    """Where there are at least as many rows as columns."""
    trace, back = s.trace, adjoint(t)
    kind = back.ssa.type
    by_r = adjoint(s.host("triangular_solve", 0, kind, adjoint(r), back, lower=True))
    middle = product(adjoint(q), by_r)

    def upper(i: Any, j: Any, v: E, other: E) -> E:
        """The change of ``r`` times its inverse: what is left without the rotation of ``q``."""
        above = place(trace, "slt", i, j).choose(v + other, 0)
        return place(trace, "eq", i, j).choose((v + other) * 0.5, above)

    turned = adjoint(middle)
    of_r = factors.pairwise(middle, turned, upper)
    return by_r - product(q, of_r), product(of_r, r)


# Eigenvalues and singular values.


def _diagonal(value: E, real: bool = False) -> E:
    found = factors.diagonal_of(value)
    return in_dtype(found, found.dtype.real) if real else found


@_rule("eigh")
def _eigh(s: Moving, number: int) -> E:
    a = s.input(0)
    v = s.result(1, (a.dtype, a.ssa.type))
    t = factors.symmetric(s.change(0))
    middle = s.once("middle", lambda: product(adjoint(v), t, v))
    if number == 0:
        return _diagonal(middle, real=True)
    w = s.result(0, (a.dtype.real, factors.numbers_type(a, a.dtype.real)))
    return product(v, factors.differences(w, middle) * middle)


@_rule("eigvalsh")
def _eigvalsh(s: Moving, number: int) -> E:
    a = s.input(0)
    v = s.host("eigh", 1, a.ssa.type, a)
    return _diagonal(product(adjoint(v), factors.symmetric(s.change(0)), v), real=True)


@_rule("svdvals")
def _svdvals(s: Moving, number: int) -> E:
    u, v = factors.vectors(s, s.input(0))
    return _diagonal(product(adjoint(u), s.change(0), v), real=True)


@_rule("svd")
def _svd(s: Moving, number: int) -> E:
    a, t = s.input(0), s.change(0)
    full = factors.is_full(s, a)
    if full and number:
        raise s.refuse("it has full_matrices; take as many vectors as there are singular values")
    u, v = s.once("vectors", lambda: factors.vectors(s, a) if full else factors.own_vectors(s, a))
    middle = s.once("middle", lambda: product(adjoint(u), t, v))
    if number == 0:
        return _diagonal(middle, real=True)
    values = s.result(0, (a.dtype.real, factors.numbers_type(transposed(u), a.dtype.real)))
    if number == 1:
        return _of_vectors(values, u, v, t, middle)
    found = _of_vectors(values, v, u, adjoint(t), adjoint(middle))
    return found - _phase(values, v, middle) if a.dtype.is_complex else found


def _of_vectors(values: E, own: E, other: E, t: E, middle: E) -> E:
    """The change of one side's vectors; ``middle`` is that of the matrix between the two sides'."""
    wide = scaled(middle, values)
    inside = factors.differences(values * values, wide) * (wide + adjoint(wide))
    by_values = scaled(product(t, other), factors.reciprocal(values))
    return product(own, inside) + by_values - product(own, adjoint(own), by_values)


def _phase(values: E, right: E, middle: E) -> E:
    """The phase that the two sides share turns the right one."""
    d = _diagonal(middle)
    iteration = complex_of(d.dtype, d.im.like(0), d.im * factors.reciprocal(values))
    return scaled(right, iteration)


@_rule("eigvals")
def _eigvals(s: Moving, number: int) -> E:
    wide = in_dtype(s.input(0), s.result(0).dtype)
    v = s.host("eig", 1, wide.ssa.type, wide)
    return _diagonal(_between(s, v))


def _between(s: Moving, v: E) -> E:
    """The change of the matrix as the eigenvectors see it."""
    right = product(in_dtype(s.change(0), v.dtype), v)
    return s.host("solve", 0, right.ssa.type, v, right)


@_rule("eig")
def _eig(s: Moving, number: int) -> E:
    dtype = s.result(number).dtype
    kind = in_dtype(s.input(0), dtype).ssa.type
    v = s.result(1, (dtype, kind))
    middle = s.once("middle", lambda: _between(s, v))
    if number == 0:
        return _diagonal(middle)
    w = s.result(0, (dtype, factors.numbers_type(v, dtype)))
    free = product(v, factors.differences(w, middle) * middle)
    along = _diagonal(product(adjoint(v), free), real=True)
    return free - scaled(v, along)  # the vectors keep their length


@_rule("expm", "expm_derivative")
def _expm(s: Moving, number: int) -> E:
    a, *directions = (s.input(n) for n in range(len(s.operands)))
    kind = a.ssa.type
    total = s.host("expm_derivative", 0, kind, a, *directions, s.change(0))
    for at in range(len(directions)):
        others = [*directions[:at], *directions[at + 1 :], s.change(at + 1)]
        total = total + s.host("expm_derivative", 0, kind, a, *others)
    return total
