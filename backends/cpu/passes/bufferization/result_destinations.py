"""Results that are written into an argument's memory instead of being returned.

A result that carries ``agir.destination = n`` is the new content of argument *n*, which carries
``agir.writable``.  The compiled function then has no such result: its caller's array has changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.backends.cpu.passes.analysis.buffer_aliases import hands_round, showing
from agir.backends.cpu.passes.analysis.functions import DESTINATIONS, functions, is_public
from agir.backends.cpu.passes.bufferization.strided_arguments import buffer_type
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.making import copied_tensor, op
from agir.backends.mlir.modules import find
from agir.ir.building import bindings

DESTINATION = "agir.destination"


def write_results_into_arguments(module: Any) -> None:
    """Turn each result with a destination into a write to the argument's memory."""
    found = {each: _destinations(each) for each in functions(module)}
    private = {
        each.attributes["sym_name"].value: destinations
        for each, destinations in found.items()
        if destinations and not is_public(each)
    }
    # Calls first: what they change is then known to be that, and not any array that they are given.
    for call in find(module, "func.call") if private else ():
        destinations = private.get(call.attributes["callee"].value, {})
        if destinations:
            _rewrite_call(call, destinations)
    for function, destinations in found.items():
        if destinations:
            _rewrite(function, destinations)


def _rewrite_call(call: Any, destinations: dict[int, int]) -> None:
    """Pass the memory of the arrays that the callee writes into, and find them changed there."""
    ir = bindings.ir
    operands, results = list(call.operands), list(call.results)
    kept = [result for i, result in enumerate(results) if i not in destinations]
    with ir.InsertionPoint(call), call.location:
        for n in set(destinations.values()):
            tensor = operands[n].type
            buffer = ir.MemRefType.get(tensor.shape, tensor.element_type)
            operands[n] = ir.Operation.create(
                "bufferization.to_buffer", results=[buffer], operands=[operands[n]]
            ).results[0]
        new = ir.Operation.create(
            "func.call",
            results=[result.type for result in kept],
            operands=operands,
            attributes={"callee": call.attributes["callee"]},
        )
        views = {n: _as_tensor(operands[n], results[i].type) for i, n in destinations.items()}
    for old, result in zip(kept, new.results, strict=True):
        old.replace_all_uses_with(result)
    for i, n in destinations.items():
        results[i].replace_all_uses_with(views[n].results[0])
    call.erase()


def _destinations(function: Any) -> dict[int, int]:
    """Which result is the new content of which argument."""
    if "res_attrs" not in function.attributes:
        return {}
    return {
        position: attributes[DESTINATION].value
        for position, attributes in enumerate(function.attributes["res_attrs"])
        if DESTINATION in attributes
    }


def _rewrite(function: Any, destinations: dict[int, int]) -> None:
    ir = bindings.ir
    graph = Graph(function)
    graph.look()  # before the views are there
    block = function.regions[0].blocks[0]
    views = {n: _as_buffer(block, block.arguments[n]) for n in set(destinations.values())}
    shown: set[Any] | None = None
    for loop in graph.find("scf.for", "scf.while"):
        shown = showing(views.values(), graph) if shown is None else shown
        if _keep_apart(loop, shown, graph):
            shown = None
    shown = showing(views.values(), graph) if shown is None else shown
    (leave,) = (op for op in graph.find("func.return") if op.block == block)
    values = list(leave.operands)
    kept = [i for i in range(len(values)) if i not in destinations]
    with ir.InsertionPoint(leave), leave.location:
        returned = [_apart(values[i], graph) if values[i] in shown else values[i] for i in kept]
        # as tensors first: bufferization sees which of them are in each other's way
        written = {n: _copy(values[i], views[n], graph) for i, n in destinations.items()}
        for n, tensor in written.items():
            ir.Operation.create(
                "bufferization.materialize_in_destination",
                operands=[tensor, block.arguments[n]],
                attributes={"restrict": ir.UnitAttr.get(), "writable": ir.UnitAttr.get()},
            )
        ir.Operation.create("func.return", operands=returned)
    leave.erase()
    kind = ir.FunctionType.get(
        [argument.type for argument in block.arguments], [values[i].type for i in kept]
    )
    attributes = function.attributes
    attributes["function_type"] = ir.TypeAttr.get(kind)
    attributes["res_attrs"] = ir.ArrayAttr.get([attributes["res_attrs"][i] for i in kept])
    attributes[DESTINATIONS] = ir.DenseI64ArrayAttr.get(sorted(set(destinations.values())))


