"""The conditions on which checks fail, as selections spell them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agir.backends.mlir.graph import Graph
from agir.backends.mlir.making import predicate

_OPPOSITES = (("eq", "ne"), ("slt", "sge"), ("sle", "sgt"), ("ult", "uge"), ("ule", "ugt"))
_OPPOSITE = dict(_OPPOSITES) | {other: one for one, other in _OPPOSITES}
"""By a predicate of ``arith.cmpi`` its opposite."""
NEGATIVE, BEYOND = "slt", "uge"
"""How it is asked whether an index counts from the end, and whether there is no such element."""


def failing_conditions(operations: Iterable[Any], graph: Graph) -> list[Any]:
    """The conditions on which checks among these operations fail."""
    parts = (_parts(each, graph) for each in operations if each.name == "arith.select")
    return list(dict.fromkeys(each[0] for each in parts if each is not None))


def _parts(selection: Any, graph: Graph) -> tuple[Any, Any] | None:
    """Of the selection of a code, that the check fails and that none has failed before.

    ``select(bad and code == 0, number, code)``
    """
    both = graph.producer(selection.operands[0], "arith.andi")
    if both is None or str(selection.operands[2].type) != "i64":
        return None
    for bad, is_new in (list(both.operands), list(both.operands)[::-1]):
        first = graph.producer(is_new, "arith.cmpi")
        if first is not None and predicate(first) == "eq":
            code, zero = first.operands
            if code == selection.operands[2] and graph.number(zero) == 0:
                return bad, is_new
    return None


def opposites(bad: Any, graph: Graph) -> list[Any]:
    """The conditions that hold where the check does not fail."""
    source = graph.producer(bad)
    if source is None:
        return []
    if source.name == "arith.xori":
        return [source.operands[0]]
    if source.name != "arith.cmpi":
        return []
    wanted = _OPPOSITE[predicate(source)]
    left, right = source.operands
    return [
        use.user.results[0]
        for use in graph.uses(left)
        if use.position == 0
        and use.user.name == "arith.cmpi"
        and use.user.operands[1] == right
        and predicate(use.user) == wanted
    ]


def counts_from_the_end(chosen: Any, size: Any, graph: Graph) -> bool:
    """Whether a place is an index, or if that is negative its sum with the size."""
    condition, from_end, index = chosen.operands
    test = graph.producer(condition, "arith.cmpi")
    added = graph.producer(from_end, "arith.addi")
    if test is None or added is None or predicate(test) != NEGATIVE:
        return False
    is_sign = graph.number(test.operands[1]) == 0
    return bool(is_sign and test.operands[0] == index) and set(added.operands) == {index, size}
