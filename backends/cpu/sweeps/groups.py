"""Which statements may share which loops.

A group's shared loops become the outer ones, around everything that is in the group.  That keeps
the order of all reads and writes of an element if each two accesses of it, one of which writes, have
the same iteration of every shared loop: along some dimension of the buffer both are at the same offset
plus the counter of that loop.  Then it does not matter which of the two comes first, or how often
each is repeated by loops that are not shared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from itertools import combinations_with_replacement, product
from typing import Any

from agir.backends.cpu.sweeps.buffers import Buffers, LoopSize
from agir.backends.cpu.sweeps.statements import Access, Leaf, Statement
from agir.records import dataclass

MOST_LEAVES = 32
"""Of one group: more would be too many places in memory at once."""

Pair = tuple[Access, Access]


@dataclass(eq=False)
class Group:
    """Statements and their shared loops: for each of these the number that it has in each leaf."""

    statements: list[Statement]
    leaves: list[Leaf]
    loops: list[tuple[int, ...]]
    equal: Equal
    bases: set[Any] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.bases = {access.base for leaf in self.leaves for access in leaf.accesses}


class Equal:
    """Which sizes of the run time are equal, for an operation has them for the same loop."""

    def __init__(self) -> None:
        self._next: dict[LoopSize, LoopSize] = {}

    def learn(self, leaf: Leaf) -> None:
        """Take note of the sizes of the loops of a leaf that is certain to be executed."""
        for loop_sizes in leaf.loop_sizes:
            first, *others = sorted(loop_sizes, key=lambda each: not isinstance(each, int)) or [
                None
            ]
            for other in others:
                end, other_end = self._end(first), self._end(other)
                if end != other_end and not isinstance(other_end, int):
                    self._next[other_end] = end

    def are(self, one: Sequence[LoopSize], other: Sequence[LoopSize]) -> bool:
        """Whether two loops have the same number of iterations."""
        return not {self._end(each) for each in one}.isdisjoint(self._end(each) for each in other)

    def _end(self, loop_size: LoopSize) -> LoopSize:
        while loop_size in self._next:
            loop_size = self._next[loop_size]
        return loop_size


def of_statement(statement: Statement, equal: Equal, buffers: Buffers) -> Group | None:
    """The group of one statement; None where its leaves have no loop in common."""
    group: Group | None = None
    for leaf in statement.leaves:
        # the order of two reductions may matter: which of two equal maxima comes first
        reduced = leaf.reduced if len(leaf.reduced) > 1 else ()
        loops: list[tuple[int, ...]] = [(n,) for n in range(leaf.rank) if n not in reduced]
        loops = _allowed(loops, _conflicts_within(leaf, buffers))
        single = Group([statement], [leaf], loops, equal)
        group = single if group is None else merged(group, single, buffers)
        if group is None:
            return None
    if group is not None:
        group.statements = [statement]
    return group if group is not None and group.loops else None


def merged(one: Group, other: Group, buffers: Buffers) -> Group | None:
    """Two groups as one, with the loops that both can share; None where there is none."""
    if len(one.leaves) + len(other.leaves) > MOST_LEAVES:
        return None
    if one.bases.isdisjoint(other.bases):
        return None
    pairs = list(_pairs(one, other))
    split = len(one.leaves)
    loops = _aligned(one, other, pairs)
    for i, k, first, second in pairs:
        if (first.writes or second.writes) and buffers.may_share(first.base, second.base):
            loops = [loop for loop in loops if _matched(first, second, loop[i], loop[split + k])]
    if not loops:
        return None
    statements = sorted({*one.statements, *other.statements}, key=id)
    return Group(statements, [*one.leaves, *other.leaves], loops, one.equal)


def conflict(one: Statement, other: Statement, buffers: Buffers) -> bool:
    """Whether the order of two statements may matter."""
    return any(
        (writes or other_writes) and buffers.may_share(base, other_base)
        for (base, writes), (other_base, other_writes) in product(one.touched, other.touched)
    )


def _pairs(one: Group, other: Group) -> Iterator[tuple[int, int, Access, Access]]:
    for (i, left), (k, right) in product(enumerate(one.leaves), enumerate(other.leaves)):
        for first, second in product(left.accesses, right.accesses):
            yield i, k, first, second


def _aligned(
    one: Group, other: Group, pairs: Sequence[tuple[int, int, Access, Access]]
) -> list[tuple[int, ...]]:
    """The loops of two groups that go along the same dimension of the same buffers."""
    votes: dict[tuple[int, int], int] = {}
    for i, k, first, second in pairs:
        if first.base != second.base:
            continue
        weight = 100 if first.writes or second.writes else 1
        for a, b in product(range(len(one.loops)), range(len(other.loops))):
            if _matched(first, second, one.loops[a][i], other.loops[b][k]):
                votes[a, b] = votes.get((a, b), 0) + weight
    loops: dict[int, int] = {}
    for a, b in sorted(votes, key=lambda pair: (-votes[pair], pair)):
        if a not in loops and b not in loops.values() and _same_loop_size(one, a, other, b):
            loops[a] = b
    return [(*one.loops[a], *other.loops[loops[a]]) for a in sorted(loops)]


def _same_loop_size(one: Group, a: int, other: Group, b: int) -> bool:
    left, right = one.leaves[0], other.leaves[0]
    return one.equal.are(left.loop_sizes[one.loops[a][0]], right.loop_sizes[other.loops[b][0]])


def _matched(first: Access, second: Access, loop: int, other_loop: int) -> bool:
    """Whether elements that both accesses touch belong to the same iteration of a loop."""
    return first.base == second.base and any(
        one.counter == loop
        and two.counter == other_loop
        and one.offset is not None
        and one.step == two.step
        and one.offset == two.offset
        for one, two in zip(first.steady, second.steady, strict=True)
    )


def _conflicts_within(leaf: Leaf, buffers: Buffers) -> list[Pair]:
    """The pairs of accesses of one leaf whose order matters where the leaf is repeated.

    Where it is not, a reduction's own accumulator is in no order's way.
    """
    return [
        (first, second)
        for first, second in combinations_with_replacement(leaf.accesses, 2)
        if (first.writes or second.writes)
        and (leaf.repeated or first is not second)
        and buffers.may_share(first.base, second.base)
    ]


def _allowed(loops: list[tuple[int, ...]], conflicts: Sequence[Pair]) -> list[tuple[int, ...]]:
    return [
        loop
        for loop in loops
        if all(_matched(first, second, loop[0], loop[0]) for first, second in conflicts)
    ]
