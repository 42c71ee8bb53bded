"""Arrays that loops carry, and that nobody looks at, are carried no more.

A variable that each iteration assigns anew is carried where Python's rules say that it might be read: a
loop inside might not run at all.  Recorded, it runs.  Such an array goes round through the ends of
blocks alone, but keeps its memory from being used for something else.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes.analysis.loop_carried import LOOPS, Slot, end_of, slots_of
from agir.backends.mlir.graph import Graph, Use
from agir.backends.mlir.reached import reached
from agir.ir.building import bindings


def eliminate_dead_loop_carried_arrays(module: Any) -> None:
    """Hand on what a loop begins with in the place of arrays that are never looked at.

    Canonicalization takes them out of the loop then.
    """
    graph = Graph(module)
    for loop in graph.find(*LOOPS):
        for slot in slots_of(loop, graph, _is_array):
            if slot.following != slot.argument and _is_dead(loop, slot, graph):
                end_of(loop, "scf.yield", graph).operands[slot.number] = slot.argument


def _is_array(value: Any) -> bool:
    return isinstance(value.type, bindings.ir.RankedTensorType)


def _is_dead(loop: Any, slot: Slot, graph: Graph) -> bool:
    """Whether a variable of a loop goes nowhere but into itself."""
    if graph.uses(loop.results[slot.passed]):
        return False
    if slot.tested is not None and len(graph.uses(slot.tested)) != 1:
        return False
    return _comes_back(slot.argument, loop, slot, graph)


def _comes_back(value: Any, loop: Any, slot: Slot, graph: Graph) -> bool:
    """Whether a value is only handed on to the next iteration, as this variable, or by branches."""

    def given(use: Use) -> list[Use]:
        is_of_branch = use.user.name == "scf.yield" and use.user.parent.name == "scf.if"
        return graph.uses(use.user.parent.results[use.position]) if is_of_branch else []

    return all(
        user.name == "scf.yield"
        and (user.parent.name == "scf.if" or (user.parent == loop and position == slot.number))
        for user, position in reached(graph.uses(value), given)
    )
