"""Growable arrays: what a list of unknown length is made of.

A column holds one component of every item, in a tensor whose first dimension is its capacity.  It
doubles when it is full, so that appending costs constant time on average.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agir.ir.building import attributes, bindings
from agir.ir.emission import emit
from agir.ir.tracing import loops
from agir.ir.tracing.trace import Trace

_INITIAL = 4


def column_type(item: Any, capacity: int | None = None) -> Any:
    """The type of a column of items of this MLIR type: a scalar or a ranked tensor.

    Its capacity is open, unless it is given: then the column cannot grow.
    """
    ir = bindings.ir
    rows = ir.ShapedType.get_dynamic_size() if capacity is None else capacity
    if isinstance(item, ir.RankedTensorType):
        return ir.RankedTensorType.get([rows, *item.shape], item.element_type)
    return ir.RankedTensorType.get([rows], item)


def item_type(column: Any) -> Any:
    """The type of the items of a column."""
    ir = bindings.ir
    shaped = ir.RankedTensorType(column.type)
    if shaped.rank == 1:
        return shaped.element_type
    return ir.RankedTensorType.get(list(shaped.shape)[1:], shaped.element_type)


def dimension_size(trace: Trace, tensor: Any, axis: int) -> Any:
    """The size of a tensor's dimension: an int, or an SSA ``index``."""
    shaped = bindings.ir.RankedTensorType(tensor.type)
    if not shaped.is_dynamic_dim(axis):
        return shaped.shape[axis]
    return trace.op("tensor.dim", trace.index_type(), tensor, trace.index(axis))


def sizes_of(trace: Trace, tensor: Any, kind: Any, first: int) -> list[Any]:
    """The sizes of a tensor from an axis on, where the columns of that type leave them open."""
    shaped = bindings.ir.RankedTensorType(kind)
    found = [
        dimension_size(trace, tensor, axis - 1 + first)
        for axis in range(1, shaped.rank)
        if shaped.is_dynamic_dim(axis)
    ]
    return [trace.index(each) if isinstance(each, int) else each for each in found]


def empty(trace: Trace, kind: Any, capacity: Any, sizes: Sequence[Any] | None = None) -> Any:
    """A column of that type; the open sizes of its items are zero if they are not given."""
    shaped = bindings.ir.RankedTensorType(kind)
    if sizes is None:
        sizes = [trace.index(0) for axis in range(1, shaped.rank) if shaped.is_dynamic_dim(axis)]
    return trace.op("tensor.empty", kind, capacity, *sizes)


def of_numbers(trace: Trace, numbers: Sequence[Any]) -> Any:
    """A column of numbers, with one to spare.

    One operation makes it: of a chain of writes, bufferization compares each with all others.
    """
    spare = numbers[-1]
    kind = column_type(spare.type, len(numbers) + 1)
    made = trace.op("tensor.from_elements", kind, *numbers, spare)
    return trace.op("tensor.cast", column_type(spare.type), made)


def either_sizes(trace: Trace, length: Any, column: Any, others: Sequence[Any]) -> list[Any]:
    """The open sizes of the items of a column, or others where it has no items to know them."""
    some = trace.compare("sgt", length, trace.index(0))
    own = sizes_of(trace, column, column.type, 1)
    index = trace.index_type()
    pairs = zip(own, others, strict=True)
    return [trace.op("arith.select", index, some, one, other) for one, other in pairs]


def _has_nothing(column: Any) -> bool:
    """Whether items are known to have no elements: MLIR has no slice of an axis without any."""
    return 0 in list(bindings.ir.RankedTensorType(column.type).shape)[1:]


def _nothing(trace: Trace, column: Any, kind: Any, leading: list[Any]) -> Any:
    """A tensor without elements, of whole items."""
    rank = bindings.ir.RankedTensorType(column.type).rank
    sizes = [*leading, *(dimension_size(trace, column, axis) for axis in range(1, rank))]
    return trace.op("tensor.empty", kind, *(e for e in sizes if not isinstance(e, int)))


def _slice(
    trace: Trace, arrays: Sequence[Any], start: Any, count: Any
) -> tuple[list[Any], dict[str, Any]]:
    """The operands and attributes of a slice of whole items of the last array."""
    column = arrays[-1]
    rank = bindings.ir.RankedTensorType(column.type).rank
    sizes = [count, *(dimension_size(trace, column, axis) for axis in range(1, rank))]
    return attributes.slicing(arrays, [start, *([0] * (rank - 1))], sizes)


def items(trace: Trace, column: Any, start: Any, count: Any) -> Any:
    """``count`` items from ``start`` on, as a column."""
    shaped = bindings.ir.RankedTensorType(column.type)
    sizes = [*attributes.static([count]), *list(shaped.shape)[1:]]
    result = bindings.ir.RankedTensorType.get(sizes, shaped.element_type)
    if _has_nothing(column):
        return _nothing(trace, column, result, [count])
    part = _slice(trace, [column], start, count)
    return trace.create("tensor.extract_slice", (result,), *part).result


def read(trace: Trace, column: Any, index: Any) -> Any:
    """The item at an index (an SSA ``index``) that is known to be inside."""
    kind = item_type(column)
    if not isinstance(kind, bindings.ir.RankedTensorType):
        return trace.op("tensor.extract", kind, column, index)
    if _has_nothing(column):
        return _nothing(trace, column, kind, [])
    part = _slice(trace, [column], index, 1)
    return trace.create("tensor.extract_slice", (kind,), *part).result


