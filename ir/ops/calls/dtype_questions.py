"""What NumPy's functions tell of dtypes and of kinds of values: result_type, can_cast, isscalar."""

from __future__ import annotations

from typing import Any

import numpy as np

from agir.errors import StagingError
from agir.ir.building.types import DType
from agir.ir.ops.core.recorded import records, tensor
from agir.ir.ops.shapes.numpy_creation import creates, lying
from agir.ir.tensors.dispatch import call
from agir.ir.tensors.symbolic import SymbolicTensor, is_array, is_run_time
from agir.ir.tensors.tensor import Tensor
from agir.ir.values.arrays.one_of import storage_of


def _sample(value: Any) -> Any:
    """What has the dtype of a tensor: a dtype, or a number of Python's."""
    if isinstance(value, DType):
        return value.numpy
    if not isinstance(value, Tensor):
        return value
    kind = value.type
    return kind.dtype.numpy.type(0).item() if kind.weak and not kind.shape else kind.dtype.numpy


@creates(np.finfo)
def finfo(dtype: Any) -> Any:
    """The limits of the floats of a dtype, which may be that of a tensor."""
    return np.finfo(_sample(dtype))


@creates(np.iinfo)
def iinfo(int_type: Any) -> Any:
    """The limits of the integers of a dtype, which may be that of a tensor."""
    return np.iinfo(_sample(int_type))


@records(np.result_type)
def result_type(*arrays_and_dtypes: Any) -> Any:
    """The dtype of an operation on these."""
    return np.result_type(*map(_sample, arrays_and_dtypes))


creates(np.result_type)(result_type)


@records(np.can_cast)
def can_cast(from_: Any, to: Any, casting: str = "safe") -> bool:
    """Whether a dtype can be converted to another one by a rule."""
    return np.can_cast(_sample(from_), _sample(to), casting)  # type: ignore[arg-type]


@records(np.common_type)
def common_type(*arrays: Any) -> Any:
    """The class of the floats that hold all of the arrays."""
    return np.common_type(*(np.empty(0, tensor(each).dtype.numpy) for each in arrays))


@records(np.min_scalar_type)
def min_scalar_type(a: Any) -> Any:
    """The dtype of an array; of a scalar the answer depends on its value."""
    if not tensor(a).shape:
        raise StagingError(
            "min_scalar_type() of a run-time scalar: the dtype depends on its value; name the "
            "dtype, or take x.dtype"
        )
    return tensor(a).dtype.numpy


def is_scalar(element: Any) -> bool:
    """Whether a value is a number, and no array of any number of dimensions."""
    if isinstance(element, SymbolicTensor):
        return element.weak or not is_array(element)
    return bool(np.isscalar(element))


creates(np.isscalar)(is_scalar)


@creates(np.iterable)
def iterable(y: Any) -> bool:
    """Whether a value can be iterated over."""
    if isinstance(y, SymbolicTensor):
        return bool(y.dims)
    return is_run_time(y) or bool(np.iterable(y))


@creates(np.require)
def require(a: Any, dtype: Any = None, requirements: Any = None, *, like: Any = None) -> Any:
    """The array in a dtype, or a copy where it lies in memory in another order than is required."""
    given = [requirements] if isinstance(requirements, str) else requirements or ()
    asked = {_REQUIREMENTS[str(each).upper()] for each in given}
    if {"C", "F"} <= asked:
        raise ValueError('Cannot specify both "C" and "F" order')
    made = lying(tensor(a, dtype), next(iter(asked & {"C", "F"}), None))
    is_view = isinstance(made, SymbolicTensor) and hasattr(storage_of(made), "base")
    return call("copy", made) if is_view and "O" in asked else made


_REQUIREMENTS = {
    name: names[0]
    for names in (
        ("C", "C_CONTIGUOUS", "CONTIGUOUS"), ("F", "F_CONTIGUOUS", "FORTRAN"),
        ("A", "ALIGNED"), ("W", "WRITEABLE"), ("O", "OWNDATA"), ("E", "ENSUREARRAY"),
    )
    for name in names
}  # fmt: skip
"""What NumPy calls that which can be required."""
