"""Who uses a buffer, under whatever name."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from agir.backends.cpu.dependence.arrays import SELECT
from agir.backends.mlir.graph import Graph, Use
from agir.backends.mlir.reached import reached
from agir.ir.building import bindings

NAMES = frozenset(
    {"memref.subview", "memref.cast", "memref.collapse_shape", "memref.expand_shape"}
    | {"memref.reinterpret_cast", "memref.transpose", "memref.reshape", SELECT}
)
_PLAIN = frozenset({"memref.load", "memref.store", "memref.copy", "memref.dim"})


def is_buffer(value: Any) -> bool:
    """Whether a value is a buffer."""
    return isinstance(value.type, bindings.ir.MemRefType)


def uses_of_memory(value: Any, graph: Graph, ends: Collection[Any] = ()) -> list[Use] | None:
    """All uses of a buffer and of the names for it or its parts.

    None where it gets a name that is not followed; `ends` are operations that may give it one.
    """
    found: list[Use] = []
    for use in uses_by_name(value, graph):
        if use.user.name not in NAMES and use.user not in ends and not _is_plain(use.user):
            return None
        found.append(use)
    return found


def uses_by_name(value: Any, graph: Graph) -> Iterator[Use]:
    """The uses of a buffer and of the names for it or its parts, those that make names included."""

    def further(use: Use) -> list[Use]:
        return graph.uses(use.user.results[0]) if use.user.name in NAMES else []

    return reached(graph.uses(value), further)


def _is_plain(user: Any) -> bool:
    """Whether an operation only reads or writes the elements of a buffer."""
    if user.name in _PLAIN:
        return True
    return user.name.startswith("linalg.") and not user.results
