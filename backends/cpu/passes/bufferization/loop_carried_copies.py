"""A loop hands its arrays on, not copies of them.

Where the body of a loop gives an array that need not be the memory of the one that it got,
bufferization has the test of a ``while`` copy what it hands on, and so does a body whose variables
change places.  But nobody looks at the original again: the block alone can see it, and whoever would
read a loop's first array later has a copy.  Only where that array gets other elements, all of them at
once, while what the loop has made of it is still in use, the two need memory each.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes.analysis.memory_uses import NAMES, is_buffer, uses_by_name
from agir.backends.mlir.graph import Graph, Use

_LOOPS = ("scf.for", "scf.while")


def eliminate_loop_carried_copies(module: Any) -> None:
    """Let loops pass on an argument of a block instead of a copy made for it."""
    graph = Graph(module)
    for leave in graph.find("scf.condition", "scf.yield"):
        if leave.parent.name not in _LOOPS:
            continue
        passed = set(leave.operands)
        for position, value in enumerate(leave.operands):
            copy = _copy_of_argument(graph, value, leave)
            if copy is None or copy.operands[0] in passed or _needs_memory(leave.parent, graph):
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


def _needs_memory(loop: Any, graph: Graph) -> bool:
    """Whether an array that a loop begins with is overwritten while a result is in use."""
    first = {_base(value, graph) for value in loop.operands if is_buffer(value)}
    writes = [use for base in first for use in _uses(base, graph) if _writes(use, loop)]
    if any(_is_inside(use.user, loop) for use in writes):
        return True
    later = [use for use in writes if _is_before(loop, use.user)]
    results = [use for value in loop.results if is_buffer(value) for use in _uses(value, graph)]
    leaving = any(use.user.name in ("scf.yield", *_LOOPS) for use in results)
    return (leaving and bool(later)) or not all(
        _is_before(use.user, write.user) or (use.user == write.user and _copies(use))
        for write in later
        for use in results
    )


def _copies(use: Use) -> bool:
    """Whether the elements go where they are already if both are one array."""
    return bool(use.user.name == "memref.copy")


def _base(value: Any, graph: Graph) -> Any:
    """The array that a name is one for."""
    while (made := graph.producer(value)) is not None and made.name in NAMES:
        value = made.operands[0]
    return value


def _uses(value: Any, graph: Graph) -> list[Use]:
    """The uses of an array under any name."""
    return [use for use in uses_by_name(value, graph) if use.user.name not in NAMES]


def _writes(use: Use, loop: Any) -> bool:
    user, position = use
    if user == loop or user.name in ("memref.load", "memref.dim", "memref.dealloc"):
        return False
    if user.name == "memref.copy":
        return position == 1
    if user.name.startswith("linalg."):
        return position >= int(user.attributes["operandSegmentSizes"][0])
    return True


def _is_inside(operation: Any, around: Any) -> bool:
    while operation is not None and operation != around:
        operation = operation.parent
    return operation is not None


def _is_before(one: Any, other: Any) -> bool:
    """Whether an operation comes first, neither around the other one nor inside of it."""
    places = {each.block: each for each in _and_around(one)}
    for each in _and_around(other):
        if (first := places.get(each.block)) is not None:
            if first == each:
                return False
            return bool(next(o for o in each.block.operations if o in (first, each)) == first)
    return False


def _and_around(operation: Any) -> list[Any]:
    found = []
    while operation.parent is not None:
        found.append(operation)
        operation = operation.parent
    return found
