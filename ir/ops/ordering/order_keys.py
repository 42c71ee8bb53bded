"""Integers in the order of an array's elements: what sorting compares instead of the elements.

NaN comes last, in either direction; equal elements have equal keys, but for zeros of different sign
where the keys are to be turned back into the elements.
"""

from __future__ import annotations

from typing import Any

from agir.ir.building.types import DType, bool_, int8, int16, int32, int64, uint8
from agir.ir.emission import emit
from agir.ir.tensors.symbolic import Dims
from agir.ir.tracing.trace import Trace

_INFINITY = {"float16": 0x7C00, "bfloat16": 0x7F80, "float32": 0x7F800000,
             "float64": 0x7FF0000000000000}  # fmt: skip
"""The bits of infinity; those of a NaN without its sign are more."""

_SIGNED = {8: int8, 16: int16, 32: int32, 64: int64}


def key_dtype(dtype: DType) -> DType:
    """The signed integers that the keys of elements of the dtype are."""
    return int8 if dtype.kind == "b" else _SIGNED[dtype.bits]


class Keys:
    """Emission of keys for elements of one dtype and dimensions, in one direction."""

    def __init__(self, trace: Trace, dtype: DType, dims: Dims, descending: bool) -> None:
        self.trace, self.dtype, self.dims = trace, dtype, dims
        self.descending = descending
        self.kind = key_dtype(dtype)
        self.greatest = 2 ** (self.kind.bits - 1) - 1

    def of(self, ssa: Any, exact: bool) -> Any:
        """The keys; ``exact`` where :meth:`elements` is to give back just these elements."""
        if self.dtype.is_floating:
            return self._of_floats(ssa, exact)
        if self.dtype.kind == "b":
            ssa = emit.convert(self.trace, ssa, bool_, uint8, self.dims)
        return self._directed(self._shifted(ssa))

    def elements(self, keys: Any) -> Any:
        """The elements that the keys were made of; a NaN may be another one."""
        keys = self._directed(keys)
        if self.dtype.is_floating:
            bits = self._folded(keys)
            return emit.elementwise(self.trace, "arith.bitcast", self.dtype, self.dims, bits)
        values = self._shifted(keys)
        if self.dtype.kind == "b":
            values = emit.convert(self.trace, values, uint8, bool_, self.dims)
        return values

    def _constant(self, value: int) -> Any:
        return emit.constant_like(self.trace, self.kind, self.dims, value)

    def _op(self, name: str, *operands: Any) -> Any:
        return emit.elementwise(self.trace, f"arith.{name}", self.kind, self.dims, *operands)

    def _compare(self, predicate: str, left: Any, right: Any) -> Any:
        return emit.compare_integers(self.trace, predicate, self.dims, left, right)

    def _shifted(self, ssa: Any) -> Any:
        """Unsigned integers in the order of signed ones, and back."""
        if self.dtype.kind == "i":
            return ssa
        return self._op("xori", ssa, self._constant(-self.greatest - 1))

    def _directed(self, keys: Any) -> Any:
        """In reverse order, and back."""
        return self._op("xori", keys, self._constant(-1)) if self.descending else keys

    def _folded(self, bits: Any) -> Any:
        """Negative numbers' magnitudes the other way round, and back."""
        width = self._constant(self.kind.bits - 1)
        sign = self._op("shrsi", bits, width)
        magnitude = self._op("andi", sign, self._constant(self.greatest))
        return self._op("xori", bits, magnitude)

    def _of_floats(self, ssa: Any, exact: bool) -> Any:
        bits = emit.elementwise(self.trace, "arith.bitcast", self.kind, self.dims, ssa)
        size = self._op("andi", bits, self._constant(self.greatest))
        unordered = self._compare("sgt", size, self._constant(_INFINITY[self.dtype.name]))
        if not exact:
            zero = self._constant(0)
            is_zero = self._compare("eq", size, zero)
            bits = emit.select(self.trace, is_zero, zero, bits)
        keys = self._directed(self._folded(bits))
        return emit.select(self.trace, unordered, self._constant(self.greatest), keys)
