"""Comprehensions as expressions, where no function with statements can be defined."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from agir.autograph.operators.calls import call
from agir.autograph.operators.conditionals import if_stmt, skip
from agir.autograph.operators.generators import Box, Emit
from agir.autograph.operators.logical import not_
from agir.autograph.operators.loops import for_stmt
from agir.autograph.operators.objects import new, set_item
from agir.autograph.operators.staging import LoopOptions, no_state

__all__ = ["collect", "each", "unpacked", "when"]


def collect(result: Any, fill: Callable[[Any], object]) -> Any:
    """An empty list, set or dict, filled by a function that is given what adds to it."""
    is_dict = isinstance(result, dict)  # what stands for one is none
    result = new(result)
    adding: Callable[..., None]
    if is_dict:
        adding = partial(set_item, result)
    else:
        adding = result.append if isinstance(result, list) else result.add
    fill(_Collector(adding, LoopOptions(collects=True)))
    return result


class _Collector(Emit):
    """Takes the items of a comprehension."""

    def __init__(self, add: Callable[..., None], options: LoopOptions) -> None:
        super().__init__(lambda value: None, no_state, None, options)
        self.add = add

    def __call__(self, *values: Any) -> bool:
        call(self.add, values)
        return False


def each(source: Any, step: Callable[[Any], Any], emit: Emit) -> Any:
    """Run `step`, which emits, over the items; whether the consumer wants no more."""
    options = emit.looping(LoopOptions())
    if not emit.stops:
        for_stmt(source, step, None, emit.state, options)
        return False
    stopped = Box("stopped", False)

    def body(item: Any) -> None:
        stopped.value = step(item)

    for_stmt(source, body, lambda: not_(stopped.value), emit.around(stopped.state), options)
    return stopped.value


def when(test: Any, step: Callable[[], Any], emit: Emit) -> Any:
    """Run `step`, which emits, if the test holds; whether the consumer wants no more."""
    stopped = Box("stopped", False)

    def body() -> None:
        stopped.value = step()

    if emit.stops:
        if_stmt(test, body, skip, emit.around(stopped.state))
    else:
        if_stmt(test, step, skip, emit.state)
    return stopped.value


def unpacked(item: Any, count: int) -> tuple[Any, ...]:
    """The items of ``a, b = item``."""
    items = [each for each in item]  # noqa: C416 - list() would ask for the length
    if len(items) > count:
        raise ValueError(f"too many values to unpack (expected {count})")
    if len(items) < count:
        raise ValueError(f"not enough values to unpack (expected {count}, got {len(items)})")
    return tuple(items)
