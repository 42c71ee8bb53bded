"""What contractions read and begin with: no transposed copies, no arrays of zeros.

A transposition or a repetition of an operand is a matter of the contraction's indexing map.  And an
output that begins with a constant is filled with it where it is made, so that the loops can begin
with it in registers.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes.generalize import reduced_axes
from agir.backends.cpu.passes.unshare import filled
from agir.backends.mlir.graph import Graph
from agir.ir import bindings

_NAME = "linalg.contract"


def read_operands_where_they_lie(module: Any) -> None:
    """Have contractions read what was transposed or repeated for them, by other maps."""
    graph = Graph(module)
    for contraction in graph.find(_NAME):
        for position in range(2):
            while _read_source(contraction, position, graph):
                pass


def _read_source(contraction: Any, position: int, graph: Graph) -> bool:
    ir = bindings.ir
    source = graph.producer(contraction.operands[position], "linalg.")
    axes = _AXES.get(source.name, _none)(source) if source is not None else None
    if axes is None:
        return False
    maps = [attribute.value for attribute in contraction.attributes["indexing_maps"]]
    # an axis that no other operand has would lose its extent
    results = [maps[position].results[axis] for axis in axes]
    others = {str(r) for i, each in enumerate(maps) if i != position for r in each.results}
    dropped = {str(r) for r in maps[position].results} - {str(r) for r in results}
    if not dropped <= others:
        return False
    maps[position] = ir.AffineMap.get(maps[position].n_dims, 0, results)
    contraction.attributes["indexing_maps"] = ir.ArrayAttr.get(
        [ir.AffineMapAttr.get(each) for each in maps]
    )
    contraction.operands[position] = source.operands[0]
    return True


def _none(_: Any) -> None:
    return None


def _transposed(operation: Any) -> list[int]:
    """For each axis of the source, which of the result's it is."""
    permutation = list(operation.attributes["permutation"])
    return [permutation.index(axis) for axis in range(len(permutation))]


def _repeated(operation: Any) -> list[int]:
    added = set(operation.attributes["dimensions"])
    return [axis for axis in range(operation.results[0].type.rank) if axis not in added]


_AXES: dict[str, Any] = {"linalg.transpose": _transposed, "linalg.broadcast": _repeated}


def begin_with_fills(module: Any) -> None:
    """Make a fill of each constant that a contraction or convolution begins with."""
    graph = Graph(module)
    for operation in graph.find(_NAME, "linalg.generic"):
        position = len(operation.operands) - 1
        start = graph.producer(operation.operands[position], "arith.constant")
        if position > 1 and start is not None and _is_reduction(operation):
            _fill(operation, position, start)


def _is_reduction(operation: Any) -> bool:
    return operation.name == _NAME or bool(reduced_axes(operation))


def _fill(operation: Any, position: int, start: Any) -> None:
    ir = bindings.ir
    if isinstance(start.results[0].type.element_type, ir.ComplexType):
        return  # the bindings have no such constants
    value = start.attributes["value"]
    if isinstance(value, ir.DenseElementsAttr) and value.is_splat:
        kind = operation.operands[position].type
        with ir.InsertionPoint(operation), operation.location:
            number = ir.Operation.create(
                "arith.constant",
                results=[kind.element_type],
                attributes={"value": value.get_splat_value()},
            )
            operation.operands[position] = filled(number.results[0], kind)
