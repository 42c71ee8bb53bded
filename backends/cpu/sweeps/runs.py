"""The statements of a block that stand together, and the groups that they make."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from agir.backends.cpu.sweeps.buffers import Buffers
from agir.backends.cpu.sweeps.groups import Equal, Group, conflict, merged, of_statement
from agir.backends.cpu.sweeps.statements import (
    LEAVES,
    Leaf,
    Statement,
    is_transparent,
    leaf,
)

MOST_OPEN = 16
"""Groups that a statement is tried with, so that long programs do not take long for it."""


class Blocks:
    """The operations of each block."""

    def __init__(self, buffers: Buffers) -> None:
        self.buffers = buffers
        self.found: dict[Any, list[Any]] = {}
        for operation in buffers.graph.operations[1:]:
            self.found.setdefault(operation.block, []).append(operation)

    def runs(self, block: Any) -> Iterator[list[Statement]]:
        """The statements of a block, as far as each stands beside the one before."""
        run: list[Statement] = []
        for operation in self.found[block]:
            if operation.name == "memref.load":
                base = self.buffers.base_of(operation.operands[0])
                run.append(Statement(operation, [], [base]))
            elif not is_transparent(operation):
                leaves = self._leaves(operation, None)
                if leaves:
                    run.append(Statement(operation, leaves))
                else:
                    yield run
                    run = []
        yield run

    def _leaves(self, operation: Any, around: Any) -> list[Leaf] | None:
        """The leaves of a statement; None (or none) if an operation is no statement."""
        if operation.name in LEAVES:
            found = leaf(operation, self.buffers, around)
            return None if found is None else [found]
        if operation.name != "scf.for" or operation.results:
            return None
        leaves: list[Leaf] = []
        for inner in self.found[operation.regions[0].blocks[0]]:
            if inner.name != "scf.yield" and not is_transparent(inner):
                more = self._leaves(inner, around or operation)
                if more is None:
                    return None
                leaves += more
        return leaves


def equal_loop_sizes(run: Sequence[Statement]) -> Equal:
    """What the statements of a run say of sizes of the run time."""
    equal = Equal()
    for statement in run:
        for each in statement.leaves:
            if not each.repeated:
                equal.learn(each)
    return equal


def groups(run: Sequence[Statement], equal: Equal, buffers: Buffers) -> list[Group]:
    """The groups of a run, each of which can be executed where its last statement stands."""
    position = {statement: n for n, statement in enumerate(run)}
    found: list[Group] = []
    for n, statement in enumerate(run):
        group = of_statement(statement, equal, buffers)
        if group is None:
            continue
        for other in found[: -MOST_OPEN - 1 : -1]:
            both = merged(other, group, buffers)
            if both is not None and can_move(both, run[: n + 1], position, buffers):
                found.remove(other)
                group = both
        group.statements.sort(key=position.__getitem__)
        found.append(group)
    return found


def can_move(
    group: Group, run: Sequence[Statement], position: dict[Statement, int], buffers: Buffers
) -> bool:
    """Whether all of the group can be executed at the end of the run, which has it all."""
    own = set(group.statements)
    first = min(position[statement] for statement in own)
    others = [statement for statement in run[first:] if statement not in own]
    return not any(
        position[mine] < position[other] and conflict(mine, other, buffers)
        for other in others
        for mine in own
    )
