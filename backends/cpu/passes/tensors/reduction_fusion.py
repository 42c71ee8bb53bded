"""Reductions to scalars that read the same array are made in one pass over it.

A minimum and a maximum, or the check of indices and the sum of what they take.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from agir.backends.cpu.passes.analysis.generic_operations import (
    affine_map,
    iterator_types,
    reduced_axes,
)
from agir.backends.mlir.graph import Producers
from agir.backends.mlir.modules import children, walk
from agir.ir.building import bindings


def fuse_sibling_reductions(module: Any) -> None:
    """Merge reductions over all axes that stand in one block and share an operand."""
    graph = Producers(module)
    blocks: dict[Any, _Earlier] = defaultdict(_Earlier)
    for generic in graph.find("linalg.generic"):
        if not _is_whole_reduction(generic, graph):
            continue
        earlier = blocks[generic.block]
        for position in earlier.of_the_same_range(generic):
            first = earlier.found[position]
            if _can_move(generic, first, graph):
                merged = _merged(first, generic)
                graph.add(merged)
                earlier.note(merged, position)
                break
        else:
            earlier.note(generic, len(earlier.found))


class _Earlier:
    """The reductions of a block so far, by the arrays that they read."""

    def __init__(self) -> None:
        self.found: dict[int, Any] = {}
        self._readers: dict[Any, set[int]] = defaultdict(set)

    def note(self, reduction: Any, position: int) -> None:
        """Put a reduction at a position, where another one may be."""
        self.found[position] = reduction
        for pair in _inputs(reduction):
            if pair[1].value.is_permutation:
                self._readers[pair].add(position)

    def of_the_same_range(self, generic: Any) -> list[int]:
        """The reductions of which an array that both read element by element says that."""
        readers = (self._readers.get(pair, ()) for pair in _inputs(generic))
        return sorted(set().union(*readers))


def _is_whole_reduction(generic: Any, graph: Producers) -> bool:
    """Whether all axes are reduced, from constants on."""
    rank = generic.attributes["indexing_maps"][0].value.n_dims
    if not rank or len(reduced_axes(generic)) != rank or not _inputs(generic):
        return False
    initial = list(generic.operands)[-len(generic.results) :]
    return all(graph.producer(value, "arith.constant") for value in initial)


def _inputs(generic: Any) -> list[tuple[Any, Any]]:
    """The arrays that are read, each with its map."""
    count = len(generic.operands) - len(generic.results)
    maps = list(generic.attributes["indexing_maps"])[:count]
    return list(zip(list(generic.operands)[:count], maps, strict=True))


def _can_move(generic: Any, first: Any, graph: Producers) -> bool:
    """Whether all that an operation needs is there before another one of its block."""
    inner = {value for each in walk(generic)[1:] for value in each.operands}
    taken = {value for value in inner if not graph.is_inside(value, generic)}
    sources = (graph.producer(v) for v in (*taken, *(value for value, _ in _inputs(generic))))
    return all(
        source is None or source.block != first.block or source.is_before_in_block(first)
        for source in sources
    )


def _merged(first: Any, second: Any) -> Any:
    """One operation, in the place of the first, that gives what both do."""
    ir = bindings.ir
    both = (first, second)
    inputs = list(dict.fromkeys([*_inputs(first), *_inputs(second)]))
    with ir.InsertionPoint(first) as here:  # the constants may stand after the first one
        initial = [
            value.owner.clone(here).results[0]
            for generic in both
            for value in list(generic.operands)[-len(generic.results) :]
        ]
    rank = inputs[0][1].value.n_dims
    maps = [*(m for _, m in inputs), *[ir.AffineMapAttr.get(affine_map(rank, ()))] * len(initial)]
    operands = [*(value for value, _ in inputs), *initial]
    with ir.InsertionPoint(first), first.location:
        merged = ir.Operation.create(
            "linalg.generic",
            results=[value.type for value in initial],
            operands=operands,
            attributes={
                "indexing_maps": ir.ArrayAttr.get(maps),
                "iterator_types": iterator_types(rank, range(rank)),
                "operandSegmentSizes": ir.DenseI32ArrayAttr.get([len(inputs), len(initial)]),
            },
            regions=1,
        )
    types = [value.type.element_type for value in operands]
    block = merged.regions[0].blocks.append(*types, arg_locs=[first.location] * len(types))
    _move(both, block, inputs)
    results = list(merged.results)
    for generic in both:
        for old in generic.results:
            old.replace_all_uses_with(results.pop(0))
        generic.erase()
    return merged


def _move(both: Any, block: Any, inputs: list[tuple[Any, Any]]) -> None:
    """Move the bodies of both into a block, whose arguments take the place of theirs."""
    ir = bindings.ir
    arguments = list(block.arguments)
    yielded: list[Any] = []
    for generic in both:
        start = len(inputs) + len(yielded)
        own = [arguments[inputs.index(pair)] for pair in _inputs(generic)]
        own += arguments[start : start + len(generic.results)]
        for old, new in zip(generic.regions[0].blocks[0].arguments, own, strict=True):
            old.replace_all_uses_with(new)
        *inside, leave = children(generic)
        for operation in inside:
            block.append(operation)
        yielded += leave.operands
    with ir.InsertionPoint(block), both[0].location:
        ir.Operation.create("linalg.yield", operands=yielded)
