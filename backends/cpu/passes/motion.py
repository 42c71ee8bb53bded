"""Computations that can be made before an operation in whose regions they are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agir.backends.mlir.graph import Graph

_HARMLESS = frozenset(
    {"memref.alloc", "memref.dim", "memref.cast", "memref.subview", "memref.transpose"}
    | {"tensor.dim"}
)
_DIVISIONS = ("divsi", "divui", "remsi", "remui")


def movable(values: Iterable[Any], around: Any, graph: Graph) -> list[Any] | None:
    """The operations inside another one that make these values, in their order.

    None if they cannot all be executed before it, whether what it does is wanted or not.
    """
    found: dict[Any, None] = {}
    return list(found) if all(_collect(value, around, graph, found) for value in values) else None


def _collect(value: Any, around: Any, graph: Graph, found: dict[Any, None]) -> bool:
    if not graph.is_inside(value, around):
        return True
    source = graph.producer(value)
    if source is None or not _is_harmless(source.name):
        return False
    if not all(_collect(operand, around, graph, found) for operand in source.operands):
        return False
    found[source] = None
    return True


def _is_harmless(name: str) -> bool:
    """Whether an operation reads no memory, and can be executed where its result has no meaning."""
    return name in _HARMLESS or (name.startswith("arith.") and not name.endswith(_DIVISIONS))
