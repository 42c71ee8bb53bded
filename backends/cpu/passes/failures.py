"""What follows from a check that fails is behind a branch that is rarely taken.

As selections, each check in a loop would wait for the one of the turn before: whether something
failed already decides what the record is.  A branch that the processor foresees waits for nothing,
and the safe value that takes the place of a wrong index is behind it as well.  An index that counts
from the end, being negative, is looked at behind the same branch: without a sign it is beyond any end.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from agir.backends.mlir.graph import Graph
from agir.backends.mlir.modules import is_in_loop
from agir.ir import bindings

_OPPOSITE = {0: 1, 1: 0, 2: 5, 5: 2, 3: 4, 4: 3, 6: 9, 9: 6, 7: 8, 8: 7}
"""By the number of a predicate of ``arith.cmpi`` that of its opposite."""
NEGATIVE, BEYOND = 2, 9
"""Of these the predicates ``slt`` and ``uge``."""


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


def failing_conditions(operations: Iterable[Any], graph: Graph) -> list[Any]:
    """The conditions on which checks among these operations fail."""
    parts = (_parts(each, graph) for each in operations if each.name == "arith.select")
    return list(dict.fromkeys(each[0] for each in parts if each is not None))


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


def _parts(selection: Any, graph: Graph) -> tuple[Any, Any] | None:
    """Of the selection of a code, that the check fails and that none has failed before.

    ``select(bad and code == 0, number, code)``
    """
    both = graph.producer(selection.operands[0], "arith.andi")
    if both is None or str(selection.operands[2].type) != "i64":
        return None
    for bad, is_new in (list(both.operands), list(both.operands)[::-1]):
        first = graph.producer(is_new, "arith.cmpi")
        if first is not None and first.attributes["predicate"].value == 0:
            code, zero = first.operands
            if code == selection.operands[2] and _is_zero(zero, graph):
                return bad, is_new
    return None


def _is_zero(value: Any, graph: Graph) -> bool:
    number = graph.producer(value, "arith.constant")
    return number is not None and number.attributes["value"].value == 0


def _is_ready(selection: Any, first: Any, graph: Graph) -> bool:
    """Whether all that a selection needs is there before another one of its block."""
    sources = map(graph.producer, selection.operands)
    return all(s is None or s.block != first.block or s.is_before_in_block(first) for s in sources)


def opposites(bad: Any, graph: Graph) -> list[Any]:
    """The conditions that hold where the check does not fail."""
    source = graph.producer(bad)
    if source is None:
        return []
    if source.name == "arith.xori":
        return [source.operands[0]]
    if source.name != "arith.cmpi":
        return []
    wanted = _OPPOSITE[source.attributes["predicate"].value]
    left, right = source.operands
    return [
        use.user.results[0]
        for use in graph.uses(left)
        if use.position == 0
        and use.user.name == "arith.cmpi"
        and use.user.operands[1] == right
        and use.user.attributes["predicate"].value == wanted
    ]


def counts_from_the_end(chosen: Any, extent: Any, graph: Graph) -> bool:
    """Whether a place is an index, or if that is negative its sum with the extent."""
    condition, from_end, index = chosen.operands
    test = graph.producer(condition, "arith.cmpi")
    added = graph.producer(from_end, "arith.addi")
    if test is None or added is None or test.attributes["predicate"].value != NEGATIVE:
        return False
    zero = graph.producer(test.operands[1], "arith.constant")
    is_sign = zero is not None and zero.attributes["value"].value == 0
    return bool(is_sign and test.operands[0] == index) and set(added.operands) == {index, extent}


def _branch(failure: _Failure, graph: Graph) -> None:
    ir = bindings.ir
    first = failure.record[0]
    selections = [*failure.record, *failure.others]
    kinds = [each.results[0].type for each in selections]
    i1 = failure.bad.type
    chosen = _counted_from_the_end(failure.bad, graph)
    with ir.InsertionPoint(first), first.location:
        unusual = failure.bad if chosen is None else _beyond(chosen, failure.bad, graph)
        never = ir.Operation.create(
            "arith.constant", results=[i1], attributes={"value": ir.BoolAttr.get(False)}
        )
        expected = ir.Operation.create(
            "llvm.intr.expect", results=[i1], operands=[unusual, never.results[0]]
        )
        branch = ir.Operation.create("scf.if", results=kinds, operands=expected.results, regions=2)
    with ir.InsertionPoint(branch.regions[0].blocks.append()), first.location:
        noted = [
            ir.Operation.create(
                "arith.select",
                results=[each.results[0].type],
                operands=[failure.is_new, each.operands[1], each.operands[2]],
            ).results[0]
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
    if compared is None or compared.attributes["predicate"].value != BEYOND:
        return None
    place, extent = compared.operands
    chosen = graph.producer(place, "arith.select")
    return chosen if chosen is not None and counts_from_the_end(chosen, extent, graph) else None


def _beyond(chosen: Any, bad: Any, graph: Graph) -> Any:
    """Whether an index is none, or counts from the end."""
    compared = graph.producer(bad)
    assert compared is not None
    made = bindings.ir.Operation.create(
        "arith.cmpi",
        results=[bad.type],
        operands=[chosen.operands[2], compared.operands[1]],
        attributes={"predicate": compared.attributes["predicate"]},
    )
    return made.results[0]


def _usual(value: Any, chosen: Any | None) -> Any:
    """What a value is where an index does not count from the end."""
    return chosen.operands[2] if chosen is not None and value == chosen.results[0] else value
