"""Cheap tensors are made where they are used.

Common subexpression elimination merges all equal ``tensor.empty`` and fills.  A shared empty tensor
makes bufferization's analysis cubic, and a fill made elsewhere than at its use is an array in
memory rather than a constant in a loop's body; so is what repeats a vector for two matrices.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.backends.mlir.graph import Graph, Use
from agir.backends.mlir.modules import find
from agir.ir.building import bindings

_LOOPS = ("scf.for", "scf.while")


def rematerialize_fills(module: Any) -> None:
    """Give each elementwise use of a fill or a repetition, and of an empty tensor, one of its own."""
    for splat in find(module, "tensor.splat"):
        _as_fill(splat)
    graph = Graph(module)
    is_new = True
    for fill in graph.find(*_FOLDED):
        uses = graph.uses(fill.results[0]) if fill.results else []
        folds = _FOLDED[fill.name]
        apart = [use for use in uses if folds(use.user) and not _is_alone(fill, use, uses)]
        for use in apart:
            _clone_for(fill, use)
        if apart and len(apart) == len(uses):
            fill.erase()
        is_new = is_new and not apart
    _unshare_empty_tensors(graph if is_new else Graph(module))


def rematerialize_empty_tensors(module: Any) -> None:
    """Give each use of an empty tensor one of its own, and each use of another type for it."""
    if find(module, "tensor.empty"):
        _unshare_empty_tensors(Graph(module))


def _unshare_empty_tensors(graph: Graph) -> None:
    is_new = True
    for cast in graph.find("tensor.cast"):
        if getattr(graph.producer(cast.operands[0]), "name", None) == "tensor.empty":
            for use in graph.uses(cast.results[0])[1:]:
                _clone_for(cast, use)
                is_new = False
    graph = graph if is_new else Graph(graph.root)
    for empty in graph.find("tensor.empty"):
        for use in graph.uses(empty.results[0])[1:]:
            _clone_for(empty, use)


def _folds_into(user: Any) -> bool:
    return user.name.startswith(("arith.", "math.", "linalg.")) or user.name in _LOOPS


def _reads_elementwise(user: Any) -> bool:
    return bool(user.name.startswith(("arith.", "math.")) or user.name == "linalg.map")


_FOLDED = {"linalg.fill": _folds_into, "linalg.broadcast": _reads_elementwise}
"""What is made where it is used, and the users that it becomes a part of."""


def _is_alone(fill: Any, use: Use, uses: list[Use]) -> bool:
    """Whether a fill is its user's already."""
    return len(uses) == 1 and bool(fill.block == use.user.block)


def _clone_for(operation: Any, use: Use) -> None:
    with bindings.ir.InsertionPoint(use.user):
        clone = operation.clone()
    use.user.operands[use.position] = clone.results[0]


def _as_fill(splat: Any) -> None:
    value, *sizes = splat.operands
    with bindings.ir.InsertionPoint(splat), splat.location:
        made = filled(value, splat.results[0].type, sizes)
    splat.results[0].replace_all_uses_with(made)
    splat.erase()


def filled(value: Any, kind: Any, sizes: Sequence[Any] = ()) -> Any:
    """A tensor of this type all of whose elements are the value, made here."""
    ir = bindings.ir
    empty = ir.Operation.create("tensor.empty", results=[kind], operands=list(sizes))
    fill = ir.Operation.create(
        "linalg.fill",
        results=[kind],
        operands=[value, empty.results[0]],
        attributes={"operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 1])},
        regions=1,
    )
    block = fill.regions[0].blocks.append(kind.element_type, kind.element_type)
    with ir.InsertionPoint(block):
        ir.Operation.create("linalg.yield", operands=[block.arguments[0]])
    return fill.results[0]
