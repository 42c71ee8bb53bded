"""The order of the loops of a ``linalg.generic``: the innermost one follows memory.

Loops are made in the order of the iterators, which for a matrix product written as usual is
row, column, sum: the innermost loop then jumps through a matrix.  Any order of them is right.
"""

from __future__ import annotations

import re
from typing import Any

from agir.backends.cpu.passes.analysis.generic_operations import (
    affine_map,
    iterator_types,
    reduced_axes,
)
from agir.backends.cpu.passes.loops.loop_coalescing import is_one_row
from agir.backends.mlir.modules import find
from agir.ir.building import bindings

_SHORT = 4  # a loop of fewer iterations is no good innermost loop


def interchange_loops(module: Any) -> None:
    """Interchange the loops of operations on buffers so that the innermost one follows memory."""
    for generic in find(module, "linalg.generic"):
        maps = [attribute.value for attribute in generic.attributes["indexing_maps"]]
        rank = maps[0].n_dims
        if rank > 1:
            innermost = _best_innermost(generic, maps, rank)
            if innermost != rank - 1:
                order = [axis for axis in range(rank) if axis != innermost] + [innermost]
                _interchange(generic, maps, order)


def _best_innermost(generic: Any, maps: list[Any], rank: int) -> int:
    reductions = reduced_axes(generic)
    # the order of two reductions may matter: which of two equal maxima comes first
    candidates = [axis for axis in range(rank) if axis not in reductions[:-1]]
    operands = list(generic.operands)
    return min(candidates, key=lambda axis: (_cost(axis, operands, maps), -axis))


def _cost(axis: int, operands: list[Any], maps: list[Any]) -> int:
    """How many accesses jump when this loop is the innermost one; a store counts twice."""
    ir = bindings.ir
    loop = ir.AffineExpr.get_dim(axis)
    cost = 0
    joined = axis > 0 and _becomes_one_with_the_loop_around(axis, operands, maps)
    for operand, affine in zip(operands, maps, strict=True):
        if not isinstance(operand.type, ir.MemRefType):
            continue
        strides = operand.type.get_strides_and_offset()[0]
        used = [i for i, result in enumerate(affine.results) if _uses(result, axis)]
        if not used:
            continue
        last = used[-1]
        if strides[last] != 1 or len(used) > 1:
            cost += 2 if operand is operands[-1] else 1
        elif affine.results[last] == loop and 0 <= _size(operand, last) < _SHORT and not joined:
            cost += 2
    return cost


def _becomes_one_with_the_loop_around(axis: int, operands: list[Any], maps: list[Any]) -> bool:
    """Whether all arrays lie as one row along an axis and the one before (`loop_coalescing`)."""
    pair = [bindings.ir.AffineExpr.get_dim(each) for each in (axis - 1, axis)]
    for operand, affine in zip(operands, maps, strict=True):
        results = list(affine.results)
        used = [
            place for each in (axis - 1, axis) for place, r in enumerate(results) if _uses(r, each)
        ]
        if used and ([results[place] for place in used] != pair or used[0] + 1 != used[1]):
            return False
        if used and not is_one_row(operand.type, used[1]):
            return False
    return True


def _uses(expression: Any, axis: int) -> bool:
    return re.search(rf"\bd{axis}\b", str(expression)) is not None


def _size(operand: Any, position: int) -> int:
    kind = operand.type
    return -1 if kind.is_dynamic_dim(position) else int(kind.get_dim_size(position))


def _interchange(generic: Any, maps: list[Any], order: list[int]) -> None:
    ir = bindings.ir
    rank = len(order)
    position = [order.index(axis) for axis in range(rank)]
    renamed = affine_map(rank, position)
    generic.attributes["indexing_maps"] = ir.ArrayAttr.get(
        [
            ir.AffineMapAttr.get(
                ir.AffineMap.get(rank, 0, [result.compose(renamed) for result in affine.results])
            )
            for affine in maps
        ]
    )
    reductions = [position[axis] for axis in reduced_axes(generic)]
    generic.attributes["iterator_types"] = iterator_types(rank, reductions)
    for index in find(generic, "linalg.index"):
        axis = index.attributes["dim"].value
        index.attributes["dim"] = ir.IntegerAttr.get(
            ir.IntegerType.get_signless(64), position[axis]
        )
