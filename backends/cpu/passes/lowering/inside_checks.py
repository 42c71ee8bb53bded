"""Whether a place is inside of a list is one comparison of numbers without a sign.

Checks are found, and left out, by the two that they are recorded as: not below 0, below the length.
"""

from __future__ import annotations

from typing import Any

from agir.backends.mlir.graph import Producers
from agir.backends.mlir.making import compare, predicate, use_instead
from agir.ir.building import bindings
from agir.ir.building.attributes import INSIDE


def compare_without_signs(module: Any) -> None:
    """Ask once where a check of a place is marked: a length is never negative."""
    graph = Producers(module)
    for check in graph.find("arith.andi"):
        if INSIDE not in check.attributes:
            continue
        del check.attributes[INSIDE]
        low, high = (graph.producer(each, "arith.cmpi") for each in check.operands)
        if low is None or high is None or (predicate(low), predicate(high)) != ("sge", "slt"):
            continue
        place, length = high.operands
        if low.operands[0] == place and graph.number(low.operands[1]) == 0:
            with bindings.ir.InsertionPoint(check), check.location:
                use_instead(check, [compare(place, "ult", length)])
            check.erase()
