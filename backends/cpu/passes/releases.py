"""Buffers are freed after their last use.

Deallocation frees a buffer at the end of the block that allocates it.  In a long block without loops
all of them are alive by then, where two or three that go round would have stayed in a near cache.
This is done last: what looks for operations that stand together sees no release between them.
"""

from __future__ import annotations

from typing import Any

from agir.backends.mlir.graph import Graph, Use
from agir.backends.mlir.modules import find

_VIEWS = (
    "memref.cast",
    "memref.collapse_shape",
    "memref.expand_shape",
    "memref.reinterpret_cast",
    "memref.subview",
    "memref.transpose",
)
_USERS = (
    *("func.call", "memref.copy", "memref.dim", "memref.load"),
    *("vector.gather", "vector.load", "vector.maskedload"),
)
_STORES = ("memref.store", "vector.maskedstore", "vector.scatter", "vector.store")
"""What gives no second name to a buffer.  (What a function returns is its caller's alone.)"""


def free_after_last_use(module: Any) -> None:
    """Move the release of each buffer to the place from which on nothing uses it."""
    if len(find(module, "memref.dealloc")) < 2:
        return
    graph = Graph(module)
    places = {operation: i for i, operation in enumerate(graph.operations)}
    for release in graph.find("memref.dealloc"):
        users = _users(release.operands[0], release, graph)
        if users:
            release.move_after(max(users, key=places.__getitem__))


def _users(buffer: Any, release: Any, graph: Graph) -> list[Any]:
    """What uses a buffer in the block of its release; nothing if that is not known."""
    found: list[Any] = []
    for use in graph.uses(buffer):
        if use.user == release:
            continue
        around = _around(use.user, release.block)
        if around is None:
            return []
        if use.user.name in _VIEWS:
            inner = _users(use.user.results[0], release, graph)
            if not inner and graph.uses(use.user.results[0]):
                return []
            found += [around, *inner]
        elif _is_plain(use):
            found.append(around)
        else:
            return []
    return found


def _is_plain(use: Use) -> bool:
    return use.user.name in _USERS or (use.user.name in _STORES and _is_written_to(use))


def _is_written_to(use: Use) -> bool:
    """Whether a buffer is where something is stored, and not what is stored there."""
    return use.user.name != "memref.store" or use.position == 1


def _around(operation: Any, block: Any) -> Any | None:
    """The operation of a block that an operation is, or is inside of."""
    while operation.block != block:
        operation = operation.parent
        if operation.name == "func.func":
            return None
    return operation
