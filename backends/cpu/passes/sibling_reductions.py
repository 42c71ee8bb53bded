"""Reductions of the same arrays to scalars are made in one pass over them: a minimum and a maximum."""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes.generalize import affine_map, iterator_types, reduced_axes
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.modules import children, walk
from agir.ir import bindings


def merge_reductions(module: Any) -> None:
    """Merge reductions over all axes that stand in one block and have the same operands."""
    graph = Graph(module)
    found: dict[Any, Any] = {}
    for generic in graph.find("linalg.generic"):
        key = _key(generic, graph)
        if key is None:
            continue
        first = found.get(key)
        found[key] = generic if first is None else _merged(first, generic)


def _key(generic: Any, graph: Graph) -> Any:
    """What reductions that can be merged have in common; None for anything else."""
    results = len(generic.results)
    inputs = list(generic.operands)[:-results]
    maps = list(generic.attributes["indexing_maps"])
    rank = maps[0].value.n_dims
    if not rank or len(reduced_axes(generic)) != rank or not inputs:
        return None
    initial = list(generic.operands)[-results:]
    if not all(graph.producer(value, "arith.constant") for value in initial):
        return None
    used = (value for each in walk(generic)[1:] for value in each.operands)
    if not all(graph.is_inside(value, generic) for value in used):
        return None  # what the second takes from around it may come after the first
    return generic.block, tuple(inputs), str(maps[: len(inputs)])


def _merged(first: Any, second: Any) -> Any:
    """One operation, in the place of the first, that gives what both do."""
    ir = bindings.ir
    both = (first, second)
    counts = [len(generic.results) for generic in both]
    inputs = list(first.operands)[: -counts[0]]
    with ir.InsertionPoint(first) as here:  # the constants may stand after the first one
        initial = [
            value.owner.clone(here).results[0]
            for generic, count in zip(both, counts, strict=True)
            for value in list(generic.operands)[-count:]
        ]
    maps = list(first.attributes["indexing_maps"])[: len(inputs)]
    rank = maps[0].value.n_dims
    maps += [ir.AffineMapAttr.get(affine_map(rank, ()))] * len(initial)
    with ir.InsertionPoint(first), first.location:
        merged = ir.Operation.create(
            "linalg.generic",
            results=[value.type for value in initial],
            operands=[*inputs, *initial],
            attributes={
                "indexing_maps": ir.ArrayAttr.get(maps),
                "iterator_types": iterator_types(rank, range(rank)),
                "operandSegmentSizes": ir.DenseI32ArrayAttr.get([len(inputs), len(initial)]),
            },
            regions=1,
        )
    types = [value.type.element_type for value in (*inputs, *initial)]
    block = merged.regions[0].blocks.append(*types, arg_locs=[first.location] * len(types))
    arguments, results = list(block.arguments), list(merged.results)
    _move(both, block, arguments, len(inputs))
    for generic in both:
        for old in generic.results:
            old.replace_all_uses_with(results.pop(0))
        generic.erase()
    return merged


def _move(both: Any, block: Any, arguments: list[Any], inputs: int) -> None:
    """Move the bodies of both into a block, whose arguments take the place of theirs."""
    ir = bindings.ir
    yielded: list[Any] = []
    for generic in both:
        count = len(generic.results)
        start = inputs + len(yielded)
        own = [*arguments[:inputs], *arguments[start : start + count]]
        for old, new in zip(generic.regions[0].blocks[0].arguments, own, strict=True):
            old.replace_all_uses_with(new)
        *inside, leave = children(generic)
        for operation in inside:
            block.append(operation)
        yielded += leave.operands
    with ir.InsertionPoint(block), both[0].location:
        ir.Operation.create("linalg.yield", operands=yielded)
