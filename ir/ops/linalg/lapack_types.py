"""The types of what factorizations and solutions give, and the shapes that they take."""

from __future__ import annotations

from typing import Any

from agir.ir.building.types import (
    DType,
    Shape,
    as_dtype,
    complex64,
    complex128,
    float32,
    int32,
    int64,
)
from agir.ir.emission import broadcast

Kind = tuple[DType, Shape]


def complex_of(dtype: DType) -> DType:
    """The complex dtype with parts of this one's precision."""
    return complex64 if dtype.real == float32 else complex128


def matrices(name: str, shape: Shape) -> tuple[Shape, Any, Any]:
    """(batch, rows, columns)."""
    if len(shape) < 2:
        raise ValueError(f"{name}() takes matrices, not an array of the shape {shape}")
    return shape[:-2], shape[-2], shape[-1]


def _square(name: str, shape: Shape) -> tuple[Shape, Any]:
    batch, rows, columns = matrices(name, shape)
    if None not in (rows, columns) and rows != columns:
        raise ValueError(f"{name}() takes square matrices, not of the shape {shape}")
    return batch, columns if rows is None else rows


def square(name: str, dtype: DType, a: Shape) -> Kind:
    """A matrix of the same size for each one."""
    batch, n = _square(name, a)
    return dtype, (*batch, n, n)


def scalar(name: str, dtype: DType, a: Shape) -> Kind:
    """A number for each square matrix."""
    return dtype, _square(name, a)[0]


def values(name: str, dtype: DType, a: Shape) -> Kind:
    """A number for each row of each square matrix."""
    batch, n = _square(name, a)
    return dtype, (*batch, n)


def _agree(name: str, left: Any, right: Any, a: Shape, b: Shape) -> Any:
    if None not in (left, right) and left != right:
        raise ValueError(f"{name}(): matrices of {a} and right-hand sides of {b} do not fit")
    return right if left is None else left


def solution(name: str, dtype: DType, a: Shape, b: Shape) -> Kind:
    """The unknowns for each right-hand side, which are the columns of ``b``."""
    batch, n = _square(name, a)
    others, rows, columns = matrices(name, b)
    n = _agree(name, n, rows, a, b)
    return dtype, (*broadcast.shapes(batch, others), n, columns)


def triangular(name: str, dtype: DType, a: Shape, b: Shape, lower: bool) -> Kind:
    """As many unknowns as rows."""
    return solution(name, dtype, a, b)


def least_squares(name: str, dtype: DType, a: Shape, b: Shape) -> Kind:
    """As many unknowns as ``a`` has columns."""
    batch, rows, unknowns = matrices(name, a)
    others, equations, columns = matrices(name, b)
    _agree(name, rows, equations, a, b)
    return dtype, (*broadcast.shapes(batch, others), unknowns, columns)


def pseudo_inverse(name: str, dtype: DType, a: Shape, rtol: Shape) -> Kind:
    """Rows and columns change places."""
    batch, rows, columns = matrices(name, a)
    return dtype, (*batch, columns, rows)


def _least(left: Any, right: Any) -> Any:
    return None if None in (left, right) else min(left, right)


def qr(name: str, dtype: DType, a: Shape, full_matrices: bool) -> list[Kind]:
    """Q and R."""
    batch, m, n = matrices(name, a)
    k = m if full_matrices else _least(m, n)
    return [(dtype, (*batch, m, k)), (dtype, (*batch, k, n))]


def svd(name: str, dtype: DType, a: Shape, full_matrices: bool) -> list[Kind]:
    """Singular values, left and right vectors."""
    batch, m, n = matrices(name, a)
    k = _least(m, n)
    left, right = (m, n) if full_matrices else (k, k)
    return [
        (dtype.real, (*batch, k)),
        (dtype, (*batch, m, left)),
        (dtype, (*batch, n, right)),
    ]


def lu(name: str, dtype: DType, a: Shape, output_idx_type: Any) -> list[Kind]:
    """The factors in one matrix, and the permutation."""
    index = as_dtype(output_idx_type)
    if index not in (int32, int64):
        raise TypeError(f"{name}(): output_idx_type is int32 or int64, not {index}")
    batch, n = _square(name, a)
    return [(dtype, (*batch, n, n)), (index, (*batch, n))]
