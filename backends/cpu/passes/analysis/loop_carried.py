"""What a loop carries: its place in the lists of the loop, and its names there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from agir.backends.cpu.passes.analysis.memory_uses import is_buffer
from agir.backends.mlir.graph import Producers
from agir.records import dataclass

LOOPS = ("scf.for", "scf.while")
BOUNDS = 3  # operands of a ``scf.for`` before what it begins with


@dataclass(eq=False)
class Slot:
    """A buffer that a loop carries: its positions in the loop's lists, and its names."""

    number: int
    """Its position among the initial values, and among those that an iteration yields."""
    passed: int
    """Its position among the loop's results."""
    start: Any
    tested: Any
    """Its name in the test of a ``while``; None in other loops."""
    argument: Any
    """Its name in the body."""
    following: Any
    """What the body yields for it."""


def slots_of(
    loop: Any, graph: Producers, is_wanted: Callable[[Any], bool] = is_buffer
) -> Iterator[Slot]:
    """The buffers that a loop carries, but for those of which its test makes something else.

    Or other values, as is wanted.
    """
    leave = end_of(loop, "scf.yield", graph)
    body = list(loop.regions[len(loop.regions) - 1].blocks[0].arguments)
    if loop.name == "scf.for":
        starts = list(loop.operands)[BOUNDS:]
        lists = zip(starts, body[1:], leave.operands, strict=True)
        for n, (start, argument, following) in enumerate(lists):
            if is_wanted(start):
                yield Slot(n, n, start, None, argument, following)
        return
    passed = list(end_of(loop, "scf.condition", graph).operands)[1:]
    tested = list(loop.regions[0].blocks[0].arguments)
    lists = zip(loop.operands, tested, leave.operands, strict=True)
    for n, (start, value, following) in enumerate(lists):
        if is_wanted(start) and passed.count(value) == 1:
            at = passed.index(value)
            yield Slot(n, at, start, value, body[at], following)


def end_of(loop: Any, name: str, graph: Producers) -> Any:
    """The operation of this name that ends one of a loop's blocks."""
    return next(end for end in graph.ends(loop) if end.name == name)
