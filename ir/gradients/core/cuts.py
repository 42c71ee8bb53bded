"""The least that has to be saved: a smallest cut between what a program makes and what is needed.

A value can be saved, at the cost of its size, or computed again from values that are had.  What to
save is then the smallest set of values that parts those that cannot be computed again from those
that are needed: a maximal flow finds it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

_ENDLESS = 1 << 60


class _Flow:
    """A network of edges with room left, each beside its reverse."""

    def __init__(self) -> None:
        self.edges: list[list[int]] = []
        self.heads: list[int] = []
        self.room: list[int] = []

    def node(self) -> int:
        """A new node."""
        self.edges.append([])
        return len(self.edges) - 1

    def join(self, start: int, end: int, room: int) -> None:
        """An edge of that room."""
        for tail, head, own in ((start, end, room), (end, start, 0)):
            self.edges[tail].append(len(self.heads))
            self.heads.append(head)
            self.room.append(own)

    def fill(self, source: int, sinks: Iterable[int]) -> set[int]:
        """Send as much as there is room for; gives the nodes from which more could reach a sink.

        One sink after the other: what cannot be reached from the source never will be.
        """
        cut_off: set[int] = set()
        for sink in sinks:
            while (path := self._path(source, sink, cut_off)) is not None:
                amount = min(self.room[edge] for edge in path)
                for edge in path:
                    self.room[edge] -= amount
                    self.room[edge ^ 1] += amount
        return cut_off

    def _path(self, source: int, sink: int, cut_off: set[int]) -> list[int] | None:
        """Edges with room from the source to the sink; without any, what was searched is cut off."""
        if sink in cut_off:
            return None
        by: dict[int, int] = {sink: -1}
        work = deque([sink])
        while work and source not in by:
            node = work.popleft()
            for edge in self.edges[node]:
                tail = self.heads[edge]
                if self.room[edge ^ 1] and tail not in by and tail not in cut_off:
                    by[tail] = edge ^ 1
                    work.append(tail)
        if source not in by:
            cut_off.update(by)
            return None
        path, node = [], source
        while node != sink:
            path.append(by[node])
            node = self.heads[by[node]]
        return path


def smallest(
    wanted: Iterable[Any],
    inputs: Callable[[Any], list[Any] | None],
    size: Callable[[Any], int],
) -> set[Any]:
    """The values to save, so that all that are wanted are saved or computed from saved ones.

    ``inputs`` gives what a value is computed from, nothing for one that is always had, and None for
    one that cannot be computed again.  Of equal cuts the one is taken that leaves least to compute.
    """
    wanted = list(wanted)
    kept = {value for value in wanted if inputs(value) is None}
    flow = _Flow()
    source = flow.node()
    ends: dict[Any, tuple[int, int]] = {}
    work: list[Any] = []

    def place(value: Any) -> tuple[int, int]:
        if value not in ends:
            ends[value] = flow.node(), flow.node()
            flow.join(*ends[value], size(value))
            work.append(value)
        return ends[value]

    sinks = [place(value)[1] for value in wanted if value not in kept]
    while work:
        value = work.pop()
        found = inputs(value)
        if found is None:
            flow.join(source, ends[value][0], _ENDLESS)
        for each in found or ():
            if each not in kept:
                flow.join(place(each)[1], ends[value][0], _ENDLESS)
    beyond = flow.fill(source, sinks)
    return kept | {
        value for value, (into, out) in ends.items() if out in beyond and into not in beyond
    }
