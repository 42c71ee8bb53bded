"""Linear algebra; LAPACK, as NumPy has it, factors and solves when the program runs.

Every function takes arrays of matrices, one by one, and errors such as ``LinAlgError`` come through.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.ir.ops.core.operands import composition
from agir.ir.ops.linalg.numpy_linalg import (
    EighResult,
    EigResult,
    QRResult,
    SlogdetResult,
    SVDResult,
)
from agir.ir.tensors.dispatch import call
from agir.numpy.arguments import array, array_function, element_type
from agir.numpy.manipulation import matrix_transpose
from agir.numpy.recorded import missing

LinAlgError = np.linalg.LinAlgError


@array_function("x1", "x2")
def matmul(x1: Any, x2: Any, /) -> Any:
    """The product of matrices; an operand of one dimension is a row, or a column.

    >>> ag.numpy.matmul([[1, 2], [3, 4]], [1, 1]).numpy()
    array([3, 7])
    """
    return call("matmul", x1, x2)


@array_function("x1", "x2")
def tensordot(x1: Any, x2: Any, /, axes: Any = 2) -> Any:
    """The sum of products over pairs of axes: so many, or a list for each operand.

    >>> ag.numpy.tensordot([[1, 2], [3, 4]], [1, 1], axes=1).numpy()
    array([3, 7])
    """
    return call("tensordot", x1, x2, axes)


@array_function("x1", "x2")
def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """The dot products of vectors along an axis; those of ``x1`` are conjugated.

    >>> ag.numpy.vecdot([[1, 2], [3, 4]], [1, 1]).numpy()
    array([3, 7])
    """
    return call("vecdot", x1, x2, axis=axis)


@array_function("x1", "x2")
def outer(x1: Any, x2: Any, /) -> Any:
    """The products of each element of one vector with each of the other.

    >>> ag.numpy.outer([1, 2], [3, 4]).numpy()
    array([[3, 4],
           [6, 8]])
    """
    return call("outer", x1, x2)


@array_function("x1", "x2")
def cross(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """The cross products of vectors of three numbers along an axis.

    >>> ag.numpy.linalg.cross([1, 0, 0], [0, 1, 0]).numpy()
    array([0, 0, 1])
    """
    return call("numpy_linalg_cross", x1, x2, axis=axis)


@array_function("x")
def diagonal(x: Any, /, *, offset: int = 0) -> Any:
    """The diagonals of matrices, counted upwards from the main one.

    >>> ag.numpy.linalg.diagonal([[1, 2], [3, 4]]).numpy()
    array([1, 4])
    """
    return call("numpy_linalg_diagonal", x, offset=offset)


@array_function("x")
def trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Any:
    """The sum along the diagonals of matrices.

    >>> int(ag.numpy.linalg.trace([[1, 2], [3, 4]]))
    5
    """
    return call("numpy_linalg_trace", x, offset=offset, dtype=element_type(dtype))


@array_function("x")
def matrix_power(x: Any, n: int, /) -> Any:
    """The product of ``n`` times the same matrices; of their inverses where ``n`` is negative.

    >>> ag.numpy.linalg.matrix_power([[1, 1], [0, 1]], 3).numpy()
    array([[1, 3],
           [0, 1]])
    """
    return call("numpy_matrix_power", x, n)


@composition()
def multi_dot(arrays: Any, /) -> Any:
    """The product of several matrices.

    >>> ag.numpy.linalg.multi_dot([[[1, 2], [3, 4]], [1, 1]]).numpy()
    array([3, 7])
    """
    return call("numpy_multi_dot", [array(each) for each in arrays])


@array_function("x")
def cholesky(x: Any, /, *, upper: Any = False) -> Any:
    """The lower triangular factors of positive definite matrices, or the upper ones.

    >>> ag.numpy.linalg.cholesky([[4.0, 2.0], [2.0, 5.0]]).numpy()
    array([[2., 0.],
           [1., 2.]])
    """
    return call("numpy_cholesky", x, upper=upper)


@array_function("x")
def qr(x: Any, /, mode: str = "reduced") -> QRResult:
    """Orthonormal columns and an upper triangular matrix: ``x = Q @ R``.

    >>> abs(ag.numpy.linalg.qr([[3.0], [4.0]]).R).numpy().round(6)
    array([[5.]])
    """
    return call("numpy_qr", x, mode)  # type: ignore[no-any-return]


@array_function("x")
def svd(x: Any, /, full_matrices: Any = True, compute_uv: Any = True) -> SVDResult:
    """The singular value decomposition: ``x = U @ diag(S) @ Vh``.

    >>> ag.numpy.linalg.svd([[3.0, 0.0], [0.0, 4.0]]).S.numpy()
    array([4., 3.])
    """
    return call("numpy_svd", x, full_matrices, compute_uv)  # type: ignore[no-any-return]


@array_function("x")
def svdvals(x: Any, /) -> Any:
    """The singular values, the greatest first.

    >>> ag.numpy.linalg.svdvals([[3.0, 0.0], [0.0, 4.0]]).numpy()
    array([4., 3.])
    """
    return call("numpy_svdvals", x)


@array_function("x")
def eigh(x: Any, /, UPLO: str = "L") -> EighResult:  # noqa: N803 - NumPy's name
    """Eigenvalues, the least first, and eigenvectors as columns, of self-adjoint matrices.

    >>> ag.numpy.linalg.eigh([[2.0, 0.0], [0.0, 3.0]]).eigenvalues.numpy()
    array([2., 3.])
    """
    return call("numpy_eigh", x, UPLO)  # type: ignore[no-any-return]


@array_function("x")
def eigvalsh(x: Any, /, UPLO: str = "L") -> Any:  # noqa: N803 - NumPy's name
    """The eigenvalues of self-adjoint matrices, the least first.

    >>> ag.numpy.linalg.eigvalsh([[2.0, 0.0], [0.0, 3.0]]).numpy()
    array([2., 3.])
    """
    return call("numpy_eigvalsh", x, UPLO)


@array_function("x")
def eig(x: Any, /) -> EigResult:
    """Eigenvalues and eigenvectors as columns, always as complex numbers.

    >>> ag.numpy.linalg.eig([[2.0, 0.0], [0.0, 3.0]]).eigenvalues.numpy()
    array([2.+0.j, 3.+0.j])
    """
    return call("numpy_eig", x)  # type: ignore[no-any-return]


@array_function("x")
def eigvals(x: Any, /) -> Any:
    """The eigenvalues, always as complex numbers.

    >>> ag.numpy.linalg.eigvals([[2.0, 0.0], [0.0, 3.0]]).numpy()
    array([2.+0.j, 3.+0.j])
    """
    return call("numpy_eigvals", x)


@array_function("x")
def inv(x: Any, /) -> Any:
    """The inverses of square matrices; ``LinAlgError`` where there is none.

    >>> ag.numpy.linalg.inv([[2.0, 0.0], [0.0, 4.0]]).numpy()
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    return call("numpy_inv", x)


