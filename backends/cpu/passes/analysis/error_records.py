"""The error record of a function, followed through its loops and branches.

It is three numbers, the last results of a function that can fail: which check failed first, zero for
none, and two operands of it.  Each check selects what the numbers are after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agir.backends.cpu.passes.analysis.loop_carried import BOUNDS, LOOPS
from agir.backends.cpu.passes.analysis.yielded_values import YieldedValues
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.making import predicate
from agir.backends.mlir.reached import reached
from agir.ir.building import bindings
from agir.records import dataclass

LENGTH = 3
"""The last results of a function that can fail; the first of them is zero where nothing has failed."""


@dataclass
class Check:
    """What a check does where it stands: the condition that it fails, and what is noted then."""

    selection: Any
    """That of the first number of the record."""
    bad: Any
    """None where it fails whenever control gets there."""
    noted: list[Any]
    """The numbers of a failure; None where one stays as it is."""


@dataclass
class Chain:
    """One number of the record: all values that it is on its way through a function."""

    values: set[Any]
    selections: list[Any]
    others: list[Any]
    """What it is made of besides."""


class ErrorRecord:
    """The record of a function, and the checks in it."""

    def __init__(self, function: Any, graph: Graph, yielded: YieldedValues) -> None:
        self._graph = graph
        self._yielded = yielded
        (leave,) = (each for each in graph.find("func.return") if each.parent == function)
        code, *operands = list(leave.operands)[-LENGTH:]
        self._conditions: dict[Any, Any] = {}
        """By the condition on which a failure is noted the one that the check fails, or None."""
        self.chains = [self._followed(code, self._is_check)]
        known = self._conditions
        self.chains += [
            self._followed(each, lambda s: all(c in known for c in self._parts(s.operands[0])))
            for each in operands
        ]

    def checks(self) -> list[Check]:
        """Those that the first number has gone through."""
        noted: list[dict[Any, Any]] = []
        for chain in self.chains:
            noted.append({})
            for each in chain.selections:
                for condition in self._parts(each.operands[0]):
                    noted[-1][condition] = each.operands[1]
        return [
            Check(
                each,
                self._conditions[each.operands[0]],
                [found.get(each.operands[0]) for found in noted],
            )
            for each in self.chains[0].selections
        ]

    def _followed(self, value: Any, is_check: Any) -> Chain:
        chain = Chain(set(), [], [])
        work = [value]
        while work:
            each = work.pop()
            if each in chain.values:
                continue
            source = self._graph.producer(each)
            if source is not None and source.name == "arith.select" and is_check(source):
                chain.selections.append(source)
                made_of: list[Any] | None = [source.operands[2]]
            else:
                made_of = self._yielded.sources(each)
            if made_of is None:
                chain.others.append(each)
            else:
                chain.values.add(each)
                work += made_of
        return chain

    def _is_check(self, selection: Any) -> bool:
        """Whether a selection is ``select(bad and code == 0, number, code)``; notes the condition."""
        condition, number, code = selection.operands
        if self._graph.number(number) is None:
            return False
        if self._is_zero(condition, code):
            self._conditions[condition] = None
            return True
        both = self._graph.producer(condition, "arith.andi")
        for bad, is_new in _either_way(both):
            if self._is_zero(is_new, code):
                self._conditions[condition] = bad
                return True
        return False

    def _is_zero(self, test: Any, code: Any) -> bool:
        compared = self._graph.producer(test, "arith.cmpi")
        if compared is None or predicate(compared) != "eq" or compared.operands[0] != code:
            return False
        return self._graph.number(compared.operands[1]) == 0

    def _parts(self, condition: Any) -> list[Any]:
        """The conditions of which one holds if this does; of selections that became one."""

        def either(one: Any) -> list[Any]:
            source = self._graph.producer(one, "arith.ori")
            is_part = source is None or one in self._conditions
            return [] if is_part else list(source.operands)  # type: ignore[union-attr]

        return [each for each in reached([condition], either) if not either(each)]

    def is_looked_at(self) -> bool:
        """Whether the program asks which check failed, or lays the record aside, to handle it."""
        code = self.chains[0]
        for value in code.values:
            for user, position in self._graph.uses(value):
                if user.name == "arith.cmpi" and self._graph.number(user.operands[1 - position]):
                    return True
        return not all(map(self._is_begin, code.others))

    def _is_begin(self, value: Any) -> bool:
        """Whether a value is where a record begins: a constant, or whether a check has failed."""
        source = self._graph.producer(value)
        if source is None:
            return False
        if source.name == "arith.select":
            return all(self._graph.number(each) is not None for each in source.operands[1:])
        return source.name == "arith.extui" or self._graph.number(value) is not None

    def at_begin(self, loop: Any) -> list[Any] | None:
        """The numbers that a loop begins with, None for those that stay; None where that is not clear.

        It is clear where in the loop nothing but checks makes numbers of them.
        """
        begin = BOUNDS if loop.name == "scf.for" else 0
        found: list[Any] = []
        for chain in self.chains:
            if any(self._graph.is_inside(each, loop) for each in chain.others):
                return None
            block = loop.regions[0].blocks[0]
            first = 1 if begin else 0
            arguments = list(block.arguments)[first:]
            starts = list(loop.operands)[begin:]
            taken = {
                start
                for argument, start in zip(arguments, starts, strict=True)
                if argument in chain.values
            }
            if len(taken) > 1:
                return None
            found.append(taken.pop() if taken else None)
        return found if found[0] is not None else None

    def inside(self, loop: Any) -> list[list[Any]]:
        """The values of each number inside of a loop."""
        return [
            [each for each in chain.values if self._graph.is_inside(each, loop)]
            for chain in self.chains
        ]


def _either_way(both: Any) -> Iterator[tuple[Any, Any]]:
    if both is not None:
        one, other = both.operands
        yield one, other
        yield other, one


def loops_around(operation: Any) -> list[Any]:
    """The loops that an operation is inside of, the innermost first."""
    found = []
    operation = operation.parent
    while operation is not None and operation.name != "func.func":
        if operation.name in LOOPS:
            found.append(operation)
        operation = operation.parent
    return found


def is_argument(value: Any) -> bool:
    """Whether a value is a block's argument."""
    return isinstance(value, bindings.ir.BlockArgument)
