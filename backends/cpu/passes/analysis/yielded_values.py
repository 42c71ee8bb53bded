"""What values are that loops and branches yield."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from agir.backends.cpu.passes.analysis.loop_carried import BOUNDS
from agir.backends.mlir.graph import Graph


class YieldedValues:
    """The variables of loops, and the results of loops and branches, as they were when this was made.

    By values: the hash of an operation is made of its operands, which change.
    """

    def __init__(self, graph: Graph) -> None:
        self._sources: dict[Any, list[Any]] = {}
        ends: defaultdict[Any, list[Any]] = defaultdict(list)
        for each in graph.find("scf.yield", "scf.condition"):
            ends[each.parent].append(list(each.operands))
        for each in graph.find("scf.for"):
            starts, [following] = list(each.operands)[BOUNDS:], ends[each]
            iterations = [list(pair) for pair in zip(starts, following, strict=True)]
            self._note(list(each.regions[0].blocks[0].arguments)[1:], iterations)
            self._note(each.results, iterations)
        for each in graph.find("scf.while"):
            tested, following = ends[each]
            iterations = [list(pair) for pair in zip(each.operands, following, strict=True)]
            passed = [[value] for value in tested[1:]]
            self._note(each.regions[0].blocks[0].arguments, iterations)
            self._note(each.regions[1].blocks[0].arguments, passed)
            self._note(each.results, passed)
        for each in graph.find("scf.if"):
            if each.results:
                self._note(each.results, [list(pair) for pair in zip(*ends[each], strict=True)])

    def _note(self, values: Iterable[Any], sources: Iterable[list[Any]]) -> None:
        self._sources.update(zip(values, sources, strict=True))

    def sources(self, value: Any) -> list[Any] | None:
        """The values of which one is another one; None where it is computed, or a counter."""
        return self._sources.get(value)
