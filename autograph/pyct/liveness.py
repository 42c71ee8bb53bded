"""Which variables may still be read, at every point of a function."""

from __future__ import annotations

from collections.abc import Iterable

from agir.autograph.pyct.cfg import Graph, Node


class Bits:
    """Sets of names as the bits of an integer."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(dict.fromkeys(names))
        self._bit = {name: 1 << index for index, name in enumerate(self.names)}

    def of(self, names: Iterable[str]) -> int:
        """The set of these names; names that are not among `names` are left out."""
        bits = 0
        for name in names:
            bits |= self._bit.get(name, 0)
        return bits

    def within(self, bits: int) -> tuple[str, ...]:
        """The names in a set."""
        return tuple(name for name in self.names if self._bit[name] & bits)


class Liveness:
    """The variables that are live before and after every node."""

    def __init__(self, graph: Graph, bits: Bits, always: int) -> None:
        self.before = [0] * len(graph.nodes)
        self.after = [always] * len(graph.nodes)
        uses = [bits.of(_used(node)) for node in graph.nodes]
        kills = [bits.of((*node.access.binds, *filter(None, [node.loses]))) for node in graph.nodes]
        changed = True
        while changed:
            changed = False
            for node in reversed(graph.nodes):
                after = always
                for successor in node.successors:
                    after |= self.before[successor.index]
                before = uses[node.index] | after & ~kills[node.index]
                if node.raises is not None:
                    before |= self.before[node.raises.index]
                if before != self.before[node.index] or after != self.after[node.index]:
                    self.before[node.index], self.after[node.index] = before, after
                    changed = True


def _used(node: Node) -> Iterable[str]:
    yield from (read.id for read in node.access.reads)
    yield from (read.id for read in node.access.inner_reads)
    yield from node.access.captured
    yield from node.access.deletes
