"""Python's iterators that have no end: ``itertools.count``, ``cycle`` and ``repeat``."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from agir.autograph.operators import get_item
from agir.ir.tensors.symbolic import SymbolicTensor, is_run_time
from agir.ir.tracing.trace import Trace
from agir.ir.values.sequences import iteration, progressions

Replacement = Callable[..., Any]


def find(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Replacement | None:
    """What makes one that a loop can be recorded over; None where there is Python's alone."""
    replacement = _REPLACED.get(function)
    if replacement is None:
        return None
    replace, allowed = replacement
    return replace if allowed(*args, **kwargs) else None


def _count(trace: Trace, start: Any = 0, step: Any = 1) -> Any:
    return iteration.Endless(trace, lambda number: start + step * number)


def _are_integers(start: Any = 0, step: Any = 1) -> bool:
    return all(map(_is_integer, (start, step)))


def _is_integer(value: Any) -> bool:
    if isinstance(value, SymbolicTensor):
        return value.dtype.is_integer and not value.dims
    return type(value) is int


def _cycle(trace: Trace, iterable: Any) -> Any:
    values = list(iterable)
    return iteration.Endless(trace, lambda number: get_item(values, number % len(values)))


def _is_filled(iterable: Any) -> bool:
    return isinstance(iterable, list | tuple) and not is_run_time(iterable) and bool(len(iterable))


def _repeat(trace: Trace, object: Any, *times: Any, **named: Any) -> Any:
    for count in (*times, *named.values()):
        return iteration.Mapped(trace, progressions.progression(trace, count), lambda _: object)
    return iteration.Endless(trace, lambda _: object)


def _may_repeat(object: Any, *times: Any, **named: Any) -> bool:
    counts = (*times, *named.values())
    return not counts or isinstance(counts[0], SymbolicTensor)


_REPLACED: dict[Any, tuple[Replacement, Callable[..., bool]]] = {
    itertools.count: (_count, _are_integers),
    itertools.cycle: (_cycle, _is_filled),
    itertools.repeat: (_repeat, _may_repeat),
}
"""And where that is possible."""
