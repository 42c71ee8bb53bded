"""Integers that are never negative, as they are computed through loops.

``j = i`` and then ``while j < n and x[j] == x[i]: j += 1`` leaves ``j`` from 0 on, if ``i`` is, and
``i = j`` keeps it so in the iterations of a loop around.  A number that begins as a small one, and
of which each iteration adds a small constant, stays below 2^62 for as long as a program can run.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes.analysis.yielded_values import YieldedValues
from agir.backends.mlir.graph import Graph
from agir.ir.building import bindings

_SMALL = 1 << 61
_STEP = 1 << 8
"""What an iteration may add: 2^53 iterations, of which each takes a cycle, take a month."""
_CHOOSING = ("arith.select", "arith.minsi", "arith.maxsi", "arith.index_cast")
_LESSENING = ("arith.floordivsi", "arith.divsi", "arith.divui", "arith.shrsi", "arith.shrui")
_REMAINDERS = ("arith.remsi", "arith.remui")


class Signs:
    """What is known of the signs of integers in a function."""

    def __init__(self, graph: Graph, yielded: YieldedValues) -> None:
        self._graph = graph
        self._yielded = yielded
        self._known: dict[Any, bool] = {}

    def is_not_negative(self, value: Any) -> bool:
        """Whether an integer is never negative."""
        made = self._graph.producer(value)
        if made is not None and made.name == "arith.index_cast":
            return _is_wide(made.operands[0]) and self.is_not_negative(made.operands[0])
        if made is not None and made.name == "arith.addi":  # of less than 2^62 each
            return all(map(self._stays_small, made.operands))
        if made is not None and made.name == "arith.maxsi":
            return any(map(self.is_not_negative, made.operands))
        return self._stays_small(value)

    def _stays_small(self, value: Any) -> bool:
        """Whether a number is from 0 on, and below 2^62 for as long as a program can run.

        So it is if nothing that it is made of, around loops, is anything else.
        """
        if value in self._known:
            return self._known[value]
        seen = {value}
        work = [value]
        is_small = True
        while work and is_small:
            made_of = self._made_of(work.pop())
            is_small = made_of is not None and not any(
                self._known.get(each) is False for each in made_of
            )
            new = [each for each in made_of or () if each not in seen]
            seen.update(new)
            work += new
        self._known.update(dict.fromkeys(seen, True) if is_small else {value: False})
        return is_small

    def _made_of(self, value: Any) -> list[Any] | None:
        """What has to stay small for a number to; None where it may be anything."""
        sources = self._yielded.sources(value)
        if sources is not None:
            return sources
        made = self._graph.producer(value)
        if made is None:
            return self._counter(value)
        if made.name == "memref.dim":
            return []
        if made.name == "arith.constant":
            number = self._graph.number(value)
            return [] if number is not None and 0 <= number <= _SMALL else None
        if made.name == "arith.extui":
            return [] if made.operands[0].type.width < value.type.width else None
        return self._computed(made)

    def _counter(self, value: Any) -> list[Any] | None:
        """Of the counter of a loop, from the first number on."""
        loop = value.owner.owner.operation
        if loop.name != "scf.for" or not _is_wide(value):
            return None
        step = self._graph.number(loop.operands[2])
        return [loop.operands[0]] if step is not None and 0 < step <= _STEP else None

    def _computed(self, made: Any) -> list[Any] | None:
        operands = list(made.operands)
        if not all(map(_is_wide, operands[-2:])):
            return None
        if made.name in _CHOOSING:
            return operands[-2:]
        number = self._graph.number(operands[-1])
        if number is None:
            return None
        if made.name == "arith.andi":
            return [] if 0 <= number <= _SMALL else None
        if made.name == "arith.addi":
            return operands[:1] if 0 <= number <= _STEP else None
        if made.name in _REMAINDERS or made.name in _LESSENING:
            return operands[:1] if number > 0 else None
        return None


def _is_wide(value: Any) -> bool:
    return value.type in (bindings.ir.IndexType.get(), bindings.ir.IntegerType.get_signless(64))
