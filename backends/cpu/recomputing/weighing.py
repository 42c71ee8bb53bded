"""Which stages are computed where they are read, and at how many places.

To keep a stage is to write it, and to read it where it is used; to compute it again is to do its
operations once for each place at which an iteration of the reader's loops needs it.  The unit is one
operation on a vector.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from math import frexp
from typing import Any

from agir.backends.cpu.passes.analysis.cost import is_costly
from agir.backends.cpu.recomputing.changes import is_overwritten
from agir.backends.cpu.recomputing.positions import Position, composed, dimension_size
from agir.backends.cpu.recomputing.stages import (
    Stage,
    bases,
    counters,
    is_shifted,
    loops_of,
    loops_of_operands,
    visits_each_once,
)
from agir.backends.cpu.sweeps.buffers import static_bytes
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.modules import walk
from agir.records import dataclass

MOVED = ((256 * 1024, 1), (4 * 1024 * 1024, 2))
"""What it costs to move an array of so many bytes once, in a near cache and in a far one."""
MOVED_IN_MEMORY = 6
OWN_LOOP = 3  # what a loop of its own costs
MOST_OPERATIONS = 400  # in one loop: more take LLVM long, and have no registers

_COSTS = {"arith.divf": 28, "math.sqrt": 28, "complex.mul": 6}
_COSTLY = 60
_FREE = frozenset({"linalg.index", "linalg.yield", "arith.constant", "complex.constant"})

Points = dict[Position, None]
"""The positions at which something is computed, in order."""


@dataclass(eq=False)
class Root:
    """A stage that stays, and what is computed in its loops."""

    stage: Stage
    sizes: list[Any]
    computed: dict[Stage, Points] = field(default_factory=dict)

    @property
    def operations(self) -> int:
        """About how many operations one iteration has."""
        own = operations(self.stage)
        return own + sum(len(points) * operations(each) for each, points in self.computed.items())

    def keeps_its_loops(self, added: Stage, points: Points) -> bool:
        """Whether operands still say how often each loop runs if one more stage is computed.

        The only array that a reduction reads may be one whose elements depend on no other.
        """
        computed = {**self.computed, added: points}
        gone = {each.operation.results[0] for each in computed}
        found = loops_of_operands(self.stage, gone)
        for each, positions in computed.items():
            for reading in each.readings:
                if reading.base not in gone and reading.position is not None:
                    for point in positions:
                        found.update(counters(composed(reading.position, point)))
        return len(found) == self.stage.loops

    def bases(self) -> set[Any]:
        """The arrays that are read in the loops."""
        return {base for each in (self.stage, *self.computed) for base in bases(each)}


def plan(stages: Sequence[Stage], graph: Graph) -> list[Root]:
    """The stages that get others into their loops, later ones first.

    `stages` are in the order of the program.
    """
    roots: dict[Stage, Root] = {}
    computed: dict[Stage, dict[Stage, Points]] = {}
    for stage in reversed(stages):
        if _is_candidate(stage):
            places = _places(stage, computed)
            added = [roots.get(each) or Root(each, _sizes(each, graph)) for each in places]
            if not all(each.keeps_its_loops(stage, places[each.stage]) for each in added):
                continue
            if _is_possible(stage, added, graph) and _is_worth_it(stage, places, added):
                computed[stage] = places
                for root in added:
                    root.computed[stage] = places[root.stage]
                    roots[root.stage] = root
    return [roots[each] for each in reversed(stages) if each in roots]


def _is_candidate(stage: Stage) -> bool:
    return (
        stage.is_only_read
        and any(is_shifted(reading.position) for _, reading in stage.readers if reading.position)
        and all(visits_each_once(reading, reader.loops) for reader, reading in stage.readers)
        and stage.is_computable
    )


def _places(stage: Stage, computed: dict[Stage, dict[Stage, Points]]) -> dict[Stage, Points]:
    """For each stage that stays the places at which it needs this one."""
    found: dict[Stage, Points] = {}
    for reader, reading in stage.readers:
        assert reading.position is not None
        if reader not in computed:
            found.setdefault(reader, {})[reading.position] = None
            continue
        for root, points in computed[reader].items():
            for point in points:
                found.setdefault(root, {})[composed(reading.position, point)] = None
    return found


def _sizes(stage: Stage, graph: Graph) -> list[Any]:
    """How often each loop runs; None where no value says so."""
    found: list[Any] = [None] * stage.loops
    maps = stage.operation.attributes["indexing_maps"]
    for value, affine in zip(stage.operation.operands, maps, strict=True):
        for axis, loop in enumerate(loops_of(affine.value) or ()):
            if not isinstance(found[loop], int):
                known = dimension_size(value, axis, graph)
                found[loop] = found[loop] if known is None else known
    return found


def _is_possible(stage: Stage, roots: Sequence[Root], graph: Graph) -> bool:
    return all(n is not None for root in roots for n in root.sizes) and not any(
        is_overwritten(base, stage.operation, root.stage.operation, graph)
        for root in roots
        for base in bases(stage)
    )


def _is_worth_it(stage: Stage, places: dict[Stage, Points], roots: Sequence[Root]) -> bool:
    own = operations(stage)
    times = {root.stage: len(places[root.stage]) for root in roots}
    if any(root.operations + own * times[root.stage] > MOST_OPERATIONS for root in roots):
        return False
    size = static_bytes(stage.operation.results[0].type)
    moved = next(
        (cost for most, cost in MOVED if size is not None and size <= most), MOVED_IN_MEMORY
    )
    read = set(bases(stage))
    # it is written, which reads it too, and read by each
    saved = 2 + len(roots) + len(read)
    added = sum(len(read - root.bases()) for root in roots)
    return own * (sum(times.values()) - 1) <= moved * (saved - added) + OWN_LOOP


def operations(stage: Stage) -> int:
    """About how many operations on vectors one vector of results takes."""
    return sum(map(_cost, walk(stage.operation)[1:]))


def _cost(operation: Any) -> int:
    name = operation.name
    if name in _FREE:
        return 0
    if name == "arith.divf" and _is_power_of_two(operation.operands[1]):
        return 1
    return _COSTS.get(name) or (_COSTLY if is_costly(name) else 1 + name.startswith("complex."))


def _is_power_of_two(value: Any) -> bool:
    """Whether LLVM multiplies by the reciprocal instead of dividing by it, which is exact."""
    if getattr(value.owner, "name", "") != "arith.constant":
        return False
    number = value.owner.attributes["value"].value
    return number != 0 and frexp(number)[0] in (0.5, -0.5)
