"""Where a loop keeps what its reverse sweep needs of each iteration: one stack for each value.

A value whose size is known before the loop is a row of a buffer.  The elements of other arrays stand
one after the other in a buffer that grows, beside their sizes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.ir.building import attributes, bindings
from agir.ir.emission import emit
from agir.ir.gradients.core import room
from agir.ir.gradients.core.expressions import dimension_size, dtype_of, element_type, shaped
from agir.ir.gradients.core.sizes import Known
from agir.ir.tracing import loops
from agir.ir.tracing.trace import Trace
from agir.ir.values import columns


def _larger(trace: Trace, column: Any, count: Any, capacity: Any) -> Any:
    """A column of that capacity with the first items of another one."""
    sizes = columns.sizes_of(trace, column, column.type, 1)
    new = columns.empty(trace, column.type, capacity, sizes)
    return columns.put(trace, columns.items(trace, column, 0, count), new, 0, count)


class Rows:
    """A stack of values of one size."""

    def row(self, trace: Trace) -> list[room.Number]:
        """What the bytes of an iteration are the product of."""
        tensor = shaped(self._item)
        dtype = dtype_of(self._item)
        size = 8 if dtype is None else dtype.itemsize
        shape = [] if tensor is None else [n for n in tensor.shape if n >= 0]
        opened = [] if self._sizes is None else self._sizes.record(trace)
        return [float(size), *map(float, shape), *(room.counted(trace, each) for each in opened)]

    def copied(self, trace: Trace, state: Sequence[Any]) -> room.Number:
        """The bytes that a loop copies which has other stacks grow."""
        return 0.0

    def is_whole(self, trace: Trace, state: Sequence[Any]) -> Any:
        """Whether every value has been kept (i1); None for yes."""
        return None

    def __init__(self, value: Any, sizes: Known | None = None) -> None:
        self._kind = value.type
        self._sizes = sizes
        self._is_index = str(value.type) == "index"
        ir = bindings.ir
        self._item = ir.IntegerType.get_signless(64) if self._is_index else value.type
        tensor = shaped(value.type)
        self._is_rank_zero = tensor is not None and not tensor.rank
        if self._is_rank_zero:
            self._item = tensor.element_type

    def begin(self, trace: Trace, capacity: Any, grows: bool = True) -> list[Any]:
        """The state of the stack before the loop."""
        sizes = None if self._sizes is None else self._sizes.record(trace)
        rows = emit.constant_value(capacity)
        if grows or rows is None:
            kind = columns.column_type(self._item)
            return [columns.empty(trace, kind, capacity, sizes)]
        kind = columns.column_type(self._item, rows)
        return [trace.op("tensor.empty", kind, *(sizes or ()))]

    def room(self, trace: Trace, state: Sequence[Any], iteration: Any) -> Any:
        """The place of the iteration's value, for what is computed there at once."""
        return columns.read(trace, state[0], iteration)

    def grown(self, trace: Trace, state: list[Any], count: Any, capacity: Any) -> list[Any]:
        """The state with room for so many values."""
        return [_larger(trace, each, count, capacity) for each in state]

    def push(self, trace: Trace, state: list[Any], iteration: Any, value: Any) -> list[Any]:
        """The state with a value added, at the number of the iteration."""
        if self._is_index:
            value = trace.op("arith.index_cast", self._item, value)
        if self._is_rank_zero:
            value = trace.op("tensor.extract", self._item, value)
        (buffer,) = state
        return [columns.write(trace, buffer, iteration, value)]

    def kept(self, state: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """What of the final state the sweep reads, and what it counts down."""
        return list(state), []

    def pop(
        self, trace: Trace, kept: Sequence[Any], counted: Sequence[Any], iteration: Any
    ) -> tuple[Any, list[Any]]:
        """The value of the iteration, and what is counted down after it."""
        value = columns.read(trace, kept[0], iteration)
        if self._is_index:
            value = trace.op("arith.index_cast", self._kind, value)
        if self._is_rank_zero:
            value = trace.op("tensor.from_elements", self._kind, value)
        return value, []

    def lowered(self, state: Sequence[Any], counted: Sequence[Any]) -> list[Any]:
        """The state without what has been taken off."""
        return list(state)


class Elements:
    """A stack of arrays of different sizes."""

    def __init__(self, value: Any) -> None:
        self._kind = value.type
        ir = bindings.ir
        self._flat = ir.RankedTensorType.get(
            [ir.ShapedType.get_dynamic_size()], element_type(value.type)
        )
        tensor = shaped(value.type)
        self._rank = tensor.rank
        self._open = [axis for axis in range(tensor.rank) if tensor.is_dynamic_dim(axis)]
        dtype = dtype_of(value.type)
        self._itemsize = 8 if dtype is None else dtype.itemsize
        self._i64 = ir.IntegerType.get_signless(64)

    def row(self, trace: Trace) -> list[room.Number]:
        """The factors of the bytes that an iteration takes before its array is known."""
        return [8.0 * (1 + len(self._open))]

    def copied(self, trace: Trace, state: Sequence[Any]) -> room.Number:
        """The bytes that a loop copies which has other stacks grow."""
        capacity = trace.op("tensor.dim", trace.index_type(), state[0], trace.index(0))
        return room.product([room.counted(trace, capacity), float(self._itemsize)])

    def is_whole(self, trace: Trace, state: Sequence[Any]) -> Any:
        """Whether there was memory for all elements (i1)."""
        return trace.compare("sge", state[1], trace.index(0))

    def begin(self, trace: Trace, capacity: Any, grows: bool = True) -> list[Any]:
        """The state of the stack before the loop: the elements, their number, the sizes."""
        sizes = [columns.empty(trace, columns.column_type(self._i64), capacity) for _ in self._open]
        return [trace.op("tensor.empty", self._flat, capacity), trace.index(0), *sizes]

    def grown(self, trace: Trace, state: list[Any], count: Any, capacity: Any) -> list[Any]:
        """The state with room for the sizes of so many arrays."""
        buffer, used, *sizes = state
        return [buffer, used, *(_larger(trace, each, count, capacity) for each in sizes)]

    def push(self, trace: Trace, state: list[Any], iteration: Any, value: Any) -> list[Any]:
        """The state with an array added."""
        buffer, used, *sizes = state
        index = trace.index_type()
        dim_sizes = [dimension_size(trace, value, axis) for axis in range(self._rank)]
        numbers = [trace.op("arith.index_cast", self._i64, dim_sizes[a]) for a in self._open]
        for at, number in enumerate(numbers):
            sizes[at] = columns.write(trace, sizes[at], iteration, number)
        count = _product(trace, dim_sizes)
        end = trace.op("arith.addi", index, used, count)
        buffer, end = self._with_room(trace, buffer, used, end)
        flat = value
        if self._rank > 1:
            group = bindings.ir.ArrayAttr.get([_axes(self._rank)])
            flat = trace.op("tensor.collapse_shape", self._flat, value, reassociation=group)
        if flat.type != self._flat:
            flat = trace.op("tensor.cast", self._flat, flat)
        is_kept, zero = trace.compare("sge", end, trace.index(0)), trace.index(0)
        start, count = (room.chosen(trace, is_kept, each, zero) for each in (used, count))
        part = columns.items(trace, flat, 0, count)
        return [columns.put(trace, part, buffer, start, count), end, *sizes]

    def _with_room(self, trace: Trace, buffer: Any, used: Any, end: Any) -> list[Any]:
        """The buffer with room up to an end, and that; -1 once there is no memory for it."""
        index = trace.index_type()
        zero, none = trace.index(0), trace.index(-1)
        is_kept = trace.compare("sge", used, zero)
        end = room.chosen(trace, is_kept, end, none)
        capacity = trace.op("tensor.dim", index, buffer, trace.index(0))

        def larger() -> list[Any]:
            twice = trace.op("arith.addi", index, capacity, capacity)
            size = trace.op("arith.maxsi", index, twice, end)
            bytes_ = [room.counted(trace, size), room.GROWING * self._itemsize]
            ok = room.is_there(trace, [room.product(bytes_)])
            size = room.chosen(trace, ok, size, trace.index(1))
            count = room.chosen(trace, ok, used, zero)
            new = trace.op("tensor.empty", self._flat, size)
            moved = columns.put(trace, columns.items(trace, buffer, 0, count), new, 0, count)
            return [moved, room.chosen(trace, ok, end, none)]

        full = trace.compare("sgt", end, capacity)
        return loops.either(trace, full, larger, lambda: [buffer, end])

    def kept(self, state: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """What of the final state the sweep reads, and what it counts down."""
        buffer, used, *sizes = state
        return [buffer, *sizes], [used]

    def pop(
        self, trace: Trace, kept: Sequence[Any], counted: Sequence[Any], iteration: Any
    ) -> tuple[Any, list[Any]]:
        """The array of the iteration, and where those before it end."""
        buffer, *sizes = kept
        index = trace.index_type()
        tensor = shaped(self._kind)
        dim_sizes = [
            None if axis in self._open else trace.index(tensor.shape[axis])
            for axis in range(self._rank)
        ]
        for axis, column in zip(self._open, sizes, strict=True):
            number = columns.read(trace, column, iteration)
            dim_sizes[axis] = trace.op("arith.index_cast", index, number)
        count = _product(trace, dim_sizes)
        start = trace.op("arith.subi", index, counted[0], count)
        flat = columns.items(trace, buffer, start, count)
        return self._shaped(trace, flat, dim_sizes), [start]

    def lowered(self, state: Sequence[Any], counted: Sequence[Any]) -> list[Any]:
        """The state without what has been taken off."""
        buffer, _, *sizes = state
        return [buffer, *counted, *sizes]

    def _shaped(self, trace: Trace, flat: Any, sizes: Sequence[Any]) -> Any:
        if self._rank == 1:
            return flat if flat.type == self._kind else trace.op("tensor.cast", self._kind, flat)
        marker = bindings.ir.ShapedType.get_dynamic_size()
        tensor = shaped(self._kind)
        static = [marker if a in self._open else tensor.shape[a] for a in range(self._rank)]
        found = {
            "reassociation": bindings.ir.ArrayAttr.get([_axes(self._rank)]),
            "static_output_shape": attributes.i64_array(static),
        }
        operands = [flat, *(sizes[axis] for axis in self._open)]
        return trace.create("tensor.expand_shape", (self._kind,), operands, found).result


def _axes(rank: int) -> Any:
    return bindings.ir.ArrayAttr.get([attributes.i64(axis) for axis in range(rank)])


def _product(trace: Trace, sizes: Sequence[Any]) -> Any:
    total = trace.index(1)
    for each in sizes:
        total = trace.op("arith.muli", total.type, total, each)
    return total


Stack = Rows | Elements


def stack_for(value: Any, sizes: Known | None = None) -> Stack:
    """The kind of stack that a value needs, of which these sizes may be known before the loop."""
    tensor = shaped(value.type)
    dynamic = tensor is not None and any(tensor.is_dynamic_dim(a) for a in range(tensor.rank))
    return Elements(value) if dynamic and sizes is None else Rows(value, sizes)
