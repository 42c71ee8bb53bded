"""Dtypes, what is known of them, and how they combine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

from agir.ir.building.types import (
    DType,
    TensorType,
    as_dtype,
    bfloat16,
    bool_,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    is_python_number,
    promote,
    uint8,
    uint16,
    uint32,
    uint64,
)
from agir.ir.tensors import dispatch
from agir.ir.tensors.tensor import Tensor
from agir.numpy.arguments import array_function, check_device, operand

bool = bool_
float_, int_, uint = float64, int64, uint64
half, single, double = float16, float32, float64
csingle, cdouble = complex64, complex128
intp, uintp = int64, uint64

KINDS = {
    "bool": "b",
    "signed integer": "i",
    "unsigned integer": "u",
    "integral": "iu",
    "real floating": "f",
    "complex floating": "c",
    "numeric": "iufc",
}
"""The letters of the dtypes that belong to a kind of the standard."""


@dataclass(frozen=True)
class finfo_object:  # noqa: N801 - named as the standard names it
    """The properties of a floating-point dtype; of a complex one, those of its parts."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: DType

    @property
    def tiny(self) -> float:
        """``smallest_normal`` under NumPy's other name."""
        return self.smallest_normal


@dataclass(frozen=True)
class iinfo_object:  # noqa: N801 - named as the standard names it
    """The range of an integer dtype."""

    bits: int
    max: int
    min: int
    dtype: DType


def _dtype_of(value: Any) -> DType:
    return value.dtype if isinstance(value, Tensor) else as_dtype(getattr(value, "dtype", value))


def finfo(type: Any, /) -> finfo_object:
    """The limits of a floating-point or complex dtype, or of an array's.

    >>> ag.numpy.finfo(ag.numpy.float32).bits
    32
    """
    dtype = _dtype_of(type).real
    if not dtype.is_floating:
        raise TypeError(f"finfo() is of floating-point dtypes, not of {dtype}; see iinfo()")
    of: Any = ml_dtypes.finfo
    known = of(dtype.numpy)
    return finfo_object(
        bits=dtype.bits,
        eps=float(known.eps),
        max=float(known.max),
        min=float(known.min),
        smallest_normal=float(known.smallest_normal),
        dtype=dtype,
    )


def iinfo(type: Any, /) -> iinfo_object:
    """The limits of an integer dtype, or of an array's.

    >>> ag.numpy.iinfo(ag.numpy.int8).max
    127
    """
    dtype = _dtype_of(type)
    if not dtype.is_integer:
        raise TypeError(f"iinfo() is of integer dtypes, not of {dtype}; see finfo()")
    return iinfo_object(dtype.bits, dtype.max, dtype.min, dtype)


def isdtype(dtype: Any, kind: Any) -> Any:
    """Whether the dtype is of a kind (``"integral"``, ...), is another dtype, or any of a tuple.

    >>> ag.numpy.isdtype(ag.numpy.uint8, "integral")
    True
    """
    if isinstance(kind, tuple):
        return any(isdtype(dtype, each) for each in kind)
    if isinstance(kind, str) and kind in KINDS:
        return as_dtype(dtype).kind in KINDS[kind]
    try:
        return as_dtype(dtype) == as_dtype(kind)
    except TypeError:
        names = ", ".join(map(repr, KINDS))
        raise ValueError(f"isdtype(): {kind!r} is no dtype and none of {names}") from None


def can_cast(from_: Any, to: Any, /, casting: str = "safe") -> Any:
    """Whether the dtype, or an array's, becomes another one under the rules of promotion.

    ``casting`` is NumPy's: ``"safe"``, ``"same_kind"``, ...

    >>> ag.numpy.can_cast(ag.numpy.int8, ag.numpy.int16)
    True
    """
    source, target = _dtype_of(from_), as_dtype(to)
    if casting == "safe" and bfloat16 in (source, target):
        return promote(TensorType(source, ()), TensorType(target, ()))[0] == target
    return np.can_cast(source.numpy, target.numpy, casting)  # type: ignore[arg-type]


def _type_in_promotion(value: Any) -> TensorType:
    if isinstance(value, (DType, type, np.dtype, str)):
        return TensorType(as_dtype(value), ())
    return dispatch.type_of(operand(value), "result_type")  # type: ignore[no-any-return]


def result_type(*arrays_and_dtypes: Any) -> DType:
    """The dtype of an operation on these arrays, dtypes and Python numbers.

    >>> ag.numpy.result_type(ag.numpy.float32, 1.5, ag.numpy.int8)
    agir.float32
    """
    if not arrays_and_dtypes:
        raise ValueError("result_type() of nothing: it takes arrays, dtypes and numbers")
    return promote(*map(_type_in_promotion, arrays_and_dtypes))[0]


def promote_types(type1: Any, type2: Any) -> DType:
    """The smallest dtype that both become without loss.

    >>> ag.numpy.promote_types(ag.numpy.int32, ag.numpy.float32)
    agir.float64
    """
    return result_type(as_dtype(type1), as_dtype(type2))


@array_function("x")
def astype(x: Any, dtype: Any, /, *, copy: Any = True, device: Any = None) -> Any:
    """The elements converted: to integers by truncation, to bool by comparison with zero.

    >>> ag.numpy.astype([1.7, -1.7], ag.numpy.int64).numpy()
    array([ 1, -1])
    """
    check_device(device)
    target = as_dtype(dtype)
    if not copy and isinstance(x, Tensor) and x.dtype == target:
        return x
    return dispatch.call("cast", x, target)


def dtype(value: Any) -> DType:
    """The dtype that a name, a Python type or NumPy's dtype means.

    >>> ag.numpy.dtype("f4")
    agir.float32
    """
    return as_dtype(value)


def isscalar(element: Any) -> Any:
    """Whether it is a Python or NumPy number, and no array.

    >>> ag.numpy.isscalar(1.5)
    True
    """
    return is_python_number(element) or isinstance(element, np.generic)


__all__ = [
    "astype",
    "bfloat16",
    "bool",
    "bool_",
    "can_cast",
    "cdouble",
    "complex64",
    "complex128",
    "csingle",
    "double",
    "dtype",
    "finfo",
    "float16",
    "float32",
    "float64",
    "float_",
    "half",
    "iinfo",
    "int8",
    "int16",
    "int32",
    "int64",
    "int_",
    "intp",
    "isdtype",
    "isscalar",
    "promote_types",
    "result_type",
    "single",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "uintp",
]
