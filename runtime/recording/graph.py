"""What a trace has recorded, as a graph that can be looked at: operations, tensors, text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from agir.ir.building import bindings
from agir.ir.building.types import DType, Shape, dtype_of, shape_of
from agir.ir.state.outside import Outside
from agir.runtime.recording.recorded import Recorded
from agir.runtime.state.captures import Captured, Fresh
from agir.runtime.tensor import convert_to_tensor

if TYPE_CHECKING:
    from agir.backends.stages import Compilation


class GraphTensor:
    """A value of a graph: an argument, or a result of an operation."""

    def __init__(self, graph: Graph, name: str, type_: Any, op: Operation | None) -> None:
        self.graph = graph
        self.name = name
        self.op = op
        self._type = type_

    @property
    def shape(self) -> Shape:
        """The dimensions; None for one that is known only at run time."""
        return shape_of(self._type)

    @property
    def dtype(self) -> DType | None:
        """The element type, an integer as a signed one; None for the sizes that MLIR computes."""
        return dtype_of(self._type)

    def __repr__(self) -> str:
        dtype = self._type if self.dtype is None else self.dtype
        return f"<agir.Graph tensor {self.name!r}: shape={self.shape}, dtype={dtype}>"


class Operation:
    """An operation of a graph, with those in its regions under it."""

    def __init__(self, graph: Graph, name: str, raw: Any) -> None:
        self.graph = graph
        self.name = name
        self.type: str = raw.name
        self._raw = raw
        count = len(raw.results)
        self.outputs: tuple[GraphTensor, ...] = tuple(
            GraphTensor(graph, f"{name}:{i}", raw.results[i].type, self) for i in range(count)
        )

    @property
    def inputs(self) -> tuple[GraphTensor, ...]:
        """The values that it takes."""
        return tuple(self.graph._tensor(value) for value in self._raw.operands)

    @property
    def attributes(self) -> dict[str, str]:
        """Its attributes, as MLIR writes them."""
        named = self._raw.attributes
        return {str(name): str(named[name]) for name in named}

    @property
    def location(self) -> str:
        """The user's line, as MLIR writes it."""
        return str(self._raw.location)

    def __str__(self) -> str:
        return str(self._raw)

    def __repr__(self) -> str:
        return f"<agir.Graph operation {self.name!r}: {self.type}>"


