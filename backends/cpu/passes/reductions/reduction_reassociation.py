"""Loops that only add to a number may add in any order, also those that add where a condition holds.

A loop that does nothing with a number but add to it is a sum: who looks at what it is on the way,
as sums that are compensated for rounding do, keeps the order.  ``if x[i] > 0: s += x[i]`` chooses
what is added instead of whether, so that iterations can run together: minus zero changes no sum,
nor one a product.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes.reductions.linalg_reassociation import (
    COMBINERS,
    FIRST_OPERAND,
    flag_with_factors,
)
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.making import op
from agir.backends.mlir.modules import in_block
from agir.ir.building import bindings
from agir.records import dataclass

_NEUTRAL = {"arith.addf": -0.0, "arith.mulf": 1.0}


@dataclass
class _Sum:
    """The operations through which a number goes from an iteration to the next, all of one kind."""

    combiners: list[Any]
    branches: list[tuple[Any, Any, int]]
    """Those that it goes through: the number before it, the branch, which of its results."""

    @property
    def kind(self) -> str:
        """The operation that combines."""
        name: str = self.combiners[0].name
        return FIRST_OPERAND.get(name, name)


def reassociate_sums(module: Any) -> None:
    """Flag what loops of scalars add to one number, or multiply it by."""
    graph = Graph(module)
    for loop in graph.find("scf.for"):
        block = loop.regions[0].blocks[0]
        for number, accumulator in enumerate(list(block.arguments)[1:]):
            found = _sum(accumulator, block, number, graph)
            if found is None or not found.combiners:
                continue
            found.combiners += [
                _choose_what_is_added(each, found.kind, graph) for each in reversed(found.branches)
            ]
            for combiner in found.combiners:
                flag_with_factors(combiner, graph)


def _sum(accumulator: Any, block: Any, number: int, graph: Graph) -> _Sum | None:
    """How an iteration makes the number that it yields, if by operations of one kind."""
    ir = bindings.ir
    if not isinstance(accumulator.type, (ir.FloatType, ir.ComplexType)):
        return None
    found = _Sum([], [])
    if _follow(accumulator, block, found, graph) != number:
        return None
    return found if _is_of_one_kind(found) else None


def _is_of_one_kind(found: _Sum) -> bool:
    kinds = {FIRST_OPERAND.get(each.name, each.name) for each in found.combiners}
    if kinds == {"arith.mulf"} and len(found.combiners) > 1:
        return False  # factors that are multiplied first may overflow; zero times each does not
    return len(kinds) == 1 and (not found.branches or kinds <= set(_NEUTRAL))


def _follow(value: Any, block: Any, found: _Sum, graph: Graph) -> int | None:
    """As which of its values a block ends with a number that is only combined in it."""
    while True:
        uses = [(in_block(user, block), user, at) for user, at in graph.uses(value)]
        uses = [each for each in uses if each[0] is not None]
        if not uses or any(top != uses[0][0] for top, _, _ in uses):
            return None
        top, user, position = uses[0]
        assert top is not None
        if top.name == "scf.if":
            through = _through(value, top, found, graph)
            if through is None:
                return None
            value = top.results[through]
            continue
        if len(uses) != 1 or user != top:
            return None
        if top.name == "scf.yield":
            return position
        kind = top.name if position else FIRST_OPERAND.get(top.name, top.name)
        if kind not in COMBINERS:
            return None
        found.combiners.append(top)
        value = top.results[0]


def _through(value: Any, branch: Any, found: _Sum, graph: Graph) -> int | None:
    """As which of its results a branch gives a number that is only combined in it."""
    if value in list(branch.operands) or not len(branch.results):  # perhaps without an `else`
        return None
    inside = _Sum(found.combiners, [])  # branches in this one begin with what it begins with
    ends = {_follow(value, region.blocks[0], inside, graph) for region in branch.regions}
    if len(ends) != 1:
        return None
    (number,) = ends
    if number is not None:
        found.branches.append((value, branch, number))
    return number


def _choose_what_is_added(way: tuple[Any, Any, int], kind: str, graph: Graph) -> Any:
    """Have a branch say what is combined with a number, and combine behind it."""
    ir = bindings.ir
    value, branch, number = way
    with ir.InsertionPoint(branch), branch.location:
        attribute = ir.FloatAttr.get(value.type, _NEUTRAL[kind])
        neutral = op("arith.constant", value.type, value=attribute)
    for user, position in graph.uses(value):
        if in_block(user, branch.block) == branch:
            user.operands[position] = neutral
    result = branch.results[number]
    with ir.InsertionPoint.after(branch), branch.location:
        combined = ir.Operation.create(kind, results=[value.type], operands=[value, result])
    result.replace_all_uses_except(combined.results[0], combined)
    return combined
