"""Functions that call themselves: what goes back through one is a function that calls itself.

It takes what the function takes and the cotangents of its results, does the function again, and
goes back through that.  Where the function calls itself, or another one that calls it, this calls
itself: nothing is kept of the calls.  What goes forward takes the changes of the arguments as well,
and gives those of the results behind these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agir.ir.building import bindings
from agir.ir.functions.depth import DEPTH_LIMIT
from agir.ir.gradients.core import graph
from agir.ir.gradients.core.dual import Dual
from agir.ir.gradients.core.expressions import is_differentiable, zeros_like
from agir.ir.gradients.core.joint import Isolated
from agir.ir.gradients.core.sweep import Sweep
from agir.ir.tracing.trace import Trace


def backward(sweep: Sweep, operation: Any, function: Any, cotangents: list[Any]) -> None:
    """The rule of a call of a function that calls itself."""
    trace = sweep.trace
    operands = [sweep.resolve(value) for value in operation.operands]
    given = [
        zeros_like(trace, sweep.resolve(result)) if cotangent is None else cotangent
        for result, cotangent in zip(operation.results, cotangents, strict=True)
        if is_differentiable(result.type)
    ]
    wanted = [value for value in operands if is_differentiable(value.type)]
    callee = _callee(trace, function, trace.functions.derivatives, "backward", _made)
    kinds = [value.type for value in wanted]
    found = trace.create("func.call", kinds, [*operands, *given], callee).results
    for value, cotangent in zip(wanted, found, strict=True):
        sweep.add(value, cotangent)


def _callee(
    trace: Trace, function: Any, known: dict[str, str], way: str, make: Callable[..., Any]
) -> dict[str, Any]:
    """What a call of the function that goes this way through another says; that is made once."""
    symbol: str = function.attributes["sym_name"].value
    if symbol not in known:
        known[symbol] = trace.functions.free_name(f"{symbol}_{way}")
        trace.functions.keep(known[symbol], make(trace, function, known[symbol]))
    return {"callee": bindings.ir.FlatSymbolRefAttr.get(known[symbol])}


def _made(trace: Trace, function: Any, symbol: str) -> Any:
    (block,) = function.blocks
    superseded = len(trace.superseded)
    with trace.inside(Isolated(trace.root)) as scope:

        def argument(kind: Any) -> Any:
            return scope.block.add_argument(kind, function.location)

        own = [argument(each.type) for each in block.arguments]
        mapping = dict(zip(block.arguments, own, strict=True))
        copies = [graph.copy(trace, each, mapping) for each in graph.operations(block)]
        sources = [value for value in own if is_differentiable(value.type)]
        sweep = Sweep(trace, set(sources))
        graph.spread(copies, sweep.active)
        for value in graph.terminator(block).operands:
            if is_differentiable(value.type):
                sweep.add(mapping.get(value, value), argument(value.type))
        sweep.run(copies)
        found = [trace.replacement(sweep.accumulated(value)) for value in sources]
        trace.create("func.return", (), found)
        trace.settle_superseded(scope.block, superseded)
    return _private(function, scope.block, symbol, found)


def _private(function: Any, block: Any, symbol: str, returned: Sequence[Any]) -> Any:
    """A function of this block, which may call itself as deep as another one."""
    kept = [DEPTH_LIMIT] if DEPTH_LIMIT in function.attributes else []
    attributes = {name: function.attributes[name] for name in kept}
    results = [value.type for value in returned]
    return graph.private_function(block, symbol, results, attributes, function.location)


def forward(dual: Dual, operation: Any, function: Any) -> tuple[list[Any], Sequence[Any]]:
    """The rule forwards of a call of a function that calls itself."""
    trace, count = dual.trace, len(operation.results)
    operands = [dual.value(value) for value in operation.operands]
    changes = [dual.change(v) for v in operation.operands if is_differentiable(v.type)]
    moving = [n for n, r in enumerate(operation.results) if is_differentiable(r.type)]
    callee = _callee(trace, function, trace.functions.changes, "forward", _made_forward)
    kinds = [r.type for r in operation.results]
    kinds += [kinds[n] for n in moving]
    found = list(trace.create("func.call", kinds, [*operands, *changes], callee).results)
    tangents: list[Any] = [None] * count
    for number, change in zip(moving, found[count:], strict=True):
        tangents[number] = change
    return found[:count], tangents


def _made_forward(trace: Trace, function: Any, symbol: str) -> Any:
    (block,) = function.blocks
    with trace.inside(Isolated(trace.root)) as scope:

        def argument(kind: Any) -> Any:
            return scope.block.add_argument(kind, function.location)

        own = [argument(each.type) for each in block.arguments]
        tangents = {v: argument(v.type) for v in own if is_differentiable(v.type)}
        inner = Dual(trace, tangents, dict(zip(block.arguments, own, strict=True)))
        inner.again(graph.operations(block))
        ends = list(graph.terminator(block).operands)
        found = [inner.value(v) for v in ends]
        found += [inner.change(v) for v in ends if is_differentiable(v.type)]
        trace.create("func.return", (), found)
    return _private(function, scope.block, symbol, found)
