"""Functions that were made of a part of another one compute their results into arrays of its own.

Such a function takes an array for each array that it gives, after its other arguments.  What it
returned would have to be allocated there, and deallocation would not know whose it is.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes.analysis.functions import KERNEL, functions
from agir.backends.cpu.passes.analysis.whole_slices import whole_slice, with_all_replaced
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.making import op
from agir.ir.building import bindings


def compute_into_result_arrays(module: Any) -> None:
    """Begin with a function's argument instead of an empty array where that becomes its result."""
    for function in functions(module):
        if KERNEL in function.attributes:
            _use_arguments(function)


def _use_arguments(function: Any) -> None:
    block = function.regions[0].blocks[0]
    graph = Graph(function)
    (leave,) = graph.find("func.return")
    given = [i for i, value in enumerate(leave.operands) if is_array(value)]
    taken = list(block.arguments)[len(block.arguments) - len(given) :]
    for i, argument in zip(given, taken, strict=True):
        value = leave.operands[i]
        empty = _beginning(value, graph)
        if empty is not None and len(graph.uses(empty)) == 1:
            _begin_with(argument, graph.producer(empty), leave, i)
        else:
            leave.operands[i] = _copied(value, argument, leave)


def _begin_with(argument: Any, empty: Any, leave: Any, position: int) -> None:
    """Have what a function returns at a position begin with its argument, not an empty array."""
    ir = bindings.ir
    if not len(empty.operands):
        empty.results[0].replace_all_uses_with(argument)
        return
    given = iter(empty.operands)
    sizes = [n if n >= 0 else next(given) for n in empty.results[0].type.shape]
    with ir.InsertionPoint(empty), empty.location:
        part = whole_slice(argument, sizes)
    empty.results[0].replace_all_uses_with(part)
    with ir.InsertionPoint(leave), leave.location:
        leave.operands[position] = with_all_replaced(argument, leave.operands[position], sizes)


def is_array(value: Any) -> bool:
    """Whether a value is a tensor."""
    return isinstance(value.type, bindings.ir.RankedTensorType)


def _beginning(value: Any, graph: Graph) -> Any | None:
    """The empty tensor into which, step by step, a value is computed."""
    while (source := graph.producer(value)) is not None:
        if source.name == "tensor.empty":
            return value
        position = list(source.results).index(value)
        if source.name.startswith("linalg."):
            value = source.operands[len(source.operands) - len(source.results) + position]
        elif source.name == "scf.for":
            value = source.operands[3 + position]
        elif source.name == "tensor.insert_slice":
            value = source.operands[1]
        else:
            break
    return None


def _copied(value: Any, argument: Any, leave: Any) -> Any:
    with bindings.ir.InsertionPoint(leave), leave.location:
        return op("bufferization.materialize_in_destination", value.type, value, argument)
