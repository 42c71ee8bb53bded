"""Operations that read what others of them computed, at neighbouring places, tile by tile.

``t = f(u); v = t[2:] + t[:-2]``: to compute ``v`` in the range of a tile takes ``t`` in that range and
one more to each side, its *halo*.  Each tile computes all it takes, so the tiles need nothing of each
other, and ``t`` is never larger than a tile with its halo.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from agir.backends.cpu.sweeps.buffers import Buffers
from agir.backends.cpu.sweeps.groups import Equal, Group
from agir.backends.cpu.sweeps.runs import can_move
from agir.backends.cpu.sweeps.statements import Access, Leaf, Statement, outputs
from agir.backends.cpu.sweeps.temporaries import only_used_by
from agir.records import dataclass

MOST_LEAVES = 16
"""Of one stencil: more would have halos that are larger than the tiles."""

Interval = tuple[int, int]
"""How far before the start of a tile, and after its end, something is computed."""


@dataclass(eq=False)
class Stencil:
    """A group whose loops are tiled, with halos: for each loop the interval of each leaf."""

    group: Group
    halos: list[list[Interval]]
    temporaries: dict[Any, int]
    """Arrays that nothing else uses, each with the leaf that computes it."""


@dataclass(eq=False)
class _Chain:
    """Leaves of a run that temporary arrays hold together."""

    statements: list[Statement]
    temporaries: dict[Any, int]

    @property
    def leaves(self) -> list[Leaf]:
        return [statement.leaves[0] for statement in self.statements]

    def reads(self, base: Any) -> Iterator[tuple[int, Access]]:
        for n, leaf in enumerate(self.leaves):
            for access in leaf.accesses:
                if access.base == base and not access.writes:
                    yield n, access


def stencils(run: Sequence[Statement], equal: Equal, buffers: Buffers) -> list[Stencil]:
    """The stencils of a run, each of which can be executed where its last statement stands."""
    position = {statement: n for n, statement in enumerate(run)}
    found = []
    for chain in _chains(run, buffers):
        last = max(position[statement] for statement in chain.statements)
        loops = _loops(chain, equal, buffers)
        halos = [_halos(loop, chain) for loop in loops]
        known = [n for n, each in enumerate(halos) if each is not None]
        group = Group(chain.statements, chain.leaves, [loops[n] for n in known], equal)
        if known and can_move(group, run[: last + 1], position, buffers):
            kept = [each for each in halos if each is not None]
            found.append(Stencil(group, kept, chain.temporaries))
    return found


def _chains(run: Sequence[Statement], buffers: Buffers) -> list[_Chain]:
    """The connected leaves, in the order of the run."""
    single = [each for each in run if _is_single(each)]
    writers = _temporaries(single, buffers)
    joined = list(range(len(single)))

    def end(n: int) -> int:
        while joined[n] != n:
            n = joined[n]
        return n

    for n, statement in enumerate(single):
        for access in statement.leaves[0].accesses:
            if access.base in writers:
                joined[end(n)] = end(writers[access.base])
    members: dict[int, list[int]] = {}
    for n in range(len(single)):
        members.setdefault(end(n), []).append(n)
    written = {n: base for base, n in writers.items()}
    return [
        _Chain(
            [single[n] for n in each],
            {written[n]: place for place, n in enumerate(each) if n in written},
        )
        for each in members.values()
        if 1 < len(each) <= MOST_LEAVES
    ]


def _is_single(statement: Statement) -> bool:
    return (
        len(statement.leaves) == 1
        and statement.operation == statement.leaves[0].operation
        and not statement.leaves[0].reduced
    )


def _temporaries(statements: Sequence[Statement], buffers: Buffers) -> dict[Any, int]:
    """Allocations that one leaf fills, and that only leaves read."""
    own = {statement.operation for statement in statements}
    writers: dict[Any, list[int]] = {}
    for n, statement in enumerate(statements):
        for access in statement.leaves[0].accesses:
            if access.writes:
                writers.setdefault(access.base, []).append(n)
    found = {}
    for base, [writer, *others] in writers.items():
        allocation = buffers.graph.producer(base, "memref.alloc")
        if (
            allocation is not None
            and allocation.name == "memref.alloc"
            and not others
            and _fills(statements[writer].leaves[0], base)
            and only_used_by(base, own, buffers)
        ):
            found[base] = writer
    return found


def _fills(leaf: Leaf, base: Any) -> bool:
    """Whether a leaf writes all of a buffer, and nothing else."""
    count = outputs(leaf.operation)
    return count == 1 and list(leaf.operation.operands)[-1] == base


def _loops(chain: _Chain, equal: Equal, buffers: Buffers) -> list[tuple[int, ...]]:
    """The loops that all leaves have, as the number that each has in each leaf."""
    leaves = chain.leaves
    roots = [n for n in range(len(leaves)) if n not in chain.temporaries.values()]
    if not roots or _meet_elsewhere(chain, buffers):
        return []
    first = leaves[roots[-1]]
    loops = []
    for loop in range(first.rank):
        own = _followed({roots[-1]: loop}, chain)
        if own is None or len(own) < len(leaves):
            continue
        same = all(equal.are(first.loop_sizes[loop], leaves[n].loop_sizes[own[n]]) for n in roots)
        if same and all(_is_in_place(leaves[n], own[n], buffers) for n in roots):
            loops.append(tuple(own[n] for n in range(len(leaves))))
    return loops


def _followed(own: dict[int, int], chain: _Chain) -> dict[int, int] | None:
    """The loops of all leaves that follow one loop of one leaf; None where there are several."""
    changed = True
    while changed:
        changed = False
        for base, writer in chain.temporaries.items():
            sides = [(writer, _written(chain.leaves[writer], base)), *chain.reads(base)]
            axes = {
                axis
                for n, access in sides
                for axis, place in enumerate(access.places)
                if n in own and place.counter == own[n]
            }
            if len(axes) > 1:
                return None
            for axis in axes:
                for n, access in sides:
                    counter = access.places[axis].counter
                    if counter is None or own.get(n, counter) != counter:
                        return None
                    changed = changed or n not in own
                    own[n] = counter
    return own


def _written(leaf: Leaf, base: Any) -> Access:
    return next(access for access in leaf.accesses if access.base == base and access.writes)


def _meet_elsewhere(chain: _Chain, buffers: Buffers) -> bool:
    """Whether two leaves use an array that is no temporary one, and one writes to it."""
    touched = [
        (n, access)
        for n, leaf in enumerate(chain.leaves)
        for access in leaf.accesses
        if access.base not in chain.temporaries
    ]
    return any(
        n != m and one.writes and buffers.may_share(one.base, other.base)
        for n, one in touched
        for m, other in touched
    )


def _is_in_place(leaf: Leaf, loop: int, buffers: Buffers) -> bool:
    """Whether a leaf reads what it writes in the same iteration of a loop."""
    return all(
        one.base == access.base and _is_same_iteration(one, access, loop)
        for one in leaf.accesses
        for access in leaf.accesses
        if one.writes and access is not one and buffers.may_share(one.base, access.base)
    )


def _is_same_iteration(one: Access, other: Access, loop: int) -> bool:
    return any(
        place == place_of_other and place.counter == loop and place.offset is not None
        for place, place_of_other in zip(one.places, other.places, strict=True)
    )


def _halos(loop: tuple[int, ...], chain: _Chain) -> list[Interval] | None:
    """The interval of each leaf along a loop; None where the places that are read are not known."""
    found: dict[int, Interval] = {}
    for n in reversed(range(len(chain.leaves))):
        base = next((b for b, writer in chain.temporaries.items() if writer == n), None)
        if base is None:
            found[n] = (0, 0)
            continue
        low, high = [], []
        for reader, access in chain.reads(base):
            place = next(each for each in access.places if each.counter == loop[reader])
            if not isinstance(place.offset, int) or place.step != 1 or reader not in found:
                return None
            low.append(found[reader][0] + place.offset)
            high.append(found[reader][1] + place.offset)
        if not low:
            return None
        found[n] = (min(low), max(high))
    return [found[n] for n in range(len(chain.leaves))]
