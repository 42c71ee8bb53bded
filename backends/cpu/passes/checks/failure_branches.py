"""What follows from a check that fails is behind a branch that is rarely taken.

As selections, each check in a loop would wait for the one of the iteration before: whether something
failed already decides what the record is.  A branch that the processor foresees waits for nothing,
and the safe value that takes the place of a wrong index is behind it as well.  An index that counts
from the end, being negative, is looked at behind the same branch: without a sign it is beyond any end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agir.backends.cpu.passes.analysis.failing_checks import (
    BEYOND,
    _parts,
    counts_from_the_end,
    opposites,
)
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.making import compare, expected, op, predicate
from agir.backends.mlir.modules import is_in_loop
from agir.ir.building import bindings


@dataclass
class _Failure:
    """A check in a loop: the condition that it fails, that it is the first one to, what depends."""

    bad: Any
    is_new: Any
    record: list[Any]
    others: list[Any]


def branch_on_failure(module: Any) -> None:
    """Put a branch in the place of the selections that depend on a check, inside of loops."""
    graph = Graph(module)
    for failure in _failures(graph):
        _branch(failure, graph)


def _failures(graph: Graph) -> list[_Failure]:
    found: dict[Any, _Failure] = {}
    for selection in graph.find("arith.select"):
        condition = selection.operands[0]
        if condition in found:
            if selection.block == found[condition].record[0].block:
                found[condition].record.append(selection)
        elif (parts := _parts(selection, graph)) is not None and is_in_loop(selection):
            found[condition] = _Failure(*parts, [selection], [])
    taken: set[Any] = set()
    for failure in found.values():
        first = failure.record[0]
        failure.record = [each for each in failure.record if _is_ready(each, first, graph)]
        failure.others = [
            use.user
            for condition in opposites(failure.bad, graph)
            for use in graph.uses(condition)
            if use.position == 0
            and use.user.name == "arith.select"
            and use.user.block == first.block
            and first.is_before_in_block(use.user)
            and _is_ready(use.user, first, graph)
            and use.user not in taken
        ]
        taken.update(failure.others)
    return list(found.values())


def _is_ready(selection: Any, first: Any, graph: Graph) -> bool:
    """Whether all that a selection needs is there before another one of its block."""
    sources = map(graph.producer, selection.operands)
    return all(s is None or s.block != first.block or s.is_before_in_block(first) for s in sources)


def _branch(failure: _Failure, graph: Graph) -> None:
    ir = bindings.ir
    first = failure.record[0]
    selections = [*failure.record, *failure.others]
    kinds = [each.results[0].type for each in selections]
    chosen = _counted_from_the_end(failure.bad, graph)
    with ir.InsertionPoint(first), first.location:
        unusual = failure.bad if chosen is None else _beyond(chosen, failure.bad, graph)
        never = expected(unusual, False)
        branch = ir.Operation.create("scf.if", results=kinds, operands=[never], regions=2)
    with ir.InsertionPoint(branch.regions[0].blocks.append()), first.location:
        noted = [
            op("arith.select", each.results[0].type, failure.is_new, *list(each.operands)[1:])
            if chosen is None
            else each.clone().results[0]
            for each in failure.record
        ]
        safe = [
            each.operands[2] if chosen is None else each.clone().results[0]
            for each in failure.others
        ]
        ir.Operation.create("scf.yield", operands=[*noted, *safe])
    with ir.InsertionPoint(branch.regions[1].blocks.append()), first.location:
        usual = [each.operands[2] for each in failure.record]
        usual += [_usual(each.operands[1], chosen) for each in failure.others]
        ir.Operation.create("scf.yield", operands=usual)
    graph.add(branch)
    for each, result in zip(selections, branch.results, strict=True):
        each.results[0].replace_all_uses_with(result)
    for each in selections:
        each.erase()


def _counted_from_the_end(bad: Any, graph: Graph) -> Any | None:
    """The selection between an index and one counted from the end, if that is what is checked."""
    compared = graph.producer(bad, "arith.cmpi")
    if compared is None or predicate(compared) != BEYOND:
        return None
    place, size = compared.operands
    chosen = graph.producer(place, "arith.select")
    return chosen if chosen is not None and counts_from_the_end(chosen, size, graph) else None


def _beyond(chosen: Any, bad: Any, graph: Graph) -> Any:
    """Whether an index is none, or counts from the end."""
    compared = graph.producer(bad)
    assert compared is not None
    return compare(chosen.operands[2], predicate(compared), compared.operands[1])


def _usual(value: Any, chosen: Any | None) -> Any:
    """What a value is where an index does not count from the end."""
    return chosen.operands[2] if chosen is not None and value == chosen.results[0] else value
