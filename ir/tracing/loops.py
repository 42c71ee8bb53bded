"""Loops and branches that operations record by themselves, with values that are carried."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agir.ir.building import bindings
from agir.ir.building.cells import Scope
from agir.ir.tracing.trace import Trace

Build = Callable[[], Sequence[Any]]
"""Gives the values that a branch yields."""
Body = Callable[[list[Any], list[Any]], Sequence[Any]]
"""``(indices, carried) -> carried``."""

LIKELY = "agir.likely"
"""The attribute of an ``scf.if`` whose condition nearly always holds."""


def nest(trace: Trace, sizes: Sequence[Any], carried: Sequence[Any], body: Body) -> list[Any]:
    """``scf.for`` over each size (an ``index``), the last one innermost; what is carried out."""

    def level(indices: list[Any], values: list[Any]) -> list[Any]:
        if len(indices) == len(sizes):
            return list(body(indices, values))
        return _counted(trace, sizes[len(indices)], values, lambda i, v: level([*indices, i], v))

    return level([], list(carried))


def _counted(
    trace: Trace, size: Any, carried: list[Any], body: Callable[[Any, list[Any]], list[Any]]
) -> list[Any]:
    bounds = [trace.index(0), size, trace.index(1)]
    with trace.inside(Scope(trace.scope)) as scope:
        types = [trace.index_type(), *(value.type for value in carried)]
        index, *values = [scope.block.add_argument(t, trace.location) for t in types]
        trace.create("scf.yield", (), body(index, values))
    operation = trace.create("scf.for", types[1:], [*bounds, *carried], blocks=[scope.block])
    return list(operation.results)


def while_true(
    trace: Trace,
    carried: Sequence[Any],
    test: Callable[[list[Any]], Any],
    body: Callable[[list[Any]], Sequence[Any]],
) -> list[Any]:
    """``scf.while``: the body as long as the test (i1) of what is carried holds."""
    types = [value.type for value in carried]
    blocks = []
    for terminator in ("scf.condition", "scf.yield"):
        with trace.inside(Scope(trace.scope)) as scope:
            values = [scope.block.add_argument(t, trace.location) for t in types]
            first = terminator == "scf.condition"
            trace.create(terminator, (), [test(values), *values] if first else body(values))
        blocks.append(scope.block)
    operation = trace.create("scf.while", types, carried, blocks=blocks)
    return list(operation.results)


def either(
    trace: Trace, condition: Any, then: Build, otherwise: Build, likely: bool = False
) -> list[Any]:
    """``scf.if`` on an i1: what one of the functions gives; the types of both are the same."""
    blocks, types = [], []
    for build in (then, otherwise):
        with trace.inside(Scope(trace.scope)) as scope:
            results = list(build())
            trace.create("scf.yield", (), results)
        blocks.append(scope.block)
        types = [each.type for each in results]
    mark = {LIKELY: bindings.ir.UnitAttr.get()} if likely else {}
    operation = trace.create("scf.if", types, (condition,), mark, blocks)
    return list(operation.results)


def if_ok(trace: Trace, ok: Any, inside: Callable[[], Any], outside: Callable[[], Any]) -> Any:
    """``inside()`` where the i1 is true, else ``outside()``; only one of them is computed."""
    return either(trace, ok, lambda: [inside()], lambda: [outside()])[0]
