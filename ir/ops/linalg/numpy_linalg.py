"""``numpy.linalg``: products, norms, factorizations and solutions as NumPy and the standard have them.

Integers are computed with in float64.
"""

from __future__ import annotations

from functools import reduce
from math import prod
from typing import Any, NamedTuple

import numpy as np

from agir.autograph import operators
from agir.ir.building.types import TensorType, float64, int64
from agir.ir.ops.core.operands import (
    axis_index,
    axis_indices,
    compose,
    dimension_sizes,
    operand_type,
)
from agir.ir.ops.linalg import matrix_diagonals, matrix_products
from agir.ir.ops.linalg.lapack import common_dtype
from agir.ir.plain import matrices
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import SymbolicTensor

call = dispatch.call


class EighResult(NamedTuple):
    """Eigenvalues, the least first, and eigenvectors as columns."""

    eigenvalues: Any
    eigenvectors: Any


class EigResult(NamedTuple):
    """Complex eigenvalues, and eigenvectors as columns."""

    eigenvalues: Any
    eigenvectors: Any


class QRResult(NamedTuple):
    """Orthonormal columns, and an upper triangular matrix."""

    Q: Any
    R: Any


class SlogdetResult(NamedTuple):
    """The sign of the determinant, and the logarithm of its absolute value."""

    sign: Any
    logabsdet: Any


class SVDResult(NamedTuple):
    """Left singular vectors as columns, singular values, right singular vectors as rows."""

    U: Any
    S: Any
    Vh: Any


def _type(value: Any, name: str) -> TensorType:
    return operand_type(dispatch.type_of(value, name))


def _matrices(name: str, a: Any) -> Any:
    """The array as matrices of floats."""
    kind = _type(a, name)
    if kind.rank < 2:
        raise ValueError(f"{name}() takes matrices, not an array of {kind.rank} dimensions")
    return _floats(name, a)


def _floats(name: str, a: Any) -> Any:
    return call("cast", a, float64) if _type(a, name).dtype.kind in "biu" else call("copy", a)


def _adjoint(a: Any) -> Any:
    return matrix_products.adjoint(a)


def _turned_to_last(a: Any, axes: tuple[int, int], name: str) -> Any:
    rank = _type(a, name).rank
    first, second = (axis_index(axis, rank, name) for axis in axes)
    if first == second:
        raise ValueError(f"{name}(): the two axes of a matrix are different ones, not both {first}")
    return call("moveaxis", a, [first, second], [-2, -1])


# Products.


def vecdot(x1: Any, x2: Any, *, axis: int = -1) -> Any:
    """The dot products of vectors along an axis; the first ones are conjugated."""
    conjugated = call("conj", x1) if _type(x1, "vecdot").dtype.is_complex else x1
    rank = min(_type(x1, "vecdot").rank, _type(x2, "vecdot").rank)
    axis_index(axis, rank, "vecdot")
    turned = [call("moveaxis", x, axis, -1) for x in (conjugated, x2)]
    rows, columns = call("expand_dims", turned[0], -2), call("expand_dims", turned[1], -1)
    return call("squeeze", call("matmul", rows, columns), (-2, -1))


def cross(
    a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: Any = None
) -> Any:
    """The cross products of vectors of three numbers along an axis."""
    if axis is not None:
        axisa = axisb = axisc = axis
    found = matrix_products.cross(call("moveaxis", a, axisa, -1), call("moveaxis", b, axisb, -1))
    return call("moveaxis", found, -1, axisc)


def _cross(x1: Any, x2: Any, *, axis: int = -1) -> Any:
    """The cross products of vectors of three numbers along an axis."""
    return cross(x1, x2, axis=axis)