class Graph:
    """The graph of a :class:`ConcreteFunction`; nothing in it can be changed.

    ``inputs`` are the arguments, those captured from outside at the end; ``outputs`` the results.
    ``str(graph)`` is its MLIR.

    >>> f = ag.function(lambda x: x + 1)
    >>> [each.name for each in f.get_concrete_function(ag.constant(1)).graph.inputs]
    ['x:0']
    """

    def __init__(self, recorded: Recorded, compilation: Compilation) -> None:
        self.name: str = recorded.name
        self._recorded = recorded
        self._compilation = compilation

    @property
    def module(self) -> Any:
        """The MLIR module; it belongs to the compilation: do not change it."""
        return self._recorded.module

    def as_text(self) -> str:
        """The MLIR text, the stage ``hlo``."""
        return str(self._compilation.text("hlo"))

    __str__ = as_text

    @property
    def finalized(self) -> bool:
        """True: nothing can be added."""
        return True

    @property
    def building_function(self) -> bool:
        """True: it is the body of a function."""
        return True

    @cached_property
    def inputs(self) -> tuple[GraphTensor, ...]:
        """The arguments in their order, then what is captured."""
        return tuple(
            GraphTensor(self, f"{name}:0", argument.type, None)
            for name, argument in zip(self._input_names(), self._block.arguments, strict=True)
        )

    @property
    def captures(self) -> list[tuple[Any, GraphTensor]]:
        """(tensor outside, argument inside) of each array that was captured."""
        inner = self.inputs[len(self._recorded.leaves) :]
        pairs = zip(self._recorded.captures, inner, strict=True)
        kept = [(owner, inside) for owner, inside in pairs if not isinstance(owner, Fresh)]
        outside = captured_tensors([owner for owner, _ in kept])
        return list(zip(outside, (inside for _, inside in kept), strict=True))

    @cached_property
    def outputs(self) -> tuple[GraphTensor, ...]:
        """The results, in the order in which they stand in the returned structure."""
        returned = list(self._block.operations)[-1].operation
        count = sum(
            len(r.abstract.dtypes()) if r.abstract is not None else 1 for r in self._returned()
        )
        return tuple(self._tensor(returned.operands[i]) for i in range(count))

    def _returned(self) -> Iterator[Any]:
        return (result for result in self._recorded.results if result.index is not None)

    @property
    def structured_outputs(self) -> Any:
        """The results' types in the structure that the function returns."""
        return self._recorded.structured_outputs

    def get_operations(self) -> list[Operation]:
        """Every operation, those in regions after the one that they belong to."""
        return list(self._operations.values())

    @property
    def operations(self) -> tuple[Operation, ...]:
        """The same as a tuple."""
        return tuple(self._operations.values())

    def get_operation_by_name(self, name: str) -> Operation:
        """The operation of that name; ``KeyError`` where there is none."""
        if name not in self._operations:
            raise KeyError(f"the graph of {self.name} has no operation {name!r}")
        return self._operations[name]

    def get_tensor_by_name(self, name: str) -> GraphTensor:
        """The tensor called ``operation:number`` or ``argument:0``; ``KeyError`` if there is none."""
        for tensor in (*self.inputs, *(t for op in self.operations for t in op.outputs)):
            if tensor.name == name:
                return tensor
        raise KeyError(f"the graph of {self.name} has no tensor {name!r}")

    @property
    def _function(self) -> Any:
        for operation in self.module.body.operations:
            named = operation.operation.attributes
            if "sym_name" in named and named["sym_name"].value == self.name:
                return operation.operation
        raise AssertionError("a module holds the function that was recorded")

    @property
    def _block(self) -> Any:
        return self._function.regions[0].blocks[0]

    def _input_names(self) -> list[str]:
        """The arguments' names; of those that share one, later ones have a number."""
        recorded = self._recorded
        names = [leaf.name or "argument" for leaf in recorded.leaves]
        names += [
            each.name if isinstance(each, Captured | Outside) else f"captured{number}"
            for number, each in enumerate(recorded.captures)
        ]
        return list(_unique(names))

    @cached_property
    def _operations(self) -> dict[str, Operation]:
        raw: list[Any] = []

        def collect(operation: Any) -> Any:
            raw.append(operation.operation)
            return bindings.ir.WalkResult.ADVANCE

        self._function.walk(collect, bindings.ir.WalkOrder.PRE_ORDER)
        names = _unique(operation.name for operation in raw[1:])
        return {n: Operation(self, n, each) for n, each in zip(names, raw[1:], strict=True)}

    def _tensor(self, value: Any) -> GraphTensor:
        """The tensor of an SSA value."""
        owner = value.owner
        if isinstance(owner, bindings.ir.Block):
            number: int = bindings.ir.BlockArgument(value).arg_number
            if owner == self._block:
                return self.inputs[number]
            return GraphTensor(self, f"argument{number}", value.type, None)
        for operation in self._operations.values():
            if operation._raw == owner.operation:
                number = bindings.ir.OpResult(value).result_number
                return operation.outputs[number]
        raise AssertionError("an operand belongs to the function")

    def __repr__(self) -> str:
        return f"<agir.Graph of {self.name}, {len(self._operations)} operations>"


def _unique(names: Sequence[str] | Iterator[str]) -> Iterator[str]:
    counts: Counter[str] = Counter()
    for name in names:
        yield f"{name}_{counts[name]}" if counts[name] else name
        counts[name] += 1


def captured_tensors(captures: Sequence[Any]) -> list[Any]:
    """What a function has captured: tensors, and variables."""
    return [_captured_tensor(each) for each in captures if not isinstance(each, Fresh)]


def _captured_tensor(owner: Any) -> Any:
    if isinstance(owner, Captured):
        return owner.get()
    if isinstance(owner, Outside):
        owner = owner.array()
    return convert_to_tensor(owner) if isinstance(owner, (np.ndarray, np.generic)) else owner
