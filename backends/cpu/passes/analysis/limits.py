"""What checks require of integers: that they lie between two constants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agir.backends.mlir.graph import Producers
from agir.backends.mlir.making import predicate
from agir.ir.building import bindings
from agir.ir.tracing import ranges

_OPPOSITE = {
    "eq": "ne", "ne": "eq", "slt": "sge", "sge": "slt", "sle": "sgt", "sgt": "sle",
    "ult": "uge", "uge": "ult", "ule": "ugt", "ugt": "ule",
}  # fmt: skip


@dataclass(frozen=True)
class Limit:
    """That an integer lies in ``low..high``, both included."""

    value: Any
    low: int
    high: int

    @property
    def is_of_number(self) -> bool:
        """Whether it is of a number of the program's, and not of a place in an array."""
        return not isinstance(self.value.type, bindings.ir.IndexType)


def limits(condition: Any, holds: bool, graph: Producers) -> list[Limit] | None:
    """What of integers makes a condition hold, or not hold, if all of it is so; None if unknown."""
    source = graph.producer(condition)
    if source is None:
        return None
    if source.name == "arith.xori" and graph.number(source.operands[1]):
        return limits(source.operands[0], not holds, graph)
    if source.name == ("arith.andi" if holds else "arith.ori"):
        parts = [limits(each, holds, graph) for each in source.operands]
        return None if None in parts else [limit for part in parts for limit in part or ()]
    if source.name != "arith.cmpi":
        return None
    relation = predicate(source) if holds else _OPPOSITE[predicate(source)]
    if relation == "eq":
        return _without_loss(source.operands[0], source.operands[1], graph)
    number = graph.number(source.operands[1])
    return None if number is None else _compared(source.operands[0], relation, number)


def _compared(value: Any, relation: str, number: int) -> list[Limit] | None:
    least = 0 if relation[0] == "u" else ranges.LEAST
    match relation[1:]:
        case "lt":
            low, high = least, number - 1
        case "le":
            low, high = least, number
        case "gt" if relation[0] == "s":
            low, high = number + 1, ranges.GREATEST
        case "ge" if relation[0] == "s":
            low, high = number, ranges.GREATEST
        case _:
            return None
    return [Limit(value, low, high)] if low <= high else None


def _without_loss(narrow: Any, wide: Any, graph: Producers) -> list[Limit] | None:
    """Of the comparison of an integer with itself after it was cut to fewer bits."""
    for one, other in ((narrow, wide), (wide, narrow)):
        extended = graph.producer(one, "arith.extsi")
        cut = None if extended is None else graph.producer(extended.operands[0], "arith.trunci")
        if cut is not None and cut.operands[0] == other:
            return [Limit(other, *ranges.of_bits(cut.results[0].type.width, signed=True))]
    return None
