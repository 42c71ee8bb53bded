"""MLIR types as NumPy dtypes and shapes."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import ml_dtypes
import numpy as np

from agir.errors import UnsupportedOperation
from agir.ir.building import bindings
from agir.records import dataclass

_finfo: Any = ml_dtypes.finfo
_DTYPES: dict[str, Any] = {
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "index": np.int64,
    "i128": object,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E8M0FNU": ml_dtypes.float8_e8m0fnu,
    "complex<f32>": np.complex64,
    "complex<f64>": np.complex128,
}

_LLVM = "!llvm."


@dataclass(frozen=True)
class ValueType:
    """The type of an SSA value; an unknown dimension is ``None``, and so is an unknown rank."""

    dtype: np.dtype[Any]
    is_tensor: bool = False
    """Whether values are arrays: those of tensors, and of vectors."""
    shape: tuple[int | None, ...] | None = None
    is_memref: bool = False

    def admits(self, shape: tuple[int, ...]) -> bool:
        """Whether a tensor of this shape is a value of this type."""
        if self.shape is None:
            return True
        return len(self.shape) == len(shape) and all(
            known in (None, size) for known, size in zip(self.shape, shape, strict=True)
        )

    def fill(self, sizes: tuple[int, ...]) -> tuple[int, ...]:
        """The shape, where the run-time ``sizes`` stand in for the unknown dimensions in order."""
        remaining = iter(sizes)
        return tuple(next(remaining) if size is None else size for size in self.shape or ())


@lru_cache(maxsize=1024)
def value_type(type_: Any) -> ValueType:
    """The decoded form of an MLIR type."""
    ir = bindings.ir
    if isinstance(type_, ir.UnrankedTensorType | ir.UnrankedMemRefType):
        is_memref = isinstance(type_, ir.UnrankedMemRefType)
        return ValueType(_dtype(str(type_.element_type)), not is_memref, None, is_memref)
    if isinstance(type_, ir.RankedTensorType | ir.VectorType | ir.MemRefType):
        shape = tuple(
            None if type_.is_dynamic_dim(axis) else type_.get_dim_size(axis)
            for axis in range(type_.rank)
        )
        is_memref = isinstance(type_, ir.MemRefType)
        return ValueType(_dtype(str(type_.element_type)), not is_memref, shape, is_memref)
    return ValueType(_dtype(str(type_)))


def unset(shape: int | tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """An array that nothing has been written into: its elements show where they are used."""
    made = np.empty(shape, dtype)
    if dtype.kind in "bcfi" and dtype.itemsize in (1, 2, 4, 8, 16):
        part = made.real.dtype if dtype.kind == "c" else dtype
        made.view(_bits(part))[...] = _unset_bits(part)
    return made


def is_unset(array: Any) -> Any:
    """Which elements of an array nothing has been written into, or what is as good as that."""
    array = np.asarray(array, order="C")
    if array.dtype.kind == "c":
        return is_unset(array.real) | is_unset(array.imag)
    if array.dtype.kind not in "bfiu":
        return np.zeros(array.shape, bool)
    return array.view(_bits(array.dtype)) == _unset_bits(array.dtype)


def _bits(dtype: np.dtype[Any]) -> np.dtype[Any]:
    return np.dtype(f"u{dtype.itemsize}")


def _unset_bits(dtype: np.dtype[Any]) -> int:
    """The least integer, a boolean that is none, or a NaN that no operation makes."""
    if dtype.kind == "b":
        return 2
    if dtype.kind == "f":
        quiet = int(np.full(1, np.nan, dtype).view(_bits(dtype))[0])
        return quiet | 0xA5
    return 1 << (8 * dtype.itemsize - 1)


def smallest_normal(dtype: np.dtype[Any]) -> Any:
    """The smallest positive float that is not subnormal."""
    return _finfo(dtype).smallest_normal


@cache
def _dtype(name: str) -> np.dtype[Any]:
    if name.startswith(_LLVM):  # a pointer is an integer, and what has parts a tuple
        return np.dtype(np.int64 if name == f"{_LLVM}ptr" else object)
    if name not in _DTYPES:
        raise UnsupportedOperation(f"type {name} is not supported")
    dtype: np.dtype[Any] = np.dtype(_DTYPES[name])
    return dtype


def cast_argument(value: Any, type_: ValueType) -> Any:
    """Check a caller's value against a parameter's type; never copies an array."""
    if not type_.is_tensor:
        return _cast_scalar(value, type_.dtype)
    array = _signless(np.asarray(value), type_.dtype)
    if array.dtype != type_.dtype:
        raise TypeError(f"expected a tensor of {type_.dtype}, got {array.dtype}")
    if not type_.admits(array.shape):
        raise ValueError(f"expected a tensor of shape {type_.shape}, got {array.shape}")
    return array


def _signless(array: Any, dtype: np.dtype[Any]) -> Any:
    """Unsigned integers by their bits: those of MLIR have no sign of their own."""
    same = array.dtype.kind == "u" and dtype.kind == "i" and array.itemsize == dtype.itemsize
    return array.view(dtype) if same else array


def _cast_scalar(value: Any, dtype: np.dtype[Any]) -> Any:
    if isinstance(value, (bool, int, float, complex)) and not isinstance(value, np.generic):
        return dtype.type(value)
    array = _signless(np.asarray(value), dtype)
    if array.dtype != dtype or array.ndim:
        raise TypeError(f"expected a scalar of {dtype}, got {array.dtype} of rank {array.ndim}")
    return array[()]


def export_result(value: Any, type_: ValueType) -> Any:
    """A caller's own copy of a result."""
    return np.array(value, type_.dtype) if type_.is_tensor else value
