"""Arrays that loops carry, and that nobody looks at, are carried no more.

A variable that each iteration assigns anew is carried where Python's rules say that it might be read: a
loop inside might not run at all.  Recorded, it runs.  Such an array goes round through the ends of
blocks alone, but keeps its memory from being used for something else.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes.analysis.loop_carried import LOOPS, Slot, end_of, slots_of
from agir.backends.mlir.graph import Graph, Use
from agir.backends.mlir.modules import walk
from agir.backends.mlir.reached import reached
from agir.ir.building import bindings
from agir.ir.building.program import PURE


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
    """Whether all that is made of a value is yielded to the next iteration, as this variable.

    On the way may be what only computes: a list that grows in each iteration, if it is full, is as dead
    as one that does not change.
    """

    def given(use: Use) -> list[Use]:
        user, position = use
        if user.name == "scf.yield" and user.parent.name == "scf.if":
            return graph.uses(user.parent.results[position])
        if not _computes(user):
            return []
        return [each for result in user.results for each in graph.uses(result)]

    return all(
        _computes(user)
        or (
            user.name == "scf.yield"
            and (user.parent.name == "scf.if" or (user.parent == loop and position == slot.number))
        )
        for user, position in reached(graph.uses(value), given)
    )


def _computes(user: Any) -> bool:
    """Whether an operation, or all that is in a branch, does nothing but to compute results."""
    inner = walk(user) if user.name == "scf.if" else ()
    return user.name.startswith((*PURE, "scf.if")) and all(
        each.name.startswith(PURE) or each.name in ("scf.if", "scf.yield") for each in inner
    )
