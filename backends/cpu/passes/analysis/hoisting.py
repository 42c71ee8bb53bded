"""Computations that can be made before an operation in whose regions they are."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from agir.backends.mlir.graph import Producers

_HARMLESS = frozenset(
    {"memref.dim", "memref.cast", "memref.subview", "memref.transpose", "tensor.dim"}
)
_ALLOCATION = frozenset({"memref.alloc"})
_DIVISIONS = ("divsi", "divui", "remsi", "remui")


def movable(
    values: Iterable[Any], around: Any, graph: Producers, *, allocations: bool = False
) -> list[Any] | None:
    """The operations inside another one that make these values, in their order.

    None if they cannot all be executed before it, whether what it does is wanted or not.  That can be
    said of `allocations` as long as it is not decided where they are freed.
    """
    harmless = _HARMLESS | _ALLOCATION if allocations else _HARMLESS
    found: dict[Any, None] = {}
    are = all(_collect(value, around, graph, harmless, found) for value in values)
    return list(found) if are else None


def _collect(
    value: Any, around: Any, graph: Producers, harmless: Collection[str], found: dict[Any, None]
) -> bool:
    if not graph.is_inside(value, around):
        return True
    source = graph.producer(value)
    if source in found:
        return True
    if source is None or not _is_harmless(source.name, harmless):
        return False
    if not all(_collect(each, around, graph, harmless, found) for each in source.operands):
        return False
    found[source] = None
    return True


def _is_harmless(name: str, harmless: Collection[str]) -> bool:
    """Whether an operation reads no memory, and can be executed where its result has no meaning."""
    return name in harmless or (name.startswith("arith.") and not name.endswith(_DIVISIONS))