def matrix_power(a: Any, n: int) -> Any:
    """The product of ``n`` times the same matrices; of their inverses where ``n`` is negative."""
    kind = _type(a, "matrix_power")
    if kind.rank < 2:
        raise ValueError(f"matrix_power() takes matrices, not an array of {kind.rank} dimensions")
    *_, rows, columns = kind.shape
    if None not in (rows, columns) and rows != columns:
        raise ValueError(f"matrix_power() takes square matrices, not of the shape {kind.shape}")
    if isinstance(n, SymbolicTensor):
        return operators.call(matrices.power, (call("copy", a), n))
    if n == 0:
        identity = call("eye", dimension_sizes(call("copy", a))[-1], dtype=kind.dtype)
        return call("copy", call("broadcast_to", identity, dimension_sizes(a)))
    if n == 1:
        return dispatch.operand(a)  # itself, and no copy
    base, n = (call("inv", _matrices("matrix_power", a)), -n) if n < 0 else (call("copy", a), n)
    found = None
    while n:
        if n % 2:
            found = base if found is None else call("matmul", found, base)
        n //= 2
        if n:
            base = call("matmul", base, base)
    return found


def multi_dot(arrays: Any, *, out: Any = None) -> Any:
    """The product of several matrices, from the left to the right."""
    if len(arrays) < 2:
        raise ValueError("multi_dot() takes two arrays or more")
    return reduce(lambda a, b: call("matmul", a, b), arrays)


# Diagonals.


def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """The diagonals ``offset`` of the matrices that two axes make, as the last axis."""
    matrices = _turned_to_last(a, (axis1, axis2), "diagonal")
    return matrix_diagonals.diag_part(matrices, k=offset)


def _diagonal(x: Any, *, offset: int = 0) -> Any:
    """The diagonals ``offset`` of matrices, counted upwards from the main one."""
    return diagonal(x, offset, -2, -1)


def trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Any:
    """The sum along the diagonals ``offset`` of the matrices that two axes make."""
    return call("sum", diagonal(a, offset, axis1, axis2), -1, dtype)


def _trace(x: Any, *, offset: int = 0, dtype: Any = None) -> Any:
    """The sum along the diagonals ``offset`` of matrices."""
    return trace(x, offset, -2, -1, dtype)


# Norms.


def vector_norm(x: Any, *, axis: Any = None, keepdims: Any = False, ord: Any = 2) -> Any:
    """The norm of vectors, whose elements may stand along several axes.

    ``ord`` is the power, ``inf``, ``-inf``, or 0: how many are not zero.
    """
    values = _floats("vector_norm", x)
    axes = axis_indices(axis, len(values.shape), "vector_norm")
    size = call("abs", values)
    kind = size.dtype
    if ord == np.inf or ord == -np.inf:
        return call("max" if ord > 0 else "min", size, axes, keepdims=keepdims)
    if ord == 0:
        return call("sum", call("cast", call("not_equal", size, 0), kind), axes, keepdims=keepdims)
    if ord == 1:
        return call("sum", size, axes, keepdims=keepdims)
    if ord == 2:
        return call("sqrt", call("sum", call("square", size), axes, keepdims=keepdims))
    total = call("sum", call("power", size, float(ord)), axes, keepdims=keepdims)
    return call("power", total, 1.0 / float(ord))


