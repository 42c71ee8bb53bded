"""The arrays that a loop hands on to its next iteration are kept apart.

Bufferization takes the arguments of a loop's body for different buffers.  That is wrong in two
cases, both rare: when one array is handed on as two of them (or something that may be the same
array, the result of an ``if`` for example), and when it is an array from outside the loop.  The
next iteration could then write into memory that is still needed.
"""

from __future__ import annotations

from typing import Any

from agir.backends.mlir.graph import Producers
from agir.backends.mlir.making import copied_tensor
from agir.ir.building import bindings

_LOOPS = ("scf.for", "scf.while")
_VIEWS = (
    "tensor.extract_slice",
    "tensor.cast",
    "tensor.collapse_shape",
    "tensor.expand_shape",
    "tensor.reshape",
)


def copy_aliased_loop_arrays(module: Any) -> None:
    """Copy tensors that a loop passes on twice, or that come from outside of it."""
    graph = Producers(module)
    origins = _Origins(graph)
    for leave in graph.find("scf.yield", "scf.condition"):
        loop = leave.parent
        if loop.name not in _LOOPS:
            continue
        passed: set[Any] = set()
        for position, value in enumerate(leave.operands):
            if isinstance(value.type, bindings.ir.RankedTensorType):
                found = origins.of(value)
                if found & passed or not all(graph.is_inside(origin, loop) for origin in found):
                    leave.operands[position] = _copied(value, leave)
                passed |= found


class _Origins:
    """Which values a tensor may be the same memory as, without anything having been written."""

    def __init__(self, graph: Producers) -> None:
        self._graph = graph
        self._known: dict[Any, set[Any]] = {}
        self._ends: dict[Any, list[Any]] = {}
        for end in graph.find("scf.yield", "scf.condition"):
            self._ends.setdefault(end.parent, []).append(end)

    def of(self, value: Any) -> set[Any]:
        if value not in self._known:
            self._known[value] = {value}  # for loops that lead back here
            self._known[value] = self._find(value)
        return self._known[value]

    def _find(self, value: Any) -> set[Any]:
        source = self._graph.producer(value)
        if source is None:
            return {value}
        if source.name in _VIEWS:
            return self.of(source.operands[0])
        if source.name == "scf.if":
            position = list(source.results).index(value)
            return set().union(*(self.of(end.operands[position]) for end in self._ends[source]))
        if source.name in _LOOPS:
            return {value} | self._from_outside(source, list(source.results).index(value))
        return {value}

    def _from_outside(self, loop: Any, position: int) -> set[Any]:
        """Which values from around a loop one of its results may be."""
        carried = _Carried(loop, self._ends[loop])
        work = list(carried.results[position])
        seen: set[Any] = set()
        found: set[Any] = set()
        while work:
            for origin in self.of(work.pop()) - seen:
                seen.add(origin)
                if origin in carried.arguments:
                    work += carried.arguments[origin]
                elif not self._graph.is_inside(origin, loop):
                    found.add(origin)
        return found


class _Carried:
    """Where the results of a loop come from, and the arguments of its blocks."""

    results: list[tuple[Any, ...]]
    arguments: dict[Any, tuple[Any, ...]]

    def __init__(self, loop: Any, ends: list[Any]) -> None:
        blocks = [region.blocks[0] for region in loop.regions]
        again = next(list(end.operands) for end in ends if end.name == "scf.yield")
        if loop.name == "scf.for":
            first = list(loop.operands)[3:]
            arguments = list(blocks[0].arguments)[1:]
            self.results = list(zip(first, again, strict=True))
            self.arguments = dict(zip(arguments, self.results, strict=True))
        else:
            passed = next(list(end.operands)[1:] for end in ends if end.name == "scf.condition")
            self.results = [(value,) for value in passed]
            starts = zip(loop.operands, again, strict=True)
            self.arguments = {
                **dict(zip(blocks[0].arguments, starts, strict=True)),
                **dict(zip(blocks[1].arguments, self.results, strict=True)),
            }


def _copied(value: Any, before: Any) -> Any:
    with bindings.ir.InsertionPoint(before), before.location:
        return copied_tensor(value)
