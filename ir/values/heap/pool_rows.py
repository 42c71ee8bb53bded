"""What is in a list that lies in a pool, at one moment: read where it lies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agir.ir.emission import emit
from agir.ir.values import columns
from agir.ir.values.heap.items import Items


@dataclass(frozen=True, eq=False)
class Row(Items):
    """The items of a list, none of which has been copied; ``stored`` are the pool's columns."""

    start: Any = None
    """Where they begin in the columns, as an SSA ``index``."""

    @property
    def columns(self) -> tuple[Any, ...]:
        """The items as columns of their own."""
        current = self.trace
        size = columns.with_spare(current, self.index())
        return tuple(columns.items(current, each, self.start, size) for each in self.stored)

    def _parts(self, index: Any) -> list[Any]:
        current = self.trace
        place = current.op("arith.addi", index.type, self.start, index)
        return [columns.read(current, column, place) for column in self.stored]

    def held(self) -> Items:
        """The items in columns that nothing else writes to."""
        current, count = self.trace, self.index()
        size = columns.with_spare(current, count)
        made = []
        for each in self.stored:
            new = columns.empty(current, each.type, size)
            part = columns.items(current, each, self.start, count)
            made.append(columns.put(current, part, new, 0, count))
        return self.with_columns(made, self.length)

    def part(self, start: Any, stop: Any) -> Items:
        """The items between two bounds, which are brought inside."""
        current = self.trace
        first, high = (emit.to_index(current, each) for each in self.inside(start, stop))
        count = current.op("arith.subi", first.type, high, first)
        begin = current.op("arith.addi", first.type, self.start, first)
        length = emit.counted(current, count)
        kind = type(self)
        return kind(current, current.scope, self.element, length, self.stored, self.copies, begin)
