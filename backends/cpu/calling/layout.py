"""How values lie in memory where compiled code takes and leaves them.

Compiled functions are called through the packed wrapper that MLIR makes for each of them: it takes
one array of pointers, one for each field of each argument (a buffer is the fields *allocated*,
*aligned*, *offset*, sizes and strides) and the last one for the results, a C struct.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any

import ml_dtypes
import numpy as np

from agir.errors import LoweringError
from agir.ir.building import bindings
from agir.records import dataclass

# MLIR type: NumPy type (MLIR's integers have no sign), struct codes of its parts
_ELEMENTS: dict[str, tuple[np.dtype[Any], str]] = {
    "i1": (np.dtype(np.bool_), "?"),
    "i8": (np.dtype(np.int8), "b"),
    "i16": (np.dtype(np.int16), "h"),
    "i32": (np.dtype(np.int32), "i"),
    "i64": (np.dtype(np.int64), "q"),
    "index": (np.dtype(np.int64), "q"),
    "f16": (np.dtype(np.float16), "e"),
    "bf16": (np.dtype(ml_dtypes.bfloat16), "H"),
    "f32": (np.dtype(np.float32), "f"),
    "f64": (np.dtype(np.float64), "d"),
    "complex<f32>": (np.dtype(np.complex64), "ff"),
    "complex<f64>": (np.dtype(np.complex128), "dd"),
}


@dataclass(frozen=True)
class Value:
    """The type of an argument or a result: a scalar, or an array where it has a shape.

    `written` says that compiled code leaves a result in the memory of this argument, `strided` that
    it takes any strides.
    """

    dtype: np.dtype[Any]
    codes: str
    shape: tuple[int | None, ...] | None
    written: bool = False
    strided: bool = False

    @property
    def strides(self) -> list[int | None]:
        """The strides as far as they are known, in elements."""
        shape = self.shape or ()
        return [None] * len(shape) if self.strided else static_strides(shape)

    @property
    def part_size(self) -> int:
        """Bytes of one machine number of this type, which is also its alignment."""
        return self.dtype.itemsize // len(self.codes)

    def __str__(self) -> str:
        if self.shape is None:
            return str(self.dtype)
        return f"{self.dtype}[{', '.join('?' if n is None else str(n) for n in self.shape)}]"


@dataclass(frozen=True)
class Signature:
    """The arguments and results of a compiled function."""

    arguments: tuple[Value, ...]
    results: tuple[Value, ...]


def signature(kind: Any, written: Container[int] = ()) -> Signature:
    """The signature that an MLIR function type stands for."""
    return Signature(
        tuple(value(each, i in written) for i, each in enumerate(kind.inputs)),
        tuple(value(each) for each in kind.results),
    )


def value(kind: Any, written: bool = False) -> Value:
    """The layout of an MLIR type."""
    ir = bindings.ir
    if not isinstance(kind, (ir.RankedTensorType, ir.MemRefType)):
        return Value(*_element(kind), None)
    shape = tuple(
        None if kind.is_dynamic_dim(axis) else kind.get_dim_size(axis) for axis in range(kind.rank)
    )
    strided = isinstance(kind, ir.MemRefType) and isinstance(kind.layout, ir.StridedLayoutAttr)
    return Value(*_element(kind.element_type), shape, written, strided)


def static_strides(shape: Sequence[int | None]) -> list[int | None]:
    """The strides of a contiguous array as far as they are known, in elements."""
    strides: list[int | None] = []
    stride: int | None = 1
    for size in reversed(shape):
        strides.append(stride)
        stride = None if stride is None or size is None else stride * size
    return strides[::-1]


def _element(kind: Any) -> tuple[np.dtype[Any], str]:
    try:
        return _ELEMENTS[str(kind)]
    except KeyError:
        raise LoweringError(f"values of type {kind} cannot cross into compiled code") from None
