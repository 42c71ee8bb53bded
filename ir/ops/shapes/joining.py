"""Joining and parting: concat, stack, unstack, split."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from agir.errors import OperandValueError
from agir.ir.building import attributes
from agir.ir.building.types import Shape, TensorType, mlir_type, promote
from agir.ir.emission import emit
from agir.ir.ops.core import layouts
from agir.ir.ops.core.agreement import agree, fitted
from agir.ir.ops.core.operands import axis_index, compose, needing_sizes, operand_type
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import Dim, Dims, SymbolicTensor
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing.trace import Trace

_DIFFER = "sizes of arrays that are joined differ"


def _rows_of_unknown_number(values: Any) -> bool:
    """True for an array that is given in the place of a list, and whose length is not known."""
    return (
        isinstance(values, (TensorType, Tensor)) and bool(values.shape) and values.shape[0] is None
    )


def _items(values: Any, name: str) -> list[TensorType]:
    if isinstance(values, TensorType):  # an array: its rows
        if not values.shape or values.shape[0] is None:
            raise ValueError(f"{name}() takes a list of tensors, or an array whose length is known")
        kinds = [TensorType(values.dtype, values.shape[1:])] * values.shape[0]
    else:
        kinds = [operand_type(value) for value in values]
    if not kinds:
        raise ValueError(f"{name}() needs at least one array")
    return kinds


def _tensors(trace: Trace, values: Any) -> list[SymbolicTensor]:
    if isinstance(values, (list, tuple)):
        return [emit.lift(trace, value) for value in values]
    return [emit.lift(trace, values[i]) for i in range(len(values))]


def _common_size(name: str, axis: int, sizes: Sequence[int | None]) -> int | None:
    known = {size for size in sizes if size is not None}
    if len(known) > 1:
        raise ValueError(f"{name}(): the sizes {sorted(known)} along axis {axis} differ")
    return known.pop() if known else None


def _agreed(name: str, shapes: Sequence[Shape], without: int | None) -> list[int | None]:
    """The sizes that all shapes must share, except those of one axis."""
    if len({len(shape) for shape in shapes}) > 1:
        texts = ", ".join(str(list(shape)).replace("None", "?") for shape in shapes)
        raise ValueError(f"{name}(): the shapes {texts} have different numbers of dimensions")
    return [
        None if axis == without else _common_size(name, axis, sizes)
        for axis, sizes in enumerate(zip(*shapes, strict=True))
    ]


# concat


def _moved_first(tensor: SymbolicTensor, position: int) -> SymbolicTensor:
    """The tensor with its first axis at another position."""
    order = list(range(1, len(tensor.dims)))
    order.insert(position, 0)
    moved: SymbolicTensor = dispatch.call("transpose", tensor, tuple(order))
    return tensor if position == 0 else moved


def _concat_rule(values: Any, axis: Any = 0) -> TensorType:
    if _rows_of_unknown_number(values):
        shape = list(values.shape[1:])
        if not shape:
            raise ValueError("concat(): a scalar has no axis to be joined along; stack() adds one")
        along = None if axis is None else axis_index(axis, len(shape), "concat")
        merged = [None if i == along else size for i, size in enumerate(shape)]
        return TensorType(values.dtype, (None,) if along is None else tuple(merged))
    kinds = _items(values, "concat")
    dtype, _ = promote(*kinds)
    if axis is None:
        sizes = [_size(kind.shape) for kind in kinds]
        return TensorType(dtype, (_sum(sizes),))
    if not all(kind.shape for kind in kinds):
        raise ValueError("concat(): a scalar has no axis to be joined along; stack() adds one")
    along = axis_index(axis, kinds[0].rank, "concat")
    shape = _agreed("concat", [kind.shape for kind in kinds], along)
    shape[along] = _sum([kind.shape[along] for kind in kinds])
    return TensorType(dtype, tuple(shape))


def _sum(sizes: Sequence[int | None]) -> int | None:
    known = [size for size in sizes if size is not None]
    return sum(known) if len(known) == len(sizes) else None


def _size(shape: Shape) -> int | None:
    total = 1
    for size in shape:
        if size is None:
            return None
        total *= size
    return total


def _arrays(values: Any) -> list[Any]:
    """The arrays in their common dtype, in which Python's numbers do not count."""
    dtype, _ = promote(*(operand_type(dispatch.type_of(value)) for value in values))
    return [np.asarray(value).astype(dtype.numpy) for value in values]


def _concat_emit(trace: Trace, result: TensorType, values: Any, axis: Any) -> SymbolicTensor:
    if _rows_of_unknown_number(values):
        return _merged(emit.lift(trace, values), axis)
    tensors = [emit.cast(trace, t, result.dtype) for t in _tensors(trace, values)]
    if axis is None:
        tensors = [dispatch.call("reshape", t, (-1,)) for t in tensors]
    along = 0 if axis is None else axis_index(axis, len(tensors[0].dims), "concat")
    return _joined(trace, tensors, along)


