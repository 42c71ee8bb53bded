"""Operations that go over the same rows take turns, so that a row is still in the cache.

See ``groups`` for what may share loops, ``sizes`` for when it does, ``nests`` for what is made; for
stencils ``stencils`` and ``tiles``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agir.backends.cpu.sweeps.buffers import Buffers
from agir.backends.cpu.sweeps.groups import Equal
from agir.backends.cpu.sweeps.nests import Nests, loop_size_of
from agir.backends.cpu.sweeps.runs import Blocks, equal_loop_sizes, groups
from agir.backends.cpu.sweeps.sizes import sizes
from agir.backends.cpu.sweeps.statements import LEAVES, Statement
from agir.backends.cpu.sweeps.stencils import stencils
from agir.backends.cpu.sweeps.tiles import Tiles, tiling
from agir.backends.mlir.graph import Graph


def fuse_sweeps(module: Any) -> None:
    """Make the loops that operations on buffers have in common around all of them."""
    graph = Graph(module)
    if _has_candidates(graph):
        for nests in _plan(Buffers(graph)):
            nests.make()


def _has_candidates(graph: Graph) -> bool:
    """Whether there are two operations to share loops, or one in a loop."""
    leaves = [operation for operation in graph.operations if operation.name in LEAVES]
    return len(leaves) > 1 or any(each.parent.name == "scf.for" for each in leaves)


def _plan(buffers: Buffers) -> list[Nests | Tiles]:
    blocks = Blocks(buffers)
    plan: list[Nests | Tiles] = []
    taken: set[Any] = set()
    for block, operations in blocks.found.items():
        if operations[0].parent in taken:
            taken.update(operations)
            continue
        for run in blocks.runs(block):
            equal = equal_loop_sizes(run)
            tiled = list(_tiled(run, equal, buffers, operations))
            nests: list[Nests | Tiles] = [
                each
                for part in _beside(run, tiled)
                for each in _nested(part, equal, buffers, operations)
            ]
            for made in [*tiled, *nests]:
                plan.append(made)
                taken.update(statement.operation for statement in made.statements)
    return plan


def _tiled(
    run: list[Statement], equal: Equal, buffers: Buffers, operations: list[Any]
) -> Iterator[Tiles]:
    for stencil in stencils(run, equal, buffers):
        tiles = tiling(stencil, buffers)
        if tiles is not None:
            yield Tiles(stencil, tiles, buffers, operations)


def _beside(run: list[Statement], tiled: list[Tiles]) -> list[list[Statement]]:
    """What stands before and after the stencils of a run."""
    own = {statement for tiles in tiled for statement in tiles.statements}
    places = [n for n, statement in enumerate(run) if statement in own]
    return [run[: places[0]], run[places[-1] + 1 :]] if places else [run]


def _nested(
    run: list[Statement], equal: Equal, buffers: Buffers, operations: list[Any]
) -> Iterator[Nests]:
    for group in groups(run, equal, buffers):
        group.loops = [
            loop
            for number, loop in enumerate(group.loops)
            if loop_size_of(number, group, buffers) is not None
        ]
        size = sizes(group) if group.loops else None
        if size is not None:
            yield Nests(group, size, buffers, operations)
