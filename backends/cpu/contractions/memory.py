"""Which buffers may share memory, and which operations write to them."""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.dependence.arrays import pairs
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.modules import walk
from agir.ir.building import bindings

_VIEWS = frozenset(
    {"memref.subview", "memref.cast", "memref.reinterpret_cast", "memref.collapse_shape"}
    | {"memref.expand_shape", "memref.extract_strided_metadata", "memref.transpose"}
    | {"memref.reshape"}
)
_ALLOCATIONS = ("memref.alloc", "memref.alloca")
_HARMLESS = ("arith.", "math.", "complex.", "affine.")
_PURE = frozenset({*_VIEWS, *_ALLOCATIONS, "memref.dim", "memref.get_global", "memref.load"})
_OF_BODIES = ("linalg.index", "linalg.yield", "scf.yield")
_KEEPS_NO_NAME = frozenset({"memref.store", "memref.copy", "memref.dealloc", *_PURE})


class Memory:
    """What the buffers of a module have to do with each other."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._inside: dict[Any, list[Any]] = {}
        self._numbers: dict[Any, int] = {}
        for operation in graph.operations[1:]:
            siblings = self._inside.setdefault(operation.parent, [])
            self._numbers[operation] = len(siblings)
            siblings.append(operation)

    def root(self, buffer: Any) -> Any:
        """The buffer that this one is a view of."""
        source = self.graph.producer(buffer)
        while source is not None and source.name in _VIEWS:
            buffer = source.operands[0]
            source = self.graph.producer(buffer)
        return buffer

    def allocation(self, buffer: Any) -> Any | None:
        """The operation that allocates a buffer, if it is one in this function."""
        source = self.graph.producer(self.root(buffer))
        return source if source is not None and source.name in _ALLOCATIONS else None

    def apart(self, a: Any, b: Any) -> bool:
        """Whether two buffers certainly have no element in common."""
        return all(self._are_apart(*pair) for pair in pairs(self.root(a), self.root(b)))

    def _are_apart(self, a: Any, b: Any) -> bool:
        if a == b:
            return False
        if _is_argument(a) and _is_argument(b):
            return True  # a call with arguments that share memory which is written is refused
        return self._is_apart(a, b) or self._is_apart(b, a)

    def _is_apart(self, own: Any, other: Any) -> bool:
        """Whether the first is memory of its own that nothing else names."""
        allocation = self.allocation(own)
        if allocation is None:
            return False
        source = self.graph.producer(other)
        if source is not None and source.name in (*_ALLOCATIONS, "memref.get_global"):
            return True
        if source is None and self._is_around(other, allocation):
            return True  # it was there before
        return not self._escapes(own)

    def _is_around(self, argument: Any, operation: Any) -> bool:
        block = argument.owner
        inner = operation
        while inner is not None:
            if inner.block == block:
                return True
            inner = inner.parent if inner.name != "func.func" else None
        return False

    def _escapes(self, buffer: Any) -> bool:
        for user, _ in self.graph.uses(buffer):
            if user.name in _VIEWS:
                if any(self._escapes(r) for r in user.results if is_buffer(r)):
                    return True
            elif user.name not in _KEEPS_NO_NAME and not user.name.startswith("linalg."):
                return True
        return False

    def is_for(self, buffer: Any, users: list[Any]) -> bool:
        """Whether a buffer is an allocation that nothing but these uses, and what frees it."""
        return self.root(buffer) == buffer and all(
            user in users or user.name in ("memref.dealloc", "memref.dim")
            for user, _ in self.graph.uses(buffer)
        )

    def leaves_alone(self, operation: Any, buffers: list[Any]) -> bool:
        """Whether an operation certainly writes to none of these buffers."""
        return all(self._leaves_alone(inner, buffers) for inner in walk(operation))

    def _leaves_alone(self, operation: Any, buffers: list[Any]) -> bool:
        name = operation.name
        if name in _PURE or name.startswith(_HARMLESS) or name in _OF_BODIES:
            return True
        if name in ("scf.for", "scf.if") and not any(map(is_buffer, operation.results)):
            return True  # what is inside counts
        written = _written(operation)
        return written is not None and all(
            self.apart(one, other) for one in written for other in buffers
        )

    def between(self, first: Any, last: Any) -> list[Any]:
        """The operations between two of the same block."""
        first_number, last_number = self._numbers[first], self._numbers[last]
        return self._inside[first.parent][first_number + 1 : last_number]


def _is_argument(value: Any) -> bool:
    """Whether a value is an argument of a function that is called from outside."""
    if not isinstance(value, bindings.ir.BlockArgument):
        return False
    function = value.owner.owner.operation
    return function.name == "func.func" and "sym_visibility" not in function.attributes


def is_buffer(value: Any) -> bool:
    """Whether a value is a buffer."""
    return isinstance(value.type, bindings.ir.MemRefType)


def _written(operation: Any) -> list[Any] | None:
    """The buffers that an operation writes to, None where that is not known."""
    operands = list(operation.operands)
    if operation.name.startswith("linalg."):
        return operands[_count_of_inputs(operation) :]
    position = {"memref.copy": 1, "memref.store": 1, "memref.dealloc": 0}.get(operation.name)
    return None if position is None else [operands[position]]


def _count_of_inputs(operation: Any) -> int:
    if "operandSegmentSizes" in operation.attributes:
        return int(bindings.ir.DenseI32ArrayAttr(operation.attributes["operandSegmentSizes"])[0])
    count = len(operation.operands)
    return count // 2 if operation.name == "linalg.reduce" else count - 1
