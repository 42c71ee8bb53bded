"""Who uses a buffer, under whatever name, and how long it is."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from agir.backends.cpu.dependence.arrays import SELECT
from agir.backends.mlir.graph import Graph, Use
from agir.ir import bindings

_NAMES = frozenset(
    {"memref.subview", "memref.cast", "memref.collapse_shape", "memref.expand_shape"}
    | {"memref.reinterpret_cast", "memref.transpose", "memref.reshape", SELECT}
)
_EQUAL = 0  # a predicate of ``arith.cmpi``
_PLAIN = frozenset({"memref.load", "memref.store", "memref.copy", "memref.dim"})


def is_buffer(value: Any) -> bool:
    """Whether a value is a buffer."""
    return isinstance(value.type, bindings.ir.MemRefType)


def uses_of_memory(value: Any, graph: Graph, ends: Collection[Any] = ()) -> list[Use] | None:
    """All uses of a buffer and of the names for it or its parts.

    None where it gets a name that is not followed; `ends` are operations that may give it one.
    """
    found: list[Use] = []
    for use in graph.uses(value):
        found.append(use)
        if use.user.name in _NAMES:
            further = uses_of_memory(use.user.results[0], graph, ends)
            if further is None:
                return None
            found += further
        elif use.user not in ends and not _is_plain(use.user):
            return None
    return found


def _is_plain(user: Any) -> bool:
    """Whether an operation only reads or writes the elements of a buffer."""
    if user.name in _PLAIN:
        return True
    return user.name.startswith("linalg.") and not user.results


class Extents:
    """How long buffers are, told by what is the same for equal lengths.

    That is a number, an SSA value, or a buffer and the number of one of its dimensions.  `same` are
    buffers that are as long as others, by assumption or because that is known.
    """

    def __init__(self, graph: Graph, same: dict[Any, Any] | None = None) -> None:
        self._graph = graph
        self._same = same or {}

    def of(self, buffer: Any) -> list[Any]:
        """The extents of a buffer, one a dimension."""
        return [self._along(buffer, axis) for axis in range(buffer.type.rank)]

    def _along(self, buffer: Any, axis: int) -> Any:
        kind = buffer.type
        if not kind.is_dynamic_dim(axis):
            return kind.get_dim_size(axis)
        if buffer in self._same:
            return self._along(self._same[buffer], axis)
        source = self._graph.producer(buffer)
        if source is None:
            return buffer, axis
        if source.name in ("memref.alloc", "memref.alloca"):
            unknown = [i for i in range(kind.rank) if kind.is_dynamic_dim(i)]
            return self._number(source.operands[unknown.index(axis)])
        if source.name == "memref.cast":
            return self._along(source.operands[0], axis)
        if source.name == SELECT:
            one, other = (self._along(each, axis) for each in source.operands[1:])
            return other if self._are_equal(source.operands[0], one, other) else (buffer, axis)
        return buffer, axis

    def _are_equal(self, condition: Any, one: Any, other: Any) -> bool:
        """Whether two extents are equal where a condition holds."""
        test = self._graph.producer(condition, "arith.cmpi")
        if one == other or test is None or test.attributes["predicate"].value != _EQUAL:
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
            extent = self._number(source.operands[0])
            return extent if isinstance(extent, tuple) else value
        return value


def values_in(extents: Iterable[Any]) -> list[Any]:
    """The SSA values by which extents are told."""
    values = (extent[0] if isinstance(extent, tuple) else extent for extent in extents)
    return [value for value in values if not isinstance(value, int)]
