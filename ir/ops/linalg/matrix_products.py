"""Products, norms and solutions of matrices under TensorFlow's names."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir import hooks
from agir.ir.building.types import int32
from agir.ir.ops.core.operands import axis_index, composition, dimension_sizes, operand_type
from agir.ir.ops.linalg.lapack import common_dtype
from agir.ir.ops.linalg.matrix_diagonals import diag_part
from agir.ir.tensors import dispatch
from agir.ir.tensors.likes import AxisLike, DTypeLike, TensorLike

call = dispatch.call


@composition("a")
def matrix_transpose(a: TensorLike, name: str | None = None, conjugate: bool = False) -> Any:
    """The last two axes exchanged; the conjugates with ``conjugate``.

    >>> ag.linalg.matrix_transpose([[1.0, 2.0], [3.0, 4.0]]).numpy()
    array([[1., 3.],
           [2., 4.]], dtype=float32)

    Shapes: a [..., n, m] -> [..., m, n]
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    rank = dispatch.type_of(a).rank
    if rank < 2:
        raise ValueError(f"matrix_transpose() takes matrices, not {dispatch.type_of(a)}")
    turned = call("transpose", a, [*range(rank - 2), rank - 1, rank - 2])
    return call("conj", turned) if conjugate else turned


@composition("matrix")
def adjoint(matrix: TensorLike, name: str | None = None) -> Any:
    """The conjugates with the last two axes exchanged.

    >>> ag.linalg.adjoint(ag.constant([[1.0, 2.0], [3.0, 4.0]])).numpy()
    array([[1., 3.],
           [2., 4.]], dtype=float32)

    Shapes: matrix [..., n, m] -> [..., m, n]
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    return matrix_transpose(matrix, conjugate=dispatch.type_of(matrix).dtype.is_complex)


def _turned(name: str, x: Any, transposed: bool, adjoint_of: bool) -> Any:
    if transposed and adjoint_of:
        raise ValueError(f"{name}(): give one of transpose and adjoint, not both")
    if not (transposed or adjoint_of):
        return x
    return adjoint(x) if adjoint_of else matrix_transpose(x)


@composition("a", "b")
def matmul(
    a: TensorLike,
    b: TensorLike,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    output_type: DTypeLike | None = None,
    name: str | None = None,
) -> Any:
    """The product of matrices, of which either may be transposed or conjugated as well first.

    The axes before the last two are broadcast.  What is said of sparseness is ignored.

    >>> ag.matmul([[1.0, 2.0], [3.0, 4.0]], [[1.0], [1.0]]).numpy()
    array([[3.],
           [7.]], dtype=float32)

    Shapes: a [..., n, m], b [..., m, k] -> [..., n, k]
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandValueError where the inner sizes differ
    """
    kinds = [dispatch.type_of(v, "matmul") for v in (a, b)]
    if min(kind.rank for kind in kinds) < 2:
        raise ValueError(f"matmul() takes matrices, not {kinds[0]} and {kinds[1]}; see matvec()")
    if output_type is not None:
        a, b = call("cast", a, output_type), call("cast", b, output_type)
    left = _turned("matmul", a, transpose_a, adjoint_a)
    return call("matmul", left, _turned("matmul", b, transpose_b, adjoint_b))


@composition("a", "b")
def matvec(
    a: TensorLike,
    b: TensorLike,
    transpose_a: bool = False,
    adjoint_a: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Any:
    """The products of matrices and vectors, the last axis of ``b``.

    >>> ag.linalg.matvec([[1.0, 2.0], [3.0, 4.0]], [1.0, 1.0]).numpy()
    array([3., 7.], dtype=float32)

    Shapes: a [..., n, m], b [..., m] -> [..., n]
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandValueError where the inner sizes differ
    """
    column = call("expand_dims", b, -1)
    product = call("matmul", _turned("matvec", a, transpose_a, adjoint_a), column)
    return call("squeeze", product, -1)


@composition("a", "b")
def tensordot(a: TensorLike, b: TensorLike, axes: Any, name: str | None = None) -> Any:
    """The sum of products over pairs of axes: so many, or a list for each operand.

    >>> ag.tensordot([[1.0, 2.0], [3.0, 4.0]], [1.0, 1.0], axes=1).numpy()
    array([3., 7.], dtype=float32)

    Shapes: a [..., n], b [n] -> [...]; the axes of b that are left follow
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandValueError where the sizes differ
    """
    if hasattr(axes, "numpy"):
        axes = axes.numpy()
    if isinstance(axes, np.ndarray):
        axes = axes.tolist()
    return call("tensordot", a, b, axes)


@composition("a", "b")
def cross(a: TensorLike, b: TensorLike, name: str | None = None) -> Any:
    """The cross products of vectors of three numbers, the last axis.

    >>> ag.cross([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]).numpy()
    array([0., 0., 1.], dtype=float32)

    Shapes: a [..., 3], b [..., 3] -> [..., 3]
    Dtypes: int, uint, float, complex -> the same
    Raises: OperandValueError for vectors that are not of three numbers
    """
    kinds = [dispatch.type_of(v, "cross") for v in (a, b)]
    if any(not kind.shape or kind.shape[-1] not in (3, None) for kind in kinds):
        raise ValueError(f"cross() takes vectors of three numbers, not {kinds[0]} and {kinds[1]}")
    (a0, a1, a2), (b0, b1, b2) = ([call("getitem", v, (..., i)) for i in range(3)] for v in (a, b))

    def minor(p: Any, q: Any, r: Any, s: Any) -> Any:
        return call("subtract", call("multiply", p, s), call("multiply", q, r))

    parts = [minor(a1, a2, b1, b2), minor(a2, a0, b2, b0), minor(a0, a1, b0, b1)]
    return call("stack", parts, -1)


# Norms.


def _axes(axis: Any, rank: int) -> list[int] | None:
    if axis is None:
        return None
    given = [axis] if isinstance(axis, (int, np.integer)) else list(axis)
    if len(given) not in (1, 2):
        raise ValueError(f"norm(): axis is one, or a pair for matrices, not {axis!r}")
    return [axis_index(a, rank, "norm") for a in given]


def _root(x: Any) -> Any:
    return call("sqrt", x)


def _squares(x: Any) -> Any:
    magnitude = call("abs", x)
    return call("multiply", magnitude, magnitude)


def _vector_norm(x: Any, order: Any, axes: Any, keepdims: bool) -> Any:
    size = call("abs", x)
    if order in ("euclidean", "fro", 2):
        return _root(call("sum", _squares(x), axes, keepdims=keepdims))
    if order == 1:
        return call("sum", size, axes, keepdims=keepdims)
    if order == np.inf:
        return call("max", size, axes, keepdims=keepdims)
    powers = call("sum", call("power", size, float(order)), axes, keepdims=keepdims)
    return call("power", powers, 1.0 / float(order))


def _matrix_norm(x: Any, order: Any, axes: list[int], keepdims: bool) -> Any:
    if order in ("euclidean", "fro"):
        return _vector_norm(x, "euclidean", axes, keepdims)
    if order in (1, np.inf):
        summed, greatest = axes if order == 1 else axes[::-1]
        sums = call("sum", call("abs", x), summed, keepdims=True)
        found = call("max", sums, greatest, keepdims=True)
    elif order == 2:
        moved = call("moveaxis", x, axes, [-2, -1])
        found = call("max", call("svdvals", moved), -1)
        for axis in sorted(axes):
            found = call("expand_dims", found, axis)
    else:
        raise ValueError(f"norm(): there is no norm {order!r} of matrices; 'fro', 1, 2, inf")
    return found if keepdims else call("squeeze", found, tuple(axes))


@composition("tensor")
def norm(
    tensor: TensorLike,
    ord: Any = "euclidean",
    axis: AxisLike = None,
    keepdims: bool | None = None,
    name: str | None = None,
) -> Any:
    """The norm of vectors along an axis, of matrices along a pair, or of all elements.

    ``ord`` is ``"euclidean"``, 1, 2, ``inf`` or another positive number; of matrices ``"fro"``
    (``"euclidean"``), 1, 2 or ``inf``.

    >>> ag.linalg.norm([3.0, 4.0]).numpy()
    np.float32(5.0)

    Shapes: tensor [...] -> [...] without the axes
    Dtypes: float -> the same; complex64 -> float32; complex128 -> float64
    Raises: OperandTypeError for what is no tensor
    """
    kind = dispatch.type_of(tensor, "norm")
    if kind.dtype.kind not in "fc":
        raise TypeError(f"norm() is not defined for {kind.dtype}; cast to a float dtype first")
    axes = _axes(axis, kind.rank)
    known = ord in ("euclidean", "fro") if isinstance(ord, str) else ord > 0
    if not known or (ord == "fro" and (axes is None or len(axes) == 1)):
        raise ValueError(f"norm(): there is no norm {ord!r} of vectors: a positive number, or inf")
    if axes is not None and len(axes) == 2:
        return _matrix_norm(tensor, ord, axes, bool(keepdims))
    return _vector_norm(tensor, ord, None if axes is None else axes[0], bool(keepdims))


@composition("tensor")
def normalize(
    tensor: TensorLike, ord: Any = "euclidean", axis: AxisLike = None, name: str | None = None
) -> tuple[Any, Any]:
    """The tensor divided by its norm, and the norm, with 1 in the place of the axes.

    >>> ag.linalg.normalize([3.0, 4.0])[0].numpy()
    array([0.6, 0.8], dtype=float32)

    Shapes: tensor [...] -> [...] and [...] with 1 for the axes
    Dtypes: float -> the same; complex64 -> (complex64, float32); complex128 -> (complex128,
        float64)
    Raises: OperandTypeError for what is no tensor
    """
    size = norm(tensor, ord, axis, keepdims=True)
    return call("divide", tensor, size), size


@composition()
def global_norm(t_list: Any, name: str | None = None) -> Any:
    """The square root of the sum of the squares of all elements of all tensors; None is left out.

    >>> ag.linalg.global_norm([[3.0], [4.0]]).numpy()
    np.float32(5.0)

    Shapes: t_list list of [...] -> []
    Dtypes: bool, int, uint, complex128 -> float64; float -> the same; complex64 -> float32
    Raises: OperandTypeError for what is no tensor
    """
    given = [t for t in t_list if t is not None]
    if not given:
        raise ValueError("global_norm() of no tensors")
    total = None
    for tensor in given:
        part = call("sum", _squares(hooks.runtime.convert(tensor)))
        total = part if total is None else call("add", total, part)
    return _root(total)


# Solutions.


@composition("input")
def inv(input: TensorLike, adjoint: bool = False, name: str | None = None) -> Any:
    """The inverses of square matrices, or of their adjoints; ``LinAlgError`` where there is none.

    >>> ag.linalg.inv([[2.0, 0.0], [0.0, 4.0]]).numpy()
    array([[0.5 , 0.  ],
           [0.  , 0.25]], dtype=float32)

    Shapes: input [..., n, n] -> [..., n, n]
    Dtypes: float32, float64, complex -> the same
    Raises: numpy.linalg.LinAlgError for a singular matrix
    Source: LAPACK gesv
    """
    return call("inv", _turned("inv", input, False, adjoint))


@composition("input")
def det(input: TensorLike, name: str | None = None) -> Any:
    """The determinants of square matrices.

    >>> ag.linalg.det([[1.0, 2.0], [3.0, 4.0]]).numpy()
    np.float32(-2.0)

    Shapes: input [..., n, n] -> [...]
    Dtypes: float32, float64, complex -> the same
    Raises: OperandValueError for what are no square matrices
    """
    return call("det", input)


@composition("input")
def slogdet(input: TensorLike, name: str | None = None) -> tuple[Any, Any]:
    """The sign of the determinants, and the logarithm of their absolute value.

    >>> ag.linalg.slogdet([[2.0, 0.0], [0.0, -1.0]])[0].numpy()
    np.float32(-1.0)

    Shapes: input [..., n, n] -> ([...], [...])
    Dtypes: float32, float64 -> the same; complex64 -> (complex64, float32); complex128 ->
        (complex128, float64)
    Raises: OperandValueError for what are no square matrices
    """
    return call("slogdet", input)  # type: ignore[no-any-return]


@composition("matrix")
def logdet(matrix: TensorLike, name: str | None = None) -> Any:
    """The logarithm of the determinants of positive definite matrices.

    >>> ag.linalg.logdet([[4.0, 2.0], [2.0, 5.0]]).numpy().round(3)
    np.float32(2.773)

    Shapes: matrix [..., n, n] -> [...]
    Dtypes: float32, float64 -> the same; complex64 -> float32; complex128 -> float64
    Raises: numpy.linalg.LinAlgError for a matrix that is not positive definite
    """
    diagonal = call("real", diag_part(call("cholesky", matrix)))
    return call("multiply", call("sum", call("log", diagonal), -1), 2.0)


@composition("matrix", "rhs")
def solve(
    matrix: TensorLike, rhs: TensorLike, adjoint: bool = False, name: str | None = None
) -> Any:
    """The ``x`` for which ``matrix @ x = rhs``; ``LinAlgError`` where a matrix is singular.

    >>> ag.linalg.solve([[2.0, 0.0], [0.0, 4.0]], [[2.0], [2.0]]).numpy()
    array([[1. ],
           [0.5]], dtype=float32)

    Shapes: matrix [..., n, n], rhs [..., n, m] -> [..., n, m]
    Dtypes: float32, float64, complex -> the same
    Raises: numpy.linalg.LinAlgError for a singular matrix
    Source: LAPACK gesv
    """
    return call("solve", _turned("solve", matrix, False, adjoint), rhs)


@composition("matrix", "rhs")
def triangular_solve(
    matrix: TensorLike,
    rhs: TensorLike,
    lower: bool = True,
    adjoint: bool = False,
    name: str | None = None,
) -> Any:
    """``solve`` for triangular matrices, of which the other triangle is not read.

    >>> ag.linalg.triangular_solve([[2.0, 0.0], [1.0, 1.0]], [[2.0], [3.0]]).numpy()
    array([[1.],
           [2.]], dtype=float32)

    Shapes: matrix [..., n, n], rhs [..., n, m] -> [..., n, m]
    Dtypes: float32, float64, complex -> the same
    Raises: numpy.linalg.LinAlgError for a singular matrix
    """
    turned = _turned("triangular_solve", matrix, False, adjoint)
    return call("triangular_solve", turned, rhs, bool(lower) != bool(adjoint))


@composition("chol", "rhs")
def cholesky_solve(chol: TensorLike, rhs: TensorLike, name: str | None = None) -> Any:
    """``solve`` for the matrices of which ``chol`` are the lower triangular factors.

    >>> ag.linalg.cholesky_solve([[2.0, 0.0], [0.0, 1.0]], [[4.0], [3.0]]).numpy()
    array([[1.],
           [3.]], dtype=float32)

    Shapes: chol [..., n, n], rhs [..., n, m] -> [..., n, m]
    Dtypes: float32, float64, complex -> the same
    Raises: OperandTypeError for what is no tensor
    Source: LAPACK trtrs
    """
    first = call("triangular_solve", chol, rhs, True)
    return call("triangular_solve", adjoint(chol), first, False)


@composition("matrix", "rhs")
def lstsq(
    matrix: TensorLike,
    rhs: TensorLike,
    l2_regularizer: Any = 0.0,
    fast: bool = True,
    name: str | None = None,
) -> Any:
    """The ``x`` for which ``matrix @ x - rhs`` is shortest, and of those the shortest.

    With ``l2_regularizer`` that times the squared length of ``x`` is added to what is minimised.
    ``fast`` is ignored.

    >>> ag.linalg.lstsq([[1.0], [1.0]], [[1.0], [3.0]]).numpy()
    array([[2.]], dtype=float32)

    Shapes: matrix [..., n, m], rhs [..., n, k] -> [..., m, k]
    Dtypes: float32, float64, complex -> the same
    Raises: numpy.linalg.LinAlgError where it does not converge
    """
    if isinstance(l2_regularizer, (int, float)) and l2_regularizer == 0:
        return call("lstsq", matrix, rhs)
    turned = adjoint(matrix)
    normal = call("matmul", turned, matrix)
    kind = dispatch.type_of(normal)
    identity = call("eye", dimension_sizes(normal)[-1], dtype=kind.dtype)
    scaled = call("multiply", identity, call("cast", l2_regularizer, kind.dtype))
    return call("solve", call("add", normal, scaled), call("matmul", turned, rhs))


# Factorizations.


@composition("input")
def cholesky(input: TensorLike, name: str | None = None) -> Any:
    """The lower triangular factors of positive definite matrices; ``LinAlgError`` of others.

    >>> ag.linalg.cholesky([[4.0, 2.0], [2.0, 5.0]]).numpy()
    array([[2., 0.],
           [1., 2.]], dtype=float32)

    Shapes: input [..., n, n] -> [..., n, n]
    Dtypes: float32, float64, complex -> the same
    Raises: numpy.linalg.LinAlgError for a matrix that is not positive definite
    Source: LAPACK potrf
    """
    return call("cholesky", input)


@composition("input")
def qr(input: TensorLike, full_matrices: bool = False, name: str | None = None) -> tuple[Any, Any]:
    """Orthonormal columns and an upper triangular matrix: ``input = q @ r``.

    >>> ag.linalg.qr([[3.0], [4.0]])[1].numpy() ** 2
    array([[25.]], dtype=float32)

    Shapes: input [..., n, m] -> ([..., n, k], [..., k, m]); k is the lesser, or n with
        full_matrices
    Dtypes: float32, float64, complex -> the same
    Raises: OperandTypeError for what is no tensor
    Source: LAPACK geqrf
    """
    return call("qr", input, bool(full_matrices))  # type: ignore[no-any-return]


@composition("tensor")
def svd(
    tensor: TensorLike,
    full_matrices: bool = False,
    compute_uv: bool = True,
    name: str | None = None,
) -> Any:
    """Singular values ``s``, and ``u`` and ``v``: ``tensor = u @ diag(s) @ adjoint(v)``.

    >>> ag.linalg.svd([[3.0, 0.0], [0.0, 2.0]])[0].numpy()
    array([3., 2.], dtype=float32)

    Shapes: tensor [..., n, m] -> ([..., k], [..., n, k], [..., m, k]); k is the lesser
    Dtypes: float32, float64 -> the same; complex64 -> (float32, complex64, complex64);
        complex128 -> (float64, complex128, complex128)
    Raises: numpy.linalg.LinAlgError where it does not converge
    Source: LAPACK gesdd
    """
    return call("svd", tensor, bool(full_matrices)) if compute_uv else call("svdvals", tensor)


@composition("tensor")
def eigh(tensor: TensorLike, name: str | None = None) -> tuple[Any, Any]:
    """Eigenvalues, the least first, and eigenvectors as columns, of self-adjoint matrices.

    Only the lower triangle is read.

    >>> ag.linalg.eigh([[2.0, 0.0], [0.0, 3.0]])[0].numpy()
    array([2., 3.], dtype=float32)

    Shapes: tensor [..., n, n] -> ([..., n], [..., n, n])
    Dtypes: float32, float64 -> the same; complex64 -> (float32, complex64); complex128 ->
        (float64, complex128)
    Raises: numpy.linalg.LinAlgError where it does not converge
    Source: LAPACK syevd, heevd
    """
    return call("eigh", tensor)  # type: ignore[no-any-return]


@composition("tensor")
def eigvalsh(tensor: TensorLike, name: str | None = None) -> Any:
    """The eigenvalues of self-adjoint matrices, the least first.

    >>> ag.linalg.eigvalsh([[2.0, 0.0], [0.0, 3.0]]).numpy()
    array([2., 3.], dtype=float32)

    Shapes: tensor [..., n, n] -> [..., n]
    Dtypes: float32, float64 -> the same; complex64 -> float32; complex128 -> float64
    Raises: numpy.linalg.LinAlgError where it does not converge
    Source: LAPACK syevd, heevd
    """
    return call("eigvalsh", tensor)


@composition("tensor")
def eig(tensor: TensorLike, name: str | None = None) -> tuple[Any, Any]:
    """Eigenvalues and eigenvectors as columns, as complex numbers.

    >>> ag.linalg.eig([[2.0, 0.0], [0.0, 3.0]])[0].numpy()
    array([2.+0.j, 3.+0.j], dtype=complex64)

    Shapes: tensor [..., n, n] -> ([..., n], [..., n, n])
    Dtypes: float32 -> (complex64, complex64); float64 -> (complex128, complex128); complex ->
        the same
    Raises: numpy.linalg.LinAlgError where it does not converge
    Source: LAPACK geev
    """
    return call("eig", tensor)  # type: ignore[no-any-return]


@composition("tensor")
def eigvals(tensor: TensorLike, name: str | None = None) -> Any:
    """The eigenvalues, as complex numbers.

    >>> ag.linalg.eigvals([[2.0, 0.0], [0.0, 3.0]]).numpy()
    array([2.+0.j, 3.+0.j], dtype=complex64)

    Shapes: tensor [..., n, n] -> [..., n]
    Dtypes: float32 -> complex64; float64 -> complex128; complex -> the same
    Raises: numpy.linalg.LinAlgError where it does not converge
    Source: LAPACK geev
    """
    return call("eigvals", tensor)


@composition("input")
def lu(
    input: TensorLike, output_idx_type: DTypeLike = int32, name: str | None = None
) -> tuple[Any, Any]:
    """The factors in one matrix, and the order of the rows: ``input[p] = l @ u``.

    ``l`` has ones on its diagonal, which are not stored.

    >>> ag.linalg.lu([[0.0, 1.0], [2.0, 3.0]])[0].numpy()
    array([[2., 3.],
           [0., 1.]], dtype=float32)

    Shapes: input [..., n, n] -> ([..., n, n], [..., n])
    Dtypes: float32, float64, complex -> (the same, int32)
    Raises: OperandTypeError for what is no tensor
    """
    return call("lu", input, output_idx_type)  # type: ignore[no-any-return]


@composition("input")
def expm(input: TensorLike, name: str | None = None) -> Any:
    """The exponentials of square matrices.

    >>> ag.linalg.expm([[0.0, 0.0], [0.0, 1.0]]).numpy().round(3)
    array([[1.   , 0.   ],
           [0.   , 2.718]], dtype=float32)

    Shapes: input [..., n, n] -> [..., n, n]
    Dtypes: float32, float64, complex -> the same
    Raises: OperandValueError for what are no square matrices
    Source: Higham 2005, The scaling and squaring method for the matrix exponential revisited
    """
    return call("expm", input)


@composition("a")
def pinv(
    a: TensorLike, rcond: Any = None, validate_args: bool = False, name: str | None = None
) -> Any:
    """The pseudo-inverses: singular values up to ``rcond`` times the greatest count as 0.

    Where it is None, ``rcond`` is ten times the greater size times the precision of the dtype.

    >>> ag.linalg.pinv([[2.0, 0.0], [0.0, 4.0]]).numpy()
    array([[0.5 , 0.  ],
           [0.  , 0.25]], dtype=float32)

    Shapes: a [..., n, m] -> [..., m, n]
    Dtypes: float32, float64, complex -> the same
    Raises: OperandTypeError for what is no tensor
    """
    kind = common_dtype("pinv", [operand_type(dispatch.type_of(a))]).real
    if rcond is None:
        rcond = _precision(a, kind, 10.0)
    return call("pseudo_inverse", a, call("cast", rcond, kind))


def _precision(a: Any, dtype: Any, factor: float) -> Any:
    rows, columns = dimension_sizes(a)[-2:]
    static = isinstance(rows, int) and isinstance(columns, int)
    side = max(rows, columns) if static else call("maximum", rows, columns)
    return call("multiply", call("cast", side, dtype), factor * float(np.finfo(dtype.numpy).eps))


@composition("a")
def matrix_rank(
    a: TensorLike, tol: Any = None, validate_args: bool = False, name: str | None = None
) -> Any:
    """How many singular values are greater than ``tol``, as int32.

    >>> ag.linalg.matrix_rank([[1.0, 2.0], [2.0, 4.0]]).numpy()
    np.int32(1)

    Shapes: a [..., n, m] -> [...]
    Dtypes: float32, float64, complex -> int32
    Raises: OperandTypeError for what is no tensor
    """
    s = call("svdvals", a)
    if tol is None:
        factor = _precision(a, dispatch.type_of(s).dtype, 1.0)
        tol = call("multiply", call("max", s, -1, keepdims=True), factor)
    return call("sum", call("cast", call("greater", s, tol), int32), -1, int32)
