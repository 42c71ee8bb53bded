"""A product of two vectors computes their elements itself, where they are made for it alone.

``vals @ x[cols]``: the vector that is gathered would need memory of a size that only the run time
knows, in each iteration of the loop around.  No element is used twice, so nothing is computed again.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes.analysis.generic_operations import (
    affine_map,
    iterator_types,
    reduced_axes,
)
from agir.backends.mlir.graph import Graph
from agir.ir.building import bindings


def fold_whole_slices(module: Any) -> None:
    """Replace slices that are all of a value by that value."""
    graph = Graph(module)
    for extract in graph.find("tensor.extract_slice"):
        source = extract.operands[0]
        if source.type == extract.results[0].type and _is_whole(extract, graph):
            extract.results[0].replace_all_uses_with(source)
            extract.erase()


def _is_whole(extract: Any, graph: Graph) -> bool:
    offsets, sizes, strides = (
        list(extract.attributes[f"static_{name}"]) for name in ("offsets", "sizes", "strides")
    )
    if any(offsets) or any(stride != 1 for stride in strides):
        return False
    given = iter(list(extract.operands)[1:])
    unknown = bindings.ir.ShapedType.get_dynamic_size()
    dim_sizes = _sizes(extract.operands[0], graph)
    return dim_sizes is not None and dim_sizes == [
        next(given) if size == unknown else size for size in sizes
    ]


def _sizes(value: Any, graph: Graph) -> list[Any] | None:
    """The sizes of a tensor: numbers, and the values that were given for the others."""
    while (source := graph.producer(value, "linalg.")) is not None:
        first = len(source.operands) - len(source.results)
        value = source.operands[first + list(source.results).index(value)]
    source = graph.producer(value, "tensor.empty")
    if source is not None:
        given = iter(source.operands)
        marker = bindings.ir.ShapedType.get_dynamic_size()
        return [next(given) if size == marker else size for size in value.type.shape]
    source = graph.producer(value, "tensor.extract_slice")
    if source is None or len(source.attributes["static_sizes"]) != value.type.rank:
        return None
    segments = list(source.attributes["operandSegmentSizes"])
    given = iter(list(source.operands)[1 + segments[1] :])
    marker = bindings.ir.ShapedType.get_dynamic_size()
    return [next(given) if n == marker else n for n in source.attributes["static_sizes"]]


def fuse_into_dots(module: Any) -> None:
    """Rewrite products of vectors, of which one is computed for them, as ``linalg.generic``."""
    graph = Graph(module)
    for contract in graph.find("linalg.contract"):
        inputs = list(contract.operands)[:-1]
        if (
            all(value.type.rank == 1 for value in inputs)
            and contract.results[0].type.rank == 0
            and any(_is_made_for_it(value, graph) for value in inputs)
        ):
            _open(contract)


def _is_made_for_it(value: Any, graph: Graph) -> bool:
    source = graph.producer(value, "linalg.generic")
    return source is not None and len(graph.uses(value)) == 1 and not reduced_axes(source)


def _open(contract: Any) -> None:
    ir = bindings.ir
    maps = [ir.AffineMapAttr.get(affine_map(1, axes)) for axes in ([0], [0], [])]
    with ir.InsertionPoint(contract), contract.location:
        generic = ir.Operation.create(
            "linalg.generic",
            results=[contract.results[0].type],
            operands=list(contract.operands),
            attributes={
                "indexing_maps": ir.ArrayAttr.get(maps),
                "iterator_types": iterator_types(1, [0]),
                "operandSegmentSizes": ir.DenseI32ArrayAttr.get([2, 1]),
            },
            regions=1,
        )
    contract.regions[0].blocks[0].append_to(generic.regions[0])
    contract.results[0].replace_all_uses_with(generic.results[0])
    contract.operation.erase()
