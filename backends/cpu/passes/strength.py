"""Floor division by powers of two as shifts.

LLVM does it for C's division, but does not see through the correction that rounds downwards.
``x - (x // 2**k) * 2**k``, which is how a remainder is recorded, then becomes a mask by itself.
"""

from __future__ import annotations

from typing import Any

from agir.backends.mlir.graph import Graph
from agir.ir import bindings


def shift_instead_of_dividing(module: Any) -> None:
    """Replace ``arith.floordivsi`` by a constant power of two by ``arith.shrsi``."""
    graph = Graph(module)
    for operation in graph.find("arith.floordivsi"):
        divisor = _constant(graph.producer(operation.operands[1], "arith.constant"))
        if divisor and divisor > 0 and divisor & (divisor - 1) == 0:
            _replace(operation, divisor.bit_length() - 1)


def _constant(source: Any | None) -> int | None:
    """The value of a scalar integer constant."""
    ir = bindings.ir
    if source is None:
        return None
    attribute = source.attributes["value"]
    return attribute.value if isinstance(attribute, ir.IntegerAttr) else None


def _replace(operation: Any, places: int) -> None:
    ir = bindings.ir
    kind = operation.results[0].type
    with ir.InsertionPoint(operation), operation.location:
        amount = ir.Operation.create(
            "arith.constant",
            results=[kind],
            attributes={"value": ir.IntegerAttr.get(kind, places)},
        )
        shift = ir.Operation.create(
            "arith.shrsi", results=[kind], operands=[operation.operands[0], amount.results[0]]
        )
    operation.results[0].replace_all_uses_with(shift.results[0])
    operation.erase()
