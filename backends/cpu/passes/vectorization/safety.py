"""Which places of arrays the iterations of a loop read and write.

By their distance from its counter.
"""

from __future__ import annotations

from typing import Any

from agir.backends.mlir.graph import Producers


def indices(access: Any) -> list[Any]:
    """The indices of a load or store."""
    return list(access.operands)[2 if access.name == "memref.store" else 1 :]


def distance(value: Any, counter: Any, graph: Producers) -> int | None:
    """The constant that a value is more than the counter; None where it is anything else."""
    constant = 0
    while value != counter:
        source = graph.producer(value)
        if source is None:
            return None
        if str(source.results[0].type) not in ("index", "i64"):
            return None  # what is narrower may wrap around
        if source.name == "arith.index_cast":
            value = source.operands[0]
            continue
        if source.name not in ("arith.addi", "arith.subi"):
            return None
        number = graph.number(source.operands[1])
        if number is None:
            return None
        sign = 1 if source.name == "arith.addi" else -1
        constant += sign * number
        value = source.operands[0]
    return constant


def is_contiguous(access: Any, loop: Any, graph: Producers) -> bool:
    """Whether neighbouring iterations are at neighbouring places: the last index is the counter's.

    The other indices are then the same for all iterations: they come from around the loop.
    """
    counter = loop.regions[0].blocks[0].arguments[0]
    *others, last = indices(access)
    return distance(last, counter, graph) is not None and not any(
        graph.is_inside(value, loop) for value in others
    )
