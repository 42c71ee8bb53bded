"""Loops do not carry that they own a buffer, where they always do.

That a buffer is owned is true before a loop (`loop_ownership`), and after an iteration if it was true
before that, whichever way the iteration took: where a list has grown the new buffer is owned, and else
the old one.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from agir.backends.cpu.passes.analysis.functions import functions
from agir.backends.mlir.graph import Producers
from agir.backends.mlir.making import i1

LOOPS = ("scf.for", "scf.while")


def fold_ownership(module: Any) -> None:
    """Carry no truth values that are true at first and in every iteration."""
    for function in functions(module):
        graph = Producers(function)
        for loop in graph.find(*LOOPS):
            for position, operand in enumerate(loop.operands):
                if operand.type == i1() and _known(operand, (), graph):
                    _fold(loop, position, graph)


def _fold(loop: Any, position: int, graph: Producers) -> None:
    end = graph.ends(loop)[-1]
    place = position - 3 if loop.name == "scf.for" else position
    result = result_of(loop, position, graph)
    if result is None:
        return
    inside = _inside(loop, place, result)
    if _known(end.operands[place], frozenset(inside), graph) is not True:
        return
    true = loop.operands[position]
    for each in (*inside, loop.results[result]):
        each.replace_all_uses_with(true)
    end.operands[place] = true


def _inside(loop: Any, place: int, result: int) -> list[Any]:
    """The names of a carried value inside a loop."""
    if loop.name == "scf.for":
        return [loop.regions[0].blocks[0].arguments[1 + place]]
    tested, body = (region.blocks[0].arguments for region in loop.regions)
    return [tested[place], body[result]]


def _known(value: Any, given: Collection[Any], graph: Producers) -> bool | None:
    """Whether a truth value is true or false, if those that are given are true."""
    if value in given:
        return True
    number = graph.number(value)
    if number is not None:
        return bool(number)
    maker = graph.producer(value)
    if maker is None:
        return None
    if maker.name == "scf.if":
        place = list(maker.results).index(value)
        ends = {_known(end.operands[place], given, graph) for end in graph.ends(maker)}
        return ends.pop() if len(ends) == 1 else None
    if maker.name in LOOPS:
        return _known_after(maker, list(maker.results).index(value), given, graph)
    if maker.name not in ("arith.ori", "arith.andi"):
        return None
    decides = maker.name == "arith.ori"
    one, other = (_known(each, given, graph) for each in maker.operands)
    if decides in (one, other):
        return decides
    if one is other and one is not None:
        return one
    left = [_left(each, given, graph) for each in maker.operands]
    return decides if _are_opposite(*left, graph) else None


def _known_after(loop: Any, result: int, given: Collection[Any], graph: Producers) -> bool | None:
    """The same for a result of a loop: true if it begins so, and stays so."""
    position = operand_of(loop, loop.results[result], graph)
    if position is None or _known(loop.operands[position], given, graph) is not True:
        return None
    place = position - 3 if loop.name == "scf.for" else position
    more = frozenset((*given, *_inside(loop, place, result)))
    return True if _known(graph.ends(loop)[-1].operands[place], more, graph) else None


def _left(value: Any, given: Collection[Any], graph: Producers) -> Any:
    """What a value depends on if those that are given are true."""
    maker = graph.producer(value)
    if maker is not None and maker.name == "arith.andi":
        one, other = maker.operands
        if _known(one, given, graph) is True:
            return other
        if _known(other, given, graph) is True:
            return one
    return value


_OPPOSITE = {2: 5, 5: 2, 3: 4, 4: 3, 0: 1, 1: 0, 6: 9, 9: 6, 7: 8, 8: 7}
"""Of predicates of ``arith.cmpi``."""


def _are_opposite(one: Any, other: Any, graph: Producers) -> bool:
    for this, that in ((one, other), (other, one)):
        maker = graph.producer(this)
        if maker is None:
            continue
        operands = list(maker.operands)
        if maker.name == "arith.xori" and operands[0] == that and graph.number(operands[1]):
            return True
        second = graph.producer(that)
        if maker.name == "arith.cmpi" and second is not None and second.name == "arith.cmpi":
            predicates = [each.attributes["predicate"].value for each in (maker, second)]
            if operands == list(second.operands) and _OPPOSITE[predicates[0]] == predicates[1]:
                return True
    return False


def result_of(loop: Any, position: int, graph: Producers) -> int | None:
    """The result that an operand of a loop ends as."""
    if loop.name == "scf.for":
        return position - 3
    tested = loop.regions[0].blocks[0].arguments[position]
    handed = list(graph.ends(loop)[0].operands)[1:]
    return handed.index(tested) if tested in handed else None


def operand_of(loop: Any, value: Any, graph: Producers) -> int | None:
    """The operand that a result of a loop begins as."""
    results = list(loop.results)
    if value not in results:
        return None
    number = results.index(value)
    if loop.name == "scf.for":
        return 3 + number
    handed = graph.ends(loop)[0].operands[1 + number]
    tested = list(loop.regions[0].blocks[0].arguments)
    return tested.index(handed) if handed in tested else None
