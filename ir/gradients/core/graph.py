"""What a block's operations use and make: captures, dependence, copies of operations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from agir.ir.building import bindings
from agir.ir.building.checks import CHECK
from agir.ir.building.program import Block, Operation, Value
from agir.ir.gradients.core.expressions import carries
from agir.ir.tracing.trace import Trace

STOPPED = "agir.stop_gradient"
"""The attribute of an operation through which no cotangents flow."""


def operations(block: Any) -> list[Any]:
    """The operations of a block, without its terminator if it has one."""
    found: list[Any] = block.operations
    return found[:-1] if found and is_terminator(found[-1]) else found


_TERMINATORS = ("yield", "condition", "return")


def is_terminator(operation: Any) -> bool:
    """Whether an operation ends its block."""
    name: str = operation.name
    return name.rpartition(".")[2] in _TERMINATORS


def terminator(block: Any) -> Any:
    """The operation that ends the block."""
    return block.terminator


def captured(operation: Any) -> list[Any]:
    """The values of outside that the regions of an operation use."""
    made: set[Value] = set()
    used: dict[Value, None] = {}
    for block in operation.blocks:
        for around in block.blocks():
            made.update(around.arguments)
        for each in block.walk():
            made.update(each.results)
            used.update(dict.fromkeys(each.operands))
    return [value for value in used if value not in made]


def used_by(operation: Any) -> list[Any]:
    """Every value of outside that an operation uses, as an operand or in a region."""
    return list(dict.fromkeys([*operation.operands, *captured(operation)]))


def is_host_call(operation: Any) -> bool:
    """Whether an operation calls what may be Python."""
    callee = operation.attributes["callee"].value if operation.name == "func.call" else CHECK
    return bool(callee != CHECK)


def gives_from_host(operation: Any) -> bool:
    """Whether an operation may give a number under which the host keeps results."""
    if not operation.blocks:
        return is_host_call(operation)
    if not any(str(result.type) == "i64" for result in operation.results):
        return False
    return any(is_host_call(each) and len(each.results) for each in operation.inside())


def spread(block_operations: Iterable[Any], active: set[Any]) -> None:
    """Add to the active values those that these operations compute from them.

    The number under which the host keeps its results is one too, so that a path through the host
    is found.
    """
    for operation in block_operations:
        if STOPPED in operation.attributes:
            continue
        results = list(operation.results)
        if not results:
            continue
        host = gives_from_host(operation)
        found = [value for value in results if host or carries(value)]
        if found and any(value in active for value in used_by(operation)):
            active.update(found)


def reaching(block_operations: Sequence[Any], wanted: set[Any]) -> set[Any]:
    """The values that these operations compute the wanted ones from, and those themselves."""
    found = set(wanted)
    for operation in reversed(block_operations):
        if any(result in found for result in operation.results):
            found.update(used_by(operation))
    return found


def copy(trace: Trace, operation: Any, mapping: dict[Any, Any]) -> Any:
    """A copy of the operation where recording stands, with values replaced as the mapping says."""
    made = operation.clone(mapping, trace.replacement)
    trace.scope.point.append(made)
    return made


def inlined(trace: Trace, block: Any, arguments: Sequence[Any]) -> list[Any]:
    """Record a block again, with these arguments; gives what it yields."""
    mapping = dict(zip(block.arguments, arguments, strict=True))
    for operation in operations(block):
        copy(trace, operation, mapping)
    return [mapping.get(v, trace.replacement(v)) for v in terminator(block).operands]


def defining(value: Value) -> Operation | None:
    """The operation whose result the value is; None for an argument of a block."""
    return value.maker


def block_of(value: Value) -> Block | None:
    """The block in which a value is defined."""
    return value.block


def private_function(
    block: Any, symbol: str, results: Sequence[Any], attributes: dict[str, Any], location: Any
) -> Any:
    """A private function of which a detached block becomes the body; ``results`` are types."""
    ir = bindings.ir
    kind = ir.FunctionType.get([value.type for value in block.arguments], list(results))
    said = {
        "sym_name": ir.StringAttr.get(symbol),
        "sym_visibility": ir.StringAttr.get("private"),
        "function_type": ir.TypeAttr.get(kind),
        **attributes,
    }
    return Operation("func.func", (), (), said, [block], location)
