"""What goes into a new buffer is copied there at once.

Where a list grows, bufferization takes the part of it that goes into the new buffer for a copy: both
are what a branch may give, so it does not tell them apart.
"""

from __future__ import annotations

from typing import Any

from agir.backends.mlir.graph import Graph

_COPY = "memref.copy"
_HARMLESS = ("memref.subview", "memref.cast", "memref.dim", "memref.alloc", "arith.")
"""What may stand between two copies: it writes to no buffer."""


def forward_copies(module: Any) -> None:
    """Leave out buffers that are filled from one and only copied into another, a new one."""
    graph = Graph(module)
    for second in graph.find(_COPY):
        between, into = second.operands
        made = graph.producer(between, "memref.alloc")
        first = _only_filled(between, second, graph)
        if made is not None and first is not None and _is_newer(into, first, graph):
            second.operands[0] = first.operands[0]
            graph.erase(first)
            graph.erase(made)


def _only_filled(between: Any, second: Any, graph: Graph) -> Any | None:
    """The copy that fills a buffer of which nothing but another copy, soon after it, makes use."""
    uses = [use for use in graph.uses(between) if use.user != second]
    if len(uses) != 1 or uses[0].user.name != _COPY or uses[0].position != 1:
        return None
    first = uses[0].user
    if first.block != second.block:
        return None
    is_between = False
    for each in second.block.operations:
        if each.operation == second:
            return first if is_between else None
        if is_between and not each.operation.name.startswith(_HARMLESS):
            return None
        is_between = is_between or each.operation == first
    return None


def _root(buffer: Any, graph: Graph) -> Any:
    """The buffer that another one is a part of."""
    while (made := graph.producer(buffer)) is not None and made.name in _HARMLESS[:2]:
        buffer = made.operands[0]
    return buffer


def _is_newer(buffer: Any, copy: Any, graph: Graph) -> bool:
    """Whether a buffer is a part of what is allocated later than what a copy is made of."""
    new = graph.producer(_root(buffer, graph), "memref.alloc")
    old = graph.producer(_root(copy.operands[0], graph))
    if new is None or new.block != copy.block:
        return False
    return old is None or old.block != new.block or bool(old.is_before_in_block(new))
