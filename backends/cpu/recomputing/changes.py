"""Whether an array is written to before its last reader would come to read it.

A tensor is a value and never changes, but bufferization keeps a copy of one that is read after
something has been written to its memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agir.backends.mlir.graph import Graph
from agir.backends.mlir.modules import in_block

_READS = ("tensor.extract", "tensor.dim", "tensor.cast", "tensor.collapse_shape")
_INSERTS = ("tensor.insert_slice", "tensor.insert")


def is_overwritten(base: Any, stage: Any, root: Any, graph: Graph) -> bool:
    """Whether an array that a stage reads can no longer be read where its root stands.

    Nor where the root's result takes the place of the array's elements, which then could not be
    written while their neighbours are read.
    """
    for write in _writes(base, graph):
        if write.name in _INSERTS and _is_of(write.operands[0], root, graph):
            return True
        around = in_block(write, root.block)
        if around is not None and _is_between(around, stage, root):
            return True
    return False


def _is_between(operation: Any, first: Any, last: Any) -> bool:
    return bool(operation.is_before_in_block(last) and first.is_before_in_block(operation))


def _writes(base: Any, graph: Graph) -> Iterator[Any]:
    """What may write into the memory of an array."""
    for user, position in graph.uses(base):
        if user.name == "tensor.extract_slice":
            yield from _writes(user.results[0], graph)
        elif not _only_reads(user, position):
            yield user


def _only_reads(user: Any, position: int) -> bool:
    if user.name.startswith("linalg."):
        return position < len(user.operands) - len(user.results)
    if user.name in _INSERTS:
        return position == 0
    return user.name in _READS


def _is_of(value: Any, root: Any, graph: Graph) -> bool:
    source = graph.producer(value)
    while source is not None and source.name == "tensor.extract_slice":
        source = graph.producer(source.operands[0])
    return source is not None and bool(source == root)
