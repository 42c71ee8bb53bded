"""What contractions read and begin with: no transposed copies, no arrays of zeros.

A transposition or a repetition of an operand is a matter of the contraction's indexing map.  And an
output that begins with a constant is filled with it where it is made, so that the loops can begin
with it in registers.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes.analysis.generic_operations import reduced_axes
from agir.backends.cpu.passes.tensors.rematerialization import filled
from agir.backends.mlir.graph import Producers
from agir.ir.building import bindings

_NAME = "linalg.contract"


def fold_transposes_into_contractions(module: Any) -> None:
    """Have contractions read what was transposed or repeated for them, by other maps."""
    graph = Producers(module)
    for contraction in graph.find(_NAME):
        for position in range(2):
            while _read_source(contraction, position, graph):
                pass


def _read_source(contraction: Any, position: int, graph: Producers) -> bool:
    ir = bindings.ir
    source, axes = _source(contraction.operands[position], graph)
    if source is None:
        return False
    maps = [attribute.value for attribute in contraction.attributes["indexing_maps"]]
    # An axis that no other operand has would lose its size, and what is summed over has to be an
    # axis of both.
    results = [maps[position].results[axis] for axis in axes]
    dropped = {str(r) for r in maps[position].results} - {str(r) for r in results}
    if not dropped <= {str(r) for r in maps[-1].results}:
        return False
    maps[position] = ir.AffineMap.get(maps[position].n_dims, 0, results)
    contraction.attributes["indexing_maps"] = ir.ArrayAttr.get(
        [ir.AffineMapAttr.get(each) for each in maps]
    )
    contraction.operands[position] = source
    return True


def _source(value: Any, graph: Producers) -> tuple[Any, list[int]]:
    """What a value is a rearrangement of, and for each axis of that, which of the value's it is."""
    operation = graph.producer(value)
    if operation is None:
        return None, []
    if operation.name in _AXES:
        return operation.operands[0], _AXES[operation.name](operation)
    if (
        operation.name == "tensor.extract_slice"
        and value.type.rank == operation.operands[0].type.rank
    ):
        # sizes that are checked leave a slice of a transposition
        transposition = graph.producer(operation.operands[0], "linalg.transpose")
        if transposition is not None:
            axes = _transposed(transposition)
            with bindings.ir.InsertionPoint(operation), operation.location:
                slice = _slice(operation, transposition.operands[0], axes)
            graph.add(slice)
            return slice.results[0], axes
    return None, []


def _transposed(operation: Any) -> list[int]:
    permutation = list(operation.attributes["permutation"])
    return [permutation.index(axis) for axis in range(len(permutation))]


def _repeated(operation: Any) -> list[int]:
    added = set(operation.attributes["dimensions"])
    return [axis for axis in range(operation.results[0].type.rank) if axis not in added]


_AXES = {"linalg.transpose": _transposed, "linalg.broadcast": _repeated}


def _slice(part: Any, source: Any, axes: list[int]) -> Any:
    """A slice of another tensor, whose axes are these of the one that `part` is a slice of."""
    ir = bindings.ir
    unknown = ir.ShapedType.get_dynamic_size()
    values = iter(list(part.operands)[1:])
    operands, attributes = [source], {}
    counts = [1]
    for name in ("static_offsets", "static_sizes", "static_strides"):
        known = list(part.attributes[name])
        given = [next(values) if each == unknown else None for each in known]
        attributes[name] = ir.DenseI64ArrayAttr.get([known[axis] for axis in axes])
        moved = [given[axis] for axis in axes if given[axis] is not None]
        operands += moved
        counts.append(len(moved))
    attributes["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get(counts)
    old = part.results[0].type
    kind = ir.RankedTensorType.get([_size(old, axis) for axis in axes], old.element_type)
    return ir.Operation.create(
        "tensor.extract_slice", results=[kind], operands=operands, attributes=attributes
    )


def _size(kind: Any, axis: int) -> int:
    if kind.is_dynamic_dim(axis):
        return int(bindings.ir.ShapedType.get_dynamic_size())
    return int(kind.get_dim_size(axis))


def fold_fills_into_contractions(module: Any) -> None:
    """Make a fill of each constant that a contraction or convolution begins with."""
    graph = Producers(module)
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
