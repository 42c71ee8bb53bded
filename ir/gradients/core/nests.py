"""Bodies that compute one element: run again, and backwards, in a nest of loops over all elements.

This is the way where a body reads elements of arrays at positions that it computes: what it adds to
their cotangents goes to one element each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agir.ir.gradients.core import graph
from agir.ir.gradients.core.sweep import Sweep
from agir.ir.tracing import loops

Arguments = Callable[[list[Any]], dict[Any, Any]]
"""From the indices of an element to what the arguments of the body stand for there."""
Seed = Callable[[Sweep, list[Any], dict[Any, Any]], None]
"""Gives the values that the body yields their cotangents."""


def backward(
    sweep: Sweep,
    block: Any,
    sizes: Sequence[Any],
    wanted: Sequence[Any],
    arguments: Arguments,
    seed: Seed,
    also: Callable[[Sweep, list[Any], dict[Any, Any]], None] | None = None,
) -> None:
    """Add to the cotangents of values of outside what every element of a body adds to them.

    ``also`` adds what the body's arguments have got to the values that these are elements of.
    """
    trace = sweep.trace
    wanted = list(dict.fromkeys(sweep.resolve(value) for value in wanted))
    if not wanted:
        return
    masked = sweep.visits_masked

    def element(indices: list[Any], totals: list[Any]) -> list[Any]:
        mapping = arguments(indices)
        inner = Sweep(trace, set(sweep.active))
        for value, element in mapping.items():
            if value in sweep.active:
                inner.active.add(element)
        operations = copied(sweep, block, indices, mapping)
        graph.spread(operations, inner.active)
        inner.cotangents = dict(zip(wanted, totals, strict=True))
        if masked:
            inner.masked.update(inner.active)
        seed(inner, indices, mapping)
        inner.run(operations)
        if also is not None:
            also(inner, indices, mapping)
        return [inner.accumulated(value) for value in wanted]

    initial = [sweep.accumulated(value) for value in wanted]
    results = loops.nest(trace, sizes, initial, element)
    for value, total in zip(wanted, results, strict=True):
        sweep.cotangents[value] = total
        if masked:
            sweep.masked.add(value)


def copied(sweep: Sweep, block: Any, indices: list[Any], mapping: dict[Any, Any]) -> list[Any]:
    """The operations of a body recorded again, for the element at the indices."""
    made = []
    for operation in graph.operations(block):
        if operation.name == "linalg.index":
            dimension: int = operation.attributes["dim"].value
            mapping[operation.result] = indices[dimension]
        else:
            made.append(graph.copy(sweep.trace, operation, mapping))
    return made
