"""Who uses a buffer, under whatever name."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from agir.backends.cpu.dependence.arrays import SELECT
from agir.backends.mlir.graph import Graph, Use
from agir.ir import bindings

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
    for use in graph.uses(value):
        found.append(use)
        if use.user.name in NAMES:
            further = uses_of_memory(use.user.results[0], graph, ends)
            if further is None:
                return None
            found += further
        elif use.user not in ends and not _is_plain(use.user):
            return None
    return found


def _is_plain(user: Any) -> bool:
    """Whether an operation only reads or writes the elements of a buffer."""
    if user.name in _PLAIN:
        return True
    return user.name.startswith("linalg.") and not user.results
