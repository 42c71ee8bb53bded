"""Floor division by powers of two as shifts.

LLVM does it for C's division, but does not see through the correction that rounds downwards.
``x - (x // 2**k) * 2**k``, which is how a remainder is recorded, then becomes a mask by itself.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes import find, producer
from agir.ir import bindings


def shift_instead_of_dividing(module: Any) -> None:
    """Replace ``arith.floordivsi`` by a constant power of two by ``arith.shrsi``."""
    for operation in find(module, "arith.floordivsi"):
        divisor = _constant(operation.operands[1])
        if divisor and divisor > 0 and divisor & (divisor - 1) == 0:
            _replace(operation, divisor.bit_length() - 1)


def _constant(value: Any) -> int | None:
    """The value of a scalar integer constant."""
    ir = bindings.ir
    source = producer(value)
    if source is None or source.name != "arith.constant":
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
