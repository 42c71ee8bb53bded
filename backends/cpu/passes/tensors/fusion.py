"""Which values elementwise fusion must not compute more than once.

``linalg-fuse-elementwise-ops`` moves a producer with one use into its consumer, even where the
consumer's loops visit each of its elements many times over (a row's maximum broadcast along the
row).  That is right for a few additions and wrong for an exponential.  The pass has no such notion,
but it leaves a value with two uses alone: so a second one is added, and removed again afterwards.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes.analysis.cost import is_costly
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.modules import find, walk
from agir.ir.building import bindings

_MARKER = "bufferization.dealloc_tensor"


def protect_costly_values(module: Any) -> None:
    """Mark costly values that fusion would compute again for many elements of their consumer."""
    graph = Graph(module)
    costly: set[Any] = set()
    for generic in graph.find("linalg.generic"):
        for value in _computed_again(generic, graph) & costly:
            costly.discard(value)
            mark(value, graph.producer(value))
        if _takes_long(generic, costly, graph):
            costly.update(generic.results)


def remove_fusion_marks(module: Any) -> None:
    """Remove what `mark` added."""
    for operation in find(module, _MARKER):
        operation.erase()


def _computed_again(generic: Any, graph: Graph) -> set[Any]:
    """The inputs that have fewer dimensions than the loops that read them, or come from outside."""
    maps = [attribute.value for attribute in generic.attributes["indexing_maps"]]
    inputs = zip(generic.operands, maps, strict=True)
    return {
        value
        for value, affine in inputs
        for source in [graph.producer(value)]
        if len(affine.results) < affine.n_dims
        or (source is not None and source.block != generic.block)
    }


def _takes_long(generic: Any, costly: set[Any], graph: Graph) -> bool:
    """Whether computing an element takes long, with all that fusion will move in front of it."""
    if any(is_costly(inner.name) for inner in walk(generic)):
        return True
    return any(value in costly and len(graph.uses(value)) == 1 for value in generic.operands)


def mark(value: Any, source: Any) -> None:
    """Give the value, which ``source`` makes, a second use until `remove_fusion_marks`."""
    ir = bindings.ir
    with ir.InsertionPoint.after(source), source.location:
        ir.Operation.create(_MARKER, operands=[value])
