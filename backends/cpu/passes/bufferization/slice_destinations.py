"""Values that are only made to be inserted into an array are computed right there.

Upstream's ``eliminate-empty-tensors`` does this too, but also across loops: where the array comes
from outside a loop, bufferization then takes an insertion to be harmless which is not.
"""

from __future__ import annotations

from typing import Any

from agir.backends.mlir.graph import Graph
from agir.ir.building import bindings


def compute_into_slices(module: Any) -> None:
    """Give array operations whose result is inserted the slice for their destination."""
    graph = Graph(module)
    for insert in graph.find("tensor.insert_slice"):
        source, target, *numbers = insert.operands
        operation = _made_from_nothing(source, graph)
        if (
            operation is not None
            and source != target
            and _is_read_before_it_changes(source, insert)
            and operation.block == insert.block
            and all(_is_before(number, operation, graph) for number in numbers)
            and (_is_known(target, operation, graph) or _begins_before(target, operation, graph))
        ):
            destination = _read_slice(insert, operation, graph) or _slice(insert, operation)
            operation.operands[len(operation.operands) - 1] = destination


def _made_from_nothing(value: Any, graph: Graph) -> Any | None:
    """The linalg operation that begins to compute a value, in an empty tensor."""
    operation = graph.producer(value, "linalg.")
    while operation is not None and len(operation.results) == 1:
        destination = operation.operands[len(operation.operands) - 1]
        if graph.producer(destination, "tensor.empty"):
            return operation
        operation = graph.producer(destination, "linalg.")
        if operation is not None and len(graph.uses(destination)) > 1:
            return None
    return None


def _is_known(target: Any, operation: Any, graph: Graph) -> bool:
    """Whether a value is there before an operation, in the same iteration of the same loop."""
    source = graph.producer(target)
    holder = operation
    block = target.owner if source is None else source.block
    while holder.block != block:
        holder = holder.parent
        if holder.name != "scf.if":
            return False
    return source is None or bool(source.is_before_in_block(holder))


def _begins_before(target: Any, operation: Any, graph: Graph) -> bool:
    """Have an array that begins with one number everywhere do so before an operation.

    Fills stand where they are used first: what is inserted may have been computed before that.
    """
    fill = graph.producer(target, "linalg.fill")
    if fill is None or fill.block != operation.block:
        return False
    value, made = fill.operands
    empty = graph.producer(made, "tensor.empty")
    if empty is None or len(graph.uses(made)) > 1:
        return False
    moved = [fill, empty]
    for operand in (value, *empty.operands):
        if not _is_before(operand, operation, graph):
            source = graph.producer(operand, "arith.constant")
            if source is None:
                return False
            moved.append(source)
    for each in reversed(moved):
        if not each.is_before_in_block(operation):
            each.move_before(operation)
    return True


def _is_read_before_it_changes(source: Any, insert: Any) -> bool:
    """Whether other uses of what is inserted come before the array is written to again.

    Else the array would be kept as it is for them.
    """
    others = [each for use in source.uses if (each := use.owner.operation) != insert.operation]
    users = [use.owner.operation for use in insert.results[0].uses]
    changes = [each for each in users if each.name in _WRITES]
    return all(
        other.block == insert.block
        and all(c.block == insert.block and other.is_before_in_block(c) for c in changes)
        for other in others
    )


_WRITES = ("tensor.insert", "tensor.insert_slice", "scf.for", "scf.while", "scf.if")


def _is_before(value: Any, operation: Any, graph: Graph) -> bool:
    source = graph.producer(value)
    return (
        source is None
        or bool(source.block != operation.block)
        or bool(source.is_before_in_block(operation))
    )


def _read_slice(insert: Any, operation: Any, graph: Graph) -> Any | None:
    """The slice itself where the operation reads it: ``A[i] *= 2`` needs no second name for it.

    Where it reads other parts of the array as well, these would have to be kept from being written.
    """
    _, target, *numbers = insert.operands
    read = [
        (operand, extract)
        for operand in operation.operands
        if (extract := graph.producer(operand, "tensor.extract_slice")) is not None
        and extract.operands[0] == target
    ]
    same = [
        operand
        for operand, extract in read
        if operand.type == insert.operands[0].type
        and list(extract.operands)[1:] == numbers
        and all(extract.attributes[name] == insert.attributes[name] for name in _NUMBERS)
    ]
    return same[0] if same and len(same) == len(read) else None


_NUMBERS = ("static_offsets", "static_sizes", "static_strides")


def _slice(insert: Any, operation: Any) -> Any:
    ir = bindings.ir
    source, target, *numbers = insert.operands
    segments = list(insert.attributes["operandSegmentSizes"])[2:]
    attributes = {name: insert.attributes[name] for name in _NUMBERS}
    attributes["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get([1, *segments])
    with ir.InsertionPoint(operation), operation.location:
        extract = ir.Operation.create(
            "tensor.extract_slice",
            results=[source.type],
            operands=[target, *numbers],
            attributes=attributes,
        )
    return extract.results[0]
