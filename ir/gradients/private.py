"""Functions of their own inside a trace: those with a gradient of the user's, those done again.

A private function is recorded in a detached block, like a recursive one, and what it uses of the
trace becomes further arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agir.ir.building import bindings
from agir.ir.building.cells import FunctionScope
from agir.ir.building.program import Block, Value
from agir.ir.gradients.core import graph
from agir.ir.tracing.trace import Trace

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
    scope = FunctionScope(trace.scope)
    with trace.inside(scope):
        own = [scope.block.add_argument(v.type, v.location) for v in operands]
        returned = list(build(own))
        returned = scope.drop_read_only(set(), returned)
        trace.create("func.return", (), returned)
    outside = _free(scope.block)
    inside = {value: scope.block.add_argument(value.type, value.location) for value in outside}
    for value in _free(scope.block, constants=True):
        inside[value] = scope.block.repeat(value)
    scope.block.replace(inside)
    kinds = [v.type for v in graph.terminator(scope.block).operands]
    symbol = trace.functions.free_name(name)
    function = graph.private_function(scope.block, symbol, kinds, attributes or {}, trace.location)
    trace.functions.keep(symbol, function)
    return symbol, outside, kinds


def call(trace: Trace, symbol: str, operands: Sequence[Any], kinds: Sequence[Any]) -> list[Any]:
    """Record a call."""
    callee = {"callee": bindings.ir.FlatSymbolRefAttr.get(symbol)}
    return list(trace.create("func.call", list(kinds), list(operands), callee).results)


def _is_constant(value: Value) -> bool:
    return value.maker is not None and value.maker.name in _CONSTANTS


def _free(block: Block, constants: bool = False) -> list[Value]:
    """The values of outside that are constants, or that are none."""
    blocks = set(block.blocks())
    used = (value for operation in block.walk() for value in operation.operands)
    found = (v for v in used if v.block not in blocks and _is_constant(v) == constants)
    return list(dict.fromkeys(found))