def matrix_norm(x: Any, *, keepdims: Any = False, ord: Any = "fro") -> Any:
    """The norm of matrices: ``"fro"``, ``"nuc"``, 1, 2, ``inf``, or the least for a negative one."""
    matrices = _matrices("matrix_norm", x)
    if ord in ("fro", None):
        return vector_norm(matrices, axis=(-2, -1), keepdims=keepdims)
    if ord == "nuc":
        found = call("sum", call("svdvals", matrices), -1)
    elif ord in (2, -2):
        found = call("max" if ord > 0 else "min", call("svdvals", matrices), -1)
    elif ord in (1, -1, np.inf, -np.inf):
        sums = call("sum", call("abs", matrices), -2 if abs(ord) == 1 else -1)
        found = call("max" if ord > 0 else "min", sums, -1)
    else:
        raise ValueError(
            f"matrix_norm(): ord is 'fro', 'nuc', 1, 2, inf or one of their negatives, not {ord!r}"
        )
    return call("expand_dims", found, (-2, -1)) if keepdims else found


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Any:
    """The norm of vectors along an axis, of matrices along a pair of them, or of all elements."""
    rank = _type(x, "norm").rank
    if axis is None and ord is None:
        found = vector_norm(x)
        return call("reshape", found, (1,) * rank) if keepdims else found
    if axis is None:
        if rank not in (1, 2):
            raise ValueError(f"norm(): give the axis of an array of {rank} dimensions")
        axis = tuple(range(rank))
    axes = (axis,) if isinstance(axis, (int, np.integer)) else tuple(axis)
    if len(axes) == 1 or ord is None:
        return vector_norm(x, axis=axes, keepdims=keepdims, ord=2 if ord is None else ord)
    if len(axes) != 2:
        raise ValueError(f"norm(): axis is one, or a pair for matrices, not {axis!r}")
    found = matrix_norm(_turned_to_last(x, (axes[0], axes[1]), "norm"), ord=ord)
    for each in sorted(axis_index(a, rank, "norm") for a in axes) if keepdims else ():
        found = call("expand_dims", found, each)
    return found


def cond(x: Any, p: Any = None) -> Any:
    """The condition numbers of matrices: by singular values, or by the norm ``p``."""
    matrices = _matrices("cond", x)
    if p in (None, 2, -2):
        s = call("svdvals", matrices)
        ends = [call("max", s, -1), call("min", s, -1)]
        return call("divide", *(ends[::-1] if p == -2 else ends))
    return call("multiply", matrix_norm(matrices, ord=p), matrix_norm(call("inv", matrices), ord=p))


# Factorizations.


def cholesky(a: Any, *, upper: Any = False) -> Any:
    """The lower triangular factors of positive definite matrices, or the upper ones."""
    matrices = _matrices("cholesky", a)
    return _adjoint(call("cholesky", _adjoint(matrices))) if upper else call("cholesky", matrices)


def qr(a: Any, mode: str = "reduced") -> Any:
    """Orthonormal columns and an upper triangular matrix; ``mode="r"`` gives the second only."""
    if mode not in ("reduced", "complete", "r"):
        raise ValueError(f"qr(): mode is 'reduced', 'complete' or 'r', not {mode!r}")
    found = QRResult(*call("qr", _matrices("qr", a), mode == "complete"))
    return found.R if mode == "r" else found


def svd(a: Any, full_matrices: Any = True, compute_uv: Any = True, hermitian: Any = False) -> Any:
    """The singular value decomposition: ``a = U @ diag(S) @ Vh``.

    Whether ``a`` is hermitian makes no difference.
    """
    matrices = _matrices("svd", a)
    if not compute_uv:
        return call("svdvals", matrices)
    s, u, v = call("svd", matrices, bool(full_matrices))
    return SVDResult(u, s, _adjoint(v))


def svdvals(x: Any) -> Any:
    """The singular values, the greatest first."""
    return call("svdvals", _matrices("svdvals", x))


def _triangle(name: str, a: Any, triangle: str) -> Any:
    """The matrices with what is to be read in the lower triangle."""
    if triangle.upper() not in ("L", "U"):
        raise ValueError(f"{name}(): UPLO is 'L' or 'U', not {triangle!r}")
    matrices = _matrices(name, a)
    return matrices if triangle.upper() == "L" else _adjoint(matrices)


def eigh(a: Any, UPLO: str = "L") -> EighResult:  # noqa: N803 - NumPy's name
    """Eigenvalues and eigenvectors of self-adjoint matrices, of which one triangle is read."""
    return EighResult(*call("eigh", _triangle("eigh", a, UPLO)))


def eigvalsh(a: Any, UPLO: str = "L") -> Any:  # noqa: N803 - NumPy's name
    """The eigenvalues of self-adjoint matrices, the least first."""
    return call("eigvalsh", _triangle("eigvalsh", a, UPLO))


