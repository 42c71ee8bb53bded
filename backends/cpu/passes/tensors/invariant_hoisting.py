"""Array computations that are the same in each iteration of a loop are made before it.

Upstream's ``loop-invariant-code-motion`` would also move ``tensor.extract``, which a loop that
does not run at all must not execute: its index may be one that only an iteration makes good.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes.analysis.cost import is_costly
from agir.backends.cpu.passes.analysis.generic_operations import reduced_axes
from agir.backends.mlir.graph import Producers
from agir.backends.mlir.modules import walk

_LOOPS = ("scf.for", "scf.while")
_SHAPES = frozenset({"tensor.empty", "tensor.dim", "arith.constant"})
_VIEWS = frozenset({"tensor.collapse_shape"})
"""What is a copy of an array that is not contiguous."""
_READS = ("tensor.extract", "tensor.generate")


def hoist_invariant_arrays(module: Any) -> None:
    """Move invariant array operations that cost something, with what they need, out of loops."""
    graph = Producers(module)
    # inner loops first: what leaves one may leave the next one too
    for loop in reversed(graph.find(*_LOOPS)):
        invariant = _invariant(loop, graph)
        wanted: set[Any] = set()
        moved = []
        for operation in reversed(invariant):
            if _is_worth_it(operation) or not wanted.isdisjoint(operation.results):
                moved.append(operation)
                wanted |= _inputs(operation)
        for operation in reversed(moved):
            operation.move_before(loop)


def _invariant(loop: Any, graph: Producers) -> list[Any]:
    """The movable operations of a loop's body that depend on nothing else in the loop."""
    found = []
    results: set[Any] = set()
    for operation in walk(loop):
        if operation.parent == loop and _is_movable(operation):
            changing = (value for value in _inputs(operation) - results)
            if not any(graph.is_inside(value, loop) for value in changing):
                found.append(operation)
                results.update(operation.results)
    return found


def _is_movable(operation: Any) -> bool:
    if operation.name in _SHAPES | _VIEWS:
        return True
    return operation.name.startswith("linalg.") and not any(
        inner.name in _READS for inner in walk(operation)
    )


def _is_worth_it(operation: Any) -> bool:
    """A fill or a sum of two arrays is better computed where it is used."""
    if operation.name == "linalg.generic":
        return bool(reduced_axes(operation)) or any(
            is_costly(inner.name) for inner in walk(operation)
        )
    return operation.name not in _SHAPES and operation.name != "linalg.fill"


def _inputs(operation: Any) -> set[Any]:
    """The values that an operation and its regions take from around it."""
    inner = Producers(operation)
    used = {value for each in inner.operations for value in each.operands}
    return {value for value in used if not inner.is_inside(value, operation)}
