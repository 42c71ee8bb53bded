"""Arrays that begin with the same number everywhere are filled with it, not copied.

Canonicalization makes constants of them.  What is computed into a constant, or returns it, needs a
copy of it: of megabytes in the object file, where the array is large.
"""

from __future__ import annotations

from typing import Any

from agir.backends.mlir.graph import Graph
from agir.ir import bindings

_READS = ("tensor.extract", "tensor.dim")
_VIEWS = (
    "tensor.extract_slice",
    "tensor.cast",
    "tensor.reshape",
    "tensor.collapse_shape",
    "tensor.expand_shape",
)


def fill_instead_of_copying(module: Any) -> None:
    """Give each use of a constant array of equal numbers that may write to it a ``linalg.fill``."""
    graph = Graph(module)
    for constant in graph.find("arith.constant"):
        kind = constant.results[0].type
        if _is_array_of_numbers(kind):
            value = constant.attributes["value"]
            if isinstance(value, bindings.ir.DenseElementsAttr) and value.is_splat:
                for user, position in graph.uses(constant.results[0]):
                    if not _only_reads(user, position, graph):
                        user.operands[position] = _filled(kind, value, user)


def _is_array_of_numbers(kind: Any) -> bool:
    ir = bindings.ir
    # the bindings have no class for constants of complex numbers
    return isinstance(kind, ir.RankedTensorType) and not isinstance(
        kind.element_type, ir.ComplexType
    )


def _only_reads(user: Any, position: int, graph: Graph) -> bool:
    if user.name.startswith("linalg."):
        return bool(position < len(user.operands) - len(user.results))
    if user.name in _VIEWS:
        return all(_only_reads(*use, graph) for use in graph.uses(user.results[0]))
    return user.name in _READS


def _filled(kind: Any, value: Any, before: Any) -> Any:
    ir = bindings.ir
    with ir.InsertionPoint(before), before.location:
        number = ir.Operation.create(
            "arith.constant",
            results=[kind.element_type],
            attributes={"value": value.get_splat_value()},
        )
        empty = ir.Operation.create("tensor.empty", results=[kind])
        fill = ir.Operation.create(
            "linalg.fill",
            results=[kind],
            operands=[number.results[0], empty.results[0]],
            attributes={"operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 1])},
            regions=1,
        )
        block = fill.regions[0].blocks.append(kind.element_type, kind.element_type)
        with ir.InsertionPoint(block):
            ir.Operation.create("linalg.yield", operands=[block.arguments[0]])
    return fill.results[0]
