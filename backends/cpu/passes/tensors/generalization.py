"""Named linalg operations that are plain data movement or a single loop as ``linalg.generic``.

Upstream's ``linalg-generalize-named-ops`` would do contractions too, and then elementwise fusion
would compute a contraction's inputs anew for each of its output elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.backends.cpu.passes.analysis.generic_operations import affine_map, iterator_types
from agir.backends.mlir.making import use_instead
from agir.backends.mlir.modules import find
from agir.ir.building import bindings


def generalize_simple_operations(module: Any) -> None:
    """Rewrite broadcasts, transpositions, maps and reductions of tensors as ``linalg.generic``."""
    for operation in find(module, *_PLANS):
        _rewrite(operation, *_PLANS[operation.name](operation))


_Plan = tuple[int, list[Sequence[int]], Sequence[int]]


def _broadcast(operation: Any) -> _Plan:
    rank = operation.results[0].type.rank
    added = list(operation.attributes["dimensions"])
    return rank, [[axis for axis in range(rank) if axis not in added], range(rank)], ()


def _transpose(operation: Any) -> _Plan:
    permutation = list(operation.attributes["permutation"])
    rank = len(permutation)
    return rank, [[permutation.index(axis) for axis in range(rank)], range(rank)], ()


def _map(operation: Any) -> _Plan:
    rank = operation.results[0].type.rank
    return rank, [range(rank)] * len(operation.operands), ()


def _reduce(operation: Any) -> _Plan:
    rank = operation.operands[0].type.rank
    reduced = list(operation.attributes["dimensions"])
    kept = [axis for axis in range(rank) if axis not in reduced]
    results = len(operation.results)
    inputs = len(operation.operands) - results
    return rank, [range(rank)] * inputs + [kept] * results, reduced


_PLANS = {
    "linalg.broadcast": _broadcast,
    "linalg.transpose": _transpose,
    "linalg.map": _map,
    "linalg.reduce": _reduce,
}


def _rewrite(operation: Any, rank: int, axes: list[Sequence[int]], reduced: Sequence[int]) -> None:
    ir = bindings.ir
    results = len(operation.results)
    inputs = len(operation.operands) - results
    maps = [ir.AffineMapAttr.get(affine_map(rank, each)) for each in axes]
    attributes = {
        "indexing_maps": ir.ArrayAttr.get(maps),
        "iterator_types": iterator_types(rank, reduced),
        "operandSegmentSizes": ir.DenseI32ArrayAttr.get([inputs, results]),
    }
    with ir.InsertionPoint(operation):
        generic = ir.Operation.create(
            "linalg.generic",
            results=[result.type for result in operation.results],
            operands=list(operation.operands),
            attributes=attributes,
            regions=1,
            loc=operation.location,
        )
    body = operation.regions[0].blocks[0]
    body.append_to(generic.regions[0])
    for value in list(operation.operands)[len(body.arguments) :]:
        body.add_argument(value.type.element_type, operation.location)
    use_instead(operation, generic.results)
    operation.operation.erase()
