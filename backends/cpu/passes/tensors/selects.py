"""A choice between two whole arrays, which need not have the same sizes."""

from __future__ import annotations

from typing import Any

from agir.backends.mlir.modules import find
from agir.ir.building import bindings


def lower_selects_to_branches(module: Any) -> None:
    """Rewrite ``arith.select`` by a scalar, of arrays of run-time shape, as ``scf.if``.

    Canonicalization makes selects of branches that only yield.  Read as elementwise, one would
    take the sizes of the first array for those of both.
    """
    for operation in find(module, "arith.select"):
        condition, *arrays = operation.operands
        kind = operation.result.type
        if isinstance(condition.type, bindings.ir.IntegerType) and _is_open(kind):
            _rewrite(operation, condition, arrays, kind)


def _is_open(kind: Any) -> bool:
    return isinstance(kind, bindings.ir.RankedTensorType) and not kind.has_static_shape


def _rewrite(operation: Any, condition: Any, arrays: list[Any], kind: Any) -> None:
    ir = bindings.ir
    point, place = ir.InsertionPoint(operation), operation.location
    chosen = ir.Operation.create("scf.if", [kind], [condition], regions=2, loc=place, ip=point)
    for region, array in zip(chosen.regions, arrays, strict=True):
        block = region.blocks.append()
        ir.Operation.create("scf.yield", [], [array], loc=place, ip=ir.InsertionPoint(block))
    operation.result.replace_all_uses_with(chosen.result)
    operation.erase()
