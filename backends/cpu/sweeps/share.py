"""Operations that go over the same rows take turns, so that a row is still in the cache.

See ``groups`` for what may share loops, ``sizes`` for when it does, ``nests`` for what is made.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.sweeps.buffers import Buffers
from agir.backends.cpu.sweeps.nests import Nests, extent_of
from agir.backends.cpu.sweeps.runs import Blocks, groups
from agir.backends.cpu.sweeps.sizes import sizes
from agir.backends.cpu.sweeps.statements import LEAVES
from agir.backends.mlir.graph import Graph


def share_loops(module: Any) -> None:
    """Make the loops that operations on buffers have in common around all of them."""
    graph = Graph(module)
    if _has_candidates(graph):
        for nests in _plan(Buffers(graph)):
            nests.make()


def _has_candidates(graph: Graph) -> bool:
    """Whether there are two operations to share loops, or one in a loop."""
    leaves = [operation for operation in graph.operations if operation.name in LEAVES]
    return len(leaves) > 1 or any(each.parent.name == "scf.for" for each in leaves)


def _plan(buffers: Buffers) -> list[Nests]:
    blocks = Blocks(buffers)
    plan: list[Nests] = []
    taken: set[Any] = set()
    for block, operations in blocks.found.items():
        if operations[0].parent in taken:
            taken.update(operations)
            continue
        for run in blocks.runs(block):
            for group in groups(run, buffers):
                group.loops = [
                    loop
                    for number, loop in enumerate(group.loops)
                    if extent_of(number, group, buffers) is not None
                ]
                size = sizes(group) if group.loops else None
                if size is not None:
                    plan.append(Nests(group, size, buffers, operations))
                    taken.update(statement.operation for statement in group.statements)
    return plan