def _joined(trace: Trace, tensors: Sequence[SymbolicTensor], axis: int) -> SymbolicTensor:
    made = trace.make(*concatenated(trace, tensors, axis))
    layouts.derive_joined(made, tensors)
    return made


def _merged(rows: SymbolicTensor, axis: Any) -> SymbolicTensor:
    """The rows of a tensor one after the other along one of their own axes."""
    if axis is None:
        flat: SymbolicTensor = dispatch.call("reshape", rows, (-1,))
        return flat
    along = axis_index(axis, len(rows.dims) - 1, "concat")
    moved = _moved_first(rows, along)
    shape = list(dispatch.call("shape", moved)) if None in moved.shape else list(moved.shape)
    shape[along : along + 2] = [-1]
    merged: SymbolicTensor = dispatch.call("reshape", moved, tuple(shape))
    return merged


def concatenated(
    trace: Trace, tensors: Sequence[SymbolicTensor], axis: int
) -> tuple[Any, Any, Dims]:
    """``tensor.concat`` of tensors of one dtype: (SSA value, dtype, dimensions)."""
    dtype = tensors[0].dtype
    common = [
        None if i == axis else agree(trace, sizes, _DIFFER, keep_static=True)
        for i, sizes in enumerate(zip(*(t.dims for t in tensors), strict=True))
    ]
    parts = []
    for tensor in tensors:
        target = tuple(d if c is None else c for c, d in zip(common, tensor.dims, strict=True))
        parts.append(fitted(trace, tensor.ssa, dtype, tensor.dims, target))
    length = _total(trace, [t.dims[axis] for t in tensors])
    dims = tuple(length if c is None else c for c in common)
    if len(parts) == 1:
        return parts[0], dtype, dims
    shape = tuple(d if isinstance(d, int) else None for d in dims)
    kind = mlir_type(dtype, shape)
    return trace.op("tensor.concat", kind, *parts, dim=attributes.i64(axis)), dtype, dims


def _total(trace: Trace, sizes: Sequence[int | Dim]) -> int | Dim:
    known = sum(e for e in sizes if isinstance(e, int))
    unknown = [e for e in sizes if isinstance(e, Dim)]
    if not unknown:
        return known
    if len(unknown) == 1 and not known:
        return unknown[0]
    values = [e.value(trace) for e in unknown] + ([trace.index(known)] if known else [])
    total = values[0]
    for value in values[1:]:
        total = trace.op("arith.addi", total.type, total, value)
    return Dim(value=total)


@dispatch.define(
    operands=("values",),
    sequences=("values",),
    rule=_concat_rule,
    emit=_concat_emit,
    numpy=(np.concatenate,),
)
def concat(values: Any, axis: Any = 0) -> Any:
    """Arrays one after the other along an axis; flattened where ``axis`` is None.

    >>> ag.concat([[1, 2], [3]], axis=0).numpy()
    array([1, 2, 3], dtype=int32)

    Shapes: values list of [n', ...] -> [m, ...]; along axis 0
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandValueError where the other sizes differ
    """
    return np.concatenate(_arrays(values), axis)


# stack


def _stack_rule(values: Any, axis: Any = 0) -> TensorType:
    if _rows_of_unknown_number(values):
        shape = list(values.shape[1:])
        shape.insert(axis_index(axis, len(shape) + 1, "stack"), None)
        return TensorType(values.dtype, tuple(shape))
    kinds = _items(values, "stack")
    dtype, _ = promote(*kinds)
    shape = _agreed("stack", [kind.shape for kind in kinds], None)
    shape.insert(axis_index(axis, len(shape) + 1, "stack"), len(kinds))
    return TensorType(dtype, tuple(shape))


def _stack_emit(trace: Trace, result: TensorType, values: Any, axis: Any) -> SymbolicTensor:
    if _rows_of_unknown_number(values):
        return _moved_first(emit.lift(trace, values), axis_index(axis, len(result.shape), "stack"))
    tensors = [emit.cast(trace, t, result.dtype) for t in _tensors(trace, values)]
    if len(result.shape) == 1:
        kind = mlir_type(result.dtype, result.shape)
        ssa = trace.op("tensor.from_elements", kind, *(t.ssa for t in tensors))
        return trace.make(ssa, result.dtype, (len(tensors),))
    along = axis_index(axis, len(result.shape), "stack")
    expanded = [dispatch.call("expand_dims", t, along) for t in tensors]
    return _joined(trace, expanded, along)


@dispatch.define(
    operands=("values",),
    sequences=("values",),
    rule=_stack_rule,
    emit=_stack_emit,
    numpy=(np.stack,),
)
def stack(values: Any, axis: Any = 0) -> Any:
    """Arrays of one shape side by side along a new axis.

    >>> ag.stack([[1, 2], [3, 4]], axis=1).numpy()
    array([[1, 3],
           [2, 4]], dtype=int32)

    Shapes: values list of [...] -> with one more axis
    Dtypes: bool, int, uint, float, complex -> the same
    Raises: OperandValueError where the shapes differ
    """
    return np.stack(_arrays(values), axis)


