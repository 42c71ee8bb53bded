"""Buffers are freed after their last use.

Deallocation frees a buffer at the end of the block that allocates it.  In a long block without loops
all of them are alive by then, where two or three that go round would have stayed in a near cache.
This is done last: what looks for operations that stand together sees no release between them.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes.analysis.memory_uses import uses_of_memory
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.modules import find, in_block

_GIVES_NO_NAME = (
    *("func.call", "memref.dealloc"),
    *("vector.gather", "vector.load", "vector.maskedload"),
    *("vector.maskedstore", "vector.scatter", "vector.store"),
)
"""What gives no second name to a buffer, besides its plain uses.  (What a function returns is its
caller's alone.)"""


def free_after_last_use(module: Any) -> None:
    """Move the release of each buffer to the place from which on nothing uses it."""
    if len(find(module, "memref.dealloc")) < 2:
        return
    graph = Graph(module)
    places = {operation: i for i, operation in enumerate(graph.operations)}
    ends = frozenset(graph.find(*_GIVES_NO_NAME))
    for release in graph.find("memref.dealloc"):
        uses = uses_of_memory(release.operands[0], graph, ends) or ()
        users = [in_block(use.user, release.block) for use in uses if use.user != release]
        if users and all(user is not None for user in users):
            release.move_after(max(users, key=places.__getitem__))