def _keep_apart(loop: Any, shown: set[Any], graph: Graph) -> bool:
    """Have a loop that hands its arrays round begin with copies of those that arguments show.

    Else an argument is written into at the end that holds what is to go into another one.  Tells
    whether it did.
    """
    first = 3 if loop.name == "scf.for" else 0
    among = [
        (position, value)
        for position, value in enumerate(loop.operands)
        if position >= first and value in shown
    ]
    if not (among and hands_round(loop, graph)):
        return False
    with bindings.ir.InsertionPoint(loop), loop.location:
        for position, value in among:
            loop.operands[position] = copied_tensor(value)
    return True


def _apart(value: Any, graph: Graph) -> Any:
    """A result that certainly does not lie in an argument's memory, which is about to change."""
    ir = bindings.ir
    if not isinstance(value.type, ir.RankedTensorType):
        return value
    source = graph.producer(value)
    empty = _destination(source, graph)
    if source is None or empty is None:
        return copied_tensor(value)
    with ir.InsertionPoint(source):
        fresh = _allocation(value.type, empty.operands)
    source.operands[len(source.operands) - 1] = fresh
    return value


def _allocation(kind: Any, sizes: Sequence[Any]) -> Any:
    segments = bindings.ir.DenseI32ArrayAttr.get([len(sizes), 0, 0])
    return op("bufferization.alloc_tensor", kind, *sizes, operandSegmentSizes=segments)


def _destination(source: Any, graph: Graph) -> Any:
    """The empty tensor that a value is computed into, if that is what happens."""
    if source is None or source.name != "linalg.generic" or len(source.results) != 1:
        return None
    return graph.producer(source.operands[len(source.operands) - 1], "tensor.empty")


def _copy(value: Any, view: Any, graph: Graph) -> Any:
    """Write a tensor to the place of another one, and compute it there where possible."""
    ir = bindings.ir
    source = graph.producer(value)
    if source is not None and _destination(source, graph) is not None:
        source.operands[len(source.operands) - 1] = view
    copy = ir.Operation.create(
        "linalg.copy",
        results=[view.type],
        operands=[value, view],
        attributes={"operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 1])},
        regions=1,
    )
    body = copy.regions[0].blocks.append(value.type.element_type, view.type.element_type)
    with ir.InsertionPoint(body):
        ir.Operation.create("linalg.yield", operands=[body.arguments[0]])
    return copy.results[0]


def _as_buffer(block: Any, argument: Any) -> Any:
    """Make a tensor argument a buffer; gives the tensor that it is seen as and may write to."""
    ir = bindings.ir
    tensor = argument.type
    buffer = buffer_type(argument)
    with ir.InsertionPoint.at_block_begin(block), ir.Location.unknown():
        view = _as_tensor(argument, tensor)
    argument.replace_all_uses_except(view.results[0], view)
    argument.set_type(buffer)
    return view.results[0]


def _as_tensor(buffer: Any, kind: Any) -> Any:
    """The operation that sees a buffer, which nothing else does, as a tensor to write to."""
    ir = bindings.ir
    return ir.Operation.create(
        "bufferization.to_tensor",
        results=[kind],
        operands=[buffer],
        attributes={"restrict": ir.UnitAttr.get(), "writable": ir.UnitAttr.get()},
    )
