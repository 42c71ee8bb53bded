"""Arrays of one number are filled while the program runs, and are no part of its machine code.

A constant array is stored in the machine code with all its elements.  One of zeros, into which a sum
or a product is computed, would be copied from there.
"""

from __future__ import annotations

from math import prod
from typing import Any

from agir.backends.mlir.graph import Graph, Use
from agir.ir.building import bindings

_SMALL = 8
"""Elements up to which a constant is as good as a loop."""


def fill_splat_constants(module: Any) -> None:
    """Make each use of a constant tensor of equal elements a fill of its own."""
    graph = Graph(module)
    for constant in graph.find("arith.constant"):
        kind = constant.results[0].type
        if not isinstance(kind, bindings.ir.RankedTensorType) or prod(kind.shape) <= _SMALL:
            continue
        number = _element(constant)
        if number is not None:
            for use in graph.uses(constant.results[0]):
                _fill_for(use, kind, number, constant.location)
            constant.erase()


def _element(constant: Any) -> Any:
    """The attribute of the one element that a constant repeats; None where they differ."""
    try:
        elements = constant.attributes["value"]
    except TypeError:  # the bindings have no class for complex ones
        return None
    return elements.get_splat_value() if elements.is_splat else None


def _fill_for(use: Use, kind: Any, number: Any, location: Any) -> None:
    ir = bindings.ir
    with ir.InsertionPoint(use.user), location:
        scalar = ir.Operation.create(
            "arith.constant", results=[kind.element_type], attributes={"value": number}
        )
        empty = ir.Operation.create("tensor.empty", results=[kind])
        fill = ir.Operation.create(
            "linalg.fill",
            results=[kind],
            operands=[scalar.results[0], empty.results[0]],
            attributes={"operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 1])},
            regions=1,
        )
        block = fill.regions[0].blocks.append(kind.element_type, kind.element_type)
        with ir.InsertionPoint(block):
            ir.Operation.create("linalg.yield", operands=[block.arguments[0]])
    use.user.operands[use.position] = fill.results[0]
