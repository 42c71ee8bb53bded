"""A loop hands its arrays on, not copies of them.

Where the body of a loop gives an array that need not be the memory of the one that it got,
bufferization has the test of a ``while`` copy what it hands on, and so does a body whose variables
change places.  But nobody looks at the original again: the block alone can see it, and a loop's
first array is its own to write to already.
"""

from __future__ import annotations

from typing import Any

from agir.backends.mlir.graph import Graph

_LOOPS = ("scf.for", "scf.while")


def hand_on_without_copying(module: Any) -> None:
    """Let loops pass on an argument of a block instead of a copy made for it."""
    graph = Graph(module)
    for leave in graph.find("scf.condition", "scf.yield"):
        if leave.parent.name not in _LOOPS:
            continue
        passed = set(leave.operands)
        for position, value in enumerate(leave.operands):
            copy = _copy_of_argument(graph, value, leave)
            if copy is None or copy.operands[0] in passed:
                continue
            passed.add(copy.operands[0])
            leave.operands[position] = copy.operands[0]
            made = graph.producer(value)
            graph.erase(copy)
            graph.erase(made)


def _copy_of_argument(graph: Graph, value: Any, leave: Any) -> Any:
    """The copy that fills an array made only to be passed on; None where it is not that."""
    made = graph.producer(value, "memref.alloc")
    if made is None or made.block != leave.block:
        return None
    uses = graph.uses(value)
    copies = [use.user for use in uses if use.user.name == "memref.copy" and use.position == 1]
    if len(uses) != 2 or len(copies) != 1 or copies[0].block != leave.block:
        return None
    (copy,) = copies
    source = copy.operands[0]
    is_own = source in list(leave.block.arguments) and source.type == value.type
    return copy if is_own and _is_last(graph, source, copy, leave) else None


def _is_last(graph: Graph, source: Any, copy: Any, leave: Any) -> bool:
    """Whether nothing between the copy and the end of the block uses the original."""
    later, after = set(), False
    for each in leave.block.operations:
        if after:
            later.add(each.operation)
        after = after or each.operation == copy
    for user, _ in graph.uses(source):
        while user is not None and user.block != leave.block:
            user = user.parent
        if user in later:
            return False
    return True