def eig(a: Any) -> EigResult:
    """Eigenvalues and eigenvectors, always as complex numbers."""
    return EigResult(*call("eig", _matrices("eig", a)))


def eigvals(a: Any) -> Any:
    """The eigenvalues, always as complex numbers."""
    return call("eigvals", _matrices("eigvals", a))


# Solutions.


def inv(a: Any) -> Any:
    """The inverses of square matrices."""
    return call("inv", _matrices("inv", a))


def det(a: Any) -> Any:
    """The determinants of square matrices."""
    return call("det", _matrices("det", a))


def slogdet(a: Any) -> SlogdetResult:
    """The sign of the determinants, and the logarithm of their absolute value."""
    return SlogdetResult(*call("slogdet", _matrices("slogdet", a)))


def solve(a: Any, b: Any) -> Any:
    """The ``x`` for which ``a @ x = b``; a ``b`` of one dimension is one vector."""
    matrices, sides = _matrices("solve", a), _floats("solve", b)
    if len(sides.shape) > 1:
        return call("solve", matrices, sides)
    return call("squeeze", call("solve", matrices, call("expand_dims", sides, -1)), -1)


def tensorinv(a: Any, ind: int = 2) -> Any:
    """The inverse of ``a`` as a matrix whose rows are all elements of its first ``ind`` axes."""
    if ind <= 0:
        raise ValueError(f"tensorinv(): ind is greater than 0, not {ind}")
    sizes = dimension_sizes(a)
    rows, columns = sizes[:ind], sizes[ind:]
    _check_square("tensorinv", rows, columns)
    matrix = call("reshape", _floats("tensorinv", a), (prod(columns), -1))
    return call("reshape", call("inv", matrix), (*columns, *rows))


def tensorsolve(a: Any, b: Any, axes: Any = None) -> Any:
    """The ``x`` for which ``tensordot(a, x, x.ndim) = b``, once ``axes`` of ``a`` are its last ones."""
    rank, known = _type(a, "tensorsolve").rank, _type(b, "tensorsolve").rank
    order = list(range(rank))
    for axis in () if axes is None else axes:
        if axis not in order:
            raise ValueError(f"tensorsolve(): {axis} is no axis of {rank} dimensions")
        order.remove(axis)
        order.append(axis)
    turned = call("transpose", _floats("tensorsolve", a), order)
    sizes = dimension_sizes(turned)
    rows, columns = (sizes[:known], sizes[known:]) if rank > known else ((), sizes)
    _check_square("tensorsolve", rows, columns)
    count = prod(columns)
    sides = call("reshape", _floats("tensorsolve", b), (prod(dimension_sizes(b)), 1))
    found = call("solve", call("reshape", turned, (count, count)), sides)
    return call("reshape", found, columns)


def _check_square(name: str, rows: tuple[Any, ...], columns: tuple[Any, ...]) -> None:
    """``ValueError`` where sizes that are known make no square matrix."""
    known = all(isinstance(size, int) for size in rows + columns)
    if known and prod(rows) != prod(columns):
        raise ValueError(
            f"{name}(): {rows} and {columns} have not as many elements, and no inverse"
        )


def _least(s: Any, a: Any, factor: Any, absolute: Any) -> Any:
    """The singular value up to which they count as zero, with one axis more."""
    if absolute is not None:
        return call("expand_dims", absolute, -1)
    if factor is None:
        rows, columns = dimension_sizes(a)[-2:]
        side = call("cast", call("maximum", rows, columns), s.dtype)
        factor = call("multiply", side, float(np.finfo(s.dtype.numpy).eps))
    greatest = call("max", call("pad", s, [(0, 0)] * (len(s.shape) - 1) + [(0, 1)]), -1)
    return call("expand_dims", call("multiply", greatest, factor), -1)


