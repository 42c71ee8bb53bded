"""Reductions of nothing give what they begin with.

The product of zeros is zero whatever it begins with, as long as there is one: where fusion finds out
that the elements are such a constant, the loop no longer reads what it begins with, and
``linalg-fuse-elementwise-ops`` then lets it begin with nothing.  Of an axis without elements the
result would be whatever lies in memory.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from agir.backends.cpu.passes.analysis.generic_operations import (
    affine_map,
    iterator_types,
    reduced_axes,
)
from agir.backends.cpu.passes.tensors.fusion import mark
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.making import compare, index_constant, op, size_of
from agir.backends.mlir.modules import find
from agir.ir.building import bindings

_READ = "tensor.from_elements"


def mark_empty_reductions(module: Any) -> None:
    """Let reductions over dimensions that may be empty read their initial value for now.

    `remove_fusion_marks` takes that out again.

    Only integers have numbers that absorb all others.
    """
    ir = bindings.ir
    for generic in find(module, "linalg.generic"):
        if next(_unsure_axes(generic), None) is None:
            continue
        block = generic.regions[0].blocks[0]
        for argument in list(block.arguments)[-len(generic.results) :]:
            if isinstance(argument.type, ir.IntegerType):
                with ir.InsertionPoint.at_block_begin(block), generic.location:
                    kind = ir.RankedTensorType.get([1], argument.type)
                    read = op(_READ, kind, argument)
                mark(read, read.owner)


def restore_empty_reductions(module: Any) -> None:
    """Reductions to a constant: it is the result where there are elements."""
    graph = Graph(module)
    for generic in graph.find("linalg.generic"):
        block = generic.regions[0].blocks[0]
        argument = list(block.arguments)[-1]
        for read in [user for user, _ in graph.uses(argument) if user.name == _READ]:
            read.erase()
        if len(generic.results) == 1 and not list(argument.uses):
            _choose(generic, graph)


def _choose(generic: Any, graph: Graph) -> None:
    ir = bindings.ir
    axes = list(_unsure_axes(generic))
    value = list(generic.regions[0].blocks[0].operations)[-1].operands[0]
    if not axes or graph.is_inside(value, generic):
        return
    start = generic.operands[len(generic.operands) - 1]
    if any(size == 0 for _, _, size in axes):
        generic.results[0].replace_all_uses_with(start)
        return
    with ir.InsertionPoint(generic), generic.location:
        zero = index_constant(0)
        some = (compare(size_of(array, axis), "ne", zero) for array, axis, _ in axes)
        filled = functools.reduce(lambda a, b: op("arith.andi", a.type, a, b), some)
        chosen = _elementwise(generic, start)
    inside = chosen.regions[0].blocks.append(start.type.element_type)
    with ir.InsertionPoint(inside), generic.location:
        (begun,) = inside.arguments
        either = op("arith.select", begun.type, filled, value, begun)
        ir.Operation.create("linalg.yield", operands=[either])
    generic.results[0].replace_all_uses_with(chosen.results[0])


def _elementwise(generic: Any, start: Any) -> Any:
    """An elementwise operation on what a reduction begins with, without its body."""
    ir = bindings.ir
    rank = start.type.rank
    places = ir.AffineMapAttr.get(affine_map(rank, range(rank)))
    attributes = {
        "indexing_maps": ir.ArrayAttr.get([places]),
        "iterator_types": iterator_types(rank),
        "operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 1]),
    }
    return ir.Operation.create(
        "linalg.generic", [generic.results[0].type], [start], attributes, regions=1
    )


def _unsure_axes(generic: Any) -> Iterator[tuple[Any, int, int]]:
    """An array, the axis of it, and its size, for each reduction that may be over nothing."""
    maps = [attribute.value for attribute in generic.attributes["indexing_maps"]]
    for axis in reduced_axes(generic):
        found = [
            (array, place, array.type.shape[place])
            for array, affine in zip(generic.operands, maps, strict=True)
            for place, each in enumerate(affine.results)
            if isinstance(each, bindings.ir.AffineDimExpr) and each.position == axis
        ]
        if found and all(size <= 0 for _, _, size in found):
            yield min(found, key=lambda each: each[2] != 0)
