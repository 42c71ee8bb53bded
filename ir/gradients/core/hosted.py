"""Operations that the host computes, as calls in the recorded program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.ir.gradients.core import graph
from agir.ir.host import callbacks, hosts
from agir.ir.tracing.trace import Trace
from agir.records import dataclass


@dataclass
class Call:
    """A call of an operation that the host computes, as one of its results shows it."""

    name: str
    options: dict[str, Any]
    operands: list[Any]
    number: int
    """The number of the result."""
    fetches: dict[int, Any]
    """What gives this and other results, by their numbers; the host gives each of them once."""


def said(trace: Trace, operation: Any) -> Any:
    """What the declaration of a call of the host says; None for a call of something else."""
    if operation.name != "func.call":
        return None
    callback = callbacks.known(trace, operation.attributes["callee"].value)
    return None if callback is None else callback.attributes


def call_of(trace: Trace, operation: Any, operands: Sequence[Any]) -> Call | None:
    """The call that a result comes from; None where what is called is Python code.

    ``operands`` stand for the operands of the operation.
    """
    own = said(trace, operation)
    if own is None:
        return None
    kind = own[hosts.CALLBACK].value
    if kind in ("compute", "number"):
        if hosts.RESULT not in own:
            return None
        origin, fetches = operation, {int(own[hosts.RESULT].value): operation}
    elif kind == "fetch":
        origin = _origin(operands[0])
        fetches = _row(trace, operation)
    else:
        return None
    declared = None if origin is None else said(trace, origin)
    if declared is None or hosts.OPERATION not in declared:
        return None
    return Call(
        declared[hosts.OPERATION].value,
        hosts.options_of(declared),
        list(origin.operands if kind == "fetch" else operands),
        int(own[hosts.RESULT].value),
        fetches,
    )


def source_of(trace: Trace, operation: Any, operands: Sequence[Any]) -> Any:
    """What a result that is fetched comes from: a call, or a branch around it; None for no fetch."""
    own = said(trace, operation)
    if own is None or own[hosts.CALLBACK].value != "fetch":
        return None
    return graph.defining(operands[0])


def _origin(handle: Any) -> Any:
    """The call that gave the number of the results; it may stand in a branch."""
    operation = graph.defining(handle)
    while operation is not None and operation.name == "scf.if":
        inner = graph.terminator(operation.blocks[0]).operands[handle.number]
        handle, operation = inner, graph.defining(inner)
    return operation if operation is not None and operation.name == "func.call" else None


def _row(trace: Trace, operation: Any) -> dict[int, Any]:
    """The calls next to this one that fetch results of the same call, and this one, by number."""
    handle = operation.operands[0]
    block = graph.operations(operation.block)
    first = last = block.index(operation)
    while first and handle in block[first - 1].operands:
        first -= 1
    while last + 1 < len(block) and handle in block[last + 1].operands:
        last += 1
    found: dict[int, Any] = {}
    for each in block[first : last + 1]:
        own = said(trace, each)
        if own is not None and own[hosts.CALLBACK].value == "fetch":
            found[int(own[hosts.RESULT].value)] = each
    return found
