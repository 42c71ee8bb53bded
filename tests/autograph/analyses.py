"""Puts questions to the analyses at the marks of a function: statements that are just a string."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

import gast

from agir.autograph.pyct import cfg
from agir.autograph.pyct.activity import scope_of, walk_function
from agir.autograph.pyct.liveness import Bits, Liveness
from agir.autograph.pyct.reaching_definitions import Conditions, ReachingDefinitions


class Analysed:
    """A function, its graph, and what is known at its marks."""

    def __init__(self, source: str) -> None:
        self.function = gast.parse(textwrap.dedent(source)).body[0]
        self.scope = scope_of(self.function)
        self.graph = cfg.build(self.function)
        self.bits = Bits(self.scope.locals)

    def marks(self) -> Iterator[tuple[str, Any]]:
        """Every mark and its node."""
        for stmt in walk_function(self.function):
            if isinstance(stmt, gast.Expr) and isinstance(stmt.value, gast.Constant):
                if stmt in self.graph.steps:
                    yield stmt.value.value, self.graph.steps[stmt]

    def live(self) -> dict[str, str]:
        """The variables that may still be read, at every mark."""
        liveness = Liveness(self.graph, self.bits, self.bits.of(self.scope.captured))
        return {
            mark: " ".join(sorted(self.bits.within(liveness.before[node.index])))
            for mark, node in self.marks()
        }

    def conditions(self) -> dict[str, Conditions]:
        """The conditions of the variables, at every mark."""
        params = self.bits.of(self.scope.params)
        unbound = self.bits.of(self.scope.locals) & ~params
        start = Conditions(unbound, 0, params)
        reaching = ReachingDefinitions(self.graph, self.bits, start, lambda node: 0)
        return {mark: reaching.before[node.index] for mark, node in self.marks()}

    def surely_bound(self) -> dict[str, str]:
        """The variables that have a value whenever control gets to a mark."""
        return {
            mark: self._names(each.bound & ~each.unbound & ~each.undefined)
            for mark, each in self.conditions().items()
        }

    def maybe_bound(self) -> dict[str, str]:
        """Those that have one on some of the ways there."""
        return {
            mark: self._names(each.bound & (each.unbound | each.undefined))
            for mark, each in self.conditions().items()
        }

    def reached(self) -> dict[str, bool]:
        """Whether control can get to a mark."""
        return {mark: any(each) for mark, each in self.conditions().items()}

    def _names(self, bits: int) -> str:
        return " ".join(sorted(self.bits.within(bits)))
