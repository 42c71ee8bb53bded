"""Linear algebra under TensorFlow's names; of arrays of matrices, one by one."""

from __future__ import annotations

import typing as _typing

from agir.ir.ops.linalg.matrix_diagonals import band_part as band_part
from agir.ir.ops.linalg.matrix_diagonals import diag as diag
from agir.ir.ops.linalg.matrix_diagonals import diag_part as diag_part
from agir.ir.ops.linalg.matrix_diagonals import eye as eye
from agir.ir.ops.linalg.matrix_diagonals import set_diag as set_diag
from agir.ir.ops.linalg.matrix_diagonals import tensor_diag as tensor_diag
from agir.ir.ops.linalg.matrix_diagonals import tensor_diag_part as tensor_diag_part
from agir.ir.ops.linalg.matrix_diagonals import trace as trace
from agir.ir.ops.linalg.matrix_products import adjoint as adjoint
from agir.ir.ops.linalg.matrix_products import cholesky as cholesky
from agir.ir.ops.linalg.matrix_products import cholesky_solve as cholesky_solve
from agir.ir.ops.linalg.matrix_products import cross as cross
from agir.ir.ops.linalg.matrix_products import det as det
from agir.ir.ops.linalg.matrix_products import eig as eig
from agir.ir.ops.linalg.matrix_products import eigh as eigh
from agir.ir.ops.linalg.matrix_products import eigvals as eigvals
from agir.ir.ops.linalg.matrix_products import eigvalsh as eigvalsh
from agir.ir.ops.linalg.matrix_products import expm as expm
from agir.ir.ops.linalg.matrix_products import global_norm as global_norm
from agir.ir.ops.linalg.matrix_products import inv as inv
from agir.ir.ops.linalg.matrix_products import logdet as logdet
from agir.ir.ops.linalg.matrix_products import lstsq as lstsq
from agir.ir.ops.linalg.matrix_products import lu as lu
from agir.ir.ops.linalg.matrix_products import matmul as matmul
from agir.ir.ops.linalg.matrix_products import matrix_rank as matrix_rank
from agir.ir.ops.linalg.matrix_products import matrix_transpose as matrix_transpose
from agir.ir.ops.linalg.matrix_products import matvec as matvec
from agir.ir.ops.linalg.matrix_products import norm as norm
from agir.ir.ops.linalg.matrix_products import normalize as normalize
from agir.ir.ops.linalg.matrix_products import pinv as pinv
from agir.ir.ops.linalg.matrix_products import qr as qr
from agir.ir.ops.linalg.matrix_products import slogdet as slogdet
from agir.ir.ops.linalg.matrix_products import solve as solve
from agir.ir.ops.linalg.matrix_products import svd as svd
from agir.ir.ops.linalg.matrix_products import tensordot as tensordot
from agir.ir.ops.linalg.matrix_products import triangular_solve as triangular_solve
from agir.ir.ops.signals.normalization import l2_normalize as l2_normalize
from agir.ir.table import TABLE as _TABLE
from agir.names import public as _public

einsum = _TABLE["einsum"]


if not _typing.TYPE_CHECKING:  # type checkers go by the imports, and know literal lists only
    __all__ = _public(globals())

    def __dir__() -> list[str]:
        return __all__
