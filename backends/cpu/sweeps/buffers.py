"""What is known of buffers: which of them may be the same memory, and how large they are."""

from __future__ import annotations

from collections.abc import Collection
from math import prod
from typing import Any

from agir.backends.cpu.dependence.arrays import ALLOCATIONS, pairs
from agir.backends.cpu.sweeps.views import is_view, part_sizes, view_of
from agir.backends.mlir.graph import Graph
from agir.ir.building import bindings

_KEEPS_NO_NAME = ("linalg.", "memref.load", "memref.store", "memref.copy", "memref.dealloc")
_BITS = {"index": 64, "bf16": 16, "complex<f32>": 64, "complex<f64>": 128}

LoopSize = Any
"""A number, an SSA value, or a buffer and the number of one of its dimensions."""


class Buffers:
    """Answers for one module, each found once."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._kinds: dict[Any, Any] = {}
        self._private: dict[Any, bool] = {}
        self._sharing: dict[tuple[Any, Any], bool] = {}

    def may_share(self, one: Any, other: Any) -> bool:
        """Whether two buffers, none a view, may have memory in common."""
        found = self._sharing.get((one, other))
        if found is None:
            found = any(self._may_share(*pair) for pair in pairs(one, other))
            self._sharing[one, other] = found
        return found

    def _may_share(self, one: Any, other: Any) -> bool:
        if one == other:
            return True
        kind, other_kind = self._kind(one), self._kind(other)
        if kind is not None and other_kind is not None:
            return isinstance(kind, str) and kind == other_kind
        return not (self._is_private(one) or self._is_private(other))

    def _kind(self, base: Any) -> Any:
        """The buffer itself for what is a buffer of its own, a global's name; None if unknown."""
        if base not in self._kinds:
            self._kinds[base] = self._find_kind(base)
        return self._kinds[base]

    def _find_kind(self, base: Any) -> Any:
        source = self.graph.producer(base)
        if source is None:
            # bufferization takes the arguments of functions for different arrays, and callers
            # copy those that are not
            return base if base.owner.owner.operation.name == "func.func" else None
        if source.name == "memref.get_global":
            return source.attributes["name"].value
        return base if source.name in ALLOCATIONS else None

    def _is_private(self, base: Any) -> bool:
        """Whether a buffer is allocated here, and never gets a name that is not a view's."""
        source = self.graph.producer(base)
        if source is None or source.name not in ALLOCATIONS:
            return False
        if base not in self._private:
            self._private[base] = self._has_one_name(base)
        return self._private[base]

    def _has_one_name(self, value: Any) -> bool:
        return all(
            self._has_one_name(user.results[0])
            if is_view(user)
            else user.name.startswith(_KEEPS_NO_NAME) or user.name in ("memref.dim", "func.return")
            for user, _ in self.graph.uses(value)
        )

    def loop_size(self, value: Any, axis: int) -> LoopSize:
        """How long a value is along a dimension."""
        kind = value.type
        if not kind.is_dynamic_dim(axis):
            return kind.get_dim_size(axis)
        source = self.graph.producer(value)
        if source is not None and source.name in ALLOCATIONS:
            unknown = [i for i in range(kind.rank) if kind.is_dynamic_dim(i)]
            return self._number(source.operands[unknown.index(axis)])
        if source is not None and source.name == "memref.cast":
            return self.loop_size(source.operands[0], axis)
        if source is not None and source.name == "memref.subview":
            return self._number(part_sizes(source)[axis])
        return (value, axis)

    def lasts(self, loop_size: LoopSize, around: Collection[Any] = ()) -> bool:
        """Whether a loop's size is known outside of these operations.

        Whatever becomes of allocations.
        """
        if isinstance(loop_size, int):
            return True
        value = loop_size[0] if isinstance(loop_size, tuple) else loop_size
        if any(self.graph.is_inside(value, each) for each in around):
            return False
        if not isinstance(loop_size, tuple):
            return True
        source = self.graph.producer(self.base_of(value))
        return source is None or source.name not in ALLOCATIONS

    def _number(self, value: Any) -> LoopSize:
        if isinstance(value, int):
            return value
        source = self.graph.producer(value)
        if source is not None and source.name == "arith.constant":
            return source.attributes["value"].value
        if source is not None and source.name == "memref.dim":
            axis = self._number(source.operands[1])
            if isinstance(axis, int):
                return self.loop_size(source.operands[0], axis)
        return value

    def base_of(self, value: Any) -> Any:
        """The buffer that a value is a view of."""
        return view_of(value, self.graph).base


def item_bytes(kind: Any) -> int:
    """The size of an element of a buffer."""
    name = str(kind.element_type)
    bits = _BITS.get(name) or max(8, int("".join(filter(str.isdigit, name))))
    return bits // 8


def static_bytes(kind: Any) -> int | None:
    """The size of a buffer, if it is known."""
    return int(prod(kind.shape)) * item_bytes(kind) if kind.has_static_shape else None


def is_buffer(value: Any) -> bool:
    """Whether a value lies in memory."""
    return isinstance(value.type, bindings.ir.MemRefType)
