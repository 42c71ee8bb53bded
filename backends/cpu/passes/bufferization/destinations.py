"""What elementwise operations are computed into.

On tensors the operand in ``outs`` only names a buffer to be.  Before fusion none of them should be
an input as well, for that looks like a second use; before bufferization an input that is not
needed afterwards is the best choice, for then no new buffer is needed at all.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes.analysis.generic_operations import affine_map, reduced_axes
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.making import empty_like
from agir.backends.mlir.modules import in_block
from agir.backends.mlir.reached import reached
from agir.ir.building import bindings

_FRESH = ("linalg.", "tensor.insert", "scf.for", "scf.while")
_LOOPS = ("scf.for", "scf.while")
_CAST, _BRANCH = "tensor.cast", "scf.if"
_VIEWS = ("tensor.extract_slice", _CAST, "tensor.collapse_shape", "tensor.expand_shape")


def detach_destinations(module: Any) -> None:
    """Compute every elementwise operation into an empty tensor of its own."""
    graph = Graph(module)
    for generic in graph.find("linalg.generic"):
        if reduced_axes(generic):
            continue  # what it begins with is the result of nothing
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


def _is_writable(operand: Any, at: Any, graph: Graph) -> bool:
    """Whether a value is certain to get a buffer of its own, in the same iteration of the same loop.

    What is done at an operation inside a branch may be done to what is there before the branch.
    """
    source = graph.producer(operand)
    if source is not None and source.name == _CAST:
        return _is_writable(source.operands[0], at, graph)
    block = operand.owner if source is None else source.block
    while at.block != block and at.parent.name == _BRANCH:
        at = at.parent
    if at.block != block:
        return False
    return at.parent.name in _LOOPS if source is None else source.name.startswith(_FRESH)


def _is_last_use(operand: Any, at: Any, graph: Graph) -> bool:
    """Whether the other uses are earlier, and none of them may give the buffer a second name.

    What is done in the other part of a branch is not done besides.
    """

    def names(value: Any) -> list[Any]:
        cast = graph.producer(value, _CAST)
        views = [use.user.results[0] for use in graph.uses(value) if use.user.name in _VIEWS]
        return views if cast is None else [*views, cast.operands[0]]

    return all(
        user == at or _is_instead_of(user, at) or (_is_before(user, at) and _reads(user, position))
        for name in reached([operand], names)
        for user, position in graph.uses(name)
    )


def _is_before(user: Any, at: Any) -> bool:
    here = in_block(at, user.block)
    return here is not None and bool(user.is_before_in_block(here))


def _reads(user: Any, position: int) -> bool:
    """Whether all that an operation does to an array is to read it, or to name it or a part of it."""
    return user.name in _VIEWS or _only_reads(user, position)


def _is_instead_of(user: Any, at: Any) -> bool:
    """Whether an operation is in the other part of a branch that another one is in."""
    while user.parent.name == _BRANCH:
        user = user.parent
        here = in_block(at, user.block)
        if here is not None:
            return bool(here == user)
    return False


def _only_reads(user: Any, position: int) -> bool:
    if user.name.startswith("linalg."):
        return bool(position < len(user.operands) - len(user.results))
    return user.name in ("tensor.extract", "tensor.dim")
