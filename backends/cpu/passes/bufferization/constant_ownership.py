"""Loops do not carry that they own a buffer, where they always do.

That a buffer is owned is true before a loop (`loop_ownership`), and after an iteration if it was true
before that, whichever way the iteration took: where a list has grown the new buffer is owned, and else
the old one.
"""

from __future__ import annotations

from collections.abc import Iterable
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
                if operand.type == i1() and graph.number(operand):
                    _fold(loop, position, graph)


def _fold(loop: Any, position: int, graph: Producers) -> None:
    result = result_of(loop, position, graph)
    if result is None or not _stays_true(loop, position, result, graph):
        return
    place = position - 3 if loop.name == "scf.for" else position
    true = loop.operands[position]
    for each in (*_inside(loop, place, result), loop.results[result]):
        each.replace_all_uses_with(true)
    graph.ends(loop)[-1].operands[place] = true


def _inside(loop: Any, place: int, result: int) -> list[Any]:
    """The names of a carried value inside a loop."""
    if loop.name == "scf.for":
        return [loop.regions[0].blocks[0].arguments[1 + place]]
    tested, body = (region.blocks[0].arguments for region in loop.regions)
    return [tested[place], body[result]]


class _Truth:
    """Which truth values are true or false if some are true; each is looked at once."""

    def __init__(self, graph: Producers, given: Iterable[Any] = ()) -> None:
        self._graph = graph
        self._given = tuple(given)
        self._known: dict[Any, bool | None] = dict.fromkeys(self._given, True)

    def of(self, value: Any) -> bool | None:
        """Whether a value is true or false, where that is known."""
        if value not in self._known:
            self._known[value] = None  # if it should depend on itself
            self._known[value] = self._found(value)
        return self._known[value]

    def _found(self, value: Any) -> bool | None:
        graph = self._graph
        number, maker = graph.number(value), graph.producer(value)
        if number is not None:
            return bool(number)
        if maker is None:
            return None
        if maker.name == "scf.if":
            place = list(maker.results).index(value)
            ends = {self.of(end.operands[place]) for end in graph.ends(maker)}
            return ends.pop() if len(ends) == 1 else None
        if maker.name in LOOPS:
            return self._after(maker, list(maker.results).index(value))
        if maker.name not in ("arith.ori", "arith.andi"):
            return None
        decides = bool(maker.name == "arith.ori")
        one, other = (self.of(each) for each in maker.operands)
        if decides in (one, other):
            return decides
        if one is other and one is not None:
            return one
        left, right = (self._left(each) for each in maker.operands)
        return decides if _are_opposite(left, right, graph) else None

    def _after(self, loop: Any, result: int) -> bool | None:
        """The same for a result of a loop: true if it begins so, and stays so."""
        position = operand_of(loop, loop.results[result], self._graph)
        if position is None or self.of(loop.operands[position]) is not True:
            return None
        return _stays_true(loop, position, result, self._graph, self._given) or None

    def _left(self, value: Any) -> Any:
        """What a value depends on."""
        maker = self._graph.producer(value)
        if maker is not None and maker.name == "arith.andi":
            one, other = maker.operands
            if self.of(one) is True:
                return other
            if self.of(other) is True:
                return one
        return value


def _stays_true(
    loop: Any, position: int, result: int, graph: Producers, given: Iterable[Any] = ()
) -> bool:
    """Whether what a loop carries is true after an iteration if it, and what is given, was before."""
    place = position - 3 if loop.name == "scf.for" else position
    truth = _Truth(graph, (*given, *_inside(loop, place, result)))
    return truth.of(graph.ends(loop)[-1].operands[place]) is True


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