def matrix_rank(
    A: Any,  # noqa: N803 - NumPy's name
    tol: Any = None,
    hermitian: Any = False,
    *,
    rtol: Any = None,
) -> Any:
    """How many singular values are greater than ``tol``, or than ``rtol`` times the greatest."""
    if _type(A, "matrix_rank").rank < 2:
        return call("cast", call("any", call("not_equal", A, 0)), int64)
    matrices = _matrices("matrix_rank", A)
    s = call("svdvals", matrices)
    large = call("greater", s, _least(s, matrices, rtol, tol))
    return call("sum", call("cast", large, int64), -1)


def pinv(a: Any, rcond: Any = None, hermitian: Any = False, *, rtol: Any = None) -> Any:
    """The pseudo-inverses: singular values up to ``rtol`` times the greatest count as zero.

    ``rcond`` is NumPy's older name of ``rtol``, which is the greater size times the precision where
    neither is given.
    """
    matrices = _matrices("pinv", a)
    kind = common_dtype("pinv", [_type(matrices, "pinv")]).real
    limit = rcond if rtol is None else rtol
    if limit is None:
        rows, columns = dimension_sizes(matrices)[-2:]
        side = call("cast", call("maximum", rows, columns), kind)
        limit = call("multiply", side, float(np.finfo(kind.numpy).eps))
    return call("pseudo_inverse", matrices, call("cast", limit, kind))


def lstsq(a: Any, b: Any, rcond: Any = None) -> tuple[Any, Any, Any, Any]:
    """The ``x`` for which ``a @ x - b`` is shortest; squared lengths, rank, singular values.

    The lengths are there where ``a`` has more rows than columns, and is of full rank.
    """
    matrix, sides = _matrices("lstsq", a), _floats("lstsq", b)
    if len(matrix.shape) != 2 or len(sides.shape) not in (1, 2):
        raise ValueError("lstsq() takes a matrix, and a vector or a matrix of right-hand sides")
    columns = sides if len(sides.shape) == 2 else call("expand_dims", sides, -1)
    found = call("lstsq", matrix, columns)
    rank, s = matrix_rank(matrix, rtol=rcond), call("svdvals", matrix)
    distance = call("abs", call("subtract", columns, call("matmul", matrix, found)))
    lengths = call("sum", call("square", distance), 0)
    rows, unknowns = dimension_sizes(matrix)
    known = call("logical_and", call("greater", rows, unknowns), call("equal", rank, unknowns))
    residuals = lengths[call("broadcast_to", known, dimension_sizes(lengths))]
    return found if len(sides.shape) == 2 else call("squeeze", found, -1), residuals, rank, s


for _function in (
    *(matrix_power, multi_dot, vector_norm, matrix_norm, norm, cond, cholesky, qr, svd, svdvals),
    *(eigh, eigvalsh, eig, eigvals, inv, det, slogdet, solve, tensorinv, tensorsolve),
    *(matrix_rank, pinv, lstsq),
):
    _name = _function.__name__
    _parameters = [p for p in ("a", "b", "x", "A", "arrays") if p in _function.__annotations__]
    compose(
        f"numpy_{_name}",
        _function,
        operands=_parameters,
        numpy=(getattr(np.linalg, _name),),
        sequences=("arrays",) if _name == "multi_dot" else (),
    )
compose("vecdot", vecdot, operands=("x1", "x2"), numpy=(np.linalg.vecdot,))
compose("numpy_cross", cross, operands=("a", "b"), numpy=(np.cross,))
compose("numpy_linalg_cross", _cross, operands=("x1", "x2"), numpy=(np.linalg.cross,))
compose("numpy_diagonal", diagonal, operands=("a",), numpy=(np.diagonal,))
compose("numpy_linalg_diagonal", _diagonal, numpy=(np.linalg.diagonal,))
compose("numpy_trace", trace, operands=("a",), numpy=(np.trace,))
compose("numpy_linalg_trace", _trace, numpy=(np.linalg.trace,))
