"""Elementwise operations in the dimensions that their result is used in.

``y[:, None] * 2`` is computed as a column, and broadcasting it drops the axis of size 1 again.
``linalg-fuse-elementwise-ops`` would rather give that axis to all loops that come later, which then
have run-time shapes that nothing knows to be those of the arrays beside them.  So where a chain of
elementwise operations begins with such an axis being added and ends with its being dropped, it is
computed without it.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes.analysis.generic_operations import affine_map, iterator_types
from agir.backends.cpu.passes.tensors.rematerialization import filled
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.modules import walk
from agir.ir.building import bindings

_DEPTH = 8


def drop_unit_dimensions(module: Any) -> None:
    """Compute what is collapsed by axes of size 1 without them, if it began without them."""
    graph = Graph(module)
    for collapse in graph.find("tensor.collapse_shape"):
        chain = _Chain(collapse, graph)
        if chain.drops_units() and chain.begins_without(collapse.operands[0], _DEPTH):
            with bindings.ir.InsertionPoint(collapse), collapse.location:
                value = chain.without(collapse.operands[0])
            collapse.results[0].replace_all_uses_with(value)
            for replaced in (collapse, *reversed(chain.replaced)):
                graph.erase(replaced)


class _Chain:
    """The operations that compute what a ``tensor.collapse_shape`` drops axes of."""

    def __init__(self, collapse: Any, graph: Graph) -> None:
        self.collapse, self.graph = collapse, graph
        self.groups = collapse.attributes["reassociation"]
        self.shape = collapse.results[0].type
        self.replaced: list[Any] = []

    def drops_units(self) -> bool:
        """Whether all axes that are dropped are known to be of size 1."""
        kind = self.collapse.operands[0].type
        kept = [
            axis
            for axis in range(kind.rank)
            if kind.is_dynamic_dim(axis) or kind.get_dim_size(axis) != 1
        ]
        held = [[axis.value for axis in group] for group in self.groups]
        return all(sum(axis in kept for axis in group) <= 1 for group in held)

    def begins_without(self, value: Any, depth: int) -> bool:
        """Whether all that the value is computed from, one element at a time, is fills and
        arrays that got the axes by ``tensor.expand_shape``; at least one of these."""
        source = self.graph.producer(value)
        if source is None or source.block != self.collapse.block or not depth:
            return False
        if self._is_expansion(source):
            return True
        if len(self.graph.uses(value)) != 1 or not _is_elementwise(source, self.graph):
            return False
        inputs = [operand for operand in list(source.operands)[:-1] if not self._is_fill(operand)]
        return bool(inputs) and all(self.begins_without(each, depth - 1) for each in inputs)

    def without(self, value: Any) -> Any:
        """The value in the dimensions of the collapsed one."""
        source: Any = self.graph.producer(value)
        if self._is_expansion(source):
            return source.operands[0]
        kind = self._kind(value)
        if source.name == "linalg.fill":
            return filled(source.operands[0], kind, self._sizes(source.operands[1]))
        if source.name == "arith.constant":
            return self._collapsed(value, kind)
        inputs = [self.without(operand) for operand in list(source.operands)[:-1]]
        return self._computed(source, inputs, kind)

    def _is_expansion(self, source: Any) -> bool:
        return bool(
            source.name == "tensor.expand_shape"
            and source.attributes["reassociation"] == self.groups
            and source.operands[0].type == self._kind(source.results[0])
        )

    def _is_fill(self, value: Any) -> bool:
        source = self.graph.producer(value)
        if source is None:
            return False
        if source.name == "linalg.fill":
            return self.graph.producer(source.operands[1], "tensor.empty") is not None
        return bool(source.name == "arith.constant")

    def _kind(self, value: Any) -> Any:
        ir = bindings.ir
        shape = [
            ir.ShapedType.get_dynamic_size()
            if self.shape.is_dynamic_dim(axis)
            else self.shape.get_dim_size(axis)
            for axis in range(self.shape.rank)
        ]
        return ir.RankedTensorType.get(shape, value.type.element_type)

    def _sizes(self, empty: Any) -> list[Any]:
        """The run-time sizes of the lower dimensions: axes of size 1 have none."""
        source: Any = self.graph.producer(empty)
        return list(source.operands)

    def _collapsed(self, value: Any, kind: Any) -> Any:
        return bindings.ir.Operation.create(
            "tensor.collapse_shape",
            results=[kind],
            operands=[value],
            attributes={"reassociation": self.groups},
        ).results[0]

    def _computed(self, generic: Any, inputs: list[Any], kind: Any) -> Any:
        ir = bindings.ir
        sizes = self._sizes(generic.operands[len(inputs)])
        empty = ir.Operation.create("tensor.empty", results=[kind], operands=sizes)
        identity = ir.AffineMapAttr.get(affine_map(kind.rank, range(kind.rank)))
        made = ir.Operation.create(
            "linalg.generic",
            results=[kind],
            operands=[*inputs, empty.results[0]],
            attributes={
                "indexing_maps": ir.ArrayAttr.get([identity] * (len(inputs) + 1)),
                "iterator_types": iterator_types(kind.rank),
                "operandSegmentSizes": ir.DenseI32ArrayAttr.get([len(inputs), 1]),
            },
            regions=1,
            loc=generic.location,
        )
        generic.regions[0].blocks[0].append_to(made.regions[0])
        self.replaced.append(generic)
        return made.results[0]


def _is_elementwise(operation: Any, graph: Graph) -> bool:
    """Whether each element of the one result is computed of the same one of each input."""
    if operation.name != "linalg.generic" or len(operation.results) != 1:
        return False
    maps = [attribute.value for attribute in operation.attributes["indexing_maps"]]
    rank = operation.results[0].type.rank
    return (
        all(each == affine_map(rank, range(rank)) for each in maps)
        and graph.producer(operation.operands[len(maps) - 1], "tensor.empty") is not None
        and not any(inner.name == "linalg.index" for inner in walk(operation))
    )
