"""Reading ``linalg`` operations on buffers: which loops there are, and what they step over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any

from agir.backends.cpu.contractions.code import Code, Index
from agir.backends.cpu.contractions.nests import Access, Loop
from agir.ir.building import attributes, bindings
from agir.records import dataclass


@dataclass
class Operand:
    """A buffer and how its dimensions follow from loop numbers: coefficients and a constant each."""

    buffer: Any
    results: list[tuple[dict[int, int], int]]

    @property
    def plain(self) -> list[int] | None:
        """The loop of each dimension, if each follows one loop and no two the same."""
        axes = [next(iter(c)) for c, k in self.results if list(c.values()) == [1] and not k]
        return axes if len(set(axes)) == len(self.results) else None


def operands(operation: Any) -> list[Operand] | None:
    """The operands of a ``linalg`` operation on buffers; None if one is not read by strides."""
    found = []
    maps = [attribute.value for attribute in operation.attributes["indexing_maps"]]
    for buffer, affine in zip(operation.operands, maps, strict=True):
        results = [_linear(expression) for expression in affine.results]
        if not isinstance(buffer.type, bindings.ir.MemRefType) or None in results:
            return None
        found.append(Operand(buffer, [each for each in results if each is not None]))
    return found


def _linear(expression: Any) -> tuple[dict[int, int], int] | None:
    ir = bindings.ir
    if isinstance(expression, ir.AffineDimExpr):
        return {expression.position: 1}, 0
    if isinstance(expression, ir.AffineConstantExpr):
        return {}, expression.value
    if isinstance(expression, (ir.AffineAddExpr, ir.AffineMulExpr)):
        left, right = _linear(expression.lhs), _linear(expression.rhs)
        if left is None or right is None:
            return None
        if isinstance(expression, ir.AffineAddExpr):
            axes = {*left[0], *right[0]}
            total = {axis: left[0].get(axis, 0) + right[0].get(axis, 0) for axis in axes}
            return total, left[1] + right[1]
        if not right[0]:
            return {axis: c * right[1] for axis, c in left[0].items()}, left[1] * right[1]
    return None


@dataclass
class Reader:
    """Makes loops and accesses of operations, with what they need of run-time values."""

    code: Code
    _buffers: dict[Any, tuple[Any, Index, list[Index]]] = field(default_factory=dict)

    def loops(self, given: Sequence[Operand], shared: dict[int, Loop]) -> dict[int, Loop]:
        """The loop of each number; those in ``shared`` are there already."""
        loops = dict(shared)
        for operand in given:
            for axis, (coefficients, constant) in enumerate(operand.results):
                if list(coefficients.values()) == [1] and not constant:
                    (number,) = coefficients
                    if number not in loops or loops[number].known is None:
                        self._make(loops, number, operand.buffer, axis)
        return loops

    def _make(self, loops: dict[int, Loop], number: int, buffer: Any, axis: int) -> None:
        static = not buffer.type.is_dynamic_dim(axis)
        if number not in loops:
            loops[number] = Loop(self._size(buffer, axis))
        elif static:  # the same size, of another operand that knows it
            loops[number].size = self._size(buffer, axis)

    def _size(self, buffer: Any, axis: int) -> Index:
        if not buffer.type.is_dynamic_dim(axis):
            return int(buffer.type.get_dim_size(axis))
        number = self.code.value(axis)
        return self.code.op("memref.dim", [buffer, number], [self.code.index_type])

    def access(self, operand: Operand, loops: dict[int, Loop]) -> Access:
        """An operand as a base and steps."""
        base, offset, strides = self._flat(operand.buffer)
        steps: dict[Loop, Index] = {}
        code = self.code
        for stride, (coefficients, constant) in zip(strides, operand.results, strict=True):
            offset = code.add(offset, code.multiply(stride, constant))
            for number, coefficient in coefficients.items():
                loop = loops[number]
                if loop.known != 1:
                    step = code.multiply(stride, coefficient)
                    steps[loop] = code.add(steps.get(loop, 0), step)
        return Access(base, offset, steps, operand.buffer)

    def _flat(self, buffer: Any) -> tuple[Any, Index, list[Index]]:
        if buffer not in self._buffers:
            self._buffers[buffer] = self._flattened(buffer)
        return self._buffers[buffer]

    def _flattened(self, buffer: Any) -> tuple[Any, Index, list[Index]]:
        ir, code, kind = bindings.ir, self.code, buffer.type
        unknown = ir.ShapedType.get_dynamic_stride_or_offset()
        strides, offset = kind.get_strides_and_offset()
        dim_sizes = [int(kind.get_dim_size(i)) for i in range(kind.rank)]
        dynamic = not kind.has_static_shape or unknown in (*strides, offset)
        if dynamic:
            scalar = ir.MemRefType.get([], kind.element_type)
            metadata = ir.Operation.create(
                "memref.extract_strided_metadata",
                operands=[buffer],
                results=[scalar, *[code.index_type] * (1 + 2 * kind.rank)],
            ).results
            sizes = list(metadata)[2 : 2 + kind.rank]
            jumps = list(metadata)[2 + kind.rank :]
            offset = metadata[1] if offset == unknown else offset
            strides = [j if s == unknown else s for s, j in zip(strides, jumps, strict=True)]
            dim_sizes = [
                s if kind.is_dynamic_dim(i) else e
                for i, (s, e) in enumerate(zip(sizes, dim_sizes, strict=True))
            ]
        lasts = [code.subtract(dim_size, 1) for dim_size in dim_sizes]
        size = code.add(offset, 1, *map(code.multiply, lasts, strides))
        size = max(size, 0) if isinstance(size, int) else size
        return self._line(buffer, size), offset, list(strides)

    def _line(self, buffer: Any, size: Index) -> Any:
        """The memory of a buffer as one dimension, from where it was allocated."""
        ir = bindings.ir
        space = ir.MemRefType.get(attributes.static([size]), buffer.type.element_type)
        operands, found = attributes.slicing([buffer], [0], [size])
        return self.code.op("memref.reinterpret_cast", operands, [space], found)
