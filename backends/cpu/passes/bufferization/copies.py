"""Copies between strided buffers as loops.

Lowered to LLVM, ``memref.copy`` of anything but contiguous memory calls ``memrefCopy``, a function
of MLIR's runtime library that the wheels do not ship; a ``linalg.generic`` becomes a loop.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes.analysis.generic_operations import iterator_types
from agir.backends.mlir.modules import find
from agir.ir.building import bindings


def strided_copies_to_linalg(module: Any) -> None:
    """Replace each ``memref.copy`` that touches a strided buffer by a ``linalg.generic``."""
    for operation in find(module, "memref.copy"):
        if any(map(is_strided, operation.operands)):
            _as_generic(operation)
            operation.erase()


def is_strided(buffer: Any) -> bool:
    """Whether the layout of a buffer is anything but contiguous."""
    return isinstance(buffer.type.layout, bindings.ir.StridedLayoutAttr)


def _as_generic(copy: Any) -> None:
    ir = bindings.ir
    source, target = copy.operands
    rank = target.type.rank
    identity = ir.AffineMapAttr.get(ir.AffineMap.get_identity(rank))
    attributes = {
        "indexing_maps": ir.ArrayAttr.get([identity, identity]),
        "iterator_types": iterator_types(rank),
        "operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 1]),
    }
    with ir.InsertionPoint(copy), copy.location:
        generic = ir.Operation.create(
            "linalg.generic", operands=[source, target], attributes=attributes, regions=1
        )
        block = generic.regions[0].blocks.append(source.type.element_type, target.type.element_type)
        with ir.InsertionPoint(block):
            ir.Operation.create("linalg.yield", operands=[block.arguments[0]])
