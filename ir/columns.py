"""Growable arrays: what a list of unknown length is made of.

A column holds one component of every item, in a tensor whose first dimension is its capacity.  It
doubles when it is full, so that appending costs constant time on average.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agir.ir import attributes, bindings
from agir.ir.cells import Scope
from agir.ir.trace import Trace

_INITIAL = 4
Build = Callable[[], Sequence[Any]]


def column_type(item: Any) -> Any:
    """The type of a column of items of this MLIR type: a scalar or a ranked tensor."""
    ir = bindings.ir
    dynamic = ir.ShapedType.get_dynamic_size()
    if isinstance(item, ir.RankedTensorType):
        return ir.RankedTensorType.get([dynamic, *item.shape], item.element_type)
    return ir.RankedTensorType.get([dynamic], item)


def item_type(column: Any) -> Any:
    """The type of the items of a column."""
    ir = bindings.ir
    shaped = ir.RankedTensorType(column.type)
    if shaped.rank == 1:
        return shaped.element_type
    return ir.RankedTensorType.get(list(shaped.shape)[1:], shaped.element_type)


def either(trace: Trace, condition: Any, then: Build, otherwise: Build) -> list[Any]:
    """``scf.if`` whose branches yield what the functions give, which have the same types."""
    scopes, types = [], []
    for build in (then, otherwise):
        with trace.inside(Scope(trace.scope)) as scope:
            results = list(build())
            trace.create("scf.yield", (), results)
        scopes.append(scope)
        types = [each.type for each in results]
    operation = trace.create("scf.if", types, (condition,), regions=2)
    for scope, region in zip(scopes, operation.regions, strict=True):
        scope.block.append_to(region)
    return list(operation.results)


def extent(trace: Trace, tensor: Any, axis: int) -> Any:
    """The extent of a tensor's dimension: an int, or an SSA ``index``."""
    shaped = bindings.ir.RankedTensorType(tensor.type)
    if not shaped.is_dynamic_dim(axis):
        return shaped.shape[axis]
    return trace.op("tensor.dim", trace.index_type(), tensor, trace.index(axis))


def empty(trace: Trace, column: Any, capacity: Any, like: Any = None) -> Any:
    """A column of that type; dynamic extents of the items are those of ``like``, or zero."""
    shaped = bindings.ir.RankedTensorType(column)
    extents = []
    for axis in range(shaped.rank):
        if axis == 0:
            extents.append(capacity)
        elif shaped.is_dynamic_dim(axis):
            found = 0 if like is None else extent(trace, like, axis - 1)
            extents.append(trace.index(found) if isinstance(found, int) else found)
    return trace.op("tensor.empty", column, *extents)


def _slice(trace: Trace, column: Any, start: Any, count: Any) -> tuple[list[Any], dict[str, Any]]:
    """The operands and attributes of a slice of whole items."""
    marker = bindings.ir.ShapedType.get_dynamic_size()
    shaped = bindings.ir.RankedTensorType(column.type)
    sizes = [count, *(extent(trace, column, axis) for axis in range(1, shaped.rank))]
    offsets = [start, *([0] * (shaped.rank - 1))]
    dynamic = [[v for v in values if not isinstance(v, int)] for values in (offsets, sizes)]
    static = [[v if isinstance(v, int) else marker for v in values] for values in (offsets, sizes)]
    return [*dynamic[0], *dynamic[1]], {
        "static_offsets": attributes.i64_array(static[0]),
        "static_sizes": attributes.i64_array(static[1]),
        "static_strides": attributes.i64_array([1] * shaped.rank),
        "operandSegmentSizes": [len(dynamic[0]), len(dynamic[1]), 0],
    }


def _attributes(found: dict[str, Any], leading: int) -> dict[str, Any]:
    segments = [*([1] * leading), *found["operandSegmentSizes"]]
    return {**found, "operandSegmentSizes": attributes.i32_array(segments)}


def items(trace: Trace, column: Any, start: Any, count: Any) -> Any:
    """``count`` items from ``start`` on, as a column."""
    operands, found = _slice(trace, column, start, count)
    shaped = bindings.ir.RankedTensorType(column.type)
    sizes = [
        count if isinstance(count, int) else bindings.ir.ShapedType.get_dynamic_size(),
        *list(shaped.shape)[1:],
    ]
    result = bindings.ir.RankedTensorType.get(sizes, shaped.element_type)
    attributes_ = _attributes(found, 1)
    return trace.create("tensor.extract_slice", (result,), [column, *operands], attributes_).result


def read(trace: Trace, column: Any, index: Any) -> Any:
    """The item at an index (an SSA ``index``) that is known to be inside."""
    kind = item_type(column)
    if not isinstance(kind, bindings.ir.RankedTensorType):
        return trace.op("tensor.extract", kind, column, index)
    operands, found = _slice(trace, column, index, 1)
    attributes_ = _attributes(found, 1)
    return trace.create("tensor.extract_slice", (kind,), [column, *operands], attributes_).result


def write(trace: Trace, column: Any, index: Any, value: Any) -> Any:
    """The column with the item at an index replaced."""
    if not isinstance(value.type, bindings.ir.RankedTensorType):
        return trace.op("tensor.insert", column.type, value, column, index)
    operands, found = _slice(trace, column, index, 1)
    attributes_ = _attributes(found, 2)
    return trace.create(
        "tensor.insert_slice", (column.type,), [value, column, *operands], attributes_
    ).result


def put(trace: Trace, part: Any, column: Any, start: Any, count: Any) -> Any:
    """The column with ``count`` items from ``start`` on replaced by those of another."""
    operands, found = _slice(trace, column, start, count)
    attributes_ = _attributes(found, 2)
    return trace.create(
        "tensor.insert_slice", (column.type,), [part, column, *operands], attributes_
    ).result


def grown(trace: Trace, columns: Sequence[Any], length: Any, values: Sequence[Any]) -> list[Any]:
    """The columns with room for one more item behind the first ``length``."""
    capacity = trace.op("tensor.dim", trace.index_type(), columns[0], trace.index(0))
    full = trace.compare("sge", length, capacity)

    def double() -> list[Any]:
        index = trace.index_type()
        twice = trace.op("arith.addi", index, capacity, capacity)
        size = trace.op("arith.maxsi", index, twice, trace.index(_INITIAL))
        return [_moved(trace, c, size, length, v) for c, v in zip(columns, values, strict=True)]

    return either(trace, full, double, lambda: columns)


def _moved(trace: Trace, column: Any, capacity: Any, length: Any, like: Any) -> Any:
    """The first items of a column in a new one of that capacity."""
    new = empty(trace, column.type, capacity, like)
    return put(trace, items(trace, column, 0, length), new, 0, length)
