"""Cheap tensors are made where they are used.

Common subexpression elimination merges all equal ``tensor.empty`` and fills.  A shared empty tensor
makes bufferization's analysis cubic, and a fill made elsewhere than at its use is an array in
memory rather than a constant in a loop's body.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes import find
from agir.ir import bindings

_LOOPS = ("scf.for", "scf.while")


def make_fills_where_used(module: Any) -> None:
    """Give each elementwise use of a fill, and each use of an empty tensor, one of its own."""
    for splat in find(module, "tensor.splat"):
        _as_fill(splat)
    for fill in find(module, "linalg.fill"):
        if fill.results:
            for use in list(fill.results[0].uses):
                if _folds_into(use.owner.operation) and not _is_next_to(fill, use.owner.operation):
                    _clone_for(fill, use)
            if not list(fill.results[0].uses):
                fill.erase()
    make_empty_tensors_where_used(module)


def make_empty_tensors_where_used(module: Any) -> None:
    """Give each use of an empty tensor one of its own."""
    for empty in find(module, "tensor.empty"):
        for use in list(empty.results[0].uses)[1:]:
            _clone_for(empty, use)


def _folds_into(user: Any) -> bool:
    return user.name.startswith(("arith.", "math.", "linalg.")) or user.name in _LOOPS


def _is_next_to(fill: Any, user: Any) -> bool:
    """Whether a fill is its user's already."""
    return fill.block == user.block and len(list(fill.results[0].uses)) == 1


def _clone_for(operation: Any, use: Any) -> None:
    owner, position = use.owner.operation, use.operand_number
    with bindings.ir.InsertionPoint(owner):
        clone = operation.clone()
    owner.operands[position] = clone.results[0]


def _as_fill(splat: Any) -> None:
    ir = bindings.ir
    value, *extents = splat.operands
    kind = splat.results[0].type
    with ir.InsertionPoint(splat), splat.location:
        empty = ir.Operation.create("tensor.empty", results=[kind], operands=extents)
        fill = ir.Operation.create(
            "linalg.fill",
            results=[kind],
            operands=[value, empty.results[0]],
            attributes={"operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 1])},
            regions=1,
        )
        block = fill.regions[0].blocks.append(kind.element_type, kind.element_type)
        with ir.InsertionPoint(block):
            ir.Operation.create("linalg.yield", operands=[block.arguments[0]])
    splat.results[0].replace_all_uses_with(fill.results[0])
    splat.erase()
