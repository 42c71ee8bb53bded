"""What elementwise operations are computed into.

On tensors the operand in ``outs`` only names a buffer to be.  Before fusion none of them should be
an input as well, for that looks like a second use; before bufferization an input that is not
needed afterwards is the best choice, for then no new buffer is needed at all.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes.generalize import affine_map, reduced_axes
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.making import empty_like
from agir.ir import bindings

_FRESH = ("linalg.", "tensor.insert", "scf.for", "scf.while")
_LOOPS = ("scf.for", "scf.while")
_VIEWS = ("tensor.extract_slice", "tensor.cast", "tensor.collapse_shape", "tensor.expand_shape")


def detach_destinations(module: Any) -> None:
    """Compute every elementwise operation into an empty tensor of its own."""
    graph = Graph(module)
    for generic in graph.find("linalg.generic"):
        for position, argument in _destinations(generic):
            value = generic.operands[position]
            if graph.producer(value, "tensor.empty") is None and not graph.uses(argument):
                with bindings.ir.InsertionPoint(generic), generic.location:
                    empty = _empty_like(value, graph)
                graph.add(empty.owner)
                generic.operands[position] = empty


def reuse_dying_operands(module: Any) -> None:
    """Compute an elementwise operation into one of its inputs that has no later use."""
    graph = Graph(module)
    for generic in graph.find("linalg.generic"):
        if len(generic.results) != 1 or reduced_axes(generic):
            continue
        ((position, argument),) = _destinations(generic)
        empty = graph.producer(generic.operands[position], "tensor.empty")
        if empty is not None and not graph.uses(argument):
            operand = _dying_operand(generic, position, graph)
            if operand is not None:
                generic.operands[position] = operand


def _destinations(generic: Any) -> list[tuple[int, Any]]:
    """Position and block argument of each operand in ``outs``."""
    arguments = list(generic.regions[0].blocks[0].arguments)
    first = len(generic.operands) - len(generic.results)
    return [(i, arguments[i]) for i in range(first, len(generic.operands))]


def _empty_like(value: Any, graph: Graph) -> Any:
    source = graph.producer(value, "linalg.generic")
    if source is not None:
        first = len(source.operands) - len(source.results)
        value = source.operands[first + list(source.results).index(value)]
    empty = graph.producer(value, "tensor.empty")
    if empty is not None:
        return empty.clone().results[0]
    return empty_like(value)


def _dying_operand(generic: Any, destination: int, graph: Graph) -> Any:
    maps = [attribute.value for attribute in generic.attributes["indexing_maps"]]
    identity = affine_map(maps[0].n_dims, range(maps[0].n_dims))
    wanted = generic.results[0].type
    for position in range(destination):
        operand = generic.operands[position]
        everywhere = [i for i in range(destination) if generic.operands[i] == operand]
        if (
            operand.type == wanted
            and all(maps[i] == identity for i in everywhere)
            and _is_writable(operand, generic, graph)
            and _is_last_use(operand, generic, graph)
        ):
            return operand
    return None


def _is_writable(operand: Any, generic: Any, graph: Graph) -> bool:
    """Whether a value is certain to get a buffer of its own, in the same turn of the same loop."""
    source = graph.producer(operand)
    if source is None:
        return bool(operand.owner == generic.block and generic.parent.name in _LOOPS)
    return bool(source.block == generic.block and source.name.startswith(_FRESH))


def _is_last_use(operand: Any, generic: Any, graph: Graph) -> bool:
    """Whether the other uses are earlier, and none of them may give the buffer a second name."""
    for user, position in graph.uses(operand):
        if user == generic:
            continue
        if user.block != generic.block or not user.is_before_in_block(generic):
            return False
        if user.name in _VIEWS:
            if not _is_last_use(user.results[0], generic, graph):
                return False
        elif not _only_reads(user, position):
            return False
    return True


def _only_reads(user: Any, position: int) -> bool:
    if user.name.startswith("linalg."):
        return bool(position < len(user.operands) - len(user.results))
    return user.name in ("tensor.extract", "tensor.dim")