def _stacked_rows(values: Any) -> list[Any]:
    return [v if operand_type(dispatch.type_of(v)).rank else [v] for v in values]


def hstack(values: Any) -> Any:
    """Arrays one after the other along the second axis, vectors along their only one."""
    rows = _stacked_rows(values)
    return concat(rows, 0 if operand_type(dispatch.type_of(rows[0])).rank == 1 else 1)


def vstack(values: Any) -> Any:
    """Arrays one below the other; vectors become rows."""
    rows = _stacked_rows(values)
    flat = operand_type(dispatch.type_of(rows[0])).rank == 1
    return stack(rows) if flat else concat(rows)


compose("hstack", hstack, operands=("values",), sequences=("values",), numpy=(np.hstack,))
compose("vstack", vstack, operands=("values",), sequences=("values",), numpy=(np.vstack,))


# Parting.


def _part(x: Any, axis: int, start: Any, stop: Any) -> Any:
    return x[(slice(None),) * axis + (slice(start, stop),)]


def _known_size(x: Any, axis: Any, name: str) -> tuple[Any, int, Any]:
    tensor = x if isinstance(x, Tensor) else dispatch.call("copy", x)
    along = axis_index(axis, tensor.ndim, name)
    return tensor, along, tensor.shape[along]


def unstack(x: Any, num: int | None = None, axis: int = 0) -> list[Any]:
    """The list of the slices along an axis, whose size must be known: ``num``, or while tracing."""
    tensor, along, size = _known_size(x, axis, "unstack")
    if size is None and num is None:
        raise needing_sizes(
            f"unstack(): the size of axis {along} is known only at run time; pass num=...",
            OperandValueError,
        )
    if size is not None and num is not None and num != size:
        raise ValueError(f"unstack(): num={num}, but axis {along} has the size {size}")
    if size is None:
        tensor = _with_size(tensor, along, num)
    return [tensor[(slice(None),) * along + (i,)] for i in range(tensor.shape[along])]


def _with_size(tensor: Any, axis: int, size: Any) -> Any:
    """The tensor with a size made static, which a guard checks."""
    shape = _sizes(tensor)
    shape[axis] = size
    return dispatch.call("reshape", tensor, shape)


def _sizes(tensor: Any) -> list[Any]:
    vector = dispatch.call("shape", tensor)
    return [vector[i] if e is None else e for i, e in enumerate(tensor.shape)]


def split(x: Any, num_or_size_splits: Any, axis: int = 0) -> list[Any]:
    """The parts of the tensor along an axis: so many equal ones, or of the sizes listed."""
    tensor, along, dim_size = _known_size(x, axis, "split")
    if isinstance(num_or_size_splits, (int, np.integer)):
        return _equal_parts(tensor, along, dim_size, int(num_or_size_splits))
    sizes = [int(size) for size in num_or_size_splits]
    if sizes.count(-1) == 1 and dim_size is not None:
        sizes[sizes.index(-1)] = dim_size - sum(size for size in sizes if size >= 0)
    if any(size < 0 for size in sizes) or (dim_size is not None and sum(sizes) != dim_size):
        raise ValueError(f"split(): the sizes {sizes} do not add up to the size {dim_size}")
    if dim_size is None:
        tensor = _with_size(tensor, along, sum(sizes))
    stops = list(accumulate(sizes))
    starts = [0, *stops[:-1]]
    return [_part(tensor, along, a, b) for a, b in zip(starts, stops, strict=True)]


def _equal_parts(tensor: Any, axis: int, dim_size: Any, count: int) -> list[Any]:
    if dim_size is None:
        shape = _sizes(tensor)
        shape[axis : axis + 1] = [count, dispatch.call("floor_divide", shape[axis], count)]
        parts = dispatch.call("reshape", tensor, shape)
        return [parts[(slice(None),) * axis + (i,)] for i in range(count)]
    if count < 1 or dim_size % count:
        raise ValueError(f"split(): {dim_size} elements cannot be split into {count} equal parts")
    size = dim_size // count
    return [_part(tensor, axis, i * size, (i + 1) * size) for i in range(count)]


def numpy_split(x: Any, indices_or_sections: Any, axis: int = 0) -> list[Any]:
    """``numpy.split``: into equal parts, or before each of the positions listed."""
    tensor, along, size = _known_size(x, axis, "split")
    if isinstance(indices_or_sections, (int, np.integer)):
        return _equal_parts(tensor, along, size, int(indices_or_sections))
    places = [None, *indices_or_sections, None]
    return [_part(tensor, along, a, b) for a, b in pairwise(places)]


compose("unstack", unstack)
compose("split", split)
compose("numpy_split", numpy_split, numpy=(np.split,))
