"""What a ``scf.while`` hands on to its next turn is made safe to be written to there.

Bufferization is wrong in two cases, both rare: an array from outside the loop is handed on as one of
its own, or one array as two of them.  The next turn may then write into memory that is still needed.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.graph import Graph
from agir.ir import bindings


def copy_shared_arrays(module: Any) -> None:
    """Copy tensors that ``scf.while`` passes on twice, or that are not its own."""
    graph = Graph(module)
    for leave in graph.find("scf.condition", "scf.yield"):
        loop = leave.parent
        if loop.name != "scf.while":
            continue
        passed: set[Any] = set()
        for position, value in enumerate(leave.operands):
            if _is_array(value):
                if value in passed or not graph.is_inside(value, loop):
                    leave.operands[position] = _copied(value, leave)
                passed.add(value)


def _is_array(value: Any) -> bool:
    return isinstance(value.type, bindings.ir.RankedTensorType)


def _copied(value: Any, before: Any) -> Any:
    ir = bindings.ir
    with ir.InsertionPoint(before), before.location:
        copy = ir.Operation.create(
            "bufferization.alloc_tensor",
            results=[value.type],
            operands=[value],
            attributes={"operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 1, 0])},
        )
    return copy.results[0]
