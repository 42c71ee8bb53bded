"""What elementwise operations are computed into.

On tensors the operand in ``outs`` only names a buffer to be.  Before fusion none of them should be
an input as well, for that looks like a second use; before bufferization an input that is not
needed afterwards is the best choice, for then no new buffer is needed at all.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.generalize import affine_map
from agir.backends.cpu.passes import find, producer
from agir.ir import bindings

_FRESH = ("linalg.", "tensor.insert", "scf.for", "scf.while")
_LOOPS = ("scf.for", "scf.while")


def detach_destinations(module: Any) -> None:
    """Compute every elementwise operation into an empty tensor of its own."""
    for generic in find(module, "linalg.generic"):
        for position, argument in _destinations(generic):
            source = producer(generic.operands[position])
            if (source is None or source.name != "tensor.empty") and not list(argument.uses):
                with bindings.ir.InsertionPoint(generic), generic.location:
                    generic.operands[position] = _empty_like(generic.operands[position])


def reuse_dying_operands(module: Any) -> None:
    """Compute an elementwise operation into one of its inputs that has no later use."""
    for generic in find(module, "linalg.generic"):
        if len(generic.results) != 1 or not _is_parallel(generic):
            continue
        (position, argument), *_ = _destinations(generic)
        source = producer(generic.operands[position])
        if source is not None and source.name == "tensor.empty" and not list(argument.uses):
            operand = _dying_operand(generic, position)
            if operand is not None:
                generic.operands[position] = operand


def _destinations(generic: Any) -> list[tuple[int, Any]]:
    """Position and block argument of each operand in ``outs``."""
    arguments = list(generic.regions[0].blocks[0].arguments)
    first = len(generic.operands) - len(generic.results)
    return [(i, arguments[i]) for i in range(first, len(generic.operands))]


def _empty_like(value: Any) -> Any:
    source = producer(value)
    while source is not None and source.name == "linalg.generic":
        first = len(source.operands) - len(source.results)
        position = list(source.results).index(value)
        value = source.operands[first + position]
        source = producer(value)
    if source is not None and source.name == "tensor.empty":
        return source.clone().results[0]
    return _create("tensor.empty", [value.type], _unknown_extents(value))


def _unknown_extents(value: Any) -> list[Any]:
    ir = bindings.ir
    index = ir.IndexType.get()
    extents = []
    for axis in range(value.type.rank):
        if value.type.is_dynamic_dim(axis):
            number = ir.IntegerAttr.get(index, axis)
            position = _create("arith.constant", [index], [], value=number)
            extents.append(_create("tensor.dim", [index], [value, position]))
    return extents


def _create(name: str, results: list[Any], operands: list[Any], **attributes: Any) -> Any:
    operation = bindings.ir.Operation.create(
        name, results=results, operands=operands, attributes=attributes
    )
    return operation.results[0]


def _is_parallel(generic: Any) -> bool:
    return not any("reduc" in str(kind) for kind in generic.attributes["iterator_types"])


def _dying_operand(generic: Any, destination: int) -> Any:
    maps = [attribute.value for attribute in generic.attributes["indexing_maps"]]
    identity = affine_map(maps[0].n_dims, range(maps[0].n_dims))
    wanted = generic.results[0].type
    for position in range(destination):
        operand = generic.operands[position]
        everywhere = [i for i in range(destination) if generic.operands[i] == operand]
        if (
            operand.type == wanted
            and all(maps[i] == identity for i in everywhere)
            and _is_writable(operand, generic)
            and _is_last_use(operand, generic)
        ):
            return operand
    return None


def _is_writable(operand: Any, generic: Any) -> bool:
    """Whether a value is certain to get a buffer of its own, in the same turn of the same loop."""
    source = producer(operand)
    if source is None:
        block = operand.owner
        return bool(block == generic.block and block.owner.operation.name in _LOOPS)
    return bool(source.block == generic.block and source.name.startswith(_FRESH))


def _is_last_use(operand: Any, generic: Any) -> bool:
    for use in operand.uses:
        user = use.owner.operation
        if user == generic:
            continue
        if user.block != generic.block or not user.is_before_in_block(generic):
            return False
    return True
