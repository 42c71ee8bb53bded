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

    def fill(self, source: int, sink: int) -> None:
        """Send as much as there is room for, along shortest paths."""
        while (path := self._path(source, sink)) is not None:
            amount = min(self.room[edge] for edge in path)
            for edge in path:
                self.room[edge] -= amount
                self.room[edge ^ 1] += amount

    def _path(self, source: int, sink: int) -> list[int] | None:
        by: dict[int, int] = {source: -1}
        work = deque([source])
        while work:
            node = work.popleft()
            for edge in self.edges[node]:
                head = self.heads[edge]
                if self.room[edge] and head not in by:
                    by[head] = edge
                    work.append(head)
            if sink in by:
                break
        if sink not in by:
            return None
        path, node = [], sink
        while node != source:
            path.append(by[node])
            node = self.heads[by[node] ^ 1]
        return path

    def reaching(self, sink: int) -> set[int]:
        """The nodes from which more could be sent to the sink."""
        found, work = {sink}, [sink]
        while work:
            for edge in self.edges[work.pop()]:
                tail = self.heads[edge]
                if self.room[edge ^ 1] and tail not in found:
                    found.add(tail)
                    work.append(tail)
        return found


def smallest(
    wanted: Iterable[Any],
    inputs: Callable[[Any], list[Any] | None],
    size: Callable[[Any], int],
) -> set[Any]:
    """The values to save, so that all that are wanted are saved or computed from saved ones.

    ``inputs`` gives what a value is computed from, nothing for one that is always had, and None for
    one that cannot be computed again.  Of equal cuts the one is taken that leaves least to compute.
    """
    kept = {value for value in wanted if inputs(value) is None}
    flow = _Flow()
    source, sink = flow.node(), flow.node()
    ends: dict[Any, tuple[int, int]] = {}

    def place(value: Any) -> tuple[int, int]:
        if value not in ends:
            ends[value] = flow.node(), flow.node()
            flow.join(*ends[value], size(value))
            work.append(value)
        return ends[value]

    work: list[Any] = []
    for value in wanted:
        if value not in kept:
            flow.join(place(value)[1], sink, _ENDLESS)
    while work:
        value = work.pop()
        found = inputs(value)
        if found is None:
            flow.join(source, ends[value][0], _ENDLESS)
        for each in found or ():
            if each not in kept:
                flow.join(place(each)[1], ends[value][0], _ENDLESS)
    flow.fill(source, sink)
    beyond = flow.reaching(sink)
    return kept | {
        value for value, (into, out) in ends.items() if out in beyond and into not in beyond
    }
