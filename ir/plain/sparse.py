"""Sparse matrices of SciPy's, by rows or by columns: their three arrays, and products with dense ones.

What is not written here SciPy does when the program runs (`ir/python/scipy_calls.py`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from agir.autograph.operators import call
from agir.ir.plain.entering import (
    OfArrays,
    entering,
    is_of_run_time,
    refused,
    refusing,
    standing_for,
    unhashable,
)

__ag_convert__ = True

_MODULE = "scipy.sparse"
_TURNED = {
    "csr_matrix": "csc_matrix", "csc_matrix": "csr_matrix",
    "csr_array": "csc_array", "csc_array": "csr_array",
}  # fmt: skip
"""The class of the transposed matrix, by the class of a matrix."""


def is_sparse(value: Any) -> bool:
    """Whether a value of Python's is such a matrix."""
    kind = type(value)
    return kind.__name__ in _TURNED and kind is getattr(sys.modules.get(_MODULE), kind.__name__)


def is_of_other_format(value: Any) -> bool:
    """Whether it is a sparse matrix that lies neither by rows nor by columns."""
    kind = type(value)
    return kind.__module__.startswith(_MODULE) and hasattr(kind, "tocsr") and not is_sparse(value)


OTHER_FORMAT = "is a {}, whose contents may change between calls: give it as {}.tocsr()"


def kind_of(name: str) -> Any:
    """The class of what stands for a matrix of a class of SciPy's."""
    return standing_for(getattr(sys.modules[_MODULE], name), Sparse)


_PARTS = ("rows", "columns", "data", "indices", "indptr")


class Size(int):
    """A size of a matrix."""


def parts_of(value: Any) -> tuple[Any, list[Any]] | None:
    """What stands for a matrix, and what it consists of; None for anything else."""
    if not is_sparse(value):
        return None
    kind = kind_of(type(value).__name__)
    return (kind, _PARTS), [*map(Size, value.shape), value.data, value.indices, value.indptr]


class Sparse(OfArrays):
    """A sparse matrix."""

    __array_ufunc__ = None
    __called__ = "sparse matrix"

    def __init__(self, rows: Any, columns: Any, data: Any, indices: Any, indptr: Any) -> None:
        self.rows = rows
        self.columns = columns
        self.data = data
        self.indices = indices
        self.indptr = indptr

    def plain(self) -> Any:
        """The matrix that the caller gets."""
        arrays = (np.asarray(self.data), np.asarray(self.indices), np.asarray(self.indptr))
        return self.stands_for(arrays, shape=(int(self.rows), int(self.columns)))

    def example(self) -> Any:
        """A matrix of this size and dtype."""
        dtype = getattr(self.data.dtype, "numpy", self.data.dtype)
        sizes = [1 if is_of_run_time(each) else int(each) for each in self.shape]
        return self.stands_for(sys.modules[_MODULE].eye_array(*sizes, dtype=dtype))

    def __getattr__(self, name: str) -> Any:
        method = None if name.startswith("_") else getattr(self.stands_for, name, None)
        if not isinstance(method, FunctionType):
            return super().__getattr__(name)
        return lambda *args, **kwargs: call(method, (self, *args), kwargs)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _PARTS and name not in self.__dict__:
            object.__setattr__(self, name, value)
        elif self.__dict__.get(name) is not value:  # as `a.data *= 2` assigns it
            refusing(f"assigning to the attribute {name}")(self)

    def __hash__(self) -> int:
        unhashable(self, "what is in its arrays can be a key")

    __bool__ = refusing("the truth")
    __str__ = __repr__ = __format__ = refusing("text")
    __iter__ = refusing("iteration over the rows")

    def __len__(self) -> int:
        raise TypeError("sparse array length is ambiguous; use getnnz()")

    @property
    def shape(self) -> Any:
        """The sizes."""
        return (self.rows, self.columns)

    @property
    def ndim(self) -> int:
        """Two dimensions."""
        return 2

    @property
    def dtype(self) -> Any:
        """The dtype of what is in it."""
        return self.data.dtype

    @property
    def format(self) -> str:
        """Whether it is by rows or by columns."""
        return self.stands_for.__name__[:3]

    @property
    def nnz(self) -> Any:
        """How many numbers there are in it."""
        return self.indptr[-1].item()

    @property
    def T(self) -> Any:  # noqa: N802 - SciPy's name
        """The transposed matrix, on the same memory."""
        kind = kind_of(_TURNED[self.stands_for.__name__])
        return kind(self.columns, self.rows, self.data, self.indices, self.indptr)

    def transpose(self, axes: Any = None, copy: bool = False) -> Any:
        """The transposed matrix."""
        return self.T.copy() if copy else self.T

    def holding(self, data: Any) -> Any:
        """A matrix with other numbers in the same places."""
        kind = kind_of(self.stands_for.__name__)
        return kind(self.rows, self.columns, data, self.indices.copy(), self.indptr.copy())

    def copy(self) -> Any:
        """A matrix of its own."""
        return self.holding(self.data.copy())

    def astype(self, dtype: Any) -> Any:
        """The matrix in another dtype."""
        return self.holding(self.data.astype(dtype))

    def conjugate(self) -> Any:
        """The conjugated numbers."""
        return self.holding(np.conj(self.data))

    conj = conjugate

    def __neg__(self) -> Any:
        return self.holding(-self.data)

    def __abs__(self) -> Any:
        return self.holding(abs(self.data))

    def dot(self, other: Any) -> Any:
        """The product."""
        return matmul(self, other)

    def toarray(self) -> Any:
        """The dense array."""
        out = np.zeros((self.rows, self.columns), self.data.dtype)
        if self.format == "csr":
            spread(out, self)
        else:
            spread(out.T, self)
        return out


