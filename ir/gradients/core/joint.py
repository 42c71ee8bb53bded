"""A body and its reverse sweep, recorded one after the other in one block, and then cut apart.

What the second part uses of the first one crosses the cut: a value that is cheap to compute from
others is computed again, any other one is saved.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import Any

from agir.ir.building import bindings
from agir.ir.building.cells import Scope
from agir.ir.building.program import Operation
from agir.ir.gradients.core import cuts, graph
from agir.ir.gradients.core.expressions import dtype_of, shaped
from agir.ir.gradients.core.sweep import Sweep
from agir.ir.tracing.trace import Trace


class Isolated(Scope):
    """A region whose parts will stand at several places: it makes its constants itself."""

    keeps = frozenset({"constants", "memo"})


_OPERATIONS = {
    "arith": (
        "constant addf subf mulf negf addi subi muli andi ori xori cmpi cmpf select extf "
        "truncf extsi extui trunci index_cast index_castui sitofp uitofp bitcast maxsi "
        "minsi maxui minui maximumf minimumf maxnumf minnumf shli shrsi shrui"
    ),
    "complex": ("constant create re im add sub mul neg conj"),
    "math": ("absf absi copysign"),
    "tensor": (
        "empty splat dim cast from_elements extract extract_slice expand_shape collapse_shape"
    ),
    "linalg": ("broadcast fill"),
}
_CHEAP = frozenset(
    f"{dialect}.{name}" for dialect, names in _OPERATIONS.items() for name in names.split()
)
"""Operations that take no longer than writing the result to memory and reading it again."""


def is_cheap(operation: Any) -> bool:
    """Whether an operation is rather done again than its result saved."""
    return operation.name in _CHEAP


class Joint:
    """The block in which both parts are recorded."""

    def __init__(self, sweep: Sweep) -> None:
        self.trace: Trace = sweep.trace
        self.scope = Isolated(self.trace.scope)
        self._first_superseded = len(self.trace.superseded)
        self._marker: Any = None
        self.first: list[Any] = []
        """The operations of the body."""
        self.second: list[Any] = []
        """The operations of the sweep."""
        self.arguments: list[Any] = []
        """The arguments of the body."""

    def argument(self, kind: Any) -> Any:
        """A further argument of the block."""
        return self.scope.block.add_argument(kind, self.trace.location)

    def body(self, block: Any, mapping: dict[Any, Any]) -> list[Any]:
        """Record the body; gives its operations."""
        self.arguments = list(mapping.values())
        copies = [graph.copy(self.trace, each, mapping) for each in graph.operations(block)]
        self._marker = self.trace.create("tensor.empty", (_nothing(),))
        return copies

    def swept(self) -> list[Any]:
        """The operations of the sweep so far."""
        operations = self.scope.block.operations
        return operations[operations.index(self._marker) + 1 :]

    def cut(self, leaving: Sequence[Any]) -> list[Any]:
        """End the recording; gives the values that leave the second part."""
        trace = self.trace
        leaving = [trace.replacement(value) for value in leaving]
        trace.settle_superseded(self.scope.block, self._first_superseded)
        operations = self.scope.block.operations
        at = operations.index(self._marker)
        self.first, self.second = operations[:at], operations[at + 1 :]
        return leaving

    def prune(self, leaving: Sequence[Any]) -> None:
        """Take out what the sweep has computed for nothing: it would need values of the body."""
        uses = self.scope.block.uses()
        uses.update(leaving)
        idle: set[Operation] = set()
        for operation in reversed(self.second):
            is_idle = not any(uses[value] for value in operation.results)
            if is_idle and operation.name.partition(".")[0] in ("arith", "math"):
                idle.add(operation)
                uses.subtract(operation.operands)
        self.second = [each for each in self.second if each not in idle]
        self.scope.block.remove(idle)

    def crossing(self, leaving: Iterable[Any], free: Iterable[Any] = ()) -> Crossing:
        """What the second part needs of the first; ``free`` arguments need not be saved."""
        return Crossing(self, list(leaving), set(free))


def _nothing() -> Any:
    ir = bindings.ir
    return ir.RankedTensorType.get([0], ir.IntegerType.get_signless(1))


_OPEN = 32
"""What a size that only the run time knows counts as."""


def size_of(value: Any, unknown: int = _OPEN) -> int:
    """About how many bytes a value has, if that many are a size that is not known."""
    dtype, tensor = dtype_of(value.type), shaped(value.type)
    each = 8 if dtype is None else dtype.itemsize
    if tensor is None:
        return each
    open_axes = [tensor.is_dynamic_dim(axis) for axis in range(tensor.rank)]
    sizes = (unknown if is_open else tensor.shape[axis] for axis, is_open in enumerate(open_axes))
    return each * prod(sizes)


class Crossing:
    """The values that cross the cut: those that are saved, and how the others are made again."""

    def __init__(self, joint: Joint, leaving: list[Any], free: set[Any]) -> None:
        self._made = set(joint.arguments) - free
        for operation in joint.first:
            self._made.update(operation.results)
        needed = {v: None for op in joint.second for v in graph.used_by(op) if v in self._made}
        needed |= {value: None for value in leaving if value in self._made}
        self.saved: list[Any] = []
        self.again: list[Any] = []
        """The operations that are done again, in their order."""
        self._collect(joint, needed)

    def _collect(self, joint: Joint, needed: dict[Any, None]) -> None:
        kept = cuts.smallest(needed, self._inputs, size_of)
        wanted = set(needed) - kept
        for operation in reversed(joint.first):
            if any(value in wanted for value in operation.results):
                wanted.update(v for v in graph.used_by(operation) if v not in kept)
                self.again.insert(0, operation)
        every = [*joint.arguments, *(v for op in joint.first for v in op.results)]
        self.saved = [value for value in every if value in kept]

    def _inputs(self, value: Any) -> list[Any] | None:
        """What a value is cheap to compute from; None where it has to be saved."""
        if value not in self._made:
            return []
        operation = graph.defining(value)
        if operation is None or not is_cheap(operation):
            return None
        return graph.used_by(operation)

    def restore(self, trace: Trace, mapping: dict[Any, Any]) -> None:
        """Record again what is not saved, where the mapping says where the saved values are."""
        for operation in self.again:
            graph.copy(trace, operation, mapping)
