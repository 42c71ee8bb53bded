"""May a variable be unbound here?

A local variable is in one of three conditions, several of which may be possible at a point:
unbound as Python has it, holding an explicit `Undefined`, or bound.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from agir.autograph.pyct.cfg import Graph, Node
from agir.autograph.pyct.liveness import Bits


class Conditions(NamedTuple):
    """The variables that may be unbound, undefined or bound at a point."""

    unbound: int
    undefined: int
    bound: int

    def join(self, other: Conditions) -> Conditions:
        """What is possible where two paths meet."""
        return Conditions(*(mine | its for mine, its in zip(self, other, strict=True)))


NOWHERE = Conditions(0, 0, 0)


class ReachingDefinitions:
    """The conditions of the variables before every node.

    `initialised` gives the variables that are initialised with `Undefined` where they are unbound
    at the given node; `del` makes a variable undefined as well.
    """

    def __init__(
        self, graph: Graph, bits: Bits, start: Conditions, initialised: Callable[[Node], int]
    ) -> None:
        self.before = [NOWHERE] * len(graph.nodes)
        self.before[graph.entry.index] = start
        steps = [_Step(node, bits, initialised(node)) for node in graph.nodes]
        reached = {graph.entry.index}
        changed = True
        while changed:
            changed = False
            for node in graph.nodes:
                if node.index not in reached:
                    continue
                before = self.before[node.index]
                after = steps[node.index].apply(before)
                flows = [(each, after) for each in node.successors]
                if node.raises is not None:
                    flows.append((node.raises, before.join(after)))
                for target, value in flows:
                    joined = self.before[target.index].join(value)
                    if joined != self.before[target.index] or target.index not in reached:
                        reached.add(target.index)
                        self.before[target.index] = joined
                        changed = True


class _Step:
    def __init__(self, node: Node, bits: Bits, initialised: int) -> None:
        self.initialised = initialised
        self.binds = bits.of(node.access.binds)
        self.may_bind = bits.of(node.access.may_bind)
        self.deletes = bits.of(node.access.deletes)
        self.loses = bits.of([node.loses] if node.loses else [])

    def apply(self, before: Conditions) -> Conditions:
        unbound, undefined, bound = before
        undefined |= unbound & self.initialised
        unbound &= ~self.initialised
        bound |= self.may_bind
        unbound, undefined, bound = (each & ~self.deletes for each in (unbound, undefined, bound))
        undefined |= self.deletes
        unbound, undefined, bound = (
            each & ~(self.binds | self.loses) for each in (unbound, undefined, bound)
        )
        return Conditions(unbound | self.loses, undefined, bound | self.binds)