def spread(out: Any, a: Any) -> None:
    """Add what is in a matrix to an array, whose rows are those by which the matrix lies."""
    for row in range(len(a.indptr) - 1):
        for place in range(a.indptr[row], a.indptr[row + 1]):
            out[row, a.indices[place]] += a.data[place]


def in_scipy(a: Any, name: str, other: Any) -> Any:
    """What SciPy's operator of that name gives."""
    return call(getattr(a.stands_for, f"__{name}__"), (a, other))


def product(a: Any, x: Any) -> Any:
    """The product with a vector, or with the columns of an array."""
    dtype = np.result_type(a.data, x)
    out = np.zeros((a.rows, *x.shape[1:]), dtype)
    if a.format == "csr" and x.ndim == 1:
        for row in range(a.rows):
            total = out[row]
            for place in range(a.indptr[row], a.indptr[row + 1]):
                total += a.data[place] * x[a.indices[place]]
            out[row] = total
    elif a.format == "csr":
        for row in range(a.rows):
            for place in range(a.indptr[row], a.indptr[row + 1]):
                out[row] += a.data[place] * x[a.indices[place]]
    else:
        for column in range(a.columns):
            for place in range(a.indptr[column], a.indptr[column + 1]):
                out[a.indices[place]] += a.data[place] * x[column]
    return out


def matmul(a: Any, x: Any) -> Any:
    """``a @ x``"""
    if isinstance(x, Sparse) or is_sparse(x):
        return in_scipy(a, "matmul", x)
    x = np.asarray(x)
    if x.ndim == 0:
        raise ValueError("Scalar operands are not allowed, use '*' instead")
    if x.ndim > 2:
        refused("the product of a sparse matrix with an array of more than two dimensions")
    if x.shape[0] != a.columns:
        raise ValueError(
            f"matmul: dimension mismatch with signature (n,k={a.columns}),(k={x.shape[0]}"
            f",{'1?' if x.ndim == 1 else 'm'})->(n,{'1?' if x.ndim == 1 else 'm'})"
        )
    if a.data.dtype.kind == "b" and x.dtype.kind == "b":
        refused("the product of a sparse matrix of bools with bools")
    return product(a, x)


def rmatmul(a: Any, x: Any) -> Any:
    """``x @ a``"""
    if is_sparse(x):
        return in_scipy(a, "rmatmul", x)
    return matmul(a.T, np.asarray(x).T).T


def multiplied(a: Any, other: Any) -> Any:
    """``a * other``: the product of matrices, where it is no array of SciPy's."""
    if is_number(other):
        return a.holding(a.data * other)
    return matmul(a, other) if is_matrix(a) else in_scipy(a, "mul", other)


def rmultiplied(a: Any, other: Any) -> Any:
    """``other * a``"""
    if is_number(other):
        return a.holding(other * a.data)
    return rmatmul(a, other) if is_matrix(a) else in_scipy(a, "rmul", other)


def divided(a: Any, other: Any) -> Any:
    """``a / other``"""
    return a.holding(a.data / other) if is_number(other) else in_scipy(a, "truediv", other)


def item(a: Any, key: Any) -> Any:
    """``a[row, column]``, which several numbers may be at, and other parts of the matrix."""
    if not (isinstance(key, tuple) and len(key) == 2 and all(map(is_whole, key))):
        return in_scipy(a, "getitem", key)
    row, column = place(key[0], a.rows, "row"), place(key[1], a.columns, "column")
    if a.format == "csc":
        row, column = column, row
    total = np.zeros(1, a.data.dtype)
    for each in range(a.indptr[row], a.indptr[row + 1]):
        if a.indices[each] == column:
            total[0] += a.data[each]
    return total[0]


def place(number: Any, size: Any, what: str) -> Any:
    """A subscript from 0 on."""
    found = number + size if number < 0 else number
    if found < 0 or found >= size:
        raise IndexError(f"{what} index ({number}) out of range")
    return found


def is_matrix(a: Any) -> bool:
    """Whether it is of SciPy's older classes, whose ``*`` is a product of matrices."""
    return bool(a.stands_for.__name__.endswith("_matrix"))


def is_number(value: Any) -> bool:
    """Whether it is a number, of the run time or not."""
    if is_of_run_time(value):
        return bool(value.ndim == 0)
    return isinstance(value, (bool, int, float, complex, np.number, np.bool_))


def is_whole(value: Any) -> bool:
    """Whether it is a whole number."""
    return is_number(value) and np.asarray(value).dtype.kind in "iu"


for _name, _function in (
    ("matmul", matmul), ("rmatmul", rmatmul), ("mul", multiplied), ("rmul", rmultiplied),
    ("truediv", divided), ("getitem", item),
):  # fmt: skip
    setattr(Sparse, f"__{_name}__", entering(_function))


def _by_scipy(name: str) -> Callable[..., Any]:
    return lambda self, other: in_scipy(self, name, other)


for _name in ("add", "radd", "sub", "rsub", "eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Sparse, f"__{_name}__", _by_scipy(_name))
