"""How long buffers are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agir.backends.cpu.dependence.arrays import SELECT
from agir.backends.cpu.passes.analysis.loop_carried import LOOPS, slots_of
from agir.backends.mlir.graph import Producers
from agir.backends.mlir.making import predicate
from agir.ir.building import bindings


class Sizes:
    """How long buffers are, told by what is the same for equal lengths.

    That is a number, an SSA value, or a buffer and the number of one of its dimensions.  `same` are
    buffers that are as long as others, by assumption or because that is known.
    """

    def __init__(self, graph: Producers, same: dict[Any, Any] | None = None) -> None:
        self._graph = graph
        self._same = dict(same or {})
        self._known: dict[tuple[Any, int], Any] = {}
        """What has been found out, with `_same` as it is."""

    def of(self, buffer: Any) -> list[Any]:
        """The sizes of a buffer, one a dimension."""
        return [self._along(buffer, axis) for axis in range(buffer.type.rank)]

    def _along(self, buffer: Any, axis: int) -> Any:
        if (buffer, axis) not in self._known:
            found = self._find(buffer, axis)
            self._known[buffer, axis] = found
        return self._known[buffer, axis]

    def _find(self, buffer: Any, axis: int) -> Any:
        kind = buffer.type
        if not kind.is_dynamic_dim(axis):
            return kind.get_dim_size(axis)
        if buffer in self._same:
            return self._along(self._same[buffer], axis)
        source = self._graph.producer(buffer)
        if source is None or source.name in LOOPS:
            return self._carried(buffer, axis)
        if source.name in ("memref.alloc", "memref.alloca"):
            unknown = [i for i in range(kind.rank) if kind.is_dynamic_dim(i)]
            return self._number(source.operands[unknown.index(axis)])
        if source.name == "memref.cast":
            return self._along(source.operands[0], axis)
        if source.name == SELECT:
            one, other = (self._along(each, axis) for each in source.operands[1:])
            return other if self._are_equal(source.operands[0], one, other) else (buffer, axis)
        return buffer, axis

    def _carried(self, buffer: Any, axis: int) -> Any:
        """The size of what a loop carries, if it is the same in all iterations."""
        is_argument = isinstance(buffer, bindings.ir.BlockArgument)
        loop = buffer.owner.owner.operation if is_argument else buffer.owner.operation
        for slot in slots_of(loop, self._graph) if loop.name in LOOPS else ():
            names = {slot.argument, slot.tested, loop.results[slot.passed]}
            if buffer not in names:
                continue
            size = self._along(slot.start, axis)
            same, known = dict(self._same), dict(self._known)
            self._same |= {name: slot.start for name in names if name is not None}
            if self._along(slot.following, axis) == size:
                return size
            self._same, self._known = same, known  # and what followed from that
        return buffer, axis

    def _are_equal(self, condition: Any, one: Any, other: Any) -> bool:
        """Whether two sizes are equal where a condition holds."""
        test = self._graph.producer(condition, "arith.cmpi")
        if one == other or test is None or predicate(test) != "eq":
            return bool(one == other)
        return {one, other} == {self._number(each) for each in test.operands}

    def _number(self, value: Any) -> Any:
        source = self._graph.producer(value)
        if source is None:
            return value
        if source.name == "arith.constant":
            return source.attributes["value"].value
        if source.name == "memref.dim":
            buffer, axis = source.operands
            number = self._number(axis)
            return self._along(buffer, number) if isinstance(number, int) else value
        if source.name == "arith.maxsi" and self._number(source.operands[1]) == 0:
            size = self._number(source.operands[0])
            return size if isinstance(size, tuple) else value
        return value


def values_in(sizes: Iterable[Any]) -> list[Any]:
    """The SSA values by which sizes are told."""
    values = (size[0] if isinstance(size, tuple) else size for size in sizes)
    return [value for value in values if not isinstance(value, int)]