@array_function("x")
def det(x: Any, /) -> Any:
    """The determinants of square matrices.

    >>> round(float(ag.numpy.linalg.det([[2.0, 0.0], [0.0, 3.0]])), 6)
    6.0
    """
    return call("numpy_det", x)


@array_function("x")
def slogdet(x: Any, /) -> SlogdetResult:
    """The sign of the determinants, and the logarithm of their absolute value.

    >>> float(ag.numpy.linalg.slogdet([[1.0, 0.0], [0.0, -1.0]]).sign)
    -1.0
    """
    return call("numpy_slogdet", x)  # type: ignore[no-any-return]


@array_function("x1", "x2")
def solve(x1: Any, x2: Any, /) -> Any:
    """The ``x`` for which ``x1 @ x = x2``; an ``x2`` of one dimension is one vector.

    >>> ag.numpy.linalg.solve([[2.0, 0.0], [0.0, 4.0]], [2.0, 8.0]).numpy()
    array([1., 2.])
    """
    return call("numpy_solve", x1, x2)


@array_function("x1", "x2")
def lstsq(x1: Any, x2: Any, /, rcond: Any = None) -> tuple[Any, Any, Any, Any]:
    """The ``x`` for which ``x1 @ x - x2`` is shortest; squared lengths, rank, singular values.

    >>> ag.numpy.linalg.lstsq([[1.0], [1.0]], [1.0, 3.0])[0].numpy().round(6)
    array([2.])
    """
    return call("numpy_lstsq", x1, x2, rcond)  # type: ignore[no-any-return]


@array_function("x", "rtol")
def pinv(x: Any, /, rcond: Any = None, hermitian: Any = False, *, rtol: Any = None) -> Any:
    """The pseudo-inverses: singular values up to ``rtol`` times the greatest count as zero.

    >>> ag.numpy.linalg.pinv([[2.0, 0.0], [0.0, 0.0]]).numpy()
    array([[0.5, 0. ],
           [0. , 0. ]])
    """
    return call("numpy_pinv", x, rcond, hermitian, rtol=rtol)


@array_function("x", "tol", "rtol")
def matrix_rank(x: Any, /, tol: Any = None, hermitian: Any = False, *, rtol: Any = None) -> Any:
    """How many singular values are greater than ``rtol`` times the greatest, or than ``tol``.

    >>> int(ag.numpy.linalg.matrix_rank([[1.0, 2.0], [2.0, 4.0]]))
    1
    """
    return call("numpy_matrix_rank", x, tol, hermitian, rtol=rtol)


@array_function("x")
def matrix_norm(x: Any, /, *, keepdims: Any = False, ord: Any = "fro") -> Any:
    """The norm of matrices: ``"fro"``, ``"nuc"``, 1, 2, ``inf`` or one of their negatives.

    >>> float(ag.numpy.linalg.matrix_norm([[3.0, 0.0], [0.0, 4.0]]))
    5.0
    """
    return call("numpy_matrix_norm", x, keepdims=keepdims, ord=ord)


@array_function("x")
def vector_norm(x: Any, /, *, axis: Any = None, keepdims: Any = False, ord: Any = 2) -> Any:
    """The norm of vectors, whose elements may stand along several axes.

    >>> float(ag.numpy.linalg.vector_norm([3.0, 4.0]))
    5.0
    """
    return call("numpy_vector_norm", x, axis=axis, keepdims=keepdims, ord=ord)


@array_function("x")
def norm(x: Any, /, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Any:
    """The norm of vectors along an axis, of matrices along a pair of them, or of all elements.

    >>> float(ag.numpy.linalg.norm([3.0, 4.0]))
    5.0
    """
    return call("numpy_norm", x, ord, axis, keepdims)


@array_function("x")
def cond(x: Any, /, p: Any = None) -> Any:
    """The condition numbers of matrices.

    >>> float(ag.numpy.linalg.cond([[2.0, 0.0], [0.0, 1.0]]))
    2.0
    """
    return call("numpy_cond", x, p)


def __getattr__(name: str) -> Any:
    """A function of ``numpy.linalg`` that the operation table has."""
    return missing(name, np.linalg, __name__)


__all__ = [
    "cholesky",
    "cond",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "lstsq",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "multi_dot",
    "norm",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]


def __dir__() -> list[str]:
    return __all__