def write(trace: Trace, column: Any, index: Any, value: Any) -> Any:
    """The column with the item at an index replaced."""
    if not isinstance(value.type, bindings.ir.RankedTensorType):
        return trace.op("tensor.insert", column.type, value, column, index)
    return put(trace, value, column, index, 1)


def put(trace: Trace, part: Any, column: Any, start: Any, count: Any) -> Any:
    """The column with ``count`` items from ``start`` on replaced by those of another."""
    if _has_nothing(column):
        return column
    found = _slice(trace, [part, column], start, count)
    return trace.create("tensor.insert_slice", (column.type,), *found).result


def repeated(trace: Trace, column: Any, start: Any, count: Any, end: Any) -> Any:
    """The column with ``count`` items from ``start`` on once more from ``end`` on, behind them.

    Numbers are copied one by one: a slice of what is written to would be copied first.
    """
    if isinstance(item_type(column), bindings.ir.RankedTensorType):
        return put(trace, items(trace, column, start, count), column, end, count)

    def store(indices: list[Any], made: list[Any]) -> list[Any]:
        source, place = (
            trace.op("arith.addi", first.type, first, indices[0]) for first in (start, end)
        )
        return [write(trace, made[0], place, read(trace, made[0], source))]

    return loops.nest(trace, [count], [column], store)[0]


def roomy(trace: Trace, used: Any, needed: Any, some: Sequence[Any]) -> list[Any]:
    """Columns with room for so many numbers and one to spare; the first ``used`` are kept."""
    if not some:
        return []
    index = trace.index_type()
    capacity = trace.op("tensor.dim", index, some[0], trace.index(0))
    full = trace.compare("sge", needed, capacity)

    def larger() -> list[Any]:
        twice = trace.op("arith.addi", index, capacity, capacity)
        size = trace.op("arith.maxsi", index, twice, with_spare(trace, needed))
        return [moved(trace, column, size, used) for column in some]

    return loops.either(trace, full, larger, lambda: some)


def moved(trace: Trace, column: Any, capacity: Any, length: Any) -> Any:
    """The first numbers of a column in a new one of that capacity."""
    new = empty(trace, column.type, capacity)
    return put(trace, items(trace, column, 0, length), new, 0, length)


def mapped(trace: Trace, column: Any, count: Any, function: Callable[[Any], Any]) -> Any:
    """A column of what a function gives of each of the first numbers of another."""

    def store(indices: list[Any], made: list[Any]) -> list[Any]:
        return [write(trace, made[0], indices[0], function(read(trace, column, indices[0])))]

    made = empty(trace, column_type(item_type(column)), with_spare(trace, count))
    return loops.nest(trace, [count], [made], store)[0]


def with_spare(trace: Trace, count: Any) -> Any:
    """The capacity for so many items: one more, so that the end is a position, too."""
    return trace.op("arith.addi", trace.index_type(), count, trace.index(1))


def spacious(trace: Trace, tensor: Any, count: Any) -> Any:
    """A column of the rows of a tensor."""
    shaped = bindings.ir.RankedTensorType(tensor.type)
    dynamic = bindings.ir.ShapedType.get_dynamic_size()
    kind = bindings.ir.RankedTensorType.get([dynamic, *shaped.shape[1:]], shaped.element_type)
    if tensor.type != kind:
        tensor = trace.op("tensor.cast", kind, tensor)
    sizes = sizes_of(trace, tensor, kind, 1)
    new = empty(trace, kind, with_spare(trace, count), sizes)
    return put(trace, tensor, new, 0, count)


def agree(trace: Trace, columns: Sequence[Any], parts: Sequence[Any]) -> Any:
    """Whether an item has the shape of those in the columns (i1); None where that is known."""
    found = None
    for column, part in zip(columns, parts, strict=True):
        shaped = bindings.ir.RankedTensorType(column.type)
        for axis in range(1, shaped.rank):
            if shaped.is_dynamic_dim(axis):
                theirs = dimension_size(trace, part, axis - 1)
                theirs = trace.index(theirs) if isinstance(theirs, int) else theirs
                same = trace.compare("eq", dimension_size(trace, column, axis), theirs)
                found = emit.both(trace, found, same)
    return found


def grown(trace: Trace, columns: Sequence[Any], length: Any, values: Sequence[Any]) -> list[Any]:
    """The columns with room for one more item behind the first ``length``, and one to spare."""
    capacity = trace.op("tensor.dim", trace.index_type(), columns[0], trace.index(0))
    full = trace.compare("sge", with_spare(trace, length), capacity)

    def double() -> list[Any]:
        index = trace.index_type()
        twice = trace.op("arith.addi", index, capacity, capacity)
        size = trace.op("arith.maxsi", index, twice, trace.index(_INITIAL))
        return [_moved(trace, c, size, length, v) for c, v in zip(columns, values, strict=True)]

    return loops.either(trace, full, double, lambda: columns)


def _moved(trace: Trace, column: Any, capacity: Any, length: Any, like: Any) -> Any:
    """The first items of a column in a new one of that capacity, for items like one of them."""
    others = sizes_of(trace, like, column.type, 0)
    new = empty(trace, column.type, capacity, either_sizes(trace, length, column, others))
    return put(trace, items(trace, column, 0, length), new, 0, length)
