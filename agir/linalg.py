"""Linear algebra under TensorFlow's names; of arrays of matrices, one by one."""

from __future__ import annotations

from agir.ir.ops.linalg.matrix_diagonals import (
    band_part,
    diag,
    diag_part,
    eye,
    set_diag,
    tensor_diag,
    tensor_diag_part,
    trace,
)
from agir.ir.ops.linalg.matrix_products import (
    adjoint,
    cholesky,
    cholesky_solve,
    cross,
    det,
    eig,
    eigh,
    eigvals,
    eigvalsh,
    expm,
    global_norm,
    inv,
    logdet,
    lstsq,
    lu,
    matmul,
    matrix_rank,
    matrix_transpose,
    matvec,
    norm,
    normalize,
    pinv,
    qr,
    slogdet,
    solve,
    svd,
    tensordot,
    triangular_solve,
)
from agir.ir.ops.signals.normalization import l2_normalize
from agir.ir.table import TABLE as _TABLE

einsum = _TABLE["einsum"]

__all__ = [
    "adjoint",
    "band_part",
    "cholesky",
    "cholesky_solve",
    "cross",
    "det",
    "diag",
    "diag_part",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "einsum",
    "expm",
    "eye",
    "global_norm",
    "inv",
    "l2_normalize",
    "logdet",
    "lstsq",
    "lu",
    "matmul",
    "matrix_rank",
    "matrix_transpose",
    "matvec",
    "norm",
    "normalize",
    "pinv",
    "qr",
    "set_diag",
    "slogdet",
    "solve",
    "svd",
    "tensor_diag",
    "tensor_diag_part",
    "tensordot",
    "trace",
    "triangular_solve",
]


def __dir__() -> list[str]:
    return __all__
