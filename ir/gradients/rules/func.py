"""Derivatives of calls."""

from __future__ import annotations

from typing import Any

from agir.ir.building.private_functions import GRADIENT
from agir.ir.gradients.core import graph, hosted, recursion
from agir.ir.gradients.core.expressions import zeros_like
from agir.ir.gradients.core.sweep import RULES, Sweep
from agir.ir.gradients.rules import host
from agir.ir.tracing.trace import Trace


def _call(sweep: Sweep, operation: Any, cotangents: list[Any]) -> None:
    """By the function that the callee names, or by the sweep of its body, which is done again."""
    function = sweep.trace.functions.made(operation.attributes["callee"].value)
    if function is None and host.backward(sweep, operation, cotangents):
        return
    if function is None:
        raise host.is_python(
            hosted.source_of(sweep.trace, operation, operation.operands) or operation
        )
    if GRADIENT in function.attributes:
        _custom(sweep, operation, function, cotangents)
        return
    if calls_itself(sweep.trace, function):
        recursion.backward(sweep, operation, function, cotangents)
        return
    (block,) = function.blocks
    operands = [sweep.resolve(value) for value in operation.operands]
    mapping = dict(zip(block.arguments, operands, strict=True))
    copies = [graph.copy(sweep.trace, each, mapping) for each in graph.operations(block)]
    graph.spread(copies, sweep.active)
    for value, cotangent in zip(graph.terminator(block).operands, cotangents, strict=True):
        if cotangent is not None:
            sweep.add(mapping.get(value, value), cotangent)
    sweep.run(copies)


def calls_itself(trace: Trace, function: Any) -> bool:
    """Whether a function calls itself, at first or second hand."""
    symbol = function.attributes["sym_name"].value
    called = trace.functions.needed_by(function)
    return any(each.attributes["sym_name"].value == symbol for each in called)


def _custom(sweep: Sweep, operation: Any, function: Any, cotangents: list[Any]) -> None:
    """The cotangents that the user's function gives; its results are for the first operands."""
    trace = sweep.trace
    gradient = trace.functions.made(function.attributes[GRADIENT].value)
    (block,) = gradient.blocks
    given = [
        zeros_like(trace, sweep.resolve(result)) if cotangent is None else cotangent
        for result, cotangent in zip(operation.results, cotangents, strict=True)
    ]
    count = len(block.arguments) - len(given)
    operands = [sweep.resolve(value) for value in operation.operands]
    captured = operands[len(operands) - count :]
    mapping = dict(zip(block.arguments, [*given, *captured], strict=True))
    for each in graph.operations(block):
        graph.copy(trace, each, mapping)
    found = [mapping.get(v, v) for v in graph.terminator(block).operands]
    for value, cotangent in zip(operands, found, strict=False):
        sweep.add(value, cotangent)


RULES["func.call"] = _call
