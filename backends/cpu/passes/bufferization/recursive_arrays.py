"""What recursive functions get and give back is not copied at each call.

Bufferization knows nothing of functions that call themselves: such a function may write into all arrays
that it gets, and each array that it gives back may be any of these, so that where there are several
all are copied at each call.  So they are buffers before:

- What is an argument with other elements in it, on every path, is written into the argument's memory,
  and is no result any more (`agir.backends.cpu.passes.bufferization.result_destinations`).
- Other results are buffers of the caller's from then on, as are the arguments of the function.  That
  they are in nobody else's way is seen to where they become buffers: handing one on counts as a write.
- What a function only reads it only reads, and its caller may go on to read it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from agir.backends.cpu.passes.analysis.functions import block_of, functions, is_public, name_of
from agir.backends.cpu.passes.bufferization.returned_arguments import INSERTS, Following, handed_on
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.making import op
from agir.backends.mlir.modules import find, walk
from agir.backends.mlir.reached import reached
from agir.ir.building import bindings
from agir.ir.building.attributes import destination_attributes

_NAMES = ("tensor.cast", "tensor.extract_slice")


def write_into_arguments(module: Any) -> None:
    """Have recursive functions return what arrays of theirs become as new contents of these."""
    private = [each for each in functions(module) if not is_public(each)]
    recursive = _recursive(private)
    if not recursive:
        return
    following = Following(private)
    following.follow()
    for function in recursive:
        kind = function.attributes["function_type"].value
        destinations = {
            number: at
            for number, at in following.destinations(function).items()
            if _is_array(kind.results[number])
        }
        if "res_attrs" not in function.attributes:
            for name, value in destination_attributes(kind, destinations).items():
                function.attributes[name] = value


def pass_buffers(module: Any) -> None:
    """Have recursive functions get and give back buffers in the place of arrays."""
    recursive = {name_of(each): each for each in _recursive(functions(module))}
    if not recursive:
        return
    written = _written(recursive)
    for call in find(module, "func.call"):
        callee = call.attributes["callee"].value
        if callee in recursive:
            _hand_over(call, written[callee])
    for name, function in recursive.items():
        _take_buffers(function, written[name])
        _give_buffers(function)


def _recursive(among: Sequence[Any]) -> list[Any]:
    """The private functions of arrays that call themselves, or others that call them."""
    called = {
        name_of(function): [
            each.attributes["callee"].value for each in walk(function) if each.name == "func.call"
        ]
        for function in among
    }

    def further(name: str) -> Sequence[str]:
        return called.get(name, ())

    return [
        each
        for each in among
        if not is_public(each)
        and any(map(_is_array, _kinds(each)))
        and name_of(each) in reached(further(name_of(each)), further)
    ]


def _kinds(function: Any) -> list[Any]:
    kind = function.attributes["function_type"].value
    return [*kind.inputs, *kind.results]


def _is_array(kind: Any) -> bool:
    return isinstance(kind, bindings.ir.RankedTensorType)


# What is written to.


def _written(recursive: dict[str, Any]) -> dict[str, set[int]]:
    """The numbers of the arguments of functions that they, or those that they call, may write to."""
    written: dict[str, set[int]] = {name: set() for name in recursive}
    graphs = {name: Graph(function) for name, function in recursive.items()}
    leading = {name: _leading(graph) for name, graph in graphs.items()}
    is_new = True
    while is_new:
        is_new = False
        for name, function in recursive.items():
            places = set(_writes(graphs[name], written))
            for number, argument in enumerate(block_of(function).arguments):
                if number in written[name] or not _is_array(argument.type):
                    continue
                if not places.isdisjoint(reached([argument], leading[name].__getitem__)):
                    written[name].add(number)
                    is_new = True
    return written


def _leading(graph: Graph) -> defaultdict[Any, list[Any]]:
    """The other names of each array: what control flow hands on, and parts."""
    found: defaultdict[Any, list[Any]] = defaultdict(list)
    for each in graph.operations:
        if each.name in _NAMES:
            found[each.operands[0]].append(each.results[0])
        elif each.name.startswith("scf."):
            for target, source in handed_on(each):
                found[source].append(target)
    return found


def _writes(graph: Graph, written: dict[str, set[int]]) -> Iterator[Any]:
    """The arrays that operations of a function write to, or give back."""
    for each in graph.operations:
        operands = list(each.operands)
        if each.name in INSERTS:
            yield operands[1]
        elif each.name == "func.return":
            yield from operands
        elif each.name == "func.call":
            places = written.get(each.attributes["callee"].value, range(len(operands)))
            yield from (operands[place] for place in places)
        elif each.name.startswith("linalg."):
            yield from operands[len(operands) - len(each.results) :]
        elif each.name.startswith("bufferization."):
            yield from operands


# Buffers.


def _buffer_type(tensor: Any) -> Any:
    return bindings.ir.MemRefType.get(tensor.shape, tensor.element_type)


def _as_buffer(tensor: Any, is_written: bool) -> Any:
    read_only = {} if is_written else {"read_only": bindings.ir.UnitAttr.get()}
    return op("bufferization.to_buffer", _buffer_type(tensor.type), tensor, **read_only)


def _as_tensor(buffer: Any, kind: Any, is_written: bool) -> Any:
    given = {"restrict": bindings.ir.UnitAttr.get()}
    if is_written:
        given["writable"] = bindings.ir.UnitAttr.get()
    return op("bufferization.to_tensor", kind, buffer, **given)


def _hand_over(call: Any, written: set[int]) -> None:
    ir = bindings.ir
    operands = list(call.operands)
    with ir.InsertionPoint(call), call.location:
        for number, operand in enumerate(operands):
            if _is_array(operand.type):
                operands[number] = _as_buffer(operand, number in written)
        kinds = [each.type for each in call.results]
        made = ir.Operation.create(
            "func.call",
            results=[_buffer_type(each) if _is_array(each) else each for each in kinds],
            operands=operands,
            attributes=dict(call.attributes.items()),
        )
        for old, new in zip(call.results, made.results, strict=True):
            is_array = _is_array(old.type)
            old.replace_all_uses_with(_as_tensor(new, old.type, True) if is_array else new)
    call.erase()


def _take_buffers(function: Any, written: set[int]) -> None:
    ir = bindings.ir
    block = block_of(function)
    for number, argument in enumerate(block.arguments):
        kind = argument.type
        if _is_array(kind):
            with ir.InsertionPoint.at_block_begin(block), ir.Location.unknown():
                view = _as_tensor(argument, kind, number in written)
            argument.replace_all_uses_except(view, view.owner.operation)
            argument.set_type(_buffer_type(kind))


def _give_buffers(function: Any) -> None:
    ir = bindings.ir
    block = block_of(function)
    leave = list(block.operations)[-1].operation
    with ir.InsertionPoint(leave), leave.location:
        for number, value in enumerate(leave.operands):
            if _is_array(value.type):
                leave.operands[number] = _as_buffer(value, True)
    kind = ir.FunctionType.get(
        [each.type for each in block.arguments], [each.type for each in leave.operands]
    )
    function.attributes["function_type"] = ir.TypeAttr.get(kind)
