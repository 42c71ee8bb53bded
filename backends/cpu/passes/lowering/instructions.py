"""Operations of the LLVM dialect, appended one by one at the current insertion point."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agir.backends.mlir.making import i1, i64, number_attribute
from agir.ir.building import bindings

_COMPARISONS = {"==": 0, "!=": 1, "<": 2, "f>": 2}
"""The predicates of ``llvm.icmp``, and of ``llvm.fcmp`` behind an f: ordered comparisons."""


def _pointer() -> Any:
    return bindings.ir.Type.parse("!llvm.ptr")


class Instructions:
    """Appends operations, and notes them in a list."""

    def __init__(self, made: list[Any]) -> None:
        self._made = made

    def op(self, name: str, kind: Any, *operands: Any, **attributes: Any) -> Any:
        """The result of an operation."""
        made = bindings.ir.Operation.create(name, [kind], list(operands), attributes=attributes)
        self._made.append(made)
        return made.results[0]

    def number(self, value: int) -> Any:
        """A constant i64."""
        return self.op("llvm.mlir.constant", i64(), value=number_attribute(value))

    def real(self, value: float) -> Any:
        """A constant f64."""
        kind = bindings.ir.F64Type.get()
        return self.op("llvm.mlir.constant", kind, value=bindings.ir.FloatAttr.get(kind, value))

    def null(self) -> Any:
        """The null pointer."""
        return self.op("llvm.mlir.zero", _pointer())

    def compare(self, how: str, left: Any, right: Any) -> Any:
        """Whether one is equal, less ... than another: ``==``, ``!=``, ``<``, ``f>``."""
        name = "llvm.fcmp" if how.startswith("f") else "llvm.icmp"
        predicate = number_attribute(_COMPARISONS[how])
        return self.op(name, i1(), left, right, predicate=predicate)

    def seldom(self, condition: Any) -> Any:
        """A condition that is foreseen not to hold."""
        false = bindings.ir.BoolAttr.get(False)
        never = self.op("llvm.mlir.constant", i1(), value=false)
        return self.op("llvm.intr.expect", i1(), condition, never)

    def select(self, condition: Any, one: Any, other: Any) -> Any:
        """One of two values."""
        return self.op("llvm.select", one.type, condition, one, other)

    def minus(self, left: Any, right: Any) -> Any:
        """The difference of two i64."""
        return self.op("llvm.sub", i64(), left, right)

    def times(self, left: Any, right: Any) -> Any:
        """The product of two f64."""
        return self.op("llvm.fmul", left.type, left, right)

    def as_real(self, number: Any) -> Any:
        """An i64 as an f64."""
        return self.op("llvm.sitofp", bindings.ir.F64Type.get(), number)

    def bits(self, real: Any) -> Any:
        """The bits of an f64 as an i64."""
        return self.op("llvm.bitcast", i64(), real)

    def cell(self, *numbers: int) -> Any:
        """Memory on the stack that holds these numbers, or a register."""
        kind = {"elem_type": bindings.ir.TypeAttr.get(i64())}
        cell = self.op("llvm.alloca", _pointer(), self.number(len(numbers)), **kind)
        for n, number in enumerate(numbers):
            index = bindings.ir.DenseI32ArrayAttr.get([n])
            at = self.op("llvm.getelementptr", _pointer(), cell, rawConstantIndices=index, **kind)
            self.store(self.number(number), at)
        return cell

    def load(self, cell: Any) -> Any:
        """The number in a cell."""
        return self.op("llvm.load", i64(), cell)

    def store(self, number: Any, cell: Any) -> None:
        """Put a number into a cell."""
        self._made.append(bindings.ir.Operation.create("llvm.store", [], [number, cell]))

    def call(self, name: str, *operands: Any) -> Any:
        """The i64 that a function gives."""
        segments = bindings.ir.DenseI32ArrayAttr.get([len(operands), 0])
        return self.op(
            "llvm.call",
            i64(),
            *operands,
            callee=bindings.ir.FlatSymbolRefAttr.get(name),
            operandSegmentSizes=segments,
            op_bundle_sizes=bindings.ir.DenseI32ArrayAttr.get([]),
        )

    def go(self, block: Any, values: Iterable[Any] = ()) -> Any:
        """Go on in a block, which takes these values."""
        made = bindings.ir.Operation.create("llvm.br", [], list(values), successors=[block])
        self._made.append(made)
        return made

    def jump(self, condition: Any, block: Any, values: list[Any], otherwise: Any) -> Any:
        """Go on in one of two blocks, of which the first takes these values."""
        segments = bindings.ir.DenseI32ArrayAttr.get([1, len(values), 0])
        made = bindings.ir.Operation.create(
            "llvm.cond_br",
            [],
            [condition, *values],
            {"operandSegmentSizes": segments},
            [block, otherwise],
        )
        self._made.append(made)
        return made
