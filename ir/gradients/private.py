"""Functions of their own inside a trace: those with a gradient of the user's, those done again.

A private function is recorded in a detached block, like a recursive one, and what it uses of the
trace becomes further arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agir.ir import bindings
from agir.ir.cells import FunctionScope
from agir.ir.gradients.core import graph
from agir.ir.trace import Trace

_CONSTANTS = ("arith.constant", "complex.constant")


def outline(
    trace: Trace,
    name: str,
    operands: Sequence[Any],
    build: Callable[[list[Any]], Sequence[Any]],
    attributes: dict[str, Any] | None = None,
) -> tuple[str, list[Any], list[Any]]:
    """Record a function of these operands' types, whose results are what ``build`` gives.

    Gives its symbol, the values of the trace that it takes behind its arguments, and the types of
    its results.
    """
    ir = bindings.ir
    scope = FunctionScope(trace.scope)
    with trace.inside(scope):
        own = [scope.block.add_argument(v.type, v.location) for v in operands]
        returned = list(build(own))
        returned = scope.drop_read_only(set(), returned)
        trace.create("func.return", (), returned)
    outside = _free(scope.block)
    inside = {value: scope.block.add_argument(value.type, value.location) for value in outside}
    start = ir.InsertionPoint.at_block_begin(scope.block)
    for operation in _all(scope.block):
        for position, value in enumerate(operation.operands):
            if value in inside:
                operation.operands[position] = inside[value]
            elif _is_constant(value) and not _is_within(value, scope.block):
                inside[value] = graph.defining(value).clone(start).operation.results[0]
                operation.operands[position] = inside[value]
    kinds = [v.type for v in graph.terminator(scope.block).operands]
    symbol = trace.functions.free_name(name)
    function = graph.private_function(scope.block, symbol, kinds, attributes or {}, trace.location)
    trace.functions.keep(symbol, function)
    return symbol, outside, kinds


def call(trace: Trace, symbol: str, operands: Sequence[Any], kinds: Sequence[Any]) -> list[Any]:
    """Record a call."""
    callee = {"callee": bindings.ir.FlatSymbolRefAttr.get(symbol)}
    return list(trace.create("func.call", list(kinds), list(operands), callee).results)


def _all(block: Any) -> list[Any]:
    return [
        each
        for view in block.operations
        for each in (view.operation, *graph.inside(view.operation))
    ]


def _is_constant(value: Any) -> bool:
    operation = graph.defining(value)
    return operation is not None and operation.name in _CONSTANTS


def _is_within(value: Any, block: Any) -> bool:
    return graph.block_of(value) in _blocks(block)


def _blocks(block: Any) -> set[Any]:
    return {block, *(b for each in _all(block) for r in each.regions for b in r.blocks)}


def _free(block: Any) -> list[Any]:
    """The values of outside that are no constants."""
    blocks = _blocks(block)
    found: dict[Any, None] = {}
    for operation in _all(block):
        for value in operation.operands:
            if graph.block_of(value) not in blocks and not _is_constant(value):
                found[value] = None
    return list(found)
