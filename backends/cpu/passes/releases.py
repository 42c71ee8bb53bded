"""Buffers are freed after their last use.

Deallocation frees a buffer at the end of the block that allocates it.  In a long block without loops
all of them are alive by then, where two or three that go round would have stayed in a near cache.
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
_USERS = ("memref.copy", "memref.dim", "memref.load", "memref.store", "func.call")
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
    name = use.user.name
    if name == "memref.store":
        return use.position == 1
    return name in _USERS or (name.startswith("linalg.") and not len(use.user.results))


def _around(operation: Any, block: Any) -> Any | None:
    """The operation of a block that an operation is, or is inside of."""
    while operation.block != block:
        operation = operation.parent
        if operation.name == "func.func":
            return None
    return operation
