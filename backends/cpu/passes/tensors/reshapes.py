"""Which reshapes must stay behind the values that are computed before them.

``linalg-fuse-elementwise-ops`` turns ``expand_shape(generic(x))`` into ``generic(expand_shape(x))``
at the place of the generic.  That place may be before the sizes are computed, or outside of the
branch in which the reshape is allowed: sizes that do not fit the array would then be read outside
of it before the check that refuses them.  The pass leaves a value with two uses alone, so such a
value gets a second one.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes.tensors.fusion import mark
from agir.backends.mlir.graph import Producers


def keep_reshapes_in_place(module: Any) -> None:
    """Mark values that are reshaped where, or in sizes which, their computation does not know."""
    graph = Producers(module)
    for expansion in graph.find("tensor.expand_shape"):
        value = _before_casts(expansion.operands[0], graph)
        source = graph.producer(value, "linalg.generic")
        if source is not None and not _can_move(expansion, source, graph):
            mark(value, source)


def _can_move(expansion: Any, source: Any, graph: Producers) -> bool:
    """Whether the reshape could stand before a generic and those that it would be moved through."""
    sizes = list(expansion.operands)[1:]
    waiting, seen = [source], set()
    while waiting:
        generic = waiting.pop()
        if generic in seen:
            continue
        seen.add(generic)
        if generic.block != expansion.block:
            return False
        if not all(_is_known(size, generic, graph) for size in sizes):
            return False
        producers = (
            graph.producer(_before_casts(value, graph), "linalg.generic")
            for value in generic.operands
        )
        waiting += [producer for producer in producers if producer is not None]
    return True


def _is_known(size: Any, operation: Any, graph: Producers) -> bool:
    """Whether the size is computed before the operation, in its block or around it."""
    source = graph.producer(size)
    return (
        source is None
        or source.block != operation.block
        or bool(source.is_before_in_block(operation))
    )


def _before_casts(value: Any, graph: Producers) -> Any:
    while (cast := graph.producer(value, "tensor.cast")) is not None:
        value = cast.operands[0]
    return value
